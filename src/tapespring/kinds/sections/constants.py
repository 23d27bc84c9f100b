"""A section by its area and second moments."""

from typing import Annotated, Literal

from pydantic import Field

from ...schema.pairs import OneOrTwo, Pair
from ...schema.quantities import Area
from .section import SECOND_MOMENT, Geometry, ShapedSection


class Constants(ShapedSection):
    """`area`, and `second_moment` about y and z (∫z², ∫y²); without `torsion_constant` that of a round section."""

    kind: Literal["constants"] = "constants"
    area: Area
    second_moment: Annotated[Pair, OneOrTwo(SECOND_MOMENT)] = Field(examples=["[12 mm^4, 300 mm^4]"])

    def geometry(self, poisson: float) -> Geometry:
        y, z = self.second_moment
        return Geometry(self.area, y, z, y + z, (5.0 / 6.0, 5.0 / 6.0))
