"""References of one part of a model to another.

ground                                        the fixed frame
arm                                           a body: its origin and axes
arm.tip                                       a marker of a body
{on: arm, at: [0.5 m, 0, 0], orientation: …}  a place on a body, in its own axes
strap.start, strap.end, strap.mid             the ends and markers of a beam or cable
{on: strap, at: 0.3 m, offset: …}             a station of a beam or cable, by arc length or as `25 %`
hinge, hinge.angle                            a joint, or one of its coordinates
"""

import re
from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import core_schema

from ..schema import units
from ..schema.orientation import Orientation
from ..schema.vectors import Point, Vec3, VectorOf
from .stations import Station, StationType

NO_TURN = (1.0, 0.0, 0.0, 0.0)
_DOTTED = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*(\.[A-Za-z_][A-Za-z0-9_-]*)*")


class PointOrStation:
    """The pydantic type of `at`: three coordinates, or one arc length."""

    def is_point(self, value: Any) -> str:
        """Which of the two was written."""
        words = isinstance(value, str) and ("," in value or len(re.findall(r"[\d.]+", value)) > 2)
        return "point" if words or (hasattr(value, "__len__") and not isinstance(value, str)) else "station"

    def __get_pydantic_core_schema__(self, source, handler) -> core_schema.CoreSchema:
        choices = {
            "point": handler.generate_schema(Annotated[Vec3, VectorOf(units.LENGTH)]),
            "station": handler.generate_schema(Annotated[Station, StationType()]),
        }
        return core_schema.tagged_union_schema(choices, discriminator=self.is_point)

    def __get_pydantic_json_schema__(self, schema, handler) -> dict[str, Any]:
        return {"description": "[x, y, z] on a rigid body; '0.3 m' or '25 %' along a beam or cable"}


class Placed(BaseModel):
    """A place on a body: a point in a rigid body's own axes, or a station of a beam or cable."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    on: str = Field(description="the body, or ground", examples=["arm"])
    at: Annotated[Vec3 | Station, PointOrStation()] = Field(
        (0.0, 0.0, 0.0), description="where, from the body's origin along its axes; arc length along a beam or cable"
    )
    offset: Point = Field((0.0, 0.0, 0.0), description="from a beam's axis, in its section axes")
    orientation: Orientation = Field(NO_TURN, description="axes of the place, relative to the body's or section's")

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
            f"{value!r} is not a place on a body; write 'ground', 'body', 'body.marker', {{on: body, at: [x, y, z]}}, "
            "or {on: strap, at: 0.3 m} along a beam or cable"
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
    "description": "ground, body, body.marker, {on: body, at: [x, y, z], orientation: …} in the body's axes, "
    "or {on: strap, at: 0.3 m} along a beam or cable",
    "examples": ["arm.tip"],
}

#: A place on a body.
BodyRef = Annotated[
    Annotated[str, Tag("text")] | Annotated[Placed, Tag("place")],
    Discriminator(lambda value: "text" if isinstance(value, str) else "place"),
    BeforeValidator(read_reference),
    WithJsonSchema(_PLACE_SCHEMA),
]

#: The two sides of a joint or of a two-sided force; reactions act on the second.
Between = Annotated[tuple[BodyRef, BodyRef], Field(description="the two sides", examples=["[ground, arm]"])]

#: A joint or one of its coordinates, by name.
CoordinateRef = Annotated[
    str,
    BeforeValidator(read_name),
    Field(description="coordinate of a joint; the joint alone if it has one", examples=["hinge.angle"]),
]


def body_of(reference: str | Placed) -> str:
    """The name of the body a reference stands on."""
    return reference.on if isinstance(reference, Placed) else reference.split(".")[0]


def stations_wanted(entity: Any) -> Iterator[tuple[str, Station]]:
    """(body, station) of every place along a beam or cable that an entity holds on to, so that a node can be there."""
    if hasattr(entity, "stations_wanted"):
        yield from entity.stations_wanted()
    for name in type(entity).model_fields:
        value = getattr(entity, name)
        for item in value if isinstance(value, (list, tuple)) else (value,):
            if isinstance(item, Placed) and isinstance(item.at, Station):
                yield item.on, item.at
