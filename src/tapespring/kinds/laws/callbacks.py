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

from ...interruption import calls_back, put_off
from .repeating import Repeating

NAMES = ("t", "x", "v")
C_FUNCTION = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, ctypes.c_double, ctypes.c_double)


@dataclass
class Callback:
    """An address, what must be kept alive for it, and whether it is compiled."""

    address: int | None
    keep: Any
    compiled: bool


class Guarded:
    """A Python function that answers nan instead of raising, for compiled code cannot pass errors on; the first one is
    kept in `error`, with its place in `place`."""

    def __init__(self, function: Callable[[float, float, float], float], repeating: Repeating):
        self.function, self.repeating = function, repeating
        self.error: Exception | None = None
        self.place = (math.nan, math.nan, math.nan)
        self.endless = False  # was interrupted more than once: it does not end by itself
        self.c_function = C_FUNCTION(self)

    @calls_back
    def __call__(self, t: float, x: float, v: float) -> float:
        if self.endless:
            return math.nan
        try:
            return float(self.function(t, x, v))
        except KeyboardInterrupt:
            self.endless = not put_off()
            return self(t, x, v)
        except Exception as error:
            if self.error is None:
                self.error, self.place = error, (t, x, v)
            return math.nan

    def trouble(self) -> str:
        """What went wrong first, where; empty if nothing did."""
        if self.error is None:
            return ""
        where = ", ".join(f"{name} = {value:g}" for name, value in zip(NAMES, self.place, strict=True))
        return f"{self.repeating.name} failed at {where}: {type(self.error).__name__}: {self.error}"


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


def not_raising(function: Callable[..., float], arguments: tuple[str, ...]) -> Callable[[float, float, float], float]:
    """The same for Numba, and nan where it raises: else compiled code would go on with zero."""
    source = f"""
def law(t, x, v):
    try:
        return float(function({", ".join(arguments)}))
    except Exception:
        return nan
"""
    names: dict[str, Any] = {"function": function, "float": float, "nan": math.nan, "Exception": Exception}
    exec(source, names)  # names of arguments come from NAMES alone
    return names["law"]


def make_callback(function: Callable[..., float], arguments: tuple[str, ...], repeating: Repeating) -> Callback:
    """A C function of (t, x, v): compiled if possible."""
    import numba

    try:
        inner = function if hasattr(function, "py_func") else numba.njit(error_model="numpy")(function)
        compiled = numba.cfunc("float64(float64, float64, float64)", error_model="numpy")(not_raising(inner, arguments))
        return Callback(compiled.address, compiled, True)
    except Exception:  # whatever Numba cannot do, Python can
        guarded = Guarded(of_all_three(function, arguments), repeating)
        return Callback(ctypes.cast(guarded.c_function, ctypes.c_void_p).value, guarded, False)
