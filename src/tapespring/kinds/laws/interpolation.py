"""Piecewise polynomials through the points of a table.

linear    straight from point to point: the usual one of forces.
monotone  never beyond two neighbouring points, with continuous slope and curvature: the usual one of motions. Pieces
          are quintic and take slopes and curvatures at the points from the smooth spline, held within limits that keep
          the control points of every piece in order (a Bézier curve rises if they do).
smooth    the interpolating spline of degree five (less with fewer than six points): derivatives up to the fourth are
          continuous, and it overshoots where the points turn sharply.
"""

from __future__ import annotations

import numpy as np

from ...schema.functions import Interpolation
from .forms import SplineForm

STEEPEST = 1.2  # slope at a point over the flatter of the two pieces: with 1.25 nothing is left for the curvatures
WITHIN = np.linspace(0.0, 1.0, 65)  # of a piece, where overshoot is looked for


def spline_between(x, y, interpolation: Interpolation) -> SplineForm:
    """Through points with increasing x."""
    x, y = np.array(x, float), np.array(y, float)
    if interpolation == "linear" or len(x) == 2:
        return SplineForm(x, np.column_stack((y[:-1], np.diff(y) / np.diff(x))))
    if interpolation == "monotone":
        return monotone(x, y)
    return smooth(x, y)


def smooth(x: np.ndarray, y: np.ndarray) -> SplineForm:
    from scipy.interpolate import PPoly, make_interp_spline

    return SplineForm.of(PPoly.from_spline(make_interp_spline(x, y, k=odd_degree(len(x)))))


def odd_degree(points: int) -> int:
    """Of a spline through so many points: the highest up to five."""
    degree = min(5, points - 1)
    return degree - (degree % 2 == 0)


def monotone(x: np.ndarray, y: np.ndarray) -> SplineForm:
    """Quintic pieces between neighbouring points, two continuous derivatives."""
    h, rise = np.diff(x), np.diff(y)
    slope, curvature = wanted_derivatives(x, y)
    slope = limited_slopes(slope, rise / h)
    curvature = limited_curvatures(slope, curvature, h, rise)
    return quintic_pieces(x, y, slope, curvature)


def wanted_derivatives(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Slope and curvature of the smooth spline at the points."""
    from scipy.interpolate import make_interp_spline

    spline = make_interp_spline(x, y, k=odd_degree(len(x)))
    if spline.k == 1:  # three points: their parabola
        bend = 2.0 * np.diff(np.diff(y) / np.diff(x))[0] / (x[2] - x[0])
        first = (y[1] - y[0]) / (x[1] - x[0]) - 0.5 * bend * (x[1] - x[0])
        return first + bend * (x - x[0]), np.full(3, bend)
    return spline(x, 1), spline(x, 2)


def limited_slopes(slope: np.ndarray, secant: np.ndarray) -> np.ndarray:
    """None against a neighbouring piece, none much steeper than it."""
    left, right = np.append(secant[0], secant), np.append(secant, secant[-1])
    turns = left * right <= 0.0
    steepest = STEEPEST * np.minimum(np.abs(left), np.abs(right))
    way = np.sign(left)
    return np.where(turns, 0.0, way * np.clip(way * slope, 0.0, steepest))


def limited_curvatures(slope: np.ndarray, curvature: np.ndarray, h: np.ndarray, rise: np.ndarray) -> np.ndarray:
    """Such that the control points y, y + d/5, y + 2d/5 + c/20 and likewise from the other end go one way in every
    piece, for d and c the slope and curvature times its length and its length squared."""
    way = np.sign(rise)
    at_start, at_end = way * slope[:-1], way * slope[1:]
    room = 10.0 * np.maximum(0.0, np.abs(rise) - 0.4 * h * (at_start + at_end)) / h**2  # half of it for each end
    lowest, highest = np.full(len(slope), -np.inf), np.full(len(slope), np.inf)
    for ends, one, other in ((np.s_[:-1], -4.0 * at_start / h, room), (np.s_[1:], -room, 4.0 * at_end / h)):
        lowest[ends] = np.maximum(lowest[ends], np.where(way >= 0.0, one, -other))
        highest[ends] = np.minimum(highest[ends], np.where(way >= 0.0, other, -one))
    return np.clip(curvature, np.minimum(lowest, 0.0), np.maximum(highest, 0.0))


def quintic_pieces(x: np.ndarray, y: np.ndarray, slope: np.ndarray, curvature: np.ndarray) -> SplineForm:
    """Hermite's quintic of values, slopes and curvatures at both ends of each piece."""
    h = np.diff(x)
    d0, d1, c0, c1 = slope[:-1], slope[1:], 0.5 * curvature[:-1], 0.5 * curvature[1:]
    miss = np.diff(y) - h * (d0 + h * c0)  # what the higher powers still have to reach at the end
    tilt = h * (d1 - d0 - 2.0 * h * c0)
    bend = h * h * (c1 - c0)
    a3, a4, a5 = 10.0 * miss - 4.0 * tilt + bend, -15.0 * miss + 7.0 * tilt - 2.0 * bend, 6.0 * miss - 3.0 * tilt + bend
    return SplineForm(x, np.column_stack((y[:-1], d0, c0, a3 / h**3, a4 / h**4, a5 / h**5)))


def overshoot(spline: SplineForm) -> float:
    """How far it goes beyond the points at the ends of its pieces."""
    z = np.diff(spline.knots)[:, None] * WITHIN
    values = np.zeros_like(z)
    for c in spline.coefficients.T[::-1]:
        values = values * z + c[:, None]
    above = values.max(axis=1) - np.maximum(values[:, 0], values[:, -1])
    below = np.minimum(values[:, 0], values[:, -1]) - values.min(axis=1)
    return float(max(above.max(), below.max()))
