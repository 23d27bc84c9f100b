"""Augmented Lagrangian: surfaces that do not sink in, however soft the penalty."""

from typing import Any, Literal

from pydantic import Field

from ...mechanics import tables as tb
from ...schema.quantities import PositiveLength, PositiveStiffness
from .law import Law


class AugmentedLagrangian(Law):
    """λ + k δ: after each step or increment the load λ of a pair is raised until its depth δ is no more than `depth`.
    The stiffness k only says how fast that goes. Nothing is stored, and nothing is lost but in impacts. For
    `quasi-static`, and `implicit` with a fixed step."""

    kind: Literal["augmented_lagrangian"] = "augmented_lagrangian"
    stiffness: PositiveStiffness = Field(description="penalty k, raised where it is too small", examples=["1e6 N/m"])
    depth: PositiveLength = Field(
        description="that is left; a thousandth of what touches, say, and no less than rounding", examples=["1 um"]
    )

    def row(self, contact) -> dict[str, Any]:
        return {"law": tb.AUGMENTED, "stiffness": self.stiffness, "exponent": 1.0, "allowed": self.depth}
