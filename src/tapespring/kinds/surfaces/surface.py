"""What every surface shares: where it is, and the features it consists of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, SerializerFunctionWrapHandler, model_serializer

from ...schema.vectors import Point
from ..references import BodyRef


@dataclass
class Features:
    """Surfaces of the assembler that one side of a contact consists of, by how they take part in pairs."""

    label: str
    planes: list[int] = field(default_factory=list)
    rings: list[int] = field(default_factory=list)  # bearings and sockets
    boxes: list[int] = field(default_factory=list)
    ellipsoids: list[int] = field(default_factory=list)
    cylinders: list[int] = field(default_factory=list)
    wedges: list[int] = field(default_factory=list)
    rims: list[int] = field(default_factory=list)  # of cylinders, for planes
    balls: list[int] = field(default_factory=list)
    segments: list[int] = field(default_factory=list)
    triangles: list[int] = field(default_factory=list)
    corners: list[int] = field(default_factory=list)  # balls that stand for segments, triangles and boxes
    cores: list[int] = field(default_factory=list)  # of boxes: what is within their rounded edges, for boxes and rods
    core_corners: list[int] = field(default_factory=list)
    edges: list[int] = field(default_factory=list)
    radius: float | None = None  # of curvature [m]; negative if hollow, None if it has no single one
    flat: bool = False  # a strap: touches along its length rather than across others
    chain: bool = False
    stations: list[float] | None = None  # of a rod: of its corners, along it [m]
    mesh_edges: list[int] = field(default_factory=list)  # of sheets, where they take part
    hops: list[list[int]] | None = None  # of a mesh: triangles near each corner along the surface
    edge_hops: list[list[int]] = field(default_factory=list)  # edges near each edge along the surface
    opposite: list[tuple[int, int]] = field(default_factory=list)  # corners opposite to hems, and these
    find_edges: Callable[[], tuple[list[int], list[list[int]], list[tuple[int, int]]]] | None = (
        None  # of a sheet: its mesh_edges, edge_hops and opposite
    )


class Surface(BaseModel):
    """Base of the surfaces a user can write."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True, validate_default=True)

    kind: str
    on: BodyRef = Field(description="the body, marker or place it is fixed to", examples=["arm.tip"])
    at: Point = Field((0.0, 0.0, 0.0), description="from there, along the axes of that place")

    @model_serializer(mode="wrap")
    def _keep_kind(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return {"kind": self.kind} | handler(self)

    def place(self, builder, *field: str | int):
        """(side, its point as drawn)"""
        side = builder.side(self.on, *field, "on")
        return side, side.point + side.axes @ np.array(self.at)

    def features(self, builder, *field: str | int) -> Features:
        """Enter it with the assembler. Raises Refusal."""
        raise NotImplementedError
