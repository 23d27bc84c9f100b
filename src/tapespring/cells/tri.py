"""Triangles: x = a0 + ξ a1 + η a2 with ξ, η ≥ 0, ξ + η ≤ 1; constant strain."""

from __future__ import annotations

import numpy as np

from .form import PLACE, Form, sums_of
from .quad import strain_transform, surface_axes

PARTS = np.array([[1.0, 0.0, 0.0], [-1.0, 1.0, 0.0], [-1.0, 0.0, 1.0]])
"""a0, a1, a2 by corners"""
MEMBRANE = Form(
    "triangle membrane", 3, 0, tuple(sums_of(PLACE, PARTS[1:])), ((0, 0, 0, 0.5), (1, 1, 1, 0.5), (2, 0, 1, 1.0)), (3,)
)


class Geometry:
    """Reference geometry of many triangles."""

    def __init__(self, corners: np.ndarray, along: np.ndarray):
        """corners (elements, 3, 3); along (elements, 3): direction of the material's first axis, projected."""
        self.a = PARTS @ corners
        self.axes = surface_axes(self.a[:, 1], self.a[:, 2], along)
        self.centre = np.stack([np.einsum("eia,ea->ei", self.axes[:, :2], self.a[:, k]) for k in (1, 2)], axis=1)
        self.area = 0.5 * np.linalg.det(self.centre)


def plain_stiffness(geometry: Geometry, section: np.ndarray) -> np.ndarray:
    """C (elements, 3k, 3k) of k sets of constant strains."""
    E = repeated(strain_transform(geometry.centre), section.shape[-1] // 3)
    return geometry.area[:, None, None] * (E.transpose(0, 2, 1) @ section @ E)


def repeated(blocks: np.ndarray, k: int) -> np.ndarray:
    """(elements, nk, nk): the same block k times along the diagonal."""
    n = blocks.shape[1]
    out = np.zeros((len(blocks), n * k, n * k))
    for i in range(k):
        out[:, n * i : n * i + n, n * i : n * i + n] = blocks
    return out


def nodal_areas(geometry: Geometry) -> np.ndarray:
    """(elements, 3): ∫ N dA"""
    return np.repeat(geometry.area[:, None] / 3.0, 3, axis=1)


def membrane(geometry: Geometry, section: np.ndarray) -> tuple[Form, list[np.ndarray]]:
    """The form and the block of C."""
    return MEMBRANE, [plain_stiffness(geometry, section)]


def points(geometry: Geometry) -> tuple[np.ndarray, np.ndarray]:
    """Area (elements, 1) and Cartesian strain by scalars (elements, 1, 3, 3)."""
    return geometry.area[:, None], strain_transform(geometry.centre)[:, None]
