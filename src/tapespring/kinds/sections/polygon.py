"""Polygon: any section without holes."""

from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from ...schema.quantities import Length
from .section import Geometry, ShapedSection


def read_corner(value: Any) -> Any:
    """[y, z]. Raises ValueError."""
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        raise ValueError(f"{value!r} is not a corner; write [y, z] such as [10 mm, 0]")
    return value


_CORNER = {"type": "array", "minItems": 2, "maxItems": 2}
Corner = Annotated[tuple[Length, Length], BeforeValidator(read_corner), WithJsonSchema(_CORNER)]


class Polygon(ShapedSection):
    """Corners [y, z] in order. The beam's axis runs through the centroid, wherever the corners are drawn, and is taken
    for the shear centre too. Torsion is solved for with finite elements; 5/6 of the area carries shear."""

    kind: Literal["polygon"] = "polygon"
    points: tuple[Corner, ...] = Field(examples=["[[0, 0], [20 mm, 0], [20 mm, 3 mm], [0, 3 mm]]"])

    @model_validator(mode="after")
    def _simple(self):
        check_simple(np.array(self.points))
        return self

    def geometry(self, poisson: float) -> Geometry:
        p = np.array(self.points)
        area, _, second_y, second_z, product = moments(p)
        torsion = self.torsion_constant
        if torsion is None:
            from .torsion import polygon_torsion

            torsion = polygon_torsion(self.points)
        return Geometry(area, second_y, second_z, torsion, (5.0 / 6.0, 5.0 / 6.0), product)

    def outline(self) -> np.ndarray:
        corners = np.array(self.points)
        return corners - moments(corners)[1]


def moments(p: np.ndarray) -> tuple[float, np.ndarray, float, float, float]:
    """(area, centroid, ∫z², ∫y², ∫yz about the centroid), corners in either sense of turning."""
    q = p - p.mean(axis=0)  # near the origin nothing cancels
    a, b = q, np.roll(q, -1, axis=0)
    cross = a[:, 0] * b[:, 1] - b[:, 0] * a[:, 1]
    sign, area = np.sign(cross.sum()), abs(cross.sum()) / 2.0
    centre = sign * ((a + b) * cross[:, None]).sum(axis=0) / (6.0 * area)
    yy, zz = (sign * (cross * (a**2 + a * b + b**2).T).sum(axis=1) / 12.0).tolist()
    mixed = a[:, 0] * b[:, 1] + 2.0 * (a[:, 0] * a[:, 1] + b[:, 0] * b[:, 1]) + b[:, 0] * a[:, 1]
    yz = sign * (cross * mixed).sum() / 24.0
    y, z = centre
    return area, centre + p.mean(axis=0), zz - area * z * z, yy - area * y * y, yz - area * y * z


def check_simple(p: np.ndarray) -> None:
    """Refuse repeated corners, edges that cross and polygons without area. Raises ValueError."""
    n = len(p)
    if n < 3:
        raise ValueError(f"a polygon of {n} corners; at least 3 are wanted")
    size = np.ptp(p, axis=0).max()
    edges = np.roll(p, -1, axis=0) - p
    for k in range(n):
        if np.linalg.norm(edges[k]) <= 1e-9 * size:
            raise ValueError(
                f"corners {k} and {(k + 1) % n} of the polygon are the same; remove one (it closes itself)"
            )
    for i in range(n):
        for j in range(i + 1, n):
            if touch(p, i, j, n, size):
                raise ValueError(
                    f"edges {i} and {j} of the polygon cross or touch; list the corners in order around the outline"
                )
    if moments(p)[0] <= 1e-9 * size**2:
        raise ValueError("the polygon has no area; check its corners")


def touch(p: np.ndarray, i: int, j: int, n: int, size: float) -> bool:
    """Whether edges i and j meet elsewhere than at a corner they share."""
    a, b, c, d = p[i], p[(i + 1) % n], p[j], p[(j + 1) % n]
    if j == i + 1 or (i == 0 and j == n - 1):
        shared, u, w = (b, a, d) if j == i + 1 else (a, b, c)
        u, w = u - shared, w - shared
        return bool(abs(u[0] * w[1] - u[1] * w[0]) <= 1e-12 * size**2 and u @ w > 0.0)  # folds back on itself

    def side(o, e, x):
        value = (e[0] - o[0]) * (x[1] - o[1]) - (e[1] - o[1]) * (x[0] - o[0])
        return 0.0 if abs(value) <= 1e-12 * size**2 else np.sign(value)

    one, two, three, four = side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b)
    if one == two == three == four == 0.0:  # on one line
        t = b - a
        low, high = sorted(((c - a) @ t / (t @ t), (d - a) @ t / (t @ t)))
        return bool(low <= 1.0 and high >= 0.0)
    return bool(one * two <= 0.0 and three * four <= 0.0)
