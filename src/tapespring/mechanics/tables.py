"""The read-only tables kernels work on, and the scratch they write to.

`Tables` is the compiled form of a model: rows of records, one table per idea. `Work` is recomputable scratch. Both are
plain NamedTuples of arrays so that Numba compiles the engine once for every model.
"""

from __future__ import annotations

import mmap
from typing import Any, NamedTuple

import numpy as np

from .boxes import new_boxes
from .pair_memory import MEMORY

# kinds of nodes
GROUND, POINT, FRAME, MOVING_POSE, MOVING_TWIST = 0, 1, 2, 3, 4

# kinds of measures: scalar functions of the relative position of marker b (on node b) and marker a (on node a)
ALONG_WORLD, ALONG, COSINE, LENGTH, ANGLE, TILT = 0, 1, 2, 3, 4, 5

# kinds of laws: scalar functions of time, coordinate and rate
CONSTANT, POLYNOMIAL, PIECEWISE, EXPRESSION, PYTHON, TIMED = 0, 1, 2, 3, 4, 5  # TIMED: piecewise, always of time

# the variable a law mainly depends on; polynomials and tables are functions of this one
OF_TIME, OF_VALUE, OF_RATE = 0, 1, 2

# laws of cells
LINEAR, TENSION_FIELD, NEO_HOOKEAN = 0, 1, 2

# how blocks of the stiffness of cells are stored, see cells.store
WHOLE, MULTIPLE, EVEN = 0, 1, 2

# surfaces that can touch, in the order in which the two sides of a pair stand
PLANE, RING, SOCKET, BOX, ELLIPSOID, BALL, SEGMENT, TRIANGLE = range(8)
WALL, CYLINDER = 8, 9  # stand first, before a ball
RIM = 10  # stands second, after a plane
WEDGE = 13  # stands first, before a ball or another one
EDGE, AN_EDGE, MESHED = 2, (0.0, 0.0, 1.0), (0.0, 0.0, 2.0)  # in the size of a segment: an edge of a box, of a mesh

# how surfaces take part in contacts among many: by their kind, or as corners of rods, sheets and boxes
CORNER, MESH_EDGE = 11, 12

# normal laws of contacts
POWER, RESTITUTION, STEPPED, BARRIER, OWN_LAW, PLAY, MOMENTUM, AUGMENTED = range(8)

# friction of contacts
FRICTIONLESS, REGULARISED, STICKING, RIGID, LATCH = range(5)
GRIP_MEMORY = 21  # numbers that friction of a joint remembers, see grips


# powers integrated along with the motion
LOADS, DRIVES, DISSIPATED, IMPACTS, FRICTION = range(5)
N_POWERS = 5

LARGE = 1 << 20  # [bytes] of an array

vec3 = ("f8", (3,))
mat3 = ("f8", (3, 3))
vec6 = ("f8", (6,))
vec8 = ("f8", (8,))
mat6 = ("f8", (6, 6))


def record(**fields):
    """A dtype: name=type or name=(type, shape)."""
    return np.dtype([(name, *t) if isinstance(t, tuple) else (name, t) for name, t in fields.items()], align=True)


Node = record(
    kind="i8",
    q="i8",
    v="i8",
    mass="f8",
    weight="f8",
    inertia=vec3,
    inverse_mass="f8",
    inverse_inertia=vec3,
    motion="i8",
)
Motion = record(
    base=("f8", (4,)), turns="i8", axes=mat3, turn_law=("i8", (3,)), law=("i8", (3,)), spin_law=("i8", (3,))
)
Measure = record(kind="i8", a="i8", b="i8", sa=vec3, sb=vec3, e1=vec3, e2=vec3, f=vec3)
Law = record(kind="i8", first="i8", count="i8", degree="i8", address="i8")
Row = record(first="i8", last="i8", law="i8", constant="f8")
Term = record(measure="i8", weight="f8", block_a="i8", block_b="i8", shares="i8")
Coupling = record(
    measure="i8", elastic="i8", free="f8", damping="i8", active="i8", sign="f8",
    film="f8",  # of the first of three dampers along the world axes between the same points; -1 for the two after it
)  # fmt: skip
Load = record(node="i8", s=vec3, axes=mat3, follows="i8", share="f8", law=("i8", (6,)))
Bushing = record(a="i8", b="i8", sa=vec3, sb=vec3, qa=mat3, qb=mat3, stiffness=mat6, damping=mat6,
                 tilts="i8", axis=vec3, vertical=vec3, even_stiffness=vec8, even_damping=vec8)  # fmt: skip
Beam = record(
    a="i8",
    b="i8",
    sa=vec3,
    sb=vec3,
    qa=mat3,
    qb=mat3,
    length="f8",
    strain=vec6,
    stiffness=mat6,
    damping="f8",
    bow=vec3,
)
Bar = record(a="i8", b="i8", sa=vec3, sb=vec3, length="f8", stiffness="f8", damping="f8", slack="i8")
Form = record(
    corners="i8", carried="i8", vector="i8", vectors="i8", scalar="i8", scalars="i8", matrix="i8", block="i8",
    blocks="i8",
)  # fmt: skip
FormTerm = record(source="i8", weight="f8")
FormProduct = record(scalar="i8", i="i8", j="i8", weight="f8")
Corner = record(node="i4", arm="i4")
Cell = record(
    damping="f8", form="i4", corner="i4", number="i4", lane="i4", scalar="i4", pair="i4", width="i4", arms="i4",
    law="i4", points="i4",
)  # fmt: skip
Pressure = record(corner="i8", count="i8", pair="i8", law="i8", sign="f8")
Spot = record(node="i8", arm=vec3)
Surface = record(
    kind="i8", spot="i8", count="i8", before="i8", after="i8", radius="f8", size=vec3, axes=mat3, feature="f8"
)
Pair = record(a="i8", b="i8", contact="i8", sign="f8", offset="f8")
Member = record(
    surface="i8", contact="i8", body="i8", side="i8", role="i8", meets="i8", free="i8", seeks="i8", shown="i8"
)
Contact = record(
    law="i8", stiffness="f8", exponent="f8", damping="f8", depth_power="f8", rate_power="f8", full_depth="f8",
    margin="f8", function="i8", adhesive="i8", friction="i8", static="f8", kinetic="f8", slip_stiffness="f8",
    slip_damping="f8", slip_speed="f8", deepest="f8", grip="f8", low="f8", high="f8", restitution="f8",
    reversal="f8", poisson="i8", rest_speed="f8", allowed="f8",
)  # fmt: skip
Grip = record(
    a="i8", b="i8", ball="i8", place="i8", measure=("i8", (3,)), scale=vec3, first="i8", last="i8", arm=vec3, axis=vec3,
    axis_on="i8", length="f8", preload="f8", friction="i8", static="f8", kinetic="f8", slip_stiffness="f8",
    slip_damping="f8", slip_speed="f8",
    catch="f8", way="f8",  # of a latch: the slip at which it closes, and the way there
)  # fmt: skip
Drag = record(node="i8", linear="f8", angular=vec3)
Modal = record(node="i8", amplitudes="i8", count="i8", mass="f8", first="i8", scratch="i8", pairs="i8")
ModalRow = record(row="i8", body="i8", block="i8", amplitudes="i8", curve="i8")
Watch = record(measure="i8", of_rate="i8", level="f8", direction="i8", stop="i8")


class Tables(NamedTuple):
    """Everything constant during a run."""

    gravity: np.ndarray  # (3,) m/s^2
    nodes: np.ndarray  # Node
    motions: np.ndarray  # Motion
    measures: np.ndarray  # Measure
    laws: np.ndarray  # Law
    numbers: np.ndarray  # pool of numbers the laws use
    codes: np.ndarray  # pool of expression opcodes
    rows: np.ndarray  # Row: constraints, in elimination order
    terms: np.ndarray  # Term
    row_draft: np.ndarray  # number of each row in the model, whatever the elimination order
    couplings: np.ndarray  # Coupling: forces along measures
    loads: np.ndarray  # Load
    bushings: np.ndarray  # Bushing
    beams: np.ndarray  # Beam: elements between two section frames
    bars: np.ndarray  # Bar: elements between two points
    forms: np.ndarray  # Form: kinds of cells, see cells.form
    form_first: np.ndarray  # first term of every vector of every form
    form_terms: np.ndarray  # FormTerm
    form_scalars: np.ndarray  # first product of every scalar of every form
    form_products: np.ndarray  # FormProduct
    form_blocks: np.ndarray  # (blocks, 2) sizes of the blocks of C and how they are stored
    cells: np.ndarray  # Cell: elements of membranes, shells and solids
    corners: np.ndarray  # Corner: node and number of its arm
    arms: np.ndarray  # (n, 3) places of corners from their nodes, node axes; the first is zero
    cell_numbers: np.ndarray  # (rows, 4) of four cells side by side, each from a row on: see cells.store
    pressures: np.ndarray  # Pressure: faces
    drags: np.ndarray  # Drag: viscous resistance of nodes
    spots: np.ndarray  # Spot: places on nodes that surfaces are made of
    surfaces: np.ndarray  # Surface: what can touch; its spots follow one another
    pairs: np.ndarray  # Pair: surfaces that may touch
    beside: np.ndarray  # (n, 2) points and triangles near them, as in Work.pair_triangles: each may be its pair's
    contacts: np.ndarray  # Contact: laws that pairs follow
    members: np.ndarray  # Member: surfaces whose pairs are found as they come near, see broad_phase
    kin_first: np.ndarray  # (members + 1,) first of the members that each must not touch: its neighbours in a body
    kin: np.ndarray  # these
    near_spots: np.ndarray  # spots of members, one for each place
    near: np.ndarray  # (1,) distance from which members are pairs [m]
    grips: np.ndarray  # Grip: friction of joints
    grip_rows: np.ndarray  # rows whose reactions press upon joints with friction, see Grip.first and last
    modal: np.ndarray  # Modal: bodies by modes, a frame and amplitudes of shapes, see modal
    modal_numbers: np.ndarray  # of their inertia
    modal_rows: np.ndarray  # ModalRow: rows that hold them
    modal_curves: np.ndarray  # of such rows to second order, see modal_curves
    watches: np.ndarray  # Watch: events
    tracked: np.ndarray  # measures that are written out
    turning: np.ndarray  # measures whose whole turns are counted
    block_node: np.ndarray  # node of each block of G
    block_row: np.ndarray  # row of each block of G
    columns: np.ndarray  # (3,) columns of G that can differ from zero in a planar model; empty in space
    pair_first: np.ndarray  # per entry of S: its first pair of blocks
    pair_left: np.ndarray
    pair_right: np.ndarray
    S_first: np.ndarray  # lower triangle of S by rows, diagonal last in each row
    S_column: np.ndarray
    L_first: np.ndarray  # pattern of L by rows (strictly lower)
    L_column: np.ndarray
    L_slot: np.ndarray  # where that entry is stored by columns
    C_first: np.ndarray  # L by columns
    C_row: np.ndarray


class Work(NamedTuple):
    """Scratch of one evaluation."""

    x: np.ndarray  # (nodes, 3) positions
    R: np.ndarray  # (nodes, 3, 3) body to world
    v: np.ndarray  # (nodes, 3) velocities
    w: np.ndarray  # (nodes, 3) angular velocities, world axes
    a: np.ndarray  # (nodes, 3) accelerations (of moving frames before the solve)
    alpha: np.ndarray  # (nodes, 3) angular accelerations, world axes
    force: np.ndarray  # (nodes, 3) applied forces
    moment: np.ndarray  # (nodes, 3) applied moments about the node, world axes
    resisting_force: np.ndarray  # (nodes, 3) of damped cells and drag among these
    resisting_moment: np.ndarray  # (nodes, 3)
    apart: np.ndarray  # (1,) 1: the two above are wanted
    G: np.ndarray  # (blocks, 6) constraint rows, rotations in body axes
    H: np.ndarray  # (blocks, 6) G M^-1
    g: np.ndarray  # (rows,) constraint values
    g_rate: np.ndarray  # (rows,) their rates
    g_target: np.ndarray  # (rows,) speed imposed by drives and moving frames
    rhs: np.ndarray  # (rows,)
    multiplier: np.ndarray  # (rows,)
    change: np.ndarray  # (rows,) of these
    correction: np.ndarray  # (nv,)
    S: np.ndarray  # values of S
    L: np.ndarray  # values of L by columns
    D: np.ndarray  # 1/pivots; 0 where a row depends on earlier ones
    y: np.ndarray  # (rows,) scratch of the factorization
    power: np.ndarray  # (N_POWERS,) W
    anchor: np.ndarray  # (measures, 2) last accepted value and rate of each measure, to count turns
    anchor_time: np.ndarray  # (1,)
    stack: np.ndarray  # (depth, 4) of the expression evaluator
    jet: np.ndarray  # (4,) what a law returned
    dropped: np.ndarray  # (1,) rows found dependent in the last factorization
    weakest: np.ndarray  # (1,) smallest pivot over its diagonal since last set to 1: small near singular positions
    found: np.ndarray  # (2,) violation |g|, |g'| found by the last projection
    stress: np.ndarray  # (beams, 6) foreseen by the last correction, see mechanics.mixed
    foreseen: np.ndarray  # (scalars of all cells,) the same for cells
    mixed: np.ndarray  # (1,) 1: tangents take this stress instead of the present one
    cell_z: np.ndarray  # of one cell, vectors in rows of four: what its corners give
    cell_z_rate: np.ndarray
    cell_y: np.ndarray  # sums of these
    cell_y_rate: np.ndarray
    cell_f: np.ndarray  # forces on y
    cell_force: np.ndarray  # forces on z
    cell_s: np.ndarray  # scalars beyond the reference
    cell_s_rate: np.ndarray
    cell_stress: np.ndarray
    cell_damping: np.ndarray
    cell_rows: np.ndarray  # derivatives of the scalars by freedoms
    cell_rows_rate: np.ndarray
    cell_stiff: np.ndarray  # C times these
    cell_H: np.ndarray
    cell_K: np.ndarray
    cell_C: np.ndarray  # of a law that is not linear
    cell_lanes: np.ndarray  # (rows, 9, 4) of four hexahedra, see mechanics.hexa_lanes
    point_strain: np.ndarray
    point_stress: np.ndarray
    point_stiffness: np.ndarray
    point_rows: np.ndarray
    pairs: np.ndarray  # Pair: those of the tables, then those found near each other
    pair_count: np.ndarray  # (2,) pairs there are, and triangles in pair_triangles
    pair_span: np.ndarray  # (pairs, 3) of a point near triangles: first, number and nearest in pair_triangles, else 0
    pair_triangles: np.ndarray  # surfaces
    pair_side: np.ndarray  # (pairs,) side of its triangle that a point is to be on at this evaluation
    pair_apart: np.ndarray  # (pairs,) least distance when it was found [m]
    pair_mode: np.ndarray  # (pairs, 2) how each touches and whether it slips, see contacts
    pair_memory: np.ndarray  # (pairs, MEMORY) what it remembers, see contacts
    pair_rate: np.ndarray  # (pairs, 3) rate of its elastic slip; in loops with steps of their own its new value
    pair_out: np.ndarray  # (pairs, 12) what was found at the last evaluation, see contacts
    contact_step: np.ndarray  # (4,) how slip is found (see contacts), the length of the step, STEADY, and AS_A_WHOLE
    contact_peak: np.ndarray  # (contacts, 10) extremes over the run, see touching
    rigid_closed: np.ndarray  # (1,) pairs by momentum that are closed
    rigid_scale: np.ndarray  # (6,) what counts as none is measured by these, see touching
    rigid_count: np.ndarray  # (1,) pairs chosen for an evaluation, see rigid_contacts
    rigid_pair: np.ndarray  # (pairs by momentum,) these
    rigid_axes: np.ndarray  # (…, 9) their normals and two directions across
    rigid_W: np.ndarray  # (3 …, nv) generalized forces of unit forces along these
    rigid_H: np.ndarray  # what they do to velocities, joints taken into account
    rigid_L: np.ndarray  # (3 …, rows) what they do to joints
    rigid_D: np.ndarray  # W H'
    rigid_own: np.ndarray  # diagonal of that without joints
    rigid_A: np.ndarray  # flat: D of what is held, and its factors
    rigid_pivot: np.ndarray
    rigid_at: np.ndarray  # directions that are held
    rigid_speed: np.ndarray  # (3 …,) velocity along each
    rigid_bias: np.ndarray  # its rate without accelerations
    rigid_b: np.ndarray
    rigid_x: np.ndarray  # forces or impulses
    rigid_w: np.ndarray
    rigid_r: np.ndarray
    rigid_a: np.ndarray  # (nv,)
    rigid_q: np.ndarray  # (nq,) and (nv,): a state a moment later
    rigid_v: np.ndarray
    rigid_kind: np.ndarray  # (…,) see linear.cones
    rigid_status: np.ndarray
    rigid_friction: np.ndarray  # (…, 2)
    rigid_way: np.ndarray  # (…, 2)
    rigid_given: np.ndarray  # (…,)
    rigid_impulse: np.ndarray  # (pairs,) of the last impact
    rigid_before: np.ndarray  # (pairs, 2) modes before the last change
    lost: np.ndarray  # (nodes, 12) forces and moments of contacts that no energy is behind: damping, then friction
    near_place: np.ndarray  # (spots, 3) where near_spots were when pairs were found
    near_moved: np.ndarray  # (8,) how far they have gone since at most, see broad_phase
    near_found: np.ndarray  # scratch of the search
    kept_key: np.ndarray  # memories of pairs while others are found, in a table by hash
    kept_mode: np.ndarray
    kept_memory: np.ndarray
    box: np.ndarray  # of members, see mechanics.boxes
    box_row: np.ndarray
    box_place: np.ndarray
    box_middle: np.ndarray
    box_fours: np.ndarray
    box_level: np.ndarray
    box_open: np.ndarray
    x_last: np.ndarray  # placement at the last accepted state, for slip
    R_last: np.ndarray
    grip_mode: np.ndarray  # (grips,) whether each sticks or slips, see grips
    grip_memory: np.ndarray  # (grips, GRIP_MEMORY) what it remembers, see grips
    grip_normal: np.ndarray  # (grips,) force that presses
    grip_out: np.ndarray  # (grips, 8) what was found at the last evaluation, see grips
    grip_trouble: np.ndarray  # (1,) 1: no friction was found that goes with its own reactions
    modal: np.ndarray  # of bodies by modes, see modal
    core: np.ndarray  # addresses of the core functions


def new_work(t: Tables, stack_depth: int = 64) -> Work:
    n, nb, nr = len(t.nodes), len(t.block_node), len(t.rows)
    nv = velocity_size(t)
    zeros = np.zeros
    R = np.zeros((n, 3, 3))
    R[:] = np.eye(3)
    return Work(
        x=zeros((n, 3)), R=R, v=zeros((n, 3)), w=zeros((n, 3)), a=untouched(n, 3), alpha=untouched(n, 3),
        force=zeros((n, 3)), moment=zeros((n, 3)), resisting_force=untouched(n, 3), resisting_moment=untouched(n, 3),
        apart=zeros(1, np.int64), G=zeros((nb, 6)), H=zeros((nb, 6)), correction=untouched(nv),
        g=zeros(nr), g_rate=zeros(nr), g_target=zeros(nr), rhs=zeros(nr), multiplier=zeros(nr), change=zeros(nr),
        S=zeros(len(t.S_column)), L=zeros(len(t.C_row)), D=zeros(nr), y=zeros(nr), power=zeros(N_POWERS),
        anchor=zeros((len(t.measures), 2)), anchor_time=zeros(1), stack=zeros((stack_depth, 4)),
        jet=zeros(4),         dropped=zeros(1, np.int64),
        weakest=np.ones(1), found=zeros(2), stress=zeros((len(t.beams), 6)),
        mixed=zeros(1, np.int64), core=zeros(32, np.int64), foreseen=untouched(cell_scalars(t)), **cell_scratch(t),
        **contact_scratch(t), **rigid_scratch(t), **grip_scratch(t), modal=zeros(modal_scratch(t)),
    )  # fmt: skip


def untouched(*shape: int) -> np.ndarray:
    """Zeros that take no memory until they are written, for what only some models need: np.zeros may be given pages
    that were used before, and fills them."""
    size = 8 * int(np.prod(shape))
    if size < LARGE:
        return np.zeros(shape)
    private = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_PRIVATE") else {}
    return np.frombuffer(mmap.mmap(-1, size, **private), float).reshape(shape)


MODAL_SHARED = 21  # numbers of a body's scratch that do not belong to one of its shapes


def modal_scratch(t: Tables) -> int:
    """Numbers that bodies by modes need."""
    return int((MODAL_SHARED + 13 * t.modal["count"]).sum())


def grip_scratch(t: Tables) -> dict[str, np.ndarray]:
    """What joints with friction remember."""
    n = len(t.grips)
    return {
        "grip_mode": np.zeros(n, np.int64), "grip_memory": np.zeros((n, GRIP_MEMORY)),
        "grip_normal": np.array(t.grips["preload"]), "grip_out": np.zeros((n, 8)), "grip_trouble": np.zeros(1),
    }  # fmt: skip


def contact_scratch(t: Tables) -> dict[str, np.ndarray]:
    """What pairs remember; placements of the last step only where there are pairs."""
    n = len(t.nodes) if len(t.pairs) + len(t.members) else 0
    R = np.zeros((n, 3, 3))
    R[:] = np.eye(3)
    return {
        "contact_step": np.zeros(4), "contact_peak": np.zeros((len(t.contacts), 10)), "x_last": np.zeros((n, 3)),
        "R_last": R, "lost": np.zeros((0, 12)), "near_place": np.zeros((len(t.near_spots), 3)),
        "near_moved": np.zeros(8), **room_for_pairs(t, len(t.pairs), 0), **new_boxes(t.members["shown"])._asdict(),
    }  # fmt: skip


def room_for_pairs(t: Tables, pairs: int, triangles: int) -> dict[str, np.ndarray]:
    """Fields of Work for so many pairs, those of the tables in place."""
    slots = 1 << max(2 * (pairs - len(t.pairs)), 1).bit_length() if pairs > len(t.pairs) else 0
    out = {
        "pairs": np.zeros(pairs, Pair), "pair_count": np.array([len(t.pairs), 0]),
        "pair_span": np.zeros((pairs, 3), np.int64), "pair_triangles": np.zeros(triangles, np.int64),
        "pair_side": np.zeros(pairs),
        "pair_apart": np.full(pairs, -np.inf), "pair_mode": np.zeros((pairs, 2), np.int64),
        "pair_memory": np.zeros((pairs, MEMORY)), "pair_rate": np.zeros((pairs, 3)), "pair_out": np.zeros((pairs, 12)),
        "near_found": np.zeros(len(t.members) + 1, np.int64), "kept_key": np.zeros(slots, np.int64),
        "kept_mode": np.zeros(slots, np.int64), "kept_memory": np.zeros((slots, MEMORY)),
    }  # fmt: skip
    out["pairs"][: len(t.pairs)] = t.pairs
    return out


def is_augmented(t: Tables) -> bool:
    """Whether loads of contacts are to be found by a solver."""
    return bool((t.contacts["law"] == AUGMENTED).any())


def has_momentum(t: Tables) -> bool:
    """Whether a contact is by momentum."""
    return bool((t.contacts["law"] == MOMENTUM).any())


def rigid_scratch(t: Tables) -> dict[str, np.ndarray]:
    """Of contacts by momentum, all of whose pairs may be closed at once."""
    m = int((t.contacts["law"][t.pairs["contact"]] == MOMENTUM).sum()) if has_momentum(t) else 0
    n, nq, nv, pairs = 3 * m, position_size(t) if m else 0, velocity_size(t) if m else 0, len(t.pairs)
    sizes: dict[str, Any] = {
        "scale": 6, "axes": (m, 9), "W": (n, nv), "H": (n, nv), "L": (n, len(t.rows)), "D": (n, n), "own": n,
        "A": n * n, "speed": n, "bias": n, "b": n, "x": n, "w": n, "r": n, "a": nv, "q": nq, "v": nv,
        "friction": (m, 2), "way": (m, 2), "given": m, "impulse": pairs,
    }  # fmt: skip
    whole = {"closed": 1, "count": 1, "pair": m, "at": n, "kind": m, "status": m, "before": (pairs, 2)}
    found = {f"rigid_{name}": np.zeros(shape) for name, shape in sizes.items()}
    found |= {f"rigid_{name}": np.zeros(shape, np.int64) for name, shape in whole.items()}
    return found | {"rigid_pivot": np.zeros(n, np.uintp)}


def cell_scalars(t: Tables) -> int:
    """Of all cells together."""
    return int(t.forms["scalars"][t.cells["form"]].sum()) if len(t.cells) else 0


def cell_scratch(t: Tables) -> dict[str, np.ndarray]:
    """Large enough for any cell of the model."""
    given = int((t.forms["corners"] * (1 + t.forms["carried"])).max(initial=0))
    vectors, scalars = (int(t.forms[name].max(initial=0)) for name in ("vectors", "scalars"))
    size = 6 * int(t.forms["corners"].max(initial=0))
    shapes: dict[str, int | tuple[int, ...]] = {
        "cell_z": (given, 4), "cell_z_rate": (given, 4), "cell_force": (given, 4), "cell_H": (given, given),
        "cell_y": (vectors, 4), "cell_y_rate": (vectors, 4), "cell_f": (vectors, 4),
        "cell_s": scalars, "cell_s_rate": scalars, "cell_stress": scalars, "cell_damping": scalars,
        "cell_rows": scalars * size, "cell_rows_rate": scalars * size, "cell_stiff": scalars * size,
        "cell_K": size * size, "cell_C": scalars * scalars, "point_strain": 6, "point_stress": 6,
        "point_stiffness": (6, 6), "point_rows": (6, scalars), "cell_lanes": (5 * scalars, 9, 4),
    }  # fmt: skip
    return {name: np.zeros(shape) for name, shape in shapes.items()}


def position_size(t: Tables) -> int:
    """Numbers in q: 3 per point, 7 per frame (moving frames too)."""
    kind = t.nodes["kind"]
    return int(np.where(kind == GROUND, 0, np.where(kind == POINT, 3, 7)).sum())


def velocity_size(t: Tables) -> int:
    """Numbers in v: 3 per point, 6 per frame (moving frames too)."""
    kind = t.nodes["kind"]
    return int(np.where(kind == GROUND, 0, np.where(kind == POINT, 3, 6)).sum())
