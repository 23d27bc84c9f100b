"""Step-damped law: the IMPACT function of multibody codes, also called modified contact."""

from typing import Any, Literal

from pydantic import Field, model_validator

from ...mechanics import tables as tb
from ...schema.quantities import NonNegativeDamping, PositiveLength
from .law import Law, PositiveExponent, with_stiffness


class Impact(Law):
    """K δ^e + c step(δ/d) δ', cut off at zero: damping sets in smoothly and is full from the depth d on."""

    kind: Literal["impact"] = "impact"
    exponent: PositiveExponent = Field(1.5, description="e")
    stiffness: float = Field(description="K, in N/m^e", examples=["1e8 N/m^1.5"])
    damping: NonNegativeDamping = Field(description="c, at full depth", examples=["50 N s/m"])
    full_damping_depth: PositiveLength = Field(description="d", examples=["0.01 mm"])

    @model_validator(mode="before")
    @classmethod
    def _unit_by_exponent(cls, data: Any) -> Any:
        return with_stiffness(data, "exponent")

    def row(self, contact) -> dict[str, Any]:
        return {
            "law": tb.STEPPED, "stiffness": self.stiffness, "exponent": self.exponent, "damping": self.damping,
            "full_depth": self.full_damping_depth,
        }  # fmt: skip
