"""Laws written in Python: functions of their arguments alone, or refused; what they raise is told."""

import math
import random
from functools import lru_cache

import numpy as np
import pytest

import tapespring as ts
from tapespring.schema.problems import ModelError


def hinge(law):
    model = ts.Model(name="Hinge")
    bar = model.rigid("bar", at=(0.5, 0, 0), mass=1, inertia=(0.001, 0.083, 0.083))
    model.revolute("hinge", model.ground, bar, at=(0, 0, 0), axis="y")
    model.joint_torque("motor", "hinge", value=law)
    return model


def sampled():
    """A controller that acts every 10 ms."""
    last = {"time": -1.0, "torque": 0.0}

    def law(t, x, v):
        if t >= last["time"] + 0.01:
            last["time"], last["torque"] = t, 20 * (0.5 - x) - 4 * v
        return last["torque"]

    return law


def integrating():
    """The I of a PID."""
    total = [0.0]

    def law(x):
        total[0] += 0.5 - x
        return total[0]

    return law


def latching():
    """Hysteresis: beyond 0.1 rad it stays on."""
    on = []

    def law(x):
        if x > 0.1:
            on.append(True)
        return 5.0 if on else 0.0

    return law


def delayed():
    values = [0.0] * 10

    def law(t, v):
        values.append(-v)
        return values.pop(0)

    return law


REMEMBERING = {
    "sampled": sampled(),
    "integrating": integrating(),
    "latching": latching(),
    "delayed": delayed(),
    "random": lambda t: random.gauss(0.0, 1.0),
    "random and compiled": lambda x: -x + 1e-3 * np.random.rand(),  # noqa: NPY002
    "by the clock": lambda t: __import__("time").perf_counter(),
}


@pytest.mark.parametrize("kind", REMEMBERING)
def test_a_memory_or_chance_is_refused_with_a_remedy(kind):
    with pytest.raises(ModelError) as refused:
        hinge(REMEMBERING[kind]).simulate("0.5 s")
    told = str(refused.value)
    assert told.startswith("forces.motor.value: ")
    assert "it has a memory or is random" in told
    assert "'restart' from the last" in told


def test_what_was_refused_stays_so():
    """Its memory of the first look would hide it from the second."""
    model = hinge(sampled())
    for _ in range(2):
        with pytest.raises(ModelError, match="it has a memory"):
            model.simulate("0.5 s")


def test_functions_of_time_are_looked_at_too():
    model = ts.Model()
    model.load("noise", model.point_mass("bob", at=(1, 0, 0), mass=1), force=(lambda t: random.random(), 0, 0))
    with pytest.raises(ModelError, match="memory or is random"):
        model.simulate("1 s")


@lru_cache
def remembered(x):
    return -x


PURE = {
    "cached": remembered,
    "not defined far away": lambda x: math.log(0.5 + x),
    "a table": lambda t: float(np.interp(t, [0.0, 1.0], [0.0, 1.0])),
    "not a number far away": lambda x: -x if abs(x) < 0.4 else math.nan,
}


@pytest.mark.parametrize("kind", PURE)
def test_functions_of_their_arguments_run(kind):
    assert hinge(PURE[kind]).simulate("0.01 s").status.complete


def test_a_memory_that_shows_late_is_noticed_after_the_run():
    calls = []

    def worn(x):
        calls.append(x)
        return -x if len(calls) < 300 else -0.5 * x

    run = hinge(worn).simulate("1 s")
    assert not run.status.complete
    assert run.status.code == "law with memory"
    assert "is not to be trusted" in run.status.message


def push(law, speed=1.0):
    """A mass that meets x = 0.5 after half a second."""
    model = ts.Model()
    block = model.point_mass("block", at=(0, 0, 0), mass=1, velocity=(speed, 0, 0))
    model.point_on_line("rail", model.ground, block, axis="x")
    model.joint_torque("push", "rail", value=law)
    return model


def not_compiled(x, numbers={"limit": 0.5}):  # noqa: B006
    if x > numbers["limit"]:
        raise ValueError("beyond the table")
    return 0.0


def test_what_a_law_raises_during_a_run_is_told():
    run = push(not_compiled).simulate("1 s")
    assert not run.status.complete
    assert run.status.time == pytest.approx(0.5, abs=1e-3)
    assert "not_compiled failed at t = " in run.status.message
    assert "ValueError: beyond the table" in run.status.message


def compiled(x):
    if x > 0.5:
        raise ValueError("beyond the table")
    return 0.0


def test_a_compiled_law_that_raises_is_not_taken_for_zero():
    run = push(compiled).simulate("1 s")
    assert not run.status.complete
    assert run.status.time == pytest.approx(0.5, abs=1e-3)
