"""Steps of `implicit` under error control meet impacts, however coarse the tolerance and stiff the contact."""

import numpy as np
import pytest

import tapespring as ts

FLOOR = {"kind": "half_space", "on": "ground", "normal": "z"}
G = 9.81


def dropped(tolerance, stiffness, height=0.05, duration=0.15, solver="implicit", **law):
    m = ts.Model("ball", gravity=(0, 0, -G))
    m.rigid("ball", at=(0, 0, 0.1 + height), mass=1.0, shape={"kind": "sphere", "radius": 0.1})
    m.contact("floor", between=[FLOOR, "ball"], law={"kind": "linear", "stiffness": stiffness, **law})
    return m.simulate(solver=solver, duration=duration, tolerance=tolerance, outputs=5)


@pytest.mark.parametrize("tolerance", [1e-3, 1e-4])
@pytest.mark.parametrize("stiffness", [1e5, 1e7, 1e9])
def test_force_of_a_dropped_ball(stiffness, tolerance):
    """F = m g + √((m g)² + 2 m g k h), and it comes back as fast as it came."""
    r = dropped(tolerance, stiffness)
    peak = G + np.sqrt(G**2 + 2.0 * G * stiffness * 0.05)
    assert r.contacts["floor"]["strongest"] == pytest.approx(peak, rel=0.02)
    assert r.contacts["floor"]["fastest"] == pytest.approx(np.sqrt(2.0 * G * 0.05), rel=0.02)
    assert r.contacts["floor"]["restitution"] == pytest.approx(1.0, abs=0.05)


def test_restitution_is_the_one_asked_with_coarse_steps():
    r = dropped(1e-4, 1e7, restitution=0.5)
    assert r.contacts["floor"]["restitution"] == pytest.approx(0.5, abs=0.02)


def test_touch_of_a_beam_with_coarse_and_with_fine_steps():
    def tip(tolerance):
        rod = {
            "kind": "beam", "path": [[0, 0, 0.1], [0.5, 0, 0.1]], "elements": 8, "up": "z",
            "section": {"kind": "rectangle", "width": 0.02, "thickness": 0.002},
            "material": {"young": 70e9, "poisson": 0.3, "density": 2700},
        }  # fmt: skip
        pin = {"kind": "revolute", "between": [{"on": "ground", "at": [0, 0, 0.1]}, "rod.start"], "axis": "y"}
        touch = {"kind": "contact", "between": [FLOOR, "rod"], "law": {"kind": "linear", "stiffness": 1e7}}
        simulate = {"solver": "implicit", "duration": 0.13, "tolerance": tolerance, "outputs": 5}
        return ts.Model.from_plain({
            "name": "tip", "gravity": [0, 0, -G], "bodies": {"rod": rod}, "joints": {"pin": pin},
            "contacts": {"floor": touch}, "simulate": simulate,
        }).simulate()  # fmt: skip

    coarse, fine = tip(1e-4), tip(1e-6)
    assert fine.contacts["floor"]["touches"] > 0
    assert coarse.contacts["floor"]["strongest"] == pytest.approx(fine.contacts["floor"]["strongest"], rel=0.03)
    assert coarse.counters["steps"] < 0.5 * fine.counters["steps"]


def test_contact_at_rest_takes_long_steps():
    m = ts.Model("rest", gravity=(0, 0, -G))
    m.rigid("ball", at=(0, 0, 0.1 - G / 1e7), mass=1.0, shape={"kind": "sphere", "radius": 0.1})
    m.contact("floor", between=[FLOOR, "ball"], law={"kind": "linear", "stiffness": 1e7})
    r = m.simulate(solver="implicit", duration=10.0, tolerance=1e-4, outputs=5)
    assert r.counters["steps"] < 30
    assert r["floor.normal"].final == pytest.approx(G, rel=1e-9)


def test_hops_that_die_out_are_not_followed_forever():
    """Of hops at half the speed each, those below a ten-thousandth of the energy: the eighth and later ones."""
    r = dropped(1e-4, 1e7, duration=3.0, restitution=0.5)
    assert r.contacts["floor"]["strongest"] == pytest.approx(
        dropped(1e-6, 1e7, restitution=0.5).contacts["floor"]["strongest"], rel=0.03
    )
    assert r.counters["steps"] < 2000
