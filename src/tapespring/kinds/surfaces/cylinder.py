"""Cylinder of finite length."""

from typing import Literal

import numpy as np
from pydantic import Field

from ...mechanics import tables as tb
from ...schema.quantities import PositiveLength
from ...schema.vectors import Direction
from ..frames import frame_about
from .surface import Features, Surface

THIRD = 2.0 * np.pi / 3.0


class Cylinder(Surface):
    """A solid round bar with flat ends about `axis`, around its middle. Its rims touch planes; spheres touch its side,
    ends and rims."""

    kind: Literal["cylinder"] = "cylinder"
    radius: PositiveLength = Field(examples=["50 mm"])
    length: PositiveLength = Field(examples=["0.2 m"])
    axis: Direction = (0.0, 0.0, 1.0)

    def features(self, builder, *field: str | int) -> Features:
        side, point = self.place(builder, *field)
        return cylinder_features(builder, side.label, side.node, point, side.axes, self)


def cylinder_features(builder, label: str, node: int, point, axes, shape) -> Features:
    """The cylinder, and three points of each rim; shape: anything with a radius, a length and an axis."""
    frame = axes @ frame_about(shape.axis)
    half, feature = 0.5 * shape.length, min(shape.radius, 0.5 * shape.length)
    whole = builder.add_surface(
        tb.CYLINDER, [(node, point)], size=(shape.radius, half, 0.0), axes=frame, feature=feature
    )
    rims = [
        builder.add_surface(
            tb.RIM, [(node, point + end * half * frame[:, 2])], axes=frame, feature=feature,
            size=(shape.radius, np.cos(turn), np.sin(turn)),
        )
        for end in (-1.0, 1.0) for turn in (0.0, THIRD, -THIRD)
    ]  # fmt: skip
    return Features(label, cylinders=[whole], rims=rims)
