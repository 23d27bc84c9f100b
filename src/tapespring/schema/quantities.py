"""Numbers with units as pydantic types: a field typed `Length` takes 0.025, '25 mm' or '1 in' and holds metres.

Each type is a float that knows its dimension; written to a file it becomes text with its unit, such as '0.025 m'.
"""

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic_core import core_schema

from . import units
from .unit_grammar import QuantityError
from .units import SMALLEST, Dimension, format_quantity, parse_quantity, usable


@dataclass(frozen=True)
class Quantity:
    """Makes `Annotated[float, Quantity(LENGTH, above=0)]` a pydantic type; the limits are in SI."""

    dimension: Dimension
    above: float | None = None
    at_least: float | None = None
    at_most: float | None = None

    def read(self, value: Any) -> float:
        """Number or text → float in SI, within the limits. Raises QuantityError."""
        number = parse_quantity(value, self.dimension)
        if self.above is not None and not number > self.above:
            raise self._out_of_range(value, "above", self.above)
        usable(number, value, SMALLEST if self.above == 0.0 else 0.0)
        if self.at_least is not None and not number >= self.at_least:
            raise self._out_of_range(value, "at least", self.at_least)
        if self.at_most is not None and not number <= self.at_most:
            raise self._out_of_range(value, "at most", self.at_most)
        return number

    def plain(self, number: float) -> str | float:
        """What is written to a file: text with the unit, or the bare number if it has none."""
        return format_quantity(number, self.dimension) if self.dimension.unit else number

    def _out_of_range(self, value: Any, relation: str, limit: float) -> QuantityError:
        if limit == 0.0 and relation != "at most":
            wanted = "positive" if relation == "above" else "zero or positive"
        else:
            wanted = f"{relation} {format_quantity(limit, self.dimension)}"
        return QuantityError(f"{value!r} is out of range; the {self.dimension.name} must be {wanted}")

    def __get_pydantic_core_schema__(self, source, handler) -> core_schema.CoreSchema:
        writing = core_schema.plain_serializer_function_ser_schema(self.plain, when_used="json")
        return core_schema.no_info_plain_validator_function(self.read, serialization=writing)

    def __get_pydantic_json_schema__(self, schema, handler) -> dict[str, Any]:
        limits = {"exclusiveMinimum": self.above, "minimum": self.at_least, "maximum": self.at_most}
        number = {"type": "number"} | {key: limit for key, limit in limits.items() if limit is not None}
        return {
            "anyOf": [number, {"type": "string"}],
            "description": self.description,
            "examples": [self.dimension.example],
        }

    @property
    def description(self) -> str:
        """One line for schemas and documentation."""
        if not self.dimension.unit:
            return "a plain number"
        return f"{self.dimension.name} in {self.dimension.unit}, or text with a unit such as '{self.dimension.example}'"


Number = Annotated[float, Quantity(units.NUMBER)]
PositiveNumber = Annotated[float, Quantity(units.NUMBER, above=0.0)]
NonNegativeNumber = Annotated[float, Quantity(units.NUMBER, at_least=0.0)]
Fraction = Annotated[float, Quantity(units.NUMBER, at_least=0.0, at_most=1.0)]
Length = Annotated[float, Quantity(units.LENGTH)]
PositiveLength = Annotated[float, Quantity(units.LENGTH, above=0.0)]
NonNegativeLength = Annotated[float, Quantity(units.LENGTH, at_least=0.0)]
Mass = Annotated[float, Quantity(units.MASS, above=0.0)]
Time = Annotated[float, Quantity(units.TIME)]
PositiveTime = Annotated[float, Quantity(units.TIME, above=0.0)]
Angle = Annotated[float, Quantity(units.ANGLE)]
Speed = Annotated[float, Quantity(units.SPEED)]
PositiveSpeed = Annotated[float, Quantity(units.SPEED, above=0.0)]
AngularRate = Annotated[float, Quantity(units.ANGULAR_RATE)]
Acceleration = Annotated[float, Quantity(units.ACCELERATION)]
AngularAcceleration = Annotated[float, Quantity(units.ANGULAR_ACCELERATION)]
Force = Annotated[float, Quantity(units.FORCE)]
PositiveForce = Annotated[float, Quantity(units.FORCE, above=0.0)]
Torque = Annotated[float, Quantity(units.TORQUE)]
Stiffness = Annotated[float, Quantity(units.STIFFNESS)]
PositiveStiffness = Annotated[float, Quantity(units.STIFFNESS, above=0.0)]
AngularStiffness = Annotated[float, Quantity(units.ANGULAR_STIFFNESS)]
Damping = Annotated[float, Quantity(units.DAMPING)]
NonNegativeDamping = Annotated[float, Quantity(units.DAMPING, at_least=0.0)]
AngularDamping = Annotated[float, Quantity(units.ANGULAR_DAMPING)]
Density = Annotated[float, Quantity(units.DENSITY, above=0.0)]
LineForce = Annotated[float, Quantity(units.LINE_FORCE)]
LineDensity = Annotated[float, Quantity(units.LINE_DENSITY, above=0.0)]
Inertia = Annotated[float, Quantity(units.INERTIA)]
PositiveInertia = Annotated[float, Quantity(units.INERTIA, above=0.0)]
Frequency = Annotated[float, Quantity(units.FREQUENCY)]
PositiveFrequency = Annotated[float, Quantity(units.FREQUENCY, above=0.0)]
Pressure = Annotated[float, Quantity(units.PRESSURE)]
PositivePressure = Annotated[float, Quantity(units.PRESSURE, above=0.0)]
Area = Annotated[float, Quantity(units.AREA, above=0.0)]
SecondMoment = Annotated[float, Quantity(units.SECOND_MOMENT, above=0.0)]
BendingStiffness = Annotated[float, Quantity(units.BENDING_STIFFNESS, above=0.0)]
Curvature = Annotated[float, Quantity(units.CURVATURE)]
NonNegativeTime = Annotated[float, Quantity(units.TIME, at_least=0.0)]
PositiveRate = Annotated[float, Quantity(units.RATE, above=0.0)]
NonNegativeRate = Annotated[float, Quantity(units.RATE, at_least=0.0)]
NonNegativeLineDamping = Annotated[float, Quantity(units.LINE_DAMPING, at_least=0.0)]
Energy = Annotated[float, Quantity(units.ENERGY)]
