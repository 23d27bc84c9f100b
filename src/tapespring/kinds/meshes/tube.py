"""Tube, or part of a cylinder."""

from typing import Annotated, Literal

import numpy as np
from pydantic import Field, model_validator

from ...schema import units
from ...schema.folder import Folder
from ...schema.quantities import PositiveLength, Quantity
from .grid import Grid
from .lattice import Borders, lattice_grid
from .mesh import SurfaceMesh, Two
from .round import FULL_TURN, is_closed

BORDERS = Borders("left", "right", "bottom", "top", corner="{1}_{0}")


class TubeMesh(SurfaceMesh):
    """About z (`orientation: {z: x}` lays it along x), from z = 0, normals outwards. Groups `bottom`, `top` (around,
    from the x axis), `seam` (upwards, at the x axis); open ones instead of a seam `left` (at the x axis), `right` (at
    the angle), upwards, and corners `bottom_left` …."""

    kind: Literal["tube"] = "tube"
    radius: PositiveLength = Field(examples=["0.1 m"])
    length: PositiveLength = Field(examples=["0.3 m"])
    angle: Annotated[float, Quantity(units.ANGLE, above=0.0, at_most=FULL_TURN)] = Field(
        2.0 * np.pi, description="360 deg is closed; from the x axis", examples=["80 deg"]
    )
    divisions: Two = Field(description="elements around and along", examples=["[32, 12]"])

    @model_validator(mode="after")
    def _goes_around(self):
        if is_closed(self.angle) and self.divisions[0] < 3:
            raise ValueError("a closed tube has at least 3 elements around")
        return self

    def drawn(self, base_dir: Folder) -> Grid:
        n, m = self.divisions
        turn = np.linspace(0.0, self.angle, n + 1)[:, None]
        z = np.linspace(0.0, self.length, m + 1)
        normals = np.stack(np.broadcast_arrays(np.cos(turn), np.sin(turn), 0.0 * z), axis=-1)
        points = self.radius * normals
        points[..., 2] = z
        closed = is_closed(self.angle)
        grid = lattice_grid(points, BORDERS, triangles=self.triangles, closed=closed, normals=normals)
        if closed:
            grid.groups["seam"] = np.arange(m + 1)
        return grid
