"""Part of a sphere."""

from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BeforeValidator, Field, model_validator

from ...schema import units
from ...schema.folder import Folder
from ...schema.quantities import Angle, PositiveLength, Quantity
from .grid import Grid
from .lattice import Borders, cells_of, lattice_grid
from .mesh import SurfaceMesh, Two
from .round import FULL_TURN, is_closed, round_disc

POLE = 0.5 * np.pi
NO_EQUATOR = "no row of nodes is at latitude 0; begin there"


def read_range(value: Any) -> Any:
    """Two latitudes. Raises ValueError."""
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        raise ValueError(f"{value!r} is not two latitudes; write [0 deg, 72 deg]")
    return value


Latitudes = Annotated[tuple[Angle, Angle], BeforeValidator(read_range)]


class SphereMesh(SurfaceMesh):
    """About the origin, poles on z, normals outwards; a hemisphere from the equator up if nothing else is said. Groups
    `equator`, `rim` (of the hole; both around, from the x axis); open ones also `left` (at the x axis), `right` (at the
    angle), upwards, and corners `equator_left` …. Without a hole, group `pole`. A lower edge elsewhere is `bottom`."""

    kind: Literal["sphere"] = "sphere"
    radius: PositiveLength = Field(examples=["10 m"])
    hole: Annotated[float, Quantity(units.ANGLE, at_least=0.0)] | None = Field(
        None, description="from the pole to the rim of an opening there", examples=["18 deg"]
    )
    latitude: Latitudes | None = Field(
        None, description="from … to, instead of a hole: 0 is the equator", examples=["[0 deg, 72 deg]"]
    )
    angle: Annotated[float, Quantity(units.ANGLE, above=0.0, at_most=FULL_TURN)] = Field(
        2.0 * np.pi, description="of longitude from the x axis; 360 deg is closed", examples=["90 deg"]
    )
    divisions: Two = Field(description="elements around, and from the lower edge upwards", examples=["[16, 16]"])

    @model_validator(mode="after")
    def _makes_sense(self):
        if self.hole is not None and self.latitude is not None:
            raise ValueError("both 'hole' and 'latitude' are given; keep one")
        low, high = self._range()
        if not -POLE + 1e-6 < low < high <= POLE + 1e-9:
            raise ValueError(
                f"latitudes from {np.degrees(low):g} deg to {np.degrees(high):g} deg; they rise, from above -90 deg to "
                "at most 90 deg"
            )
        if self._has_pole():
            if not is_closed(self.angle):
                raise ValueError("a part of a sphere up to its pole would have collapsed elements; give a 'hole'")
            if self.divisions[0] % 8:
                raise ValueError(f"a cap without hole has a multiple of 8 elements around, not {self.divisions[0]}")
        elif is_closed(self.angle) and self.divisions[0] < 3:
            raise ValueError("a closed ring has at least 3 elements around")
        return self

    def _range(self) -> tuple[float, float]:
        return self.latitude or (0.0, POLE - (self.hole or 0.0))

    def _has_pole(self) -> bool:
        return self._range()[1] > POLE - 1e-6

    def drawn(self, base_dir: Folder) -> Grid:
        low, high = self._range()
        lower = "equator" if abs(low) < 1e-9 else "bottom"
        if self._has_pole():
            return self._cap(low, lower)
        n, m = self.divisions
        normals = outwards(np.linspace(0.0, self.angle, n + 1)[:, None], np.linspace(low, high, m + 1))
        borders = Borders("left", "right", lower, "rim", corner="{1}_{0}")
        closed = is_closed(self.angle)
        grid = lattice_grid(self.radius * normals, borders, triangles=self.triangles, closed=closed, normals=normals)
        grid.absent["pole"] = "the sphere has a hole there"
        if lower != "equator":
            grid.absent["equator"] = NO_EQUATOR
        return grid

    def _cap(self, low: float, lower: str) -> Grid:
        """The elements of a disc, its radius bent to a meridian."""
        disc = round_disc(*self.divisions)
        x, y = disc.points.T
        latitude = POLE - np.hypot(x, y) * (POLE - low)
        normals = outwards(np.arctan2(y, x), latitude)
        absent = {"rim": "the cap has no hole; give 'hole: 18 deg'"}
        if lower != "equator":
            absent["equator"] = NO_EQUATOR
        return Grid(
            points=self.radius * normals,
            cells=cells_of(disc.lattices, self.triangles),
            groups={lower: disc.rim, "pole": np.array([disc.centre])},
            normals=normals,
            absent=absent,
        )


def outwards(longitude: np.ndarray, latitude: np.ndarray) -> np.ndarray:
    """Unit vectors from the centre."""
    c = np.cos(latitude)
    return np.stack(
        np.broadcast_arrays(c * np.cos(longitude), c * np.sin(longitude), np.sin(latitude) + 0.0 * longitude), axis=-1
    )
