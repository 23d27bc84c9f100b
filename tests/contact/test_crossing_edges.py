"""Edges of sheets that cross between their nodes: closed forms, momenta, energy, sides."""

import numpy as np
import pytest

from tapespring import Model

K, THICK, LOW = 200.0, 1e-3, 0.8e-3  # N/m, m, m: height at which sheets are 0.2 mm within each other
DEPTH = THICK - LOW
FILM = {"young": "1 MPa", "poisson": 0.3, "density": "1000 kg/m^3"}


def wedge(edge, apex) -> dict:
    """A triangle that touches with one of its edges."""
    return {"kind": "points", "nodes": [*edge, apex], "triangles": [[0, 1, 2]]}


def wedges(height=LOW, angle=90.0, at=(0.0, 0.0), stiffness=K, apex=(0.0, 0.1), **contact) -> Model:
    """The lower edge of a triangle that can move across the upper edge of a fixed one, where that is `at` from its
    middle. The apex of one is this (y, z) from there, of the other on the opposite side."""
    m = Model(name="wedges", gravity=(0, 0, 0))
    x, y = at
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    ends = [[x + (r - y) * c, (r - y) * s, height] for r in (-0.1, 0.1)]
    low = wedge([[-0.1, 0, 0], [0.1, 0, 0]], [0, -apex[0], -apex[1]])
    m.rigid("body", at=[0, 0, 1], mass=1, inertia=[1, 1, 1])
    up = wedge([[p[0], p[1], p[2] - 1] for p in ends], [x, apex[0], apex[1] + height - 1])
    sides = [{"kind": "mesh", "on": n, "mesh": w, "thickness": THICK} for n, w in (("ground", low), ("body", up))]
    m.contact(
        "touch", between=sides, law={"kind": "linear", "stiffness": stiffness}, overlap="keep", edges=True, **contact
    )
    return m


def with_velocity(m: Model, velocity) -> None:
    m.entities["bodies"]["body"] = m.entities["bodies"]["body"].model_copy(update={"velocity": velocity})


def at_once(m: Model):
    return m.simulate("1 us", solver="explicit", outputs=2, step=1e-6)


@pytest.mark.parametrize("angle", [90.0, 40.0, 130.0])
def test_gap_force_and_point_are_those_of_two_lines(angle):
    run = at_once(wedges(LOW, angle, (0.03, 0.02)))
    assert run["touch.gap"].values[0] == pytest.approx(-DEPTH, rel=1e-12)
    assert run["touch.force"].values[0] == pytest.approx([0, 0, K * DEPTH], rel=1e-12, abs=1e-15)
    assert run["touch.point"].values[0] == pytest.approx([0.03, 0, 0.5 * LOW], rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("angle", [90.0, 3.0])
def test_a_sheet_that_has_come_through_is_pushed_back(angle):
    """Below zero the gap goes on: the law knows no other side as long as edges cross."""
    stiffness, speed = 2e4, 1.0
    m = wedges(1.01 * THICK, angle, stiffness=stiffness)
    with_velocity(m, (0.0, 0.0, -speed))
    run = m.simulate("40 ms", solver="explicit", outputs=400)
    assert run["touch.gap"].values.min() == pytest.approx(-speed / np.sqrt(stiffness), rel=1e-3)  # seven thicknesses
    assert run["body.velocity.z"].final == pytest.approx(speed, rel=1e-4)


def test_towards_the_end_of_an_edge_a_crossing_fades():
    """As a cubic over 0.4 thicknesses, where the node at the end takes over."""
    for x, share in ((2.0, 1.0), (0.4, 1.0), (0.3, 0.75**2 * 1.5), (0.2, 0.5), (0.04, 0.1**2 * 2.8), (-0.1, 0.0)):
        node = max(THICK - np.hypot(LOW, x * THICK), 0.0)
        run = at_once(wedges(at=(0.1 - x * THICK, 0.0)))
        assert run["touch.normal"].values[0] == pytest.approx(K * (share * DEPTH + node), rel=1e-9)


def test_to_get_through_near_an_end_costs_as_much_as_elsewhere():
    """Half way through an edge's crossing and the node at its end store what a crossing in the middle does, to 6 %."""
    for x in (0.0, 0.03, 0.06, 0.1, 0.2, 0.3, 0.5, 2.0):
        strain = at_once(wedges(1e-9, at=(0.1 - x * THICK, 0.0))).audit.strain[0]
        assert strain >= 0.94 * 0.5 * K * THICK**2


@pytest.mark.parametrize("angle", [0.02, 0.15, 0.18, 0.22, 0.26, 0.3, 1.0, 5.0, 12.0])
def test_edges_along_each_other_touch_with_nodes_before_their_crossing_fades(angle):
    """It does where they spread by less than a thickness, and the four nodes at their ends are there before."""
    spread = 0.2 * np.sin(np.radians(angle))
    x = np.clip(((2.0 * spread / THICK) ** 2 - 1.0) / 3.0, 0.0, 1.0)
    nodes = 4.0 * max(THICK - np.hypot(LOW, 0.5 * spread), 0.0)
    normal = at_once(wedges(angle=angle))["touch.normal"].values[0]
    assert normal == pytest.approx(K * (x**2 * (3.0 - 2.0 * x) * DEPTH + nodes), rel=1e-6)
    assert normal >= K * DEPTH * (1.0 - 1e-9)


def test_edges_that_turn_past_each_other_within_a_step_keep_their_sides():
    step, turn = 1e-3, np.radians(1.0)
    m = wedges(angle=3.5, apex=(0.1, 0.0))
    spin = {"velocity": (0.0, 0.0, 0.0), "angular_velocity": (0.0, 0.0, -turn / step)}
    m.entities["bodies"]["body"] = m.entities["bodies"]["body"].model_copy(update=spin)
    run = m.simulate("7 ms", solver="implicit", step=step, outputs=7)
    assert run["touch.gap"].values == pytest.approx(-DEPTH, rel=0.03)
    assert run["touch.force.z"].values.min() > 0.0


def test_friction_of_a_crossing_is_coulombs():
    m = wedges(friction={"coefficient": 0.3, "slip_speed": 1e-6})
    with_velocity(m, (0.1, 0.0, 0.0))
    assert at_once(m)["touch.force"].values[0] == pytest.approx([-0.3 * K * DEPTH, 0, K * DEPTH], rel=1e-9, abs=1e-12)


def strips(speed: float) -> Model:
    """Two films, each long and of few elements, the second across the first; their nodes are far from each other."""
    m = Model(name="strips", gravity=(0, 0, 0))
    for name, z, v, turn in (("low", 0.0, 0.5 * speed, {}), ("up", 2e-3, -0.5 * speed, {"x": "y", "y": "-x"})):
        mesh = {"kind": "plate", "length": 0.2, "width": 0.02, "divisions": [1, 1], "triangles": True}
        mesh |= {"origin": [-0.1, -0.01, z] if not turn else [0.013, -0.1, z]}
        if turn:
            mesh["orientation"] = turn
        m.membrane(name, mesh=mesh, thickness="1 mm", material=FILM, velocity=[0, 0, v])
    m.contact("touch", between=["low", "up"], law={"kind": "linear", "stiffness": 500.0}, edges=True)
    return m


LOOPS = {"explicit": {"step": 2e-6}, "implicit": {"step": 2e-5, "dissipation": 0.0}}


@pytest.mark.parametrize("solver", list(LOOPS))
def test_crossed_strips_bounce_without_loss(solver):
    """All that touches are edges: energy, momentum and angular momentum stay, though the middle came through."""
    run = strips(1.0).simulate("20 ms", solver=solver, outputs=40, **LOOPS[solver])
    assert run["touch.normal"].max() > 0.0
    assert run["touch.normal"].final == 0.0
    assert run["low.positions"].values[-1].reshape(-1, 3)[:, 2].mean() < -1e-3  # thrown back
    a = run.audit
    total = a.kinetic + a.strain + a.numerical + a.impacts
    assert np.abs(total - total[0]).max() < 2e-3 * a.kinetic[0]
    size = 0.2 * 0.02 * 1e-3 * 1000.0 * 0.5
    assert np.abs(run["system.momentum"].values).max() < 1e-9 * size
    turning = run["system.angular_momentum"].values
    assert np.abs(turning - turning[0]).max() < 1e-6 * size * 0.1


def test_a_sheet_does_not_cross_its_own_neighbours():
    m = Model(name="sheet", gravity=(0, 0, 0))
    mesh = {"kind": "plate", "length": 0.2, "width": 0.2, "divisions": [5, 5], "triangles": True}
    m.membrane("sheet", mesh=mesh, thickness="30 mm", material=FILM)
    m.contact("itself", among=["sheet"], law={"kind": "linear", "stiffness": K}, edges=True)
    assert at_once(m)["itself.normal"].values[0] == 0.0


@pytest.mark.parametrize("margin", [0.0, 2e-3])
@pytest.mark.parametrize("solver", ["explicit", "implicit"])
@pytest.mark.parametrize("way", ["off the end", "alongside"])
def test_a_crossing_that_fades_gives_back_what_it_stores(way, solver, margin):
    """An edge slides over the end of another one, or turns until it lies along it: energy stays."""
    if way == "off the end":
        m = wedges(at=(0.095, 0.0))
        with_velocity(m, (0.5, 0.0, 0.0))
    else:
        m = wedges(angle=2.0)
        spin = {"angular_velocity": (0.0, 0.0, -np.radians(100.0))}
        m.entities["bodies"]["body"] = m.entities["bodies"]["body"].model_copy(update=spin)
    m = m.set("contacts.touch.law", {"kind": "nonlinear", "stiffness": K, "n": 1, "p": 1, "margin": margin})
    run = m.simulate("30 ms", solver=solver, outputs=60, step=2e-6 if solver == "explicit" else 1e-5)
    stored = 0.5 * K * (DEPTH + margin) ** 2
    assert run.audit.strain[0] == pytest.approx(stored, rel=1e-9)
    assert np.ptp(run.audit.strain) > 0.5 * stored  # it did fade
    assert np.abs(run.audit.residual).max() < 1e-4 * stored


@pytest.mark.parametrize("solver", ["explicit", "implicit"])
def test_an_edge_may_pass_round_another_one_with_its_end(solver):
    """Two triangles with a common corner P: as one of them collapses P goes round its opposite side, and with it an
    edge of the other, from above to below. Once it wholly crosses there, it is on the lower side."""
    up, way, P = 3.0 * THICK, 2.8 * THICK, (0.0, 2.6 * THICK, 3.0 * THICK)
    nodes = [P, (-0.1, 0, 0), (0.1, 0, 0), (0, 0.1, up), (0.05, 0.15, up)]
    m = Model(name="bow tie", gravity=(0, 0, 0))
    m.rigid("mover", at=P, mass=1e6, inertia=[1e6] * 3, velocity=[0, -way, -up])  # m/s: past the side within 1 s
    groups = {"held": [1, 2], "moved": [0, 3, 4]}
    mesh = {"kind": "points", "nodes": [list(p) for p in nodes], "triangles": [[0, 1, 2], [0, 3, 4]], "groups": groups}
    attach = {"held": "ground", "moved": "mover"}
    m.membrane("tie", mesh=mesh, thickness=THICK, material=FILM | {"young": "1 kPa"}, attach=attach)
    m.contact("itself", among=["tie"], law={"kind": "linear", "stiffness": 1e-3}, edges=True)
    run = m.simulate("2 s", solver=solver, outputs=200, step=1e-3)
    gap, apart = run["itself.gap"].values, np.abs(run["mover.position.z"].values) - THICK
    assert run["itself.normal"].max() > 0.0  # they do touch on the way
    assert run["mover.position.z"].final == pytest.approx(-up, rel=1e-3)
    assert gap[-1] == pytest.approx(apart[-1], rel=1e-3)


@pytest.mark.parametrize("solver", ["explicit", "implicit"])
def test_an_element_at_a_hem_does_not_turn_inside_out(solver):
    """A slack triangle whose corner flies at its opposite side, a hem: it is thrown back from a thickness before it."""
    m = Model(name="flap", gravity=(0, 0, 0))
    m.rigid("mover", at=(0, 0.05, 0), mass=1e-3, inertia=[1e-6] * 3, velocity=[0, -1, 0])
    nodes = [[-0.1, 0, 0], [0.1, 0, 0], [0, 0.05, 0]]
    mesh = {"kind": "points", "nodes": nodes, "triangles": [[0, 1, 2]], "groups": {"hem": [0, 1], "far": [2]}}
    film = {"thickness": THICK, "wrinkles": True, "material": FILM | {"young": "1 Pa", "density": "1e-3 kg/m^3"}}
    m.membrane("film", mesh=mesh, attach={"hem": "ground", "far": "mover"}, **film)
    m.contact("itself", among=["film"], law={"kind": "linear", "stiffness": 1e5}, edges=True)
    run = m.simulate("80 ms", solver=solver, outputs=400, step=1e-6 if solver == "explicit" else 1e-5)
    reached, speed = run["mover.position.y"].values.min(), run["mover.velocity.y"].final
    assert reached == pytest.approx(THICK - np.sqrt(1e-3 / 1e5), rel=0.02)  # ½ m v² = ½ k δ²
    assert speed == pytest.approx(1.0, rel=5e-3)
