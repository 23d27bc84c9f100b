"""Arc of a circle."""

from typing import Literal

import numpy as np
from pydantic import Field, model_validator

from ...schema.quantities import Angle, PositiveLength
from ...schema.vectors import Direction, Point
from ..frames import across
from .path import Path
from .pieces import ArcPiece, Piece

WAYS = (
    "write start, normal and angle with either centre, or tangent and radius; or through: three points. For example "
    "{kind: arc, start: [1 m, 0, 0], centre: [0, 0, 0], normal: z, angle: 90 deg}"
)


class Arc(Path):
    """From `start` through `angle`, right-handed about `normal` (a negative angle turns the other way); the circle is
    given by its `centre`, or by the `tangent` at the start and the `radius`. Or `through` three points."""

    kind: Literal["arc"] = "arc"
    start: Point | None = None
    normal: Direction | None = Field(None, description="axis of the turn", examples=["z"])
    angle: Angle | None = Field(None, examples=["90 deg"])
    centre: Point | None = None
    tangent: Direction | None = Field(None, description="direction at the start")
    radius: PositiveLength | None = None
    through: tuple[Point, Point, Point] | None = Field(None, description="start, a point between, end")

    @model_validator(mode="after")
    def _one_way(self):
        given = {name for name in type(self).model_fields if name != "kind" and getattr(self, name) is not None}
        ways = ({"through"}, {"start", "normal", "angle", "centre"}, {"start", "normal", "angle", "tangent", "radius"})
        if given not in ways:
            raise ValueError(f"an arc is not given by {', '.join(sorted(given)) or 'nothing'}; {WAYS}")
        self.pieces()
        return self

    def pieces(self) -> list[Piece]:
        if self.through is not None:
            return [arc_through(*np.array(self.through))]
        assert self.angle is not None
        if not 1e-9 < abs(self.angle) <= 2.0 * np.pi * (1.0 + 1e-12):
            raise ValueError(f"angle {self.angle:g} rad: an arc turns by more than zero and at most 360 deg")
        normal = np.sign(self.angle) * np.array(self.normal)
        return [ArcPiece(np.array(self.start), self._centre(normal), normal, abs(self.angle))]

    def _centre(self, normal: np.ndarray) -> np.ndarray:
        """As given, or a radius to the left of the tangent. Raises ValueError."""
        start = np.array(self.start)
        if self.centre is None:
            tangent = np.array(self.tangent)
            if abs(tangent @ normal) > 1e-9:
                raise ValueError("tangent and normal are not perpendicular; correct one of them")
            return start + self.radius * np.cross(normal, tangent)
        arm = start - np.array(self.centre)
        if np.linalg.norm(arm) == 0.0:
            raise ValueError("the arc's radius is zero: centre and start are the same point; move one")
        if abs(arm @ normal) > 1e-9 * np.linalg.norm(arm):
            raise ValueError("the normal is not perpendicular to the line from centre to start; correct one of them")
        return np.array(self.centre)


def arc_through(a, b, c) -> ArcPiece:
    """The arc from a through b to c. Raises ValueError."""
    u, w = b - a, c - a
    n = np.cross(u, w)
    size = max(np.linalg.norm(u), np.linalg.norm(w))
    if np.linalg.norm(n) <= 1e-9 * size**2:
        raise ValueError(
            "the three points of the arc lie on one line (or two are the same); move one, or use a polyline"
        )
    centre = a + (np.cross(n, u) * (w @ w) + np.cross(w, n) * (u @ u)) / (2.0 * (n @ n))
    n = n / np.linalg.norm(n)
    arm, end = across(a - centre, n), across(c - centre, n)
    angle = np.arctan2(n @ np.cross(arm, end), arm @ end) % (2.0 * np.pi)
    return ArcPiece(a, centre, n, float(angle))
