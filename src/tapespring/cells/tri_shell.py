"""Three-node shell: places and directors are linear, d = b0 + ξ b1 + η b2.

Membrane strain and curvature are constant; transverse shear is taken along the edges at their middles and interpolated
from there (MITC3: Lee, Bathe 2004). Turning about the normal as in the four-node shell.
"""

from __future__ import annotations

import numpy as np

from ..mechanics.tables import EVEN, MULTIPLE, WHOLE
from .form import ACROSS, ALONG, DIRECTOR, PLACE, Form, sums_of
from .quad_shell import DRILL, FREE
from .tri import MEMBRANE, PARTS, Geometry, plain_stiffness

A, B = (None, 0, 1), (None, 2, 3)
EDGE, CARRIED = 4, 8
_HALF = 0.5 * np.array([[1.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 1.0]])  # middles of the edges 12, 13, 23
_VECTORS = (
    *sums_of(PLACE, PARTS[1:]),
    *sums_of(DIRECTOR, PARTS[1:]),
    *sums_of(DIRECTOR, _HALF),
    *sums_of(PLACE, PARTS[2:] - PARTS[1:2]),
    *sums_of(ALONG, np.eye(3)),
    *sums_of(ACROSS, np.eye(3)),
)
_PRODUCTS = (
    *MEMBRANE.products,
    (3, A[1], B[1], 1.0), (4, A[2], B[2], 1.0), (5, A[1], B[2], 1.0), (5, A[2], B[1], 1.0),
    (6, A[1], EDGE, 1.0), (7, A[2], EDGE + 1, 1.0), (8, EDGE + 3, EDGE + 2, 1.0),
    *(t for k in range(3) for t in ((9 + k, CARRIED + k, A[2], 1.0), (9 + k, CARRIED + 3 + k, A[1], -1.0))),
)  # fmt: skip
SHELL = Form("triangle shell", 3, 3, _VECTORS, _PRODUCTS, (3, 3, 3, 3), (WHOLE, MULTIPLE, WHOLE, EVEN))
LAYERED = Form("triangle shell, layered", 3, 3, _VECTORS, _PRODUCTS, (3, 3, 3, 3), (WHOLE, WHOLE, WHOLE, EVEN))
COUPLED = Form("triangle shell, coupled", 3, 3, _VECTORS, _PRODUCTS, (6, 3, 3), (WHOLE, WHOLE, EVEN))
POINTS = np.array([[0.5, 0.0], [0.5, 0.5], [0.0, 0.5]])  # of an integration exact for quadratics


def shear_stiffness(geometry: Geometry, shear: np.ndarray) -> np.ndarray:
    """(elements, 3, 3) of the shear strains along the edges: γ1 = e1 + c η, γ2 = e2 - c ξ, c = e2 - e1 - e3."""
    out = np.zeros((len(geometry.a), 3, 3))
    back = np.linalg.inv(geometry.centre)
    for xi, eta in POINTS:
        rows = np.array([[1.0 - eta, eta, -eta], [xi, 1.0 - xi, xi]])
        E = back @ rows
        out += geometry.area[:, None, None] / 3.0 * (E.transpose(0, 2, 1) @ shear @ E)
    return out


def stiffness(geometry: Geometry, section) -> tuple[Form, list[np.ndarray]]:
    """The form and what is stored of the blocks of C, whole ones as (elements, n, n)."""
    shear = shear_stiffness(geometry, section.shear)
    weak = DRILL * section.membrane[2, 2] / 3.0 * geometry.area / (4.0 * geometry.area) ** 2
    drill = weak[:, None] * ((1.0 - FREE) / 3.0, FREE)
    if section.coupled:
        return COUPLED, [plain_stiffness(geometry, section.whole), shear, drill]
    stretching, ratio = plain_stiffness(geometry, section.membrane), section.bending_ratio
    if ratio is None:
        return LAYERED, [stretching, plain_stiffness(geometry, section.bending), shear, drill]
    return SHELL, [stretching, np.full((len(shear), 1), ratio), shear, drill]


def tangents(geometry: Geometry) -> np.ndarray:
    """(elements, 3, 2, 3): g and h of every corner."""
    return np.repeat(geometry.a[:, None, 1:], 3, axis=1)
