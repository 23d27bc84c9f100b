"""Ellipsoids and cylinders: gaps against searches of another kind, and motions with closed forms."""

import numpy as np
import pytest
from scipy.optimize import minimize, root
from scipy.spatial.transform import Rotation

import tapespring as ts

G = 9.81
LAW = {"kind": "linear", "stiffness": 1e5}
FLOOR = {"kind": "half_space", "on": "ground", "normal": "z"}


def gap_between(a, b, at, turn):
    """From surface a on ground to surface b on a body somewhere."""
    m = ts.Model("gap")
    x, y, z, w = turn.as_quat()
    m.rigid("body", at=tuple(at), orientation=(w, x, y, z), mass=1.0, inertia=(1, 1, 1))
    m.contact("touch", between=[a | {"on": "ground"}, b | {"on": "body"}], law=LAW, overlap="keep")
    return m.simulate(duration=1e-9, outputs=1)["touch.gap"].values[0]


def distance(Qa, centre, Qb):
    """Of x'Qa x = 1 and (y - c)'Qb (y - c) = 1: by a search over both surfaces, then Lagrange's equations."""
    found = minimize(
        lambda p: np.sum((p[:3] - p[3:]) ** 2), np.concatenate((0.2 * centre, 0.8 * centre)), method="SLSQP",
        constraints=[{"type": "ineq", "fun": lambda p: 1 - p[:3] @ Qa @ p[:3]},
                     {"type": "ineq", "fun": lambda p: 1 - (p[3:] - centre) @ Qb @ (p[3:] - centre)}],
        options={"ftol": 1e-14, "maxiter": 500},
    ).x  # fmt: skip
    x, y = found[:3], found[3:]
    la, lb = (np.linalg.norm(x - y) / np.linalg.norm(Q @ p) for Q, p in ((Qa, x), (Qb, y - centre)))

    def equations(p):
        x, y, la, lb = p[:3], p[3:6], p[6], p[7]
        u, w = Qa @ x, Qb @ (y - centre)
        return np.concatenate((y - x - la * u, x - y - lb * w, [x @ u - 1, (y - centre) @ w - 1]))

    p = root(equations, np.concatenate((x, y, [la, lb])), tol=1e-15).x
    assert np.abs(equations(p)).max() < 1e-12
    return np.linalg.norm(p[:3] - p[3:6])


@pytest.mark.parametrize("seed", range(8))
def test_ellipsoids_apart(seed):
    rng = np.random.default_rng(seed)
    a, b = rng.uniform(0.2, 1.5, 3), rng.uniform(0.2, 1.5, 3)
    turn = Rotation.random(random_state=seed)
    way = rng.normal(size=3)
    centre = way / np.linalg.norm(way) * rng.uniform(3.1, 4.0)
    R = turn.as_matrix()
    wanted = distance(np.diag(1 / a**2), centre, R @ np.diag(1 / b**2) @ R.T)
    kinds = ({"kind": "ellipsoid", "semi_axes": tuple(s)} for s in (a, b))
    assert gap_between(*kinds, centre, turn) == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_ellipsoid_and_ball(seed):
    rng = np.random.default_rng(10 + seed)
    a, radius = rng.uniform(0.2, 1.5, 3), 0.3
    way = rng.normal(size=3)
    centre = way / np.linalg.norm(way) * rng.uniform(1.9, 2.5)
    wanted = distance(np.diag(1 / a**2), centre, np.eye(3) / radius**2)
    shapes = {"kind": "ellipsoid", "semi_axes": tuple(a)}, {"kind": "sphere", "radius": radius}
    assert gap_between(*shapes, centre, Rotation.random(random_state=seed)) == pytest.approx(wanted, abs=1e-12)
    assert gap_between(shapes[0], {"kind": "sphere", "radius": 0.0}, centre, Rotation.identity()) == pytest.approx(
        wanted + radius, abs=1e-12
    )


@pytest.mark.parametrize("seed", range(6))
def test_ellipsoids_within_each_other(seed):
    """The gap is minus the shortest way that parts them: at that shift they touch, and at no shorter one do they."""
    rng = np.random.default_rng(20 + seed)
    a, b = rng.uniform(0.6, 1.5, 3), rng.uniform(0.6, 1.5, 3)
    turn = Rotation.random(random_state=seed)
    way = rng.normal(size=3)
    way /= np.linalg.norm(way)
    R = turn.as_matrix()

    def reach(n):
        return np.sqrt(np.sum((a * n) ** 2)) + np.sqrt(np.sum((b * (R.T @ n)) ** 2))

    centre = way * (reach(way) - 0.12)
    ways = rng.normal(size=(200000, 3))
    ways /= np.linalg.norm(ways, axis=1)[:, None]
    h = np.linalg.norm(a * ways, axis=1) + np.linalg.norm(b * (ways @ R), axis=1)
    least = (h - ways @ centre).min()
    kinds = ({"kind": "ellipsoid", "semi_axes": tuple(s)} for s in (a, b))
    found = -gap_between(*kinds, centre, turn)
    assert found <= least
    assert found == pytest.approx(least, abs=2e-4)  # 200 000 directions are about 0.01 rad apart


def test_eggs_collide_without_losing_anything():
    """An oblique hit of two eggs in space: momentum, angular momentum and energy stay."""
    m = ts.Model("eggs")
    shape = {"kind": "ellipsoid", "semi_axes": (0.05, 0.06, 0.15)}
    m.rigid("a", mass=2.0, shape=shape)
    m.rigid("b", at=(0.3, 0.05, 0.1), mass=1.0, shape=shape, velocity=(-2, 0, 0.3), angular_velocity=(1, 2, 3))
    m.contact("touch", between=["a", "b"], law={"kind": "hertz", "stiffness": 1e8})
    r = m.simulate(duration=0.2, outputs=100)
    assert [e.name for e in r.events] == ["touch.hit", "touch.separation"]
    inertia = np.array([0.06**2 + 0.15**2, 0.05**2 + 0.15**2, 0.05**2 + 0.06**2]) / 5
    total, angular = 0.0, 0.0
    for name, mass in (("a", 2.0), ("b", 1.0)):
        x, v = r[f"{name}.position"].values, r[f"{name}.velocity"].values
        w, q = r[f"{name}.angular_velocity"].values, r[f"{name}.orientation"].values
        spin = Rotation.from_quat(q[:, [1, 2, 3, 0]]).apply(mass * inertia * w)
        total, angular = total + mass * v, angular + mass * np.cross(x, v) + spin
    assert np.abs(total - total[0]).max() < 1e-12
    assert np.abs(angular - angular[0]).max() < 1e-9 * np.linalg.norm(angular[0])  # the tolerance of a step
    assert np.abs(r["a.angular_velocity"].final).max() > 0.1
    assert r.audit.relative < 1e-8


@pytest.mark.parametrize(
    ("at", "wanted"),
    [((0.5, 0.0, 0.1), 0.3), ((0.1, 0.05, 0.9), 0.4), ((0.3, 0.4, 0.8), np.hypot(0.3, 0.3)), ((0.15, 0, 0.1), -0.05),
     ((0.01, 0.02, -0.48), -0.02)],
)  # fmt: skip
def test_ball_and_cylinder(at, wanted):
    """Of radius 0.2 m and length 1 m: beside it, beyond an end, off a rim, and within it through the nearest face."""
    drum = {"kind": "cylinder", "radius": 0.2, "length": 1.0}
    gap = gap_between(drum, {"kind": "sphere", "radius": 0.1}, at, Rotation.identity())
    assert gap == pytest.approx(wanted - 0.1, abs=1e-15)


@pytest.mark.parametrize("tilt", [0.0, 0.3, 1.2, np.pi / 2])
def test_lowest_point_of_a_cylinder(tilt):
    drum = {"kind": "cylinder", "radius": 0.2, "length": 1.0}
    gap = gap_between({"kind": "half_space", "normal": "z"}, drum, (0, 0, 2.0), Rotation.from_euler("x", tilt))
    assert gap == pytest.approx(2.0 - 0.5 * np.cos(tilt) - 0.2 * np.sin(tilt), abs=1e-15)


def drum_on(degrees, upright, k=1e6, **settings):
    """A drum of radius 0.1 m and length 0.4 m on a slope towards x, standing or lying across it."""
    a = np.radians(degrees)
    m = ts.Model("drum", gravity=(G * np.sin(a), 0, -G * np.cos(a)))
    shape = {"kind": "cylinder", "radius": 0.1, "length": 0.4, "axis": "z" if upright else "y"}
    points = 3 if upright else 2
    rest = (0.2 if upright else 0.1) - 3.0 * G * np.cos(a) / points / k
    m.rigid("drum", at=(0, 0, rest), mass=3.0, shape=shape)
    law = {"kind": "spring_dashpot", "stiffness": k, "damping": 500.0}
    m.contact("floor", between=[FLOOR, "drum"], law=law, friction={"coefficient": 0.9, "damping": 500.0})
    return m.simulate(**settings)


def test_drum_rolls_down_a_slope():
    """2/3 g sin α; sunk in by 1e-5 of its radius it is about as much off."""
    r = drum_on(10.0, False, duration=0.5, outputs=50)
    v = r["drum.velocity.x"].values
    slope = (v[-1] - v[20]) / (r.time[-1] - r.time[20])
    assert slope == pytest.approx(2 / 3 * G * np.sin(np.radians(10.0)), rel=2e-3)
    assert r["drum.angular_velocity.y"].final == pytest.approx(v[-1] / 0.1, rel=1e-3)


def test_drum_stands_until_its_weight_leaves_its_base():
    """tan α = r/(l/2) at 26.57°."""
    stands, falls = (drum_on(d, True, duration=1.0, outputs=20) for d in (25.0, 28.0))
    assert stands["drum.orientation.w"].final > 1 - 1e-6
    assert np.abs(stands["drum.velocity"].final).max() < 1e-4
    assert falls["drum.orientation.w"].final < 0.95


def test_standing_drum_resists_tilting_the_same_every_way():
    """A torque M across the axis tilts it by M/(1.5 k r²) while all three points touch."""
    tilts = []
    for turn in (0.0, 0.4, 1.7):
        m = ts.Model("drum", gravity=(0, 0, -G))
        shape = {"kind": "cylinder", "radius": 0.1, "length": 0.04}
        m.rigid("drum", at=(0, 0, 0.02 - 3.0 * G / 3 / 1e5), mass=3.0, shape=shape)
        law = {"kind": "spring_dashpot", "stiffness": 1e5, "damping": 300.0}
        m.contact("floor", between=[FLOOR, "drum"], law=law)
        m.load("lean", on="drum", torque=[0.3 * np.cos(turn), 0.3 * np.sin(turn), 0])
        r = m.simulate(duration=0.5, outputs=5, solver="implicit", step=1e-3)
        tilts.append(2 * np.arcsin(np.linalg.norm(r["drum.orientation"].values[-1, 1:])))
    assert tilts == pytest.approx([0.3 / (1.5e5 * 0.01)] * 3, rel=1e-3)
