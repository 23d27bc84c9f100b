"""Which parameter matters: Sobol's indices, Morris's elementary effects, correlations of ranks."""

from __future__ import annotations

from typing import Any

import numpy as np

RESAMPLES = 1000
AT_ONCE = 50  # draws that are held together


def sobol_indices(y: np.ndarray, size: int, confidence: float, seed: int = 0) -> dict[str, Any] | None:
    """First and total indices from Saltelli's blocks (base, size + 2), with intervals by resampling the base.

    First: Saltelli et al. (2010), total: Jansen (1999). Base samples with a run that failed are left out. None if too
    few are left.
    """
    blocks = y.reshape(-1, size + 2)
    blocks = blocks[np.isfinite(blocks).all(axis=1)]
    if len(blocks) < 8:
        return None
    products = _products(blocks)
    best = _indices(products.mean(axis=0)[None], size)[0]
    rng, n = np.random.default_rng([seed, 7]), len(blocks)
    again = []
    for first in range(0, RESAMPLES, AT_ONCE):  # how often each base sample is drawn
        drawn = rng.multinomial(n, np.full(n, 1.0 / n), min(AT_ONCE, RESAMPLES - first))
        again.append(_indices(drawn @ products / n, size))
    low, high = np.nanquantile(np.concatenate(again), [0.5 - 0.5 * confidence, 0.5 + 0.5 * confidence], axis=0)
    return {
        name: [{"value": float(best[k, j]), "low": float(low[k, j]), "high": float(high[k, j])} for j in range(size)]
        for k, name in enumerate(("first", "total"))
    }


def _products(blocks: np.ndarray) -> np.ndarray:
    """(base, 2 + 2 size) whose means give the indices: of A and B together, its square; of first and total ones."""
    middle = blocks[:, :2].mean()
    a, b, mixed = blocks[:, 0] - middle, blocks[:, 1] - middle, blocks[:, 2:] - middle
    first, total = b[:, None] * (mixed - a[:, None]), 0.5 * (a[:, None] - mixed) ** 2
    return np.column_stack((0.5 * (a + b), 0.5 * (a**2 + b**2), first, total))


def _indices(means: np.ndarray, size: int) -> np.ndarray:
    """(draws, 2, size)"""
    variance = means[:, 1] - means[:, 0] ** 2
    with np.errstate(divide="ignore", invalid="ignore"):
        return means[:, 2:].reshape(-1, 2, size) / np.where(variance > 0.0, variance, np.nan)[:, None, None]


def morris_effects(y: np.ndarray, design: Any, confidence: float, seed: int = 0) -> dict[str, Any] | None:
    """Mean size and spread of elementary effects: changes of the response when a parameter goes through half of its
    probability. None if too few trajectories are whole."""
    size = design.size
    paths = y.reshape(-1, size + 1)
    effects = np.full((len(paths), size), np.nan)
    for k, path in enumerate(paths):
        rows, order = design.trajectory(k)
        steps = np.diff(path)
        for step, j in enumerate(order):
            effects[k, j] = steps[step] / np.sign(rows[step + 1, j] - rows[step, j])
    effects = effects[np.isfinite(effects).all(axis=1)]
    if len(effects) < 3:
        return None
    rng = np.random.default_rng([seed, 8])
    picks = rng.integers(0, len(effects), (RESAMPLES, len(effects)))
    again = np.abs(effects)[picks].mean(axis=1)
    low, high = np.quantile(again, [0.5 - 0.5 * confidence, 0.5 + 0.5 * confidence], axis=0)
    size_of, spread = np.abs(effects).mean(axis=0), effects.std(axis=0, ddof=1)
    return {
        "size": [
            {"value": float(m), "low": float(a), "high": float(b)} for m, a, b in zip(size_of, low, high, strict=True)
        ],
        "mean": [float(v) for v in effects.mean(axis=0)],
        "spread": [float(v) for v in spread],
    }  # fmt: skip


def rank_correlations(rows: np.ndarray, y: np.ndarray, confidence: float) -> list[dict[str, float]] | None:
    """Spearman's, with Fisher's interval; signs tell whether a response grows with a parameter."""
    from scipy.special import ndtri

    good = np.isfinite(y)
    n = int(good.sum())
    if n < 5:
        return None
    target, found = ranks_of(y[good]), []
    for column in rows[good].T:
        ranks = ranks_of(column)
        flat = np.ptp(ranks) == 0.0 or np.ptp(target) == 0.0
        r = 0.0 if flat else float(np.corrcoef(ranks, target)[0, 1])
        reach = ndtri(0.5 + 0.5 * confidence) * np.sqrt((1.0 + 0.5 * r**2) / (n - 3))  # Bonett and Wright
        z = np.arctanh(np.clip(r, -1.0 + 1e-12, 1.0 - 1e-12))
        found.append({"value": r, "low": float(np.tanh(z - reach)), "high": float(np.tanh(z + reach))})
    return found


def ranks_of(values: np.ndarray) -> np.ndarray:
    """From 1 on; values that are equal share the mean of their places."""
    _, which, counts = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - 0.5 * (counts - 1))[which]
