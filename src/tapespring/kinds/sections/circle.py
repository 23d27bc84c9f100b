"""Solid circle: a rod or a wire."""

from math import pi
from typing import Literal

from ...schema.quantities import PositiveLength
from .section import Geometry, ShapedSection


class Circle(ShapedSection):
    """A round rod."""

    kind: Literal["circle"] = "circle"
    radius: PositiveLength

    def geometry(self, poisson: float) -> Geometry:
        second = pi * self.radius**4 / 4.0
        factor = 6.0 * (1.0 + poisson) / (7.0 + 6.0 * poisson)  # Cowper 1966
        return Geometry(pi * self.radius**2, second, second, 2.0 * second, (factor, factor))
