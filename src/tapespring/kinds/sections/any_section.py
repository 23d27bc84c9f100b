"""Every section a beam can have."""

from typing import Annotated

from pydantic import Field

from .circle import Circle
from .constants import Constants
from .general import General
from .i_section import ISection
from .polygon import Polygon
from .rectangle import Rectangle
from .tube import TubeSection

KINDS = (
    "kind: rectangle (width, thickness), circle (radius), tube (radius, wall), i (height, width, flange, web), polygon "
    "(points), constants (area, second_moment), general (stiffness and mass per length)"
)
AnySection = Annotated[
    Rectangle | Circle | TubeSection | ISection | Polygon | Constants | General, Field(discriminator="kind")
]
