"""What all cross sections share.

Section axes: x along the beam's tangent, y and z across, z the beam's `up`. Stress and strain are ordered
(stretch, shear along y, shear along z, twist, bending about y, bending about z).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, SerializerFunctionWrapHandler, model_serializer

from ...schema import units
from ...schema.pairs import OneOrTwo, Pair
from ...schema.quantities import Quantity
from .material import Material

SECOND_MOMENT = Quantity(units.SECOND_MOMENT, above=0.0)


@dataclass(frozen=True)
class SectionConstants:
    """What a beam is made from: SI, section axes."""

    compliance: np.ndarray  # (6, 6) strain by stress
    mass: float  # [kg/m]
    inertia: np.ndarray  # (3, 3) rotary inertia per length [kg m]

    def without_shear(self) -> SectionConstants:
        """Sections stay across the axis (Euler–Bernoulli)."""
        compliance = self.compliance.copy()
        compliance[1:3, :] = compliance[:, 1:3] = 0.0
        return SectionConstants(compliance, self.mass, self.inertia)


@dataclass(frozen=True)
class Geometry:
    """Integrals over a section, about its centroid [m², m⁴]."""

    area: float
    second_y: float  # ∫z², bending about y
    second_z: float  # ∫y², bending about z
    torsion: float
    shear: Pair  # parts of the area that carry shear along y and z
    product: float = 0.0  # ∫yz


class Section(BaseModel):
    """Base of the sections."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True, validate_default=True)

    kind: str

    @model_serializer(mode="wrap")
    def _keep_kind(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """`kind` is a default of its class, yet a file cannot be read without it."""
        return {"kind": self.kind} | handler(self)

    def constants(self, material: Material | None) -> SectionConstants:
        """Compliance and mass of the section."""
        raise NotImplementedError

    def outline(self) -> np.ndarray | None:
        """(corners, 2) [y, z] about the centroid [m]; None if it is round (it has a `radius` then) or has no shape."""
        return None


class ShapedSection(Section):
    """A section of one material, given by its shape."""

    shear_factor: Annotated[Pair, OneOrTwo(Quantity(units.NUMBER, above=0.0))] | None = Field(
        None, description="part of the area that carries shear, along y and z; else Cowper's", examples=[0.85]
    )
    torsion_constant: Annotated[float, SECOND_MOMENT] | None = Field(
        None, description="else that of the shape", examples=["12 mm^4"]
    )

    def geometry(self, poisson: float) -> Geometry:
        """Integrals over the shape; `poisson` for shear factors."""
        raise NotImplementedError

    def constants(self, material: Material | None) -> SectionConstants:
        assert material is not None
        g = self.geometry(min(max(material.poisson_ratio(), 0.0), 0.5))
        E, G = material.young, material.shear_modulus()
        shear = self.shear_factor or g.shear
        torsion = self.torsion_constant or g.torsion
        bending = np.array([[g.second_y, -g.product], [-g.product, g.second_z]])
        compliance = np.zeros((6, 6))
        compliance[0, 0] = 1.0 / (E * g.area)
        compliance[1, 1], compliance[2, 2] = (1.0 / (factor * G * g.area) for factor in shear)
        compliance[3, 3] = 1.0 / (G * torsion)
        compliance[4:, 4:] = np.linalg.inv(bending) / E
        inertia = np.zeros((3, 3))
        inertia[0, 0] = g.second_y + g.second_z
        inertia[1:, 1:] = bending
        return SectionConstants(compliance, material.density * g.area, material.density * inertia)
