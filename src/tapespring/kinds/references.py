"""References of one part of a model to another.

ground                                        the fixed frame
arm                                           a body: its origin and axes
arm.tip                                       a marker of a body
{on: arm, at: [0.5 m, 0, 0], orientation: …}  a place on a body, in its own axes
hinge, hinge.angle                            a joint, or one of its coordinates
"""

import re
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema, model_validator

from ..schema.orientation import Orientation
from ..schema.vectors import Point

NO_TURN = (1.0, 0.0, 0.0, 0.0)
_DOTTED = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*(\.[A-Za-z_][A-Za-z0-9_-]*)*")


class Placed(BaseModel):
    """A place on a body, in the body's own axes."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    on: str = Field(description="the body, or ground", examples=["arm"])
    at: Point = Field((0.0, 0.0, 0.0), description="where, from the body's origin along its axes")
    orientation: Orientation = Field(NO_TURN, description="axes of the place, relative to the body's")

    @model_validator(mode="before")
    @classmethod
    def _from_handle(cls, value: Any) -> Any:
        """`on` may be a handle of the Python API."""
        if isinstance(value, dict) and hasattr(value.get("on"), "reference"):
            return {**value, "on": value["on"].reference}
        return value


def read_reference(value: Any) -> Any:
    """Text, a mapping or a handle of the Python API → what pydantic checks further. Raises ValueError."""
    value = getattr(value, "reference", value)
    if isinstance(value, (dict, Placed)):
        return value
    if not isinstance(value, str) or len(value.split(".")) > 2 or not _DOTTED.fullmatch(value):
        raise ValueError(
            f"{value!r} is not a place on a body; write 'ground', 'body', 'body.marker' or {{on: body, at: [x, y, z]}}"
        )
    return value


def read_name(value: Any) -> str:
    """The name of a joint, with or without a coordinate, from text or a handle. Raises ValueError."""
    value = getattr(value, "reference", value)
    if not isinstance(value, str) or not _DOTTED.fullmatch(value):
        raise ValueError(f"{value!r} is not the name of a joint or of its coordinate, such as 'hinge' or 'hinge.angle'")
    return value


_PLACE_SCHEMA = {
    "anyOf": [{"type": "string"}, {"type": "object"}],
    "description": "ground, body, body.marker, or {on: body, at: [x, y, z], orientation: …} in the body's axes",
    "examples": ["arm.tip"],
}

#: A place on a body.
BodyRef = Annotated[str | Placed, BeforeValidator(read_reference), WithJsonSchema(_PLACE_SCHEMA)]

#: The two sides of a joint or of a two-sided force; reactions act on the second.
Between = Annotated[tuple[BodyRef, BodyRef], Field(description="the two sides", examples=["[ground, arm]"])]

#: A joint or one of its coordinates, by name.
CoordinateRef = Annotated[str, BeforeValidator(read_name), Field(examples=["hinge.angle"])]


def body_of(reference: str | Placed) -> str:
    """The name of the body a reference stands on."""
    return reference.on if isinstance(reference, Placed) else reference.split(".")[0]
