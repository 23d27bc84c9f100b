"""A section by its stiffness and mass, whatever it is made of."""

from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from ...schema import units
from ...schema.pairs import OneOrTwo, Pair
from ...schema.quantities import BendingStiffness, LineDensity, PositiveForce, Quantity
from ...schema.units import parse_quantity
from ...schema.vectors import Vec3, VectorOf
from .material import Material
from .section import Section, SectionConstants

ROUNDING = 1e-9
ORDER = "stretch, shear y, shear z, twist, bending about y, bending about z"
SIMPLE = ("axial_stiffness", "shear_stiffness", "bending_stiffness", "torsion_stiffness")


def read_matrix(value: Any) -> tuple[tuple[float, ...], ...]:
    """A symmetric positive definite 6×6 in SI. Raises ValueError."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if not isinstance(value, (list, tuple)) or len(value) != 6:
        raise ValueError(f"stiffness takes 6 rows of 6 numbers in SI, in the order {ORDER}")
    if not all(isinstance(row, (list, tuple)) and len(row) == 6 for row in value):
        raise ValueError(f"stiffness takes 6 rows of 6 numbers in SI, in the order {ORDER}")
    m = np.array([[parse_quantity(entry, units.NUMBER) for entry in row] for row in value])
    size = np.abs(m).max()
    if np.abs(m - m.T).max() > ROUNDING * size:
        i, j = np.unravel_index(np.argmax(np.abs(m - m.T)), m.shape)
        raise ValueError(
            f"the stiffness is not symmetric: [{i}][{j}] is {m[i, j]:g}, [{j}][{i}] is {m[j, i]:g}; make them equal"
        )
    check_definite(m)
    return tuple(tuple(float(entry) for entry in row) for row in m)


def check_definite(m: np.ndarray) -> None:
    """Refuse what would give way without limit, or create energy; entries differ in unit, so scaled to a unit
    diagonal."""
    diagonal = np.diag(m)
    if diagonal.min() <= 0.0:
        k = int(np.argmin(diagonal))
        raise ValueError(f"stiffness [{k}][{k}] is {diagonal[k]:g}; every diagonal entry must be positive ({ORDER})")
    least = np.linalg.eigvalsh(m / np.sqrt(np.outer(diagonal, diagonal)))[0]
    if least <= 1e-12:
        raise ValueError(
            f"the stiffness is not positive definite (smallest eigenvalue {least:.3g} with the diagonal scaled to 1): "
            "some strain would cost no energy; check signs, and that couplings are not too large for the diagonal"
        )


_MATRIX = {"type": "array", "minItems": 6, "maxItems": 6, "description": f"6×6 in SI: {ORDER}"}
Matrix6 = Annotated[tuple[tuple[float, ...], ...], BeforeValidator(read_matrix), WithJsonSchema(_MATRIX)]


class General(Section):
    """Either `stiffness`, 6×6, or `axial_stiffness`, `bending_stiffness`, `torsion_stiffness` and, unless sections
    stay across the axis, `shear_stiffness`. `rotary_inertia` per length about x, y, z; about an axis where it is zero
    the solver's nodes get 1e-3 of their mass times element length squared, which matters only to waves as short as
    an element."""

    kind: Literal["general"] = "general"
    stiffness: Matrix6 | None = None
    axial_stiffness: PositiveForce | None = Field(None, description="EA", examples=["10 kN"])
    shear_stiffness: Annotated[Pair, OneOrTwo(Quantity(units.FORCE, above=0.0))] | None = Field(
        None, description="GA along y and z; without it there is no shear strain", examples=["5 kN"]
    )
    bending_stiffness: Annotated[Pair, OneOrTwo(Quantity(units.BENDING_STIFFNESS, above=0.0))] | None = Field(
        None, description="EI about y and z", examples=["[3 N m^2, 5 N m^2]"]
    )
    torsion_stiffness: BendingStiffness | None = Field(None, description="GJ", examples=["2 N m^2"])
    mass_per_length: LineDensity
    rotary_inertia: Annotated[Vec3, VectorOf(units.LINE_INERTIA)] = Field(
        (0.0, 0.0, 0.0), description="per length about the tangent, y and z"
    )

    @model_validator(mode="after")
    def _one_way(self):
        given = [name for name in SIMPLE if getattr(self, name) is not None]
        missing = [name for name in SIMPLE if name != "shear_stiffness" and getattr(self, name) is None]
        if self.stiffness is not None and given:
            raise ValueError(f"both 'stiffness' and '{given[0]}' are given; keep one")
        if self.stiffness is None and missing:
            raise ValueError(f"needs 'stiffness' (6×6), or {', '.join(repr(name) for name in missing)}")
        if min(self.rotary_inertia) < 0.0:
            raise ValueError("rotary_inertia must be zero or positive about every axis")
        return self

    def constants(self, material: Material | None) -> SectionConstants:
        if self.stiffness is not None:
            compliance = np.linalg.inv(np.array(self.stiffness))
        else:
            assert self.axial_stiffness is not None
            assert self.bending_stiffness is not None
            assert self.torsion_stiffness is not None
            shear = [0.0, 0.0] if self.shear_stiffness is None else [1.0 / k for k in self.shear_stiffness]
            bending = [1.0 / k for k in self.bending_stiffness]
            compliance = np.diag([1.0 / self.axial_stiffness, *shear, 1.0 / self.torsion_stiffness, *bending])
        return SectionConstants(0.5 * (compliance + compliance.T), self.mass_per_length, np.diag(self.rotary_inertia))
