"""Normal laws, friction and gaps against vectors computed by hand or elsewhere."""

from math import log

import numpy as np
import pytest
from scipy.optimize import brentq

import tapespring as ts
from tapespring.kinds.contact_laws.law import damping_factor
from tapespring.simulate import prepare
from tapespring.solve.initial import evaluate

FLOOR = {"kind": "half_space", "on": "ground", "normal": "z"}


def found(model):
    """What the first pair of a model finds as drawn: gap, its rate, normal force, force on the second body, point."""
    _, _, start = prepare(model)
    start.work.contact_step[0] = 1.0
    evaluate(start.system.tables, start.work, 0.0, start.q, start.v, np.zeros(len(start.v)))
    return start.work.pair_out[0]


def pressed(law, depth, rate, **more):
    """The normal force of a point pressed into a floor: its depth is not rounded."""
    m = ts.Model("pressed")
    m.point_mass("point", at=(0, 0, -depth), mass=1.0, velocity=(0, 0, -rate))
    m.contact("floor", between=[FLOOR, "point"], law=law, **more)
    return found(m)[2]


LOGICAL = [(1e-5, 0.1, 110.0), (1e-5, 0.0, 10.0), (1e-5, -0.005, 5.0), (1e-5, -0.02, 0.0), (-1e-6, 1.0, 0.0)]
IMPACT = [
    (1e-6, 0.1, 0.24), (5e-6, 0.1, 3.618033988749895), (5e-6, -0.1, 0.0), (2e-5, 0.1, 13.94427190999916),
    (2e-5, -0.1, 3.944271909999159), (2e-5, -20.0, 0.0),
]  # fmt: skip


def near(value):
    return pytest.approx(value, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize(("depth", "rate", "force"), LOGICAL)
@pytest.mark.parametrize("kind", ["logical", "spring_dashpot"])
def test_logical_function(kind, depth, rate, force):
    assert pressed({"kind": kind, "stiffness": 1e6, "damping": 1e3}, depth, rate) == near(force)


@pytest.mark.parametrize(("depth", "rate", "force"), IMPACT)
def test_impact_function(depth, rate, force):
    law = {"kind": "impact", "stiffness": 1e8, "exponent": 1.5, "damping": 50.0, "full_damping_depth": 1e-5}
    assert pressed(law, depth, rate) == near(force)


def test_laws_by_their_formulas():
    depth, rate = 0.01, 0.3
    assert pressed({"kind": "linear", "stiffness": 5e3}, depth, 0.0) == near(50.0)
    assert pressed({"kind": "hertz", "stiffness": 5e3}, depth, 0.0) == near(5.0)
    assert pressed({"kind": "own", "force": "1e4*x^2*(1 + 2*v)"}, depth, rate) == near(1e4 * depth**2 * 1.6)
    general = {"kind": "nonlinear", "stiffness": 4e4, "n": 2.0, "damping": 3e3, "p": 1.0, "q": 2.0}
    assert pressed(general, depth, rate) == near(4e4 * depth**2 + 3e3 * depth * rate**2)
    barrier = {"kind": "barrier", "stiffness": 1e3, "margin": 0.1}
    gap = 0.04
    assert pressed(barrier, -gap, 0.0) == near(1e3 * (2 * (gap - 0.1) * log(gap / 0.1) + (gap - 0.1) ** 2 / gap))


def test_hertz_from_materials_and_radii():
    steel = {"young": "210 GPa", "poisson": 0.3}
    star = 210e9 / (1 - 0.09) / 2
    assert pressed({"kind": "hertz", "materials": steel, "radius": 2.0}, 1e-3, 0.0) == near(
        4 / 3 * star * np.sqrt(2.0) * 1e-3**1.5
    )
    m = ts.Model("ball")
    m.rigid("ball", at=(0, 0, 0.75), mass=1.0, shape={"kind": "sphere", "radius": 1.0})
    m.contact("floor", between=[FLOOR, "ball"], law={"kind": "hertz", "materials": steel}, overlap="keep")
    assert found(m)[2] == near(4 / 3 * star * 0.25**1.5)


def test_spring_dashpot_pulls_only_if_asked():
    law = {"kind": "spring_dashpot", "stiffness": 1e3, "damping": 100.0}
    assert pressed(law, 0.01, -1.0) == 0.0
    assert pressed(law | {"adhesive": True}, 0.01, -1.0) == near(10.0 - 100.0)


def delivered(a):
    """Restitution that k δ^n (1 + a δ'/δ'₀) delivers: a (1 + e) = ln((1 + a)/(1 - a e))."""
    end = min(1.0, (1.0 - 1e-15) / a)

    def rest(e):
        return a * (1.0 + e) - np.log1p(a) + np.log1p(-a * e)

    return end if rest(end) > 0.0 else brentq(rest, 0.0, end, xtol=1e-15)  # next to 1/a where a is large


# e asked for: what Lankarani and Nikravesh, Hunt and Crossley, and Flores deliver
DELIVERED = {
    0.9: (0.9131766778055767, 0.9090157413492073, 0.8939206926633742),
    0.7: (0.795972595365361, 0.7679997890784752, 0.6831841997307281),
    0.3: (0.6842246057494848, 0.5812880418085736, 0.256207906679824),
}


@pytest.mark.parametrize("e", DELIVERED)
def test_restitution_that_published_laws_deliver(e):
    for a, wanted in zip((0.75 * (1 - e * e), 1.5 * (1 - e), 1.6 * (1 - e) / e), DELIVERED[e], strict=True):
        assert delivered(a) == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("e", [0.99, 0.9, 0.5, 0.2, 0.05])
def test_calibrated_factor_delivers_what_was_asked(e):
    assert delivered(damping_factor(e)) == pytest.approx(e, abs=1e-12)


@pytest.mark.parametrize("e", [0.0, 1e-6, 0.01, 0.03, 0.031, 0.032, 0.1])
def test_small_restitutions_come_out_of_an_impact(e):
    """Against the motion itself, m x'' = -k x (1 + a x'/v), integrated from first touch to parting."""
    from scipy.integrate import solve_ivp

    a = damping_factor(e)
    if a > 1e4:  # the factor of a vanishing restitution is 1/e, as far as it is followed
        assert delivered(a) == pytest.approx(e, abs=2e-9 + 1e-9 * e)
        return

    def motion(t, y):
        return [y[1], -y[0] * (1.0 + a * y[1])]

    def out_of_touch(t, y):
        return y[0]

    out_of_touch.terminal, out_of_touch.direction = True, -1
    run = solve_ivp(motion, (0.0, 100.0 * a), [1e-12, 1.0], "LSODA", events=out_of_touch, rtol=1e-10, atol=1e-14)
    assert -run.y[1, -1] == pytest.approx(e, rel=1e-5)


@pytest.mark.parametrize("law", [
    {"kind": "linear", "stiffness": 1e5}, {"kind": "hertz", "stiffness": 1e6},
    {"kind": "lankarani_nikravesh", "stiffness": 1e6, "calibrated": True},
])  # fmt: skip
def test_restitution_asked_for_comes_out(law):
    m = ts.Model("rebound")
    m.rigid("ball", at=(0, 0, 1.001), mass=1.0, shape={"kind": "sphere", "radius": 1.0}, velocity=(0, 0, -1))
    m.contact("floor", between=[FLOOR, "ball"], law=law | {"restitution": 0.6})
    r = m.simulate(duration=0.1, solver="ode", tolerance=1e-11)
    assert r.contacts["floor"]["restitution"] == pytest.approx(0.6, abs=1e-8)
    assert r["ball.velocity.z"].final == pytest.approx(0.6, abs=1e-8)
    assert r.audit.relative < 1e-9


# semi-axes, centre, zxz angles, plane, velocity, angular velocity, gap, nearest point, rate of the gap
EGGS = [
    ((0.05, 0.07, 0.2), (0.1, -0.2, 0.15), (0.3, 0.7, -0.4), (1, 2, 3, -0.1), (0.3, -0.5, 0.7), (2.0, -1.0, 0.5),
     -0.080639047252627, (0.06350294322502423, -0.15085985951132633, 0.012164362994141253), 0.5915722637891073),
    ((0.05, 0.07, 0.2), (0.03, 0, 0), (0, 0, 0), (1, 0, 0, -0.02), (-1, 0, 0), (0, 0, 4.0),
     -0.04, (-0.02, 0.0, 0.0), -1.0),
    ((0.04, 0.05, 0.14), (0.2, 0.1, -0.33), (1.1, 2.2, 0.5), (0.2, 0.1, 1.0, 0.4), (1, 0.5, -2), (-3, 5, 2),
     0.03979268374411943, (0.27280661266910766, 0.06309689243952246, -0.42009564466063454), -2.040729540842182),
]  # fmt: skip


@pytest.mark.parametrize("egg", EGGS)
def test_ellipsoid_and_plane(egg):
    """The angular velocity of these vectors is in world axes."""
    sizes, centre, euler, plane, v, w, gap, point, rate = egg
    n = np.array(plane[:3], float)
    length = np.linalg.norm(n)
    n /= length
    m = ts.Model("egg")
    turn = {"euler": [f"{e} rad" for e in euler], "order": "zxz"}
    m.rigid("egg", at=centre, orientation=turn, mass=1.0, shape={"kind": "ellipsoid", "semi_axes": sizes}, velocity=v)
    floor = {"kind": "half_space", "on": "ground", "at": list(-plane[3] / length * n), "normal": list(n)}
    m.contact("floor", between=[floor, "egg"], law={"kind": "linear", "stiffness": 1.0})
    from tapespring.kinds.frames import rotation_matrix

    R = rotation_matrix(m["egg"].orientation)
    m = m.set("bodies.egg.angular_velocity", list(R.T @ np.array(w, float)))
    out = found(m)
    assert out[0] == pytest.approx(gap, abs=3e-15)
    assert out[1] == pytest.approx(rate, abs=3e-14)
    assert out[6:9] + 0.5 * out[0] * n == pytest.approx(np.array(point), abs=3e-15)
