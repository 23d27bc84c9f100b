"""Given steps that are too long for the motion are said to be, also where the energy balances however long they are."""

import numpy as np
import pytest

from tapespring import Model

OMEGA = 10.0  # rad/s
DURATION = 5.0


def vibration(solver, step, **settings):
    m = Model("vibration")
    m.point_mass("bob", mass=1.0, at=(1.1, 0, 0))
    m.spring("rod", m.ground, "bob", stiffness=OMEGA**2, free_length=1.0)
    if solver == "implicit":
        settings["dissipation"] = 1.0  # which keeps the energy
    return m.simulate(DURATION, solver=solver, step=step, **settings)


def off(results):
    """How far the place is off at the end, by the amplitude."""
    return abs(results["bob.position.x"].final - 1.0 - 0.1 * np.cos(OMEGA * DURATION)) / 0.1


@pytest.mark.parametrize("solver", ["implicit", "conserving"])
@pytest.mark.parametrize(("step", "level"), [(2e-3, "good"), (0.02, "fair"), (0.05, "bad"), (0.1, "bad"), (0.3, "bad")])
def test_a_vibration_that_runs_late_is_told_though_its_energy_is_kept(solver, step, level):
    results = vibration(solver, step)
    assert results.audit.grade == "excellent"
    assert results.verdict.level == level, results.summary()
    assert (off(results) > 0.01) == (level != "good")
    if level != "good":
        [found] = [f for f in results.verdict.findings if f.title == "Steps"]
        assert found.level == level
        assert "'bob' most" in found.words
        assert "--refine" in found.words


@pytest.mark.parametrize("outputs", [5, 50, 500])
def test_it_does_not_hang_on_the_outputs(outputs):
    assert vibration("conserving", 0.02, outputs=outputs).verdict == vibration("conserving", 0.02).verdict


def test_a_small_vibration_beside_a_large_motion_may_be_unresolved():
    """1 mm of 500 Hz beside 1 m of 1 Hz."""
    m = Model("two masses")
    m.point_mass("slow", mass=1.0, at=(3.0, 0, 0))
    m.spring("soft", m.ground, "slow", stiffness=(2 * np.pi) ** 2, free_length=2.0)
    m.point_mass("fast", mass=1.0, at=(0, 2.001, 0))
    m.spring("stiff", m.ground, "fast", stiffness=(1000 * np.pi) ** 2, free_length=2.0)
    results = m.simulate(2.0, solver="implicit", step=2e-3, dissipation=1.0)
    assert not [f for f in results.verdict.doubts if f.title == "Steps"]


def wall(step):
    """Flies at 1 m/s against a stiff law, which throws it back."""
    m = Model("wall")
    m.rigid("cart", mass=1.0, inertia=[1, 1, 1], velocity=(1, 0, 0))
    m.prismatic("rail", m.ground, "cart", at=(0, 0, 0), axis="x")
    m.joint_torque("wall", joint="rail", value="if(x>0.5, -1e5*(x-0.5), 0)")
    return m.simulate(1.0, solver="conserving", step=step)


def test_a_blow_within_a_few_steps_is_told():
    """Exact: 9.93 mm. Ten steps see it, and one is a matter of luck."""
    exact = 0.5 - (0.5 - np.pi / np.sqrt(1e5))
    assert abs(wall(1e-3)["cart.position.x"].final - exact) < 1e-3
    assert wall(1e-4).verdict.level == "good"
    rough = wall(1e-2)
    assert abs(rough["cart.position.x"].final - exact) > 0.1
    assert "Steps" in [f.title for f in rough.verdict.doubts]


def test_steps_that_a_solver_chose_are_its_own_affair():
    m = Model("pendulum", gravity=(0, 0, -9.81))
    m.point_mass("bob", mass=1.0, at=(1, 0, 0))
    m.distance("rod", m.ground, "bob")
    for settings in ({}, {"solver": "implicit"}, {"solver": "stiff"}, {"solver": "ode", "step": 0.1}):
        assert "Steps" not in [f.title for f in m.simulate(2.0, **settings).verdict.findings]
