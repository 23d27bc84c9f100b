"""Hertz's law, from materials and radii or as a stiffness."""

from math import sqrt
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from ...mechanics import tables as tb
from ...schema import units
from ...schema.quantities import PositiveLength, PositivePressure, Quantity
from .law import Law, Restitution, damping_factor

EITHER = "give either 'stiffness' or 'materials', for example materials: {young: 210 GPa, poisson: 0.3}"
HERTZ = units.Dimension("contact stiffness", "N/m^1.5", "1e9 N/m^1.5")


class Elastic(BaseModel):
    """A material, as far as contact knows it."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    young: PositivePressure = Field(examples=["210 GPa"])
    poisson: Annotated[float, Quantity(units.NUMBER, above=-1.0, at_most=0.5)] = Field(examples=[0.3])

    @property
    def compliance(self) -> float:
        """(1 - ν²)/E [1/Pa]"""
        return (1.0 - self.poisson**2) / self.young


def hertz_stiffness(materials, radius: float) -> float:
    """4/3 E* √R [N/m^1.5]"""
    return 4.0 / 3.0 * sqrt(radius) / sum(m.compliance for m in materials)


def stiffness_of(law, contact) -> float:
    """As given, or from materials and radii [N/m^1.5]."""
    if law.stiffness is not None:
        return law.stiffness
    both = law.materials if isinstance(law.materials, tuple) else (law.materials, law.materials)
    return hertz_stiffness(both, law.radius or contact.radius("law", "radius"))


class Hertz(Law):
    """K δ^1.5, with K = 4/3 E* √R from `materials` (one, or one per side) and the radii of the surfaces, or given as
    `stiffness`. With a `restitution` below 1 it is K δ^1.5 (1 + a δ'/δ'₀), with a such that this comes out."""

    kind: Literal["hertz"] = "hertz"
    stiffness: Annotated[float, Quantity(HERTZ, above=0.0)] | None = Field(None, examples=["1e9 N/m^1.5"])
    materials: Elastic | tuple[Elastic, Elastic] | None = Field(None, examples=["{young: 210 GPa, poisson: 0.3}"])
    radius: PositiveLength | None = Field(None, description="of curvature, both sides together: 1/R = 1/R1 + 1/R2")
    restitution: Restitution = 1.0

    @model_validator(mode="after")
    def _stiffness_once(self):
        if (self.stiffness is None) == (self.materials is None):
            raise ValueError(EITHER)
        return self

    def row(self, contact) -> dict[str, Any]:
        return {
            "law": tb.RESTITUTION, "stiffness": stiffness_of(self, contact), "exponent": 1.5,
            "damping": damping_factor(self.restitution),
        }  # fmt: skip
