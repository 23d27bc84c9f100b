"""The explicit loop: order, singular positions, events, interruption, divergence, Baumgarte's variant."""

import numpy as np
import pytest

import tapespring as ts


def pendulum(**settings):
    model = ts.Model(name="pendulum", gravity=(0, -9.81, 0))
    bob = model.point_mass("bob", mass="1 kg", at=("1 m", 0, 0))
    model.distance("rod", model.ground, bob)
    return model


def double_pendulum():
    model = ts.Model(name="double pendulum", gravity=(0, -10, 0))
    upper = model.rigid("upper", mass=1, inertia=[1, 1, 1], at=(0.5, 0, 0))
    lower = model.rigid("lower", mass=1, inertia=[1, 1, 1], at=(1.5, 0, 0))
    model.revolute("shoulder", model.ground, upper, at=(0, 0, 0), axis="z")
    model.revolute("elbow", upper, lower, at=(1, 0, 0), axis="z")
    return model


def parallelogram():
    """One four-bar of equal links: flat, and so singular, twice a turn."""
    model = ts.Model(name="parallelogram", gravity=(0, -9.81, 0))
    links = {}
    for name, at in (("left", (0, 0.5, 0)), ("right", (1, 0.5, 0)), ("top", (0.5, 1, 0))):
        links[name] = model.rigid(name, mass=1, inertia=[1 / 12] * 3, at=at)
    model.revolute("A", model.ground, links["left"], at=(0, 0, 0), axis="z", initial={"rate": -1})
    model.revolute("B", model.ground, links["right"], at=(1, 0, 0), axis="z")
    model.revolute("C", links["left"], links["top"], at=(0, 1, 0), axis="z")
    model.revolute("D", links["top"], links["right"], at=(1, 1, 0), axis="z")
    return model


def test_the_order_is_eight():
    exact = np.array(double_pendulum().simulate("1 s", tolerance=1e-13, outputs=1)["lower.position"].final)
    steps = [0.1, 0.05]
    errors = [
        np.abs(
            np.array(double_pendulum().simulate("1 s", solver="ode", step=h, outputs=1)["lower.position"].final) - exact
        ).max()
        for h in steps
    ]
    order = np.log2(errors[0] / errors[1])
    assert 7.4 < order < 9.6, (errors, order)


@pytest.mark.parametrize("tolerance", [1e-6, 1e-8, 1e-9, 1e-10])
def test_singular_positions_are_passed_on_the_right_branch(tolerance):
    """The parallelogram stays one: its reduction to one pendulum is the reference."""
    from scipy.integrate import solve_ivp

    run = parallelogram().simulate("10 s", tolerance=tolerance, outputs=50)
    # (2/3 + 1) theta'' = (2/2 + 1) g sin theta
    reduced = solve_ivp(
        lambda t, y: [y[1], 2.0 / (5.0 / 3.0) * 9.81 * np.sin(y[0])],
        (0, 10),
        [0, 1],
        method="DOP853",
        rtol=1e-12,
        atol=1e-12,
    )
    theta = -run["A.angle"].final
    assert run.status.complete
    assert theta == pytest.approx(reduced.y[0, -1], abs=max(1e-7, 300 * tolerance))
    assert -run["B.angle"].final == pytest.approx(theta, abs=1e-7)
    assert run.audit.relative < max(1e-8, 30 * tolerance)


def test_events_are_located_and_can_stop_the_run():
    model = pendulum()
    model.event("bottom", watch="bob.position.x", direction="falling")
    run = model.simulate("5 s", outputs=10)
    period = 2.36784194757624
    times = [e.time for e in run.events if e.name == "bottom"]
    assert times == pytest.approx([period / 4, period * 5 / 4], abs=1e-7)
    model.event("stop", watch="bob.position.x", level=-0.5, direction="falling", stop=True)
    stopped = model.simulate("5 s")
    assert stopped.status.code == "stopped by event"
    assert "stop" in stopped.status.message
    assert stopped["bob.position.x"].values.min() >= -0.5 - 1e-9
    assert stopped.status.time < period / 2


def test_an_interruption_keeps_what_was_computed():
    model = pendulum()

    def impatient(fraction, words):
        if fraction > 0.0:
            raise KeyboardInterrupt

    run = model.simulate("2000 s", outputs=4000, progress=impatient)
    assert run.status.code == "interrupted"
    assert 1 < len(run.time) < 4001
    assert np.isfinite(run["bob.position"].values).all()


def test_divergence_names_time_and_body():
    model = ts.Model(name="blow-up")
    bob = model.point_mass("bob", mass=1, at=(0, 0, 0))
    model.load("push", bob, force=["1/(1 - t)^2", 0, 0])
    run = model.simulate("2 s")
    assert not run.status.complete
    assert "bob" in run.status.message
    assert "t = 1" in run.status.message or "t = 0.99" in run.status.message
    assert np.isfinite(run["bob.position"].values).all()


def test_baumgarte_drifts_where_projection_does_not():
    projected = pendulum().simulate("10 s", tolerance=1e-6)
    stabilised = pendulum().simulate("10 s", solver="baumgarte", tolerance=1e-6)
    assert stabilised.status.complete
    length = np.linalg.norm(stabilised["bob.position"].values, axis=1)
    assert np.abs(length - 1).max() < 1e-3
    assert projected.violation["position"] < 1e-5
    assert np.abs(np.linalg.norm(projected["bob.position"].values, axis=1) - 1).max() < 1e-13


def test_reactions_hold_the_weight():
    model = ts.Model(name="shelf", gravity=(0, 0, -9.81))
    shelf = model.rigid("shelf", mass=2, inertia=[1, 1, 1], at=(0.5, 0, 0))
    model.fixed("wall", model.ground, shelf, at=(0, 0, 0))
    run = model.simulate("0.1 s", outputs=2)
    assert run["wall.force"].final == pytest.approx([0, 0, 2 * 9.81], abs=1e-9)
    assert run["wall.torque"].final == pytest.approx([0, -2 * 9.81 * 0.5, 0], abs=1e-9)


def test_a_damped_spring_closes_the_audit():
    model = ts.Model(name="damped", gravity=(0, 0, -9.81))
    bob = model.point_mass("bob", mass=1, at=(0, 0, -1))
    model.spring("spring", model.ground, bob, stiffness=100, damping=2, free_length=0.8)
    run = model.simulate("3 s")
    w, zeta = 10.0, 0.1
    x0, rest = -1.0, -0.8 - 9.81 / 100
    wd = w * np.sqrt(1 - zeta**2)
    t = run.time
    exact = rest + (x0 - rest) * np.exp(-zeta * w * t) * (np.cos(wd * t) + zeta * w / wd * np.sin(wd * t))
    assert np.abs(run["bob.position.z"].values - exact).max() < 1e-8
    assert run.audit.relative < 1e-8
    assert run.audit.dissipated[-1] > 0.1
