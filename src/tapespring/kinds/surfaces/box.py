"""Box."""

from itertools import combinations, product
from typing import Literal

import numpy as np
from pydantic import Field, model_validator

from ...mechanics import tables as tb
from ...schema.quantities import PositiveLength
from ..bodies.shapes import Sizes
from .surface import Features, Surface

SHARP = 0.05  # radius of edges over half the smallest size, unless given
SIGNS = list(product((-1.0, 1.0), repeat=3))


class Box(Surface):
    """Edges along the axes of the place it is fixed to, around its middle. Its corners touch planes; spheres touch its
    faces, edges and corners. With boxes, capsules and rods it touches as if its edges had a radius, `rounding`: corners
    on faces and edges on edges, as many at a time as there are."""

    kind: Literal["box"] = "box"
    size: Sizes = Field(examples=["[0.2 m, 0.1 m, 0.05 m]"])
    rounding: PositiveLength | None = Field(
        None,
        description="radius of its edges where it touches boxes, capsules and rods; else 2.5 % of its smallest size",
        examples=["1 mm"],
    )

    @model_validator(mode="after")
    def _is_not_round(self):
        if self.rounding is not None and self.rounding >= min(self.size) / 2.0:
            raise ValueError("'rounding' must be less than half the smallest size")
        return self

    def features(self, builder, *field: str | int) -> Features:
        side, point = self.place(builder, *field)
        return box_features(builder, side.label, side.node, point, side.axes, self.size, self.rounding)


def box_features(builder, label: str, node: int, point, axes, size, rounding: float | None = None) -> Features:
    """The box and its corners; the same, with its edges, of a smaller box in a skin that makes it as large."""
    half = np.array(size) / 2.0
    feature = float(half.min())

    def corner(core, signs):
        return node, point + axes @ (core * signs)

    box = builder.add_surface(tb.BOX, [(node, point)], size=half, axes=axes, feature=feature)
    corners = [builder.add_surface(tb.BALL, [corner(half, signs)], feature=feature) for signs in SIGNS]
    skin = SHARP * feature if rounding is None else rounding
    core, about = half - skin, {"radius": skin, "feature": feature, "shown": False}
    ends = [pair for pair in combinations(SIGNS, 2) if sum(a != b for a, b in zip(*pair, strict=True)) == 1]
    return Features(
        label,
        boxes=[box],
        corners=corners,
        cores=[builder.add_surface(tb.BOX, [(node, point)], size=core, axes=axes, **about)],
        core_corners=[builder.add_surface(tb.BALL, [corner(core, signs)], **about) for signs in SIGNS],
        edges=[
            builder.add_surface(tb.SEGMENT, [corner(core, signs) for signs in pair], size=tb.AN_EDGE, **about)
            for pair in ends
        ],
    )
