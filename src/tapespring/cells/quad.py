"""Quadrilaterals: x = a0 + ξ a1 + η a2 + ξη a3 with -1 ≤ ξ, η ≤ 1, corners counted round from (-1, -1).

Green's strain in the coordinates ξ, η depends on six scalar products of a1, a2, a3 only:

    E11 = s1 + η s4 + η² s6,   E22 = s2 + ξ s5 + ξ² s6,   2 E12 = s3 + ξ s4 + η s5 + 2ξη s6

Stress within an element is assumed as five modes (Pian, Sumihara 1984, for shells Wagner, Gruttmann 2005): constant,
and linear across its own direction. Such an element neither locks in its own plane nor fails the patch test.
"""

from __future__ import annotations

import numpy as np

from .form import PLACE, Form, sums_of

CORNERS = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
PARTS = 0.25 * np.array([[1, 1, 1, 1], [-1, 1, 1, -1], [-1, -1, 1, 1], [1, -1, 1, -1]])
"""a0, a1, a2, a3 by corners"""
GAUSS = CORNERS / np.sqrt(3.0)
TINY = 1e-12

MEMBRANE = Form(
    "quad membrane", 4, 0, tuple(sums_of(PLACE, PARTS[1:])),
    ((0, 0, 0, 0.5), (1, 1, 1, 0.5), (2, 0, 1, 1.0), (3, 0, 2, 1.0), (4, 1, 2, 1.0), (5, 2, 2, 0.5)), (6,),
)  # fmt: skip


def strain_rows(xi: float, eta: float) -> np.ndarray:
    """(3, 6): (E11, E22, 2 E12) by the six scalars."""
    return np.array(
        [
            [1.0, 0.0, 0.0, eta, 0.0, eta * eta],
            [0.0, 1.0, 0.0, 0.0, xi, xi * xi],
            [0.0, 0.0, 1.0, xi, eta, 2.0 * xi * eta],
        ]
    )


def stress_modes(xi, eta) -> np.ndarray:
    """(elements, 3, 5): contravariant stress by the five parameters."""
    out = np.zeros((len(xi), 3, 5))
    out[:, 0, 0] = out[:, 1, 1] = out[:, 2, 2] = 1.0
    out[:, 0, 3], out[:, 1, 4] = eta, xi
    return out


class Geometry:
    """Reference geometry of many quadrilaterals at their Gauss points and centres."""

    def __init__(self, corners: np.ndarray, along: np.ndarray):
        """corners (elements, 4, 3); along (elements, 3): direction of the material's first axis, projected."""
        self.a = PARTS @ corners
        self.along = along
        bases = [self.basis(xi, eta) for xi, eta in GAUSS]
        self.jacobian = np.stack([J for J, _ in bases], axis=1)  # (elements, 4, 2, 2): J[a, i] = x,a · e_i
        self.area = np.linalg.det(self.jacobian)  # per point; Gauss weights are one
        self.centre, self.axes = self.basis(0.0, 0.0)

    def basis(self, xi: float, eta: float) -> tuple[np.ndarray, np.ndarray]:
        """(J, axes): tangents x,1 and x,2 by orthonormal axes; axes (elements, 3, 3) by rows, the last the normal."""
        g1, g2 = self.a[:, 1] + eta * self.a[:, 3], self.a[:, 2] + xi * self.a[:, 3]
        axes = surface_axes(g1, g2, self.along)
        return np.stack([np.einsum("eia,ea->ei", axes[:, :2], g) for g in (g1, g2)], axis=1), axes

    def mean(self) -> np.ndarray:
        """(elements, 2) mean ξ and η by area."""
        return np.einsum("eg,ga->ea", self.area, GAUSS) / self.area.sum(axis=1)[:, None]


def surface_axes(g1: np.ndarray, g2: np.ndarray, along: np.ndarray) -> np.ndarray:
    """(elements, 3, 3) rows: the direction `along` in the surface, across it, the normal."""
    normal = unit(np.cross(g1, g2))
    first = unit(along - np.einsum("ea,ea->e", along, normal)[:, None] * normal)
    return np.stack([first, np.cross(normal, first), normal], axis=1)


def unit(v: np.ndarray) -> np.ndarray:
    return v / np.linalg.norm(v, axis=-1, keepdims=True)


def stress_transform(J: np.ndarray) -> np.ndarray:
    """(elements, 3, 3): Cartesian (σ11, σ22, σ12) by contravariant stress: σ_ij = J_ai J_bj σ^ab."""
    J11, J12, J21, J22 = J[:, 0, 0], J[:, 0, 1], J[:, 1, 0], J[:, 1, 1]
    rows = [
        [J11 * J11, J21 * J21, 2.0 * J11 * J21],
        [J12 * J12, J22 * J22, 2.0 * J12 * J22],
        [J11 * J12, J21 * J22, J11 * J22 + J21 * J12],
    ]
    return np.moveaxis(np.array(rows), 2, 0)


def strain_transform(J: np.ndarray) -> np.ndarray:
    """(elements, 3, 3): Cartesian (E11, E22, 2 E12) by covariant ones: the inverse transpose of the stresses'."""
    return np.linalg.inv(stress_transform(J)).transpose(0, 2, 1)


def hybrid_stiffness(geometry: Geometry, section: np.ndarray) -> np.ndarray:
    """C (elements, 6k, 6k) of k sets of strains (membrane; or membrane and bending) with a section stiffness
    (3k, 3k), one for all or one per element: W = e' H⁻¹ e / 2, e the strain weighed by the stress modes."""
    elements, k = len(geometry.a), section.shape[-1] // 3
    compliance = np.linalg.inv(np.broadcast_to(section, (elements, 3 * k, 3 * k)))
    mean, to_axes = geometry.mean(), stress_transform(geometry.centre)
    L = np.zeros((elements, 5 * k, 6 * k))
    H = np.zeros((elements, 5 * k, 5 * k))
    for g, (xi, eta) in enumerate(GAUSS):
        S = to_axes @ stress_modes(xi - mean[:, 0], eta - mean[:, 1])
        E = strain_transform(geometry.jacobian[:, g]) @ strain_rows(xi, eta)
        area = geometry.area[:, g, None, None]
        many = np.zeros((elements, 3 * k, 5 * k))
        for i in range(k):
            many[:, 3 * i : 3 * i + 3, 5 * i : 5 * i + 5] = S
            L[:, 5 * i : 5 * i + 5, 6 * i : 6 * i + 6] += area * (S.transpose(0, 2, 1) @ E)
        H += area * (many.transpose(0, 2, 1) @ compliance @ many)
    C = L.transpose(0, 2, 1) @ np.linalg.solve(H, L)
    return 0.5 * (C + C.transpose(0, 2, 1))


def nodal_areas(geometry: Geometry) -> np.ndarray:
    """(elements, 4): ∫ N dA"""
    shape = 0.25 * np.prod(1.0 + CORNERS[None, :, :] * GAUSS[:, None, :], axis=2)  # (points, corners)
    return geometry.area @ shape


def membrane(geometry: Geometry, section: np.ndarray) -> tuple[Form, list[np.ndarray]]:
    """The form and the block of C."""
    return MEMBRANE, [hybrid_stiffness(geometry, section)]


def points(geometry: Geometry) -> tuple[np.ndarray, np.ndarray]:
    """Area (elements, 4) and Cartesian strain by scalars (elements, 4, 3, 6) at the Gauss points."""
    rows = [strain_transform(geometry.jacobian[:, g]) @ strain_rows(*p) for g, p in enumerate(GAUSS)]
    return geometry.area, np.stack(rows, axis=1)
