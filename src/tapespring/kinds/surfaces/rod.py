"""Rod: the axis of a beam or cable, or a line of nodes of a mesh, with a radius of its own."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from pydantic import Field

from ...schema.quantities import NonNegativeLength, PositiveLength
from ..meshes.sides import along_edges
from ..references import body_of
from ..refusal import Refusal
from .of_body import chain_features, piece_of
from .surface import Features, Surface


class Rod(Surface):
    """A beam or cable as a round rod of this radius, whatever its section is; or a line of nodes of a membrane, shell
    or solid, such as the middle of a strap. With a `width` it is a strap, twice as thick as its radius, with two
    sides."""

    kind: Literal["rod"] = "rod"
    radius: PositiveLength = Field(examples=["5 mm"])
    width: PositiveLength | None = Field(None, description="of a strap, across the line", examples=["20 mm"])
    stations: tuple[NonNegativeLength, NonNegativeLength] | None = Field(
        None, description="from and to, along a beam or cable; else all of it", examples=["[15 mm, 285 mm]"]
    )

    def features(self, builder, *field: str | int) -> Features:
        name = body_of(self.on)
        body = builder.body(name, *field, "on")
        line = body.line if body.mesh is None else self.line_of_nodes(body, builder, *field)
        if line is None:
            raise Refusal(f"'{name}' is not a beam, cable or mesh; use a capsule", *field, "on")
        if self.stations is not None:
            if body.mesh is not None:
                raise Refusal(
                    "a line of nodes has no stations; make a group of those that take part", *field, "stations"
                )
            line = piece_of(line, self.stations, *field)
        return chain_features(name, line, self.radius, self.width or 0.0, builder)

    def line_of_nodes(self, body, builder, *field: str | int) -> "NodeLine":
        """Of a group of a mesh. Raises Refusal."""
        group = self.on.partition(".")[2] if isinstance(self.on, str) else ""
        if not group:
            raise Refusal(f"say which line of its nodes, such as '{body.name}.left'", *field, "on")
        try:
            order = along_edges(body.mesh.grid, builder.group(body, group, *field, "on"), f"{body.name}.{group}")
        except Refusal as refusal:
            raise Refusal(str(refusal), *field, "on") from None
        points = body.mesh.points[order]
        if self.width is not None and body.mesh.normals is None:
            raise Refusal("a solid has no flat side; leave out 'width'", *field, "width")
        normals = body.mesh.normals[order] if self.width is not None else None
        return NodeLine(tuple(body.mesh.nodes[order].tolist()), points, section_axes(points, normals))


@dataclass(frozen=True)
class NodeLine:
    """Nodes of a mesh in order, as `LineEntry` has them of a beam."""

    nodes: tuple[int, ...]
    points: np.ndarray  # (n, 3)
    ends: np.ndarray  # (n - 1, 1, 3, 3) axes at the beginning of each segment: along, wide, thin

    @property
    def stations(self) -> np.ndarray:
        """(n,) m"""
        return np.concatenate(([0.0], np.cumsum(np.linalg.norm(np.diff(self.points, axis=0), axis=1))))


def section_axes(points: np.ndarray, normals: np.ndarray | None) -> np.ndarray:
    """As columns: along the line, across it, and normal to the surface; of a round line any."""
    along = np.diff(points, axis=0)
    if normals is None:
        return np.broadcast_to(np.eye(3), (len(along), 1, 3, 3))
    along /= np.linalg.norm(along, axis=1)[:, None]
    wide = np.cross(normals[:-1], along)
    wide /= np.linalg.norm(wide, axis=1)[:, None]
    return np.stack((along, wide, np.cross(along, wide)), axis=-1)[:, None]
