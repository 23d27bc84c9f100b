"""Eight-node solid: x = a0 + ξ a1 + η a2 + ζ a3 + ηζ a4 + ζξ a5 + ξη a6 + ξηζ a7.

Green's strain in ξ, η, ζ depends on the 28 scalar products of a1 … a7. Stress is assumed as eighteen modes (Pian, Tong
1986): the element bends like a beam, does not lock when nearly incompressible, and passes the patch test.
"""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np

from .form import PLACE, Form, sums_of

CORNERS = np.array(
    [[-1, -1, -1], [1, -1, -1], [1, 1, -1], [-1, 1, -1], [-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]], float
)
_x, _y, _z = CORNERS.T
PARTS = np.array([np.ones(8), _x, _y, _z, _y * _z, _z * _x, _x * _y, _x * _y * _z]) / 8.0
PAIRS = list(combinations_with_replacement(range(7), 2))
SOLID = Form(
    "hexahedron", 8, 0, tuple(sums_of(PLACE, PARTS[1:])),
    tuple((k, i, j, 0.5 if i == j else 1.0) for k, (i, j) in enumerate(PAIRS)), (len(PAIRS),),
)  # fmt: skip
GAUSS = CORNERS / np.sqrt(3.0)
VOIGT = ((0, 0), (1, 1), (2, 2), (1, 2), (2, 0), (0, 1))


def tangents(xi: float, eta: float, zeta: float) -> np.ndarray:
    """(3, 7): x,ξ x,η x,ζ by a1 … a7."""
    return np.array(
        [
            [1.0, 0.0, 0.0, 0.0, zeta, eta, eta * zeta],
            [0.0, 1.0, 0.0, zeta, 0.0, xi, zeta * xi],
            [0.0, 0.0, 1.0, eta, xi, 0.0, xi * eta],
        ]
    )


def strain_rows(t: np.ndarray, pairs) -> np.ndarray:
    """(6, scalars): (E11, E22, E33, 2 E23, 2 E31, 2 E12) by the scalar products (halves of squares) of vectors that
    make up the tangents with coefficients t (3, vectors)."""
    rows = np.zeros((6, len(pairs)))
    for r, (a, b) in enumerate(VOIGT):
        for k, (i, j) in enumerate(pairs):
            both = t[a, i] * t[b, j] + (t[a, j] * t[b, i] if i != j else t[a, i] * t[b, j])
            rows[r, k] = 0.5 * both if a == b else both
    return rows


def stress_transform(J: np.ndarray) -> np.ndarray:
    """(elements, 6, 6): Cartesian stress by contravariant stress, J[a, i] = x,a · e_i."""
    out = np.zeros((len(J), 6, 6))
    for r, (i, j) in enumerate(VOIGT):
        for c, (a, b) in enumerate(VOIGT):
            out[:, r, c] = J[:, a, i] * J[:, b, j] + (J[:, b, i] * J[:, a, j] if a != b else 0.0)
    return out


def strain_transform(J: np.ndarray) -> np.ndarray:
    """(elements, 6, 6): Cartesian strain (shears doubled) by covariant strain."""
    return stress_transform(np.linalg.inv(J)).transpose(0, 2, 1)


def linear_modes(xi: float, eta: float, zeta: float) -> list[tuple[int, float]]:
    """(stress, value) of the twelve modes that are not constant."""
    return [
        (0, eta), (0, zeta), (0, eta * zeta), (1, zeta), (1, xi), (1, zeta * xi),
        (2, xi), (2, eta), (2, xi * eta), (3, xi), (4, eta), (5, zeta),
    ]  # fmt: skip


class Geometry:
    """Reference geometry of many hexahedra; axes (elements, 3, 3): the material's axes by rows."""

    def __init__(self, corners: np.ndarray, axes: np.ndarray):
        a = PARTS[1:] @ corners
        in_axes = np.einsum("eka,eia->eki", a, axes)
        self.jacobian = np.stack([tangents(*p) @ in_axes for p in GAUSS], axis=1)  # (elements, 8, 3, 3)
        self.volume = np.linalg.det(self.jacobian)
        self.centre = tangents(0.0, 0.0, 0.0) @ in_axes


def hybrid(geometry: Geometry, material: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(L, H, S) of the stress modes: strain weighed by them (elements, 18, 28), their compliance (elements, 18, 18) and
    themselves at the points (elements, 8, 6, 18); material (6, 6)."""
    elements = len(geometry.volume)
    S = stress_modes(geometry, GAUSS)
    E = np.stack(
        [strain_transform(geometry.jacobian[:, g]) @ strain_rows(tangents(*p), PAIRS) for g, p in enumerate(GAUSS)],
        axis=1,
    )
    weighed = (geometry.volume[:, :, None, None] * S).reshape(elements, 48, 18).transpose(0, 2, 1)
    strain = np.linalg.inv(material) @ S
    return weighed @ E.reshape(elements, 48, len(PAIRS)), weighed @ strain.reshape(elements, 48, 18), S


def stress_modes(geometry: Geometry, points: np.ndarray) -> np.ndarray:
    """(elements, points, 6, 18): stress by the parameters of the modes, whose linear parts have no mean."""
    shapes = np.array([[value for _, value in linear_modes(*p)] for p in GAUSS])  # (points, 12)
    mean = geometry.volume @ shapes / geometry.volume.sum(axis=1)[:, None]
    modes = np.zeros((len(mean), len(points), 6, 18))
    modes[:, :, range(6), range(6)] = 1.0
    for g, p in enumerate(points):
        for m, (stress, value) in enumerate(linear_modes(*p)):
            modes[:, g, stress, 6 + m] = value - mean[:, m]
    return stress_transform(geometry.centre)[:, None] @ modes


def corner_stress(geometry: Geometry, material: np.ndarray) -> np.ndarray:
    """(elements, 8, 6, 28): the assumed stress at the corners by the scalars."""
    L, H, _ = hybrid(geometry, material)
    return stress_modes(geometry, CORNERS) @ np.linalg.solve(H, L)[:, None]


def points(geometry: Geometry, material: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Volume (elements, 8) and strain by scalars (elements, 8, 6, 28) at the points: the strain of the assumed stress
    in a linear material, which any other material can take instead of the plain one."""
    L, H, S = hybrid(geometry, material)
    return geometry.volume, np.linalg.inv(material) @ S @ np.linalg.solve(H, L)[:, None]


def nodal_volumes(geometry: Geometry) -> np.ndarray:
    """(elements, 8): ∫ N dV"""
    shape = np.prod(1.0 + CORNERS[None] * GAUSS[:, None], axis=2) / 8.0
    return geometry.volume @ shape


def stiffness(geometry: Geometry, material: np.ndarray) -> tuple[Form, list[np.ndarray]]:
    """The form and the block of C (elements, 28, 28) with a material's stiffness (6, 6)."""
    L, H, _ = hybrid(geometry, material)
    C = L.transpose(0, 2, 1) @ np.linalg.solve(H, L)
    return SOLID, [0.5 * (C + C.transpose(0, 2, 1))]
