"""Box."""

from itertools import product
from typing import Literal

import numpy as np
from pydantic import Field

from ...mechanics import tables as tb
from ..bodies.shapes import Sizes
from .surface import Features, Surface


class Box(Surface):
    """Edges along the axes of the place it is fixed to, around its middle. Its corners touch planes; spheres touch its
    faces, edges and corners."""

    kind: Literal["box"] = "box"
    size: Sizes = Field(examples=["[0.2 m, 0.1 m, 0.05 m]"])

    def features(self, builder, *field: str | int) -> Features:
        side, point = self.place(builder, *field)
        return box_features(builder, side.label, side.node, point, side.axes, self.size)


def box_features(builder, label: str, node: int, point, axes, size) -> Features:
    """The box and its corners."""
    half = np.array(size) / 2.0
    box = builder.add_surface(tb.BOX, [(node, point)], size=half, axes=axes, feature=float(half.min()))
    corners = [
        builder.add_surface(tb.BALL, [(node, point + axes @ (half * signs))], feature=float(half.min()))
        for signs in product((-1.0, 1.0), repeat=3)
    ]
    return Features(label, boxes=[box], corners=corners)
