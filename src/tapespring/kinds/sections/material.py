"""Linear elastic material of a beam or cable."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, model_validator

from ...schema import units
from ...schema.quantities import Density, PositivePressure, Quantity

Poisson = Annotated[float, Quantity(units.NUMBER, above=-1.0, at_most=0.5)]


class Material(BaseModel):
    """Young's modulus, shear modulus (or Poisson's ratio) and density."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    young: PositivePressure = Field(examples=["70 GPa"])
    shear: PositivePressure | None = Field(None, description="shear modulus", examples=["26 GPa"])
    poisson: Poisson | None = Field(None, description="instead of the shear modulus", examples=[0.33])
    density: Density = Field(examples=["2700 kg/m^3"])

    @model_validator(mode="after")
    def _shear_once(self):
        if self.shear is not None and self.poisson is not None:
            raise ValueError("both 'shear' and 'poisson' are given; keep one, shear = young / (2 (1 + poisson))")
        if self.shear is None and self.poisson is None:
            raise ValueError("needs 'shear' (for example 26 GPa) or 'poisson' (for example 0.33)")
        return self

    def shear_modulus(self) -> float:
        """Pa"""
        if self.shear is not None:
            return self.shear
        assert self.poisson is not None
        return self.young / (2.0 * (1.0 + self.poisson))

    def poisson_ratio(self) -> float:
        """As given, or that of an isotropic material of the same moduli."""
        return self.poisson if self.poisson is not None else self.young / (2.0 * self.shear_modulus()) - 1.0
