"""What elements carry at their middle, from their scalars: strains there times the section or the material."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from . import hexa, quad, tetra, tri
from .pieces import Pieces
from .section import SheetSection

Recover = Callable[[np.ndarray, np.ndarray | None], tuple[np.ndarray, ...]]
"""scalars (n, cells, scalars) and mean stress (n, cells, 6) of a law that is not linear → what is carried"""


def size(geometry) -> np.ndarray:
    """(elements,) area of sheets, volume of solids, as drawn."""
    parts = geometry.volume if isinstance(geometry, hexa.Geometry | tetra.Geometry) else geometry.area
    return parts.reshape(len(parts), -1).sum(axis=1)


def sheet_strain(geometry) -> np.ndarray:
    """(elements, 3, 6 or 3): (E11, E22, 2 E12) at the middle by the scalars."""
    if isinstance(geometry, quad.Geometry):
        return quad.strain_transform(geometry.centre) @ quad.strain_rows(0.0, 0.0)
    return quad.strain_transform(geometry.centre)


def of_membrane(pieces: Pieces, section: np.ndarray) -> Recover:
    """(force per length,)"""

    def recover(s, mean):
        if mean is not None:
            return (mean[:, :, :3],)
        return (np.einsum("eij,nej->nei", section @ pieces.gathered(sheet_strain), s),)

    return recover


def sheet_shear(geometry) -> np.ndarray:
    """(elements, 2, 4 or 3): transverse shear strain at the middle by the scalars."""
    rows = np.full((1, 2, 4), 0.0)
    rows[0, 0, :2] = rows[0, 1, 2:] = 0.5
    if isinstance(geometry, tri.Geometry):
        third = 1.0 / 3.0
        rows = np.array([[[1.0 - third, third, -third], [third, 1.0 - third, third]]])
    return np.linalg.inv(geometry.centre) @ rows


def of_shell(pieces: Pieces, section: SheetSection) -> Recover:
    """(membrane force, bending moment, transverse shear force), all per length."""

    def recover(s, mean):
        E, shear = pieces.gathered(sheet_strain), section.shear @ pieces.gathered(sheet_shear)
        n = E.shape[2]
        strain, curvature = (np.einsum("eij,nej->nei", E, s[:, :, k : k + n]) for k in (0, n))
        force = strain @ section.membrane.T + curvature @ section.coupling.T
        moment = strain @ section.coupling + curvature @ section.bending.T
        return force, moment, np.einsum("eij,nej->nei", shear, s[:, :, 2 * n : 2 * n + shear.shape[2]])

    return recover


def solid_strain(geometry) -> np.ndarray:
    """(elements, 6, scalars): strain in the middle of a hexahedron, mean strain of a tetrahedron, by the scalars."""
    if isinstance(geometry, hexa.Geometry):
        return hexa.strain_transform(geometry.centre) @ hexa.strain_rows(hexa.tangents(0.0, 0.0, 0.0), hexa.PAIRS)
    volume = geometry.volume / geometry.volume.sum(axis=1)[:, None]
    at_points = [hexa.strain_transform(geometry.jacobian[:, g]) for g in range(len(tetra.POINTS))]
    return np.concatenate([volume[:, g, None, None] * E for g, E in enumerate(at_points)], axis=2)


def at_nodes(pieces: Pieces, material: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """scalars (n, cells, 28) of hexahedra → assumed stress (n, nodes of the mesh, 6), means of the elements around."""

    def recover(s):
        total, around = np.zeros((len(s), len(pieces.points), 6)), np.zeros(len(pieces.points))
        for some, geometry in pieces:
            cells = pieces.cells[some]
            stress = np.einsum("ecij,nej->neci", hexa.corner_stress(geometry, material), s[:, some], optimize=True)
            np.add.at(total, (slice(None), cells), stress)
            np.add.at(around, cells, 1.0)
        return total / np.maximum(around, 1.0)[:, None]

    return recover


def of_solid(pieces: Pieces, material: np.ndarray) -> Recover:
    """(second Piola-Kirchhoff stress,)"""

    def recover(s, mean):
        if mean is not None:
            return (mean,)
        return (np.einsum("eij,nej->nei", material @ pieces.gathered(solid_strain), s),)

    return recover
