"""Smooth pieces of an axis: points by arc length, and the turn without twist that carries a frame along.

A piece has `length` [m], the unit `tangent` at its start, and `place(s)` for arc lengths s (n,): points (n, 3) and
rotations (n, 3, 3) from the start, those of minimal rotation: they turn with the tangent, never about it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np

Places = tuple[np.ndarray, np.ndarray]


class Piece(Protocol):
    """See the head of this file."""

    length: float
    tangent: np.ndarray

    def place(self, s: np.ndarray) -> Places:
        """Points and rotations at arc lengths."""
        ...


class LinePiece:
    """From a to b."""

    def __init__(self, a, b):
        self.a = np.array(a, float)
        d = np.array(b, float) - self.a
        self.length = float(np.linalg.norm(d))
        self.tangent = d / self.length

    def place(self, s: np.ndarray) -> Places:
        return self.a + np.outer(s, self.tangent), np.tile(np.eye(3), (len(s), 1, 1))


@dataclass
class ArcPiece:
    """From `start` about a `centre`, right-handed about the unit `normal`, through `angle` [rad] > 0."""

    start: np.ndarray
    centre: np.ndarray
    normal: np.ndarray
    angle: float

    def __post_init__(self):
        self.radius = float(np.linalg.norm(self.start - self.centre))
        self.length = self.radius * self.angle
        self.tangent = np.cross(self.normal, self.start - self.centre) / self.radius

    def place(self, s: np.ndarray) -> Places:
        turns = turns_about(self.normal, s / self.radius)
        return self.centre + turns @ (self.start - self.centre), turns


class HelixPiece:
    """About an axis through `centre` (in the plane of `start`), climbing `rise` [m/rad] along the unit axis."""

    def __init__(self, start, centre, axis, rise: float, angle: float):
        self.centre, self.axis, self.rise = centre, axis, rise
        self.arm = start - centre
        self.radius = float(np.linalg.norm(self.arm))
        self.speed = float(np.hypot(self.radius, rise))  # metres of arc per radian
        self.length = self.speed * angle
        self.tangent = (np.cross(axis, self.arm) + rise * axis) / self.speed

    def place(self, s: np.ndarray) -> Places:
        """The helix's own frame turns about the axis; taking back its torsion leaves minimal rotation."""
        turned = turns_about(self.axis, s / self.speed)
        points = self.centre + turned @ self.arm + np.outer(s / self.speed * self.rise, self.axis)
        back = turns_about(self.tangent, -self.rise / self.speed**2 * s)
        return points, turned @ back


class SplinePiece:
    """A cubic spline through points, parameterised by chord length; its arc length is integrated."""

    STEPS = 64  # between two points, for arc length and rotation

    def __init__(self, points: np.ndarray, start=None, end=None):
        from scipy.interpolate import CubicSpline

        knots = np.concatenate(([0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))))
        ends = [(2, np.zeros(3)) if d is None else (1, np.array(d, float)) for d in (start, end)]
        self.curve = CubicSpline(knots, points, bc_type=tuple(ends))
        self.slope = self.curve.derivative()
        self.grid = np.unique(np.concatenate([np.linspace(a, b, self.STEPS + 1) for a, b in pairwise(knots)]))
        self.arc = np.concatenate(([0.0], np.cumsum(self._lengths(self.grid[:-1], self.grid[1:]))))
        self.length = float(self.arc[-1])
        self.turns = [np.eye(3)]
        for a, b in pairwise(self.grid):
            self.turns.append(self._step(a, b) @ self.turns[-1])
        self.tangent = self._tangent(0.0)

    def _lengths(self, a, b) -> np.ndarray:
        """Arc lengths between parameters, by Gauss's rule of four points."""
        x, w = np.polynomial.legendre.leggauss(4)
        u = 0.5 * (a + b)[:, None] + 0.5 * (b - a)[:, None] * x
        return 0.5 * (b - a) * (np.linalg.norm(self.slope(u), axis=-1) @ w)

    def _tangent(self, u) -> np.ndarray:
        d = self.slope(u)
        return d / np.linalg.norm(d)

    def _step(self, a: float, b: float) -> np.ndarray:
        """Two reflections (Wang et al. 2008): minimal rotation to fourth order."""
        v = self.curve(b) - self.curve(a)
        if v @ v == 0.0:
            return np.eye(3)
        one = np.eye(3) - 2.0 * np.outer(v, v) / (v @ v)
        w = self._tangent(b) - one @ self._tangent(a)
        two = np.eye(3) - 2.0 * np.outer(w, w) / (w @ w) if w @ w > 0.0 else np.eye(3)
        return two @ one

    def place(self, s: np.ndarray) -> Places:
        cell = np.clip(np.searchsorted(self.arc, s, side="right") - 1, 0, len(self.grid) - 2)
        start = self.grid[cell]
        u = start + (s - self.arc[cell]) * (self.grid[cell + 1] - start) / (self.arc[cell + 1] - self.arc[cell])
        for _ in range(4):  # Newton
            u = u - (self.arc[cell] + self._lengths(start, u) - s) / np.linalg.norm(self.slope(u), axis=-1)
        turns = [self._step(a, b) @ self.turns[k] for a, b, k in zip(start, u, cell, strict=True)]
        return self.curve(u), np.array(turns).reshape(-1, 3, 3)


def turns_about(axis, angles) -> np.ndarray:
    """Rotations about a unit axis (n, 3, 3)."""
    x, y, z = axis
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    angles = np.asarray(angles, float)[..., None, None]
    return np.eye(3) + np.sin(angles) * K + (2.0 * np.sin(0.5 * angles) ** 2) * (K @ K)
