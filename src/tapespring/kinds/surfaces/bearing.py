"""Bearing and socket: hollow surfaces with a journal or ball inside."""

from typing import Literal

from pydantic import Field

from ...mechanics import tables as tb
from ...schema.quantities import PositiveLength
from ...schema.vectors import Direction
from ..frames import frame_about
from .surface import Features, Surface


class Bearing(Surface):
    """A round hole about `axis`; the other side is the journal in it, a sphere of smaller radius about its middle."""

    kind: Literal["bearing"] = "bearing"
    radius: PositiveLength = Field(examples=["10.2 mm"])
    axis: Direction = (0.0, 0.0, 1.0)

    def features(self, builder, *field: str | int) -> Features:
        return hollow(self, tb.RING, builder, *field)


class Socket(Surface):
    """A hollow sphere; the other side is the ball in it."""

    kind: Literal["socket"] = "socket"
    radius: PositiveLength = Field(examples=["10.2 mm"])

    def features(self, builder, *field: str | int) -> Features:
        return hollow(self, tb.SOCKET, builder, *field)


def hollow(surface, kind: int, builder, *field: str | int) -> Features:
    side, point = surface.place(builder, *field)
    axes = side.axes @ frame_about(getattr(surface, "axis", (0.0, 0.0, 1.0)))
    ring = builder.add_surface(kind, [(side.node, point)], radius=surface.radius, axes=axes, feature=surface.radius)
    return Features(side.label, rings=[ring], radius=-surface.radius)
