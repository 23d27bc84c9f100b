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


def wheel_on_boom(axle, elements=4, damping=0.0):
    """Turned anyhow in space; the wheel alike across its axis, so that bending does not know whether it can spin."""
    along = np.array([2.0, 1.0, 0.5]) / np.linalg.norm([2.0, 1.0, 0.5])
    m = Model()
    section, steel = {"kind": "tube", "radius": 0.02, "wall": 0.002}, {"young": 2e11, "poisson": 0.3, "density": 7800}
    m.beam(
        "boom",
        path=[(0, 0, 0), along],
        section=section,
        material=steel,
        elements=elements,
        damping={"stiffness": damping},
    )
    m.fixed("clamp", "ground", "boom.start")
    inertia = 0.05 * np.eye(3) + 0.05 * np.outer(along, along)
    m.rigid("wheel", at=along, mass=3, inertia=inertia)
    m.add(axle, "axle", "boom.end", "wheel", at=along, **({"axis": along} if axle == "revolute" else {}))
    return m


@pytest.mark.parametrize("elements", [4, 80])
@pytest.mark.parametrize("damping", [0.0, 1e-4])
def test_a_free_spin_is_one_zero_and_never_grows(elements, damping):
    found = wheel_on_boom("revolute", elements, damping).modes(5)
    assert len(found.frequencies_hz) == 5
    assert found.frequencies_hz[0] == 0.0
    assert not found.unstable.any()
    assert found.describe(0).startswith("wheel turns")
    fixed = wheel_on_boom("fixed", elements, damping).modes(5)
    bending = [0, 1, 3, 4]  # 2 twists the boom
    np.testing.assert_allclose(found.frequencies_hz[1:], fixed.frequencies_hz[bending], rtol=1e-6)
    np.testing.assert_allclose(found.damping_ratios[1:], fixed.damping_ratios[bending], rtol=1e-5, atol=1e-9)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("divisions", [3, 12])
@pytest.mark.parametrize("count", [None, 1, 6])
def test_a_membrane_without_stress_says_that_nothing_resists(divisions, count):
    m = Model()
    mesh = {"kind": "plate", "length": 1, "width": 1, "divisions": [divisions] * 2}
    film = {"mesh": mesh, "thickness": 5e-4, "material": {"young": 5e7, "poisson": 0.3, "density": 1000}}
    edges = dict.fromkeys(("left", "right", "top", "bottom"), "ground")
    m.membrane("film", attach=edges, **film)
    found = m.modes(count)
    free = (divisions - 1) ** 2  # one motion across for every node within
    assert (found.frequencies_hz == 0.0).sum() == min(free, count or free, len(found.frequencies_hz))
    assert not found.unstable.any()
    (note,) = found.notes
    assert "'film'" in note
    assert "tension" in note
    m = Model()
    m.membrane("film", attach=edges, tension=(100, 100), **film)
    assert m.modes(1).frequencies_hz[0] > 1.0
    assert not m.modes(1).notes


def test_modes_of_what_moves_say_that_speed_is_left_out():
    m = Model(gravity=(0, 0, -9.81))
    m.rigid("bar", at=(0, 0, -0.5), mass=1, inertia=(0.1, 0.1, 0.01), angular_velocity=(0, 3, 0), velocity=(-1.5, 0, 0))
    m.revolute("hinge", "ground", "bar", at=(0, 0, 0), axis="y")
    (note,) = m.modes().notes
    assert "1.5 m/s" in note
    assert "3 rad/s" in note
    (note,) = m.modes(state=m.simulate("0.1 s")).notes
    assert "at rest" in note
    assert not m.set("bodies.bar.velocity", [0, 0, 0]).set("bodies.bar.angular_velocity", [0, 0, 0]).modes().notes
