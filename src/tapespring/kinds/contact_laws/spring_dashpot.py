"""Spring and dashpot."""

from typing import Any, Literal

from pydantic import Field

from ...mechanics import tables as tb
from ...schema.quantities import NonNegativeDamping, PositiveStiffness
from .law import Law


class SpringDashpot(Law):
    """k δ + c δ', cut off at zero: surfaces do not stick together unless `adhesive` is true."""

    kind: Literal["spring_dashpot"] = "spring_dashpot"
    stiffness: PositiveStiffness = Field(examples=["1e6 N/m"])
    damping: NonNegativeDamping = Field(examples=["20 N s/m"])
    adhesive: bool = Field(False, description="true: it pulls while surfaces part")

    def row(self, contact) -> dict[str, Any]:
        return {
            "law": tb.POWER, "stiffness": self.stiffness, "exponent": 1.0, "damping": self.damping,
            "adhesive": self.adhesive,
        }  # fmt: skip
