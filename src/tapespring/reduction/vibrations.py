"""The slowest vibrations of a structure: K φ = ω² M φ by its flexibility, with any mass matrix.

With F the flexibility, F M φ = φ/ω². The space of F M times a block of vectors, again and again, contains the slowest
shapes soon. It is the block method of solve.krylov for masses that are not diagonal.
"""

from __future__ import annotations

import numpy as np

from ..solve.krylov import NotSettledError
from .elastic import Elastic

SMALL = 200  # coordinates that are solved whole
BLOCK = 8
SETTLED = 1e-5  # residual over eigenvalue: errors of frequencies are about its square
NEARLY, PATIENCE = 1e-4, 3  # what passes when it gets no better for so many blocks: rounding of a stiff structure
MOST = 1500
DEPENDENT = 1e-10
LOST = 1e-9
CLEAN = 1e-3  # of a vector is left when it is made orthogonal: enough for it to be so but for rounding


def slowest(elastic, M, count: int) -> tuple[np.ndarray, np.ndarray]:
    """(ω² rising, shapes (n, ·) with unit modal mass); fewer than `count` if there are no more."""
    n = M.shape[0]
    if count <= 0 or n == 0:
        return np.zeros(0), np.zeros((n, 0))
    if n <= SMALL or 3 * count > n:
        return all_of_them(elastic, M, count)
    rng = np.random.default_rng(8)
    V, H = np.zeros((n, 0)), np.zeros((0, 0))
    X = orthonormal(elastic.solve(M @ rng.standard_normal((n, BLOCK))), V, M)
    best, idle = np.inf, 0
    while True:
        Y = elastic.solve(M @ X)
        first, V = V.shape[1], np.hstack((V, X))
        column = V.T @ (M @ Y)
        H = np.block([[H, column[:first]], [column[:first].T, column[first:]]])
        Z = Y - V @ column  # all that F M times the space has outside of it
        values, y = np.linalg.eigh(0.5 * (H + H.T))
        values, y = values[::-1][:count], y[:, ::-1][:, :count]
        left = Z.T @ (M @ Z)
        worst = float((np.sqrt(np.maximum(np.einsum("ik,ij,jk->k", y[first:], left, y[first:]), 0.0)) / values).max())
        best, idle = (worst, 0) if worst < 0.5 * best else (best, idle + 1)
        done = len(values) == count and (worst <= SETTLED or (worst <= NEARLY and idle >= PATIENCE))
        X = Z if done else orthonormal(Z, V, M)
        if done or X.shape[1] == 0 or V.shape[1] >= min(n, MOST):
            if not done and X.shape[1] and worst > NEARLY:
                raise NotSettledError(f"vibrations did not settle: {worst:.1e} is left; ask for fewer modes")
            some = values > 1e-14 * values[0]
            return 1.0 / values[some], V @ y[:, some]


def all_of_them(elastic, M, count: int) -> tuple[np.ndarray, np.ndarray]:
    """By the root of the mass matrix, which may be singular."""
    squares, Q = np.linalg.eigh(M.toarray())
    some = squares > 1e-13 * max(squares.max(initial=0.0), 1e-300)
    root = Q[:, some] * np.sqrt(squares[some])  # M = root root'
    moved = elastic.solve(root)
    A = root.T @ moved
    values, y = np.linalg.eigh(0.5 * (A + A.T))
    values, y = values[::-1][:count], y[:, ::-1][:, :count]
    some = values > 1e-13 * max(values.max(initial=0.0), 1e-300)
    return 1.0 / values[some], (moved @ y[:, some]) / values[some]


def sizes(X: np.ndarray, M) -> np.ndarray:
    return np.sqrt(np.maximum((X * (M @ X)).sum(axis=0), 0.0))


def orthonormal(X: np.ndarray, V: np.ndarray, M) -> np.ndarray:
    """X made orthogonal to V and to itself, measured by M; what depends on the rest is left out."""
    for _ in range(3):
        X = X / np.maximum(sizes(X, M), 1e-300)
        X = X - V @ (V.T @ (M @ X))
        inner = X.T @ (M @ X)
        size = np.sqrt(np.maximum(np.diag(inner), 0.0))
        some = size > LOST  # what is left of the others is rounding
        if not some.any():
            return X[:, some]
        size, inner = size[some], inner[np.ix_(some, some)]
        squares, turn = np.linalg.eigh(inner / np.outer(size, size))
        apart = squares > DEPENDENT
        X = X[:, some] @ ((turn[:, apart] / np.sqrt(squares[apart])) / size[:, None])
        if size.min() * np.sqrt(squares.min()) > CLEAN:
            break
    return X


class Fixed:
    """The flexibility of the inner coordinates of a structure with the outer ones fixed."""

    def __init__(self, elastic: Elastic):
        self.elastic = elastic

    def solve(self, forces: np.ndarray) -> np.ndarray:
        return self.elastic.inside(forces)


def below(elastic, M, limit: float, first: int = 10) -> tuple[np.ndarray, np.ndarray]:
    """All vibrations slower than ω² = limit."""
    count, n = first, M.shape[0]
    while True:
        squares, shapes = slowest(elastic, M, min(count, n))
        if len(squares) < min(count, n) or count >= n or squares[-1] > limit:
            return squares[squares <= limit], shapes[:, squares <= limit]
        count *= 2
