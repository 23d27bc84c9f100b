"""Contact of meshes in loops that solve systems: tangents are the derivatives of forces, as triangles move and turn."""

import numpy as np
import pytest

from tapespring import Model
from tapespring.jit import kernel
from tapespring.mechanics.core import link_contacts
from tapespring.mechanics.pair_memory import BY_PLACE
from tapespring.mechanics.projection import clear, retract
from tapespring.mechanics.tables import FRAME, POINT
from tapespring.mechanics.tangent import add_tangent, residual
from tapespring.simulate import prepare
from tapespring.solve.initial import evaluate
from tapespring.solve.kkt import dense_matrix, new_matrix
from tapespring.solve.near_pairs import NearPairs

RUBBER = {"young": "2 kPa", "poisson": 0.3, "density": 10}
SHEET = {"kind": "plate", "length": 0.4, "width": 0.4, "divisions": [3, 3], "triangles": True}
LAW = {"kind": "spring_dashpot", "stiffness": 50, "damping": 0.3}
SLIPPERY = {"coefficient": 0.2, "stiffness": 30}


@kernel
def weigh(tables, work, q, v, a, multiplier, out, weights, kkt):
    residual(tables, 0.0, q, v, a, multiplier, work, out)
    clear(kkt.values)
    add_tangent(tables, 0.0, q, v, multiplier, work, 0.0, weights[0], weights[1], kkt)


@kernel
def displace(tables, q, d):
    retract(tables, q, d)


def sheets(upper="membrane", **contact) -> Model:
    """A sheet just over another one, both free, of different meshes."""
    m = Model(name="sheets", gravity=(0, 0, 0))
    m.membrane("low", mesh=SHEET, thickness="20 mm", material=RUBBER)
    small = SHEET | {"length": 0.25, "width": 0.2, "divisions": [2, 3], "origin": [0.06, 0.11, 0.018]}
    getattr(m, upper)("up", mesh=small, thickness="20 mm", material=RUBBER)
    m.contact("touch", **({"between": ["low", "up"], "law": LAW, "overlap": "keep"} | contact))
    return m


def crossing(**contact) -> Model:
    return sheets("shell", edges=True, **contact)


def strips(**contact) -> Model:
    """Two narrow ones across each other: nothing but edges touches."""
    m = Model(name="strips", gravity=(0, 0, 0))
    strip = {"kind": "plate", "length": 0.4, "width": 0.1, "divisions": [1, 1], "triangles": True}
    m.membrane("low", mesh=strip, thickness="20 mm", material=RUBBER)
    across = strip | {"length": 0.1, "width": 0.4, "origin": [0.16, -0.13, 0.018]}
    m.shell("up", mesh=across, thickness="20 mm", material=RUBBER)
    m.contact("touch", **({"between": ["low", "up"], "law": LAW, "overlap": "keep", "edges": True} | contact))
    return m


def blocks(**contact) -> Model:
    m = Model(name="blocks", gravity=(0, 0, 0))
    box = {"kind": "box", "length": 0.4, "width": 0.4, "height": 0.2, "divisions": [2, 2, 1]}
    m.solid("low", mesh=box, material=RUBBER)
    m.solid("up", mesh=box | {"divisions": [3, 1, 1], "origin": [0.013, 0.021, 0.198]}, material=RUBBER)
    m.contact("touch", **({"between": ["low", "up"], "law": LAW, "overlap": "keep"} | contact))
    return m


def ball_on_sheet(**contact) -> Model:
    m = Model(name="ball", gravity=(0, 0, 0))
    m.membrane("low", mesh=SHEET, thickness="20 mm", material=RUBBER)
    shape = {"kind": "sphere", "radius": 0.5}
    m.rigid("ball", at=[0.21, 0.19, 0.49], mass=1, shape=shape, angular_velocity=[0.1, 0.2, 0.3])
    m.contact("touch", **({"between": ["low", "ball"], "law": LAW, "overlap": "keep"} | contact))
    return m


class Near:
    """Forces and tangents of a model with the pairs near each other, at displacements from the start."""

    def __init__(self, model):
        _, _, start = prepare(model, 1.0, solver="implicit")
        evaluate(start.system.tables, start.work, 0.0, start.q, start.v, np.zeros(len(start.v)))
        near = NearPairs(start)
        self.tables, self.work, self.q, self.nv = near.tables, near.work, start.q, len(start.v)
        link_contacts(self.tables, self.work)
        self.work.contact_step[:2] = BY_PLACE, 1e-3
        self.kkt = new_matrix(self.tables)
        self.multiplier = np.zeros(len(self.tables.rows))
        self.free = np.zeros(self.nv, bool)
        for node in self.tables.nodes:
            self.free[node["v"] : node["v"] + {POINT: 3, FRAME: 6}.get(int(node["kind"]), 0)] = True

    def at(self, d, v, weights=(0.0, 0.0)):
        q, out = self.q.copy(), np.zeros(self.nv)
        displace(self.tables, q, d.copy())
        still = np.zeros(self.nv)
        weigh(self.tables, self.work, q, v, still, self.multiplier, out, np.array(weights), self.kkt)
        return out, dense_matrix(self.kkt, 0.0)

    def remember(self, d):
        """The state at a displacement as the last accepted one."""
        from tapespring.mechanics.core import contacts_step_core

        self.at(d, np.zeros(self.nv))
        contacts_step_core(self.tables, self.work, 0)


@pytest.mark.parametrize("friction", [None, SLIPPERY], ids=["smooth", "rough"])
@pytest.mark.parametrize("make", [sheets, lambda **c: sheets("shell", **c), crossing, strips, blocks, ball_on_sheet])
def test_tangent_is_derivative_of_forces(make, friction):
    near = Near(make(**({"friction": friction} if friction else {})))
    rng = np.random.default_rng(4)
    d = rng.normal(0.0, 1e-3, near.nv) * near.free
    near.remember(0.9 * d)
    v = rng.normal(0.0, 0.01, near.nv) * near.free
    r, K = near.at(d, v, (0.0, 1.0))
    _, D = near.at(d, v, (1.0, 0.0))
    touching = np.abs(near.work.pair_out[:, 3:6]).max(axis=1) > 0.0
    assert touching.sum() >= 3
    size = max(np.abs(K).max(), np.abs(r).max())
    h, places, rates = 5e-7, np.zeros_like(K), np.zeros_like(K)
    for j in np.flatnonzero(near.free):
        e = h * np.eye(near.nv)[j]
        q = near.q.copy()
        displace(near.tables, near.q, d.copy())
        places[:, j] = (near.at(e, v)[0] - near.at(-e, v)[0]) / (2 * h)
        near.q[:] = q
        rates[:, j] = (near.at(d, v + e)[0] - near.at(d, v - e)[0]) / (2 * h)
    assert np.abs(K - places).max() <= 1e-6 * size
    assert np.abs(D - rates).max() <= 1e-6 * np.abs(D).max() + 1e-9
