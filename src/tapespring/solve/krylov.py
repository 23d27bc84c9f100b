"""Some eigenvalues of a large operator: a block Krylov space, grown until those that are wanted have settled.

Blocks, because frequencies come in groups: six zeros of a free body, pairs of a round shaft, as many as there are equal
straps. A single vector would find one of each group and the others by rounding alone.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

BLOCK = 8
SETTLED = 1e-9  # residual over eigenvalue
ROUNDING = 10.0  # times the operator's own rounding is as good as it gets
CLOSE = 100.0  # times as much still passes when the space is exhausted
MOST = 600  # vectors in the space
DEPENDENT = 1e-10

Operator = Callable[[np.ndarray], np.ndarray]  # (n, k) -> (n, k)
Choice = Callable[[np.ndarray], np.ndarray]  # eigenvalues -> indices of those wanted, most wanted first


class NotSettledError(ValueError):
    """What was looked for was not found; says why."""


def orthonormal(X: np.ndarray, V: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """X made orthogonal to V and to itself, measured by `weight`; what depends on the rest is left out."""
    heavy = weight[:, None]
    for _ in range(3):
        X = X - V @ (V.T @ (heavy * X))
        size = np.sqrt(weight @ (X * X))
        X = X[:, size > 0.0] / size[size > 0.0]
        squares, turn = np.linalg.eigh(X.T @ (heavy * X))
        independent = squares > DEPENDENT
        X = (X @ turn[:, independent]) / np.sqrt(squares[independent])
    return X


def rounding_of(apply: Operator, X: np.ndarray, weight: np.ndarray, rng) -> float:
    """How far an operator is from linear, relative to its result: X turned before and after."""
    turn = np.linalg.qr(rng.standard_normal((X.shape[1], X.shape[1])))[0]
    X = X / np.maximum(np.sqrt(weight @ (X * X)), 1e-300)
    before, after = apply(X @ turn), apply(X) @ turn
    return float(np.sqrt((weight @ (before - after) ** 2).max() / max((weight @ after**2).max(), 1e-300)))


def eigenpairs(
    apply: Operator,
    weight: np.ndarray,
    wanted: Choice,
    count: int,
    symmetric: bool,
    most: int = MOST,
    strict: bool = True,
) -> tuple[np.ndarray, np.ndarray]:
    """(eigenvalues, vectors) of an operator, those wanted; fewer than `count` only if there are no more.

    weight: positive diagonal of the scalar product; symmetric: the operator is self-adjoint in it; strict: all that are
    wanted have to settle before the space is exhausted, else those that do not are left out. Raises NotSettledError.
    """
    n = len(weight)
    rng = np.random.default_rng(20)
    block = min(BLOCK, n)
    X = apply(apply(rng.standard_normal((n, block)) / np.sqrt(weight)[:, None]))
    settled = max(SETTLED, ROUNDING * rounding_of(apply, X, weight, rng))
    V, W, H = np.zeros((n, 0)), np.zeros((n, 0)), np.zeros((0, 0))
    while True:
        X = orthonormal(X, V, weight)
        Y = apply(X) if X.shape[1] else X
        heavy = weight[:, None] * X
        H = np.block([[H, V.T @ (weight[:, None] * Y)], [heavy.T @ W, heavy.T @ Y]])
        V, W = np.hstack((V, X)), np.hstack((W, Y))
        exhausted = X.shape[1] == 0 or V.shape[1] >= min(n, most)
        if V.shape[1] == 0:
            return np.zeros(0), V
        if symmetric:
            values, y = np.linalg.eigh(0.5 * (H + H.T))
        else:
            values, y = np.linalg.eig(H)
        chosen = wanted(values)
        values, y = values[chosen], y[:, chosen]
        miss = W @ y - (V @ y) * values
        miss = np.sqrt(weight @ np.abs(miss) ** 2) / np.maximum(np.abs(values), 1e-300)
        worst = miss.max(initial=0.0)
        if (worst <= settled and len(values) >= count) or exhausted:
            good = miss <= CLOSE * settled
            if strict and not good.all():
                raise NotSettledError(f"eigenvalues did not settle: {worst:.1e} is left of the worst one")
            return values[good], (V @ y)[:, good]
        X = Y
