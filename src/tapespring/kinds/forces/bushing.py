"""Bushing: an elastic mount, six stiffnesses and dampings between two frames."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field
from pydantic_core import core_schema

from ...schema import units
from ...schema.entity import Entity
from ...schema.orientation import Orientation
from ...schema.units import Dimension, format_quantity, parse_quantity
from ...schema.vectors import Point
from ..frames import rotation_matrix
from ..references import Between
from ..refusal import Refusal
from ..registry import Kind

Matrix6 = tuple[tuple[float, ...], ...]
ROUNDING = 1e-9


@dataclass(frozen=True)
class SixOf:
    """Six numbers (three along, three about x, y, z) or a symmetric positive 6×6 matrix in SI, held as the matrix."""

    along: Dimension
    about: Dimension
    word: str

    def read(self, value: Any) -> Matrix6:
        """Raises ValueError."""
        if hasattr(value, "tolist"):
            value = value.tolist()
        if not isinstance(value, (list, tuple)) or len(value) != 6:
            raise ValueError(
                f"{self.word} takes 6 numbers, such as [{self.along.example}, …, {self.about.example}], or 6×6"
            )
        if any(isinstance(row, (list, tuple)) for row in value):
            if not all(isinstance(row, (list, tuple)) and len(row) == 6 for row in value):
                raise ValueError(f"the {self.word} matrix must have 6 rows of 6 numbers")
            m = np.array([[parse_quantity(entry, units.NUMBER) for entry in row] for row in value])
        else:
            m = np.diag([parse_quantity(entry, self.along if k < 3 else self.about) for k, entry in enumerate(value)])
        self.check(m)
        return tuple(tuple(float(entry) for entry in row) for row in m)

    def check(self, m: np.ndarray) -> None:
        """Refuse a matrix that is not symmetric, or that would create energy."""
        size = np.abs(m).max()
        if np.abs(m - m.T).max() > ROUNDING * size:
            i, j = np.unravel_index(np.argmax(np.abs(m - m.T)), m.shape)
            raise ValueError(
                f"the {self.word} matrix is not symmetric: entry [{i}][{j}] is {m[i, j]:g}, [{j}][{i}] is {m[j, i]:g}"
            )
        least = np.linalg.eigvalsh(m)[0]
        if least < -ROUNDING * size:
            raise ValueError(
                f"the {self.word} matrix is not positive semidefinite (eigenvalue {least:.6g}), so it would create "
                "energy; check signs, and that couplings are not larger than the diagonal allows"
            )

    def plain(self, matrix: Matrix6) -> list:
        """Six quantities if the matrix is diagonal, else all of it."""
        m = np.array(matrix)
        if np.count_nonzero(m - np.diag(np.diag(m))):
            return m.tolist()
        return [format_quantity(entry, self.along if k < 3 else self.about) for k, entry in enumerate(np.diag(m))]

    def __get_pydantic_core_schema__(self, source, handler) -> core_schema.CoreSchema:
        writing = core_schema.plain_serializer_function_ser_schema(self.plain, when_used="json")
        return core_schema.no_info_plain_validator_function(self.read, serialization=writing)

    def __get_pydantic_json_schema__(self, schema, handler) -> dict[str, Any]:
        return {
            "type": "array",
            "minItems": 6,
            "maxItems": 6,
            "description": f"{self.word} along x, y, z in {self.along.unit}, about in {self.about.unit}; or 6×6 in SI",
            "examples": [[self.along.example] * 3 + [self.about.example] * 3],
        }


NOTHING: Matrix6 = tuple((0.0,) * 6 for _ in range(6))


class Bushing(Entity):
    """Restores the second side's frame onto the first's; both frames coincide as drawn if `at` is given."""

    kind: Literal["bushing"] = "bushing"
    between: Between
    at: Point | None = Field(None, description="centre in the world, as drawn; else each side's own point")
    orientation: Orientation | None = Field(None, description="axes in the world, as drawn; else the first side's axes")
    stiffness: Annotated[Matrix6, SixOf(units.STIFFNESS, units.ANGULAR_STIFFNESS, "stiffness")] = NOTHING
    damping: Annotated[Matrix6, SixOf(units.DAMPING, units.ANGULAR_DAMPING, "damping")] = NOTHING


def build(bushing: Bushing, builder) -> None:
    """Frames fixed in both bodies, and the two matrices."""
    a, b = builder.two_sides(bushing.between)
    for k, side in enumerate((a, b)):
        if side.is_point:
            raise Refusal(f"'{side.label}' is {side.what} without axes; use a rigid body, or springs", "between", k)
    pa, pb = (a.point, b.point) if bushing.at is None else (np.array(bushing.at),) * 2
    if bushing.orientation is not None:
        frame_a = frame_b = rotation_matrix(bushing.orientation)
    elif a.is_marker and b.is_marker and bushing.at is None:
        frame_a, frame_b = a.axes, b.axes
    else:
        frame_a = frame_b = a.axes
    builder.add_bushing(
        bushing, (a, b), (pa, pb), (frame_a, frame_b), np.array(bushing.stiffness), np.array(bushing.damping)
    )


KIND = Kind(
    "bushing",
    "forces",
    Bushing,
    build,
    "an elastic mount: stiffness and damping along and about three axes",
    {
        "name": "Engine on a rubber mount",
        "gravity": [0, 0, "-9.81 m/s^2"],
        "bodies": {"engine": {"kind": "rigid", "mass": "80 kg", "inertia": [4, 5, 3]}},
        "forces": {
            "mount": {
                "kind": "bushing",
                "between": ["ground", "engine"],
                "at": [0, 0, "-0.2 m"],
                "stiffness": ["200 kN/m", "200 kN/m", "400 kN/m", "5 kN m/rad", "5 kN m/rad", "2 kN m/rad"],
                "damping": [500, 500, 800, 20, 20, 10],
            }
        },
        "simulate": {"duration": "0.5 s"},
    },
)
