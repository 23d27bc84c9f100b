"""From SymPy's matrices to compiled functions: common parts computed once, then written out as Python for Numba."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

MATH = {
    name: getattr(math, name)
    for name in (
        "sin",
        "cos",
        "tan",
        "asin",
        "acos",
        "atan",
        "atan2",
        "sinh",
        "cosh",
        "tanh",
        "exp",
        "log",
        "sqrt",
        "pi",
    )
}


def written(name: str, states: list, parameters: list, time: Any, targets: dict[str, Any]) -> str:
    """Source of name(t, y, p, out…): every entry of every target array, by name."""
    import sympy

    y = {s: sympy.Symbol(f"y{i}") for i, s in enumerate(states)}
    p = {s: sympy.Symbol(f"p{i}") for i, s in enumerate(parameters)}
    flat = [(f"{target}[{i}]", entry) for target, entries in targets.items() for i, entry in enumerate(entries)]
    entries = [sympy.sympify(entry).xreplace(y).xreplace(p).xreplace({time: sympy.Symbol("t")}) for _, entry in flat]
    known = {*y.values(), *p.values(), sympy.Symbol("t")}
    unknown = sorted({str(s) for e in entries for s in e.free_symbols - known})
    left = sorted({str(f) for e in entries for f in e.atoms(sympy.core.function.AppliedUndef, sympy.Derivative)})
    if unknown or left:
        raise ValueError(
            f"no value is given for {', '.join([*unknown, *left])}; name it among 'parameters' (numbers) or 'inputs' "
            "(functions of time)"
        )
    common, reduced = sympy.cse(entries, symbols=sympy.numbered_symbols("c"))
    lines = [f"def {name}(t, y, p, {', '.join(targets)}):"]
    lines += [f"    y{i} = y[{i}]" for i in range(len(states))]
    lines += [f"    p{i} = p[{i}]" for i in range(len(parameters))]
    lines += [f"    {symbol} = {as_python(e)}" for symbol, e in common]
    lines += [f"    {place} = {as_python(e)}" for (place, _), e in zip(flat, reduced, strict=True)]
    return "\n".join(lines) + "\n"


def as_python(expression: Any) -> str:
    from sympy.printing.pycode import PythonCodePrinter

    return PythonCodePrinter({"fully_qualified_modules": False, "standard": "python3"}).doprint(expression)


def compiled(source: str, name: str) -> Callable:
    """The function of a source, in machine code."""
    import numba

    names: dict[str, Any] = dict(MATH)
    exec(compile(source, f"<equations {name}>", "exec"), names)  # printed from SymPy's tree, never from a user's text
    return numba.njit(error_model="numpy")(names[name])


def rates_of(equations: Callable, size: int, rows: int) -> Callable:
    """(t, y, p) → y' from M y' = f, by elimination with pivots."""
    import numba
    import numpy as np

    @numba.njit(error_model="numpy")
    def rates(t, y, p):
        M, f = np.empty(rows * rows), np.empty(rows)
        equations(t, y, p, M, f)
        for k in range(rows):
            best = k
            for i in range(k + 1, rows):
                if abs(M[i * rows + k]) > abs(M[best * rows + k]):
                    best = i
            if best != k:
                for j in range(k, rows):
                    M[k * rows + j], M[best * rows + j] = M[best * rows + j], M[k * rows + j]
                f[k], f[best] = f[best], f[k]
            for i in range(k + 1, rows):
                factor = M[i * rows + k] / M[k * rows + k]
                if factor != 0.0:
                    for j in range(k, rows):
                        M[i * rows + j] -= factor * M[k * rows + j]
                    f[i] -= factor * f[k]
        for k in range(rows - 1, -1, -1):
            for j in range(k + 1, rows):
                f[k] -= M[k * rows + j] * f[j]
            f[k] /= M[k * rows + k]
        return f[:size]

    return rates
