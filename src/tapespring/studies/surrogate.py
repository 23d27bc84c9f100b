"""A polynomial in place of runs (polynomial chaos): orthogonal in the distribution of the parameters, so that its
coefficients tell the variance; with the error it makes at samples it has not seen."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np

MOST_TERMS = 1500
HIGHEST = 8
FOLDS = 10
ENOUGH = 1.5  # samples per term
EXACT = 1e-8  # error below which a higher degree is not looked for


@dataclass
class Surrogate:
    """y ≈ Σ c ψ(u), u: parameters as numbers between 0 and 1."""

    powers: np.ndarray  # (terms, parameters)
    coefficients: np.ndarray
    bounded: np.ndarray  # Legendre's polynomials of u, else Hermite's of its normal quantile
    error: float  # of 1: root mean square at samples left out, over the standard deviation

    @property
    def degree(self) -> int:
        return int(self.powers.sum(axis=1).max(initial=0))

    def __call__(self, u: np.ndarray) -> np.ndarray:
        return basis(np.atleast_2d(u), self.powers, self.bounded) @ self.coefficients

    @property
    def mean(self) -> float:
        return float(self.coefficients[self.powers.sum(axis=1) == 0].sum())

    @property
    def variance(self) -> float:
        return float((self.coefficients[self.powers.sum(axis=1) > 0] ** 2).sum())

    def indices(self) -> tuple[np.ndarray, np.ndarray]:
        """Sobol's (first, total) indices of the polynomial itself."""
        used, square = self.powers > 0, self.coefficients**2
        alone = used & (used.sum(axis=1) == 1)[:, None]
        whole = max(self.variance, 1e-300)
        return (square[:, None] * alone).sum(axis=0) / whole, (square[:, None] * used).sum(axis=0) / whole


def fitted(u: np.ndarray, y: np.ndarray, bounded: np.ndarray, seed: int = 0) -> Surrogate | None:
    """The degree with the least cross-validated error; None with too few samples, or where nothing varies."""
    good = np.isfinite(y)
    u, y = u[good], y[good]
    n, size = u.shape
    if n < 2 * (size + 1) or n < FOLDS or not np.ptp(y) > 0.0:
        return None
    fold = np.random.default_rng([seed, 9]).permutation(n) % FOLDS
    best: Surrogate | None = None
    for degree in range(1, HIGHEST + 1):
        powers = multi_indices(size, degree)
        if len(powers) > MOST_TERMS or ENOUGH * len(powers) > n * (FOLDS - 1) / FOLDS:
            break
        psi = basis(u, powers, bounded)
        error = cross_validated(psi, y, fold)
        if best is None or error < best.error:
            best = Surrogate(powers, least_squares(psi.T @ psi, psi.T @ y), bounded, error)
        if error < EXACT or degree > best.degree + 1:
            break
    return best


def cross_validated(psi: np.ndarray, y: np.ndarray, fold: np.ndarray) -> float:
    """Root mean square of what is left at samples that were left out, over the standard deviation."""
    square, right = psi.T @ psi, psi.T @ y
    left = np.empty(len(y))
    for k in range(FOLDS):
        out = fold == k
        c = least_squares(square - psi[out].T @ psi[out], right - psi[out].T @ y[out])
        left[out] = y[out] - psi[out] @ c
    return float(np.sqrt(np.mean(left**2)) / y.std())


def least_squares(square: np.ndarray, right: np.ndarray) -> np.ndarray:
    """By the normal equations: an orthonormal basis keeps them well conditioned, and folds cost little."""
    try:
        return np.linalg.solve(square, right)
    except np.linalg.LinAlgError:
        return np.linalg.lstsq(square, right, rcond=None)[0]


def multi_indices(size: int, degree: int) -> np.ndarray:
    """All powers whose sum is at most the degree."""
    found = [np.zeros(size, int)]
    for total in range(1, degree + 1):
        for chosen in combinations_with_replacement(range(size), total):
            found.append(np.bincount(chosen, minlength=size))
            if len(found) > MOST_TERMS:
                return np.array(found)
    return np.array(found)


def basis(u: np.ndarray, powers: np.ndarray, bounded: np.ndarray) -> np.ndarray:
    """(samples, terms) orthonormal products."""
    from scipy.special import factorial, ndtri

    highest = int(powers.max(initial=0))
    single = np.ones((u.shape[1], highest + 1, len(u)))
    for j in range(u.shape[1]):
        x = 2.0 * u[:, j] - 1.0 if bounded[j] else ndtri(np.clip(u[:, j], 1e-15, 1.0 - 1e-15))
        if highest:
            single[j, 1] = x
        for k in range(1, highest):
            if bounded[j]:
                single[j, k + 1] = ((2 * k + 1) * x * single[j, k] - k * single[j, k - 1]) / (k + 1)
            else:
                single[j, k + 1] = x * single[j, k] - k * single[j, k - 1]
        order = np.arange(highest + 1)
        single[j] *= (np.sqrt(2.0 * order + 1.0) if bounded[j] else 1.0 / np.sqrt(factorial(order)))[:, None]
    out = np.ones((len(u), len(powers)))
    for j in range(u.shape[1]):
        out *= single[j, powers[:, j]].T
    return out
