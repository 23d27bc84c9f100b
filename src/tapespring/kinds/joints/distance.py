"""Distance joint: a massless rod between two points."""

from typing import Literal

import numpy as np
from pydantic import Field, field_validator

from ...mechanics import tables as tb
from ...schema import units
from ...schema.entity import Entity
from ...schema.quantities import Length
from ..references import Between
from ..refusal import Refusal
from ..registry import Kind
from .joint import APART, JointParts

REMEDY = "use a spherical joint to hold two points together"


class Distance(Entity):
    """Keeps two points at a distance; coordinate `length` [m]."""

    kind: Literal["distance"] = "distance"
    between: Between
    length: Length | None = Field(None, description="of the rod; else as drawn", examples=["1 m"])

    @field_validator("length")
    @classmethod
    def _has_length(cls, length: float | None) -> float | None:
        if length is not None and length <= 0.0:
            raise ValueError(f"zero-length rod ({length:g} m): the length must be positive; {REMEDY}")
        return length


def build(joint: Distance, builder) -> None:
    """One row."""
    parts = JointParts(joint, builder, turns=False)
    drawn = float(np.linalg.norm(parts.pb - parts.pa))
    if drawn <= APART * (1.0 + np.abs(parts.pa).max()):
        raise Refusal(
            f"zero-length rod: both ends are drawn at {parts.pa.tolist()} m; move one, or {REMEDY}", "between"
        )
    measure = builder.assembler.measure(tb.LENGTH, parts.a.node, parts.b.node, parts.pa, parts.pb)
    parts.row(measure, "length", joint.length if joint.length is not None else drawn)
    parts.coordinate("length", measure, units.LENGTH)
    parts.finish()


KIND = Kind(
    "distance",
    "joints",
    Distance,
    build,
    "a massless rod of fixed length between two points",
    {
        "name": "Two bobs on rods",
        "gravity": [0, 0, "-9.81 m/s^2"],
        "bodies": {
            "first": {"kind": "point_mass", "mass": "1 kg", "at": ["1 m", 0, 0]},
            "second": {"kind": "point_mass", "mass": "1 kg", "at": ["2 m", 0, 0]},
        },
        "joints": {
            "upper": {"kind": "distance", "between": ["ground", "first"]},
            "lower": {"kind": "distance", "between": ["first", "second"], "length": "1 m"},
        },
        "simulate": {"duration": "1 s"},
    },
)
