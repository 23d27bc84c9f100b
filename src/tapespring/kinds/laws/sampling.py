"""A Python function of time as a piecewise polynomial, by samples.

First it is looked at in many places, evenly spread but not evenly spaced, so that nothing periodic hides between them.
Then a quintic spline is refined where it does not follow the function to ten digits, there and half-way between its
knots. What no refinement resolves is a corner or a jump: splines end there and begin anew behind it. So the engine
never calls Python, has smooth velocities and accelerations of drives, and knows where to end its steps.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

import numpy as np

from .forms import PolynomialForm, SplineForm
from .interpolation import odd_degree

ACCURACY = 1e-10  # relative to the largest value
COARSE = 1e-3  # likewise, while jumps are looked for
FIRST_INTERVALS = 32
MOST_SAMPLES = 200_000
NARROWEST = 1e-10  # of the span: what is rough on intervals as short as this is a corner
GOLDEN = 0.5 * (math.sqrt(5.0) - 1.0)
MOST_CORNERS = 1000

Places = tuple[np.ndarray, np.ndarray]  # times and values


def sampled(
    function: Callable[[float], float], duration: float | None, name: str, looks: int = 10_000, accuracy=ACCURACY
) -> SplineForm | PolynomialForm:
    """Piecewise polynomial of function(t) on 0 … duration, looked at in so many places; without a duration its value at
    0. Raises ValueError."""
    first = value_at(function, 0.0, name)
    if duration is None:
        return PolynomialForm((first,))

    def values(t: np.ndarray) -> np.ndarray:
        return np.array([value_at(function, float(s), name) for s in t])

    seen = spread(duration, looks)
    known = seen, values(seen)
    edges = [0.0, duration]
    for rough in (COARSE, accuracy):  # jumps first, for splines across them are rough all around
        parts = [refined(values, ends, known, duration, rough) for ends in pairwise(edges)]
        corners = [corner(values, a, b) for part in parts for a, b in part.rough]
        if rough == accuracy and not corners:
            break
        edges = well_apart([*edges, *corners], duration)
        if len(edges) > MOST_CORNERS:  # a record of data rather than a function with corners
            return refined(values, (0.0, duration), known, duration, accuracy).spline
    else:
        parts = [refined(values, ends, known, duration, accuracy) for ends in pairwise(edges)]
    return one_after_another([part.spline for part in parts], edges)


def well_apart(edges: list[float], duration: float) -> list[float]:
    """In order from 0 to the duration, none twice."""
    near, found = 10.0 * NARROWEST * duration, [0.0]
    for edge in sorted(edges):
        if near < edge - found[-1] and edge < duration - near:
            found.append(edge)
    return [*found, duration]


def spread(duration: float, looks: int) -> np.ndarray:
    """Places within 0 … duration, one in each of equal parts."""
    k = np.arange(looks)
    return duration * (k + np.mod((k + 1) * GOLDEN, 1.0)) / looks


class Refined:
    """A spline, and intervals that stayed rough however short they became."""

    def __init__(self, spline: SplineForm, rough: list[tuple[float, float]]):
        self.spline, self.rough = spline, rough


def refined(values, ends: tuple[float, float], known: Places, span: float, accuracy: float) -> Refined:
    """A spline between two times through samples, more of them where it does not follow what is known."""
    from scipy.interpolate import PPoly, make_interp_spline

    inside = (known[0] > ends[0]) & (known[0] < ends[1])
    seen = known[0][inside], known[1][inside]
    t = np.linspace(np.nextafter(ends[0], ends[1]), np.nextafter(ends[1], ends[0]), FIRST_INTERVALS + 1)
    y = values(t)
    while True:
        spline = make_interp_spline(t, y, k=odd_degree(len(t)))
        between = t[:-1] + 0.5 * np.diff(t)
        found = values(between)
        size = max(float(np.abs(y).max()), float(np.abs(seen[1]).max(initial=0.0)), 1e-300)
        off = np.abs(spline(between) - found)
        np.maximum.at(off, np.clip(np.searchsorted(t, seen[0]) - 1, 0, len(off) - 1), np.abs(spline(seen[0]) - seen[1]))
        rough = off > accuracy * size
        wide = np.diff(t) > NARROWEST * span
        if not (rough & wide).any() or len(t) > MOST_SAMPLES:
            left = rough & ~wide
            return Refined(SplineForm.of(PPoly.from_spline(spline)), together(t, left))
        chosen = rough | np.append(rough[1:], False) | np.append(False, rough[:-1])  # neighbours: intervals stay graded
        chosen &= wide
        t, y = np.append(t, between[chosen]), np.append(y, found[chosen])
        order = np.argsort(t)
        t, y = t[order], y[order]


def together(t: np.ndarray, left: np.ndarray) -> list[tuple[float, float]]:
    """Intervals side by side, or nearly so, as one."""
    found: list[tuple[float, float]] = []
    for k in np.flatnonzero(left):
        if found and t[k] - found[-1][1] <= 16.0 * (t[k + 1] - t[k]):
            found[-1] = (found[-1][0], float(t[k + 1]))
        else:
            found.append((float(t[k]), float(t[k + 1])))
    return found


def corner(values, a: float, b: float) -> float:
    """Where between a and b the function jumps, by bisection; where it only bends, near enough between them."""
    first, last = (float(v) for v in values(np.array([a, b])))
    while True:
        middle = 0.5 * (a + b)
        if not a < middle < b:
            return b
        here = float(values(np.array([middle]))[0])
        if abs(here - first) <= abs(here - last):
            a = middle
        else:
            b = middle


def one_after_another(splines: list[SplineForm], edges: list[float]) -> SplineForm:
    """Splines of neighbouring spans as one; each fills the span between its edges."""
    size = max(spline.coefficients.shape[1] for spline in splines)
    coefficients = [np.pad(s.coefficients, ((0, 0), (0, size - s.coefficients.shape[1]))) for s in splines]
    knots = [np.array([a, *s.knots[1:-1]]) for a, s in zip(edges, splines, strict=False)]
    return SplineForm(np.append(np.concatenate(knots), edges[-1]), np.concatenate(coefficients))


def value_at(function: Callable[[float], float], t: float, name: str) -> float:
    """function(t), checked. Raises ValueError naming the time."""
    try:
        value = float(function(t))
    except Exception as error:
        raise ValueError(f"{name} failed at t = {t:g} s: {type(error).__name__}: {error}") from error
    if not math.isfinite(value):
        raise ValueError(f"{name} is {value} at t = {t:g} s; it must be finite over the simulated time")
    return value
