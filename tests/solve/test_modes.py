"""Vibrations with closed forms. The linearisation is exact, so only rounding is allowed for: 1e-9."""

import numpy as np
import pytest

from tapespring import Model
from tapespring.build.builder import build
from tapespring.solve.modes import find_modes

G = 9.81
NEAR = 1e-9


def system_of(model):
    assembler, _ = build(model, ".", 1.0)
    return assembler.finish()


def modes_of(model, **options):
    system = system_of(model)
    return find_modes(system, system.q0, **options)


def test_pendulum():
    m = Model(name="pendulum", gravity=(0, 0, -G))
    bob = m.point_mass("bob", mass=2.0, at=(0, 0, -0.7))
    m.distance("rod", m.ground, bob)
    found = modes_of(m)
    assert found.frequencies_hz == pytest.approx([np.sqrt(G / 0.7) / (2 * np.pi)], rel=NEAR)
    assert found.damping_ratios == pytest.approx([0.0])
    assert not found.unstable.any()


def test_inverted_pendulum_is_unstable():
    m = Model(name="pendulum", gravity=(0, 0, -G))
    bob = m.point_mass("bob", mass=2.0, at=(0, 0, 0.7))
    m.distance("rod", m.ground, bob)
    found = modes_of(m)
    assert found.unstable.tolist() == [True]
    assert found.eigenvalues == pytest.approx([np.sqrt(G / 0.7)], rel=NEAR)
    assert found.damping_ratios == pytest.approx([-1.0])


def physical_pendulum(**bar):
    m = Model(name="physical pendulum", gravity=(0, 0, -G))
    body = m.rigid("bar", at=(0, 0, -0.5), mass=3.0, **bar)
    m.revolute("hinge", m.ground, body, at=(0, 0, 0), axis="y")
    return m


@pytest.mark.parametrize("products", [(), (0.01, -0.02, 0.005)])
def test_physical_pendulum(products):
    """In the plane, and in space: products of inertia leave the frequency about a fixed axis alone."""
    found = modes_of(physical_pendulum(inertia=[0.2, 0.25, 0.1, *products]))
    assert found.frequencies_hz == pytest.approx([np.sqrt(3 * G * 0.5 / (0.25 + 3 * 0.25)) / (2 * np.pi)], rel=NEAR)
    assert found.shapes.shape == (6, 1)
    turn = np.linalg.norm(found.shapes[3:, 0])
    assert abs(found.shapes[0, 0]) == pytest.approx(0.5 * turn, rel=NEAR)


def test_double_pendulum():
    """m = l = 1: omega² = g (2 ∓ √2)"""
    m = Model(name="double pendulum", gravity=(0, 0, -G))
    first = m.point_mass("first", mass=1, at=(0, 0, -1))
    second = m.point_mass("second", mass=1, at=(0, 0, -2))
    m.distance("upper", m.ground, first)
    m.distance("lower", first, second)
    found = modes_of(m)
    expected = np.sqrt(G * (2 + np.sqrt(2) * np.array([-1, 1]))) / (2 * np.pi)
    assert found.frequencies_hz == pytest.approx(expected, rel=NEAR)
    assert np.abs(found.shapes[3] / found.shapes[0]) == pytest.approx([1 + np.sqrt(2), abs(1 - np.sqrt(2))], rel=NEAR)
    assert len(modes_of(m, count=1).frequencies_hz) == 1


def chain(damping):
    m = Model(name="two masses")
    bodies = [m.point_mass(f"m{k}", mass=1, at=(1.0 + k, 0, 0)) for k in range(2)]
    for k, body in enumerate(bodies):
        m.point_on_line(f"rail{k}", m.ground, body, axis="x", at=(1.0 + k, 0, 0))
    ends = [m.ground, *bodies]
    for k in range(2):
        m.spring(f"spring{k}", ends[k], ends[k + 1], stiffness=100, damping=damping, free_length=1)
    return m


@pytest.mark.parametrize("damping", [0.0, 0.5])
def test_two_masses_on_springs(damping):
    """k = 100, m = 1: omega² = k (3 ∓ √5)/2; damping proportional to stiffness gives ratios c omega / 2k."""
    found = modes_of(chain(damping))
    omega = np.sqrt(100 * (3 + np.sqrt(5) * np.array([-1, 1])) / 2)
    assert found.frequencies_hz == pytest.approx(omega / (2 * np.pi), rel=NEAR)
    assert found.damping_ratios == pytest.approx(damping * omega / 200, rel=NEAR, abs=NEAR)
    assert np.iscomplexobj(found.shapes) == (damping > 0)


def test_overdamped_mass():
    """s² + 50 s + 100 = 0"""
    m = Model(name="one mass")
    body = m.point_mass("mass", mass=1, at=(1, 0, 0))
    m.point_on_line("rail", m.ground, body, axis="x", at=(1, 0, 0))
    m.spring("spring", m.ground, body, stiffness=100, damping=50, free_length=1)
    found = modes_of(m)
    assert found.eigenvalues.real == pytest.approx(np.sort(np.roots([1, 50, 100]))[::-1], rel=NEAR)
    assert found.damping_ratios == pytest.approx([1.0, 1.0])


def test_torsion():
    m = Model(name="torsion")
    disc = m.rigid("disc", mass=1, inertia=[0.01, 0.01, 0.02])
    m.revolute("bearing", m.ground, disc, at=(0, 0, 0), axis="z")
    m.torsion_spring("wire", joint="bearing", stiffness=2.0, damping=0.01)
    found = modes_of(m)
    omega = np.sqrt(2.0 / 0.02)
    assert found.frequencies_hz == pytest.approx([omega / (2 * np.pi)], rel=NEAR)
    assert found.damping_ratios == pytest.approx([0.01 / (2 * 0.02 * omega)], rel=NEAR)


def test_redundant_rows_do_no_harm():
    """A door on two hinges about one vertical axis: the second only repeats the first."""
    m = Model(name="door", gravity=(0, -2.0, 0))
    door = m.rigid("door", at=(0, -0.5, 0.1), mass=2, inertia=[0.2, 0.2, 0.3, 0.01, 0, 0.02])
    for k, z in enumerate((0.0, 1.0)):
        m.revolute(f"hinge{k}", m.ground, door, at=(0, 0, z), axis="z")
    found = modes_of(m)
    assert found.frequencies_hz == pytest.approx([np.sqrt(2 * 2.0 * 0.5 / (0.3 + 2 * 0.25)) / (2 * np.pi)], rel=1e-8)


def test_free_rotor_precesses():
    """A free top spinning about its axis of symmetry: body axes see the wobble at (C - A)/A of the spin."""
    m = Model(name="top")
    m.rigid("top", mass=1, inertia=[0.2, 0.2, 0.3], angular_velocity=(0, 0, 10), velocity=(0, 0, 0))
    m.load("nudge", "top", force=(0, 0, "0*t"), torque=("0*t", 0, 0))  # across any plane: the model is spatial
    system = system_of(m)
    found = find_modes(system, system.q0, system.v0)
    spins = np.abs(found.eigenvalues.imag)
    assert np.min(np.abs(spins - 10.0)) < 1e-6  # a tilt of the axis stays where it is in the world
    assert np.min(np.abs(spins - 5.0)) < 1e-6
    assert not found.unstable.any()
