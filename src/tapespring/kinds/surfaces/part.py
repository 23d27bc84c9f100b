"""Part of the surface that a sheet, solid, beam or cable has by itself."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from ...schema.entity import Name
from ...schema.quantities import NonNegativeLength
from ..references import body_of
from ..refusal import Refusal
from .mesh import body_features
from .of_body import line_features, piece_of
from .surface import Features, Surface


class Part(Surface):
    """What touches of a body where the rest is not to: triangles between the nodes of a group, or a piece of a beam.
    For what is joined to others, or lies in them as drawn."""

    kind: Literal["part"] = "part"
    group: Name | None = Field(None, description="of a mesh: nodes that take part", examples=["inner"])
    stations: tuple[NonNegativeLength, NonNegativeLength] | None = Field(
        None, description="of a beam or cable: from and to, along it", examples=["[15 mm, 285 mm]"]
    )

    def features(self, builder, *field: str | int) -> Features:
        name = body_of(self.on)
        body, entity = builder.body(name, *field, "on"), builder.model.section("bodies").get(name)
        if body.mesh is not None and self.group is not None:
            nodes = builder.group(body, self.group, *field, "group")
            return body_features(name, body, entity, builder, *field, among=nodes)
        if body.line is not None and self.stations is not None:
            return line_features(name, piece_of(body.line, self.stations, *field), entity, builder, *field)
        raise Refusal(
            f"'{name}' has no such part; give the 'group' of a mesh, or 'stations' of a beam or cable", *field
        )
