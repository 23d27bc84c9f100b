"""Flexible bodies that are rigid for a stage and flexible again."""

import numpy as np
import pytest

from tapespring import Model
from tapespring.schema.problems import ModelError

STEEL = {"young": "200 GPa", "poisson": 0.3, "density": 7800}
STRIP = {"kind": "strip", "length": 0.4, "width": 0.02, "divisions": [8, 2]}
BLOCK = {"kind": "box", "length": 0.4, "width": 0.02, "height": 0.004, "divisions": [8, 1, 1]}


def cantilever(kind):
    """Clamped, with a load at its end."""
    m = Model("cantilever")
    if kind == "beam":
        section = {"kind": "rectangle", "width": 0.02, "thickness": 0.004}
        m.beam("leaf", path=[[0, 0, 0], [0.4, 0, 0]], section=section, material=STEEL, elements=8)
        m.fixed("clamp", "ground", "leaf.start")
        m.load("pull", "leaf.end", force=[0, 0, "10*t"])
        return m
    if kind == "shell":
        m.shell("leaf", mesh=STRIP, thickness=0.004, material=STEEL)
    else:
        m.solid("leaf", mesh=BLOCK, material=STEEL)
    m.support("clamp", "leaf.start" if kind == "shell" else "leaf.x0")
    m.spread_load("pull", "leaf.end" if kind == "shell" else "leaf.x1", force=[0, 0, "10*t"])
    return m


def end_of(results, kind):
    if kind == "beam":
        return results["leaf.end.position"].values
    return results["leaf.positions"].values[:, -3:]


@pytest.mark.parametrize("kind", ["beam", "shell", "solid"])
def test_a_bent_leaf_held_rigid_springs_back_as_if_it_had_never_been(kind):
    bend = {"solver": "quasi-static", "duration": 1, "outputs": 2}
    spring = {"solver": "implicit", "step": 1e-4, "duration": 0.01, "outputs": 10, "without": ["pull"]}
    hold = {"solver": "implicit", "step": 1e-3, "duration": 0.02, "outputs": 2, "without": ["pull"], "rigid": ["leaf"]}
    at_once = cantilever(kind).set("simulate", {"stages": [bend, spring]}).simulate()
    later = cantilever(kind).set("simulate", {"stages": [bend, hold, spring]}).simulate()
    assert later.status.complete
    bent = end_of(later, kind)[2]
    assert bent[2] > 0.005
    np.testing.assert_allclose(end_of(later, kind)[3:6], np.tile(bent, (3, 1)), atol=1e-10)
    np.testing.assert_allclose(end_of(later, kind)[6:], end_of(at_once, kind)[3:], atol=2e-7)
    assert later.audit.strain[5] == pytest.approx(later.audit.strain[2], rel=1e-9)  # kept while rigid
    assert later.audit.relative < 1e-4


@pytest.mark.parametrize("solver", ["implicit", "explicit", "ode"])
def test_a_free_rigid_boom_turns_steadily_and_keeps_its_momentum(solver):
    """Spun about a principal axis; then it bends no more than the spin stretches it."""
    m = Model("boom")
    m.beam("boom", path=[[0, 0, 0], [1, 0, 0]], section={"kind": "circle", "radius": 0.01}, material=STEEL, elements=4,
           velocity=[0.3, 0, 0], angular_velocity=[0, 0, 2.0])  # fmt: skip
    hold = {"solver": solver, "duration": 0.5, "outputs": 5, "rigid": ["boom"]}
    if solver == "implicit":
        hold["step"] = 1e-3
    free = {"solver": "implicit", "step": 1e-4, "duration": 0.05, "outputs": 5}
    r = m.set("simulate", {"stages": [hold, free]}).simulate()
    middle = [0.5 + 0.3 * 0.5, 1.0 * 0.5]
    a, b = (r[f"boom.{end}.position"].values[5] for end in ("start", "end"))
    assert 0.5 * (a + b)[:2] == pytest.approx(middle, abs=1e-6)
    assert (b - a)[:2] == pytest.approx([np.cos(1.0), np.sin(1.0)], abs=2e-6)
    assert np.isnan(r["boom.strain_energy"].values[5])
    c, d = (r[f"boom.{end}.velocity"].values[-1] for end in ("start", "end"))
    assert 0.5 * (c + d)[:2] == pytest.approx([0.3, 1.0], abs=1e-6)
    assert r.audit.relative < 1e-5


def test_momentum_stays_and_motion_within_is_lost():
    """A free boom is pushed at one end for 10 ms and shakes; made rigid, its centre goes on with F t / m and its moment
    of momentum is F t L / 2."""
    force, time, length = 5.0, 0.01, 1.0
    m = Model("boom")
    m.beam("boom", path=[[0, 0, 0], [length, 0, 0]], section={"kind": "circle", "radius": 0.005}, material=STEEL,
           elements=8)  # fmt: skip
    m.load("push", "boom.end", force=[0, 0, force])
    steps = {"solver": "implicit", "step": 1e-4, "outputs": 10}
    stages = [
        {"duration": time, **steps},
        {"duration": 0.01, "rigid": ["boom"], "without": ["push"], **steps},
        {"duration": 0.01, "without": ["push"], **steps},
    ]
    r = m.set("simulate", {"stages": stages}).simulate()
    mass = 7800 * np.pi * 0.005**2 * length
    nodes = r["boom.positions"].values[11:22].reshape(11, 9, 3)
    share = np.array([0.5, *[1.0] * 7, 0.5]) / 8.0
    way = share @ (nodes[-1, :, 2] - nodes[0, :, 2])
    assert way == pytest.approx(force * time / mass * 0.01, rel=1e-9)
    turned = np.arctan2(*(nodes[:, -1] - nodes[:, 0])[:, [2, 0]].T)
    inertia = mass * (share @ (np.arange(9) / 8.0 - 0.5) ** 2) * length**2
    assert turned[-1] - turned[0] == pytest.approx(force * time * length / 2.0 / inertia * 0.01, rel=1e-3)
    assert r.audit.impacts[10] == 0.0
    rigid = 0.5 * (force * time) ** 2 / mass + 0.5 * (force * time * length / 2.0) ** 2 / inertia
    assert r.audit.kinetic[11] == pytest.approx(rigid, rel=1e-3)
    assert r.audit.impacts[-1] == pytest.approx(r.audit.kinetic[10] - r.audit.kinetic[11], rel=1e-9)
    assert r.audit.impacts[-1] > 1e-2 * rigid
    assert r.audit.work_loads[-1] == pytest.approx(r.audit.work_loads[10], rel=1e-9)
    assert r.audit.relative < 1e-4
    assert any("boom became rigid" in note for note in r.notes)


def test_what_a_mesh_is_attached_to_is_rigid_with_it():
    """A tube with a tip mass swings about a hinge as a rigid pendulum, sqrt(m g s / J) from the masses of its nodes."""
    m = Model("pendulum", gravity=(0, 0, -9.81))
    spin = [0, 0.01, 0]
    m.rigid("hub", mass=0.1, inertia=[1e-4] * 3, angular_velocity=spin)
    m.rigid("tip", at=(0, 0, -0.5), mass=0.5, inertia=[1e-4] * 3, velocity=(-0.005, 0, 0), angular_velocity=spin)
    mesh = {"kind": "tube", "radius": 0.01, "length": 0.5, "divisions": [6, 4], "orientation": {"z": [0, 0, -1]}}
    m.shell("rod", mesh=mesh, thickness=1e-3, material=STEEL, attach={"bottom": "hub", "top": "tip"},
            angular_velocity=spin)  # fmt: skip
    m.revolute("hinge", "ground", "hub", at=(0, 0, 0), axis="y")
    r = m.set("simulate", {"stages": [{"duration": 2, "solver": "ode", "rigid": ["rod"]}]}).simulate()
    sides = 6 * 2 * 0.01 * np.sin(np.pi / 6)
    ring = 7800 * 1e-3 * sides * 0.125 * np.array([0.5, 1, 1, 1, 0.5])
    z = 0.125 * np.arange(5)
    across = (ring * (z**2 + 0.5 * 0.01**2)).sum() + ring.sum() * 1e-3**2 / 12.0
    inertia = 2e-4 + 0.5 * 0.25 + across
    omega = np.sqrt(9.81 * (ring @ z + 0.25) / inertia)
    wanted = -0.5 * 0.01 * np.sin(omega * r.time) / omega
    np.testing.assert_allclose(r["tip.position.x"].values, wanted, atol=5e-3 * 0.005 / omega)


def test_what_cannot_be_rigid_is_told():
    def staged(**stage):
        return cantilever("beam").set("simulate", {"stages": [{"duration": 1, **stage}]})

    with pytest.raises(ModelError, match=r"no body 'laef' to make rigid; did you mean 'leaf'"):
        staged(rigid=["laef"]).simulate()
    m = cantilever("beam")
    m.rigid("stone", mass=1, inertia=[1, 1, 1], at=(1, 1, 1))
    with pytest.raises(ModelError, match="'stone' is not flexible"):
        m.set("simulate", {"stages": [{"duration": 1, "rigid": ["stone"]}]}).simulate()
