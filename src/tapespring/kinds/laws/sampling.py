"""A Python function of time, sampled where it bends until a quintic spline follows it to ten digits.

The engine then never calls Python, and has smooth velocities and accelerations of drives.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from .forms import PolynomialForm, SplineForm

ACCURACY = 1e-10  # relative to the largest value
FIRST_INTERVALS = 32
MOST_SAMPLES = 200_000
NARROWEST = 1e-10  # of the span: a kink or a jump is not resolved further


def sampled(function: Callable[[float], float], duration: float | None, name: str) -> SplineForm | PolynomialForm:
    """Spline of function(t) on 0 … duration; without a duration its value at 0. Raises ValueError."""
    if duration is None:
        return PolynomialForm((value_at(function, 0.0, name),))
    from scipy.interpolate import PPoly, make_interp_spline

    t = np.linspace(0.0, duration, FIRST_INTERVALS + 1)
    y = np.array([value_at(function, float(s), name) for s in t])
    while True:
        spline = make_interp_spline(t, y, k=5)
        between = t[:-1] + 0.5 * np.diff(t)
        found = np.array([value_at(function, float(s), name) for s in between])
        accurate = np.abs(spline(between) - found) <= ACCURACY * max(float(np.abs(y).max()), 1e-300)
        rough = ~accurate & (np.diff(t) > NARROWEST * duration)
        if not rough.any() or len(t) > MOST_SAMPLES:
            return SplineForm.of(PPoly.from_spline(spline))
        chosen = rough | np.append(rough[1:], False) | np.append(False, rough[:-1])  # neighbours: intervals stay graded
        chosen &= np.diff(t) > NARROWEST * duration
        t, y = np.append(t, between[chosen]), np.append(y, found[chosen])
        order = np.argsort(t)
        t, y = t[order], y[order]


def value_at(function: Callable[[float], float], t: float, name: str) -> float:
    """function(t), checked. Raises ValueError naming the time."""
    try:
        value = float(function(t))
    except Exception as error:
        raise ValueError(f"{name} failed at t = {t:g} s: {type(error).__name__}: {error}") from error
    if not math.isfinite(value):
        raise ValueError(f"{name} is {value} at t = {t:g} s; it must be finite over the simulated time")
    return value
