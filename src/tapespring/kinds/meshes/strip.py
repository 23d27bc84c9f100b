"""Flat strip along x."""

from typing import Literal

import numpy as np
from pydantic import Field

from ...schema.folder import Folder
from ...schema.quantities import PositiveLength
from .grid import Grid
from .lattice import Borders, lattice_grid, with_centre, with_middle_line
from .mesh import SurfaceMesh, Two

#: Ends, and edges as seen by who walks along the strip: y to the left.
BORDERS = Borders("start", "end", "right", "left")


class StripMesh(SurfaceMesh):
    """From x = 0 along x, width along y and centred on y = 0, normal z. Groups `start`, `end` (in order of y), `left`
    (y > 0), `middle`, `right` (in order of x), corners `start_left` …, `centre`."""

    kind: Literal["strip"] = "strip"
    length: PositiveLength = Field(examples=["0.5 m"])
    width: PositiveLength = Field(examples=["20 mm"])
    divisions: Two = Field(description="elements along the length and across the width", examples=["[40, 4]"])

    def drawn(self, base_dir: Folder) -> Grid:
        n, m = self.divisions
        x = np.linspace(0.0, self.length, n + 1)
        y = np.linspace(-0.5 * self.width, 0.5 * self.width, m + 1)
        points = np.stack(np.broadcast_arrays(x[:, None], y, 0.0), axis=-1)
        normals = np.broadcast_to([0.0, 0.0, 1.0], points.shape)
        grid = lattice_grid(points, BORDERS, triangles=self.triangles, normals=normals)
        return with_centre(with_middle_line(grid, "middle", self.divisions), self.divisions)
