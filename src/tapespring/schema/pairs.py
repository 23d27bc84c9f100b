"""One quantity, or two: about (or along) y and z of a section."""

from dataclasses import dataclass
from typing import Any

from pydantic_core import core_schema

from .quantities import Quantity
from .unit_grammar import QuantityError

Pair = tuple[float, float]


@dataclass(frozen=True)
class OneOrTwo:
    """Makes `Annotated[Pair, OneOrTwo(Quantity(…))]` a pydantic type; one value stands for both."""

    each: Quantity

    def two_items(self, value: Any) -> list[Any]:
        """A list of two, yet to be read one by one so that an error names its item."""
        if hasattr(value, "tolist"):
            value = value.tolist()
        if not isinstance(value, (list, tuple)):
            return [self.each.read(value)] * 2
        if len(value) != 2:
            example = self.each.dimension.example
            raise QuantityError(f"{list(value)!r} has {len(value)} values; write one, or two such as [{example}, …]")
        return list(value)

    def plain(self, pair: Pair) -> Any:
        """One quantity if both are equal."""
        written = [self.each.plain(value) for value in pair]
        return written[0] if pair[0] == pair[1] else written

    def __get_pydantic_core_schema__(self, source, handler) -> core_schema.CoreSchema:
        one = core_schema.no_info_plain_validator_function(self.each.read)
        writing = core_schema.plain_serializer_function_ser_schema(self.plain, when_used="json")
        both = core_schema.tuple_schema([one, one])
        return core_schema.no_info_before_validator_function(self.two_items, both, serialization=writing)

    def __get_pydantic_json_schema__(self, schema, handler) -> dict[str, Any]:
        number = {"anyOf": [{"type": "number"}, {"type": "string"}]}
        return {
            "anyOf": [{"type": "number"}, {"type": "string"}, {"type": "array", "items": number}],
            "description": f"{self.each.dimension.name}: one value, or two for y and z",
            "examples": [self.each.dimension.example],
        }
