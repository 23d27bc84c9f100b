"""Four-node shell: places and directors are bilinear, d = b0 + ξ b1 + η b2 + ξη b3.

Membrane strain is that of the quadrilateral; curvature x,1·d,1 … has the same six-term pattern with products a·b;
transverse shear x,1·d is taken at the middles of the edges and interpolated from there (Dvorkin, Bathe 1984), so that
thin shells do not lock. Turning about the normal is tied to the turning of the surface: two tangents g, h that each
corner carries along must stay as they are to the surface's own, g·y - h·x = 0, with x = a1 + 2η a3, y = a2 + 2ξ a3.
Were it the tangents at the corner (a1 + η a3 …), bending in the plane would be resisted, for the bilinear surface turns
only half as much as its edges do; with the 2 it is not, and any constant strain is not either.

Bending of a curved surface of radius R turns the corners of a flat element of side l about its normal by ±κ l²/8R in
turn, since directors and normal differ. So it is the mean of the corners that follows the surface; differences between
them are nearly free. Resisting them fully locks as soon as l² exceeds R times the thickness.
"""

from __future__ import annotations

import numpy as np

from ..mechanics.tables import EVEN, MULTIPLE, WHOLE
from .form import ACROSS, ALONG, DIRECTOR, PLACE, Form, sums_of
from .quad import CORNERS, GAUSS, MEMBRANE, PARTS, Geometry, hybrid_stiffness

A, B = (None, 0, 1, 2), (3, 4, 5, 6)  # numbers of a1.. and b0.. among the vectors
EDGE = 7  # of the sums at edges: x,1 at η = -1, 1; d there; x,2 at ξ = -1, 1; d there
TURNED = 15  # a1 + 2η a3 at η = -1, 1, a2 + 2ξ a3 at ξ = -1, 1
CARRIED = 19  # of the tangents that corners carry
DRILL = 1.0  # of the shear stiffness in the plane, as Hughes and Brezzi (1989) advise
FREE = 1e-3  # of that, for differences between the corners

_at_edges = [
    sums_of(PLACE, np.array([PARTS[1] - PARTS[3], PARTS[1] + PARTS[3]])),
    sums_of(DIRECTOR, np.array([PARTS[0] - PARTS[2], PARTS[0] + PARTS[2]])),
    sums_of(PLACE, np.array([PARTS[2] - PARTS[3], PARTS[2] + PARTS[3]])),
    sums_of(DIRECTOR, np.array([PARTS[0] - PARTS[1], PARTS[0] + PARTS[1]])),
]
_VECTORS = (
    *sums_of(PLACE, PARTS[1:]),
    *sums_of(DIRECTOR, PARTS),
    *(row for rows in _at_edges for row in rows),
    *sums_of(PLACE, np.array([PARTS[1] - 2 * PARTS[3], PARTS[1] + 2 * PARTS[3]])),
    *sums_of(PLACE, np.array([PARTS[2] - 2 * PARTS[3], PARTS[2] + 2 * PARTS[3]])),
    *sums_of(ALONG, np.eye(4)),
    *sums_of(ACROSS, np.eye(4)),
)
_BENDING = (
    (6, A[1], B[1], 1.0), (7, A[2], B[2], 1.0), (8, A[1], B[2], 1.0), (8, A[2], B[1], 1.0), (9, A[1], B[3], 1.0),
    (9, A[3], B[1], 1.0), (10, A[2], B[3], 1.0), (10, A[3], B[2], 1.0), (11, A[3], B[3], 1.0),
)  # fmt: skip
_SHEAR = (
    (12, EDGE, EDGE + 2, 1.0), (13, EDGE + 1, EDGE + 3, 1.0),
    (14, EDGE + 4, EDGE + 6, 1.0), (15, EDGE + 5, EDGE + 7, 1.0),
)  # fmt: skip
_DRILL = tuple(
    term
    for k, (xi, eta) in enumerate(CORNERS)
    for term in (
        (16 + k, CARRIED + k, TURNED + (2 if xi < 0 else 3), 1.0),
        (16 + k, CARRIED + 4 + k, TURNED + (0 if eta < 0 else 1), -1.0),
    )
)
_PRODUCTS = (*MEMBRANE.products, *_BENDING, *_SHEAR, *_DRILL)
SHELL = Form("quad shell", 4, 3, _VECTORS, _PRODUCTS, (6, 6, 4, 4), (WHOLE, MULTIPLE, WHOLE, EVEN))
LAYERED = Form("quad shell, layered", 4, 3, _VECTORS, _PRODUCTS, (6, 6, 4, 4), (WHOLE, WHOLE, WHOLE, EVEN))
COUPLED = Form("quad shell, coupled", 4, 3, _VECTORS, _PRODUCTS, (12, 4, 4), (WHOLE, WHOLE, EVEN))
"""with a section that couples stretching and bending"""


def shear_stiffness(geometry: Geometry, shear: np.ndarray) -> np.ndarray:
    """(elements, 4, 4) of the shear strains at the edges; shear (2, 2) is the section's stiffness."""
    out = np.zeros((len(geometry.a), 4, 4))
    for g, (xi, eta) in enumerate(GAUSS):
        rows = 0.5 * np.array([[1.0 - eta, 1.0 + eta, 0.0, 0.0], [0.0, 0.0, 1.0 - xi, 1.0 + xi]])
        E = np.linalg.inv(geometry.jacobian[:, g]) @ rows
        out += geometry.area[:, g, None, None] * (E.transpose(0, 2, 1) @ shear @ E)
    return out


def stiffness(geometry: Geometry, section) -> tuple[Form, list[np.ndarray]]:
    """The form and what is stored of the blocks of C, whole ones as (elements, n, n)."""
    shear = shear_stiffness(geometry, section.shear)
    size = np.linalg.det(geometry.centre)  # of the parallelogram of the tangents
    weak = DRILL * section.membrane[2, 2] * 0.25 * geometry.area.sum(axis=1) / (2.0 * size) ** 2
    drill = weak[:, None] * ((1.0 - FREE) / 4.0, FREE)
    if section.coupled:
        return COUPLED, [hybrid_stiffness(geometry, section.whole), shear, drill]
    stretching, ratio = hybrid_stiffness(geometry, section.membrane), section.bending_ratio
    if ratio is None:
        return LAYERED, [stretching, hybrid_stiffness(geometry, section.bending), shear, drill]
    return SHELL, [stretching, np.full((len(shear), 1), ratio), shear, drill]


def tangents(geometry: Geometry) -> np.ndarray:
    """(elements, 4, 2, 3): g and h of every corner."""
    a1, a2, a3 = (geometry.a[:, None, k] for k in (1, 2, 3))
    xi, eta = CORNERS.T[:, None, :, None]
    return np.stack((a1 + 2.0 * eta * a3, a2 + 2.0 * xi * a3), axis=2)
