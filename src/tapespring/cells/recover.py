"""What elements carry at their middle, from their scalars: strains there times the section or the material."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from . import hexa, quad, tetra, tri
from .section import SheetSection

Recover = Callable[[np.ndarray, np.ndarray | None], tuple[np.ndarray, ...]]
"""scalars (n, cells, scalars) and mean stress (n, cells, 6) of a law that is not linear → what is carried"""


def sheet_strain(geometry) -> np.ndarray:
    """(elements, 3, 6 or 3): (E11, E22, 2 E12) at the middle by the scalars."""
    if isinstance(geometry, quad.Geometry):
        return quad.strain_transform(geometry.centre) @ quad.strain_rows(0.0, 0.0)
    return quad.strain_transform(geometry.centre)


def of_membrane(geometry, section: np.ndarray) -> Recover:
    """(force per length,)"""
    by_scalars = section @ sheet_strain(geometry)

    def recover(s, mean):
        return (np.einsum("eij,nej->nei", by_scalars, s) if mean is None else mean[:, :, :3],)

    return recover


def of_shell(geometry, section: SheetSection) -> Recover:
    """(membrane force, bending moment, transverse shear force), all per length."""
    E = sheet_strain(geometry)
    n = E.shape[2]
    rows = np.full((1, 2, 4), 0.0)
    rows[0, 0, :2] = rows[0, 1, 2:] = 0.5
    if isinstance(geometry, tri.Geometry):
        third = 1.0 / 3.0
        rows = np.array([[[1.0 - third, third, -third], [third, 1.0 - third, third]]])
    shear = section.shear @ np.linalg.inv(geometry.centre) @ rows

    def recover(s, mean):
        strain, curvature = (np.einsum("eij,nej->nei", E, s[:, :, k : k + n]) for k in (0, n))
        force = strain @ section.membrane.T + curvature @ section.coupling.T
        moment = strain @ section.coupling + curvature @ section.bending.T
        return force, moment, np.einsum("eij,nej->nei", shear, s[:, :, 2 * n : 2 * n + shear.shape[2]])

    return recover


def of_solid(geometry, material: np.ndarray) -> Recover:
    """(second Piola-Kirchhoff stress,)"""
    if isinstance(geometry, hexa.Geometry):
        strain = hexa.strain_transform(geometry.centre) @ hexa.strain_rows(hexa.tangents(0.0, 0.0, 0.0), hexa.PAIRS)
    else:
        volume = geometry.volume / geometry.volume.sum(axis=1)[:, None]
        strain = np.concatenate(
            [
                volume[:, g, None, None] * hexa.strain_transform(geometry.jacobian[:, g])
                for g in range(len(tetra.POINTS))
            ],
            axis=2,
        )
    by_scalars = material @ strain

    def recover(s, mean):
        return (np.einsum("eij,nej->nei", by_scalars, s) if mean is None else mean,)

    return recover
