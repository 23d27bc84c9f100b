"""Mean, spread, quantiles, margins and how often a limit is violated, each with an interval.

Intervals are those of independent samples. Latin hypercubes and Sobol's sequence are more even than that, so that there
the intervals are rather too wide.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Interval = tuple[float | None, float | None]


def described(
    values: np.ndarray, limits: tuple[float, float], quantiles: tuple[float, ...], confidence: float
) -> dict[str, Any]:
    """One response of all samples; not a number where a run failed or there is no value.

    With a limit, what has no value counts as a violation: nobody knows that it passes.
    """
    good = np.sort(values[np.isfinite(values)])
    found: dict[str, Any] = {"samples": len(values), "valued": len(good)}
    if len(good) > 1:
        found["mean"] = mean_of(good, confidence)
        found["std"] = std_of(good, confidence)
        found["quantiles"] = [quantile_of(good, p, confidence) for p in quantiles]
        found["least"], found["most"] = float(good[0]), float(good[-1])
    if np.isfinite(limits).any():
        bad = ~((values >= limits[0]) & (values <= limits[1]))
        found["violation"] = probability_of(int(bad.sum()), len(values), confidence)
        found["margin"] = margins_of(good, limits, quantiles)
    return found


def mean_of(good: np.ndarray, confidence: float) -> dict[str, float]:
    """By Student's t."""
    from scipy.special import stdtrit

    n = len(good)
    mean, reach = float(good.mean()), float(stdtrit(n - 1, 0.5 + 0.5 * confidence) * good.std(ddof=1) / np.sqrt(n))
    return {"value": mean, "low": mean - reach, "high": mean + reach}


def std_of(good: np.ndarray, confidence: float) -> dict[str, float]:
    """With the error that the fourth moment tells, on the logarithm: tails heavier than normal make it wider."""
    from scipy.special import ndtri

    n, s2 = len(good), float(good.var(ddof=1))
    if s2 == 0.0:
        return {"value": 0.0, "low": 0.0, "high": 0.0}
    m4 = float(np.mean((good - good.mean()) ** 4))
    error = np.sqrt(max(m4 - s2**2 * (n - 3) / max(n - 1, 1), 0.0) / n) / (2.0 * s2)
    factor = float(np.exp(ndtri(0.5 + 0.5 * confidence) * error))
    s = float(np.sqrt(s2))
    return {"value": s, "low": s / factor, "high": s * factor}


def quantile_of(good: np.ndarray, p: float, confidence: float) -> dict[str, float | None]:
    """From the order of the samples alone; an end is None where there are too few samples to tell it."""
    n, tail = len(good), 0.5 * (1.0 - confidence)
    below, above = least_count(tail, n, p), least_count(1.0 - tail, n, p) + 1
    return {
        "probability": p, "value": float(np.quantile(good, p)),
        "low": float(good[below - 1]) if below >= 1 else None,
        "high": float(good[above - 1]) if above <= n else None,
    }  # fmt: skip


def least_count(share: float, n: int, p: float) -> int:
    """The least number of hits in n trials of probability p that is not exceeded in a share of cases."""
    from scipy.special import bdtr, bdtrik

    count = int(np.ceil(bdtrik(share, n, p)))
    return count - 1 if count > 0 and bdtr(count - 1, n, p) >= share else count


def probability_of(bad: int, n: int, confidence: float) -> dict[str, float]:
    """Clopper's and Pearson's interval, which holds for any number of samples: none bad of n is not never."""
    from scipy.special import betaincinv

    tail = 0.5 * (1.0 - confidence)
    low = float(betaincinv(bad, n - bad + 1, tail)) if bad else 0.0
    high = float(betaincinv(bad + 1, n - bad, 1.0 - tail)) if bad < n else 1.0
    return {"count": bad, "of": n, "value": bad / n if n else float("nan"), "low": low, "high": high}


def margins_of(good: np.ndarray, limits: tuple[float, float], quantiles: tuple[float, ...]) -> dict[str, Any]:
    """How far inside the limits: of the mean, in standard deviations, of the outer quantile, of the worst sample."""
    if len(good) < 2:
        return {}
    low, high = limits
    mean, std = float(good.mean()), float(good.std(ddof=1))
    outer = (float(np.quantile(good, min(quantiles))) - low, high - float(np.quantile(good, max(quantiles))))
    of_mean = min(mean - low, high - mean)
    return {
        "of_mean": of_mean, "in_std": of_mean / std if std > 0.0 else None, "of_quantile": min(outer),
        "quantile": max(quantiles) if outer[1] <= outer[0] else min(quantiles),
        "worst": float(min(good[0] - low, high - good[-1])),
    }  # fmt: skip
