"""Force laws along a measure: elastic f(x), damping f(v), active f(t, x, v)."""

from __future__ import annotations

from ...schema.functions import Constant, Expression, Polynomial, PythonFunction, ScalarFunction, Table, TableFile
from .callbacks import arguments_of, make_callback
from .forms import FormulaForm, PolynomialForm
from .of_time import (
    form_of_table,
    function_name,
    note_samples,
    python_function,
    spline_of,
    table_name,
    table_of,
)
from .repeating import Repeating
from .sampling import sampled


def has_potential(function: ScalarFunction) -> bool:
    """Whether a law of the elongation alone can be integrated to an energy by the engine."""
    return isinstance(function, (Constant, Polynomial, Table, TableFile))


def put_law(function: ScalarFunction, builder, variables: tuple[str, ...], trial: tuple[float, float, float]) -> int:
    """A law of its own main variable: of x, or of v. `trial` is a (t, x, v) to try Python functions at."""
    if isinstance(function, Constant):
        return PolynomialForm((function.value,)).put(builder.assembler)
    if isinstance(function, Polynomial):
        return PolynomialForm(function.polynomial).put(builder.assembler)
    if isinstance(function, (Table, TableFile)):
        table = table_of(function, builder.base_dir)
        return spline_of(table, table_name(function), "linear", builder).put(builder.assembler)
    if isinstance(function, Expression):
        return FormulaForm.of(function.program, function.variables).put(builder.assembler)
    if isinstance(function, PythonFunction):
        return put_python(function, builder, variables, trial)
    raise TypeError(type(function))


def put_active_law(function: ScalarFunction, builder, trial: tuple[float, float, float]) -> int:
    """A law of t, x and v; polynomials and tables are functions of time."""
    if isinstance(function, Polynomial) and any(function.polynomial[1:]):
        return FormulaForm.of_polynomial(function.polynomial, "t").put(builder.assembler)
    if isinstance(function, (Table, TableFile)):
        return form_of_table(function, builder).put(builder.assembler, of_time=True)
    return put_law(function, builder, ("t", "x", "v"), trial)


def put_python(function: PythonFunction, builder, variables: tuple[str, ...], trial: tuple[float, float, float]) -> int:
    """A Python function, tried once and then compiled. Raises ValueError."""
    found = python_function(function, builder.base_dir)
    name = function_name(function)
    arguments = arguments_of(found, variables, name)
    at = dict(zip(("t", "x", "v"), trial, strict=True))
    try_once(found, arguments, at, name)
    repeating = Repeating(found, arguments, at, builder.duration, name)
    if builder.dry:
        return builder.assembler.law_constant(0.0)
    callback = make_callback(found, arguments, repeating)
    if not callback.compiled:
        builder.note(f"{name} is called back in Python, some microseconds each time; Numba could not compile it")
    course = course_at_start(found, arguments, trial, name, builder) if "t" in arguments else -1
    return builder.assembler.law_python(callback.address, callback.keep, course)


def course_at_start(function, arguments: tuple[str, ...], trial: tuple[float, float, float], name: str, builder) -> int:
    """The function over time with coordinate and rate as at the start, as a law that only tells where steps should end
    and how long they may be; -1 if it is not known over time."""
    _, x, v = trial

    def in_time(t: float) -> float:
        return float(function(*({"t": t, "x": x, "v": v}[n] for n in arguments)))

    if builder.duration is None:
        return -1
    try:
        form = sampled(in_time, builder.duration, name, builder.samples, accuracy=1e-4)
    except ValueError:
        return -1
    note_samples(name, builder)
    return form.put(builder.assembler)


def try_once(function, arguments: tuple[str, ...], at: dict[str, float], name: str) -> None:
    """Refuse a function that fails or gives no number where the model starts. Raises ValueError."""
    where = ", ".join(f"{n} = {at[n]:g}" for n in arguments)
    try:
        float(function(*(at[n] for n in arguments)))
    except Exception as error:
        raise ValueError(f"{name} failed at {where}: {type(error).__name__}: {error}") from error
