"""Point to segment: a round point against a wall of a given length, or in a slot between two."""

from __future__ import annotations

from typing import Literal

import numpy as np
from pydantic import Field, model_validator

from ...mechanics import tables as tb
from ...schema.entity import Entity
from ...schema.quantities import NonNegativeLength, PositiveLength
from ...schema.vectors import Direction, Point
from ..contact_laws.any_law import AnyLaw
from ..friction.coulomb import AnyFriction
from ..references import Between
from ..refusal import Refusal
from ..registry import Kind
from ..surfaces.surface import Features
from .contact import Touching, law_row, stiffness_at


class PointToSegment(Entity):
    """A wall of the first body from `start` to `end`, solid behind, and a round point of the second body before it; or
    a slot of this `width` between two such walls, open at its ends. Across the wall and its normal it has no end."""

    kind: Literal["point_to_segment"] = "point_to_segment"
    between: Between
    at: Point | None = Field(None, description="the point on the second body, world axes as drawn; else as named")
    start: Point = Field(description="of the segment, on the first body, world axes as drawn", examples=["[0, 0, 0]"])
    end: Point = Field(examples=["[0.2 m, 0, 0]"])
    normal: Direction | None = Field(
        None, description="out of the wall, or across the slot; else towards the point as drawn"
    )
    width: PositiveLength | None = Field(None, description="of a slot along the segment", examples=["12 mm"])
    radius: NonNegativeLength = Field(0.0, description="of the point", examples=["5 mm"])
    exclusion: NonNegativeLength = Field(
        0.0, description="the wall ends this far from the segment's middle; 0: it does not", examples=["0.2 m"]
    )
    max_depth: PositiveLength | None = Field(None, description="deeper than this is an error", examples=["0.5 mm"])
    law: AnyLaw | None = Field(
        None,
        description="normal law; else one that suits materials, sizes and speeds, which the notes of a run tell",
        examples=["{kind: linear, stiffness: 1e6 N/m, restitution: 0.8}"],
    )
    friction: AnyFriction | None = Field(None, description="coefficient, or more", examples=[0.3])

    @model_validator(mode="after")
    def _fits(self):
        if self.start == self.end:
            raise ValueError("'start' and 'end' are the same point; a segment has a length")
        if self.width is not None and self.width <= 2.0 * self.radius:
            raise ValueError(
                f"a slot of width {self.width:g} m leaves a point of radius {self.radius:g} m no clearance"
            )
        return self


def build(contact: PointToSegment, builder) -> None:
    """One wall or two, and a ball."""
    a, b = builder.two_sides(contact.between)
    point = np.array(contact.at) if contact.at is not None else b.point
    start, end = np.array(contact.start), np.array(contact.end)
    normal = normal_of(contact, start, end, point)
    ball = builder.add_surface(
        tb.BALL, [(b.node, point)], radius=contact.radius, feature=contact.radius or np.linalg.norm(end - start)
    )
    frame = np.column_stack((np.cross(e := (end - start) / np.linalg.norm(end - start), normal), e, normal))
    sides = [(frame, np.zeros(3))]
    if contact.width is not None:
        half = 0.5 * contact.width * normal
        sides = [(frame, -half), (frame * [-1.0, 1.0, -1.0], half)]
    pairs = []
    for axes, shift in sides:
        spots = [(a.node, start + shift), (a.node, end + shift)]
        wall = builder.add_surface(tb.WALL, spots, axes=axes, size=(contact.exclusion, 0.0, 0.0))
        pairs.append((wall, ball, 1.0))
    flat = Features(a.label, planes=[pairs[0][0]])
    full = Features(b.label, balls=[ball], radius=contact.radius or None)
    touching = Touching(contact, ([flat], [full]), builder)  # type: ignore[arg-type]
    surfaces = [k for i, j, _ in pairs for k in (i, j)]
    row = law_row(contact, touching, surfaces)
    if row["law"] == tb.MOMENTUM:
        raise Refusal("a point against a segment knows no contact by momentum; use another law", "law", "kind")
    if contact.max_depth is not None:
        row["deepest"] = min(contact.max_depth, row["deepest"] or np.inf)
    if contact.friction is not None:
        row |= contact.friction.row(stiffness_at(row, builder.feature_of(surfaces)))
    builder.add_contact(contact, row, pairs, (a.label, b.label))


def normal_of(contact: PointToSegment, start, end, point) -> np.ndarray:
    """Across the segment, of length 1. Raises Refusal."""
    along = (end - start) / np.linalg.norm(end - start)
    towards = point - start if contact.normal is None else np.array(contact.normal)
    across = towards - (towards @ along) * along
    size = np.linalg.norm(across)
    if size <= 1e-9 * max(1.0, float(np.linalg.norm(towards))):
        raise Refusal("the point lies on the segment's line as drawn, or 'normal' along it; give a 'normal'", "normal")
    if contact.normal is not None and abs(towards @ along) > 1e-9 * np.linalg.norm(towards):
        raise Refusal("'normal' must be across the segment", "normal")
    return across / size


KIND = Kind(
    "point_to_segment",
    "contacts",
    PointToSegment,
    build,
    "a round point against a wall of a given length, or in a slot",
    {
        "name": "Pin in a slot",
        "gravity": [0, "-9.81 m/s^2", 0],
        "bodies": {
            "pin": {"kind": "point_mass", "at": ["0.05 m", 0, 0], "mass": "0.1 kg", "velocity": ["0.5 m/s", 0, 0]}
        },
        "contacts": {
            "slot": {
                "kind": "point_to_segment", "between": ["ground", "pin"], "start": [0, 0, 0], "end": ["0.2 m", 0, 0],
                "normal": "y", "width": "12 mm", "radius": "5 mm", "max_depth": "0.2 mm",
                "law": {"kind": "linear", "stiffness": "1e6 N/m", "restitution": 0.8},
            }
        },
        "simulate": {"duration": "0.2 s"},
    },
)  # fmt: skip
