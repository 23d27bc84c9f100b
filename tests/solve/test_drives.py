"""Prescribed motion: drives, couplers and moving frames against closed forms."""

import numpy as np
import pytest

import tapespring as ts


def test_a_driven_crank_follows_and_its_work_closes_the_audit():
    model = ts.Model(name="crank", gravity=(0, -9.81, 0))
    crank = model.rigid("crank", mass=2, inertia=[0.2, 0.2, 0.3], at=(0.5, 0, 0))
    model.revolute("hinge", model.ground, crank, at=(0, 0, 0), axis="z")
    model.motion("motor", joint="hinge", value="0.5*t^2 + 0.3*sin(3*t)")
    run = model.simulate("2 s", outputs=20)
    t = run.time
    angle = 0.5 * t**2 + 0.3 * np.sin(3 * t)
    alpha = 1.0 - 2.7 * np.sin(3 * t)
    torque = (0.3 + 2 * 0.25) * alpha + 2 * 9.81 * 0.5 * np.cos(angle)
    assert np.abs(run["hinge.angle"].values - angle).max() < 1e-10
    assert np.abs(run["motor.force"].values - torque).max() < 1e-8
    assert run.audit.relative < 1e-8
    assert np.ptp(run.audit.work_drives) > 1.0


def test_gears_turn_together():
    model = ts.Model(name="gears")
    for name, x in (("pinion", 0.0), ("wheel", 0.3)):
        body = model.rigid(name, mass=1, inertia=[0.1, 0.1, 0.1], at=(x, 0, 0))
        model.revolute(f"{name}_axle", model.ground, body, at=(x, 0, 0), axis="z")
    model.coupler("mesh", joints=["pinion_axle", "wheel_axle"], ratio=-0.5)
    model.joint_torque("motor", joint="pinion_axle", value=1.0)
    run = model.simulate("10 s", outputs=10)
    # (I1 + r^2 I2) alpha = torque
    alpha = 1.0 / (0.1 + 0.25 * 0.1)
    assert run["pinion_axle.angle"].final == pytest.approx(0.5 * alpha * 100, rel=1e-9)
    assert run["wheel_axle.angle"].final == pytest.approx(-0.25 * alpha * 100, rel=1e-9)


def test_a_pendulum_in_an_accelerating_frame_hangs_aslant():
    """Seen from a cart with constant acceleration, gravity is tilted: the same pendulum, turned."""
    a, g = 4.0, 9.81
    model = ts.Model(name="cart", gravity=(0, -g, 0))
    cart = model.moving_frame("cart", position=["2*t^2", 0, 0])
    bob = model.point_mass("bob", mass=1, at=(0, -1, 0), velocity=(0, 0, 0))
    model.distance("rod", cart, bob)
    run = model.simulate("1.5 s", outputs=15)
    tilt = np.arctan2(a, g)
    plain = ts.Model(name="turned", gravity=(0, -np.hypot(a, g), 0))
    still = plain.point_mass("bob", mass=1, at=(np.sin(tilt), -np.cos(tilt), 0))
    plain.distance("rod", plain.ground, still)
    turned = plain.simulate("1.5 s", outputs=15)["bob.position"].values
    c, s = np.cos(-tilt), np.sin(-tilt)
    expected = np.column_stack((c * turned[:, 0] - s * turned[:, 1], s * turned[:, 0] + c * turned[:, 1]))
    seen = run["bob.position"].values[:, :2] - np.column_stack((2 * run.time**2, 0 * run.time))
    assert np.abs(seen - expected).max() < 1e-7
    assert run.audit.relative < 1e-7


def test_pose_and_twist_describe_the_same_motion():
    def carried(**motion):
        model = ts.Model(name="carried", gravity=(0, 0, -9.81))
        frame = model.moving_frame("frame", **motion)
        bob = model.rigid("bob", mass=1, inertia=[0.01, 0.02, 0.03], at=(0, 0, -0.5))
        model.spherical("ball", frame, bob, at=(0, 0, 0))
        return model.simulate("1 s", outputs=10)["bob.position"].values

    by_pose = carried(attitude={"axis": "x", "angle": "0.5*t^2"}, position=["t^2", 0, 0])
    by_twist = carried(angular_velocity=["t", 0, 0], velocity=["2*t", 0, 0])
    assert by_pose == pytest.approx(by_twist, abs=1e-7)
    assert np.ptp(by_pose[:, 0]) > 0.5
