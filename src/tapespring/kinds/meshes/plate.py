"""Flat plate, or a patch between four corners."""

from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BeforeValidator, Field, model_validator

from ...schema.folder import Folder
from ...schema.quantities import PositiveLength
from ...schema.vectors import Point
from .grid import Grid
from .lattice import Borders, lattice_grid, with_centre
from .mesh import SurfaceMesh, Two

BORDERS = Borders("left", "right", "bottom", "top", corner="{1}_{0}")
WAYS = "write length and width, or corners: [bottom left, bottom right, top right, top left]"


def read_corners(value: Any) -> Any:
    """Four points. Raises ValueError."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if not isinstance(value, (list, tuple)) or len(value) != 4:
        raise ValueError(f"{value!r} is not four corners; write [[0, 0, 0], [1 m, 0, 0], [1 m, 1 m, 0], [0, 1 m, 0]]")
    return value


Corners = Annotated[tuple[Point, Point, Point, Point], BeforeValidator(read_corners)]


class PlateMesh(SurfaceMesh):
    """Length along x and width along y from the origin, normal z; or bilinear between four corners (skew plates, Cook's
    membrane). Groups `left`, `right` (in order of y), `bottom`, `top` (in order of x), corners `bottom_left` …,
    `centre`."""

    kind: Literal["plate"] = "plate"
    length: PositiveLength | None = Field(None, examples=["1 m"])
    width: PositiveLength | None = Field(None, examples=["0.5 m"])
    corners: Corners | None = Field(
        None,
        description="bottom left, bottom right, top right, top left",
        examples=["[[0, 0, 0], [48 mm, 44 mm, 0], [48 mm, 60 mm, 0], [0, 44 mm, 0]]"],
    )
    divisions: Two = Field(description="elements from left to right and from bottom to top", examples=["[8, 8]"])

    @model_validator(mode="after")
    def _one_way(self):
        given = {name for name in ("length", "width", "corners") if getattr(self, name) is not None}
        if given not in ({"length", "width"}, {"corners"}):
            raise ValueError(f"a plate is not given by {', '.join(sorted(given)) or 'nothing'}; {WAYS}")
        return self

    def drawn(self, base_dir: Folder) -> Grid:
        n, m = self.divisions
        u, v = np.linspace(0.0, 1.0, n + 1)[:, None, None], np.linspace(0.0, 1.0, m + 1)[:, None]
        a, b, c, d = np.array(self.corners or self._rectangle())
        points = (1 - v) * ((1 - u) * a + u * b) + v * ((1 - u) * d + u * c)
        tangent_u = (1 - v) * (b - a) + v * (c - d) + 0.0 * u
        tangent_v = (1 - u) * (d - a) + u * (c - b) + 0.0 * v
        normals = np.cross(tangent_u, tangent_v)
        size = np.linalg.norm(normals, axis=-1, keepdims=True)
        grid = lattice_grid(
            points, BORDERS, triangles=self.triangles, normals=normals / size if size.min() > 0.0 else None
        )
        return with_centre(grid, self.divisions)

    def _rectangle(self):
        return ((0, 0, 0), (self.length, 0, 0), (self.length, self.width, 0), (0, self.width, 0))
