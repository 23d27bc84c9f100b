"""Events against closed forms, for every solver: also a level passed twice within one step."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapespring.model import Model

G, UP = 9.81, 10.0
TOP = UP**2 / (2.0 * G)
SOLVERS = ("ode", "stiff", "implicit", "conserving", "explicit")


def thrown(level=None, rate=None, stop=False, direction="both", **simulate):
    """A ball thrown straight up: z = UP t - G t²/2."""
    watched = {"watch": "ball.position.z", "level": level}
    if level is None:
        watched = {"watch": "ball.velocity.z", "level": rate}
    return Model.from_plain(
        {
            "name": "thrown",
            "gravity": [0, 0, -G],
            "bodies": {"ball": {"kind": "point_mass", "mass": 1.0, "velocity": [0, 0, UP]}},
            "events": {"there": {"kind": "event", "stop": stop, "direction": direction, **watched}},
            "simulate": {"duration": 2.0, **simulate},
        }
    )


def when(level):
    """The two instants at which the ball is there."""
    half = math.sqrt(max(0.0, UP**2 - 2.0 * G * level))
    return (UP - half) / G, (UP + half) / G


def times(results):
    return [event.time for event in results.events if event.name == "there"]


@pytest.mark.parametrize("solver", SOLVERS)
def test_stops_just_below_the_top(solver):
    results = thrown(TOP - 0.01, stop=True, solver=solver).simulate()
    assert results.status.code == "stopped by event"
    assert times(results) == pytest.approx([when(TOP - 0.01)[0]], rel=1e-7)
    assert results.status.time == times(results)[0]


@settings(max_examples=40, deadline=None)
@given(below=st.floats(1e-6, 4.9), parts=st.integers(1, 3))
@pytest.mark.parametrize("solver", ["ode", "stiff"])
def test_both_crossings_whatever_the_level(solver, below, parts):
    """And however many outputs there are."""
    level = TOP - below
    expected = [t for t in when(level) if 0.0 < t < 2.0]
    results = thrown(level, solver=solver, outputs=parts).simulate()
    assert times(results) == pytest.approx(expected, rel=1e-6, abs=1e-6)


@settings(max_examples=15, deadline=None)
@given(below=st.floats(1e-4, 4.0))
def test_directions_take_one_crossing_each(below):
    up, down = when(TOP - below)
    for direction, at in (("rising", up), ("falling", down)):
        assert times(thrown(TOP - below, direction=direction, solver="ode").simulate()) == pytest.approx([at], rel=1e-7)


@settings(max_examples=15, deadline=None)
@given(above=st.floats(1e-9, 3.0))
def test_levels_never_reached_are_never_crossed(above):
    assert not times(thrown(TOP + above, solver="ode").simulate())


@settings(max_examples=20, deadline=None)
@given(part=st.floats(0.01, 0.9999), phase=st.floats(0.0, 6.0))
@pytest.mark.parametrize("of_rate", [False, True])
def test_all_crossings_of_an_oscillator(of_rate, part, phase):
    """x = cos(w t + phase) on a spring; every crossing of its value or rate, none twice."""
    w, end = 7.0, 3.0
    level = part * (w if of_rate else 1.0)
    place, speed = math.cos(phase), -w * math.sin(phase)
    model = Model.from_plain(
        {
            "bodies": {"mass": {"kind": "point_mass", "mass": 1.0, "at": [place, 0, 0], "velocity": [speed, 0, 0]}},
            "forces": {
                "coil": {
                    "kind": "spring",
                    "between": [{"on": "ground", "at": [-10, 0, 0]}, "mass"],
                    "stiffness": w**2,
                    "free_length": 10.0,
                }
            },
            "events": {
                "there": {"watch": f"mass.{'velocity' if of_rate else 'position'}.x", "level": level},
            },
            "simulate": {"duration": end, "solver": "ode", "outputs": 2},
        }
    )
    results = model.simulate()
    turn = math.asin(part) if of_rate else math.acos(part)
    if of_rate:  # -sin(a) = part
        angles = [-turn, math.pi + turn]
    else:
        angles = [turn, -turn]
    found = sorted((a + 2.0 * math.pi * n - phase) / w for a in angles for n in range(-2, 8))
    expected = [t for t in found if 1e-6 < t < end - 1e-6]
    assert [t for t in times(results) if 1e-6 < t < end - 1e-6] == pytest.approx(expected, rel=1e-6, abs=1e-5)


def test_nothing_after_the_stop():
    """Events of the step that is cut off by a stopping one, later than it, did not happen."""
    data = thrown(TOP - 0.5, stop=True, solver="ode").to_plain()
    data["events"]["later"] = {"kind": "event", "watch": "ball.position.z", "level": TOP - 0.4}
    results = Model.from_plain(data).simulate()
    assert [event.name for event in results.events] == ["there"]
    assert "'there'" in results.status.message


@pytest.mark.parametrize("level", [TOP - 0.01, TOP - 1.3, 0.7 * TOP])
@pytest.mark.parametrize("solver", SOLVERS)
def test_a_run_goes_on_from_where_an_event_stopped_it(solver, level, tmp_path):
    """Which side of the level rounding has left it on does not count; the way back down does."""
    model = thrown(level, stop=True, solver=solver, outputs=4)
    first = model.simulate()
    second = model.simulate(restart=first.save(tmp_path / "first.nc"))
    both = [*times(first), *times(second)]
    assert both == pytest.approx(when(level), rel=1e-5)
    assert model.simulate(restart=second.state).status.complete


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_run_that_stops_before_its_first_output_has_a_row(solver):
    results = thrown(1.0, stop=True, solver=solver, outputs=[1.5, 2.0]).simulate()
    assert results.status.code == "stopped by event"
    assert results.time.tolist() == [results.status.time]
    on = thrown(1.0, solver=solver, outputs=[1.5, 2.0]).simulate()
    assert on.time.tolist() == [1.5, 2.0]
    assert on["ball.position"].values[-1, 2] == pytest.approx(2.0 * UP - 2.0 * G, rel=1e-5)


@pytest.mark.parametrize("solver", SOLVERS)
def test_more_events_than_there_is_room_for(solver):
    """A fast oscillation: thousands of crossings in one piece of the run, none is lost."""
    w, turns = 2.0 * math.pi * 1000.0, 5500.25
    model = Model.from_plain(
        {
            "bodies": {
                "wheel": {
                    "kind": "rigid",
                    "mass": 1.0,
                    "inertia": [1, 1, 1],
                    "angular_velocity": [0, 0, w],
                    "markers": {"rim": [1.0, 0, 0]},
                }
            },
            "events": {"across": {"kind": "event", "watch": "wheel.rim.position.y"}},
            "simulate": {"duration": turns * 1e-3, "solver": solver, "outputs": 1, "step": 2e-5},
        }
    )
    at = np.array([event.time for event in model.simulate().events])
    gaps = np.diff([0.0, *at])  # a fixed step may be a little late with all of them
    assert len(at) == pytest.approx(11000, rel=2e-3)
    assert gaps == pytest.approx(0.5e-3, rel=0.01)
