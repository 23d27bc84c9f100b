"""One verdict: summary, page, notebook, JSON, results file, Python and exit code say the same of a run."""

import json
import re

import pytest

import tapespring as ts
from tapespring import Results

SENTENCES = {
    "good": "Nothing was found that speaks against these numbers.",
    "fair": "Usable with care:",
    "bad": "Do not trust these numbers:",
}
PAGE = {"good": "nothing speaks against it", "fair": "usable with care", "bad": "do not trust"}
CRANK = """
name: Crank
bodies: {{crank: {{kind: rigid, at: [0.1 m, 0, 0], mass: 1 kg, inertia: [0.001, 0.002, 0.002]}}}}
joints: {{hinge: {{kind: revolute, between: [ground, crank], at: [0, 0, 0], axis: z}}}}
drives: {{motor: {{kind: motion, joint: hinge, value: '{value}'}}}}
simulate: {{duration: 1 s, outputs: 20}}
"""
BOUNCING = """
name: Stiff spring
gravity: [0, 0, -9.81 m/s^2]
bodies: {{bob: {{kind: point_mass, mass: 1 kg, at: [1, 0, 0]}}}}
forces: {{rod: {{kind: spring, between: [ground, bob], stiffness: 1e4 N/m, free_length: 0.99 m}}}}
simulate: {{duration: {duration}, solver: implicit, step: {step}, dissipation: {dissipation}}}
"""
MODELS = {
    "smooth drive": (CRANK.format(value="0.3*sin(3*t)"), "good"),
    "drive whose place jumps": (CRANK.format(value="if(t>0.5, 0.3, 0)"), "bad"),
    "drive whose velocity jumps": (CRANK.format(value="abs(t - 0.5)"), "bad"),
    "steps that damp a little": (BOUNCING.format(step="10 ms", dissipation=0.5, duration="5 s"), "fair"),
    "steps that damp all": (BOUNCING.format(step="0.1 s", dissipation=0, duration="5 s"), "bad"),
}


@pytest.mark.parametrize("name", MODELS)
def test_all_say_the_same(name, folder, tapespring):
    text, level = MODELS[name]
    (folder / "model.yaml").write_text(text)
    done = tapespring("run", "model.yaml", "--json", "--report", "page.html")
    told, page = json.loads(done.stdout), (folder / "page.html").read_text()
    saved = Results.load(folder / "out" / "model.nc")
    assert saved.verdict.level == level, saved.summary()
    assert told["verdict"] == saved.verdict.to_plain()
    assert saved.verdict.sentence.startswith(SENTENCES[level])
    assert re.search(rf"<a class='verdict {level}'[^>]*>.*?{PAGE[level]}", page)
    assert re.search(rf"<h2 class='{level}'>", page)
    assert f"  verdict     {saved.verdict.sentence}" in saved.summary().splitlines()
    assert saved._repr_html_().count(SENTENCES[level]) == 2  # its own and the summary's
    assert done.exit_code == (4 if level == "bad" else 0)
    assert tapespring("run", "model.yaml", "--quiet").exit_code == done.exit_code
    for good in ("excellent", "Nothing was found"):
        assert good not in (saved.summary() if level != "good" else "")


def test_a_run_that_did_not_complete_keeps_its_own_code(folder, tapespring):
    text = CRANK.format(value="if(t>0.5, t - 0.5, 0)").replace("simulate: {", "simulate: {solver: stiff, ")
    (folder / "model.yaml").write_text(text)
    done = tapespring("run", "model.yaml")
    assert done.exit_code == 1
    assert "look at completion, energy balance and motion of 'motor'" in done.stdout  # its first state moves


def test_help_tells_the_codes(tapespring):
    assert "4 it ran, but" in " ".join(tapespring("--help").output.replace("│", " ").split())


def crank(**simulate):
    model = ts.Model(name="Crank")
    body = model.rigid("crank", at=(0.1, 0, 0), mass=1.0, inertia=(0.001, 0.002, 0.002))
    model.revolute("hinge", model.ground, body, at=(0, 0, 0), axis="z")
    return model


def doubts(results):
    return {doubt.title: doubt for doubt in results.verdict.doubts if doubt.level == "bad"}


def step_function(t):
    return 0.2 if t > 0.3 else 0.1


def kinked(t):
    return abs(t - 0.3)


DRIVES = {
    "formula": "if(t>0.3, 0.2, 0.1)",
    "formula that bends": "max(t, 0.3)",
    "Python function": step_function,
    "Python function that bends": kinked,
    "one of many": "0.01*sin(200*t) + 1e-3*sign(t - 0.3)",
}


@pytest.mark.parametrize("name", DRIVES)
def test_every_prescribed_motion_that_jumps_is_found_and_named_with_its_time(name):
    model = crank()
    model.motion("motor", joint="hinge", value=DRIVES[name])
    found = doubts(model.simulate("1 s", solver="conserving", step="2 ms"))
    assert "at t = 0.3 s" in found["Motion of 'motor'"].words


SMOOTH = ["0.3*sin(300*t)", "step((t - 0.3)/0.001)", "(t - 0.3)*abs(t - 0.3)", "exp(-((t-0.5)/0.001)^2)", "t^2"]


@pytest.mark.parametrize("value", [*SMOOTH, lambda t: t * t * t])
def test_motions_that_are_smooth_are_not_blamed(value):
    model = crank()
    model.motion("motor", joint="hinge", value=value)
    assert "Motion of 'motor'" not in doubts(model.simulate("1 s", solver="conserving", step="2 ms"))


@pytest.mark.parametrize(
    ("field", "value", "bad"),
    [
        ("position", ["if(t>0.3, 0.1, 0)", 0, 0], True),
        ("position", ["abs(t - 0.3)", 0, 0], True),
        ("velocity", ["if(t>0.3, 0.1, 0)", 0, 0], True),
        ("velocity", ["abs(t - 0.3)", 0, 0], False),
        ("angular_velocity", [0, "if(t>0.3, 0.1, 0)", 0], True),
        ("attitude", {"axis": "z", "angle": "if(t>0.3, 0.1, 0)"}, True),
    ],
)
def test_moving_frames_that_jump_are_found(field, value, bad):
    model = ts.Model(name="Shaken")
    model.moving_frame("shaker", **{field: value})
    model.point_mass("bob", mass=1.0, at=(0, 0, 1))
    assert ("Motion of 'shaker'" in doubts(model.simulate("1 s", solver="ode"))) == bad


def test_where_nothing_has_a_velocity_only_places_that_jump_matter():
    for value, bad in (("if(t>0.3, 0.2, 0.1)", True), ("abs(t - 0.3)", False)):
        model = crank()
        model.motion("motor", joint="hinge", value=value)
        assert bool(doubts(model.simulate("1 s", solver="quasi-static"))) == bad


def test_a_stage_that_begins_elsewhere_is_not_to_be_trusted():
    for value, bad in (("0.5", True), ("0", False)):
        model = crank()
        model.motion("motor", joint="hinge", value=value)
        model.motion("still", joint="hinge", value="0")
        stages = [{"duration": "0.2 s", "without": ["motor"]}, {"duration": "0.2 s", "without": ["still"]}]
        assert ("Start of a stage" in doubts(model.simulate(stages=stages))) == bad


def test_samples_that_are_not_to_be_trusted_fail(tmp_path):
    model = crank()
    model.motion("motor", joint="hinge", value="if(t>0.5, 0.3, 0)")
    (tmp_path / "crank.yaml").write_text(model.to_yaml())
    (tmp_path / "study.yaml").write_text(
        "model: crank.yaml\nsimulate: {duration: 1 s, solver: ode}\nsampling: {kind: grid}\n"
        "parameters: {mass: {path: bodies.crank.mass, values: [1 kg, 2 kg]}}\n"
        "responses: {angle: {channel: hinge.angle, take: final}}\n"
    )
    found = ts.study(tmp_path / "study.yaml")
    assert all("Do not trust these numbers" in reason for reason in found.failures)
    assert sum(found.failures.values()) == 2
