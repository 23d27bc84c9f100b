"""Disc, annulus, and annulus cut open."""

from typing import Annotated, Literal

import numpy as np
from pydantic import Field, model_validator

from ...schema import units
from ...schema.folder import Folder
from ...schema.quantities import PositiveLength, Quantity
from .grid import Grid
from .lattice import Borders, cells_of, lattice_grid
from .mesh import SurfaceMesh, Two
from .round import FULL_TURN, is_closed, round_disc

BORDERS = Borders("slit_a", "slit_b", "outer", "inner", corner="{1}_{0}")


class DiscMesh(SurfaceMesh):
    """About the origin, normal z. A full disc has a square core within rings, groups `rim` (around, from the x axis)
    and `centre`. With `inner_radius` it is an annulus, groups `inner` and `outer`; open by an `angle` below 360 deg or
    a `slit` on the x axis, groups `slit_a` (at 0) and `slit_b` (at the angle), both from inside outwards, with nodes of
    their own."""

    kind: Literal["disc"] = "disc"
    radius: PositiveLength = Field(examples=["0.1 m"])
    inner_radius: PositiveLength | None = Field(None, description="of an annulus", examples=["60 mm"])
    angle: Annotated[float, Quantity(units.ANGLE, above=0.0, at_most=FULL_TURN)] = Field(
        2.0 * np.pi, description="of a sector of an annulus, from the x axis", examples=["360 deg"]
    )
    slit: bool = Field(False, strict=True, description="cut the whole annulus along the x axis")
    divisions: Two = Field(
        description="elements around, and along the radius; of a full disc rings outside the core", examples=["[32, 4]"]
    )

    @model_validator(mode="after")
    def _makes_sense(self):
        closed = is_closed(self.angle)
        if self.inner_radius is None:
            if self.slit or not closed:
                raise ValueError(
                    "a slit or an angle below 360 deg needs 'inner_radius', for elements at a tip collapse"
                )
            if self.divisions[0] % 8:
                raise ValueError(f"a full disc has a multiple of 8 elements around, not {self.divisions[0]}")
        elif self.inner_radius >= self.radius:
            raise ValueError(f"inner_radius {self.inner_radius:g} m must be below radius {self.radius:g} m")
        if self.slit and not closed:
            raise ValueError("a sector is open already; remove 'slit'")
        if closed and not self.slit and self.divisions[0] < 3:
            raise ValueError("a closed ring has at least 3 elements around")
        return self

    def drawn(self, base_dir: Folder) -> Grid:
        if self.inner_radius is None:
            return self._full()
        n, m = self.divisions
        turn = np.linspace(0.0, self.angle, n + 1)[:, None]
        radius = np.linspace(self.radius, self.inner_radius, m + 1)
        points = np.stack((radius * np.cos(turn), radius * np.sin(turn), 0.0 * radius * turn), axis=-1)
        closed = is_closed(self.angle) and not self.slit
        normals = np.broadcast_to([0.0, 0.0, 1.0], points.shape)
        grid = lattice_grid(points, BORDERS, triangles=self.triangles, closed=closed, normals=normals)
        for name in ("slit_a", "slit_b"):
            if closed:
                grid.absent[name] = "the annulus is closed; write 'slit: true', or an angle below 360 deg"
            else:
                grid.groups[name] = grid.groups[name][::-1]
        return grid

    def _full(self) -> Grid:
        disc = round_disc(*self.divisions)
        points = np.column_stack((self.radius * disc.points, np.zeros(len(disc.points))))
        return Grid(
            points=points,
            cells=cells_of(disc.lattices, self.triangles),
            groups={"rim": disc.rim, "centre": np.array([disc.centre])},
            normals=np.broadcast_to([0.0, 0.0, 1.0], points.shape),
        )
