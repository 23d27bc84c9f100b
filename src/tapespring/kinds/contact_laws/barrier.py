"""Smooth barrier."""

from typing import Any, Literal

from pydantic import Field

from ...mechanics import tables as tb
from ...schema.quantities import PositiveLength, PositiveStiffness
from .law import Law


class Barrier(Law):
    """Energy -κ (g - m)² ln(g/m) of gaps g below `margin` m: surfaces never meet. For solvers that choose steps."""

    kind: Literal["barrier"] = "barrier"
    stiffness: PositiveStiffness = Field(description="κ", examples=["1e4 N/m"])
    margin: PositiveLength = Field(examples=["0.1 mm"])

    def row(self, contact) -> dict[str, Any]:
        return {"law": tb.BARRIER, "stiffness": self.stiffness, "margin": self.margin}
