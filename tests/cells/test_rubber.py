"""Neo-Hookean solids: force is the slope of the energy and the tangent that of the force, at strains rubber can have.

The contracts of the registry displace nodes so far that such a solid would be turned inside out.
"""

import numpy as np
import pytest

from tapespring.build.builder import build
from tapespring.jit import kernel
from tapespring.mechanics import linking
from tapespring.mechanics.core import link
from tapespring.mechanics.motion import place_nodes
from tapespring.mechanics.projection import clear
from tapespring.mechanics.tables import new_work
from tapespring.model import Model
from tapespring.solve.kkt import dense_matrix, new_matrix

H = 1e-6


@kernel
def evaluate(tables, work, kkt, q, v, weight_rate, weight_place):
    """work.force <- forces of the cells, kkt.values <- their tangent; returns the energy."""
    place_nodes(tables, 0.0, q, v, work)
    for n in range(len(tables.nodes)):
        for k in range(3):
            work.force[n, k] = 0.0
    linking.add_elements(tables, work)
    clear(kkt.values)
    linking.add_elements_tangent(tables, work, weight_rate, weight_place, kkt)
    return linking.elements_energy(tables, work)


class Block:
    def __init__(self, elements: str):
        mesh = {"kind": "box", "length": 1, "width": 0.7, "height": 0.5, "divisions": [1, 1, 1], "elements": elements}
        m = Model(name="rubber")
        material = {"young": 10, "poisson": 0.4, "density": 1, "law": "neo_hookean"}
        m.solid("block", mesh=mesh, material=material, damping={"stiffness": 0.01})
        system = build(m)[0].finish()
        self.t = system.tables
        self.work, self.kkt = link(self.t, new_work(self.t)), new_matrix(self.t)
        rng = np.random.default_rng(4)
        self.q = system.q0 + 0.03 * rng.normal(size=len(system.q0))
        self.v = rng.normal(size=len(system.v0))

    def energy(self, q):
        return evaluate(self.t, self.work, self.kkt, q.copy(), self.v, 0.0, 0.0)

    def force(self, q, v):
        evaluate(self.t, self.work, self.kkt, q.copy(), v.copy(), 0.0, 0.0)
        return -self.work.force[1:].ravel()

    def tangent(self, weight_rate, weight_place):
        evaluate(self.t, self.work, self.kkt, self.q.copy(), self.v.copy(), weight_rate, weight_place)
        return dense_matrix(self.kkt)


@pytest.fixture(params=["hexahedron", "tetra10"], scope="module")
def block(request):
    return Block(request.param)


def slopes(function, x):
    return np.array([(function(x + H * e) - function(x - H * e)) / (2 * H) for e in np.eye(len(x))]).T


def test_force_is_the_slope_of_the_energy(block):
    force = block.force(block.q, 0.0 * block.v)
    np.testing.assert_allclose(force, slopes(block.energy, block.q), atol=1e-7 * np.abs(force).max())


def test_tangent_is_the_slope_of_the_force(block):
    by_place, by_rate = block.tangent(0.0, 1.0), block.tangent(1.0, 0.0)
    found = slopes(lambda q: block.force(q, block.v), block.q)
    np.testing.assert_allclose(by_place, found, atol=1e-7 * np.abs(by_place).max())
    found = slopes(lambda v: block.force(block.q, v), block.v)
    np.testing.assert_allclose(by_rate, found, atol=1e-7 * np.abs(by_rate).max())
