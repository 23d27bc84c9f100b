"""Contacts at rest under damping that is far faster than anything that moves: Chebyshev stages within `ode`."""

import numpy as np
import pytest

import tapespring as ts

G, K, C = 9.81, 3.3e7, 2.2e4  # for 1 kg: decays of 20300 and 1620 1/s
FLOOR = {"kind": "half_space", "on": "ground", "normal": "z"}


def ball(height: float, **law) -> ts.Model:
    """1 kg, radius 0.1 m, its lowest point at `height`."""
    m = ts.Model("ball", gravity=(0, 0, -G))
    m.rigid("ball", at=(0, 0, 0.1 + height), mass=1.0, shape={"kind": "sphere", "radius": 0.1})
    m.contact("floor", between=[FLOOR, "ball"], law={"kind": "spring_dashpot", "stiffness": K, "damping": C} | law)
    return m


def test_ball_comes_to_rest_in_few_steps():
    """Order 8 alone needs 0.2 ms a step for as long as the ball lies there."""
    r = ball(0.5).simulate("2 s", solver="ode", tolerance=1e-8, outputs=40)
    assert r["ball.position.z"].final == pytest.approx(0.1 - G / K, abs=1e-12)
    assert r["floor.normal"].final == pytest.approx(G, rel=1e-6)
    assert r.audit.relative < 1e-6
    assert r.counters["steps"] < 400


def test_sinking_in_closed_form():
    """Overdamped from the moment it touches without speed: two decays."""
    r = ball(0.0).simulate("20 ms", solver="ode", tolerance=1e-9, outputs=21)
    fast, slow = np.roots([1.0, C, K])
    t = r.time
    depth = G / K * (1 + (slow * np.exp(fast * t) - fast * np.exp(slow * t)) / (fast - slow))
    assert r["ball.position.z"].values == pytest.approx(0.1 - depth, abs=1e-12)


def test_a_load_that_changes_is_followed():
    """To the tolerance, by whichever stages."""
    m = ball(0.0)
    m.load("push", on="ball", force=(0, 0, "-5*sin(200*t)"))
    r = m.simulate("0.2 s", solver="ode", tolerance=1e-8, outputs=401)
    later, w = r.time > 0.02, 200.0
    swing = np.imag(5.0 / (K + 1j * C * w - w**2) * np.exp(1j * w * r.time))
    assert r["ball.position.z"].values[later] == pytest.approx((0.1 - G / K - swing)[later], abs=1e-10)
