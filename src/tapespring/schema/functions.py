"""Scalar functions a user can write for laws and time histories.

    5 N                                          constant, with its unit
    {polynomial: [c0, c1, c2]}                   ascending powers, SI
    {table: [[0, 0], [10 ms, 5 N]]}              or {table: {x: [...], y: [...]}}
    {csv: shaker.csv, time: t, column: ax, scale: 9.81}
                                                 both may have `interpolation: linear | monotone | smooth`
    {expression: "0.1*sin(2*pi*5*t)"}            or the bare text
    {python: "my_laws:friction"}                 a function beside the model file, or installed
    a Python callable                            from the Python API only

A field is typed `Annotated[ScalarFunction, FunctionOf(FORCE)]`; it holds one of the classes below.
"""

import importlib
import importlib.util
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr
from pydantic_core import core_schema

from . import units
from .dimensions import check_dimensions
from .expressions import CONSTANTS, compile_expression
from .folder import Folder, trusted
from .near_words import advice
from .programs import Program
from .quantities import Number
from .tables import TableError, check_increasing, read_csv, read_pairs
from .unit_grammar import UnitSyntaxError
from .units import Dimension, format_quantity, parse_quantity

WAYS = "5, {polynomial: [...]}, {table: [[x, y], ...]}, {csv: file, column: name}, {expression: '...'}, {python: '...'}"


#: How a table goes from point to point: straight; smooth but never beyond two neighbours; smooth.
Interpolation = Literal["linear", "monotone", "smooth"]
INTERPOLATIONS: tuple[Interpolation, ...] = get_args(Interpolation)


class ScalarFunction(BaseModel):
    """A function of one or a few numbers, giving a number."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    def resolve(self, base_dir: str | Path | Folder = ".") -> "ScalarFunction":
        """The same function with files and modules loaded; paths are relative to the model's folder `base_dir`."""
        return self

    def plain(self, result: Dimension) -> Any:
        """What is written to a file."""
        return self.model_dump(mode="json", exclude_defaults=True)


class Constant(ScalarFunction):
    """The same value [SI] always."""

    value: Number

    def plain(self, result: Dimension) -> Any:
        return format_quantity(self.value, result) if result.unit else self.value


class Polynomial(ScalarFunction):
    """c0 + c1 x + c2 x² + …, coefficients in SI."""

    polynomial: tuple[Number, ...] = Field(min_length=1)


class Table(ScalarFunction):
    """Points (x, y) in SI, x strictly increasing. Without `interpolation`, the use of the table decides: forces go
    straight from point to point, motions by the monotone one."""

    x: tuple[float, ...]
    y: tuple[float, ...]
    interpolation: Interpolation | None = None
    unit: str = Field("", exclude=True, description="of y, for messages; the field it stands in sets it")

    def plain(self, result: Dimension) -> Any:
        way = {} if self.interpolation is None else {"interpolation": self.interpolation}
        return {"table": {"x": list(self.x), "y": list(self.y)}, **way}


class TableFile(ScalarFunction):
    """Two columns of a CSV file; `time` (or `x`) and `column` are names, or numbers counted from 0."""

    csv: str
    time: StrictStr | StrictInt | None = None
    x: StrictStr | StrictInt | None = None
    column: StrictStr | StrictInt | None = None
    scale: Number = 1.0
    interpolation: Interpolation | None = None
    unit: str = Field("", exclude=True, description="as of a Table")

    def resolve(self, base_dir: str | Path | Folder = ".") -> Table:
        """Read and check the file. Raises TableError naming file, row and remedy."""
        if self.time is not None and self.x is not None:
            raise TableError(f"{self.csv}: give either 'time' or 'x', not both")
        rows = read_csv(trusted(base_dir).file(self.csv))
        asked = self.time if self.time is not None else self.x
        x_column = rows.column_index(0 if asked is None else asked)
        y_column = self._result_column(rows, x_column)
        x = rows.values(x_column)
        y = [self.scale * value for value in rows.values(y_column)]
        name = "time" if self.time is not None else rows.columns[x_column]
        try:
            check_increasing(x, rows.lines, name, "sort the file")
        except TableError as error:
            raise TableError(f"{rows.file}: {error}") from None
        return Table(x=tuple(x), y=tuple(y), interpolation=self.interpolation, unit=self.unit)

    def _result_column(self, rows, x_column: int) -> int:
        if self.column is not None:
            return rows.column_index(self.column)
        others = [i for i in range(len(rows.columns)) if i != x_column]
        if len(others) != 1:
            have = ", ".join(rows.columns[i] for i in others) or "none besides"
            raise TableError(f"{rows.file}: say which column is meant with 'column:' (columns: {have})")
        return others[0]


class Expression(ScalarFunction):
    """A formula of the variables its field allows."""

    expression: str
    variables: tuple[str, ...] = ("t",)

    @cached_property
    def program(self) -> Program:
        """The formula compiled to postfix; raises ExpressionError."""
        return compile_expression(self.expression, self.variables)

    def plain(self, result: Dimension) -> Any:
        return {"expression": self.expression}


class PythonFunction(ScalarFunction):
    """A Python function, by `module:name` from a file or as a callable from the API."""

    python: str = ""
    function: Callable[..., float] | None = None

    def resolve(self, base_dir: str | Path | Folder = ".") -> "PythonFunction":
        """Import the function, from beside the model file if the module is there. Raises ValueError."""
        if self.function is not None:
            return self
        folder = trusted(base_dir)
        folder.check_python(self.python)
        module_name, _, name = self.python.partition(":")
        module = _import_beside(folder.path, module_name)
        function = getattr(module, name, None)
        if function is None:
            known = [key for key, value in vars(module).items() if callable(value) and not key.startswith("_")]
            raise ValueError(f"module '{module_name}' has no function '{name}'{advice(name, known, 'it has')}")
        if not callable(function):
            raise ValueError(f"'{self.python}' is not a function")
        return PythonFunction(python=self.python, function=function)

    def plain(self, result: Dimension) -> Any:
        if self.python:
            return {"python": self.python}
        name = getattr(self.function, "__qualname__", repr(self.function))
        module = getattr(self.function, "__module__", None)
        if module in (None, "__main__") or "<" in name or "." in name:
            raise ValueError(f"{name} cannot be written to a file; define it in a module: python: 'my_laws:friction'")
        return {"python": f"{module}:{name}"}


def _import_beside(folder: Path, name: str) -> ModuleType:
    file = folder.joinpath(*name.split(".")).with_suffix(".py").resolve()
    if file.is_file():
        return _load_file(name, file)
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise ValueError(f"no module '{name}' in {folder} and none installed; put {name}.py there") from None


def _load_file(name: str, file: Path) -> ModuleType:
    """The module in `file`, under `name` if no other module has it."""
    loaded = sys.modules.get(name)
    if loaded is not None and getattr(loaded, "__file__", None) == str(file):
        return loaded
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise ValueError(f"{file} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    if loaded is None:
        sys.modules[name] = module  # dataclasses and pickles look the module up by name
    try:
        spec.loader.exec_module(module)
    except BaseException:
        if loaded is None:
            del sys.modules[name]
        raise
    return module


#: The key that tells each way of writing a function, and what may stand beside it.
SHAPES: dict[str, tuple[type[ScalarFunction], tuple[str, ...]]] = {
    "value": (Constant, ()),
    "polynomial": (Polynomial, ()),
    "table": (Table, ("interpolation",)),
    "csv": (TableFile, ("time", "x", "column", "scale", "interpolation")),
    "expression": (Expression, ()),
    "python": (PythonFunction, ()),
}


@dataclass(frozen=True)
class FunctionOf:
    """Makes `Annotated[ScalarFunction, FunctionOf(FORCE)]` a pydantic type.

    `result` is the dimension of constants and of tables' y. Expressions may use `variables`; tables and polynomials
    are functions of the first of them, of dimension `argument`.
    """

    result: Dimension = units.NUMBER
    variables: tuple[str, ...] = ("t",)
    argument: Dimension = units.TIME

    @property
    def dimensions(self) -> dict[str, Dimension]:
        """Of the variables: torques act along angles, all else along lengths."""
        along, rate = (units.LENGTH, units.SPEED)
        if self.result == units.TORQUE:
            along, rate = (units.ANGLE, units.ANGULAR_RATE)
        known = {"t": units.TIME, "x": along, "v": rate}
        return {name: known[name] for name in self.variables}

    def recognise(self, value: Any) -> Any:
        """Whatever a user writes → an instance, or a mapping that pydantic checks further. Raises ValueError."""
        if isinstance(value, ScalarFunction):
            return self._checked(value)
        if isinstance(value, str):
            return self._from_text(value)
        if isinstance(value, dict):
            return self._from_mapping(value)
        if callable(value):
            return PythonFunction(function=value)
        if isinstance(value, (list, tuple)):
            raise ValueError(f"a list is not a function; write one of {WAYS}")
        return Constant(value=parse_quantity(value, self.result))

    def _from_text(self, text: str) -> ScalarFunction:
        """A quantity such as '5 N', else an expression."""
        names = re.findall(r"[A-Za-z_]\w*", text)
        calls = re.search(r"[A-Za-z_]\w*\s*\(", text)
        formula = calls or any(name in self.variables or (name in CONSTANTS and name != "deg") for name in names)
        if not formula:
            try:
                return Constant(value=parse_quantity(text, self.result))
            except UnitSyntaxError:
                pass
        return self._checked(Expression(expression=text, variables=self.variables))

    def _from_mapping(self, mapping: dict[str, Any]) -> Any:
        shape = next((key for key in SHAPES if key in mapping), None)
        if shape is None:
            word = str(next(iter(mapping), ""))
            raise ValueError(f"'{word}' is not a kind of function{advice(word, SHAPES, 'write one of')}")
        _, companions = SHAPES[shape]
        for key in mapping:
            if key != shape and key not in companions:
                hint = advice(str(key), companions, "allowed are") if companions else f"; '{shape}' stands alone"
                raise ValueError(f"'{key}' does not belong beside '{shape}'{hint}")
        check_interpolation(mapping.get("interpolation"))
        if shape == "value":
            return {"value": parse_quantity(mapping["value"], self.result)}
        if shape == "table":
            way = {key: value for key, value in mapping.items() if key == "interpolation"}
            return read_pairs(mapping["table"], self.argument, self.result) | way
        if shape == "expression":
            return {**mapping, "variables": self.variables}
        return mapping

    def _checked(self, function: ScalarFunction) -> ScalarFunction:
        if isinstance(function, Expression):
            function = Expression(expression=function.expression, variables=self.variables)
            check_dimensions(function.expression, self.dimensions, self.result)
        elif isinstance(function, PythonFunction) and function.function is None:
            if not re.fullmatch(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*", function.python):
                raise ValueError(f"'{function.python}' is not of the form 'module:function'")
        elif isinstance(function, TableFile) and function.time is not None and function.x is not None:
            raise TableError(f"{function.csv}: give either 'time' or 'x', not both")
        if isinstance(function, (Table, TableFile)) and function.unit != self.result.unit:
            function = function.model_copy(update={"unit": self.result.unit})
        return function

    def plain(self, function: ScalarFunction, info) -> Any:
        """What is written to a file; in Python a bare callable stays itself."""
        if info.mode == "python" and isinstance(function, PythonFunction) and function.function is not None:
            return function.python or function.function
        return function.plain(self.result)

    def __get_pydantic_core_schema__(self, source, handler) -> core_schema.CoreSchema:
        choices = {model.__name__: handler.generate_schema(model) for model, _ in SHAPES.values()}
        read = core_schema.no_info_after_validator_function(
            self._checked, core_schema.tagged_union_schema(choices, discriminator=_class_name)
        )
        writing = core_schema.plain_serializer_function_ser_schema(self.plain, info_arg=True)
        return core_schema.no_info_before_validator_function(self.recognise, read, serialization=writing)

    def __get_pydantic_json_schema__(self, schema, handler) -> dict[str, Any]:
        unit = f" in {self.result.unit}" if self.result.unit else ""
        return {
            "anyOf": [{"type": "number"}, {"type": "string"}, {"type": "object"}],
            "description": f"{self.result.name}{unit} as a function of {', '.join(self.variables)}: one of {WAYS}",
            "examples": [self.result.example, {"expression": f"sin(2*pi*{self.variables[0]})"}],
        }


def check_interpolation(word: Any) -> None:
    """Raises ValueError for what is no way to go from point to point."""
    if word is not None and word not in INTERPOLATIONS:
        raise ValueError(f"interpolation '{word}' is not known{advice(str(word), INTERPOLATIONS, 'write one of')}")


def _class_name(value: Any) -> str:
    if isinstance(value, ScalarFunction):
        return type(value).__name__
    return next((model.__name__ for key, (model, _) in SHAPES.items() if key in value), Table.__name__)


NumberHistory = Annotated[ScalarFunction, FunctionOf(units.NUMBER)]
LengthHistory = Annotated[ScalarFunction, FunctionOf(units.LENGTH)]
AngleHistory = Annotated[ScalarFunction, FunctionOf(units.ANGLE)]
SpeedHistory = Annotated[ScalarFunction, FunctionOf(units.SPEED)]
AngularRateHistory = Annotated[ScalarFunction, FunctionOf(units.ANGULAR_RATE)]
AccelerationHistory = Annotated[ScalarFunction, FunctionOf(units.ACCELERATION)]
ForceHistory = Annotated[ScalarFunction, FunctionOf(units.FORCE)]
TorqueHistory = Annotated[ScalarFunction, FunctionOf(units.TORQUE)]
PressureHistory = Annotated[ScalarFunction, FunctionOf(units.PRESSURE)]
LineForceHistory = Annotated[ScalarFunction, FunctionOf(units.LINE_FORCE)]
LineMomentHistory = Annotated[ScalarFunction, FunctionOf(units.LINE_MOMENT)]
