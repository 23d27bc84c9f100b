"""Materials of sheets and solids: the same in all directions, or different along and across."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, model_validator

from ...schema import units
from ...schema.quantities import Density, PositivePressure, Quantity

SHEAR_FACTOR = 5.0 / 6.0  # of a homogeneous plate
Poisson = Annotated[float, Quantity(units.NUMBER, above=-1.0)]


class SheetMaterial(BaseModel):
    """Young's modulus and Poisson's ratio (or the shear modulus) and density. With `young_across` the material is
    orthotropic: `young` is along its first axis, `poisson` the contraction across when pulled along."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    young: PositivePressure = Field(examples=["70 GPa"])
    poisson: Poisson | None = Field(None, examples=[0.33])
    shear: PositivePressure | None = Field(None, description="shear modulus in the plane", examples=["26 GPa"])
    young_across: PositivePressure | None = Field(None, description="across the first axis", examples=["10 GPa"])
    shear_through: PositivePressure | None = Field(None, description="through the thickness; else as in the plane")
    density: Density = Field(examples=["2700 kg/m^3"])

    @model_validator(mode="after")
    def _complete(self):
        given = (self.poisson is not None) + (self.shear is not None)
        if self.young_across is None:
            if given != 1:
                raise ValueError(
                    "give either 'poisson' (for example 0.33) or 'shear' (for example 26 GPa); both only go with "
                    "'young_across'"
                )
            if not -1.0 < self.ratio() <= 0.5:
                raise ValueError(f"Poisson's ratio is {self.ratio():.4g}; it must lie between -1 and 0.5")
        else:
            if given != 2:
                raise ValueError("an orthotropic material needs 'young', 'young_across', 'poisson' and 'shear'")
            if self.ratio() ** 2 >= self.young / self.young_across:
                largest = np.sqrt(self.young / self.young_across)
                raise ValueError(f"poisson {self.ratio():.4g} is impossible: below {largest:.4g} here")
        return self

    @property
    def isotropic(self) -> bool:
        """Whether all directions in its plane are alike."""
        return self.young_across is None

    def ratio(self) -> float:
        """Poisson's ratio."""
        if self.poisson is not None:
            return self.poisson
        assert self.shear is not None
        return self.young / (2.0 * self.shear) - 1.0

    def shear_modulus(self) -> float:
        """In the plane [Pa]."""
        return self.shear if self.shear is not None else self.young / (2.0 * (1.0 + self.ratio()))

    def plane_stress(self) -> np.ndarray:
        """(3, 3): (σ11, σ22, σ12) by (E11, E22, 2 E12) [Pa]."""
        across = self.young if self.young_across is None else self.young_across
        nu = self.ratio()
        stiff = 1.0 / (1.0 - nu * nu * across / self.young)
        return np.array(
            [
                [self.young * stiff, nu * across * stiff, 0.0],
                [nu * across * stiff, across * stiff, 0.0],
                [0.0, 0.0, self.shear_modulus()],
            ]
        )

    def through(self) -> float:
        """Shear modulus through the thickness [Pa]."""
        return self.shear_through if self.shear_through is not None else self.shear_modulus()
