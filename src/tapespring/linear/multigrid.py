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
        self.indices, self.indptr, self.size = indices, indptr, 3 * (len(indptr) - 1)
        self.row_of = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
        self.diagonal = np.flatnonzero(self.row_of == indices)
        self.together: list[np.ndarray] | None = None
        self.levels: Any = None
        self.usual = MOST  # iterations with fresh levels
        self.iterations = 0

    def fill(self, blocks: np.ndarray, G, motions: np.ndarray) -> None:
        """A as (blocks, 3, 3), G as a sparse matrix, and rigid motions (size, 6)."""
        from scipy.sparse import bsr_array, eye_array

        size = np.sqrt(np.abs(np.einsum("bii->b", blocks[self.diagonal])) / 3.0)
        size[size == 0.0] = 1.0
        self.scale = np.repeat(1.0 / size, 3)
        shape = (self.size, self.size)
        scaled = blocks / (size[self.row_of] * size[self.indices])[:, None, None]
        self.A = bsr_array((scaled, self.indices, self.indptr), shape=shape)
        self.G = (G * self.scale[None, :]).tocsr()
        if self.G.shape[0] == 0:
            self.W, self.P, self.matrix = self.G @ self.G.T, eye_array(self.size), self.A
        else:
            if self.together is None:
                self.together = knots(self.G)
            self.W = inverse_of_knots(self.G, self.together)
            held = self.G.T @ self.W @ self.G
            self.P = bsr_array(eye_array(self.size) - held, blocksize=(3, 3))
            self.matrix = bsr_array(self.P @ self.A @ self.P + bsr_array(held, blocksize=(3, 3)))
        self.motions = self.P @ (motions / self.scale[:, None])
        self.fresh = False

    def make_levels(self) -> None:
        """Coarser and coarser versions of the present matrix."""
        from scipy.sparse import bsr_matrix

        smoother = "block_gauss_seidel"
        self.levels = self.pyamg.smoothed_aggregation_solver(
            bsr_matrix(self.matrix), B=self.motions, symmetry="symmetric", strength=("symmetric", {"theta": WEAK}),
            smooth=("jacobi", {"omega": 4.0 / 3.0, "weighting": "local"}), improve_candidates=None,
            max_coarse=COARSEST, coarse_solver="splu",
            presmoother=(smoother, {"sweep": "forward"}), postsmoother=(smoother, {"sweep": "backward"}),
        )  # fmt: skip
        self.fresh = True

    def cycle(self, b: np.ndarray, depth: int = 0) -> np.ndarray:
        """About the solution of the system of a level."""
        level = self.levels.levels[depth]
        if depth == len(self.levels.levels) - 1:
            return self.levels.coarse_solver(level.A, b)
        x = np.zeros_like(b)
        level.presmoother(level.A, x, b)
        x += level.P @ self.cycle(level.R @ (b - level.A @ x), depth + 1)
        level.postsmoother(level.A, x, b)
        return x

    def conjugate_gradients(self, b: np.ndarray, most: int, accuracy: float) -> np.ndarray | None:
        """y with P A P y = b; None if it takes more iterations, or the levels do not suit. Raises NotConvergedError."""
        y, r, p, before = np.zeros_like(b), b.copy(), np.zeros_like(b), 1.0
        goal = accuracy**2 * dot(b, b)
        for self.iterations in range(most + 1):
            if dot(r, r) <= goal:
                return y
            z = self.cycle(r)
            now = dot(r, z)
            p = z + (now / before) * p
            q = self.matrix @ p
            curvature = dot(p, q)
            if not (curvature > 0.0 and now > 0.0):
                if self.fresh:
                    raise NotConvergedError("the stiffness is not positive, or the balance not stable")
                return None
            step, before = now / curvature, now
            y += step * p
            r -= step * q
        return None

    def projected(self, b: np.ndarray, accuracy: float = ACCURACY) -> np.ndarray:
        """y with P A P y = b. Raises NotConvergedError."""
        if self.levels is not None:
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
        x += self.P @ self.projected(self.P @ (b - self.A @ x))
        return x * self.scale, self.W @ (self.G @ (b - self.A @ x))

    def check(self) -> None:
        """Solve for any numbers at all, to a tenth of what each motion has of them on average: an unstable one cannot
        shrink that much unnoticed. Raises NotConvergedError if there is one."""
        self.projected(self.P @ np.random.default_rng(5).standard_normal(self.size), 0.1 / self.size**0.5)
