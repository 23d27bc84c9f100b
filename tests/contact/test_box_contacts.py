"""Boxes on boxes and capsules on boxes: gaps against closed forms and a search of another kind; rest and sliding."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.spatial.transform import Rotation

import tapespring as ts

G = 9.81
LAW = {"kind": "linear", "stiffness": 1e5}
DAMPED = {"kind": "spring_dashpot", "stiffness": 1e5, "damping": 100.0}
BASE = {"kind": "box", "on": "ground", "at": [0, 0, -0.05], "size": [0.6, 0.5, 0.1]}


def gap_between(a, b, at, turn):
    """From surface a on ground to surface b on a body somewhere."""
    m = ts.Model("gap")
    x, y, z, w = turn.as_quat()
    m.rigid("body", at=tuple(at), orientation=(w, x, y, z), mass=1.0, inertia=(1, 1, 1))
    m.contact("touch", between=[a | {"on": "ground"}, b | {"on": "body"}], law=LAW, overlap="keep")
    return m.simulate(duration=1e-9, outputs=1)["touch.gap"].values[0]


def box(*size, rounding=0.01):
    return {"kind": "box", "size": size, "rounding": rounding}


def test_face_on_face():
    assert gap_between(box(1, 1, 1), box(0.6, 0.4, 0.2), (0.1, 0.2, 0.65), Rotation.identity()) == pytest.approx(0.05)


def test_corner_over_face():
    """A cube on its tip: its middle is √3/2 of an edge above the tip, of the cube within its rounding."""
    turn = Rotation.align_vectors([[0, 0, 1]], [np.ones(3) / np.sqrt(3.0)])[0]
    gap = gap_between(box(1, 1, 1), box(0.4, 0.4, 0.4, rounding=0.02), (0.1, -0.2, 1.0), turn)
    assert gap == pytest.approx(0.5 - 0.18 * np.sqrt(3.0) - 0.02, abs=1e-12)


def test_edge_across_edge():
    """An edge along z of one faces, towards x, an edge along y of the other."""
    m = ts.Model("gap")
    for name, x, turns in (("low", 0.0, [45, 0]), ("up", 0.8, [45, 90])):
        q = Rotation.from_euler("zx", turns, degrees=True).as_quat()  # long sides along z, and then along y
        m.rigid(name, at=(x, 0, 0), mass=1.0, inertia=(1, 1, 1), orientation=(q[3], *q[:3]))
    sides = [box(0.4, 0.4, 1.0) | {"on": name} for name in ("low", "up")]
    m.contact("touch", between=sides, law=LAW)
    gap = m.simulate(duration=1e-9, outputs=1)["touch.gap"].values[0]
    assert gap == pytest.approx(0.8 - 2 * 0.19 * np.sqrt(2.0) - 0.02, abs=1e-12)


def box_distance(half_a, half_b, at, turn):
    """Between two boxes, by a search over a point of each."""
    R = turn.as_matrix()
    found = minimize(
        lambda p: np.sum((p[:3] - at - R @ p[3:]) ** 2), np.zeros(6), method="SLSQP",
        jac=lambda p: 2.0 * np.concatenate((p[:3] - at - R @ p[3:], -R.T @ (p[:3] - at - R @ p[3:]))),
        bounds=[(-h, h) for h in (*half_a, *half_b)], options={"ftol": 1e-16, "maxiter": 1000},
    ).x  # fmt: skip
    return np.linalg.norm(found[:3] - at - R @ found[3:])


@pytest.mark.parametrize("seed", range(10))
def test_boxes_anyhow(seed):
    rng = np.random.default_rng(seed)
    a, b = rng.uniform(0.3, 1.0, 3), rng.uniform(0.3, 1.0, 3)
    turn = Rotation.random(random_state=seed)
    way = rng.normal(size=3)
    at = 1.6 * way / np.linalg.norm(way)
    gap = gap_between(box(*a, rounding=0.02), box(*b, rounding=0.03), at, turn)
    assert gap == pytest.approx(box_distance(a / 2 - 0.02, b / 2 - 0.03, at, turn) - 0.05, abs=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_capsule_beside_a_box(seed):
    rng = np.random.default_rng(20 + seed)
    a, turn, way = rng.uniform(0.3, 1.0, 3), Rotation.random(random_state=seed), rng.normal(size=3)
    at = 1.4 * way / np.linalg.norm(way)
    bar = {"kind": "capsule", "at": [-0.3, 0, 0], "to": [0.3, 0, 0], "radius": 0.05}
    gap = gap_between(box(*a, rounding=0.02), bar, at, turn)
    wanted = box_distance(a / 2 - 0.02, np.array([0.3, 0.0, 0.0]), at, turn)
    assert gap == pytest.approx(wanted - 0.07, abs=1e-6)


def stacked(count, solver, duration, **settings):
    m = ts.Model("stack", gravity=(0, 0, -G))
    below = BASE
    for i in range(count):
        m.rigid(f"b{i}", at=(0, 0, 0.05 + 0.1 * i), mass=1.0, shape={"kind": "box", "size": (0.2, 0.15, 0.1)})
        m.contact(f"on{i}", between=[below, f"b{i}"], law=DAMPED, friction={"coefficient": 0.4, "damping": 50.0})
        below = f"b{i}"
    return m.simulate(solver=solver, duration=duration, outputs=40, **settings)


def is_at_rest(r, count, still):
    for i in range(count):
        place = r[f"b{i}.position"].values
        assert np.abs(place[:, :2]).max() < 1e-12
        assert np.ptp(place[20:, 2]) < still
        assert np.abs(r[f"b{i}.orientation"].values[:, 1:]).max() < 1e-12
        assert r[f"on{i}.normal"].final == pytest.approx((count - i) * G, rel=1e-4)


def test_box_at_rest_on_a_box():
    r = stacked(1, "ode", 2.0)
    is_at_rest(r, 1, 1e-12)
    assert r["b0.position.z"].final == pytest.approx(0.05 - G / (4 * 1e5), abs=1e-9)  # on four corners


def test_stack_of_three_at_rest():
    is_at_rest(stacked(3, "implicit", 4.0, tolerance=1e-6), 3, 1e-7)


def test_plank_across_a_beam_lies_on_its_edges():
    """No corner of either is over the other."""
    m = ts.Model("cross", gravity=(0, 0, -G))
    m.rigid("plank", at=(0, 0, 0.05), mass=2.0, shape={"kind": "box", "size": (1.0, 0.1, 0.1)})
    beam = {"kind": "box", "on": "ground", "at": [0, 0, -0.05], "size": [0.1, 1.0, 0.1]}
    m.contact("on", between=[beam, "plank"], law=DAMPED)
    r = m.simulate(solver="implicit", duration=2.0, outputs=20)
    assert r["on.normal"].final == pytest.approx(2 * G, rel=1e-4)
    assert np.abs(r["plank.orientation"].values[:, 1:]).max() < 1e-9
    assert r["plank.position.z"].final == pytest.approx(0.05 - 2 * G / (4 * 1e5), abs=1e-7)


@pytest.mark.parametrize(("degrees", "slides"), [(16.6, False), (16.8, True)])
def test_block_on_an_inclined_box(degrees, slides):
    """tan α = 0.3 at 16.699°."""
    a, mu, k = np.radians(degrees), 0.3, 1e6
    m = ts.Model("incline", gravity=(G * np.sin(a), 0, -G * np.cos(a)))
    m.rigid("block", at=(0, 0, 0.05 - G * np.cos(a) / 4 / k), mass=1.0, shape={"kind": "box", "size": (0.2, 0.2, 0.1)})
    law = {"kind": "spring_dashpot", "stiffness": k, "damping": 200.0}
    m.contact("on", between=[BASE, "block"], law=law, friction={"coefficient": mu, "damping": 200.0})
    r = m.simulate(solver="implicit", step=1e-3, duration=1.0)
    x, v = r["block.position.x"].values, r["block.velocity.x"].values
    if slides:
        half = len(v) // 2
        slope = (v[-1] - v[half]) / (r.time[-1] - r.time[half])
        assert slope == pytest.approx(G * (np.sin(a) - mu * np.cos(a)), rel=1e-3)
    else:
        assert abs(x[-1] - x[len(x) // 2]) < 1e-9


def test_capsule_lies_on_a_box():
    m = ts.Model("bar", gravity=(0, 0, -G))
    m.rigid("bar", at=(0, 0, 0.02), mass=1.0, inertia=(1e-4, 1e-2, 1e-2))
    bar = {"kind": "capsule", "on": "bar", "at": [-0.1, 0, 0], "to": [0.1, 0, 0], "radius": 0.02}
    m.contact("on", between=[BASE, bar], law=DAMPED, friction=0.3)
    r = m.simulate(duration=2.0, outputs=20)
    assert r["bar.position.z"].final == pytest.approx(0.02 - G / (2 * 1e5), abs=1e-9)
    assert np.abs(r["bar.orientation"].values[:, 1:]).max() < 1e-12


def test_boxes_among_many_are_refused():
    m = ts.Model("many")
    for name, z in (("a", 0.0), ("b", 1.0), ("c", 2.0)):
        m.rigid(name, at=(0, 0, z), mass=1.0, shape={"kind": "box", "size": (0.2, 0.2, 0.2)})
    m.contact("all", among=["a", "b", "c"], law=LAW)
    with pytest.raises(ts.ModelError, match="a contact for each pair"):
        m.simulate(duration=0.1)


def test_rounding_leaves_a_box():
    with pytest.raises(ts.ModelError, match="less than half the smallest size"):
        gap_between(box(1, 1, 1, rounding=0.5), box(1, 1, 1), (0, 0, 2), Rotation.identity())
