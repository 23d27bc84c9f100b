"""Profile likelihood: how the best cost grows when one parameter is held away from its optimum.

Where confidence intervals from slopes are only a parabola's guess, the profile is the truth, for a price.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .least_squares import Descent, descend, half_square
from .matching import Matching

POINTS = 5  # on either side
REACH = 3.0  # standard deviations
FARTHEST = 3.0  # in variables, for parameters that are hardly known
LEVEL = 3.84  # of chi² for one parameter, 95 %


@dataclass
class Profile:
    """Values of a parameter, and the growth of chi² there with all others at their best."""

    name: str
    values: np.ndarray
    growth: np.ndarray
    interval: tuple[float, float]  # 95 %; infinite where it was not reached


def profile(matching: Matching, x: np.ndarray, k: int, std: float, variance: float) -> Profile:
    """Of parameter k around the optimum; `variance` is that of the weighted residuals."""
    v = matching.variables[k]
    least = half_square(matching.residuals(x))
    reach = min(REACH * std, FARTHEST)
    found: dict[float, float] = {float(x[k]): 0.0}
    for side in (-1.0, 1.0):
        at = x.copy()
        for step in range(1, POINTS + 1):
            at = held(matching, at, k, float(x[k] + side * reach * step / POINTS))
            found[float(at[k])] = 2.0 * (half_square(matching.residuals(at)) - least) / variance
    xs = np.array(sorted(found))
    growth = np.array([found[float(p)] for p in xs])
    low, high = crossing(xs[::-1], growth[::-1], float(x[k])), crossing(xs, growth, float(x[k]))
    values = np.array([v.value(float(p)) for p in xs])
    ends = (v.value(low) if np.isfinite(low) else v.low, v.value(high) if np.isfinite(high) else v.high)
    return Profile(v.name, values, growth, ends)


def held(matching: Matching, x: np.ndarray, k: int, where: float) -> np.ndarray:
    """The optimum with variable k held."""
    low, high = (b.copy() for b in matching.bounds)
    at = x.copy()
    at[k] = where
    low[k] = high[k] = where
    ended = descend(matching.residuals, matching.slopes, Descent(at, radius=0.5), (low, high), 30, 1e-5)
    return ended.x


def crossing(xs: np.ndarray, growth: np.ndarray, centre: float) -> float:
    """Where the growth first passes the level, going outwards along xs; ±infinity if it does not."""
    outward = np.sign(xs[-1] - xs[0])
    for a, b, ga, gb in zip(xs, xs[1:], growth, growth[1:], strict=False):
        if (b - centre) * outward > 0.0 and ga < LEVEL <= gb:
            return float(a + (b - a) * (LEVEL - ga) / (gb - ga))
    return float(outward * np.inf)
