"""The linear system of every implicit step: [A G'; G 0] (x, multiplier) = rhs, dense.

The matrix is scaled to entries of order one and its lower right block shifted by a tiny -SHIFT, so that redundant rows
share their load instead of making the system singular. Refinement against the matrix without shift removes the shift's
effect on all that is determined. Degrees of freedom that do not take part (across the plane of a planar model, and
those of prescribed nodes) are held at zero.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import uintp

from ..jit import device
from ..linear.dense import lu_factor, lu_solve, row_product
from ..mechanics import tables as tb

SHIFT = 1e-10


class Kkt(NamedTuple):
    """Arrays of one system of n = nv + rows unknowns."""

    matrix: np.ndarray  # (n, n): the caller fills [:nv, :nv], kkt_factor adds G' and G
    factors: np.ndarray  # (n, n) of the scaled and shifted matrix
    pivots: np.ndarray  # (n,)
    scale: np.ndarray  # (n,) of rows and columns alike
    x: np.ndarray  # (n,) scratch
    correction: np.ndarray  # (n,) scratch
    active: np.ndarray  # (nv,) 1 for degrees of freedom that take part, else 0
    refinements: np.ndarray  # (1,) steps of iterative refinement; 0 suits a Newton iteration, which corrects itself


def active_freedoms(tables: tb.Tables) -> np.ndarray:
    """Which entries of v can differ from zero and are not prescribed."""
    active = np.zeros(tb.velocity_size(tables), np.int64)
    columns = [int(c) for c in tables.columns] or list(range(6))
    for node in tables.nodes:
        size = {tb.POINT: 3, tb.FRAME: 6}.get(int(node["kind"]), 0)
        active[[int(node["v"]) + c for c in columns if c < size]] = 1
    return active


def new_kkt(tables: tb.Tables, refinements: int = 2) -> Kkt:
    """A system for these tables. In compiled code: clear_matrix(kkt.matrix), add_tangent(..., kkt.matrix), kkt_factor,
    then kkt_solve as often as needed."""
    active = active_freedoms(tables)
    n = len(active) + len(tables.rows)
    return Kkt(
        matrix=np.zeros((n, n)), factors=np.zeros((n, n)), pivots=np.zeros(n, np.uintp), scale=np.ones(n),
        x=np.zeros(n), correction=np.zeros(n), active=active,
        refinements=np.array([refinements]),
    )  # fmt: skip


@device
def put_rows(tables, work, kkt):
    """G and G' beside A."""
    K, nv = kkt.matrix, len(kkt.active)
    n = len(kkt.pivots)
    for r in range(nv, n):
        for j in range(n):
            K[r, j] = 0.0
            K[j, r] = 0.0
    for k in range(len(tables.block_node)):
        node = tables.nodes[tables.block_node[k]]
        r = nv + tables.block_row[k]
        for c in range(6 if node.kind == tb.FRAME else 3):
            K[r, node.v + c] += work.G[k, c]
            K[node.v + c, r] += work.G[k, c]


@device
def hold_inactive(kkt):
    """Unit rows and columns for degrees of freedom that do not take part."""
    K = kkt.matrix
    for i in range(len(kkt.active)):
        if kkt.active[i] == 0:
            for j in range(len(kkt.pivots)):
                K[i, j] = 0.0
                K[j, i] = 0.0
            K[i, i] = 1.0


@device
def equilibrate(kkt):
    """kkt.scale such that the largest entry of every scaled row is near one (Ruiz's iteration; symmetric scaling)."""
    K, d, big = kkt.matrix, kkt.scale, kkt.x
    n = len(d)
    for i in range(n):
        d[i] = 1.0
    for _ in range(3):
        for i in range(n):
            big[i] = 0.0
        for i in range(n):
            for j in range(n):
                if K[i, j] != 0.0:
                    e = abs(K[i, j]) * d[i] * d[j]
                    big[i] = max(big[i], e)
                    big[j] = max(big[j], e)
        for i in range(n):
            if big[i] > 0.0:
                d[i] /= big[i] ** 0.5


@device
def kkt_factor(tables, work, kkt):
    """Complete kkt.matrix, whose [:nv, :nv] the caller has filled, with work.G and factor it; 0, or 1 + a singular
    column."""
    put_rows(tables, work, kkt)
    hold_inactive(kkt)
    equilibrate(kkt)
    K, F, d = kkt.matrix, kkt.factors, kkt.scale
    n, nv = len(d), len(kkt.active)
    for i in range(n):
        for j in range(n):
            F[i, j] = K[i, j] * d[i] * d[j]
    for r in range(nv, n):
        F[r, r] -= SHIFT
    return lu_factor(F, kkt.pivots)


@device
def kkt_solve(tables, work, kkt, rhs):
    """rhs (nv, then rows) <- the solution (x, multiplier)."""
    K, d, x, e = kkt.matrix, kkt.scale, kkt.x, kkt.correction
    n = len(d)
    for i in range(len(kkt.active)):
        if kkt.active[i] == 0:
            rhs[i] = 0.0
    for i in range(n):
        x[i] = rhs[i] * d[i]
    lu_solve(kkt.factors, kkt.pivots, x)
    for i in range(n):
        x[i] *= d[i]
    for _ in range(kkt.refinements[0]):
        for i in range(n):
            e[i] = (rhs[i] - row_product(K, uintp(i), uintp(0), uintp(n), x)) * d[i]
        lu_solve(kkt.factors, kkt.pivots, e)
        for i in range(n):
            x[i] += e[i] * d[i]
    for i in range(n):
        rhs[i] = x[i]


def dense_matrix(kkt):
    """The whole matrix as it was before factoring."""
    return kkt.matrix.copy()
