"""Four-node shell: places and directors are bilinear, d = b0 + ξ b1 + η b2 + ξη b3.

Membrane strain is that of the quadrilateral; curvature x,1·d,1 … has the same six-term pattern with products a·b;
transverse shear x,1·d is taken at the middles of the edges and interpolated from there (Dvorkin, Bathe 1984), so that
thin shells do not lock. Turning about the normal is tied weakly to the turning of the surface: the two tangents at the
centre, carried along by each corner, must stay as they are to the surface's own,

    g·x,2 - h·x,1 = 0.
"""

from __future__ import annotations

import numpy as np

from .form import ACROSS, ALONG, DIRECTOR, PLACE, Form, sums_of
from .quad import GAUSS, MEMBRANE, PARTS, Geometry, hybrid_stiffness

A, B = (None, 0, 1, 2), (3, 4, 5, 6)  # numbers of a1.. and b0.. among the vectors
EDGE = 7  # of the sums at edges: x,1 at η = -1, 1; d there; x,2 at ξ = -1, 1; d there
CARRIED = 15  # of the tangents that corners carry
DRILL = 1e-2  # of the shear stiffness in the plane

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
    for k in range(4)
    for term in ((16 + k, CARRIED + k, A[2], 1.0), (16 + k, CARRIED + 4 + k, A[1], -1.0))
)
_PRODUCTS = (*MEMBRANE.products, *_BENDING, *_SHEAR, *_DRILL)
SHELL = Form("quad shell", 4, 3, _VECTORS, _PRODUCTS, (6, 6, 4, 1, 1, 1, 1))
COUPLED = Form("quad shell, coupled", 4, 3, _VECTORS, _PRODUCTS, (12, 4, 1, 1, 1, 1))
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
    """The form and the blocks of C, each (elements, n, n)."""
    elements = len(geometry.a)
    shear = shear_stiffness(geometry, section.shear)
    size = np.linalg.det(geometry.centre)  # of the parallelogram of the tangents
    weak = DRILL * section.membrane[2, 2] * 0.25 * geometry.area.sum(axis=1) / (2.0 * size) ** 2
    drill = [weak.reshape(elements, 1, 1)] * 4
    if section.coupled:
        return COUPLED, [hybrid_stiffness(geometry, section.whole), shear, *drill]
    pair = hybrid_stiffness(geometry, section.membrane), hybrid_stiffness(geometry, section.bending)
    return SHELL, [*pair, shear, *drill]
