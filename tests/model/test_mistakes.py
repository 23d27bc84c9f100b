"""What is wrong with a model is said with its place, the words at fault and the remedy."""

import pytest

from tapespring import ModelError
from tapespring.model import Model

BODIES = """\
bodies:
  bob: {kind: point_mass, mass: 1 kg, at: [1 m, 0, 0]}
  arm: {kind: rigid, mass: 1, inertia: [1, 1, 1], at: [1, 0, 0], markers: {tip: [1, 0, 0]}}
  plate: {kind: rigid, mass: 1, inertia: [1, 1, 1], at: [2, 0, 0]}
"""
JOINTS = """\
joints:
  hinge: {kind: revolute, between: [ground, arm], at: [0, 0, 0], axis: z}
  slide: {kind: prismatic, between: [arm, plate], at: [2, 0, 0], axis: x}
"""


def complaint(text):
    with pytest.raises(ModelError) as caught:
        Model.from_text(text, allow_python=True)
    return str(caught.value)


def rigid(fields):
    return f"bodies:\n  b: {{kind: rigid, {fields}}}\n"


RIGID = {
    "mass: -1, inertia: [1, 1, 1]": "mass must be positive",
    "mass: 0, inertia: [1, 1, 1]": "mass must be positive",
    "mass: .nan, inertia: [1, 1, 1]": "not a finite number",
    "inertia: [1, 1, 1]": "massless body",
    "mass: 1": "needs 'inertia'",
    "mass: 1, inertia: [1, 1, 3]": "3 is larger than 1 + 1 = 2",
    "mass: 1, inertia: [1, 1, 0]": "give a small value",
    "mass: 1, inertia: [1, 1, -1]": "not all positive",
    "mass: 1, inertia: [1, 1, 1, 2, 0, 0]": "principal moments of inertia -1, 1, 3",
    "mass: 1, inertia: [1, 1]": "is not an inertia",
    "mass: 1, inertia: [[1, 0, 0], [0.5, 1, 0], [0, 0, 1]]": "not symmetric",
    "mass: 1, density: 1, shape: {kind: sphere, radius: 1}": "both 'mass' and 'density'",
    "density: 1": "needs a 'shape'",
    "mass: 1, inertia: [1, 1, 1], shape: {kind: sphere, radius: 1}": "both 'inertia' and 'shape'",
    "mass: 1, shape: {kind: spher, radius: 1}": "did you mean 'sphere'?",
    "mass: 1, shape: {kind: tube, outer_radius: 1, inner_radius: 2, length: 1}": "inner_radius 2 m must be below",
    "mass: 1, shape: {kind: sphere, radius: -1}": "must be positive",
    "mass: 1, inertia: [1, 1, 1], colour: red": "unknown field",
    "mass: 1, inertia: [1, 1, 1], name: c": "remove this",
    "mass: 1, inertia: [1, 1, 1], markers: {a.b: [0, 0, 0]}": "cannot be a name",
}


@pytest.mark.parametrize("fields", RIGID)
def test_rigid(fields):
    text = complaint(rigid(fields))
    assert RIGID[fields] in text
    assert text.startswith("line 2: bodies.b")


BODY = {
    "ground: {kind: point_mass, mass: 1}": "name of the fixed frame",
    "a b: {kind: point_mass, mass: 1}": "for example 'a_b'",
    "b: {kind: point_mass}": "needs 'mass'",
    "b: 5": "kind: ",
    "b: {mass: 1}": "needs 'kind'",
    "b: {kind: point_mas, mass: 1}": "did you mean 'point_mass'?",
    "f: {kind: moving_frame}": "does not move",
    "f: {kind: moving_frame, position: [t, 0, 0], velocity: [1, 0, 0]}": "exclude each other",
    "f: {kind: moving_frame, attitude: {euler: [t, 0, 0], order: zzx}}": "zzx",
    "f: {kind: moving_frame, attitude: {axis: z, angl: t}}": "did you mean 'angle'?",
    "f: {kind: moving_frame, position: [x, 0, 0]}": "unknown name 'x'",
}


@pytest.mark.parametrize("entry", BODY)
def test_body(entry):
    assert BODY[entry] in complaint(f"bodies:\n  {entry}\n")


JOINT = {
    "{kind: distance, between: [ground, bop]}": "unknown body 'bop'; did you mean 'bob'?",
    "{kind: distance, between: [ground, {on: bop}]}": "unknown body 'bop'; did you mean 'bob'?",
    "{kind: distance, between: [ground, arm.tpi]}": "did you mean 'tip'?",
    "{kind: distance, between: [ground, plate.tip]}": "it has none",
    "{kind: distance, between: [ground, hinge]}": "stands under 'joints', but a body is wanted",
    "{kind: distance, between: [ground, bob], length: 0}": "zero-length rod",
    "{kind: distance, between: [{on: ground, at: [1, 0, 0]}, bob]}": "use a spherical joint",
    "{kind: distance, between: [ground]}": "between",
    "{kind: distance, between: [ground, a.b.c]}": "'body.marker'",
    "{kind: revolute, between: [arm, arm.tip], axis: z}": "both sides are on 'arm'",
    "{kind: revolute, between: [ground, {on: ground, at: [1, 0, 0]}]}": "both sides are ground",
    "{kind: revolute, between: [ground, arm], axis: [0, 0, 0]}": "axis has zero length",
    "{kind: revolute, between: [ground, bob], axis: z}": "is a point mass and has no axes",
    "{kind: spherical, between: [ground, bob], at: [0, 0, 0]}": "1 m from the point mass",
    "{kind: spherical, between: [ground, {on: bob, at: [1, 0, 0]}]}": "has no other points",
    "{kind: point_on_line, between: [bob, arm]}": "swap the sides",
    "{kind: universal, between: [ground, arm], axis: z, axis2: z}": "are parallel",
    "{kind: revolut, between: [ground, arm]}": "did you mean 'revolute'?",
    "{kind: load, on: arm, force: [1, 0, 0]}": "it belongs under 'forces'",
    "{kind: revolute, between: [ground, arm], at: [1 kg, 0, 0]}": "but a length is wanted",
    "{kind: revolute, between: [ground, arm], initial: {angle: 1 m}}": "but an angle is wanted",
    "{kind: coupler, joints: [hinge, slid], ratio: 2}": "unknown joint 'slid'; did you mean 'slide'?",
    "{kind: coupler, joints: [hinge, slide]}": "needs 'ratio'",
    "{kind: coupler, joints: [hinge, slide], ratio: 2 1/m}": "but a length is wanted",
    "{kind: coupler, joints: [hinge, hinge], ratio: 2}": "with itself",
    "{kind: coupler, terms: {hinge: 1}}": "at least two",
}


@pytest.mark.parametrize("entry", JOINT)
def test_joint(entry):
    text = complaint(f"{BODIES}{JOINTS}  new: {entry}\n")
    assert JOINT[entry] in text
    assert text.startswith("line 8: joints.new")


def test_two_prescribed_sides_are_refused():
    text = complaint(
        "bodies:\n  f: {kind: moving_frame, position: [t, 0, 0]}\n"
        "joints:\n  j: {kind: spherical, between: [ground, f]}\n"
    )
    assert "can move freely" in text


DRIVE = {
    "{joint: hinge, value: 1 m}": "but an angle is wanted",
    "{joint: slide, rate: 1 rad/s}": "but a speed is wanted",
    "{joint: hinge, value: t, rate: 1}": "give either 'value'",
    "{joint: hinge, rate: sin(t)}": "'value' instead",
    "{joint: hinge, rate: {python: 'math:sin'}}": "'value' instead",
    "{joint: hinge, value: sni(t)}": "did you mean 'sin'?",
    "{joint: hinge, value: 1 kg}": "but an angle or a length is wanted here",
    "{joint: hinge.position, value: t}": "it has angle",
    "{joint: arm, value: t}": "stands under 'bodies'",
    "{joint: hing, value: t}": "did you mean 'hinge'?",
}


@pytest.mark.parametrize("entry", DRIVE)
def test_drive(entry):
    text = complaint(f"{BODIES}{JOINTS}drives:\n  d: {entry}\n")
    assert DRIVE[entry] in text
    assert text.startswith("line 9: drives.d")


def test_two_drives_of_one_coordinate():
    assert "driven by 'd' already" in complaint(
        f"{BODIES}{JOINTS}drives:\n  d: {{joint: hinge, value: t}}\n  e: {{joint: hinge, value: t}}\n"
    )


def test_joint_with_several_or_no_coordinates():
    more = "  shaft: {kind: cylindrical, between: [ground, plate], axis: x}\n"
    more += "  ball: {kind: spherical, between: [ground, bob]}\n"
    text = complaint(
        f"{BODIES}{JOINTS}{more}drives:\n  d: {{joint: shaft, value: t}}\n  e: {{joint: ball, value: t}}\n"
    )
    assert "write shaft.angle or shaft.position" in text
    assert "(spherical) has no coordinate" in text


FORCE = {
    "{kind: load, on: bob, torque: [0, 0, 1]}": "which a torque cannot turn",
    "{kind: load, on: bob, force: [0, 0, 1], axes: body}": "axes: world",
    "{kind: load, on: ground, force: [0, 0, 1]}": "moves nothing",
    "{kind: load, on: arm}": "needs 'force'",
    "{kind: load, on: arm, force: [1 kg, 0, 0]}": "but a force is wanted",
    "{kind: load, on: arm, force: [{csv: missing.csv}, 0, 0]}": "no file 'missing.csv'",
    "{kind: spring, between: [bob, arm], stiffness: 1 kN/m}": "zero length",
    "{kind: spring, between: [bob, plate]}": "needs 'stiffness'",
    "{kind: spring, between: [bob, plate], stiffness: 3 N}": "but a stiffness is wanted",
    "{kind: spring, between: [bob, plate], stiffness: {python: 'nomod:f'}}": "no module 'nomod'",
    "{kind: spring, between: [bob, plate], stiffness: {python: 'math:atan2'}}": "math:atan2",
    "{kind: torsion_spring, joint: slide, stiffness: 1}": "is a length, not an angle",
    "{kind: torsion_spring, between: [ground, arm], stiffness: 1}": "needs 'axis'",
    "{kind: torsion_spring, stiffness: 1}": "give either 'joint'",
    "{kind: joint_torque, joint: slide, value: 1 N m}": "but a force is wanted",
    "{kind: bushing, between: [arm, plate], stiffness: [1, 1, 1, 1, 1, -1]}": "not positive semidefinite",
    "{kind: bushing, between: [arm, plate], stiffness: [1, 1, 1]}": "6 numbers",
    "{kind: bushing, between: [bob, plate], stiffness: [1, 1, 1, 1, 1, 1]}": "without axes",
}


@pytest.mark.parametrize("entry", FORCE)
def test_force(entry):
    text = complaint(f"{BODIES}{JOINTS}forces:\n  f: {entry}\n")
    assert FORCE[entry] in text
    assert text.startswith("line 9: forces.f")


EVENT = {
    "{watch: hinge.angle, level: 1 m}": "but an angle is wanted",
    "{watch: hinge.angl}": "did you mean 'angle'?",
    "{watch: bob.positon.z}": "'bob.position.z'",
    "{watch: bop.position.z}": "did you mean 'bob'?",
    "{watch: arm.tip.velocity.x, direction: up}": "choose among rising, falling, both",
}


@pytest.mark.parametrize("entry", EVENT)
def test_event(entry):
    assert EVENT[entry] in complaint(f"{BODIES}{JOINTS}events:\n  e: {entry}\n")


TOP = {
    "joint:\n  h: {kind: revolute}\n": "did you mean 'joints'?",
    "h: {kind: revolute}\n": "belongs under 'joints:'",
    "gravity: [0, 0]\n": "has 2 components",
    "gravity: [0, 0, -9.81 m]\n": "but an acceleration is wanted",
    "joints: [1, 2]\n": "names with their entries",
    "simulate: {duration: -1}\n": "time must be positive",
    "simulate: {solver: odee}\n": "did you mean 'ode'?",
    "simulate: {outputs: [1, 0]}\n": "must increase",
    "simulate: {duraton: 1}\n": "did you mean 'duration'?",
}


@pytest.mark.parametrize("entry", TOP)
def test_top_level(entry):
    assert TOP[entry] in complaint(BODIES + entry)


def test_a_name_given_twice_is_told_with_both_places():
    text = complaint(f"{BODIES}joints:\n  bob: {{kind: distance, between: [ground, arm]}}\n")
    assert "line 6: joints.bob: the name 'bob' is given twice" in text
    assert "(line 2 and line 6)" in text


def test_everything_wrong_is_told_in_one_go(tmp_path):
    file = tmp_path / "bad.yaml"
    file.write_text(
        "bodies:\n"
        "  bob: {kind: point_mass, mass: -1 kg}\n"
        "  arm: {kind: rigid, mass: 1, inertia: [1, 1, 1]}\n"
        "joints:\n"
        "  rod: {kind: distance, between: [ground, bob]}\n"
        "  pin: {kind: revolute, between: [ground, amr]}\n"
        "drives:\n"
        "  motor: {joint: pin, value: t}\n"
        "simulate: {solver: fast}\n"
    )
    with pytest.raises(ModelError) as caught:
        Model.load(file)
    lines = str(caught.value).splitlines()
    assert [line.split(": ")[0] for line in lines] == [f"{file}:2", f"{file}:6", f"{file}:9"]
    assert "did you mean 'arm'?" in lines[1]  # the rod and the motor lean on refused parts and are not blamed
