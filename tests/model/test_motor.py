"""A motor with a gear runs up an inertia as its closed form says."""

import numpy as np
import pytest

import tapespring as ts

J, STALL, NO_LOAD, GEAR, EFFICIENCY = 0.4, 0.02, 300.0, 50.0, 0.8
TAU = J * NO_LOAD / (GEAR**2 * EFFICIENCY * STALL)


def run_up(**fields):
    m = ts.Model("motor")
    m.rigid("boom", mass=1.0, inertia=(J, J, J))
    m.revolute("hinge", "ground", "boom", at=(0, 0, 0), axis="z")
    m.motor("motor", joint="hinge", stall=STALL, no_load=NO_LOAD, gear=GEAR, efficiency=EFFICIENCY, **fields)
    return m.simulate("5 s", outputs=50)


def test_speed_approaches_that_without_load():
    r = run_up()
    wanted = NO_LOAD / GEAR * (1.0 - np.exp(-r.time / TAU))
    assert r["hinge.angle.rate"].values == pytest.approx(wanted, abs=1e-7)
    assert r["motor.force"].values[0] == pytest.approx(GEAR * EFFICIENCY * STALL, rel=1e-12)


def test_half_the_supply_backwards():
    r = run_up(supply="-0.5*min(t/1e-6, 1)")
    assert r["hinge.angle.rate"].final == pytest.approx(-0.5 * NO_LOAD / GEAR * (1.0 - np.exp(-5.0 / TAU)), rel=1e-5)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"stall": "-1 N m"}, "greater than zero"),
        ({"no_load": "5 m/s"}, "angular rate is wanted"),
        ({"supply": "sin(x)"}, "'x'"),
        ({"efficiency": 1.2}, "at most 1"),
    ],
)
def test_what_is_refused(fields, words):
    m = ts.Model("motor")
    m.rigid("boom", mass=1.0, inertia=(J, J, J))
    m.revolute("hinge", "ground", "boom", at=(0, 0, 0), axis="z")
    given = {"joint": "hinge", "stall": "20 mN m", "no_load": "3000 rpm"} | fields
    with pytest.raises(ts.ModelError, match=words):
        checked(m, given)


def checked(m, given):
    m.motor("motor", **given)
    m.check("1 s")
