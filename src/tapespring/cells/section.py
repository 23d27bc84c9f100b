"""Stiffness and mass of a sheet per area: of one layer or of many."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class SheetSection:
    """Of strains (E11, E22, 2 E12), curvatures alike and transverse shears (γ1, γ2), in the material's axes."""

    membrane: np.ndarray  # (3, 3) [N/m]
    bending: np.ndarray  # (3, 3) [N m]
    coupling: np.ndarray  # (3, 3) [N]
    shear: np.ndarray  # (2, 2) [N/m]
    mass: float  # [kg/m²]
    rotary: float  # [kg] mass per area times the square of its radius of gyration about the middle

    @property
    def coupled(self) -> bool:
        return bool(np.any(self.coupling))

    @property
    def bending_ratio(self) -> float | None:
        """Bending over stretching stiffness [m²] if it is the same in all directions, as of a single material."""
        ratio = float(self.bending[0, 0] / self.membrane[0, 0])
        off = np.abs(self.bending - ratio * self.membrane).max()
        return ratio if not self.coupled and off <= 1e-14 * np.abs(self.bending).max() else None

    @property
    def whole(self) -> np.ndarray:
        """(6, 6)"""
        return np.block([[self.membrane, self.coupling], [self.coupling.T, self.bending]])
