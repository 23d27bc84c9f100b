"""Stations: places along a beam or cable, by arc length from its start (`0.3 m`) or as a part of it (`25 %`)."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any

from pydantic_core import core_schema

from ..schema import units
from ..schema.units import format_quantity, parse_quantity

ROUNDING = 1e-9


@dataclass(frozen=True)
class Station:
    """Arc length [m], or a fraction of the whole."""

    value: float
    is_fraction: bool = False

    def along(self, length: float) -> float:
        """Arc length on a body of this length, within rounding. Raises ValueError outside."""
        s = self.value * length if self.is_fraction else self.value
        if not -ROUNDING * length <= s <= (1.0 + ROUNDING) * length:
            raise ValueError(f"{self} is outside the body, which is {length:.6g} m long; write 0 to {length:.6g} m")
        return min(max(s, 0.0), length)

    def __str__(self) -> str:
        return f"{100.0 * self.value:.6g} %" if self.is_fraction else f"{self.value:.6g} m"

    def plain(self) -> str:
        """What is written to a file; reads back to the same double."""
        if not self.is_fraction:
            return format_quantity(self.value, units.LENGTH)
        short = f"{100.0 * self.value:.15g} %"
        return short if read_station(short) == self else f"{Decimal(self.value) * 100} %"


def read_station(value: Any) -> Station:
    """`0.3`, `300 mm` or `25 %`. Raises ValueError."""
    if isinstance(value, Station):
        return value
    if isinstance(value, str) and value.strip().endswith("%"):
        return Station(parse_quantity(value, units.NUMBER), is_fraction=True)
    return Station(parse_quantity(value, units.LENGTH))


@dataclass(frozen=True)
class StationType:
    """The pydantic type."""

    def __get_pydantic_core_schema__(self, source, handler) -> core_schema.CoreSchema:
        writing = core_schema.plain_serializer_function_ser_schema(Station.plain)
        return core_schema.no_info_plain_validator_function(read_station, serialization=writing)

    def __get_pydantic_json_schema__(self, schema, handler) -> dict[str, Any]:
        return {
            "anyOf": [{"type": "number"}, {"type": "string"}],
            "description": "arc length from the start such as '0.3 m', or part of it such as '25 %'",
            "examples": ["0.3 m"],
        }


AlongBody = Annotated[Station, StationType()]
