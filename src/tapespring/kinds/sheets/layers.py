"""The section of a shell: one layer, or several one upon the other."""

from __future__ import annotations

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from ...cells.section import SheetSection
from ...schema.quantities import Angle, PositiveLength
from .material import SHEAR_FACTOR, SheetMaterial


class Layer(BaseModel):
    """A layer: its thickness, its material and the angle of its first axis in the sheet."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    thickness: PositiveLength = Field(examples=["0.1 mm"])
    material: SheetMaterial
    angle: Angle = Field(0.0, description="from the shell's `along` towards its left", examples=["45 deg"])


def turned(stiffness: np.ndarray, angle: float) -> np.ndarray:
    """A plane-stress stiffness (3, 3) of axes turned by an angle, in axes that are not."""
    c, s = np.cos(angle), np.sin(angle)
    to_layer = np.array([[c * c, s * s, c * s], [s * s, c * c, -c * s], [-2 * c * s, 2 * c * s, c * c - s * s]])
    return to_layer.T @ stiffness @ to_layer


def stacked(layers: tuple[Layer, ...]) -> SheetSection:
    """From the lowest layer to the uppermost, the middle of all at the nodes."""
    total = sum(layer.thickness for layer in layers)
    membrane, coupling, bending = np.zeros((3, 3)), np.zeros((3, 3)), np.zeros((3, 3))
    shear, mass, first, rotary, low = 0.0, 0.0, 0.0, 0.0, -0.5 * total
    for layer in layers:
        high = low + layer.thickness
        Q = turned(layer.material.plane_stress(), layer.angle)
        areas = high - low, (high**2 - low**2) / 2.0, (high**3 - low**3) / 3.0
        membrane += Q * areas[0]
        coupling += Q * areas[1]
        bending += Q * areas[2]
        shear += SHEAR_FACTOR * layer.material.through() * areas[0]
        mass += layer.material.density * areas[0]
        first += layer.material.density * areas[1]
        rotary += layer.material.density * areas[2]
        low = high
    coupling[np.abs(coupling) < 1e-12 * total * np.abs(membrane).max()] = 0.0
    return SheetSection(membrane, bending, coupling, shear * np.eye(2), mass, rotary)
