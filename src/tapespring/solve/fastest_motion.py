"""The largest eigenvalues of stiffness and damping over mass of a whole model, by Lanczos's method.

What parts need one by one (solve.stable_step) can never be needed by all at once where they share nodes: solids and
triangles of nearly incompressible material allow steps half as long again. Products with the matrices are differences
of forces, so that none is stored; cells go through the pass of explicit steps where they can. The largest value comes
out too small, by an expected 0.103 (ln n / (k - 1))² of it after k products with n unknowns (Kuczynski, Wozniakowski
1992); `allowance` covers that for any model.
"""

from __future__ import annotations

from math import log, sqrt
from typing import NamedTuple

import numpy as np

from ..jit import kernel
from ..math.rotations import rotate_back
from ..math.vec3 import load3
from ..mechanics import linking
from ..mechanics.core import link_patches
from ..mechanics.forces import apply_forces
from ..mechanics.motion import is_free, place_nodes
from ..mechanics.tables import FRAME, GROUND, POINT, velocity_size
from .alpha import put_place
from .patch_layout import new_patches

PRODUCTS, GLANCE = 30, 16  # for the value, for a look at whether it has grown
MORE, SURE = 1.05, 2.3  # what is added to the value at least, and over the expected error
SMALL = 1e-6  # displacements, of the size of a cell and of a radian


class Patches(NamedTuple):
    """See solve.patch_layout."""

    shells: np.ndarray
    quads: np.ndarray
    triangles: np.ndarray
    cells: np.ndarray
    ahead: np.ndarray


@kernel
def forces_at(tables, others, patches, work, t, q, v, moved, out):
    """out <- forces and moments (body axes) on free nodes at q moved by what stands in out, with velocities v; others:
    tables without cells."""
    for n in range(len(tables.nodes)):
        if tables.nodes[n].kind != GROUND:
            put_place(tables, n, q, out, moved)
    place_nodes(tables, t, moved, v, work)
    apply_forces(others, t, work)
    for i in range(len(patches.cells)):
        linking.add_cells(tables, work, patches.cells[i, 0], patches.cells[i, 1])
    if len(patches.shells) + len(patches.quads) + len(patches.triangles) > 0:
        linking.add_patches(tables, work, patches)
    for n in range(len(tables.nodes)):
        node = tables.nodes[n]
        if not is_free(tables, n):
            continue
        for k in range(3):
            out[node.v + k] = work.force[n, k]
        if node.kind == FRAME:
            m = rotate_back(work.R, n, load3(work.moment, n))
            for k in range(3):
                out[node.v + 3 + k] = m[k]


@kernel
def over_roots(tables, x, out):
    """out <- M^-1/2 x; 0 where nothing is free. Roots are found anew each time: kept, they were one more vector."""
    for n in range(len(tables.nodes)):
        node = tables.nodes[n]
        j = node.v
        if node.kind == GROUND:
            continue
        free = is_free(tables, n) and node.mass > 0.0
        for k in range(j, j + 3):
            out[k] = x[k] / sqrt(node.mass) if free else 0.0
        if node.kind != POINT:
            for k in range(3):
                turns = node.kind == FRAME and node.inertia[k] > 0.0
                out[j + 3 + k] = x[j + 3 + k] / sqrt(node.inertia[k]) if turns else 0.0


class Forces:
    """Differences of forces about a state; products are written to a vector given."""

    def __init__(self, start, q: np.ndarray, t: float):
        tables = start.system.tables
        n = velocity_size(tables)
        self.start, self.q, self.t, self.moved = start, q, t, q.copy()
        self.others = tables._replace(cells=tables.cells[:0])
        found = new_patches(tables)
        self.patches = Patches(**{name: found[name] for name in Patches._fields})
        if not start.work.core[linking.PATCHES] and any(map(len, self.patches[:3])):
            link_patches(tables, start.work)
        self.length = SMALL * start.length / max(len(tables.cells), 1) ** 0.5
        self.rates, self.here = np.zeros(n), np.zeros(n)
        self.put(self.here)

    def put(self, out: np.ndarray) -> None:
        """out <- forces after the displacement out, at self.rates"""
        tables, work = self.start.system.tables, self.start.work
        forces_at(tables, self.others, self.patches, work, self.t, self.q, self.rates, self.moved, out)

    def stiffness(self, x: np.ndarray, out: np.ndarray) -> None:
        """out <- M^-1/2 K M^-1/2 x"""
        tables = self.start.system.tables
        over_roots(tables, x, out)
        by = self.length / max(out.max(), -out.min(), 1e-300)
        out *= by
        self.put(out)
        np.subtract(self.here, out, out=out)
        over_roots(tables, out, out)
        out /= by

    def damping(self, x: np.ndarray, out: np.ndarray) -> None:
        """out <- M^-1/2 D M^-1/2 x"""
        out[:] = 0.0
        over_roots(self.start.system.tables, x, self.rates)
        self.put(out)
        np.subtract(self.here, out, out=out)
        over_roots(self.start.system.tables, out, out)


def largest_value(product, n: int, products: int) -> float:
    """Largest eigenvalue of a symmetric matrix given by its products, nearly."""
    x = np.random.default_rng(0).normal(size=n)
    x /= np.linalg.norm(x)
    y, before, across = np.zeros(n), np.zeros(n), 0.0
    diagonal: list[float] = []
    beside: list[float] = []
    for _ in range(min(products, n)):
        product(x, y)
        before *= across
        y -= before
        diagonal.append(float(x @ y))
        np.multiply(diagonal[-1], x, out=before)
        y -= before
        across = float(np.linalg.norm(y))
        if not across > 1e-12 * abs(diagonal[0]):
            break
        beside.append(across)
        y /= across
        before, x, y = x, y, before
    side = np.array(beside[: len(diagonal) - 1])
    return max(float(np.linalg.eigvalsh(np.diag(diagonal) + np.diag(side, 1) + np.diag(side, -1))[-1]), 0.0)


def allowance(n: int, products: int) -> float:
    """By which a value found must be multiplied."""
    return max(MORE, 1.0 + SURE * 0.103 * (log(max(n, 2)) / (products - 1)) ** 2)


def stable_step_of_all(start, q: np.ndarray, t: float, damped: bool, glance: bool) -> float:
    """As of a part in solve.stable_step, for the whole model without its constraints; at a glance it comes out shorter
    than need be."""
    forces, products = Forces(start, q, t), GLANCE if glance else PRODUCTS
    n = len(forces.here)
    more = allowance(n, products)
    k = more * largest_value(forces.stiffness, n, products)
    d = more * largest_value(forces.damping, n, products) if damped else 0.0
    return 2.0 / (np.sqrt(k + d * d) + d) if k + d > 0.0 else np.inf
