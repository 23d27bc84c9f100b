"""Round tube."""

from math import pi
from typing import Literal

from pydantic import model_validator

from ...schema.quantities import PositiveLength
from .section import Geometry, ShapedSection


class TubeSection(ShapedSection):
    """A round tube of outer `radius` and `wall` thickness."""

    kind: Literal["tube"] = "tube"
    radius: PositiveLength
    wall: PositiveLength

    @model_validator(mode="after")
    def _has_a_bore(self):
        if self.wall >= self.radius:
            raise ValueError(
                f"wall {self.wall:g} m is not thinner than the radius {self.radius:g} m; "
                "reduce it, or write kind: circle for a solid rod"
            )
        return self

    def geometry(self, poisson: float) -> Geometry:
        outer, inner = self.radius, self.radius - self.wall
        second = pi * (outer**4 - inner**4) / 4.0
        m = inner / outer
        both = (1.0 + m * m) ** 2
        factor = (
            6.0 * (1.0 + poisson) * both / ((7.0 + 6.0 * poisson) * both + (20.0 + 12.0 * poisson) * m * m)
        )  # Cowper
        return Geometry(pi * (outer**2 - inner**2), second, second, 2.0 * second, (factor, factor))
