"""The models every contract is checked on: each kind's example, the same with ground replaced by a free body, and some
in which forces and joints have more to do than in the examples."""

from copy import deepcopy

from tapespring.kinds.registry import kinds

# no principal axis along x, y or z and no symmetry, so that no model is planar and every row is kept
BASE = {"kind": "rigid", "mass": 3, "inertia": [1.0, 1.2, 1.5, 0.1, -0.2, 0.15], "com": [0.1, -0.2, 0.15]}
OTHER = {"kind": "rigid", "at": [0.4, 0.3, -0.2], "mass": 2, "inertia": [0.8, 0.5, 0.9, -0.1, 0.05, 0.1]}
PAIR = {"base": BASE, "other": OTHER}
ENDS = [{"on": "base", "at": [0.1, 0.2, 0.3]}, {"on": "other", "at": [-0.2, 0.1, 0.25]}]
FULL = [
    [900, 50, -20, 30, 10, -5],
    [50, 700, 40, -10, 20, 15],
    [-20, 40, 800, 5, -15, 25],
    [30, -10, 5, 60, 8, -6],
    [10, 20, -15, 8, 50, 4],
    [-5, 15, 25, -6, 4, 70],
]
SHEET = {"young": 2000, "poisson": 0.3, "density": 3}
KITE = {
    "kind": "points",
    "nodes": [[0, 0, 0], [1, 0.1, 0], [2, -0.1, 0.2], [-0.1, 1, 0.1], [1.1, 1.2, 0.1], [2.1, 1, 0]],
    "quads": [[0, 1, 4, 3]],
    "triangles": [[1, 2, 5], [1, 5, 4]],
    "groups": {"edge": [0, 3], "tip": [2, 5]},
}
BOX = {"kind": "box", "length": 1.0, "width": 0.7, "height": 0.5, "divisions": [1, 1, 1], "elements": "tetra10"}
BRICK = {"kind": "box", "length": 1, "width": 0.5, "height": 0.4, "divisions": [1, 1, 1]}  # fmt: skip
WALL = BRICK | {"divisions": [3, 2, 1]}  # four of its hexahedra go together, two by themselves
LIGHT = [[0.02 * entry for entry in row] for row in FULL]

HINGE = {"kind": "revolute", "between": ["base", "other"], "at": [0.2, 0.1, 0.1], "axis": [1, 2, -1]}
BALL_JOINT = {"kind": "spherical", "between": ["base", "other"], "at": [0.2, 0.1, 0.1]}
SHAFT = {"kind": "cylindrical", "between": ["base", "other"], "at": [0.2, 0.1, 0.1], "axis": [1, 2, -1]}


def model(name, **sections):
    return {
        "name": name,
        "gravity": [1.0, -2.0, -9.0],
        "bodies": deepcopy(PAIR),
        "simulate": {"duration": 1},
    } | sections


RICH = {
    "nonlinear spring": model("nonlinear spring", forces={"coil": {
        "kind": "spring", "between": ENDS, "stiffness": {"polynomial": [0, 100, 0, 2000]}, "free_length": 0.2,
        "damping": {"polynomial": [0, 3, 0, 1]}, "force": "2*sin(3*t) - 5*x*v"}}),
    "spring by a table": model("spring by a table", forces={"coil": {
        "kind": "spring", "between": ENDS, "free_length": 0.5,
        "stiffness": {"table": [[-2, -300], [-1, -80], [0, 0], [1, 100], [2, 300]]}}}),
    "spring by a formula": model("spring by a formula", forces={"coil": {
        "kind": "spring", "between": ENDS, "free_length": 0.4, "stiffness": "50*x + 3*x^3", "damping": "2*tanh(v)"}}),
    "full bushing": model("full bushing", forces={"mount": {
        "kind": "bushing", "between": [ENDS[0] | {"orientation": {"axis": [1, 2, 3], "angle": "40 deg"}}, ENDS[1]],
        "stiffness": FULL, "damping": LIGHT}}),
    "tilt spring": model("tilt spring", forces={"socket": {
        "kind": "tilt_spring", "between": ENDS, "axis": [0.3, 0.2, -0.9], "stiffness": [20, 7, 3], "damping": [1, 2]}}),
    "almost straight tilt spring": model("almost straight tilt spring", forces={"socket": {
        "kind": "tilt_spring", "between": ENDS, "axis": [0.1, 0.21, -0.24], "stiffness": [9, 700], "damping": [1, 2]}}),
    "boom that stiffens": model("boom that stiffens", bodies=deepcopy(PAIR) | {"boom": {
        "kind": "modal", "at": [0.1, 0.2, 0.3], "orientation": {"axis": [1, 2, 3], "angle": "40 deg"}, "modes": 1,
        "stiffening": True, "interfaces": {"root": "rod.start", "tip": "rod.end"}, "of": {"bodies": {"rod": {
            "kind": "beam", "path": [[0, 0, 0], [0.5, 0.1, 0]], "elements": 3, "section": {
                "kind": "rectangle", "width": 0.2, "thickness": 0.15},
            "material": {"young": 2e4, "poisson": 0.3, "density": 40}}}}}},
        joints={"hinge": {"kind": "revolute", "between": ["base", "boom.root"], "axis": [1, 0, 2]}}),
    "loads": model("loads", forces={
        "dead": {"kind": "load", "on": ENDS[0], "force": [3, "4*cos(t)", -5], "torque": [1, 2, 3]},
        "following": {
            "kind": "load", "on": ENDS[1], "force": [3, "4*cos(t)", -5], "torque": [1, 2, 3], "axes": "body"}}),
    "spring hinge": model("spring hinge", joints={"hinge": HINGE}, forces={
        "wire": {"kind": "torsion_spring", "joint": "hinge", "stiffness": {"polynomial": [0, 5, 2]}, "damping": 0.3},
        "motor": {"kind": "joint_torque", "joint": "hinge.angle", "value": "0.5*sin(t) - x*v"}}),
    "twisted pair": model("twisted pair", forces={"wire": {
        "kind": "torsion_spring", "between": ["base", "other"], "axis": [1, 1, 0], "stiffness": 4, "damping": 0.2}}),
    "sprung shaft": model("sprung shaft", joints={
        "shaft": SHAFT,
        "screw": {"kind": "coupler", "joints": ["shaft.angle", "shaft.position"], "ratio": "10 mm/rad"}},
        forces={"pull": {"kind": "joint_torque", "joint": "shaft.position", "value": "1 - 3*x - 0.4*v"}}),
    "hinge that sticks": model("hinge that sticks", joints={"hinge": HINGE | {"friction": {
        "torque": 50, "stiffness": 8, "damping": 0.7}}}),
    "hinge that slips": model("hinge that slips", joints={"hinge": HINGE | {"friction": {
        "static": 0.02, "kinetic": 0.01, "radius": 0.3, "preload": 2, "stiffness": 8, "damping": 0.7}}}),
    "latched hinge": model("latched hinge", joints={"hinge": HINGE}, forces={
        "latch": {"kind": "latch", "joint": "hinge", "at": 0, "stiffness": 8, "damping": 0.7}}),
    "ball that sticks": model("ball that sticks", joints={"ball": BALL_JOINT | {"friction": {
        "torque": 50, "stiffness": 8, "damping": 0.7}}}),
    "ball that slips": model("ball that slips", joints={"ball": BALL_JOINT | {"friction": {
        "static": 0.02, "kinetic": 0.01, "radius": 0.3, "preload": 2, "stiffness": 8, "damping": 0.7}}}),
    "smoothed hinge": model("smoothed hinge", joints={"hinge": HINGE | {"friction": {
        "coefficient": 0.4, "radius": 0.3, "preload": 2, "slip_speed": 0.6}}}),
    "shaft that slips": model("shaft that slips", joints={"shaft": SHAFT | {"friction": {
        "coefficient": 0.05, "preload": 3, "radius": 0.7, "stiffness": 9, "damping": 0.4}}}),
    "shaft that sticks": model("shaft that sticks", joints={"shaft": SHAFT | {"friction": {
        "force": 90, "radius": 0.7, "stiffness": 9, "damping": 0.4}}}),
    "slider that slips": model("slider that slips", joints={"rail": SHAFT | {"kind": "prismatic", "friction": {
        "coefficient": 0.05, "preload": 3, "stiffness": 9, "damping": 0.4}}}),
    "driven shaft": model("driven shaft", joints={"shaft": SHAFT}, drives={
        "push": {"kind": "motion", "joint": "shaft.position", "value": "0.1*sin(3*t)"}}),
    "shaken and turned": model("shaken and turned", bodies=deepcopy(PAIR) | {"shaker": {
        "kind": "moving_frame", "position": ["0.1*sin(5*t)", "0.2*t", 0],
        "attitude": {"axis": [1, 0, 1], "angle": "t^2"}}},
        joints={"ball": {"kind": "spherical", "between": ["shaker", "base"], "at": [0.1, 0.1, 0]}},
        forces={"coil": {"kind": "spring", "between": [{"on": "shaker", "at": [0, 0.3, 0]}, ENDS[1]], "stiffness": 50,
                         "damping": 2}}),
    "sheet on a base": model("sheet on a base", bodies=deepcopy(PAIR) | {"sheet": {
        "kind": "shell", "mesh": KITE, "thickness": 0.1, "material": SHEET, "damping": {"stiffness": 0.01},
        "attach": {"edge": "base", "tip": "other"}}}),
    "cloth on a base": model("cloth on a base", bodies=deepcopy(PAIR) | {"cloth": {
        "kind": "membrane", "mesh": KITE, "thickness": 0.1, "material": SHEET, "damping": {"stiffness": 0.01},
        "tension": [3, 2], "attach": {"edge": "base", "tip": "other"}}}),
    "block on a base": model("block on a base", bodies=deepcopy(PAIR) | {"block": {
        "kind": "solid", "mesh": BRICK, "material": SHEET, "damping": {"stiffness": 0.01}, "attach": {"x0": "base"}}}),
    "wall beside a base": model("wall beside a base", bodies=deepcopy(PAIR) | {"wall": {
        "kind": "solid", "mesh": WALL, "material": SHEET}}),
    "film that wrinkles": model("film that wrinkles", bodies=deepcopy(PAIR) | {"film": {
        "kind": "membrane", "mesh": KITE, "thickness": 0.1, "material": SHEET, "damping": {"stiffness": 0.01},
        "wrinkles": True, "tension": [3, 2], "attach": {"edge": "base", "tip": "other"}}}),
    "layers on a base": model("layers on a base", bodies=deepcopy(PAIR) | {"sheet": {
        "kind": "shell", "mesh": KITE, "attach": {"edge": "base", "tip": "other"}, "layers": [
            {"thickness": 0.1, "material": SHEET}, {"thickness": 0.05, "angle": 0.4, "material": SHEET | {
                "young_across": 0.4 * SHEET["young"], "shear": 0.3 * SHEET["young"]}}]}}),
    "tetrahedra on a base": model("tetrahedra on a base", bodies=deepcopy(PAIR) | {"block": {
        "kind": "solid", "mesh": BOX, "material": SHEET, "attach": {"x0": "base"}}}),
    "carried along": model("carried along", bodies=deepcopy(PAIR) | {"carrier": {
        "kind": "moving_frame", "velocity": [2, "0.1*t", 0], "angular_velocity": [0.3, 0, "1 + t"]}},
        joints={"hinge": HINGE | {"between": ["carrier", "base"]}},
        forces={"mount": {"kind": "bushing", "between": ["carrier", "other"], "stiffness": FULL, "damping": LIGHT}}),
}  # fmt: skip


def on_ground(side):
    return side == "ground" or (isinstance(side, dict) and side["on"] == "ground")


def moved_to_base(side):
    return "base" if side == "ground" else side | {"on": "base"}


HALF = {"kind": "half_space", "on": "base", "at": [0.1, 0.2, 0.8], "normal": [1, 2, 4]}
BALL = {"kind": "sphere", "on": "other", "at": [0.2, 0.1, -0.1], "radius": 0.9}
OTHER_BALL = {"kind": "sphere", "on": "base", "radius": 0.8}
EGG = {"kind": "ellipsoid", "on": "other", "semi_axes": [0.9, 1.2, 1.6]}
OTHER_EGG = {"kind": "ellipsoid", "on": "base", "at": [0.3, -0.5, -1.2], "semi_axes": [0.8, 1.1, 0.7]}
DRUM = {"kind": "cylinder", "on": "other", "radius": 0.9, "length": 1.6, "axis": [1, -1, 2]}
OTHER_DRUM = {"kind": "cylinder", "on": "base", "radius": 0.6, "length": 3.0, "axis": [1, -1, 2]}
ROD = {"kind": "capsule", "on": "base", "at": [-1, -0.8, 0.1], "to": [1.2, 0.9, 0.2], "radius": 0.8}
OTHER_ROD = {"kind": "capsule", "on": "other", "at": [1, -0.8, 0.1], "to": [-1.2, 0.9, 0.2], "radius": 0.8}
BLOCK = {"kind": "box", "on": "base", "size": [1.2, 1.4, 1.6]}
PILLOW = BLOCK | {"rounding": 0.5}
OTHER_PILLOW = {"kind": "box", "on": "other", "size": [1.6, 1.5, 1.4], "rounding": 0.6}
HOLE = {"kind": "bearing", "on": "base", "radius": 0.95, "axis": [1, 2, 3]}
CUP = {"kind": "socket", "on": "base", "radius": 4.0}
WEDGE = {"kind": "wedge", "on": "base", "faces": [[-3, -1, 0.2], [2.5, -3, 0.1]], "radius": 1.5}
OTHER_WEDGE = {"kind": "wedge", "on": "other", "faces": [[-3, 2, 0.1], [3, 2.5, -0.1]], "radius": 0.4}
SPRING = {"kind": "nonlinear", "stiffness": 120, "n": 2.0, "damping": 15, "p": 1.0}
STICKS = {"static": 0.5, "kinetic": 0.4, "stiffness": 80, "damping": 3}


WALL = {
    "kind": "point_to_segment", "between": ["base", "other"], "start": [-3, -0.8, 0.5], "end": [3, 0.9, 0.2],
    "normal": [0.1, 0.7, 5.966666666666667], "radius": 1.5, "law": SPRING,
}  # fmt: skip


def touching(name, a, b, law=SPRING, **more):
    return model(name, contacts={"touch": {"kind": "contact", "between": [a, b], "law": law, **more}})


ROPE = {
    "kind": "cable", "path": {"kind": "polyline", "points": [[-60, 3, 18], [0.4, 0.3, -3.2], [60, -3, 21]]},
    "elements": 2, "axial_stiffness": 900, "mass_per_length": 0.1, "pretension": 50,
}  # fmt: skip
OTHER_ROPE = ROPE | {"path": {"kind": "polyline", "points": [[1, -60, -24], [0.4, 0.3, 0.1], [0, 60, -27]]}}


def around(name):
    """A rope as thick as its bend is deep and much longer: what is near its node touches both elements and the node
    itself, all of which are one contact."""
    return {"kind": "rod", "on": name, "radius": 2.0}


TOUCHING = {
    "ball on a half-space": touching("ball on a half-space", HALF, BALL),
    "egg on a half-space": touching("egg on a half-space", HALF, EGG),
    "two balls": touching("two balls", OTHER_BALL, BALL, {"kind": "hertz", "stiffness": 200, "restitution": 0.6}),
    "ball on a rod": touching("ball on a rod", ROD, BALL, {"kind": "own", "force": "90*x^1.5*(1 + 0.3*v)"}),
    "crossed rods": touching("crossed rods", ROD, OTHER_ROD, {
        "kind": "impact", "stiffness": 150, "damping": 12, "full_damping_depth": 2.0}),
    "egg in an egg": touching("egg in an egg", OTHER_EGG, EGG),
    "ball in an egg": touching("ball in an egg", OTHER_EGG, BALL),
    "drum on a half-space": touching("drum on a half-space", HALF, DRUM),
    "ball beside a drum": touching("ball beside a drum", OTHER_DRUM, BALL),
    "ball on the rim of a drum": touching("ball on the rim of a drum", OTHER_DRUM | {
        "at": [1.2, 1.0, 0.3], "axis": [-1, -1, 1], "length": 0.9}, BALL),
    "ball on a box": touching("ball on a box", BLOCK, BALL),
    "two boxes": touching("two boxes", PILLOW, OTHER_PILLOW),
    "rod on a box": touching("rod on a box", PILLOW, OTHER_ROD),
    "edges of two wedges": touching("edges of two wedges", WEDGE, OTHER_WEDGE),
    "edge on the face of a wedge": touching("edge on the face of a wedge", WEDGE | {"at": [1, 1.5, 0]}, OTHER_WEDGE | {
        "at": [-1.6, 0, 0.2]}),
    "face of a wedge on an edge": touching("face of a wedge on an edge", WEDGE | {
        "faces": [[-3, -4, 0.2], [0.5, -3, 0.1]]}, OTHER_WEDGE | {"at": [2.0, -1.0, 0.2]}),
    "ball on a wedge": touching("ball on a wedge", WEDGE, BALL),
    "point before a wall": model("point before a wall", contacts={"touch": WALL}),
    "point round the end of a wall": model("point round the end of a wall", contacts={"touch": WALL | {
        "start": [-3, -0.8, -0.5], "end": [-0.4, 0.3, -1.2], "radius": 2.2, "normal": [0.1, 0.7, 1.4714285714285715]}}),
    "point at the rim": model("point at the rim", contacts={"touch": WALL | {"exclusion": 0.35}}),
    "journal": touching("journal", HOLE, BALL),
    "ball in a socket": touching("ball in a socket", CUP, BALL, {
        "kind": "barrier", "stiffness": 40, "margin": 3.0}),
    "ball in the bend of a rope": touching("ball in the bend of a rope", around("rope"), BALL | {"radius": 2.0}) | {
        "bodies": deepcopy(PAIR) | {"rope": ROPE}},
    "bar in the bend of a rope": touching("bar in the bend of a rope", around("rope"), OTHER_ROD | {
        "at": [0.4, -3, 0.1], "to": [0.2, 3, -0.2], "radius": 2.0}) | {"bodies": deepcopy(PAIR) | {"rope": ROPE}},
    "ropes hooked in each other": touching("ropes hooked in each other", around("rope"), around("hook")) | {
        "bodies": deepcopy(PAIR) | {"rope": ROPE, "hook": OTHER_ROPE}},
    "smooth friction": touching("smooth friction", HALF, EGG, friction={"coefficient": 0.3, "slip_speed": 0.5}),
}  # fmt: skip
# their elastic slip is counted from where they were last, which does not move along with a state; points of a rope take
# no moments, which friction on its surface has
SLIPPING = {
    "friction in the bend of a rope": touching("friction in the bend of a rope", around("rope"), BALL | {
        "radius": 2.0}, friction={"coefficient": 0.3, "slip_speed": 0.5}) | {"bodies": deepcopy(PAIR) | {"rope": ROPE}},
    "sticking friction": touching("sticking friction", OTHER_BALL, BALL, friction={
        "coefficient": 50.0, "stiffness": 80, "damping": 3}),
    "slipping friction": touching("slipping friction", ROD, OTHER_ROD, friction=STICKS),
}  # fmt: skip


def on_free_base(example):
    """The example with ground replaced by a free body, away from any symmetry."""
    made = deepcopy(example)
    used = False
    for section in ("joints", "forces", "contacts"):
        for entry in made.get(section, {}).values():
            for field in ("between", "through"):
                sides = entry.get(field, ())
                if any(on_ground(side) for side in sides):
                    entry[field] = [moved_to_base(side) if on_ground(side) else side for side in sides]
                    used = True
    if used:
        made["bodies"]["base"] = deepcopy(BASE)
    return made if used else None


EXAMPLES = {name: kind.example for name, kind in kinds().items()}
FREE = {f"{name} on a free base": made for name in EXAMPLES if (made := on_free_base(EXAMPLES[name])) is not None}
RICH |= TOUCHING
EVERY = EXAMPLES | FREE | RICH | SLIPPING
WITHOUT_PRESCRIBED = {
    name: data
    for name, data in (FREE | RICH).items()
    if all(body["kind"] != "moving_frame" for body in data["bodies"].values())
}
