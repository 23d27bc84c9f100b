"""Conjugate gradients for large elastic systems, preconditioned by algebraic multigrid (PyAMG, an optional package).

    A x + G' multiplier = b,    G x = g,    A positive definite where G x = 0

Unknowns come in threes: the displacement of a point or the turn of a frame. Constraints are not eliminated but
projected out, x = x0 + P y with P = 1 - G' W G and W = (G G')^-1, so that the matrix P A P keeps its blocks; W is made
block by block, of rows that hang together. Smoothed aggregation needs to know what costs next to no energy: the six
motions as a rigid body. Its levels serve later matrices too, until the iteration takes noticeably longer.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..results.extras import need
from .cycle import Blocks, Level, level_of, load_kernels, multiply, smooth_down, smooth_up

ACCURACY = 1e-4  # what is left of the right side: Newton's method, which uses it, corrects itself
MOST = 100  # iterations, with levels made of the same matrix
SLOWER = 1.5  # times the iterations with fresh levels: make them anew
COARSEST = 300  # unknowns
WEAK = 0.02  # couplings below this share of the diagonal do not count when points are gathered
LARGEST_KNOT = 60  # rows that hang together
DEPENDENT = 1e-9  # of the largest eigenvalue of G G' in a knot of rows


def dot(a: np.ndarray, b: np.ndarray) -> float:
    """Without BLAS, whose threads take longer to meet than vectors of this length to multiply."""
    return float(np.einsum("i,i->", a, b))


class NotConvergedError(ArithmeticError):
    """The iteration failed; says why."""


def knots(G) -> list[np.ndarray]:
    """Rows of G that hang together, (knots, rows) for every number of rows."""
    from scipy.sparse.csgraph import connected_components

    _, label = connected_components(abs(G) @ abs(G).T, directed=False)
    order, size = np.argsort(label, kind="stable"), np.bincount(label)
    first = np.cumsum(size) - size
    return [order[first[size == s][:, None] + np.arange(s)] for s in np.unique(size)]


def inverse_of_knots(G, together: list[np.ndarray]):
    """W = (G G')^-1, rows that depend on others left out in the sense of least squares."""
    from scipy.sparse import csr_array

    square = (G @ G.T).tocsr()
    rows, columns, values = [], [], []
    for group in together:
        shape = (*group.shape, group.shape[1])
        i, j = np.broadcast_to(group[:, :, None], shape).ravel(), np.broadcast_to(group[:, None], shape).ravel()
        rows.append(i)
        columns.append(j)
        values.append(np.linalg.pinv(square[i, j].reshape(shape), rcond=DEPENDENT, hermitian=True).ravel())
    where = np.concatenate(rows), np.concatenate(columns)
    return csr_array((np.concatenate(values), where), shape=square.shape)


class Multigrid:
    """One system whose entries change while its pattern stays."""

    def __init__(self, indices: np.ndarray, indptr: np.ndarray):
        """Pattern of the 3 x 3 blocks of A, as in scipy's BSR form. Raises MissingExtraError."""
        self.pyamg = need("pyamg", "multigrid", "the multigrid solver")
        load_kernels()
        self.A = Blocks(np.zeros((len(indices), 3, 3)), indices, indptr)
        self.size = 3 * (len(indptr) - 1)
        self.row_of = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
        self.diagonal = np.flatnonzero(self.row_of == indices)
        self.together: list[np.ndarray] | None = None
        self.levels: list[Level] = []
        self.coarsest: Any = None  # what solves on the last level
        self.usual = MOST  # iterations with fresh levels
        self.iterations = 0
        self.last: tuple[np.ndarray, np.ndarray] | None = None  # solution with this matrix, and its product with it

    def fill(self, blocks: np.ndarray, G, motions: np.ndarray) -> None:
        """A as (blocks, 3, 3), G as a sparse matrix, and rigid motions (size, 6)."""
        size = np.sqrt(np.abs(np.einsum("bii->b", blocks[self.diagonal])) / 3.0)
        size[size == 0.0] = 1.0
        self.scale = np.repeat(1.0 / size, 3)
        np.divide(blocks, (size[self.row_of] * size[self.A.column])[:, None, None], out=self.A.values)
        self.G = (G * self.scale[None, :]).tocsr()
        if self.G.shape[0] and self.together is None:
            self.together = knots(self.G)
        self.W = inverse_of_knots(self.G, self.together) if self.together else self.G @ self.G.T
        self.held = (self.G.T @ self.W @ self.G).tocsr()
        self.motions = motions
        self.fresh, self.last = False, None

    def times(self, x: np.ndarray) -> np.ndarray:
        """A x"""
        out = np.empty_like(x)
        multiply(self.A, x, out)
        return out

    def freed(self, x: np.ndarray) -> np.ndarray:
        """P x"""
        return x - self.held @ x

    def make_levels(self) -> None:
        """Coarser and coarser versions of the present matrix."""
        from scipy.sparse import bsr_array, bsr_matrix, eye_array

        A = bsr_array((self.A.values, self.A.column, self.A.first), shape=(self.size, self.size))
        P = bsr_array(eye_array(self.size) - self.held, blocksize=(3, 3))
        matrix = P @ A @ P + bsr_array(self.held, blocksize=(3, 3)) if self.G.shape[0] else A
        made = self.pyamg.smoothed_aggregation_solver(
            bsr_matrix(matrix), B=P @ (self.motions / self.scale[:, None]), symmetry="symmetric",
            strength=("symmetric", {"theta": WEAK}), smooth=("jacobi", {"omega": 4.0 / 3.0, "weighting": "local"}),
            improve_candidates=None, max_coarse=COARSEST, coarse_solver="splu", presmoother=None, postsmoother=None,
        )  # fmt: skip
        *finer, last = made.levels
        self.levels = [level_of(level.A, level.P) for level in finer]
        self.coarsest = lambda b: made.coarse_solver(last.A, b)
        self.fresh = True

    def cycle(self, b: np.ndarray, depth: int = 0) -> np.ndarray:
        """About the solution of the system of a level, in single precision."""
        if depth == len(self.levels):
            return self.coarsest(b.astype(float)).astype(np.float32)
        level, x = self.levels[depth], np.empty_like(b)
        below = np.empty(3 * (int(level.P.column.max()) + 1), np.float32)
        smooth_down(*level, b, x, below)
        smooth_up(*level, b, self.cycle(below, depth + 1), x)
        return x

    def freed_times(self, y: np.ndarray) -> np.ndarray:
        """(P A P + 1 - P) y"""
        free = self.freed(y)
        return self.freed(self.times(free)) + (y - free)

    def conjugate_gradients(self, b: np.ndarray, most: int, accuracy: float) -> np.ndarray | None:
        """y with (P A P + 1 - P) y = b; None if it takes more iterations, or the levels do not suit. Raises
        NotConvergedError."""
        y, r, p, before = *self.begin(b), np.zeros_like(b), 1.0
        goal = accuracy**2 * dot(b, b)
        for self.iterations in range(most + 1):
            left = dot(r, r)
            if left <= goal:
                self.last = y, b - r
                return y
            size = left**0.5
            z = size * self.cycle((r / size).astype(np.float32)).astype(float)
            now = dot(r, z)
            p = z + (now / before) * p
            q = self.freed_times(p)
            curvature = dot(p, q)
            if not (curvature > 0.0 and now > 0.0):
                if self.fresh:
                    raise NotConvergedError("the stiffness is not positive, or the balance not stable")
                return None
            step, before = now / curvature, now
            y += step * p
            r -= step * q
        return None

    def begin(self, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(y, what it leaves of b): as much of the last solution as is of use. The first correction of an increment is
        the path's tangent, if loads grow in proportion."""
        y, by = self.last or (b, np.zeros_like(b))
        energy = dot(y, by)
        part = dot(y, b) / energy if energy > 0.0 else 0.0
        return part * y, b - part * by

    def projected(self, b: np.ndarray, accuracy: float = ACCURACY) -> np.ndarray:
        """y with P A P y = b. Raises NotConvergedError."""
        if self.levels:
            y = self.conjugate_gradients(b, MOST if self.fresh else int(SLOWER * self.usual) + 1, accuracy)
            if y is not None:
                return y
        self.make_levels()
        y = self.conjugate_gradients(b, MOST, accuracy)
        if y is None:
            raise NotConvergedError(f"the iteration did not converge within {MOST} steps")
        self.usual = self.iterations or MOST
        return y

    def solve(self, b: np.ndarray, g: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(x, multiplier). Raises NotConvergedError."""
        b = b * self.scale
        x = self.G.T @ (self.W @ g)
        x += self.freed(self.projected(self.freed(b - self.times(x))))
        return x * self.scale, self.W @ (self.G @ (b - self.times(x)))

    def check(self) -> None:
        """Solve for any numbers at all, to a tenth of what each motion has of them on average: an unstable one cannot
        shrink that much unnoticed. Raises NotConvergedError if there is one."""
        kept, self.last = self.last, None
        self.projected(self.freed(np.random.default_rng(5).standard_normal(self.size)), 0.1 / self.size**0.5)
        self.last = kept
