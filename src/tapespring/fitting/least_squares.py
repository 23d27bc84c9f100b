"""Least squares by Levenberg and Marquardt within bounds: residuals r(x) and their slopes J from one call.

The step solves (J'J + damping D) p = -J'r for the variables that are not held at a bound, D being the diagonal of J'J
with a floor, so that a variable the data do not tell anything about stays where it is. A step is no longer than REACH in
any variable; the damping follows the ratio of what was gained to what was foreseen (Nielsen).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

REACH = 2.0  # most by which a variable changes in a step; variables are scaled so that this is much
FLOOR = 1e-2  # of the largest entry of D
FAILS = "the model fails where the search begins"
FLAT = 1e-13  # relative gain below which the optimum is reached to rounding


@dataclass
class Descent:
    """Where a search stands; as plain data it can be kept and gone on from."""

    x: np.ndarray
    damping: float = 0.1
    growth: float = 2.0
    cost: float = np.inf  # half the sum of squares
    solutions: int = 0
    status: str = "going on"
    costs: list[float] = field(default_factory=list)

    def plain(self) -> dict:
        return {
            "x": [float(v) for v in self.x], "damping": self.damping, "growth": self.growth, "cost": self.cost,
            "solutions": self.solutions, "status": self.status, "costs": self.costs,
        }  # fmt: skip

    @classmethod
    def from_plain(cls, data: dict) -> Descent:
        return cls(**(data | {"x": np.array(data["x"], float)}))

    @property
    def done(self) -> bool:
        return self.status != "going on"


def half_square(r: np.ndarray | None) -> float:
    return np.inf if r is None or not np.all(np.isfinite(r)) else 0.5 * float(r @ r)


def descend(
    residuals: Callable,
    slopes: Callable,
    at: Descent,
    bounds: tuple[np.ndarray, np.ndarray],
    most: int,
    accuracy: float,
    told: Callable[[Descent], None] = lambda at: None,
    first: tuple[np.ndarray, np.ndarray] | None = None,
) -> Descent:
    """Go down from where `at` stands. `residuals(x)` may be None where the model fails; `slopes(x, r)` is J.

    `told` is called after every solution; `first` are r and J at the start, if known. Ends with a status in words.
    """
    low, high = bounds
    x = np.clip(at.x, low, high)
    r = first[0] if first else residuals(x)
    at.x, at.cost, at.solutions = x, half_square(r), at.solutions + 1
    if not np.isfinite(at.cost):
        at.status = FAILS
        return at
    J = first[1] if first else slopes(x, r)
    while not at.done:
        step = damped_step(J, r, at.damping, x, low, high)
        if at.solutions >= most:
            at.status = "the most solutions allowed were used"
            break
        trial = np.clip(x + step, low, high)
        step = trial - x
        if np.abs(step).max(initial=0.0) <= accuracy * 1e-3:
            at.status = "converged"
            break
        foreseen = -(J.T @ r) @ step - 0.5 * float(np.sum((J @ step) ** 2))
        new = residuals(trial)
        at.solutions += 1
        gained = at.cost - half_square(new)
        if gained > 0.0:
            x, r = trial, new
            at.x, at.cost = x, half_square(r)
            ratio = gained / max(foreseen, 1e-300)
            at.damping = max(at.damping * max(1.0 / 5.0, 1.0 - (2.0 * ratio - 1.0) ** 3), 1e-12)
            at.growth = 2.0
            at.costs.append(at.cost)
            small = np.abs(step).max() <= accuracy and at.damping <= 1e-2
            if small or gained <= FLAT * at.cost:
                at.status = "converged"
            else:
                J = slopes(x, r)
        else:
            if foreseen <= FLAT * at.cost:
                at.status = "converged"
            at.damping, at.growth = min(at.damping * at.growth, 1e12), at.growth * 2.0
        told(at)
    return at


def damped_step(J, r, damping, x, low, high) -> np.ndarray:
    """The step, zero for variables held at a bound that they would cross."""
    g, A = J.T @ r, J.T @ J
    free = ~(((x <= low) & (g > 0.0)) | ((x >= high) & (g < 0.0)))
    step = np.zeros(len(x))
    if not free.any():
        return step
    D = np.diag(A)[free]
    D = np.maximum(D, FLOOR * max(D.max(), 1e-300))
    step[free] = np.linalg.lstsq(A[np.ix_(free, free)] + damping * np.diag(D), -g[free], rcond=None)[0]
    return step * min(1.0, REACH / max(np.abs(step).max(), 1e-300))
