"""Tape spring: a strip curved across its width."""

from typing import Annotated, Literal

import numpy as np
from pydantic import Field, model_validator

from ...schema import units
from ...schema.folder import Folder
from ...schema.quantities import PositiveLength, Quantity
from .grid import Grid
from .lattice import lattice_grid, with_centre, with_middle_line
from .mesh import SurfaceMesh, Two
from .strip import BORDERS


class TapeSpringMesh(SurfaceMesh):
    """Along x with its crest on the x axis, arched towards +z. The arc across has a `radius` and subtends an `angle`,
    or has a `width` as measured along the arc, that is, of the tape pressed flat. Groups as of a strip: `start`, `end`
    (in order of y), `left` (y > 0), `right`, and `crest` (in order of x), corners `start_left` …, `centre`."""

    kind: Literal["tape_spring"] = "tape_spring"
    length: PositiveLength = Field(examples=["1 m"])
    radius: PositiveLength = Field(description="of the arc across", examples=["16 mm"])
    angle: Annotated[float, Quantity(units.ANGLE, above=0.0)] | None = Field(
        None, description="subtended by the arc across", examples=["90 deg"]
    )
    width: PositiveLength | None = Field(None, description="along the arc, instead of angle", examples=["25 mm"])
    divisions: Two = Field(description="elements along the length and across", examples=["[60, 8]"])

    @model_validator(mode="after")
    def _one_way(self):
        if (self.angle is None) == (self.width is None):
            raise ValueError("give 'angle' or 'width' of the arc across, one of them")
        if self.subtended() >= 2.0 * np.pi - 1e-9:
            raise ValueError(
                f"the arc across turns by {np.degrees(self.subtended()):g} deg; below 360 deg, or use a tube"
            )
        return self

    def subtended(self) -> float:
        """Angle of the arc across [rad]."""
        if self.angle is not None:
            return self.angle
        assert self.width is not None
        return self.width / self.radius

    def drawn(self, base_dir: Folder) -> Grid:
        n, m = self.divisions
        x = np.linspace(0.0, self.length, n + 1)[:, None]
        turn = self.subtended() * (np.arange(m + 1) / m - 0.5)
        normals = np.stack(np.broadcast_arrays(0.0 * x, np.sin(turn), np.cos(turn)), axis=-1)
        points = self.radius * (normals - [0.0, 0.0, 1.0])
        points[..., 0] = x
        grid = lattice_grid(points, BORDERS, triangles=self.triangles, normals=normals)
        return with_centre(with_middle_line(grid, "crest", self.divisions), self.divisions)
