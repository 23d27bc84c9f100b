"""Half-space: everything below a plane."""

from typing import Literal

from pydantic import Field

from ...mechanics import tables as tb
from ...schema.vectors import Direction
from ..frames import frame_about
from .surface import Features, Surface


class HalfSpace(Surface):
    """All that lies below the plane through `at` with the outward `normal`: a floor or wall without end."""

    kind: Literal["half_space"] = "half_space"
    normal: Direction = Field((0.0, 0.0, 1.0), description="outwards, in the axes of the place it is fixed to")

    def features(self, builder, *field: str | int) -> Features:
        side, point = self.place(builder, *field)
        axes = side.axes @ frame_about(self.normal)
        return Features(
            side.label, planes=[builder.add_surface(tb.PLANE, [(side.node, point)], axes=axes)], radius=None
        )
