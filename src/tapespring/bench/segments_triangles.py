"""Least distances of segments and triangles in NumPy, apart from the kernels: to judge what contacts do."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
EDGES = ((0, 1), (0, 2), (1, 2))  # of a triangle
ALONG = 1e-9  # sine between segments of which only the ends are looked at
FAR = np.inf


def dots(a: Array, b: Array) -> Array:
    return np.einsum("ij,ij->i", a, b)


def from_segment(p: Array, a: Array, b: Array) -> Array:
    """Of points from segments from a to b, row by row."""
    u = b - a
    along = np.clip(dots(p - a, u) / dots(u, u), 0.0, 1.0)
    return np.linalg.norm(p - a - along[:, None] * u, axis=1)


def within(p: Array, t: Array) -> NDArray[np.bool_]:
    """Whether points lie right over, under or in triangles (n, 3, 3)."""
    n, w = np.cross(t[:, 1] - t[:, 0], t[:, 2] - t[:, 0]), p - t[:, 0]
    second, third = dots(np.cross(w, t[:, 2] - t[:, 0]), n), dots(np.cross(t[:, 1] - t[:, 0], w), n)
    return (second >= 0.0) & (third >= 0.0) & (second + third <= dots(n, n))


def from_face(p: Array, t: Array) -> Array:
    """Of points right over or under triangles."""
    n = np.cross(t[:, 1] - t[:, 0], t[:, 2] - t[:, 0])
    height = np.abs(dots(p - t[:, 0], n)) / np.sqrt(dots(n, n))
    return np.where(within(p, t), height, FAR)


def of_segments(a: Array, b: Array) -> Array:
    """Of segments (n, 2, 3) from each other."""
    ends = [from_segment(a[:, k], b[:, 0], b[:, 1]) for k in (0, 1)]
    ends += [from_segment(b[:, k], a[:, 0], a[:, 1]) for k in (0, 1)]
    u, v, w = a[:, 1] - a[:, 0], b[:, 1] - b[:, 0], b[:, 0] - a[:, 0]
    n = np.cross(u, v)
    square, size = dots(n, n), dots(u, u) * dots(v, v)
    across = square > ALONG**2 * size
    square = np.where(across, square, 1.0)
    s, t = dots(np.cross(w, v), n) / square, dots(np.cross(w, u), n) / square
    crossing = across & (s > 0.0) & (s < 1.0) & (t > 0.0) & (t < 1.0)
    return np.minimum.reduce([*ends, np.where(crossing, np.abs(dots(n, w)) / np.sqrt(square), FAR)])


def run_through(a: Array, t: Array) -> NDArray[np.bool_]:
    """Whether segments go through triangles."""
    n = np.cross(t[:, 1] - t[:, 0], t[:, 2] - t[:, 0])
    begin, end = dots(a[:, 0] - t[:, 0], n), dots(a[:, 1] - t[:, 0], n)
    through = begin * end < 0.0
    along = np.where(through, begin / np.where(through, begin - end, 1.0), 0.0)
    return through & within(a[:, 0] + along[:, None] * (a[:, 1] - a[:, 0]), t)


def near_each_other(a: Array, b: Array, reach: float) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Of (n, …, 3) and (m, …, 3) the pairs whose boxes are within reach of each other."""
    low, high = a.min(axis=1) - reach, a.max(axis=1) + reach
    meet = (low[:, None] <= b.max(axis=1)[None]).all(axis=2) & (high[:, None] >= b.min(axis=1)[None]).all(axis=2)
    i, j = np.nonzero(meet)
    return i, j


def least_of_segments(a: Array, b: Array, reach: float) -> float:
    """Least distance of any two, as far as `reach` [m]."""
    i, j = near_each_other(a, b, reach)
    return float(of_segments(a[i], b[j]).min(initial=reach))


def least_distance(places: Array, segments, triangles, reach: float) -> float:
    """Of segments (n, 2) and triangles (m, 3) of points with these places that have no point in common, as far as
    `reach` [m]; 0 if one goes through another."""
    i, j = near_each_other(places[segments], places[triangles], reach)
    apart = (segments[i][:, :, None] != triangles[j][:, None, :]).all(axis=(1, 2))
    a, t = places[segments[i[apart]]], places[triangles[j[apart]]]
    if run_through(a, t).any():
        return 0.0
    found = [from_face(a[:, k], t) for k in (0, 1)] + [of_segments(a, t[:, edge]) for edge in EDGES]
    return float(np.min(found, initial=reach))
