"""Wedge: a corner with two flat faces."""

from typing import Literal

import numpy as np
from pydantic import Field, model_validator

from ...mechanics import tables as tb
from ...schema.quantities import NonNegativeLength
from ...schema.vectors import Point
from .surface import Features, Surface

FLAT = 1e-6  # sine of the angle between two faces that are one


class Wedge(Surface):
    """All that lies between two faces from an edge at `at`, without end along the faces and the edge: the tip of a
    hook, the crest of a bump. Two wedges with parallel edges that pass each other are one contact from face to face."""

    kind: Literal["wedge"] = "wedge"
    faces: tuple[Point, Point] = Field(
        description="a place on each face, along the axes of the place it is fixed to; drawn as far as there",
        examples=["[[0, -10 mm, 0], [10 mm, 0, 0]]"],
    )
    radius: NonNegativeLength = Field(0.0, description="of the edge, around `at`", examples=["0.1 mm"])

    @model_validator(mode="after")
    def _has_an_edge(self):
        u, v = (np.array(face) - np.array(self.at) for face in self.faces)
        if np.linalg.norm(np.cross(u, v)) <= FLAT * np.linalg.norm(u) * np.linalg.norm(v):
            raise ValueError("both 'faces' lie along one line from 'at'; a wedge has two")
        return self

    def features(self, builder, *field: str | int) -> Features:
        side, edge = self.place(builder, *field)
        ends = [side.point + side.axes @ np.array(face) for face in self.faces]
        size = min(float(np.linalg.norm(end - edge)) for end in ends)
        spots = [(side.node, point) for point in (edge, *ends)]
        surface = builder.add_surface(tb.WEDGE, spots, radius=self.radius, feature=self.radius or size)
        return Features(side.label, wedges=[surface], radius=self.radius or None)
