"""Inertia tensors about the centre of mass, in body axes, and whether a real body can have them.

[Ixx, Iyy, Izz]                       products of inertia zero
[Ixx, Iyy, Izz, Ixy, Iyz, Izx]        entries of the tensor (Ixy = -∫xy dm)
[[Ixx, Ixy, Izx], […], […]]           the tensor itself
"""

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from pydantic_core import core_schema

from ...schema import units
from ...schema.orientation import Matrix3
from ...schema.units import format_quantity, parse_quantity
from ...schema.vectors import VectorOf

ROUNDING = 1e-9
WAYS = "[Ixx, Iyy, Izz], [Ixx, Iyy, Izz, Ixy, Iyz, Izx] or a symmetric 3×3 matrix, in kg m^2"


def read_tensor(value: Any) -> Matrix3:
    """Any of the three ways → the tensor in kg m². Raises ValueError."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, str):
        value = VectorOf(units.INERTIA).from_text(value)
    if not isinstance(value, (list, tuple)) or len(value) not in (3, 6):
        raise ValueError(f"{value!r} is not an inertia; write {WAYS}")
    if len(value) == 3 and any(isinstance(row, (list, tuple)) for row in value):
        if not all(isinstance(row, (list, tuple)) and len(row) == 3 for row in value):
            raise ValueError(f"{value!r} is not an inertia; write {WAYS}")
        m = np.array([[parse_quantity(entry, units.INERTIA) for entry in row] for row in value])
        if np.abs(m - m.T).max() > ROUNDING * np.abs(m).max():
            raise ValueError("the inertia tensor is not symmetric; entry [i][j] must equal entry [j][i]")
        m = 0.5 * (m + m.T)
    else:
        xx, yy, zz, xy, yz, zx = [parse_quantity(entry, units.INERTIA) for entry in value] + [0.0] * (6 - len(value))
        m = np.array([[xx, xy, zx], [xy, yy, yz], [zx, yz, zz]])
    check_tensor(m)
    return tuple(tuple(float(entry) for entry in row) for row in m)  # type: ignore[return-value]


def check_tensor(m: np.ndarray) -> None:
    """Refuse what no body can have: moments that are not positive, or one larger than the two others together."""
    moments = np.linalg.eigvalsh(m)
    told = ", ".join(f"{moment:.6g}" for moment in moments)
    which = "moments of inertia" if np.count_nonzero(m - np.diag(np.diag(m))) == 0 else "principal moments of inertia"
    if moments[0] < -1e-12 * np.abs(moments).max():
        raise ValueError(f"{which} {told} kg m^2 are not all positive; check signs and products of inertia")
    if moments[0] <= 1e-12 * moments[2]:
        raise ValueError(
            f"{which} {told} kg m^2: zero about one axis, so the body could spin about it at no cost; "
            "give a small value there, or a shape such as {kind: cylinder, radius: 5 mm, length: 1 m}"
        )
    if moments[2] > (moments[0] + moments[1]) * (1.0 + ROUNDING):
        raise ValueError(
            f"{which} {told} kg m^2: no body can have them, for {moments[2]:.6g} is larger than "
            f"{moments[0]:.6g} + {moments[1]:.6g} = {moments[0] + moments[1]:.6g} (triangle inequality); "
            "check units and the order of the numbers, or give a shape with a mass"
        )


@dataclass(frozen=True)
class TensorType:
    """The pydantic type: reads any way, holds the 3×3 tensor."""

    def plain(self, tensor: Matrix3) -> list[str]:
        """What is written to a file: three numbers if the tensor is diagonal, else six."""
        (xx, xy, zx), (_, yy, yz), (_, _, zz) = tensor
        entries = [xx, yy, zz] if xy == yz == zx == 0.0 else [xx, yy, zz, xy, yz, zx]
        return [format_quantity(entry, units.INERTIA) for entry in entries]

    def __get_pydantic_core_schema__(self, source, handler) -> core_schema.CoreSchema:
        writing = core_schema.plain_serializer_function_ser_schema(self.plain, when_used="json")
        return core_schema.no_info_plain_validator_function(read_tensor, serialization=writing)

    def __get_pydantic_json_schema__(self, schema, handler) -> dict[str, Any]:
        return {
            "anyOf": [{"type": "array"}, {"type": "string"}],
            "description": f"inertia about the centre of mass in body axes: {WAYS}",
            "examples": [["0.02 kg m^2", "0.02 kg m^2", "0.03 kg m^2"]],
        }


InertiaTensor = Annotated[Matrix3, TensorType()]
