"""Smooth curve through points."""

from typing import Literal

import numpy as np
from pydantic import Field, model_validator

from ...schema.vectors import Direction, Point
from .path import Path, check_points
from .pieces import Piece, SplinePiece


class Spline(Path):
    """A cubic spline through `points`; straight at its ends unless their directions are given."""

    kind: Literal["spline"] = "spline"
    points: tuple[Point, ...] = Field(examples=["[[0, 0, 0], [1 m, 0.2 m, 0], [2 m, 0, 0]]"])
    start_tangent: Direction | None = Field(None, description="direction at the start")
    end_tangent: Direction | None = Field(None, description="direction at the end")

    @model_validator(mode="after")
    def _has_length(self):
        check_points(self.points, 3)
        return self

    def pieces(self) -> list[Piece]:
        return [SplinePiece(np.array(self.points), self.start_tangent, self.end_tangent)]
