"""Surfaces that meet and part within one step: found and resolved, or said to have passed through each other."""

import numpy as np
import pytest

import tapespring as ts
from tapespring.schema.problems import ModelError

RADIUS, THICK, SPEED = 5e-4, 1e-4, 1e5
HEIGHT = 1.0125  # steps of 0.3 and of 0.25 us end well before the plate and well behind it
PLATE = {"kind": "box", "on": "ground", "size": (1, 1, THICK)}


def bullet(law=None, **settings):
    """1 mm across, towards a plate of a tenth of that; a natural step is thousands of times longer than both."""
    model = ts.Model(name="bullet", gravity=(0, 0, 0))
    shape = {"kind": "sphere", "radius": RADIUS}
    model.rigid("ball", at=(0.1, 0, HEIGHT), mass=1e-3, shape=shape, velocity=(0, 0, -SPEED))
    model.contact("plate", between=[PLATE, "ball"], **({"law": law} if law else {}))
    return model.simulate("25 us", outputs=20, **settings)


def level(run):
    return run.verdict.level


@pytest.mark.parametrize("solver", ["ode", "implicit"])
def test_solvers_that_choose_their_steps_see_it(solver):
    """The law that is taken where none is given loses nothing."""
    run = bullet(solver=solver)
    assert run.status.complete
    assert run.contacts["plate"]["touches"] == 1
    assert run.contacts["plate"]["passed"] == 0
    assert run["ball.velocity.z"].final == pytest.approx(SPEED, rel=0.01)


def test_impact_by_momentum_is_at_its_instant():
    run = bullet({"kind": "momentum", "restitution": 0.5}, solver="ode")
    assert run.events[0].time == pytest.approx((HEIGHT - RADIUS - THICK / 2) / SPEED, rel=1e-12)
    assert run["ball.velocity.z"].final == pytest.approx(0.5 * SPEED, rel=1e-12)


@pytest.mark.parametrize("solver", ["implicit", "explicit"])
def test_a_step_that_is_told_and_too_long_is_not_trusted(solver):
    run = bullet({"kind": "linear", "stiffness": 1e6}, solver=solver, step="0.3 us")
    assert run["ball.velocity.z"].final == pytest.approx(-SPEED, rel=1e-12)
    assert run.contacts["plate"]["touches"] == 0
    assert run.contacts["plate"]["passed"] == 1
    assert level(run) == "bad"
    assert any("contact 'plate': surfaces passed through each other within a step, once" in n for n in run.notes)


@pytest.mark.parametrize("solver", ["implicit", "explicit"])
@pytest.mark.parametrize("beside", [1.5, 3.0])
def test_what_flies_past_does_not_pass_through(solver, beside):
    model = ts.Model(name="past", gravity=(0, 0, 0))
    shape = {"kind": "sphere", "radius": RADIUS}
    model.rigid("ball", at=(2 * beside * RADIUS, 0, 1.0), mass=1e-3, shape=shape, velocity=(0, 0, -SPEED))
    still = {"kind": "sphere", "on": "ground", "radius": RADIUS}
    model.contact("near", between=[still, "ball"], law={"kind": "linear", "stiffness": 1e6})
    run = model.simulate("25 us", outputs=20, solver=solver, step="0.3 us")
    assert run.contacts["near"]["passed"] == 0
    assert level(run) == "good"


def test_a_blade_that_turns_through_a_pin_is_seen():
    """Half a turn in a step would take the tip across a circle's chord, were turns taken for straight ways."""
    model = ts.Model(name="blade", gravity=(0, 0, 0))
    model.rigid("blade", at=(0, 0, 0), mass=1.0, inertia=(0.1, 0.1, 0.1))
    model.revolute("hinge", "ground", "blade", at=(0, 0, 0), axis="z", initial={"rate": 100.0})
    tip = {"kind": "sphere", "on": "blade", "at": (1.0, 0, 0), "radius": 0.01}
    pin = {"kind": "sphere", "on": "ground", "at": (0, 1.0, 0), "radius": 0.01}
    model.contact("pin", between=[pin, tip], law={"kind": "linear", "stiffness": 1e3})
    run = model.simulate("25 ms", outputs=10, solver="implicit", step="10 ms")
    assert run.contacts["pin"]["passed"] == 1
    assert level(run) == "bad"


FLOOR = {"kind": "half_space", "on": "ground", "normal": "z"}


@pytest.mark.parametrize("law", [{"kind": "momentum", "restitution": 0.5}, {"kind": "linear", "stiffness": 1e5}])
def test_many_balls_that_touch_the_floor_start(law):
    model = ts.Model(name="balls", gravity=(0, 0, -9.81), solver="ode")
    for k in range(150):
        shape = {"kind": "sphere", "radius": 0.1}
        model.rigid(f"b{k}", at=(0.3 * (k % 15), 0.3 * (k // 15), 0.1), mass=1.0, shape=shape)
        model.contact(f"c{k}", between=[FLOOR, f"b{k}"], law=law)
    run = model.simulate("15 ms", outputs=5)
    assert run.status.complete
    stiffness = law.get("stiffness")
    down = 0.0 if stiffness is None else 9.81 / stiffness * (1 - np.cos(np.sqrt(stiffness) * run.time))
    for k in range(0, 150, 7):
        assert run[f"b{k}.position.z"].values == pytest.approx(0.1 - down, abs=1e-9)


# -- what is said ----------------------------------------------------------------------------------------------------
def test_masses_too_far_apart_are_named():
    model = ts.Model(name="ratio", gravity=(0, 0, -9.81), solver="ode")
    for name, z, mass in (("low", 0.1, 1.0), ("high", 0.3, 1e9)):
        model.rigid(name, at=(0, 0, z), mass=mass, shape={"kind": "sphere", "radius": 0.1})
    law = {"kind": "momentum", "restitution": 0.5}
    model.contact("floor", between=[FLOOR, "low"], law=law)
    model.contact("stack", between=["low", "high"], law=law)
    run = model.simulate("0.2 s", outputs=10)
    said = [*run.notes, run.status.message]
    assert level(run) != "bad" or any("'high' (1e+09 kg) is 1e+09 times that of 'low' (1 kg)" in n for n in said)


@pytest.mark.parametrize("law", ["momentum", "linear"])
def test_advice_names_no_solver_that_refuses_the_law(law):
    model = ts.Model(name="ball", gravity=(0, 0, -9.81), solver="ode")
    model.rigid("ball", at=(0, 0, 1.0), mass=1.0, shape={"kind": "sphere", "radius": 0.1})
    kind = {"momentum": {"kind": "momentum", "restitution": 0.5}, "linear": {"kind": "linear", "stiffness": 1e5}}
    model.contact("floor", between=[FLOOR, "ball"], law=kind[law])
    model.load("pull", "ball", force=("1/(0.1 - t)^2", 0, 0))
    run = model.simulate("0.2 s", outputs=10)
    assert run.status.code == "step too small"
    assert ("solver: implicit" in run.status.message) == (law == "linear")


@pytest.mark.parametrize("law", [None, {"kind": "momentum", "restitution": 0.5}])
def test_a_center_of_mass_a_million_metres_away_is_refused(law):
    model = ts.Model(name="far", gravity=(0, 0, -9.81))
    model.rigid("ball", at=(0, 0, 0.1), com=(1e6, 0, 0), mass=1.0, shape={"kind": "sphere", "radius": 0.1})
    model.contact("floor", between=[FLOOR, "ball"], **({"law": law} if law else {}))
    with pytest.raises(ModelError, match=r"floor.*'ball' is 1e\+06 m from the world's origin.*'com'"):
        model.simulate("1 s")
