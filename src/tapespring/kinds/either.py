"""Values whose dimension is known only when the model is built, because it is that of a joint's coordinate.

`value: 30 deg` of a drive is right on a hinge and wrong on a slider. Such a field holds what the user wrote, checked to
be of one of its dimensions; `read(dimension)` gives the value for the coordinate at hand.
"""

from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any

from pydantic import TypeAdapter, ValidationError
from pydantic_core import core_schema

from ..schema.functions import FunctionOf, PythonFunction, ScalarFunction
from ..schema.quantities import Quantity
from ..schema.units import Dimension, DimensionError, described
from ..schema.validation import shown

Reader = FunctionOf | Quantity


@dataclass(frozen=True)
class Written:
    """What the user wrote, and the ways it can be read by dimension."""

    value: Any
    readers: dict[Dimension, Reader]

    def read(self, dimension: Dimension) -> Any:
        """The value in SI or the function, if it is of this dimension. Raises ValueError."""
        reader = self.readers[dimension]
        held = float if isinstance(reader, Quantity) else ScalarFunction
        try:
            return adapter(held, reader).validate_python(self.value)
        except ValidationError as error:
            raise complaint(error) from None


@cache
def adapter(held: type, reader: Reader) -> TypeAdapter:
    """Reads one value of one dimension."""
    annotation: Any = Annotated[held, reader]
    return TypeAdapter(annotation)


def complaint(error: ValidationError) -> ValueError:
    """The first complaint, as the schema raised it."""
    first = error.errors(include_url=False)[0]
    raised = first.get("ctx", {}).get("error", first["msg"])
    return raised if isinstance(raised, ValueError) else ValueError(str(raised))


@dataclass(frozen=True)
class EitherOf:
    """Makes `Annotated[Written, EitherOf(FunctionOf(ANGLE), FunctionOf(LENGTH))]` a pydantic type."""

    readers: tuple[Reader, ...]

    def read(self, value: Any) -> Written:
        """Keep what was written if it can be read as one of the dimensions. Raises ValueError."""
        if isinstance(value, Written):
            value = value.value
        if hasattr(value, "tolist"):
            value = value.tolist()
        if isinstance(value, ScalarFunction):
            value = value.function if isinstance(value, PythonFunction) and value.function else value.plain(self.first)
        written = Written(value, {dimension_of(reader): reader for reader in self.readers})
        found: dict[Dimension, ValueError] = {}
        for dimension in written.readers:
            try:
                written.read(dimension)
                return written
            except ValueError as error:
                found[dimension] = error
        raise self.neither(value, found)

    def neither(self, value: Any, found: dict[Dimension, ValueError]) -> ValueError:
        """Why a value is of none of the dimensions, from what was found wrong with it as each."""
        errors = list(found.values())
        for dimension, error in found.items():
            if isinstance(error, DimensionError) and error.exponents[:3] == dimension.exponents[:3]:
                return error  # right but for cycles or angles
        if len({str(error) for error in errors}) == 1 or not isinstance(value, (str, int, float)):
            return errors[0]
        wanted = " or ".join(dimension.with_article for dimension in found)
        example = f"(for example '{self.first.example}')"
        if isinstance(errors[0], DimensionError):
            is_a = described(errors[0].exponents)
            return ValueError(f"{shown(value)} is {is_a}, but {wanted} is wanted here {example}")
        return ValueError(f"{shown(value)} is not {wanted} {example}")

    @property
    def first(self) -> Dimension:
        """The dimension shown in examples."""
        return dimension_of(self.readers[0])

    def plain(self, written: Written, info) -> Any:
        """What is written to a file: the user's own words; in Python a bare callable stays itself."""
        if callable(written.value) and info.mode != "python":
            return PythonFunction(function=written.value).plain(self.first)
        return written.value

    def __get_pydantic_core_schema__(self, source, handler) -> core_schema.CoreSchema:
        writing = core_schema.plain_serializer_function_ser_schema(self.plain, info_arg=True)
        return core_schema.no_info_plain_validator_function(self.read, serialization=writing)

    def __get_pydantic_json_schema__(self, schema, handler) -> dict[str, Any]:
        names = " or ".join(f"{dimension_of(r).name} ({dimension_of(r).unit or '1'})" for r in self.readers)
        types = [{"type": "number"}, {"type": "string"}]
        if isinstance(self.readers[0], FunctionOf):
            types.append({"type": "object"})
            names += f" as a function of {', '.join(self.readers[0].variables)}"
        return {"anyOf": types, "description": names, "examples": [self.first.example]}


def dimension_of(reader: Reader) -> Dimension:
    """The dimension of what a reader gives."""
    return reader.dimension if isinstance(reader, Quantity) else reader.result
