"""Rectangle: a strap or a flat bar."""

from math import pi, tanh
from typing import Literal

import numpy as np

from ...schema.quantities import PositiveLength
from .section import Geometry, ShapedSection

ZETA_5 = 1.0369277551433699


class Rectangle(ShapedSection):
    """`width` along y, `thickness` along z (`up`)."""

    kind: Literal["rectangle"] = "rectangle"
    width: PositiveLength
    thickness: PositiveLength

    def geometry(self, poisson: float) -> Geometry:
        w, t = self.width, self.thickness
        factor = 10.0 * (1.0 + poisson) / (12.0 + 11.0 * poisson)  # Cowper 1966
        return Geometry(w * t, w * t**3 / 12.0, t * w**3 / 12.0, rectangle_torsion(w, t), (factor, factor))

    def outline(self) -> np.ndarray:
        y, z = self.width / 2.0, self.thickness / 2.0
        return np.array([(-y, -z), (y, -z), (y, z), (-y, z)])


def rectangle_torsion(a: float, b: float) -> float:
    """Saint-Venant's series Σ tanh(nπa/2b)/n⁵ over odd n, as Σ 1/n⁵ less what falls exponentially."""
    a, b = max(a, b), min(a, b)
    series = 31.0 / 32.0 * ZETA_5 - sum((1.0 - tanh(n * pi * a / (2.0 * b))) / n**5 for n in range(1, 25, 2))
    return a * b**3 / 3.0 * (1.0 - 192.0 / pi**5 * b / a * series)
