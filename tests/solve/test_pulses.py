"""Pulses are never stepped over: impulses of random pulses, in every solver, against the area under them."""

from math import erf, pi, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tapespring as ts
from tapespring.kinds.laws.sampling import spread
from tapespring.reruns.batch import Batch
from tapespring.reruns.recipes import NoRecipe
from tapespring.reruns.runs import Reruns
from tapespring.results.trust import doubtful_channels

SOLVERS = {
    "auto": {}, "ode": {}, "baumgarte": {}, "stiff": {}, "implicit": {"tolerance": 1e-8}, "conserving": {"step": 0.02},
    "explicit": {"step": 0.02},
}  # fmt: skip
# of lower order, or without control of the error of velocities; a pulse that is missed is off by 1
NEAR = {"implicit": 1e-4, "stiff": 1e-6, "conserving": 1e-4, "explicit": 1e-4}


def particle(force) -> ts.Model:
    model = ts.Model()
    model.load("f", model.point_mass("m", mass=1), force=(force, 0, 0))
    return model


def speed(force, solver, **given) -> float:
    results = particle(force).simulate("10 s", solver=solver, outputs=4, **{**SOLVERS[solver], **given})
    assert results.status.complete, results.status.message
    return float(results["m.velocity.x"].values[-1])


def rectangle(begin: float, width: float) -> tuple[str, float]:
    return f"if(t > {begin!r}, if(t < {begin + width!r}, {1.0 / width!r}, 0), 0)", 1.0


def triangle(begin: float, width: float) -> tuple[str, float]:
    middle = begin + 0.5 * width
    return f"max(0, 1 - abs(t - {middle!r})/{0.5 * width!r})*{2.0 / width!r}", 1.0


def bell(begin: float, width: float) -> tuple[str, float]:
    s = width / 6.0
    area = 0.5 * (erf((10.0 - begin - 3 * s) / s) - erf((-begin - 3 * s) / s))
    return f"exp(-((t - {begin + 3.0 * s!r})/{s!r})^2)*{1.0 / (s * sqrt(pi))!r}", area


def smooth_steps(begin: float, width: float) -> tuple[str, float]:
    edge = 0.25 * width
    up, down = f"step((t - {begin!r})/{edge!r})", f"step((t - {begin + width - edge!r})/{edge!r})"
    return f"({up} - {down})*{1.0 / (width - edge)!r}", 1.0


def table(begin: float, width: float) -> tuple[dict, float]:
    inside = [[begin, 0], [begin + 0.5 * width, 2.0 / width], [begin + width, 0]]
    return {"table": [[0, 0], *inside, [10, 0]]}, 1.0


SHAPES = [rectangle, triangle, bell, smooth_steps, table]


@pytest.mark.parametrize("solver", list(SOLVERS))
@settings(deadline=None, max_examples=15)
@given(st.sampled_from(SHAPES), st.floats(0.001, 9.0), st.floats(-4.0, -0.1))
def test_impulse_of_a_pulse(solver, shape, begin, exponent):
    force, impulse = shape(begin, 10.0**exponent)
    assert speed(force, solver) == pytest.approx(impulse, abs=NEAR.get(solver, 1e-7))


@pytest.mark.parametrize("solver", ["ode", "stiff", "conserving"])
def test_pulses_of_the_users(solver):
    assert speed("if(t>7.3, if(t<7.8, 2, 0), 0)", solver) == pytest.approx(1.0, abs=1e-9)
    assert speed("exp(-((t-7.3)/1e-3)^2)", solver) == pytest.approx(1e-3 * sqrt(pi), rel=1e-6)


@pytest.mark.parametrize("solver", ["ode", "implicit", "explicit"])
def test_python_function_with_a_pulse(solver):
    def pulse(t):
        return 2.0 if 7.3 < t < 7.31 else 0.0

    def bump(t):
        return float(np.exp(-(((t - 7.3) / 1e-2) ** 2)))

    assert speed(pulse, solver) == pytest.approx(0.02, abs=1e-6)
    assert speed(bump, solver) == pytest.approx(1e-2 * sqrt(pi), abs=1e-6)


def test_to_what_width_a_python_function_was_looked_at():
    notes = particle(lambda t: 1.0).simulate("10 s", function_samples=2000).notes
    assert any("known by samples: pulses shorter than 0.005 s may be missed" in note for note in notes)


def test_refining_looks_elsewhere():
    """A pulse that the samples of the first run miss is found by those of the finer one, and is no green result."""
    seen, later = spread(10.0, 100), spread(10.0, 301)
    apart = np.abs(later[:, None] - np.append(seen, np.linspace(0, 10, 65))).min(axis=1)
    place = float(later[np.argmax(apart)])

    def pulse(t):
        return 1e3 if abs(t - place) < 1e-3 else 0.0

    results = particle(pulse).simulate("10 s", function_samples=100, outputs=4, refine=True)
    assert results["m.velocity.x"].values[-1] == 0.0
    assert results.errors["m.velocity"]["of_largest"] == pytest.approx(2.0, rel=1e-6)
    assert doubtful_channels(results)[0][1] > 0.1


@pytest.mark.parametrize("solver", ["ode", "stiff", "conserving", "implicit", "explicit"])
def test_pulse_of_a_force_that_knows_coordinate_and_rate(solver):
    """Along a rail-less spring: t decides, x and v are there; by a formula, a table and a function."""
    for force in (
        "if(t > 7.3, if(t < 7.4, -1 - 0*x*v, 0), 0)",
        {"table": [[0, 0], [7.3, 0], [7.35, -2], [7.4, 0], [10, 0]]},
        lambda t, x, v: -1.0 - 0.0 * x if 7.3 < t < 7.4 else 0.0,
    ):
        model = ts.Model()
        model.spring("push", model.ground, model.point_mass("m", mass=1, at=(1, 0, 0)), force=force)
        results = model.simulate("10 s", solver=solver, outputs=4, **SOLVERS[solver])
        assert results["m.velocity.x"].values[-1] == pytest.approx(0.1, rel=1e-5)


@pytest.mark.parametrize("solver", ["ode", "stiff", "conserving", "implicit", "explicit"])
def test_moving_frame_with_a_pulse_of_speed(solver):
    """A mass on a soft spring, whose base is shifted by 1 in 10 ms at 7.3 s: hardly moved at the end of the pulse, then
    it swings about its new place; x = 1 - cos(w (t - 7.3 - 0.005)) but for (w 0.01)²."""
    model = ts.Model()
    base = model.moving_frame("base", velocity=("if(t > 7.3, if(t < 7.31, 100, 0), 0)", 0, 0))
    mass = model.point_mass("m", mass=1, at=(3, 0, 0))
    model.spring("coil", base, mass, stiffness=1, free_length=3)
    results = model.simulate("10 s", solver=solver, outputs=4, **SOLVERS[solver])
    assert results["base.position.x"].values[-1] == pytest.approx(1.0, abs=1e-6)
    assert results["m.position.x"].values[-1] - 3 == pytest.approx(1 - np.cos(2.695), abs=2e-4)


def test_stages_know_the_time_of_the_run():
    """Time goes on over stages: half of the pulse lies in each."""
    stages = [{"name": solver, "duration": "5 s", "solver": solver} for solver in ("ode", "stiff")]
    results = particle("if(t > 4.9, if(t < 5.1, 10, 0), 0)").simulate(stages=stages, outputs=4)
    assert results["m.velocity.x"].values[-1] == pytest.approx(2.0, abs=1e-7)
    assert results["m.velocity.x"].at(5.0) == pytest.approx(1.0, abs=1e-7)


def test_restart_within_a_pulse(tmp_path):
    model = particle("if(t > 4.9, if(t < 5.1, 10, 0), 0)")
    first = model.simulate("5 s", outputs=4)
    rest = model.simulate("10 s", outputs=4, restart=first)
    assert rest["m.velocity.x"].values[-1] == pytest.approx(2.0, abs=1e-7)


def timed(model) -> ts.Model:
    model.settings = model.settings.changed(duration=10.0, outputs=4, solver="ode")
    return model


def test_corners_move_with_the_numbers_of_a_rerun():
    """A table whose points move: the same impulse wherever they are, from one run to the next."""
    reruns = Reruns()
    for begin in (2.0, 7.123, 4.5):
        model = timed(particle(table(begin, 0.01)[0]))
        (found,) = reruns.channels(model, model.settings.stage_list()[0], [0.0, 10.0], ["m.velocity.x"])
        assert found[-1] == pytest.approx(1.0, abs=1e-7)


def test_batches_leave_laws_whose_corners_move_to_others():
    model = timed(particle(table(5.0, 0.01)[0]))
    path = "forces.f.force.0.table.y.2"
    stage = model.settings.stage_list()[0]
    with pytest.raises(NoRecipe, match="where steps have to end"):
        Batch(model, [path], stage, np.array([100.0]), np.array([300.0]), ["m.velocity.x"])
    batch = Batch(model, ["bodies.m.mass"], stage, np.array([1.0]), np.array([3.0]), ["m.velocity.x"])
    block = batch.run(np.array([[1.0], [2.0], [2.9]]))
    assert block.channels["m.velocity.x"][:, -1] == pytest.approx([1.0, 0.5, 1.0 / 2.9], rel=1e-7)


@pytest.mark.parametrize("solver", ["implicit", "explicit"])
def test_pulse_on_a_beam(solver):
    """A free beam keeps the impulse of a pulse of 2 ms."""
    model = ts.Model()
    section, material = {"kind": "circle", "radius": 0.01}, {"young": 7e10, "poisson": 0.3, "density": 2700}
    model.beam("b", path=[[0, 0, 0], [1, 0, 0]], section=section, material=material, elements=4)
    model.load("f", "b.end", force=(0, 0, "if(t > 0.3, if(t < 0.302, 500, 0), 0)"))
    results = model.simulate("0.5 s", solver=solver, outputs=10)
    assert results["system.momentum.z"].values[-1] == pytest.approx(1.0, rel=1e-6)
