"""Functions of time, for drives, loads and moving frames: values with two continuous derivatives wherever possible."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...schema.functions import Constant, Expression, Polynomial, PythonFunction, ScalarFunction, Table, TableFile
from ...schema.programs import evaluate
from .forms import Form, FormulaForm, PolynomialForm, SplineForm
from .sampling import sampled

ROUNDING = 1e-9


def form_of_time(function: ScalarFunction, base_dir, duration: float | None) -> Form:
    """The law of a function of time over the simulated span. Raises ValueError."""
    if isinstance(function, Constant):
        return PolynomialForm((function.value,))
    if isinstance(function, Polynomial):
        return PolynomialForm(function.polynomial)
    if isinstance(function, Expression):
        return FormulaForm.of(function.program, function.variables)
    if isinstance(function, (Table, TableFile)):
        return form_of_table(function, base_dir, duration)
    if isinstance(function, PythonFunction):
        return sampled(python_function(function, base_dir), duration, function_name(function))
    raise TypeError(type(function))


def integrable(function: ScalarFunction, base_dir, duration: float | None) -> PolynomialForm | SplineForm:
    """The law of a function of time in a form with an integral; formulas are sampled. Raises ValueError."""
    if isinstance(function, Expression):
        program = function.program
        return sampled(lambda t: evaluate(program, (t,)), duration, f"'{function.expression}'")
    form = form_of_time(function, base_dir, duration)
    assert not isinstance(form, FormulaForm)
    return form


def form_of_table(function: Table | TableFile, base_dir, duration: float | None) -> SplineForm:
    """A spline of the highest odd degree up to five through the points."""
    from scipy.interpolate import PPoly, make_interp_spline

    table = table_of(function, base_dir)
    name = function.csv if isinstance(function, TableFile) else "the table"
    check_span(table.x, name, duration)
    degree = min(5, len(table.x) - 1)
    degree -= degree % 2 == 0
    return SplineForm.of(PPoly.from_spline(make_interp_spline(table.x, table.y, k=degree)))


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


def spline_through(x, y) -> SplineForm:
    """A shape-preserving cubic (PCHIP) through points of a force law."""
    from scipy.interpolate import PchipInterpolator

    if len(x) == 2:
        return SplineForm(np.array(x, float), np.array([[y[0], (y[1] - y[0]) / (x[1] - x[0])]]))
    return SplineForm.of(PchipInterpolator(x, y))
