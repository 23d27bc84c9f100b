"""Python functions as C functions double(t, x, v) that compiled code can call.

A function that Numba can compile runs at full speed; any other is called back through ctypes, some microseconds each.
"""

from __future__ import annotations

import ctypes
import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

NAMES = ("t", "x", "v")
C_FUNCTION = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, ctypes.c_double, ctypes.c_double)


@dataclass
class Callback:
    """An address, what must be kept alive for it, and whether it is compiled."""

    address: int | None
    keep: Any
    compiled: bool


class Guarded:
    """A Python function that answers nan instead of raising; the first error is kept in `error`."""

    def __init__(self, function: Callable[[float, float, float], float]):
        self.function = function
        self.error: Exception | None = None
        self.c_function = C_FUNCTION(self)

    def __call__(self, t: float, x: float, v: float) -> float:
        try:
            return float(self.function(t, x, v))
        except Exception as error:
            self.error = self.error or error
            return math.nan


def arguments_of(function: Callable[..., float], variables: tuple[str, ...], name: str) -> tuple[str, ...]:
    """Which of t, x, v a function takes, by its parameters' names; a single parameter may have any name if the law
    has a single variable. Raises ValueError."""
    try:
        parameters = [p for p in inspect.signature(function).parameters.values() if p.default is p.empty]
    except (TypeError, ValueError):
        return variables  # a builtin that does not tell
    names = tuple(p.name for p in parameters)
    if len(names) == len(variables) == 1:
        return variables
    if not names or any(n not in variables for n in names) or any(p.kind == p.VAR_POSITIONAL for p in parameters):
        meaning = {"t": "t (time)", "x": "x (elongation or coordinate)", "v": "v (its rate)"}
        allowed = ", ".join(meaning[n] for n in variables)
        raise ValueError(
            f"{name}({', '.join(names)}): the parameters of this law must be among {allowed}, by these names"
        )
    return names


def of_all_three(function: Callable[..., float], arguments: tuple[str, ...]) -> Callable[[float, float, float], float]:
    """The function with parameters (t, x, v), of which it uses its own."""
    source = f"lambda t, x, v: float(function({', '.join(arguments)}))"
    return eval(source, {"function": function, "float": float})  # names come from NAMES alone


def make_callback(function: Callable[..., float], arguments: tuple[str, ...]) -> Callback:
    """A C function of (t, x, v): compiled if possible."""
    import numba

    try:
        inner = function if hasattr(function, "py_func") else numba.njit(error_model="numpy")(function)
        compiled = numba.cfunc("float64(float64, float64, float64)", error_model="numpy")(
            of_all_three(inner, arguments)
        )
        return Callback(compiled.address, compiled, True)
    except Exception:  # whatever Numba cannot do, Python can
        guarded = Guarded(of_all_three(function, arguments))
        return Callback(ctypes.cast(guarded.c_function, ctypes.c_void_p).value, guarded, False)
