"""Strip bent along an arc."""

from typing import Literal

import numpy as np
from pydantic import Field, model_validator

from ...schema.folder import Folder
from ...schema.quantities import Angle, PositiveLength
from .grid import Grid
from .lattice import lattice_grid, with_centre
from .mesh import SurfaceMesh, Two
from .strip import BORDERS


class ArcMesh(SurfaceMesh):
    """Starts at the origin along x and bends towards +z (a negative angle: towards -z), width along y; its normal is z
    at the start. Groups as of a strip: `start`, `end` (in order of y), `left` (y > 0), `right` (along the arc), corners
    `start_left` …, `centre`."""

    kind: Literal["arc"] = "arc"
    radius: PositiveLength = Field(examples=["0.2 m"])
    angle: Angle = Field(examples=["90 deg"])
    width: PositiveLength = Field(examples=["20 mm"])
    divisions: Two = Field(description="elements along the arc and across the width", examples=["[24, 2]"])

    @model_validator(mode="after")
    def _is_open(self):
        if not 1e-9 < abs(self.angle) < 2.0 * np.pi - 1e-9:
            raise ValueError(
                f"an arc of {np.degrees(self.angle):g} deg; it turns by more than zero and less than 360 deg (a closed "
                "ring is a tube)"
            )
        return self

    def drawn(self, base_dir: Folder) -> Grid:
        n, m = self.divisions
        turn = np.linspace(0.0, abs(self.angle), n + 1)[:, None]
        y = np.linspace(-0.5 * self.width, 0.5 * self.width, m + 1)
        way = np.sign(self.angle)
        points = np.stack(
            np.broadcast_arrays(self.radius * np.sin(turn), y, way * self.radius * (1.0 - np.cos(turn))), axis=-1
        )
        normals = np.stack(np.broadcast_arrays(-way * np.sin(turn), 0.0 * y, np.cos(turn)), axis=-1)
        return with_centre(lattice_grid(points, BORDERS, triangles=self.triangles, normals=normals), self.divisions)
