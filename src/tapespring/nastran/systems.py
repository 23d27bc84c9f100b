"""Coordinate systems: rectangular, cylindrical and spherical, by points or by grids."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .values import Fields

SHAPES = {"R": "rectangular", "C": "cylindrical", "S": "spherical"}


@dataclass(frozen=True, eq=False)
class System:
    """Origin and axes (in columns) in basic coordinates."""

    shape: str
    origin: np.ndarray
    axes: np.ndarray

    def point(self, p) -> np.ndarray:
        """Basic coordinates of a point given in this system; angles in degrees."""
        return self.origin + self.axes @ straight(self.shape, p)

    def axes_at(self, x: np.ndarray) -> np.ndarray:
        """(3, 3) directions of the coordinates at a point in basic coordinates, in columns."""
        if self.shape == "rectangular":
            return self.axes
        a, b, c = self.axes.T @ (x - self.origin)
        rho = np.hypot(a, b)
        cos, sin = (a / rho, b / rho) if rho > 0.0 else (1.0, 0.0)
        if self.shape == "cylindrical":
            return self.axes @ np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])
        r = np.hypot(rho, c)
        st, ct = (rho / r, c / r) if r > 0.0 else (0.0, 1.0)
        return self.axes @ np.array([[st * cos, ct * cos, -sin], [st * sin, ct * sin, cos], [ct, -st, 0.0]])


BASIC = System("rectangular", np.zeros(3), np.eye(3))


def straight(shape: str, p) -> np.ndarray:
    """Rectangular coordinates; of a cylinder (r, θ, z), of a sphere (r, θ from the pole, φ)."""
    a, b, c = p
    if shape == "cylindrical":
        return np.array([a * np.cos(np.radians(b)), a * np.sin(np.radians(b)), c])
    if shape == "spherical":
        t, f = np.radians(b), np.radians(c)
        return a * np.array([np.sin(t) * np.cos(f), np.sin(t) * np.sin(f), np.cos(t)])
    return np.array([a, b, c], float)


def from_three(fields: Fields, shape: str, A, B, C) -> System:
    """Origin A, a point B on the third axis and C in the plane of the first and third. Raises CardError."""
    A, B, C = (np.asarray(p, float) for p in (A, B, C))
    z, v = B - A, C - A
    y = np.cross(z, v)
    if not np.linalg.norm(y) > 1e-12 * np.linalg.norm(z) * np.linalg.norm(v) or not np.linalg.norm(z) > 0.0:
        raise fields.fail("its three points lie in a line, so they give no axes")
    z, y = z / np.linalg.norm(z), y / np.linalg.norm(y)
    return System(shape, A, np.stack((np.cross(y, z), y, z), axis=1))


class Systems:
    """By number, each resolved when it is first asked for: they may stand in any order and lean on each other."""

    def __init__(self, grid_at: Callable[[int, Fields], np.ndarray]):
        self.cards: dict[int, tuple[Fields, int]] = {}  # and where in the card it begins
        self.found: dict[int, System] = {0: BASIC}
        self.asked: set[int] = set()
        self.grid_at = grid_at

    def add(self, fields: Fields) -> None:
        """Raises CardError."""
        two = fields.card.name[4] == "1"
        for first in (1, 5) if two and fields.text(5) else (1,):
            number = fields.integer(first, "CID")
            if number in self.cards or number == 0:
                raise fields.fail(f"coordinate system {number} is there already")
            self.cards[number] = (fields, first)

    def __call__(self, number: int, user: Fields) -> System:
        """Raises CardError."""
        if number in self.found:
            return self.found[number]
        if number not in self.cards:
            raise user.fail(f"there is no coordinate system {number}")
        if number in self.asked:
            raise user.fail(f"coordinate system {number} is defined by itself")
        self.asked.add(number)
        fields, first = self.cards[number]
        shape = SHAPES[fields.card.name[5]]
        if fields.card.name[4] == "1":
            points = [self.grid_at(fields.integer(first + k, "grid"), fields) for k in (1, 2, 3)]
        else:
            base = self(fields.integer(2, "RID", 0), fields)
            points = [base.point(fields.vector(k, "coordinates")) for k in (3, 6, 9)]
        self.found[number] = from_three(fields, shape, *points)
        return self.found[number]
