"""Sphere."""

from typing import Literal

from pydantic import Field

from ...mechanics import tables as tb
from ...schema.quantities import NonNegativeLength
from .surface import Features, Surface


class Sphere(Surface):
    """A ball around a point of a body; radius 0 is a point."""

    kind: Literal["sphere"] = "sphere"
    radius: NonNegativeLength = Field(examples=["5 mm"])

    def features(self, builder, *field: str | int) -> Features:
        side, point = self.place(builder, *field)
        ball = builder.add_surface(tb.BALL, [(side.node, point)], radius=self.radius)
        return Features(side.label, balls=[ball], radius=self.radius)
