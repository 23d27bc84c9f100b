"""Materials of solids."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from ...schema import units
from ...schema.quantities import Density, PositivePressure, Quantity

Poisson = Annotated[float, Quantity(units.NUMBER, above=-1.0, at_most=0.4999999)]


class SolidMaterial(BaseModel):
    """The same in all directions. `law: linear`: stress is linear in Green's strain (St Venant–Kirchhoff), for large
    rotations and small strains; `neo_hookean` also for large strains, of rubber for instance."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    young: PositivePressure = Field(examples=["70 GPa"])
    poisson: Poisson = Field(examples=[0.33])
    density: Density = Field(examples=["2700 kg/m^3"])
    law: Literal["linear", "neo_hookean"] = "linear"

    def stiffness(self) -> np.ndarray:
        """(6, 6): (σ11, σ22, σ33, σ23, σ31, σ12) by strains, shears doubled [Pa]."""
        shear = self.young / (2.0 * (1.0 + self.poisson))
        lame = 2.0 * shear * self.poisson / (1.0 - 2.0 * self.poisson)
        out = np.diag([2.0 * shear] * 3 + [shear] * 3)
        out[:3, :3] += lame
        return out
