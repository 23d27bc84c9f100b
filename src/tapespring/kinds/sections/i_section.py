"""I section: two flanges and a web."""

from typing import Literal

import numpy as np
from pydantic import model_validator

from ...schema.quantities import PositiveLength
from .section import Geometry, ShapedSection


class ISection(ShapedSection):
    """Flanges of `width` along y, `height` over all along z (`up`); thicknesses `flange` and `web`.

    Torsion is that of thin walls, without fillets; warping is not held back."""

    kind: Literal["i"] = "i"
    height: PositiveLength
    width: PositiveLength
    flange: PositiveLength
    web: PositiveLength

    @model_validator(mode="after")
    def _has_space(self):
        if 2.0 * self.flange >= self.height:
            raise ValueError(f"two flanges of {self.flange:g} m leave no web in a height of {self.height:g} m")
        if self.web >= self.width:
            raise ValueError(f"web {self.web:g} m is not thinner than the flanges are wide, {self.width:g} m")
        return self

    def geometry(self, poisson: float) -> Geometry:
        h, b, f, w = self.height, self.width, self.flange, self.web
        clear = h - 2.0 * f
        area = 2.0 * b * f + clear * w
        second_y = (b * h**3 - (b - w) * clear**3) / 12.0
        second_z = (2.0 * f * b**3 + clear * w**3) / 12.0
        torsion = (2.0 * b * f**3 + (h - f) * w**3) / 3.0
        shear = (5.0 / 6.0 * 2.0 * b * f / area, w * (h - f) / area)
        return Geometry(area, second_y, second_z, torsion, shear)

    def outline(self) -> np.ndarray:
        y, z, web, inner = self.width / 2.0, self.height / 2.0, self.web / 2.0, self.height / 2.0 - self.flange
        right = [(y, -z), (y, -inner), (web, -inner), (web, inner), (y, inner), (y, z)]
        return np.array(right + [(-a, b) for a, b in reversed(right)])
