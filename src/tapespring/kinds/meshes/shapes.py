"""How well elements are shaped: angles at the corners of surface elements, Jacobians of solids."""

from __future__ import annotations

import numpy as np

FLATTEST = 1e-9  # of the square or cube of an element's longest edge: anything below is degenerate

_CUBE = np.array([(-1, -1, -1), (1, -1, -1), (1, 1, -1), (-1, 1, -1), (-1, -1, 1), (1, -1, 1), (1, 1, 1), (-1, 1, 1)])
_GAUSS = np.full((4, 3), 0.13819660112501) + (0.58541019662497 - 0.13819660112501) * np.eye(4, 3)
_TETRA_PLACES = np.concatenate((np.zeros((1, 3)), np.eye(3), _GAUSS))


def corner_sines(points: np.ndarray, cells: np.ndarray) -> np.ndarray:
    """(n, 3 or 4) sine of the angle at each corner times the sizes of its edges over the largest; negative beyond 180
    degrees."""
    p = points[cells]
    onward, back = np.roll(p, -1, axis=1) - p, np.roll(p, 1, axis=1) - p
    turned = np.cross(onward, back)
    normal = turned.sum(axis=1, keepdims=True)  # along the cross product of the diagonals
    normal = normal / np.maximum(np.linalg.norm(normal, axis=-1, keepdims=True), 1e-300)
    largest = np.maximum((onward**2).sum(axis=-1).max(axis=1, keepdims=True), 1e-300)
    return (turned * normal).sum(axis=-1) / largest


def corner_angle(points: np.ndarray, cell: np.ndarray, corner: int) -> float:
    """Angle inside a surface element at one of its corners [deg], 0 to 360."""
    p = points[cell]
    n = len(cell)
    u, w = p[(corner + 1) % n] - p[corner], p[corner - 1] - p[corner]
    size = np.linalg.norm(u) * np.linalg.norm(w)
    if size == 0.0:
        return 0.0
    angle = float(np.degrees(np.arctan2(np.linalg.norm(np.cross(u, w)), u @ w)))
    return 360.0 - angle if corner_sines(points, cell[None])[0, corner] < 0.0 else angle


def hexahedron_jacobians(points: np.ndarray, cells: np.ndarray) -> np.ndarray:
    """(n, 8) determinants at the corners over the cube of the longest edge there; 1 for a cube."""
    p = points[cells]
    along = np.empty((len(cells), 8, 3, 3))
    for corner, place in enumerate(_CUBE):
        for axis in range(3):
            other = place.copy()
            other[axis] *= -1
            far = int(np.flatnonzero((other == _CUBE).all(axis=1))[0])
            along[:, corner, axis] = -place[axis] * (p[:, far] - p[:, corner])
    return scaled_determinants(along)


def tetra10_jacobians(points: np.ndarray, cells: np.ndarray) -> np.ndarray:
    """(n, 8) determinants at the corners and at four points inside, likewise; 1 for three equal edges at right
    angles."""
    p = points[cells]
    along = np.stack([np.einsum("ka,nkx->nax", tetra10_slopes(place), p) for place in _TETRA_PLACES], axis=1)
    return scaled_determinants(along)


def tetra10_slopes(place: np.ndarray) -> np.ndarray:
    """(10, 3) derivatives of the quadratic shape functions."""
    L = np.array([1.0 - place.sum(), *place])
    dL = np.vstack((-np.ones(3), np.eye(3)))
    corners = (4.0 * L - 1.0)[:, None] * dL
    pairs = ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3))
    return np.vstack((corners, [4.0 * (L[a] * dL[b] + L[b] * dL[a]) for a, b in pairs]))


def scaled_determinants(along: np.ndarray) -> np.ndarray:
    """det of (n, k, 3, 3) over the cube of the longest of an element's rows."""
    longest = np.linalg.norm(along, axis=-1).max(axis=(1, 2))
    return np.linalg.det(along) / np.maximum(longest, 1e-100)[:, None] ** 3
