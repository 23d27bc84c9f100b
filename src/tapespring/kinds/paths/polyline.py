"""Straight from point to point."""

from itertools import pairwise
from typing import Literal

from pydantic import Field, model_validator

from ...schema.vectors import Point
from .path import Path, check_points
from .pieces import LinePiece, Piece


class Polyline(Path):
    """A line through two points, or several with rigid corners; a bare list of points means the same."""

    kind: Literal["polyline"] = "polyline"
    points: tuple[Point, ...] = Field(examples=["[[0, 0, 0], [1 m, 0, 0]]"])

    @model_validator(mode="after")
    def _has_length(self):
        check_points(self.points, 2)
        return self

    def pieces(self) -> list[Piece]:
        return [LinePiece(a, b) for a, b in pairwise(self.points)]
