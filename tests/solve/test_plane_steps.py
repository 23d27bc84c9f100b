"""Bodies in a plane on loose pins, four at a time: what nodes and pairs one by one give."""

import numpy as np
import pytest

from tapespring import Model
from tapespring.bench.mast import mast
from tapespring.mechanics import core
from tapespring.mechanics.pair_memory import BY_RATE
from tapespring.mechanics.tables import FRAME, N_POWERS
from tapespring.simulate import prepare
from tapespring.solve import plane_layout
from tapespring.solve.plane_steps import RATES, link_plane, plane_steps
from tapespring.solve.runge_kutta import new_runge_kutta
from tapespring.solve.steps import new_loop
from tapespring.solve.transient import state_scale

HERTZ = {"kind": "nonlinear", "stiffness": 1e7, "damping": 1e7}
SQUARE = {"kind": "nonlinear", "stiffness": 1e9, "n": 2, "damping": 2e5, "p": 1}
LOOSE = 1e-3


def chain(normal: int = 2, links: int = 26, law: dict | None = None, **pin) -> Model:
    """Links in a plane, the first on a bearing that moves, the last on one of the ground."""
    x, y, z = np.roll(np.eye(3), 2 - normal, axis=0)
    m = Model(name="chain", gravity=(3.0 * x - 9.0 * y).tolist())
    inertia = np.roll([0.03, 0.04, 0.05], normal - 2).tolist()
    m.moving_frame("root", position=[f"{5e-4 * e:g}*sin(3*t)" if e else 0.0 for e in x + 2.0 * y])
    for i in range(links):
        m.rigid(f"link{i}", at=((i + 0.5) * x).tolist(), mass=0.3 + 0.01 * i, inertia=inertia)
        m.planar(f"flat{i}", "ground", f"link{i}", axis=z.tolist())
        between = ["root" if i == 0 else f"link{i - 1}", f"link{i}"]
        own = law or (SQUARE if i % 3 == 0 else HERTZ)
        film = f"{(i + 1) % 2 * 4} N s/m"
        m.clearance_revolute(f"pin{i}", *between, at=(i * x).tolist(), axis=z.tolist(), clearance=LOOSE, law=own,
                             film=film, **pin)  # fmt: skip
    m.clearance_revolute("end", "ground", f"link{links - 1}", at=(links * x).tolist(), axis=z.tolist(),
                         clearance=LOOSE, law=HERTZ, film="3 N s/m")  # fmt: skip
    return m


def scheme_of(model: Model):
    start = prepare(model)[2]
    t, work = start.system.tables, start.work
    options = [True, 0.0, 0.0, False, 0.0, 0, 0.0, True]
    return start, new_runge_kutta(t, len(start.q), len(start.v), options, pairs=work.pairs)


def moved(start, rk, rng):
    """A state in the plane, some pins of which touch."""
    t, q, v = start.system.tables, start.q.copy(), start.v.copy()
    x, y, normal = rk.axes
    for node in t.nodes[t.nodes["kind"] == FRAME]:
        i, j = node["q"], node["v"]
        q[[i + x, i + y]] += rng.normal(0.0, 0.6 * LOOSE, 2)
        turn = rng.normal(0.0, 0.2 * LOOSE)
        q[i + 3 : i + 7] = 0.0
        q[i + 3], q[i + 4 + normal] = 1.1 * np.cos(turn), 1.1 * np.sin(turn)  # of any length
        v[[j + x, j + y, j + 3 + normal]] = rng.normal(0.0, 0.1, 3)
    return q, v


@pytest.mark.parametrize("normal", [0, 1, 2])
def test_an_evaluation_is_the_general_one_to_rounding(normal):
    start, rk = scheme_of(chain(normal))
    t, work = start.system.tables, start.work
    assert start.system.plane == normal
    assert len(rk.body) == 7
    q, v = moved(start, rk, np.random.default_rng(normal))
    loop = new_loop(t, q, v, 0.4, 1.0, state_scale(t, 1.0, 1.0), (1e-9, 1e-9))
    link_plane(t, work, loop, rk)
    plane_steps(t, work, loop, rk, RATES, 0.4, 0.0)
    by_lanes, touching = rk.K[12].copy(), work.pair_out[:, :3].copy()
    work.contact_step[0] = BY_RATE
    out = np.zeros(len(v))
    core.accelerations_core(t, work, 0.4, q, v, out, 0.0, 0.0)
    size = np.abs(out).max()
    assert size > 10.0
    assert (touching[:, 2] > 0.0).sum() > 5
    assert (touching[:, 2] == 0.0).sum() > 5
    np.testing.assert_allclose(by_lanes[len(q) : len(q) + len(v)], out, atol=1e-12 * size)
    np.testing.assert_allclose(touching, work.pair_out[:, :3], atol=1e-12 * np.abs(touching).max())
    assert np.all(work.power[[1, 2, 3]] != 0.0)
    np.testing.assert_allclose(by_lanes[-N_POWERS:], work.power, atol=1e-12 * np.abs(work.power).max())
    for node in t.nodes[1:]:
        i, j = node["q"], node["v"]
        np.testing.assert_allclose(by_lanes[i : i + 3], v[j : j + 3], rtol=1e-14)
        w, axis, spin = q[i + 3], q[i + 4 : i + 7], v[j + 3 : j + 6]
        rate = 0.5 * np.array([-axis @ spin, *(w * spin + np.cross(axis, spin))])
        np.testing.assert_allclose(by_lanes[i + 3 : i + 7], rate, atol=1e-15)


def joined(m: Model) -> Model:
    m.revolute("joint", "link0", "link1", at=[1, 0, 0], axis="z")
    return m


def sprung(m: Model) -> Model:
    m.spring("spring", "link0", "link2", stiffness="100 N/m")
    return m


@pytest.mark.parametrize(
    "model",
    [
        lambda: joined(chain()),
        lambda: sprung(chain()),
        lambda: chain(law=HERTZ | {"n": 1.7}),
        lambda: chain(law=HERTZ | {"q": 2}),
        lambda: chain(radius=0.01, friction={"coefficient": 0.1}),
        lambda: chain(links=5),
    ],
    ids=["a joint", "a spring", "another exponent", "another damping", "friction", "few pins"],
)
def test_what_does_not_fit_goes_the_general_way(model):
    system = prepare(model())[2].system
    assert system.plane == 2
    assert not plane_layout.goes_flat(system.tables)


def test_a_run_is_the_general_one(monkeypatch):
    """Outputs within steps, works, events."""
    settings = {"tolerance": 1e-11, "outputs": 40}
    flat = mast(8, 0.6).simulate(**settings)
    monkeypatch.setattr(plane_layout, "goes_flat", lambda t: False)
    general = mast(8, 0.6).simulate(**settings)
    names = [f"{bar}8.position.{c}" for bar in "AB" for c in "xy"]
    near = dict.fromkeys(names, 1e-8) | {"flat_A1.angle": 1e-8, "energy.dissipated": 1e-5, "energy.impacts": 1e-5}
    for name, part in near.items():
        one, other = flat[name].values, general[name].values
        np.testing.assert_allclose(one, other, atol=part * np.abs(other).max(), err_msg=name)
    hits = [[(e.name, e.time) for e in sorted(r.events, key=lambda e: e.time)] for r in (flat, general)]
    assert len(hits[0]) > 10
    assert [name for name, _ in hits[0]] == [name for name, _ in hits[1]]
    np.testing.assert_allclose([t for _, t in hits[0]], [t for _, t in hits[1]], atol=1e-5)
    assert np.abs(flat["energy.residual"].values).max() < 1e-9
