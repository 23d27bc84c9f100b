"""A round point against a wall of finite length, and in a slot."""

import numpy as np
import pytest

import tapespring as ts

G, L, R = 9.81, 0.2, 0.01
STIFF = {"kind": "linear", "stiffness": 1e5}


def before_wall(at, gravity=(0, 0, 0), velocity=(0, 0, 0), law=STIFF, **more):
    m = ts.Model("point", gravity=gravity)
    m.point_mass("pin", at=at, mass=0.5, velocity=velocity)
    wall = {"start": (0, 0, 0), "end": (L, 0, 0), "normal": "y", "radius": R} | more
    m.point_to_segment("wall", "ground", "pin", law=law, **wall)
    return m


@pytest.mark.parametrize(
    ("x", "y"), [(0.05, 0.03), (0.05, -0.002), (-0.03, 0.04), (-0.004, 0.003), (0.23, -0.05), (0.19, 0.3), (0.206, 0.0)]
)
@pytest.mark.parametrize("z", [0.0, 0.7])
def test_gap_is_the_distance_from_a_strip(x, y, z):
    """The wall is all of 0 < x < L, y < 0: outside its distance is that of a box; inside, the way out through the
    front."""
    gap = before_wall((x, y, z)).simulate(duration=1e-6)["wall.gap"].values[0]
    outside = np.hypot(max(-x, 0.0, x - L), max(y, 0.0))
    assert gap == pytest.approx((outside if outside > 0.0 else y) - R, abs=1e-15)


@pytest.mark.parametrize(("x", "y"), [(0.1, 0.02), (0.14, -0.05), (0.16, 0.0), (0.05, -0.03)])
def test_exclusion_ends_the_wall(x, y):
    """With a reach of 50 mm the solid is what is both behind the wall and within 50 mm of (0.1, 0)."""
    gap = before_wall((x, y, 0), exclusion=0.05).simulate(duration=1e-6)["wall.gap"].values[0]
    assert gap == pytest.approx(max(y, np.hypot(x - 0.1, y) - 0.05) - R, abs=1e-15)


@pytest.mark.parametrize(("x", "hits"), [(0.1, True), (L + 0.9 * R, True), (L + 1.1 * R, False), (-1.1 * R, False)])
def test_it_falls_past_the_ends(x, hits):
    r = before_wall((x, 0.1, 0), gravity=(0, -G, 0)).simulate(duration=0.2)
    times = [e.time for e in r.events if e.name == "wall.hit"]
    assert bool(times) == hits
    if x == 0.1:
        assert times[0] == pytest.approx(np.sqrt(2 * (0.1 - R) / G), rel=1e-12)
    if hits and x > L:  # it meets the corner where its middle is R from it
        height = np.sqrt(R**2 - (x - L) ** 2)
        assert times[0] == pytest.approx(np.sqrt(2 * (0.1 - height) / G), rel=1e-12)
        assert r["pin.velocity.x"].final > 0.0


def test_beyond_the_exclusion_nothing_is_hit():
    m = before_wall((0.18, 0.1, 0), gravity=(0, -G, 0), exclusion=0.05)
    assert [e.name for e in m.simulate(duration=0.2).events] == []


def test_pin_bounces_in_a_slot():
    """Between walls 12 mm apart a pin of radius 5 mm has 1 mm each way; thrown across at 0.3 m/s without gravity it
    comes back after 2 mm of flight and half a period on the spring of each wall."""
    m = before_wall((0.1, 0, 0), velocity=(0.05, 0.3, 0), width=12e-3, radius=5e-3)
    r = m.simulate(duration=0.1, outputs=100)
    hits = [e.time for e in r.events if e.name == "wall.hit"]
    assert hits[0] == pytest.approx(1e-3 / 0.3, rel=1e-11)
    assert np.diff(hits) == pytest.approx(2e-3 / 0.3 + np.pi * np.sqrt(0.5 / 1e5), rel=1e-9)
    assert np.abs(r["pin.velocity.x"].values - 0.05).max() < 1e-12
    assert len(hits) == 8
    assert r.audit.relative < 8e-9  # the tolerance of a step, for every touch


@pytest.mark.parametrize(("solver", "settings"), [("ode", {}), ("implicit", {"step": 1e-4})])
def test_deeper_than_allowed_is_an_error(solver, settings):
    """At 1.3 m/s it would go v √(m/k) = 3 mm deep; 1 mm is allowed."""
    m = before_wall((0.1, 0.1, 0), gravity=(0, -G, 0), max_depth=1e-3)
    r = m.simulate(duration=0.2, solver=solver, **settings)
    assert r.status.code == "contact too deep"
    assert np.sqrt(2 * 0.09 / G) < r.status.time < np.sqrt(2 * 0.09 / G) + 5e-3
    deep = before_wall((0.1, 0.1, 0), gravity=(0, -G, 0), max_depth=4e-3).simulate(
        duration=0.2, solver=solver, **settings
    )
    assert deep.status.complete


def test_deeper_than_allowed_is_an_error_at_rest_too():
    """Pushed by 1000 t N the point is 10 mm t deep."""
    m = before_wall((0.1, R - 1e-6, 0), max_depth=2e-3)
    m.point_on_line("rail", {"on": "ground", "at": (0.1, 0, 0)}, "pin", axis="y")
    m.load("push", on="pin", force=[0, "-0.1 - 1000*t", 0])
    r = m.simulate(duration=1.0, solver="quasi-static", outputs=100)
    assert r.status.code == "contact too deep"
    assert r.status.time == pytest.approx(0.2, abs=0.011)


def test_what_is_refused():
    for more, words in (
        ({"normal": (1, 1, 0)}, "must be across the segment"),
        ({"end": (0, 0, 0)}, "has a length"),
        ({"width": 0.015}, "no clearance"),
        ({"law": {"kind": "momentum", "restitution": 0.5}}, "knows no contact by momentum"),
    ):
        with pytest.raises(ts.ModelError, match=words):
            before_wall((0.1, 0.1, 0), **more).simulate(duration=0.1)
    with pytest.raises(ts.ModelError, match="give a 'normal'"):
        before_wall((0.1, 0, 0), normal=None).simulate(duration=0.1)
