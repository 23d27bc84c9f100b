"""Nonlinear spring and damping."""

from typing import Any, Literal

from pydantic import Field, model_validator

from ...mechanics import tables as tb
from ...schema.quantities import NonNegativeLength, NonNegativeNumber, PositiveNumber
from .law import Law, PositiveExponent, power_quantity


class Nonlinear(Law):
    """k δ^n + b δ^p |δ'|^q sign δ', cut off at zero unless `adhesive`; p is n and q is 1 unless given."""

    kind: Literal["nonlinear"] = "nonlinear"
    n: PositiveExponent = 1.5
    p: NonNegativeNumber | None = None
    q: PositiveNumber = 1.0
    stiffness: float = Field(description="k, in N/m^n", examples=["1e9 N/m^1.5"])
    damping: float = Field(0.0, description="b, in N s^q/m^(p+q)", examples=["1e9 N s/m^2.5"])
    adhesive: bool = False
    margin: NonNegativeLength = Field(
        0.0, description="δ is counted from this gap on: a cushion around the surfaces", examples=["0.02 mm"]
    )

    @model_validator(mode="before")
    @classmethod
    def _units_by_exponents(cls, data: Any) -> Any:
        if not isinstance(data, dict) or "stiffness" not in data:
            return data
        try:
            n = float(data.get("n", 1.5))
            p, q = data.get("p"), float(data.get("q", 1.0))
            p = n if p is None else float(p)
        except (TypeError, ValueError):
            return data
        stiffness = power_quantity(data["stiffness"], "contact stiffness", f"N/m^{n:g}")
        damping = power_quantity(data.get("damping", 0.0), "contact damping", f"N s^{q:g}/m^{p + q:g}", None)
        return {**data, "stiffness": stiffness, "damping": damping}

    def row(self, contact) -> dict[str, Any]:
        return {
            "law": tb.POWER, "stiffness": self.stiffness, "exponent": self.n, "damping": self.damping,
            "depth_power": self.n if self.p is None else self.p, "rate_power": self.q, "adhesive": self.adhesive,
            "margin": self.margin,
        }  # fmt: skip
