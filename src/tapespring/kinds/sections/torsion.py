"""Saint-Venant's torsion constant of a polygon by finite elements.

Prandtl's function φ solves ∇²φ = -2, φ = 0 on the outline; the constant is 2∫φ. Quadratic triangles on a triangulation
of the corners, refined until the constant settles: it grows towards the exact one, and the last growths tell the rest.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

SETTLED = 1e-4  # relative growth of the constant in the last refinement
MOST_TRIANGLES = 60_000


@lru_cache(maxsize=64)
def polygon_torsion(corners: tuple[tuple[float, float], ...]) -> float:
    """m⁴"""
    p = np.array(corners, float)
    size = np.ptp(p, axis=0).max()
    p = (p - p.mean(axis=0)) / size
    if np.sum(p[:, 0] * np.roll(p[:, 1], -1) - np.roll(p[:, 0], -1) * p[:, 1]) < 0.0:
        p = p[::-1]
    triangles = improved(p, ears(p))
    values: list[float] = []
    while True:
        p, triangles = refined(p, triangles)
        values.append(torsion_on(p, triangles))
        growing = len(values) > 1 and values[-1] - values[-2] > SETTLED * values[-1]
        if len(values) > 1 and (not growing or 4 * len(triangles) > MOST_TRIANGLES):
            return extrapolated(values) * float(size) ** 4


def extrapolated(values: list[float]) -> float:
    """The limit of a sequence whose growths shrink by a steady factor."""
    if len(values) < 3:
        return values[-1]
    first, second = values[-2] - values[-3], values[-1] - values[-2]
    ratio = second / first if first > 0.0 else 0.0
    return values[-1] + (second * ratio / (1.0 - ratio) if 0.0 < ratio < 0.7 else 0.0)


def turn(a, b, c) -> float:
    """Twice the signed area of a triangle."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def ears(p: np.ndarray) -> np.ndarray:
    """Triangles of a simple polygon, corners counterclockwise: the roundest ear is cut off first."""
    left, found = list(range(len(p))), []
    while len(left) > 3:
        best, choice = -1.0, 0
        for k in range(len(left)):
            i, j, l = left[k - 1], left[k], left[(k + 1) % len(left)]
            area = turn(p[i], p[j], p[l])
            if area <= 0.0 or any(inside(p, i, j, l, m) for m in left if m not in (i, j, l)):
                continue
            round_ = area / sum(np.sum((p[x] - p[y]) ** 2) for x, y in ((i, j), (j, l), (l, i)))
            if round_ > best:
                best, choice = round_, k
        found.append((left[choice - 1], left[choice], left[(choice + 1) % len(left)]))
        del left[choice]
    found.append((left[0], left[1], left[2]))
    triangles = np.array(found)
    areas = np.array([turn(*p[list(t)]) for t in triangles])
    return triangles[areas > 0.0]


def inside(p, i, j, l, m) -> bool:
    """Whether corner m lies in the triangle, or on its new side."""
    return bool(turn(p[i], p[j], p[m]) >= 0.0 and turn(p[j], p[l], p[m]) >= 0.0 and turn(p[l], p[i], p[m]) >= 0.0)


def improved(p: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """Flip inner sides until each pair of triangles is Delaunay's, which avoids needles where it can."""
    triangles = triangles.copy()
    for _ in range(3 * len(triangles) ** 2):
        sides: dict[tuple[int, int], int] = {}
        for n, t in enumerate(triangles):
            sides |= {(int(t[k]), int(t[(k + 1) % 3])): n for k in range(3)}
        for (a, b), n in sides.items():
            m = sides.get((b, a))
            if m is None:
                continue
            c = next(int(x) for x in triangles[n] if x not in (a, b))
            d = next(int(x) for x in triangles[m] if x not in (a, b))
            if angle(p, c, a, b) + angle(p, d, a, b) > np.pi + 1e-9:
                triangles[n], triangles[m] = (c, a, d), (d, b, c)
                break
        else:
            return triangles
    return triangles


def angle(p, at, a, b) -> float:
    u, w = p[a] - p[at], p[b] - p[at]
    return float(np.arctan2(abs(u[0] * w[1] - u[1] * w[0]), u @ w))


def middles(triangles: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(sides, number of each triangle's three sides, whether a side is on the outline); side k is opposite corner k."""
    every = np.concatenate([triangles[:, [1, 2]], triangles[:, [2, 0]], triangles[:, [0, 1]]])
    every.sort(axis=1)
    _, first, which, counts = np.unique(
        every[:, 0] * count + every[:, 1], return_index=True, return_inverse=True, return_counts=True
    )
    return every[first], which.reshape(3, -1).T, counts == 1


def refined(p: np.ndarray, triangles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Each triangle in four."""
    sides, which, _ = middles(triangles, len(p))
    a, b, c = triangles.T
    ma, mb, mc = (which + len(p)).T
    four = [np.column_stack(t) for t in ((a, mc, mb), (mc, b, ma), (mb, ma, c), (ma, mb, mc))]
    return np.vstack((p, p[sides].mean(axis=1))), np.concatenate(four)


def torsion_on(p: np.ndarray, triangles: np.ndarray) -> float:
    """2∫φ with quadratic triangles: unknowns at corners and mid-sides."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.linalg import spsolve

    sides, which, outer = middles(triangles, len(p))
    number = np.hstack((triangles, len(p) + which))  # (n, 6)
    count = len(p) + len(sides)
    e = p[triangles[:, [2, 0, 1]]] - p[triangles[:, [1, 2, 0]]]  # side opposite each corner
    area = 0.5 * (e[:, 0, 0] * e[:, 1, 1] - e[:, 0, 1] * e[:, 1, 0])
    slope = (
        np.stack((-e[:, :, 1], e[:, :, 0]), axis=-1) / (2.0 * area)[:, None, None]
    )  # gradients of the area coordinates
    K = np.zeros((len(triangles), 6, 6))
    for at in 0.5 * (1.0 - np.eye(3)):  # mid-sides: exact for products of two linear functions
        one, two = [1, 2, 0], [2, 0, 1]
        corners = (4.0 * at[:, None] - 1.0) * slope
        between = 4.0 * (at[one, None] * slope[:, two] + at[two, None] * slope[:, one])
        g = np.concatenate((corners, between), axis=1)
        K += area[:, None, None] / 3.0 * np.einsum("nid,njd->nij", g, g)
    load = np.bincount(number[:, 3:].ravel(), np.repeat(area / 3.0, 3), count)
    free = np.ones(count, bool)
    free[sides[outer].ravel()] = False
    free[len(p) + np.flatnonzero(outer)] = False
    row, column = np.repeat(number, 6, axis=1).ravel(), np.tile(number, (1, 6)).ravel()
    matrix = coo_matrix((K.ravel(), (row, column)), shape=(count, count)).tocsc()
    phi = spsolve(matrix[free][:, free], 2.0 * load[free])
    return float(2.0 * load[free] @ phi)
