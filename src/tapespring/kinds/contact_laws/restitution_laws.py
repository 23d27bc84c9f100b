"""Published laws with restitution: K δ^n (1 + a(e) δ'/δ'₀), δ'₀ the speed at first touch."""

from typing import Any, Literal

from pydantic import Field, model_validator

from ...mechanics import tables as tb
from ...schema.quantities import PositiveLength
from .hertz import EITHER, Elastic, stiffness_of
from .law import Law, PositiveExponent, Restitution, damping_factor, with_stiffness


class RestitutionLaw(Law):
    """Base: the laws differ in a(e) alone."""

    kind: str
    n: PositiveExponent = 1.5
    stiffness: float | None = Field(None, description="in N/m^n", examples=["1e9 N/m^1.5"])
    materials: Elastic | tuple[Elastic, Elastic] | None = Field(
        None, description="stiffness by Hertz, with n 1.5", examples=["{young: 210 GPa, poisson: 0.3}"]
    )
    radius: PositiveLength | None = Field(None, description="of curvature, both sides together: 1/R = 1/R1 + 1/R2")
    restitution: Restitution = Field(examples=[0.9])
    calibrated: bool = Field(False, description="true: the restitution that comes out is the one given")

    @model_validator(mode="before")
    @classmethod
    def _unit_by_exponent(cls, data: Any) -> Any:
        return with_stiffness(data, "n")

    @model_validator(mode="after")
    def _stiffness_once(self):
        if (self.stiffness is None) == (self.materials is None):
            raise ValueError(EITHER)
        if self.materials is not None and self.n != 1.5:
            raise ValueError(f"materials give Hertz's stiffness, of exponent 1.5, but n is {self.n:g}")
        return self

    def published(self) -> float:
        """a(e) as published."""
        raise NotImplementedError

    def row(self, contact) -> dict[str, Any]:
        a = damping_factor(self.restitution) if self.calibrated else self.published()
        return {"law": tb.RESTITUTION, "stiffness": stiffness_of(self, contact), "exponent": self.n, "damping": a}


class LankaraniNikravesh(RestitutionLaw):
    """a = 3/4 (1 - e²): for e near 1; at 0.9 it delivers 0.913."""

    kind: Literal["lankarani_nikravesh"] = "lankarani_nikravesh"  # type: ignore[assignment]

    def published(self) -> float:
        return 0.75 * (1.0 - self.restitution**2)


class HuntCrossley(RestitutionLaw):
    """a = 3/2 (1 - e): for e near 1."""

    kind: Literal["hunt_crossley"] = "hunt_crossley"  # type: ignore[assignment]

    def published(self) -> float:
        return 1.5 * (1.0 - self.restitution)


class Flores(RestitutionLaw):
    """a = 8/5 (1 - e)/e: for all e above 0."""

    kind: Literal["flores"] = "flores"  # type: ignore[assignment]

    @model_validator(mode="after")
    def _above_zero(self):
        if self.restitution == 0.0:
            raise ValueError("restitution 0 would need endless damping in this law; use 0.01, or impact by momentum")
        return self

    def published(self) -> float:
        return 1.6 * (1.0 - self.restitution) / self.restitution
