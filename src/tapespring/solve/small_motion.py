"""Small motions about a state, as matrices: M d'' + D d' + K d + G' multiplier = 0, G d = 0.

d are displacements as everywhere (world translations, rotations in body axes). Matrices are kept as flat arrays in the
layout of solve.kkt, so that any combination of them is factored at once together with G.
"""

from __future__ import annotations

import numpy as np

from ..build.assembler import System
from ..jit import kernel
from ..mechanics import tables as tb
from ..mechanics.constraints import evaluate_rows
from ..mechanics.forces import apply_forces
from ..mechanics.linking import accelerations
from ..mechanics.motion import place_nodes
from ..mechanics.projection import clear
from ..mechanics.tangent import out_of_balance
from ..reference import by_reference
from .implicit import add_tangent, link_implicit
from .kkt import kkt_factor, kkt_solve, new_kkt, triplets
from .krylov import orthonormal
from .spin import Spin, add_to_blocks, cross_matrices

NOTHING = 1e-13  # of the forces in a matrix: what is left of them by rounding


@kernel
def reactions_at(tables, work, t, q, v, a):
    """a <- accelerations, work.multiplier <- reactions there: those that balance the forces best, measured by mass."""
    accelerations(by_reference(tables), t, q, v, by_reference(work), a, 0.0, 0.0)


@kernel
def linearise(tables, work, t, q, v, a, multiplier, r, weights, kkt, still):
    """r <- residual; kkt.values <- its derivatives by acceleration, velocity and displacement, weighted; work.G and
    work.g current. still: prescribed frames count as standing where they are."""
    tables, work, kkt = by_reference(tables), by_reference(work), by_reference(kkt)
    place_nodes(tables, t, q, v, work)
    if still:
        for n in range(len(tables.nodes)):
            for k in range(3):
                work.v[n, k] = 0.0
                work.w[n, k] = 0.0
    apply_forces(tables, t, work)
    evaluate_rows(tables, t, work)
    out_of_balance(tables, v, a, multiplier, work, r)
    clear(kkt.values)
    add_tangent(tables, t, q, v, multiplier, work, weights[0], weights[1], weights[2], kkt)


@kernel
def factor_filled(tables, work, kkt):
    """Factor the matrix whose upper left part stands in kkt.values; the status."""
    return kkt_factor(by_reference(tables), by_reference(work), by_reference(kkt))


@kernel
def solve_filled(tables, work, kkt, rhs):
    """Every row of rhs (k, nv + rows) <- the solution."""
    tables, work, kkt = by_reference(tables), by_reference(work), by_reference(kkt)
    for k in range(len(rhs)):
        kkt_solve(tables, work, kkt, rhs[k])


class SmallMotion:
    """The matrices about one state, and solutions of any combination of them.

    Without `multiplier`, reactions are those that balance the forces best. Without `v` the state is at rest; a place
    given with its multipliers is taken as balanced, and prescribed frames as standing still. With `spin`, all turns
    with a steady rate: displacements are those seen by an observer who turns along.
    """

    def __init__(
        self, system: System, work: tb.Work, q, v=None, t: float = 0.0, multiplier=None, spin: Spin | None = None
    ):
        self.tables, self.work, self.nv = system.tables, work, len(system.v0)
        link_implicit(self.tables, work)
        self.kkt = new_kkt(self.tables)
        self.active = self.kkt.active == 1
        self.entry = triplets(self.kkt)[:2]
        self.q, self.t = np.array(q, float), float(t)
        self.v = np.zeros(self.nv) if v is None else np.array(v, float)
        a, r = np.zeros(self.nv), np.zeros(self.nv)
        still = v is None and multiplier is not None
        if multiplier is None:
            reactions_at(self.tables, work, self.t, self.q, self.v, a)
            multiplier = work.multiplier.copy()
        self.multiplier = np.array(multiplier, float)
        found = []
        for weights in np.eye(3):
            linearise(self.tables, work, self.t, self.q, self.v, a, self.multiplier, r, weights, self.kkt, still)
            found.append(self.kkt.values.copy())
        self.M, self.D, self.K = found
        self.residual = r
        if v is not None and np.any(self.v):
            self.turn_along(self.v, a)
        elif np.any(a):
            self.turn_along(np.zeros(self.nv), a)
        if spin is not None:
            spin.add_to(self.tables, work, self.kkt, self.D, self.K)
        self.mass = np.ones(self.nv)
        self.mass[self.active] = self.sparse(self.M).diagonal()[: self.nv][self.active]

    def turn_along(self, w: np.ndarray, dw: np.ndarray) -> None:
        """Rotations are held in body axes, which turn: the change of w is d' + w x d."""
        kkt, nodes = self.kkt, self.tables.nodes
        frames = np.flatnonzero(nodes["kind"] == tb.FRAME)
        first = nodes["v"][frames] + 3
        J = nodes["inertia"][frames]
        W, dW = (cross_matrices(x[first[:, None] + np.arange(3)]) for x in (w, dw))
        by_rate = self.sparse(self.D)
        add_to_blocks(self.D, kkt, frames, J[:, :, None] * W, 3)
        add_to_blocks(self.K, kkt, frames, J[:, :, None] * dW, 3)
        if np.any(w):  # columns of D times W
            from scipy.sparse import csr_array

            at = (first[:, None] + np.arange(3))[:, :, None] + np.zeros(3, np.int64)
            n = by_rate.shape[0]
            turn = csr_array((W.ravel(), (at.ravel(), at.transpose(0, 2, 1).ravel())), shape=(n, n))
            rows, columns = self.entry
            self.K += np.asarray((by_rate @ turn).tocsr()[rows, columns]).ravel()

    def sparse(self, values: np.ndarray):
        """One of the matrices in scipy's CSR form over (v, rows)."""
        from scipy.sparse import csr_array

        n = self.nv + len(self.tables.rows)
        rows, columns = self.entry
        some = values != 0.0
        return csr_array((values[some], (rows[some], columns[some])), shape=(n, n))

    def matrix(self, values: np.ndarray):
        """One of M, D, K over v, without freedoms that do not take part."""
        from scipy.sparse import diags_array

        take = diags_array(self.active.astype(float))
        return (take @ self.sparse(values)[: self.nv, : self.nv] @ take).tocsr()

    def rows(self):
        """G in scipy's CSR form (rows, nv)."""
        from scipy.sparse import csr_array

        t = self.tables
        width = np.where(t.nodes["kind"][t.block_node] == tb.FRAME, 6, 3)
        block = np.repeat(np.arange(len(width)), width)
        c = np.arange(len(block)) - np.repeat(np.cumsum(width) - width, width)
        columns = t.nodes["v"][t.block_node][block] + c
        shape = (len(t.rows), self.nv)
        return csr_array((self.work.G[block, c], (t.block_row.astype(np.int64)[block], columns)), shape=shape)

    def rigid_motions(self) -> np.ndarray:
        """(nv, k): motions of joined bodies as one piece that nothing resists; M-orthonormal."""
        from scipy.sparse import coo_array, vstack
        from scipy.sparse.csgraph import connected_components

        nodes, work = self.tables.nodes, self.work
        free = np.flatnonzero((nodes["kind"] == tb.POINT) | (nodes["kind"] == tb.FRAME))
        none = np.zeros((self.nv, 0))
        if not self.active.all() or len(free) == 0:
            return none
        G, D, K = self.rows(), self.matrix(self.D), self.matrix(self.K)
        width = np.where(nodes["kind"][free] == tb.FRAME, 6, 3)
        owner = np.repeat(np.arange(len(free)), width)[np.argsort(np.argsort(np.repeat(nodes["v"][free], width)))]
        joined = (abs(G).T @ abs(G) + abs(D) + abs(K)).tocoo()
        graph = coo_array((np.ones(joined.nnz), (owner[joined.row], owner[joined.col])), shape=(len(free),) * 2)
        pieces, piece = connected_components(graph, directed=False)
        A = vstack((G, K, K.T, D, D.T)).tocsr()
        # entries of K round off by the root of the product of their diagonals
        root = np.sqrt(np.abs(K.diagonal()))
        rounding = (abs(K) > 0.0).astype(float).multiply(root[:, None]).multiply(root[None, :])
        size = vstack((abs(G), rounding, rounding.T, abs(D), abs(D).T)).tocsr()
        found = [none]
        for k in range(pieces):
            n = free[piece == k]
            R = rigid_basis(nodes, work, n, self.nv)
            R /= np.sqrt((self.mass[:, None] * R * R).sum(axis=0))
            scale = (size @ np.abs(R)).max(axis=1)
            miss = (A @ R)[scale > 0.0] / scale[scale > 0.0, None]
            miss = np.vstack((miss, np.zeros((6, R.shape[1]))))
            turn = np.linalg.svd(miss, full_matrices=False)[2].T
            R = R @ turn[:, np.abs(miss @ turn).max(axis=0, initial=0.0) <= NOTHING]
            found.append(orthonormal(R, none, self.mass))
        return np.hstack(found)

    def factor(self, values: np.ndarray) -> int:
        """Factor a combination of the matrices with G; 0, or one more than the unknown that has no pivot."""
        self.kkt.values[:] = values
        return factor_filled(self.tables, self.work, self.kkt)

    def solve(self, forces: np.ndarray) -> np.ndarray:
        """Displacements (nv, k) under forces (nv, k), by the last factors."""
        return self.solve_all(forces)[: self.nv]

    def solve_all(self, right: np.ndarray) -> np.ndarray:
        """(displacements, multipliers) of a right-hand side of nv or nv + rows."""
        rhs = np.zeros((right.shape[1], self.nv + len(self.tables.rows)))
        rhs[:, : len(right)] = right.T
        solve_filled(self.tables, self.work, self.kkt, rhs)
        return rhs.T


def rigid_basis(nodes: np.ndarray, work: tb.Work, n: np.ndarray, nv: int) -> np.ndarray:
    """(nv, up to 6): translations along and rotations about the world axes of some nodes as one piece."""
    centre = work.x[n].mean(axis=0)
    R = np.zeros((nv, 6))
    turning = n[nodes["kind"][n] == tb.FRAME]
    for k in range(3):
        axis = np.eye(3)[k]
        R[nodes["v"][n] + k, k] = 1.0
        R[nodes["v"][n][:, None] + np.arange(3), 3 + k] = np.cross(axis, work.x[n] - centre)
        R[nodes["v"][turning][:, None] + np.arange(3, 6), 3 + k] = work.R[turning][:, k, :]
    return R[:, np.abs(R).max(axis=0) > 0.0]
