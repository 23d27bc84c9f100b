"""Functions of time, for drives, loads and moving frames.

`needs` says how many continuous derivatives the motion asks of a function: 0 of a force or an acceleration, 1 of a
velocity, 2 of a place. Tables of forces go straight from point to point unless told otherwise, those of motions by the
monotone interpolation.
"""

from __future__ import annotations

from collections.abc import Callable

from ...schema.functions import (
    Constant,
    Expression,
    Interpolation,
    Polynomial,
    PythonFunction,
    ScalarFunction,
    Table,
    TableFile,
)
from ...schema.programs import evaluate
from .forms import Form, FormulaForm, PolynomialForm, SplineForm
from .interpolation import overshoot, spline_between
from .repeating import Repeating
from .sampling import sampled

ROUNDING = 1e-9


def form_of_time(function: ScalarFunction, builder, needs: int = 0) -> Form:
    """The law of a function of time over the simulated span. Raises ValueError."""
    if isinstance(function, Constant):
        return PolynomialForm((function.value,))
    if isinstance(function, Polynomial):
        return PolynomialForm(function.polynomial)
    if isinstance(function, Expression):
        return FormulaForm.of(function.program, function.variables)
    if isinstance(function, (Table, TableFile)):
        return form_of_table(function, builder, needs)
    if isinstance(function, PythonFunction):
        found, name = python_function(function, builder.base_dir), function_name(function)
        Repeating(found, ("t",), {"t": 0.0, "x": 0.0, "v": 0.0}, builder.duration, name)
        return looked_at(found, name, builder)
    raise TypeError(type(function))


def integrable(function: ScalarFunction, builder) -> PolynomialForm | SplineForm:
    """The law of a function of time in a form with an integral; formulas are sampled. Raises ValueError."""
    if isinstance(function, Expression):
        program = function.program
        return looked_at(lambda t: evaluate(program, (t,)), f"'{function.expression}'", builder)
    form = form_of_time(function, builder)
    assert not isinstance(form, FormulaForm)
    return form


def looked_at(function: Callable[[float], float], name: str, builder) -> SplineForm | PolynomialForm:
    """A function of which only samples are known; a note tells what may hide between them. Raises ValueError."""
    note_samples(name, builder)
    return sampled(function, builder.duration, name, builder.samples)


def note_samples(name: str, builder) -> None:
    if builder.duration is not None:
        builder.note(
            f"{name} is known by samples: pulses shorter than {builder.duration / builder.samples:.2g} s may be "
            "missed; raise 'function_samples' if there are any"
        )


def form_of_table(function: Table | TableFile, builder, needs: int = 0) -> SplineForm:
    """A piecewise polynomial through the points of a table of time. Raises ValueError."""
    table = table_of(function, builder.base_dir)
    check_span(table.x, table_name(function), builder.duration)
    if needs == 2 and table.interpolation == "linear" and len(table.x) > 2:
        builder.note(
            f"{table_name(function)} with 'interpolation: linear' gives a place whose velocity jumps at its points; "
            "where masses move use 'monotone'"
        )
    return spline_of(table, table_name(function), "linear" if needs == 0 else "monotone", builder)


def spline_of(table: Table, name: str, usual: Interpolation, builder) -> SplineForm:
    """Through the points as the table says, or as usual; a note tells how far a smooth one overshoots."""
    way = table.interpolation or usual
    spline = spline_between(table.x, table.y, way)
    if way == "smooth":
        beyond, unit = overshoot(spline), f" {table.unit}" if table.unit else ""
        if beyond > ROUNDING * (max(table.y) - min(table.y)):
            builder.note(
                f"{name} with 'interpolation: smooth' goes up to {beyond:.3g}{unit} beyond neighbouring points, which "
                f"lie within {min(table.y):.4g} … {max(table.y):.4g}{unit}; 'monotone' and 'linear' do not"
            )
    return spline


def table_name(function: Table | TableFile) -> str:
    return function.csv if isinstance(function, TableFile) else "the table"


def table_of(function: Table | TableFile, base_dir) -> Table:
    """The points, read from the file if need be. Raises TableError."""
    return function if isinstance(function, Table) else function.resolve(base_dir)


def python_function(function: PythonFunction, base_dir) -> Callable[..., float]:
    """The callable behind a `python:` function, imported if need be. Raises ValueError."""
    found = function.resolve(base_dir).function
    assert found is not None
    return found


def check_span(x, name: str, duration: float | None) -> None:
    """Refuse a table of time that does not cover the simulated span; None: not known yet."""
    if duration is None:
        return
    small = ROUNDING * max(duration, 1e-300)
    reaches = f"{name} goes from {x[0]:g} s to {x[-1]:g} s"
    if x[-1] < duration - small:
        raise ValueError(f"{reaches} but {duration:g} s are simulated; extend the table, or simulate up to {x[-1]:g} s")
    if x[0] > small:
        raise ValueError(f"{reaches} but the simulation starts at 0; add a row at time 0, or shift the times")


def check_integrable(function: ScalarFunction) -> None:
    """Refuse rates that have no exact integral here. Raises ValueError."""
    if isinstance(function, (Expression, PythonFunction)):
        raise ValueError(
            "the rate of a drive can be a number, a polynomial or a table; for a formula or a Python function give "
            "'value' instead, the coordinate itself as a function of t"
        )


def function_name(function: PythonFunction) -> str:
    """How a Python function is called in messages."""
    return function.python or getattr(function.function, "__qualname__", repr(function.function))
