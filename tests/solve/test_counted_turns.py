"""Whole turns are counted by what joints do, also where they come to a halt between two counts."""

import numpy as np
import pytest

import tapespring as ts

SOLVERS = ["ode", "baumgarte", "stiff", "implicit", "conserving", "explicit"]


def disc(**motion) -> ts.Model:
    model = ts.Model()
    model.rigid("disc", mass=1, inertia=(1, 1, 1), **motion)
    model.revolute("pin", model.ground, "disc", at=(0, 0, 0), axis="z")
    return model


def braked(last: float) -> ts.Model:
    """Turns at 10 rad/s and is stopped within the last so many seconds before t = 1 s."""
    model = disc(angular_velocity=(0, 0, 10.0))
    model.load("brake", on="disc", torque=(0, 0, f"if(t > {1.0 - last!r}, if(t < 1, {-10.0 / last!r}, 0), 0)"))
    return model


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("last", [0.3, 1e-2, 1e-4])
def test_what_was_stopped_turns_no_more(solver, last):
    results = braked(last).simulate(30.0, solver=solver, outputs=300)
    end = 10.0 * (1.0 - 0.5 * last)
    late = results.time > 1.0
    assert results["pin.angle"].values[late] == pytest.approx(end, abs=1e-2)


@pytest.mark.parametrize("rate", [0.4, 3.0, 40.0])
def test_what_hits_a_stop_turns_back(rate):
    """A bar hits a stop at 1 rad with restitution 0.5 and goes on the other way, freely, for a long time."""
    model = ts.Model()
    motion = {"angular_velocity": (0, 0, rate), "velocity": (0, 0.5 * rate, 0)}
    model.rigid("bar", at=(0.5, 0, 0), mass=1, inertia=(0.1, 0.1, 0.1), **motion)
    model.revolute("pin", model.ground, "bar", at=(0, 0, 0), axis="z")
    place, normal = (np.cos(1.0), np.sin(1.0), 0), (np.sin(1.0), -np.cos(1.0), 0)
    stop = {"kind": "half_space", "on": "ground", "at": place, "normal": normal}
    tip = {"kind": "sphere", "on": "bar", "at": (0.5, 0, 0), "radius": 0}
    model.contact("stop", between=[stop, tip], law={"kind": "momentum", "restitution": 0.5})
    t_hit = 1.0 / rate
    results = model.simulate(t_hit + 4.0 / rate, outputs=50)
    expected = np.where(results.time < t_hit, rate * results.time, 1.0 - 0.5 * rate * (results.time - t_hit))
    assert results["pin.angle"].values == pytest.approx(expected, abs=1e-6)
