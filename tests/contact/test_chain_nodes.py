"""Where a surface passes from one element of a rod to the next, in the hollow of its bend as well as over its crest."""

from math import atan, cos, hypot, sqrt

import numpy as np
import pytest

import tapespring as ts

STIFFNESS, BALL, ROD, REACH, RISE = 1e6, 10e-3, 5e-3, 0.2, 0.02
BOTH = BALL + ROD
TIMES = tuple(1e-5 * k for k in range(3001))
STEPS = {"implicit": {"step": 1e-5, "dissipation": 1.0}, "explicit": {}, "ode": {}}
SURFACES = {
    "ball": {"kind": "sphere", "on": "ball", "radius": BALL},
    "bar": {"kind": "capsule", "on": "ball", "at": [0, -0.05, 0], "to": [0, 0.05, 0], "radius": BALL},
}


def bent_rod(model, name="rod", rise=RISE, turned=False, high=0.0, young="70 GPa"):
    """Two elements that fall to the origin and rise again, along x or y."""
    ends = [[-REACH, 0, high + rise], [0, 0, high], [REACH, 0, high + rise]]
    path = [[y, x, z] for x, y, z in ends] if turned else ends
    model.beam(
        name, path={"kind": "polyline", "points": path}, elements=2, section={"kind": "circle", "radius": ROD},
        material={"young": young, "poisson": 0.3, "density": 2700}, markers={"at_node": "50 %"},
    )  # fmt: skip


def passing(surface="ball", rise=RISE, friction=None, speed=1.0):
    """Something heavy slides down the first element and up the second."""
    m = ts.Model("over a node", gravity=(0, 0, -200))
    bent_rod(m, rise=rise)
    m.fixed("left", "ground", "rod.start")
    m.fixed("right", "ground", "rod.end")
    slope = -rise / REACH
    along, up = np.array([1, 0, slope]) / hypot(1, slope), np.array([-slope, 0, 1]) / hypot(1, slope)
    at = np.array([-0.03, 0, -0.03 * slope]) + BOTH * up
    m.rigid("ball", at=at, mass=1.0, inertia=[1e-3] * 3, velocity=speed * along - 0.1 * up)
    rub = {} if friction is None else {"friction": friction}
    m.contact("touch", between=[SURFACES[surface], "rod"], law={"kind": "linear", "stiffness": STIFFNESS}, **rub)
    return m


def at_the_node(results):
    """Index of the first output after the node, where the surfaces are within each other."""
    k = int(np.argmax(results["ball.position.x"].values > 0.0))
    assert k > 0
    assert results["touch.normal"].values[k - 1 : k + 2].min() > 50.0
    return k


@pytest.mark.parametrize("solver", STEPS)
@pytest.mark.parametrize("surface", SURFACES)
def test_energy_in_the_hollow_of_a_bend(surface, solver):
    """The deeper the surfaces, the more would appear as both elements touch: ½ k δ² = 0.07 J of the 1 J there is."""
    r = passing(surface).simulate(duration=0.06, outputs=400, solver=solver, **STEPS[solver])
    k = at_the_node(r)
    twice = r["touch.normal"].values[k] ** 2 / (2.0 * STIFFNESS)
    assert np.abs(r.audit.residual).max() < 1e-3 * twice
    assert r.audit.relative < 1e-5


@pytest.mark.parametrize("rise", [RISE, -RISE], ids=["hollow", "crest"])
@pytest.mark.parametrize("friction", [0.3, {"coefficient": 0.3, "slip_speed": "1 mm/s"}], ids=["sticking", "smoothed"])
def test_friction_over_a_node_is_that_of_one_contact(rise, friction):
    """It never takes more than its coefficient, and slides past the node with that."""
    r = passing(rise=rise, friction=friction, speed=3.0).simulate(duration=0.03, outputs=TIMES, solver="ode")
    assert r.audit.relative < 1e-8
    k = at_the_node(r)
    force, normal = r["touch.force"].values, r["touch.normal"].values
    # the force of two normals with their signs is less than the sum of both by the bend, 0.2, squared
    across = np.sqrt(np.maximum((force**2).sum(axis=1) - normal**2, 0.0))
    assert (across <= 0.3 * normal * 1.0001 + 0.21 * normal * (np.abs(r["ball.position.x"].values) < 4e-3)).all()
    assert np.abs(np.diff(normal[k - 300 : k + 300])).max() < 0.1 * normal[k]


def drawn(surface_at, rise, other=None, law=None):
    """(energy stored, normal force) in a contact as it is drawn."""
    m = ts.Model("as drawn", gravity=(0, 0, 0))
    bent_rod(m, rise=rise)
    if other is None:
        m.rigid("ball", at=surface_at, mass=1.0, inertia=[1e-3] * 3)
        other = SURFACES["ball"]
    m.contact("touch", between=[other, "rod"], law=law or {"kind": "linear", "stiffness": STIFFNESS}, overlap="keep")
    r = m.simulate(duration=1e-9, solver="explicit", outputs=1)
    return r["energy.strain"].values[0], r["touch.normal"].values[0]


def test_energy_of_a_ball_over_a_bend_has_no_jumps():
    """Both elements less the node, each by its distance: in the hollow, on the elements and on both borders."""
    slope = RISE / REACH
    bend = atan(slope)

    def stored(distance):
        return 0.5 * STIFFNESS * max(BOTH - distance, 0.0) ** 2

    found = []
    for x in np.linspace(-4e-3, 4e-3, 17):
        z = (BOTH - 1e-3) / cos(bend) + slope * abs(x)
        node = hypot(x, z)
        ways = [(side * x + slope * z) / sqrt(1 + slope**2) for side in (-1, 1)]  # along both elements from the node
        elements = [stored(sqrt(node**2 - max(way, 0.0) ** 2)) for way in ways]
        energy, _ = drawn([x, 0, z], RISE)
        assert energy == pytest.approx(sum(elements) - stored(node), rel=1e-9)
        found.append(energy)
    assert max(found) < 1.2 * min(found)  # both elements without the node: twice as much


def test_a_force_into_a_bend_is_held_at_the_depth_of_the_closed_form():
    """2 k (r - d cos φ) cos φ - k (r - d) = F with d from the node to the ball and elements that rise by φ."""
    m = ts.Model("in the hollow", gravity=(0, 0, -100))
    bent_rod(m, rise=0.1, young=7e16)
    for end in ("start", "end"):
        m.fixed(end, "ground", f"rod.{end}")
    slope, force = cos(atan(0.5)), 5000.0
    distance = (BOTH * (2 * slope - 1) - force / STIFFNESS) / (2 * slope**2 - 1)
    m.rigid("weight", at=[0, 0, distance], mass=force / 100, inertia=[1e-3] * 3)
    m.prismatic("guide", "ground", "weight", axis="z")
    ball = {"kind": "sphere", "on": "weight", "radius": BALL}
    m.contact("touch", between=[ball, "rod"], law={"kind": "linear", "stiffness": STIFFNESS}, overlap="keep")
    r = m.simulate(duration=1, solver="quasi-static", outputs=1)
    sunk = r["weight.position.z"].final - r["rod.at_node.position.z"].final
    assert sunk == pytest.approx(distance, abs=1e-7)
    normal = 2 * STIFFNESS * (BOTH - distance * slope) - STIFFNESS * max(BOTH - distance, 0.0)
    assert r["touch.normal"].final == pytest.approx(normal, rel=1e-4)


def hooked():
    """One bent rod lies across another and slides through its hollow: both touch with both elements."""
    tilt, begin, velocity = 0.05, -3e-3, [1.0, 0.3, -0.2]
    m = ts.Model("hooked", gravity=(0, 0, -100))
    bent_rod(m, rise=tilt * REACH)
    for end in ("start", "end"):
        m.fixed(end, "ground", f"rod.{end}")
    high = 2 * ROD * sqrt(1 + 2 * tilt**2) - tilt * begin  # just above the first element
    path = [[begin, y, high - tilt * abs(y)] for y in (-REACH, 0, REACH)]
    m.beam("hook", path={"kind": "polyline", "points": path}, elements=2, section={"kind": "circle", "radius": ROD},
           material={"young": "70 GPa", "poisson": 0.3, "density": 2700}, velocity=velocity)  # fmt: skip
    for end, at in (("start", path[0]), ("end", path[-1])):
        m.rigid(f"mass_{end}", at=at, mass=0.5, inertia=[1e-3] * 3, velocity=velocity)
        m.fixed(f"weld_{end}", f"hook.{end}", f"mass_{end}")
    law = {"kind": "linear", "stiffness": STIFFNESS}
    m.contact("touch", between=["rod", "hook"], law=law, lines="crossing")
    return m


@pytest.mark.parametrize("solver", STEPS)
def test_energy_of_rods_in_the_hollow_of_each_other(solver):
    r = hooked().simulate(duration=0.01, outputs=600, solver=solver, **STEPS[solver])
    twice = r["touch.normal"].max() ** 2 / (2.0 * STIFFNESS)
    assert twice > 0.001
    assert np.abs(r.audit.residual).max() < 2e-4 * twice


def test_what_hangs_in_the_hollow_of_the_other_is_one_contact():
    """Of four pairs of elements, two nodes of each and both: a hook over a bent rod, less bent than they are deep."""
    depth, tilt = 1e-4, 0.01
    m = ts.Model("hooked, as drawn", gravity=(0, 0, 0))
    bent_rod(m, "rod", tilt * REACH)
    high = 2 * ROD - depth
    bent_rod(m, "hook", -tilt * REACH, turned=True, high=high)
    m.contact("touch", between=["rod", "hook"], law={"kind": "linear", "stiffness": STIFFNESS}, overlap="keep")
    r = m.simulate(duration=1e-9, solver="explicit", outputs=1)

    def stored(distance):
        return 0.5 * STIFFNESS * max(2 * ROD - distance, 0.0) ** 2

    both = high / sqrt(1 + 2 * tilt**2)  # lines that rise along x and fall along y
    one = high / sqrt(1 + tilt**2)  # such a line and a node
    energy = 4 * stored(both) - 4 * stored(one) + stored(high)
    assert r["energy.strain"].values[0] == pytest.approx(energy, rel=1e-9)
    assert energy == pytest.approx(stored(high), rel=0.1)


def test_every_element_around_a_drum_bears():
    """Six elements tangent to a drum, deeper in it than their nodes are out: six contacts, nothing taken off."""
    depth, drum, sides = 2e-3, 0.05, 24
    reach = drum + ROD - depth
    turns = (np.arange(7) - 3) * 2 * np.pi / sides
    corners = reach / cos(np.pi / sides)
    assert corners < drum + ROD  # nodes are within it too
    m = ts.Model("round a drum", gravity=(0, 0, 0))
    path = [[corners * np.sin(a), 0, corners * np.cos(a)] for a in turns]
    m.beam("rod", path={"kind": "polyline", "points": path}, elements=6, section={"kind": "circle", "radius": ROD},
           material={"young": "70 GPa", "poisson": 0.3, "density": 2700})  # fmt: skip
    round_drum = {"kind": "capsule", "on": "ground", "at": [0, -0.1, 0], "to": [0, 0.1, 0], "radius": drum}
    law = {"kind": "linear", "stiffness": STIFFNESS}
    m.contact("touch", between=[round_drum, "rod"], law=law, overlap="keep")
    r = m.simulate(duration=1e-9, solver="explicit", outputs=1)
    assert r["touch.normal"].values[0] == pytest.approx(6 * STIFFNESS * depth, rel=1e-6)
    assert r["energy.strain"].values[0] == pytest.approx(3 * STIFFNESS * depth**2, rel=1e-6)
