"""Linear spring, with restitution if wanted."""

from typing import Any, Literal

from pydantic import Field

from ...mechanics import tables as tb
from ...schema.quantities import PositiveStiffness
from .law import Law, Restitution, damping_factor


class Linear(Law):
    """k δ. With a `restitution` below 1 it is k δ (1 + a δ'/δ'₀), with a such that this restitution comes out."""

    kind: Literal["linear"] = "linear"
    stiffness: PositiveStiffness = Field(examples=["1e6 N/m"])
    restitution: Restitution = 1.0

    def row(self, contact) -> dict[str, Any]:
        return {
            "law": tb.RESTITUTION, "stiffness": self.stiffness, "exponent": 1.0,
            "damping": damping_factor(self.restitution),
        }  # fmt: skip
