"""Small probabilities by subset simulation (Au and Beck 2001): a rare event as the last of a chain of frequent ones.

Levels are found as they come, each with a tenth of its samples beyond it. From these, chains step on in standard normal
space by conditional sampling (Papaioannou et al. 2015), with a step that adapts to how many are accepted. A number in
a chain depends on the seed and its place alone, so that an interrupted study goes on to the same result.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

SHARE = 0.1  # of samples beyond each level
WANTED = 0.44  # of steps accepted
Asked = Callable[[np.ndarray, np.ndarray], np.ndarray]  # (indices, normal numbers) → how far inside the limit


@dataclass
class Subset:
    """What was found."""

    probability: float
    variation: float  # coefficient of variation of the estimate
    levels: list[dict[str, float]] = field(default_factory=list)
    reached: bool = True

    def interval(self, confidence: float) -> tuple[float, float]:
        """On the logarithm, for the estimate is a product of shares."""
        from scipy.special import ndtri

        reach = ndtri(0.5 + 0.5 * confidence) * np.sqrt(np.log1p(self.variation**2))
        return float(self.probability * np.exp(-reach)), float(min(1.0, self.probability * np.exp(reach)))

    def plain(self, confidence: float) -> dict[str, Any]:
        low, high = self.interval(confidence)
        return {
            "probability": self.probability, "low": low, "high": high, "variation": self.variation,
            "reached": self.reached, "levels": self.levels,
        }  # fmt: skip


def subset_simulation(asked: Asked, size: int, samples: int, levels: int, seed: int) -> Subset:
    """`asked` tells margins: below zero the limit is violated."""
    seeds, length = round(SHARE * samples), round(1.0 / SHARE)
    z = np.random.default_rng([seed, 11]).standard_normal((samples, size))
    margin = asked(np.arange(samples), z)
    probability, squares, step = 1.0, 0.0, 0.6
    found = Subset(0.0, np.inf)
    chains: np.ndarray | None = None  # (length, seeds) margins
    for level in range(levels):
        order = np.argsort(margin, kind="stable")
        limit = max(0.0, float(0.5 * (margin[order[seeds - 1]] + margin[order[seeds]])))
        share = float(np.mean(margin <= limit))
        squares += _variation(share, margin <= limit, chains, limit)
        probability *= share
        found.levels.append({"margin": limit, "share": share})
        if limit <= 0.0:
            found.probability, found.variation = probability, float(np.sqrt(squares))
            return found
        if level == levels - 1 or share == 0.0:
            break
        inside = order[:seeds]
        z, margin, chains, step = _stepped(
            asked, z[inside], margin[inside], limit, length, step, [seed, 12, level], samples * (level + 1)
        )
    found.reached, found.probability = False, probability
    return found


def _stepped(asked: Asked, z, margin, limit: float, length: int, step: float, seed: list[int], first: int):
    """Chains of `length` from seeds that lie beyond the level: (z, margins, margins by chain, step)."""
    seeds, size = z.shape
    states, margins, scale = [z], [margin], step
    spread = np.maximum(z.std(axis=0), 1e-3)
    for k in range(1, length):
        rng = np.random.default_rng([*seed, k])
        sigma = np.minimum(1.0, scale * spread)
        candidate = np.sqrt(1.0 - sigma**2) * states[-1] + sigma * rng.standard_normal((seeds, size))
        index = first + (k - 1) * seeds + np.arange(seeds)
        there = asked(index, candidate)
        taken = there <= limit
        states.append(np.where(taken[:, None], candidate, states[-1]))
        margins.append(np.where(taken, there, margins[-1]))
        scale = float(np.exp(np.log(scale) + (taken.mean() - WANTED) / np.sqrt(k)))
    return np.concatenate(states), np.concatenate(margins), np.array(margins), scale


def _variation(share: float, beyond: np.ndarray, chains: np.ndarray | None, limit: float) -> float:
    """Squared coefficient of variation of a level's share; samples of one chain are not independent."""
    n = len(beyond)
    if share <= 0.0:
        return np.inf
    gamma = 0.0
    if chains is not None and share < 1.0:
        hits = (chains <= limit).astype(float)
        length, seeds = hits.shape
        variance = share * (1.0 - share)
        for lag in range(1, length):
            product = float((hits[:-lag] * hits[lag:]).sum()) / ((length - lag) * seeds) - share**2
            gamma += 2.0 * (1.0 - lag / length) * product / variance
    return (1.0 - share) / (share * n) * (1.0 + max(gamma, 0.0))
