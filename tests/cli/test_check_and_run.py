"""`check` refuses what `run` refuses before its first step, with the same sentence, file and line."""

import re

import pytest
from test_cli_mistakes import MISTAKES

PENDULUM = """\
gravity: [0, 0, -9.81]
bodies:
  bob: {kind: point_mass, mass: 1 kg, at: [1 m, 0, 0]}
joints:
  rod: {kind: distance, between: [ground, bob]}
"""
BALL = """\
gravity: [0, 0, -9.81]
bodies:
  ball: {kind: rigid, mass: 1 kg, at: [0, 0, HEIGHT], shape: {kind: sphere, radius: 0.1}}
contacts:
  floor:
    kind: contact
    between: [{kind: sphere, on: ball, radius: 0.1}, {kind: half_space, on: ground, normal: z}]
    law: LAW
"""
SHEET = """\
bodies:
  sheet:
    kind: membrane
    mesh: {kind: plate, length: 1 m, width: 1 m, divisions: [2, 2]}
    thickness: 1 mm
    material: {young: 1 GPa, poisson: 0.3, density: 1000}
    attach: {right: ground.nonsense}
simulate: {duration: 1 ms}
"""


def ball(height="1", law="{kind: linear, stiffness: 1e5}"):
    return BALL.replace("HEIGHT", height).replace("LAW", law)


SLIDES = """\
bodies:
  arm: {kind: rigid, mass: 1 kg, inertia: [1, 1, 1]}
joints:
  hinge: {kind: revolute, between: [ground, arm], at: [0, 0, 0], axis: z, friction: {torque: 1 N m}}
simulate: {duration: 0.1 s, solver: stiff}
"""

REFUSED = {
    "unknown name in a later stage": (
        PENDULUM + "simulate: {stages: [{duration: 0.1 s}, {duration: 0.1 s, without: [nobody]}]}",
        6, "there is no joint, drive, force or event 'nobody'",
    ),
    "unknown rigid body in a later stage": (
        PENDULUM + "simulate: {stages: [{duration: 0.1 s}, {duration: 0.1 s, rigid: [nobody]}]}",
        6, "there is no body 'nobody' to make rigid",
    ),
    "no duration": (PENDULUM, 1, "simulate.duration: a simulation needs a duration, such as '10 s'"),
    "outputs after the end": (PENDULUM + "simulate: {duration: 0.1 s, outputs: [0, 3]}", 6, "extend the duration"),
    "too many outputs": (PENDULUM + "simulate: {duration: 10 s, outputs: 1 ns}", 6, "1e+10 outputs are more than"),
    "snaps of another solver": (PENDULUM + "simulate: {duration: 1 s, solver: ode, snaps: follow}", 6, "leave 'snaps'"),
    "solver without contacts": (ball() + "simulate: {duration: 1 s, solver: stiff}", 9, "stiff knows no contacts"),
    "solver without contacts in a later stage": (
        ball() + "simulate: {stages: [{duration: 1 ms}, {duration: 1 ms, solver: conserving}]}", 9, "knows no contacts",
    ),
    "solver without friction": (SLIDES, 5, "stiff knows no friction of joints"),
    "solver without momentum": (
        ball(law="{kind: momentum, restitution: 0.5}") + "simulate: {duration: 1 s, solver: implicit}",
        8, "use solver ode, or another law",
    ),
    "overlap": (ball("0.01") + "simulate: {duration: 1 s}", 6, "0.09 m within each other at the start"),
    "place that is not there": (SHEET, 7, "bodies.sheet.attach.right: body 'ground' has no marker 'nonsense'"),
    "unknown coordinate": (
        PENDULUM + "events:\n  e: {watch: nobody.z, level: 1}\nsimulate: {duration: 1 s}", 7, "unknown joint 'nobody'",
    ),
    "contact of a thing with itself": (
        re.sub(r"between: .*", "between: [ball, ball]", ball()) + "simulate: {duration: 1 s}",
        7, "'ball' (sphere) is given twice and cannot touch itself; name two surfaces",
    ),
    "channel that is no coordinate": (
        PENDULUM + "events:\n  e: {watch: energy.kinetic, level: 1}\nsimulate: {duration: 1 s}",
        7, "'energy.kinetic' is found only after a step, and cannot be watched or used here",
    ),
    "nothing moves": (
        "bodies:\n  f: {kind: moving_frame, position: [0, 0, t]}\nsimulate: {duration: 1 s}", 2, "nothing can move",
    ),
    "joints that do not close": (
        PENDULUM + "  far: {kind: distance, between: [{on: ground, at: [5, 0, 0]}, bob], length: 0.1 m}\n"
        "simulate: {duration: 1 s}",
        6, "joints.far: the joints cannot be assembled",
    ),
    "kind that is a list": ("bodies:\n  b: {kind: [rigid], mass: 1}\n", 2, "the kind is a single word"),
    "length beyond doubles": (PENDULUM.replace("bob]}", "bob], length: 1e300 m}"), 5, "'1e300 m' is larger than 1e+50"),
    "place beyond doubles": (PENDULUM.replace("1 m", "1e300"), 3, "bodies.bob.at[0]: 1e+300 is larger than"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_both_refuse_with_file_line_and_the_same_words(name, tapespring, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text, line, words = REFUSED[name]
    (tmp_path / "model.yaml").write_text(text)
    checked, run = tapespring("check", "model.yaml"), tapespring("run", "model.yaml")
    assert checked.exit_code == run.exit_code == 2
    assert said(checked) == said(run)
    assert re.search(rf"^model\.yaml:{line}: .*{re.escape(words)}", said(checked), re.M)


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_of_writing_are_told_alike(name, tapespring, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model.yaml").write_text(MISTAKES[name][0])
    assert said(tapespring("check", "model.yaml")) == said(tapespring("run", "model.yaml"))


def test_check_takes_the_settings_of_a_run(tapespring, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model.yaml").write_text(ball())
    assert tapespring("check", "model.yaml", "--duration", "1 s").exit_code == 0
    refused = tapespring("check", "model.yaml", "--duration", "1 s", "--solver", "stiff")
    assert refused.exit_code == 2
    assert "stiff knows no contacts" in refused.stderr


def said(done) -> str:
    return "\n".join(line for line in done.stderr.splitlines() if not line.startswith("compiling"))
