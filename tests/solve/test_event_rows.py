"""Rows besides those of outputs: where a run ended before its time, and at the instants of events."""

import numpy as np
import pytest

import tapespring as ts
from tapespring.results.even_rows import even_rows

G = 9.81
SOLVERS = ["ode", "stiff", "implicit", "conserving", "explicit"]
FLOOR = {"kind": "half_space", "on": "ground", "at": (0, 0, 0), "normal": (0, 0, 1)}


def thrown(stop=True, level=5.0):
    m = ts.Model("thrown", gravity=(0, 0, -G))
    m.point_mass("stone", mass=1, velocity=(0, 0, 10))
    m.event("there", watch="stone.position.z", level=level, stop=stop)
    return m


def bouncing(height=1.0):
    m = ts.Model("bouncing", gravity=(0, 0, -G))
    m.rigid("ball", at=(0, 0, height + 0.1), mass=1, shape={"kind": "sphere", "radius": 0.1})
    m.contact("floor", FLOOR, "ball", law={"kind": "momentum", "restitution": 0.5})
    return m


@pytest.mark.parametrize("outputs", [3, 200, "1 ms", [0.1, 0.5]], ids=str)
@pytest.mark.parametrize("solver", SOLVERS)
def test_a_stopped_run_ends_with_the_state_that_stopped_it(solver, outputs):
    """However far apart outputs are: v² = v₀² - 2 g z."""
    r = thrown().simulate(1.0, solver=solver, outputs=outputs)
    assert r.time[-1] == r.status.time == r.events[-1].time
    assert r["stone.position.z"].final == pytest.approx(5.0, abs=1e-6)
    assert r["stone.velocity.z"].final == pytest.approx(np.sqrt(100 - 2 * G * 5.0), rel=1e-4)
    assert np.all(np.diff(r.time) > 0.0)


def test_a_run_that_stops_at_an_output_has_no_row_twice():
    m = ts.Model("slides")
    m.point_mass("block", mass=1, velocity=(1, 0, 0))
    m.event("there", watch="block.position.x", level=0.5, stop=True)
    r = m.simulate(1.0, outputs=2)
    assert r.time == pytest.approx([0.0, 0.5], abs=1e-14)


def test_a_run_that_fails_ends_with_its_last_good_state():
    """x'' = x³ is infinite at a finite time."""
    m = ts.Model("escapes")
    m.rigid("cart", mass=1, inertia=(1, 1, 1), at=(1, 0, 0), velocity=(2, 0, 0))
    m.prismatic("rail", "ground", "cart", at=(0, 0, 0), axis=(1, 0, 0))
    m.joint_torque("pull", joint="rail", value="(1 + x)^5")
    r = m.simulate(10.0, outputs=2, solver="ode")
    assert not r.status.complete
    assert 0.0 < r.time[-1] < 5.0
    assert all(np.isfinite(channel.values).all() for channel in r.channels.values())


@pytest.mark.parametrize("outputs", [1, 7, 200])
def test_an_impact_has_a_row_before_and_one_after(outputs):
    r = bouncing().simulate(0.6, outputs=outputs)
    (hit,) = r.events
    speed = np.sqrt(2 * G)
    rows = np.flatnonzero(np.abs(r.time - speed / G) < 1e-9)
    assert hit.time == pytest.approx(speed / G, rel=1e-9)
    assert r["ball.velocity.z"].values[rows] == pytest.approx([-speed, 0.5 * speed], rel=1e-9)
    assert r["floor.impulse"].values[rows] == pytest.approx([0.0, 1.5 * speed], rel=1e-9)
    assert len(r.time) == outputs + 1 + len(rows)
    assert r["floor.impulse"].at_steps()[1][-1] == pytest.approx(1.5 * speed, rel=1e-9)


def test_a_level_that_is_crossed_has_a_row():
    r = thrown(stop=False).simulate(2.0, outputs=3)
    assert len(r.events) == 2
    crossed = [np.abs(r.time - event.time).argmin() for event in r.events]
    assert r.time[crossed] == pytest.approx([event.time for event in r.events], abs=1e-12)
    assert r["stone.position.z"].values[crossed] == pytest.approx(5.0, abs=1e-9)


def test_times_that_were_asked_for_one_by_one_stay_as_they_are():
    r = bouncing().simulate(0.6, outputs=[0.1, 0.3, 0.6])
    assert r.time.tolist() == [0.1, 0.3, 0.6]


def test_filters_and_spectra_take_the_even_rows():
    """As of a run whose outputs were the same times, without rows at its impacts."""
    times = tuple(1e-4 * k for k in range(6001))
    added, even = (bouncing().simulate(0.6, outputs=outputs)["ball.velocity.z"] for outputs in (6000, times))
    assert len(added.values) > len(even.values)
    for filtered in (lambda c: c.cfc(60), lambda c: c.low_pass(100.0), lambda c: c.low_pass(50.0, causal=True)):
        np.testing.assert_allclose(filtered(added).values, filtered(even).values, atol=1e-11)
        assert filtered(added).time == pytest.approx(times)
    np.testing.assert_allclose(added.spectrum().amplitude, even.spectrum().amplitude, atol=1e-11)


def test_rows_that_are_not_even_are_not_taken_for_it():
    assert even_rows(np.array([0.0, 0.1, 0.25, 0.4])) is None
    assert even_rows(np.array([0.0, 0.0])) is None
    assert even_rows(np.array([0.0, 0.1, 0.13, 0.13, 0.2, 0.2, 0.3, 0.35])).tolist() == [0, 1, 5, 6]
