"""The largest eigenvalues of stiffness and damping over mass of a whole model, by Lanczos's method.

What parts need one by one (solve.stable_step) can never be needed by all at once where they share nodes: solids and
triangles of nearly incompressible material allow steps half as long again. Products with the matrices are differences
of forces, so that none is stored. The largest value comes out too small, by an expected 0.103 (ln n / (k - 1))² of it
after k products with n unknowns (Kuczynski, Wozniakowski 1992); MORE covers that for any model.
"""

from __future__ import annotations

import numpy as np

from ..jit import kernel
from ..math.rotations import rotate_back
from ..math.vec3 import load3
from ..mechanics.forces import apply_forces
from ..mechanics.motion import is_free, place_nodes
from ..mechanics.tables import FRAME, GROUND
from .alpha import put_place

PRODUCTS = 30
MORE = 1.05
SMALL = 1e-6  # displacements, of the size of a cell and of a radian


@kernel
def forces_at(tables, work, t, q, v, d, moved, out):
    """out <- forces and moments (body axes) on free nodes at q moved by d, with velocities v."""
    for n in range(len(tables.nodes)):
        if tables.nodes[n].kind != GROUND:
            put_place(tables, n, q, d, moved)
    place_nodes(tables, t, moved, v, work)
    apply_forces(tables, t, work)
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


class Forces:
    """Differences of forces about a state."""

    def __init__(self, start, q: np.ndarray, t: float, masses: np.ndarray):
        """masses (nv,), 0 where nothing is free."""
        self.start, self.q, self.t = start, q, t
        self.moved, self.zero = q.copy(), np.zeros(len(masses))
        self.half = np.where(masses > 0.0, 1.0 / np.sqrt(np.where(masses > 0.0, masses, 1.0)), 0.0)
        self.length = SMALL * start.length / max(len(start.system.tables.cells), 1) ** 0.5
        self.here = self.at(self.zero, self.zero)

    def at(self, d: np.ndarray, v: np.ndarray) -> np.ndarray:
        out = np.zeros(len(d))
        forces_at(self.start.system.tables, self.start.work, self.t, self.q, v.copy(), d, self.moved, out)
        return out

    def stiffness(self, x: np.ndarray) -> np.ndarray:
        """M^-1/2 K M^-1/2 x"""
        d = self.half * x
        by = self.length / max(np.abs(d).max(), 1e-300)
        return self.half * (self.here - self.at(by * d, self.zero)) / by

    def damping(self, x: np.ndarray) -> np.ndarray:
        """M^-1/2 D M^-1/2 x"""
        return self.half * (self.here - self.at(self.zero, self.half * x))


def largest_value(product, n: int) -> float:
    """Largest eigenvalue of a symmetric matrix given by its products, nearly."""
    x = np.random.default_rng(0).normal(size=n)
    x /= np.linalg.norm(x)
    before, across = np.zeros(n), 0.0
    diagonal: list[float] = []
    beside: list[float] = []
    for _ in range(min(PRODUCTS, n)):
        y = product(x) - across * before
        diagonal.append(float(x @ y))
        y -= diagonal[-1] * x
        across = float(np.linalg.norm(y))
        if not across > 1e-12 * abs(diagonal[0]):
            break
        beside.append(across)
        before, x = x, y / across
    side = np.array(beside[: len(diagonal) - 1])
    return max(float(np.linalg.eigvalsh(np.diag(diagonal) + np.diag(side, 1) + np.diag(side, -1))[-1]), 0.0)


def stable_step_of_all(start, q: np.ndarray, t: float, masses: np.ndarray, damped: bool) -> float:
    """As of a part in solve.stable_step, for the whole model without its constraints."""
    forces = Forces(start, q.copy(), t, masses)
    k = MORE * largest_value(forces.stiffness, len(masses))
    d = MORE * largest_value(forces.damping, len(masses)) if damped else 0.0
    return 2.0 / (np.sqrt(k + d * d) + d) if k + d > 0.0 else np.inf
