"""Markers: named places on a body, in the body's axes."""

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

from ...schema.entity import Name
from ...schema.orientation import Orientation
from ...schema.vectors import Point
from ..references import NO_TURN


class Marker(BaseModel):
    """A point of a body and the axes there, both in the body's axes."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    at: Point = (0.0, 0.0, 0.0)
    orientation: Orientation = NO_TURN


def read_marker(value: Any) -> Any:
    """`[x, y, z]` (or text such as '[1, 0, 0] m') is short for `{at: [x, y, z]}`."""
    return value if isinstance(value, (dict, Marker)) else {"at": value}


_SCHEMA = {
    "anyOf": [{"type": "array", "minItems": 3, "maxItems": 3}, {"type": "string"}, {"type": "object"}],
    "description": "[x, y, z] in the body's axes, or {at: [x, y, z], orientation: …}",
    "examples": [["0.5 m", 0, 0]],
}

Markers = Annotated[
    dict[Name, Annotated[Marker, BeforeValidator(read_marker), WithJsonSchema(_SCHEMA)]],
    Field(description="named places on the body", examples=["{tip: [0.5 m, 0, 0]}"]),
]
