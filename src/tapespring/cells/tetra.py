"""Ten-node tetrahedron: quadratic in its four volume coordinates, strain at four points.

Nodes: four corners, then the middles of the edges 12, 23, 31, 14, 24, 34.
"""

from __future__ import annotations

import numpy as np

from .form import PLACE, Form, sums_of
from .hexa import VOIGT, strain_transform

EDGES = ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3))
_near, _far = 0.5854101966249685, 0.1381966011250105
POINTS = np.full((4, 4), _far) + np.eye(4) * (_near - _far)  # volume coordinates of the four Gauss points
BY_COORDINATE = np.array([[-1.0, -1.0, -1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
"""volume coordinates L1 … L4 by ξ, η, ζ"""


def shape(L: np.ndarray) -> np.ndarray:
    """(10,) at volume coordinates L."""
    return np.array([*(l * (2.0 * l - 1.0) for l in L), *(4.0 * L[i] * L[j] for i, j in EDGES)])


def gradients(L: np.ndarray) -> np.ndarray:
    """(3, 10) by ξ, η, ζ."""
    by_L = np.zeros((4, 10))
    for i in range(4):
        by_L[i, i] = 4.0 * L[i] - 1.0
    for e, (i, j) in enumerate(EDGES):
        by_L[i, 4 + e], by_L[j, 4 + e] = 4.0 * L[j], 4.0 * L[i]
    return BY_COORDINATE.T @ by_L


SOLID = Form(
    "tetrahedron", 10, 0, tuple(sums_of(PLACE, np.concatenate([gradients(L) for L in POINTS]))),
    tuple(
        (6 * g + r, 3 * g + a, 3 * g + b, 0.5 if a == b else 1.0) for g in range(4) for r, (a, b) in enumerate(VOIGT)
    ),
    (6, 6, 6, 6),
)  # fmt: skip


class Geometry:
    """Reference geometry of many tetrahedra; axes (elements, 3, 3): the material's axes by rows."""

    def __init__(self, corners: np.ndarray, axes: np.ndarray):
        in_axes = np.einsum("eka,eia->eki", corners, axes)
        self.jacobian = np.stack([gradients(L) @ in_axes for L in POINTS], axis=1)
        self.volume = np.linalg.det(self.jacobian) / 24.0


def stiffness(geometry: Geometry, material: np.ndarray) -> tuple[Form, list[np.ndarray]]:
    """The form and the blocks of C, one per point."""
    out = []
    for g in range(4):
        E = strain_transform(geometry.jacobian[:, g])
        out.append(geometry.volume[:, g, None, None] * (E.transpose(0, 2, 1) @ material @ E))
    return SOLID, out


def nodal_volumes(geometry: Geometry) -> np.ndarray:
    """(elements, 10): the volume shared in proportion to ∫ N² dV, which is positive (∫ N dV is not at corners)."""
    squares = np.array([shape(L) ** 2 for L in POINTS])
    parts = geometry.volume @ squares
    return parts * (geometry.volume.sum(axis=1) / parts.sum(axis=1))[:, None]


def points(geometry: Geometry, material: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Volume (elements, 4) and strain by scalars (elements, 4, 6, 24) at the points, whatever the material."""
    rows = np.zeros((len(geometry.volume), 4, 6, 24))
    for g in range(4):
        rows[:, g, :, 6 * g : 6 * g + 6] = strain_transform(geometry.jacobian[:, g])
    return geometry.volume, rows
