"""Three components with units, and directions, as pydantic types holding tuples of three floats.

A point is written `[1 m, 0, 25 mm]`, or with one unit for all: `"[1, 0, 0.025] m"`, `"1 0 0.025 m"`.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BeforeValidator, WithJsonSchema
from pydantic_core import core_schema

from . import units
from .quantities import Quantity
from .unit_grammar import NUMBER_PATTERN, QuantityError
from .units import Dimension, parse_quantity

Vec3 = tuple[float, float, float]

_BLANK = r"(?:\s*,\s*|\s+)"
_THREE_NUMBERS = re.compile(
    rf"\s*[\[(]?\s*({NUMBER_PATTERN.pattern}){_BLANK}({NUMBER_PATTERN.pattern}){_BLANK}({NUMBER_PATTERN.pattern})\s*[\])]?(?P<unit>.*)"
)


@dataclass(frozen=True)
class VectorOf:
    """Makes `Annotated[Vec3, VectorOf(LENGTH)]` a pydantic type: three quantities of one dimension."""

    dimension: Dimension

    def three_items(self, value: Any) -> list[Any]:
        """A list of exactly three items, yet to be read one by one so that an error names its item."""
        if isinstance(value, str):
            return self.from_text(value)
        if hasattr(value, "tolist"):  # numpy arrays
            value = value.tolist()
        if not isinstance(value, Sequence):
            raise QuantityError(f"{value!r} is not a vector; write {self.example}")
        if len(value) != 3:
            raise QuantityError(f"{list(value)!r} has {len(value)} components, not 3; write {self.example}")
        return list(value)

    def from_text(self, text: str) -> list[float]:
        """`"[1, 2, 3] mm"` or `"1 2 3 mm"` → SI."""
        match = _THREE_NUMBERS.fullmatch(text.replace("\N{MINUS SIGN}", "-"))
        if match is None:
            raise QuantityError(f"'{text}' is not a vector; write {self.example}")
        return [parse_quantity(f"{number} {match['unit'].strip()}", self.dimension) for number in match.groups()[:3]]

    def plain(self, vector: Vec3) -> str | list[float]:
        """What is written to a file: `[1.0, 0.0, 0.0] m`."""
        components = [float(c) for c in vector]
        return f"{components!r} {self.dimension.unit}" if self.dimension.unit else components

    @property
    def example(self) -> str:
        """How to write one."""
        return f"three components such as [{self.dimension.example}, 0, 0]"

    def __get_pydantic_core_schema__(self, source, handler) -> core_schema.CoreSchema:
        component = core_schema.no_info_plain_validator_function(Quantity(self.dimension).read)
        writing = core_schema.plain_serializer_function_ser_schema(self.plain, when_used="json")
        three = core_schema.tuple_schema([component] * 3)
        return core_schema.no_info_before_validator_function(self.three_items, three, serialization=writing)

    def __get_pydantic_json_schema__(self, schema, handler) -> dict[str, Any]:
        component = {"anyOf": [{"type": "number"}, {"type": "string"}]}
        unit = self.dimension.unit
        return {
            "anyOf": [{"type": "array", "items": component, "minItems": 3, "maxItems": 3}, {"type": "string"}],
            "description": f"{self.dimension.name} vector{f' in {unit}' if unit else ''}",
            "examples": [[self.dimension.example, 0, 0]],
        }


Vector = Annotated[Vec3, VectorOf(units.NUMBER)]
Point = Annotated[Vec3, VectorOf(units.LENGTH)]
Velocity = Annotated[Vec3, VectorOf(units.SPEED)]
AngularVelocity = Annotated[Vec3, VectorOf(units.ANGULAR_RATE)]
AccelerationVector = Annotated[Vec3, VectorOf(units.ACCELERATION)]
AngularAccelerationVector = Annotated[Vec3, VectorOf(units.ANGULAR_ACCELERATION)]
ForceVector = Annotated[Vec3, VectorOf(units.FORCE)]
TorqueVector = Annotated[Vec3, VectorOf(units.TORQUE)]
RotationVector = Annotated[Vec3, VectorOf(units.ANGLE)]
InertiaVector = Annotated[Vec3, VectorOf(units.INERTIA)]

AXES: dict[str, Vec3] = {
    **{"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)},
    **{"-x": (-1.0, 0.0, 0.0), "-y": (0.0, -1.0, 0.0), "-z": (0.0, 0.0, -1.0)},
}


def unit_vector(value: Any) -> Vec3:
    """Three numbers or an axis name such as '-z' → a vector of length 1. Raises QuantityError."""
    if isinstance(value, str) and value.strip().removeprefix("+").lower() in AXES:
        return AXES[value.strip().removeprefix("+").lower()]
    if hasattr(value, "tolist"):
        value = value.tolist()
    if not isinstance(value, (list, tuple)) or len(value) != 3:
        raise QuantityError(f"{value!r} is not a direction; give one such as [0, 0, 1], 'z' or '-x'")
    x, y, z = (parse_quantity(component, units.NUMBER) for component in value)
    if x == y == z == 0.0:
        raise QuantityError("axis has zero length; give a direction such as [0, 0, 1] or 'z'")
    return normalised((x, y, z))


def normalised(components: tuple[float, ...]) -> tuple[Any, ...]:
    """Divided by their length; left untouched if that is 1 to rounding, so that writing and reading change nothing."""
    largest = max(abs(c) for c in components)  # scaling keeps 1e-200 and 1e200 from under- and overflowing
    scaled = tuple(c / largest for c in components)
    length = math.hypot(*scaled)
    if abs(largest * length - 1.0) <= 4.0 * math.ulp(1.0):
        return components
    return tuple(c / length for c in scaled)


Direction = Annotated[
    Vec3,
    BeforeValidator(unit_vector),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "string", "enum": list(AXES)},
                {"type": "array", "items": {"type": "number"}, "minItems": 3, "maxItems": 3},
            ],
            "description": "direction, of any length but zero, or the name of an axis",
            "examples": ["z", [0, 0, 1]],
        }
    ),
]
