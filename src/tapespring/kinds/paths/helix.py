"""Helix: a coil."""

from typing import Annotated, Literal

import numpy as np
from pydantic import Field, model_validator

from ...schema import units
from ...schema.quantities import Length, Quantity
from ...schema.vectors import Direction, Point
from .path import Path
from .pieces import HelixPiece, Piece


class Helix(Path):
    """From `start` around the `axis` through `centre`, right-handed; `pitch` per turn, negative for a left-handed
    coil."""

    kind: Literal["helix"] = "helix"
    start: Point
    centre: Point = Field((0.0, 0.0, 0.0), description="a point of the axis")
    axis: Direction = (0.0, 0.0, 1.0)
    pitch: Length = Field(examples=["10 mm"])
    turns: Annotated[float, Quantity(units.NUMBER, above=0.0)] = Field(examples=[5])

    @model_validator(mode="after")
    def _has_radius(self):
        arm = np.array(self.start) - np.array(self.centre)
        radius = np.linalg.norm(arm - (arm @ np.array(self.axis)) * np.array(self.axis))
        if radius <= 1e-9 * (np.linalg.norm(arm) + abs(self.pitch)):
            raise ValueError("the helix's radius is zero: its start lies on its axis; move start or centre")
        return self

    def pieces(self) -> list[Piece]:
        start, axis, centre = (np.array(v) for v in (self.start, self.axis, self.centre))
        foot = centre + ((start - centre) @ axis) * axis
        angle = 2.0 * np.pi * self.turns
        way = -1.0 if self.pitch < 0.0 else 1.0  # a left-handed coil turns the other way as it climbs along the axis
        return [HelixPiece(start, foot, way * axis, self.pitch / (2.0 * np.pi), angle)]
