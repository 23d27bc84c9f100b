"""Ellipsoid."""

from typing import Literal

from pydantic import Field

from ...mechanics import tables as tb
from ..bodies.shapes import Sizes
from .surface import Features, Surface


class Ellipsoid(Surface):
    """Semi-axes along the axes of the place it is fixed to."""

    kind: Literal["ellipsoid"] = "ellipsoid"
    semi_axes: Sizes = Field(examples=["[50 mm, 60 mm, 150 mm]"])

    def features(self, builder, *field: str | int) -> Features:
        side, point = self.place(builder, *field)
        sizes = {"size": self.semi_axes, "axes": side.axes, "feature": min(self.semi_axes)}
        return Features(side.label, ellipsoids=[builder.add_surface(tb.ELLIPSOID, [(side.node, point)], **sizes)])
