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

from ..build.nodes import pieces
from ..jit import device, kernel, small
from ..math.rotations import matrix_from_quaternion, normalized, quaternion_exp, quaternion_product, rotate_back
from ..math.vec3 import load3, scale
from ..mechanics import linking
from ..mechanics.core import link_patches
from ..mechanics.forces import apply_forces
from ..mechanics.motion import is_free, load_quaternion, place_nodes
from ..mechanics.tables import FRAME, untouched, velocity_size
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


@device
def move_free(tables, q, x, by, work):
    """Free nodes placed at q moved by `by` M^-1/2 x."""
    for n in range(len(tables.nodes)):
        node = tables.nodes[n]
        if not is_free(tables, n):
            continue
        for k in range(3):
            work.x[n, k] = q[node.q + k] + by * over_root(x[node.v + k], node.mass)
        if node.kind == FRAME:
            j, inertia = node.v + 3, node.inertia
            turn = (over_root(x[j], inertia[0]), over_root(x[j + 1], inertia[1]), over_root(x[j + 2], inertia[2]))
            p = quaternion_product(load_quaternion(q, node.q + 3), quaternion_exp(scale(by, turn)))
            p = normalized(p)
            matrix_from_quaternion(p[0], p[1], p[2], p[3], work.R, n)


@small
def over_root(x, mass):
    """0 where nothing is free."""
    return x / sqrt(mass) if mass > 0.0 else 0.0


@kernel
def largest_move(tables, x):
    """Largest component of M^-1/2 x."""
    most = 0.0
    for n in range(len(tables.nodes)):
        node = tables.nodes[n]
        if not is_free(tables, n):
            continue
        for k in range(3):
            most = max(most, abs(over_root(x[node.v + k], node.mass)))
            if node.kind == FRAME:
                most = max(most, abs(over_root(x[node.v + 3 + k], node.inertia[k])))
    return most


@kernel
def put_rates(tables, x, out):
    """out <- M^-1/2 x"""
    for n in range(len(tables.nodes)):
        node = tables.nodes[n]
        if not is_free(tables, n):
            continue
        for k in range(3):
            out[node.v + k] = over_root(x[node.v + k], node.mass)
            if node.kind == FRAME:
                out[node.v + 3 + k] = over_root(x[node.v + 3 + k], node.inertia[k])


@kernel
def take_forces(tables, others, patches, work, t, q, v, x, by, here, weights, out):
    """out <- w0 out + w1 (f - w2 here): so a step of Lanczos's method takes two vectors and `here`. f is M^-1/2 times
    forces and moments (body axes) at q moved by `by` M^-1/2 x, with velocities v; others: tables without cells."""
    place_nodes(tables, t, q, v, work)
    move_free(tables, q, x, by, work)
    apply_forces(others, t, work)
    for i in range(len(patches.cells)):
        linking.add_cells(tables, work, patches.cells[i, 0], patches.cells[i, 1])
    if len(patches.shells) + len(patches.quads) + len(patches.triangles) > 0:
        linking.add_patches(tables, work, patches)
    w0, w1, w2 = weights[0], weights[1], weights[2]
    for n in range(len(tables.nodes)):
        node = tables.nodes[n]
        if not is_free(tables, n):
            continue
        for k in range(3):
            j = node.v + k
            out[j] = w0 * out[j] + w1 * (over_root(work.force[n, k], node.mass) - w2 * here[j])
        if node.kind == FRAME:
            m = rotate_back(work.R, n, load3(work.moment, n))
            for k in range(3):
                j = node.v + 3 + k
                out[j] = w0 * out[j] + w1 * (over_root(m[k], node.inertia[k]) - w2 * here[j])


class Forces:
    """Differences of forces about a state."""

    def __init__(self, start, q: np.ndarray, t: float):
        tables = start.system.tables
        n = velocity_size(tables)
        self.start, self.q, self.t = start, q, t
        self.others = tables._replace(cells=tables.cells[:0])
        found = new_patches(tables)
        self.patches = Patches(**{name: found[name] for name in Patches._fields})
        if not start.work.core[linking.PATCHES] and any(map(len, self.patches[:3])):
            link_patches(tables, start.work)
        self.length = SMALL * start.length / max(len(tables.cells), 1) ** 0.5
        self.rates, self.here = untouched(n), np.zeros(n)
        self.take(self.here, 0.0, (0.0, 1.0, 0.0), self.here)

    def take(self, x: np.ndarray, by: float, weights: tuple, out: np.ndarray) -> None:
        tables, work, w = self.start.system.tables, self.start.work, np.array(weights)
        at = self.t, self.q, self.rates
        take_forces(tables, self.others, self.patches, work, *at, x, by, self.here, w, out)

    def stiffness(self, x: np.ndarray, part: float, y: np.ndarray) -> None:
        """y <- part y + M^-1/2 K M^-1/2 x"""
        by = self.length / max(largest_move(self.start.system.tables, x), 1e-300)
        self.take(x, by, (part, -1.0 / by, 1.0), y)

    def damping(self, x: np.ndarray, part: float, y: np.ndarray) -> None:
        """y <- part y + M^-1/2 D M^-1/2 x"""
        put_rates(self.start.system.tables, x, self.rates)
        self.take(x, 0.0, (part, -1.0, 1.0), y)


def largest_value(product, n: int, products: int) -> float:
    """Largest eigenvalue of a symmetric matrix A, nearly; product(x, c, y): y <- c y + A x."""
    x = np.random.default_rng(0).normal(size=n)
    x /= np.linalg.norm(x)
    y, across = np.zeros(n), 0.0  # y: the vector before
    diagonal: list[float] = []
    beside: list[float] = []
    for _ in range(min(products, n)):
        product(x, -across, y)
        diagonal.append(float(x @ y))
        for some in pieces(n):
            y[some] -= diagonal[-1] * x[some]
        across = float(np.linalg.norm(y))
        if not across > 1e-12 * abs(diagonal[0]):
            break
        beside.append(across)
        y /= across
        x, y = y, x
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
