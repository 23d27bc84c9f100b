"""Positions of rest with closed forms, from starts far away."""

import numpy as np
import pytest

from tapespring import Model
from tapespring.build.builder import build
from tapespring.solve.equilibrium import find_equilibrium
from tapespring.solve.modes import find_modes

G = 9.81
NEAR = 1e-8  # forces balance to 1e-10 of the weight; a pendulum's angle is as accurate


def rest_of(model, t=0.0):
    assembler, _ = build(model, ".", 1.0)
    system = assembler.finish()
    found = find_equilibrium(system, system.q0, t)
    return system, found


def pendulum(at):
    m = Model(name="pendulum", gravity=(0, 0, -G))
    bob = m.point_mass("bob", mass=2.0, at=at)
    m.distance("rod", m.ground, bob)
    return m


@pytest.mark.parametrize("at", [(1, 0, 0), (0.6, 0, 0.8), (0.3, 0.9, 0.2), (0, 0, 1)], ids=str)
def test_pendulum_hangs(at):
    """From the side, from above, in space, and from its unstable position."""
    _, found = rest_of(pendulum(at))
    assert found.converged, found.message
    length = np.linalg.norm(at)
    assert found.q == pytest.approx([0, 0, -length], abs=NEAR)
    assert np.abs(found.multiplier) == pytest.approx([2.0 * G], rel=NEAR)
    assert found.iterations < 60
    assert ("leaving" in found.message) == (at == (0, 0, 1))


def test_physical_pendulum_hangs():
    m = Model(name="bar", gravity=(0, 0, -G))
    bar = m.rigid("bar", at=(0.5, 0, 0), mass=3.0, inertia=[0.1, 0.2, 0.25, 0.01, 0.02, -0.01])
    m.revolute("hinge", m.ground, bar, at=(0, 0, 0), axis="y")
    _, found = rest_of(m)
    assert found.converged, found.message
    assert found.q[:3] == pytest.approx([0, 0, -0.5], abs=NEAR)


def test_mass_on_spring():
    m = Model(name="spring", gravity=(0, 0, -G))
    mass = m.point_mass("mass", mass=1.0, at=(0, 0, -0.5))
    m.spring("coil", m.ground, mass, stiffness=200, damping=1, free_length=0.4)
    _, found = rest_of(m)
    assert found.converged, found.message
    assert found.q == pytest.approx([0, 0, -0.4 - G / 200], abs=NEAR)


def test_engine_on_mount():
    """80 kg on 400 kN/m, 0.2 m over the mount: straight down."""
    m = Model(name="engine", gravity=(0, 0, -G))
    engine = m.rigid("engine", mass=80, inertia=[4, 5, 3])
    m.bushing("mount", m.ground, engine, at=(0, 0, -0.2), stiffness=[2e5, 2e5, 4e5, 5e3, 5e3, 2e3])
    _, found = rest_of(m)
    assert found.converged, found.message
    assert found.q == pytest.approx([0, 0, -80 * G / 4e5, 1, 0, 0, 0], abs=1e-12)


@pytest.mark.parametrize("rigid", [False, True], ids=["beads", "bars"])
def test_chain_of_20_links(rigid):
    """From a straight horizontal line to straight down; tensions are the weights below."""
    m = Model(name="chain", gravity=(0, 0, -G))
    before, links = m.ground, 20
    for k in range(links):
        if rigid:
            bar = m.rigid(f"bar{k}", at=(k + 0.5, 0, 0), mass=1, inertia=[0.01, 0.083, 0.083])
            m.revolute(f"hinge{k}", before, bar, at=(k, 0, 0), axis="y")
            before = bar
        else:
            bead = m.point_mass(f"bead{k}", mass=1, at=(k + 1.0, 0, 0))
            m.distance(f"rod{k}", before, bead)
            before = bead
    system, found = rest_of(m)
    assert found.converged, found.message
    x = found.q.reshape(links, -1)
    assert x[:, 0] == pytest.approx(np.zeros(links), abs=1e-6)
    assert x[:, 2] == pytest.approx(-np.arange(links) - (0.5 if rigid else 1.0), abs=1e-6)
    if not rigid:
        owners = [int(system.row_owner(r).owner.removeprefix("rod")) for r in range(links)]
        assert np.abs(found.multiplier) == pytest.approx([G * (links - k) for k in owners], rel=1e-6)


def test_catenary():
    """A bead in the middle of two springs sags until they carry it."""
    m = Model(name="sagging", gravity=(0, 0, -G))
    bead = m.point_mass("bead", mass=1, at=(0, 0, 0))
    for k, x in enumerate((-1.0, 1.0)):
        m.spring(f"s{k}", {"on": "ground", "at": [x, 0, 0]}, bead, stiffness=30, free_length=1.0)
    _, found = rest_of(m)
    assert found.converged, found.message
    z = -found.q[2]
    length = np.hypot(1, z)
    assert 2 * 30 * (length - 1) * z / length == pytest.approx(G, rel=1e-8)
    assert z > 0


def test_follower_load_holds_a_bar_aslant():
    """A force across the bar's end, turning with it: sin(angle) = 2 F / (m g)."""
    m = Model(name="follower", gravity=(0, 0, -G))
    bar = m.rigid("bar", at=(0, 0, -0.5), mass=2.0, inertia=[0.2, 0.2, 0.01])
    m.revolute("hinge", m.ground, bar, at=(0, 0, 0), axis="y")
    m.load("push", bar.at(0, 0, -0.5), force=(4.0, 0, 0), axes="body")
    _, found = rest_of(m)
    assert found.converged, found.message
    assert found.q[0] / 0.5 == pytest.approx(2 * 4.0 / (2.0 * G), rel=NEAR)


def test_twist_beyond_one_turn_is_counted():
    """A dead torque of 8 N m on 1 N m/rad: 8 rad."""
    m = Model(name="wound up")
    disc = m.rigid("disc", mass=1, inertia=[0.01, 0.01, 0.02])
    m.revolute("bearing", m.ground, disc, at=(0, 0, 0), axis="z")
    m.torsion_spring("wire", joint="bearing", stiffness=1.0)
    m.load("torque", disc, torque=(0, 0, 8.0))
    _, found = rest_of(m)
    assert found.converged, found.message
    assert np.abs(found.q[3:]) == pytest.approx(np.abs([np.cos(4.0), 0, 0, np.sin(4.0)]), abs=NEAR)


def test_drive_at_a_time():
    m = Model(name="driven", gravity=(0, 0, -G))
    bar = m.rigid("bar", at=(0, 0, -0.5), mass=2.0, inertia=[0.2, 0.2, 0.01])
    m.revolute("hinge", m.ground, bar, at=(0, 0, 0), axis="y")
    m.motion("motor", "hinge", value="0.5*t")
    _, found = rest_of(m, t=1.0)
    assert found.converged, found.message
    assert abs(found.q[0]) == pytest.approx(0.5 * np.sin(0.5), rel=NEAR)


def test_free_body_is_named():
    m = Model(name="falling", gravity=(0, 0, -G))
    m.point_mass("held", mass=1, at=(1, 0, 0))
    m.distance("rod", m.ground, "held")
    m.rigid("stone", at=(2, 0, 0), mass=1, inertia=[0.1, 0.1, 0.1])
    _, found = rest_of(m)
    assert not found.converged
    assert "'stone' moves freely" in found.message
    assert "9.81 N" in found.message


def test_turning_motor_is_named():
    m = Model(name="motor")
    rotor = m.rigid("rotor", mass=1, inertia=[0.01, 0.01, 0.02])
    m.revolute("shaft", m.ground, rotor, at=(0, 0, 0), axis="z")
    m.joint_torque("motor", "shaft.angle", value="0.1 - 0.01*v")
    _, found = rest_of(m)
    assert not found.converged
    assert "'rotor' turns freely" in found.message


def test_body_without_forces_rests_where_it_is():
    m = Model(name="puck", gravity=(0, 0, -G))
    puck = m.rigid("puck", mass=0.16, inertia=[1e-4, 1e-4, 2e-4])
    m.planar("ice", m.ground, puck, axis="z")
    system, found = rest_of(m)
    assert found.converged
    assert found.q == pytest.approx(system.q0, abs=1e-12)


def test_modes_at_the_position_found():
    system, found = rest_of(pendulum((1, 0, 0)))
    modes = find_modes(system, found.q, multiplier=found.multiplier)
    assert modes.frequencies_hz == pytest.approx([np.sqrt(G) / (2 * np.pi)], rel=NEAR)


def test_column_buckles():
    """A bar upright on a torsion spring softer than m g h: it leans until k angle = m g h sin(angle)."""
    m = Model(name="column", gravity=(0, 0, -G))
    bar = m.rigid("bar", at=(0, 0, 0.5), mass=2.0, inertia=[0.2, 0.2, 0.01])
    m.revolute("hinge", m.ground, bar, at=(0, 0, 0), axis="y")
    m.torsion_spring("root", joint="hinge", stiffness=6.0)
    system, found = rest_of(m)
    assert find_modes(system, system.q0).unstable.tolist() == [True]
    assert found.converged, found.message
    assert "leaving an unstable one" in found.message
    angle = np.arctan2(abs(found.q[0]), found.q[2])
    assert 6.0 * angle == pytest.approx(2.0 * G * 0.5 * np.sin(angle), rel=1e-8)
    assert angle > 1.0
    assert not find_modes(system, found.q).unstable.any()


def test_many_turns():
    """40 N m on 0.2 N m/rad: 200 rad, far beyond where a loose body would have been given up."""
    m = Model(name="clockwork")
    disc = m.rigid("disc", mass=1, inertia=[0.01, 0.01, 0.02])
    m.revolute("bearing", m.ground, disc, at=(0, 0, 0), axis="z")
    m.torsion_spring("wire", joint="bearing", stiffness=0.2)
    m.load("torque", disc, torque=(0, 0, 40.0))
    _, found = rest_of(m)
    assert found.converged, found.message
    assert np.abs(found.q[3:]) == pytest.approx(np.abs([np.cos(100.0), 0, 0, np.sin(100.0)]), abs=1e-7)


def test_closed_loop_with_redundant_hinges():
    """A parallelogram of three bars, hinged in space: the coupler hangs straight below its supports."""
    m = Model(name="swing", gravity=(0, 0, -G))
    inertia = [0.1, 0.1, 0.1, 0.01, 0.005, 0.002]
    left = m.rigid("left", at=(0.3, 0, -0.4), mass=1, inertia=inertia)
    right = m.rigid("right", at=(2.3, 0, -0.4), mass=1, inertia=inertia)
    seat = m.rigid("seat", at=(1.6, 0, -0.8), mass=5, inertia=inertia)
    for name, a, b, at in (
        ("a", m.ground, left, (0, 0, 0)),
        ("b", m.ground, right, (2, 0, 0)),
        ("c", left, seat, (0.6, 0, -0.8)),
        ("d", right, seat, (2.6, 0, -0.8)),
    ):
        m.revolute(name, a, b, at=at, axis="y")
    system, found = rest_of(m)
    assert len(system.tables.rows) == 20
    assert found.converged, found.message
    node = next(n for n, draft in enumerate(system.drafts.nodes) if draft.label == "seat")
    first = system.tables.nodes[node]["q"]
    assert found.q[first : first + 3] == pytest.approx([1, 0, -1], abs=1e-8)
