"""Capsule: a round bar with round ends; with radius 0 a straight edge."""

from typing import Literal

import numpy as np
from pydantic import Field, model_validator

from ...mechanics import tables as tb
from ...schema.quantities import NonNegativeLength
from ...schema.vectors import Point
from .surface import Features, Surface


class Capsule(Surface):
    """All points within `radius` of the line from `at` to `to`, both along the axes of the place it is fixed to."""

    kind: Literal["capsule"] = "capsule"
    to: Point = Field(examples=["[0, 0, 0.2 m]"])
    radius: NonNegativeLength = Field(0.0, examples=["5 mm"])

    @model_validator(mode="after")
    def _has_length(self):
        if self.at == self.to:
            raise ValueError("'at' and 'to' are the same point; a capsule without length is a sphere")
        return self

    def features(self, builder, *field: str | int) -> Features:
        side, begin = self.place(builder, *field)
        end = side.point + side.axes @ np.array(self.to)
        spots = [(side.node, begin), (side.node, end)]
        segment = builder.add_surface(tb.SEGMENT, spots, radius=self.radius)
        corners = [builder.add_surface(tb.BALL, [spot], radius=self.radius) for spot in spots]
        return Features(side.label, segments=[segment], corners=corners, radius=self.radius or None)
