"""Latches: where they close, what they hold, what becomes of the energy."""

import numpy as np
import pytest

from tapespring import Model, ModelError

INERTIA, RATE, AT = 0.5, 2.0, 1.203


def door(**latch) -> Model:
    """A door about the vertical that turns freely at 2 rad/s until it latches."""
    m = Model(name="door")
    m.rigid("door", at=[0, 0, 0], mass=1.0, inertia=[0.3, 0.3, INERTIA])
    m.revolute("hinge", "ground", "door", at=[0, 0, 0], axis="z", initial={"rate": RATE})
    m.latch("catch", joint="hinge", at=AT, stiffness=latch.pop("stiffness", 800.0), **latch)
    return m


def test_it_closes_at_the_instant_and_swings_as_an_oscillator():
    """φ - φ₀ = (Ω/ω) sin ω(t - t₀), t₀ = φ₀/Ω, ω² = k/J."""
    k = 800.0
    r = door(stiffness=k).simulate("1 s", tolerance=1e-10, outputs=200)
    at, omega = AT / RATE, np.sqrt(k / INERTIA)
    [closes] = [e for e in r.events if e.name == "catch.latched"]
    assert closes.time == pytest.approx(at, abs=1e-12)
    t = r["hinge.angle"].time
    expected = np.where(t < at, RATE * t, AT + RATE / omega * np.sin(omega * (t - at)))
    np.testing.assert_allclose(r["hinge.angle"].values, expected, atol=1e-9)
    np.testing.assert_allclose(r["catch.torque"].values, np.where(t < at, 0.0, -k * (expected - AT)), atol=1e-6)
    before, after = np.flatnonzero(np.abs(t - at) < 1e-12)
    np.testing.assert_array_equal(r["catch.latched"].values, np.arange(len(t)) > before)
    assert after == before + 1


def test_its_damping_takes_the_energy_and_the_books_close():
    r = door(damping=8.0).simulate("3 s", tolerance=1e-9)
    assert r["hinge.angle"].values[-1] == pytest.approx(AT, abs=1e-6)
    assert r["energy.friction"].values[-1] == pytest.approx(0.5 * INERTIA * RATE**2, rel=1e-6)
    assert np.abs(r["energy.residual"].values).max() < 1e-8


def test_implicit_closes_within_a_step():
    r = door(damping=8.0).simulate("3 s", solver="implicit", step=2e-4)
    assert r["hinge.angle"].values[-1] == pytest.approx(AT, abs=2.2e-4 * RATE)
    assert r["energy.friction"].values[-1] == pytest.approx(0.5 * INERTIA * RATE**2, rel=5e-3)


def test_it_holds_from_the_start_where_it_starts():
    m = Model(name="door")
    m.rigid("door", at=[0, 0, 0], mass=1.0, inertia=[0.3, 0.3, INERTIA])
    m.revolute("hinge", "ground", "door", at=[0, 0, 0], axis="z")
    m.latch("catch", joint="hinge", at=0.0, stiffness=800.0, damping=40.0)
    m.load("push", on="door", torque=[0, 0, 8.0])
    r = m.simulate("2 s")
    assert r["hinge.angle"].values[-1] == pytest.approx(0.01, rel=1e-6)


def test_mistakes_are_told():
    with pytest.raises(ModelError, match="holds once the latch is closed"):
        door(stiffness=0.0).check("1 s")
    with pytest.raises(ModelError, match="must not be less than zero"):
        door(damping=-1.0).check("1 s")
