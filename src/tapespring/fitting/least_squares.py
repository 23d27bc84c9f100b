"""Least squares by Levenberg and Marquardt within bounds: residuals r(x) and their slopes J from one call.

A step minimises |r + J p| among steps no longer than a radius, for the variables that are not held at a bound. The
radius, not a damping factor, is what is learnt from step to step (Moré): along a valley in which the data hardly tell
one place from another, a step may then be long at once. Variables are scaled so that a step of one is much.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

FARTHEST = 4.0  # longest radius
FLAT = 1e-8  # relative gain foreseen below which the optimum is reached
FAILS = "the model fails where the search begins"


@dataclass
class Descent:
    """Where a search stands; as plain data it can be kept and gone on from."""

    x: np.ndarray
    radius: float = 1.0
    cost: float = np.inf  # half the sum of squares
    solutions: int = 0
    status: str = "going on"
    exact: bool = False  # slopes are taken from both sides
    costs: list[float] = field(default_factory=list)
    here: tuple[np.ndarray, np.ndarray] | None = field(default=None, repr=False)  # r and J at x; not kept

    def plain(self) -> dict:
        return {
            "x": [float(v) for v in self.x], "radius": self.radius, "cost": self.cost, "solutions": self.solutions,
            "status": self.status, "exact": self.exact, "costs": self.costs,
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
        step = limited_step(J, r, at.radius, x, low, high)
        length = float(np.linalg.norm(step))
        foreseen = at.cost - half_square(r + J @ step)
        if length <= accuracy or foreseen <= FLAT * at.cost:
            at.status, at.here = "converged", (r, J)
            break
        if at.solutions >= most:
            at.status = "the most solutions allowed were used"
            break
        new = residuals(np.clip(x + step, low, high))
        at.solutions += 1
        ratio = (at.cost - half_square(new)) / foreseen
        at.radius = next_radius(at.radius, length, ratio)
        if ratio > 0.0:
            x, r = np.clip(x + step, low, high), new
            at.x, at.cost = x, half_square(r)
            at.costs.append(at.cost)
            J = slopes(x, r)
        told(at)
    return at


def next_radius(radius: float, length: float, ratio: float) -> float:
    """Shorter when less was gained than foreseen, longer when the foresight was good."""
    if not ratio > 0.25:
        return (0.25 if np.isfinite(ratio) and ratio > -1.0 else 0.1) * length
    return min(max(radius, 2.0 * length), FARTHEST) if ratio > 0.75 else radius


def limited_step(J, r, radius, x, low, high) -> np.ndarray:
    """The best step within the radius and the bounds: variables that would cross a bound go there and stay, and the
    others make the best of it."""
    g = J.T @ r
    free = ~(((x <= low) & (g > 0.0)) | ((x >= high) & (g < 0.0)))
    step = np.zeros(len(x))
    for _ in range(len(x)):
        left = max(radius * radius - float(step[~free] @ step[~free]), 1e-4 * radius * radius)
        step[free] = within(J[:, free], r + J[:, ~free] @ step[~free], np.sqrt(left))
        crossing = free & ((x + step < low) | (x + step > high))
        if not crossing.any():
            break
        step[crossing] = np.clip(x + step, low, high)[crossing] - x[crossing]
        free &= ~crossing
    return step


def within(J, r, radius: float) -> np.ndarray:
    """The step that minimises |r + J p| with |p| at most the radius."""
    if J.shape[1] == 0:
        return np.zeros(0)
    U, s, Vt = np.linalg.svd(J, full_matrices=False)
    keep = s > 1e-13 * max(float(s[0]), 1e-300)
    return Vt[keep].T @ damped(s[keep], -(U[:, keep].T @ r), radius)


def damped(s: np.ndarray, c: np.ndarray, radius: float) -> np.ndarray:
    """s c / (s² + damping), with the damping at which it is as long as the radius, or none if it is shorter."""
    p = c / s
    if not len(s) or np.linalg.norm(p) <= radius:
        return p
    low, high = 0.0, float(np.linalg.norm(s * c)) / radius  # the length falls with the damping
    for _ in range(60):
        damping = np.sqrt(low * high) if low > 0.0 else 1e-3 * high
        p = s * c / (s * s + damping)
        length = np.linalg.norm(p)
        if abs(length - radius) <= 0.05 * radius:
            break
        low, high = (damping, high) if length > radius else (low, damping)
    return p
