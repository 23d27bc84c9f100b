"""Times at which laws of time jump or bend, so that steps can end there.

Tables of straight pieces bend at their points. Formulas bend where `abs`, `sign`, `min`, `max` or the condition of
`where` change sides: what they decide by is sampled over the run, and each change of sign is narrowed down. Conditions
that depend on the motion are no matter of time and left out. Python functions do not tell.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..mechanics import laws as op
from ..mechanics import tables as tb

SAMPLES = 2000
MOST = 200  # corners of one law: with more it is a record of data, through which steps go as they please
ROUGH = 1e-9  # of the largest value: jumps below this are rounding

UNARY: dict[int, Any] = {
    op.NEG: np.negative, op.SIN: np.sin, op.COS: np.cos, op.TAN: np.tan, op.ASIN: np.arcsin, op.ACOS: np.arccos,
    op.ATAN: np.arctan, op.SINH: np.sinh, op.COSH: np.cosh, op.TANH: np.tanh, op.EXP: np.exp, op.LOG: np.log,
    op.SQRT: np.sqrt, op.ABS: np.abs, op.SIGN: np.sign,
    op.STEP: lambda x: np.clip(x, 0, 1) ** 2 * (3 - 2 * np.clip(x, 0, 1)),
}  # fmt: skip
BINARY: dict[int, Any] = {
    op.ADD: np.add, op.SUB: np.subtract, op.MUL: np.multiply, op.DIV: np.divide, op.POW: np.power,
    op.ATAN2: np.arctan2, op.MIN: np.minimum, op.MAX: np.maximum,
}  # fmt: skip


def corner_times(t: tb.Tables, begin: float, end: float) -> np.ndarray:
    """Corners of all laws strictly between begin and end, ascending, none twice."""
    found: list[float] = []
    for i in laws_that_know_time(t):
        law = t.laws[i]
        corners = []
        if law["kind"] == tb.PIECEWISE:
            corners = bends(t, law)
        elif law["kind"] == tb.EXPRESSION:
            corners = changes_of_side(t, law, begin, end)
        if len(corners) <= MOST:
            found += corners
    near = 1e-9 * (end - begin)
    inside = sorted(c for c in found if begin + near < c < end - near)
    return np.array([c for k, c in enumerate(inside) if k == 0 or c - inside[k - 1] > near])


def laws_of_time(t: tb.Tables) -> set[int]:
    """Laws that depend on nothing else: of loads, pressures, drives and prescribed motions."""
    parts = [t.loads["law"], t.pressures["law"], t.rows["law"]]
    parts += [t.motions[name] for name in ("law", "spin_law", "turn_law")]
    return {int(i) for part in parts for i in np.ravel(part) if i >= 0}


def laws_that_know_time(t: tb.Tables) -> list[int]:
    """These, and formulas of active forces."""
    active = {int(i) for i in t.couplings["active"] if i >= 0 and t.laws[i]["kind"] != tb.PIECEWISE}
    return sorted(laws_of_time(t) | active)


def bends(t: tb.Tables, law) -> list[float]:
    """Points of a table where the value or slope jumps."""
    first, count, degree = int(law["first"]), int(law["count"]), int(law["degree"])
    knots = t.numbers[first : first + count + 1]
    pieces = t.numbers[first + count + 1 :][: count * (degree + 2)].reshape(count, degree + 2)[:, : degree + 1]
    powers = np.diff(knots)[:, None] ** np.arange(degree + 1)
    slopes = pieces[:, 1:] * np.arange(1, degree + 1)
    ends = np.column_stack(((pieces * powers).sum(axis=1), (slopes * powers[:, :degree]).sum(axis=1)))
    starts = np.column_stack((pieces[:, 0], slopes[:, 0] if degree else np.zeros(count)))
    jump = np.abs(ends[:-1] - starts[1:]) > ROUGH * (np.abs(ends).max(axis=0) + 1e-300)
    return [float(x) for x in knots[1:-1][jump.any(axis=1)]]


def deciding(t: tb.Tables, law, times: np.ndarray) -> list[np.ndarray]:
    """What the formula decides by at these times: one array for each place that depends on time alone."""
    first, count, operands = int(law["first"]), int(law["count"]), int(law["address"])
    stack: list[Any] = []
    found: list[np.ndarray] = []
    with np.errstate(all="ignore"):
        for k in range(count):
            code, operand = int(t.codes[first + k]), float(t.numbers[operands + k])
            if code == op.CONST:
                stack.append(np.full(len(times), operand))
            elif code == op.VAR:
                stack.append(times if int(operand) == tb.OF_TIME else None)
            elif code == op.WHERE:
                other, one, condition = stack.pop(), stack.pop(), stack.pop()
                if condition is not None:
                    found.append(condition)
                known = condition is not None and one is not None and other is not None
                stack.append(np.where(condition > 0.0, one, other) if known else None)
            elif code in BINARY:
                b, a = stack.pop(), stack.pop()
                if a is not None and b is not None and code in (op.MIN, op.MAX):
                    found.append(a - b)
                stack.append(BINARY[code](a, b) if a is not None and b is not None else None)
            else:
                a = stack.pop()
                if a is not None and code in (op.ABS, op.SIGN):
                    found.append(a)
                stack.append(UNARY[code](a) if a is not None else None)
    return found


def changes_of_side(t: tb.Tables, law, begin: float, end: float) -> list[float]:
    times = np.linspace(begin, end, SAMPLES + 1)
    found = []
    for which, values in enumerate(deciding(t, law, times)):
        positive = values > 0.0
        for k in np.flatnonzero(positive[1:] != positive[:-1])[: MOST + 1]:
            low, high, side = times[k], times[k + 1], positive[k]
            for _ in range(60):
                middle = 0.5 * (low + high)
                here = deciding(t, law, np.array([middle]))[which][0] > 0.0
                low, high = (middle, high) if here == side else (low, middle)
            found.append(nearest_round(0.5 * (low + high), end - begin))
    return found


def nearest_round(x: float, span: float) -> float:
    """x, or the short decimal number it is but for rounding."""
    short = float(f"{x:.10g}")
    return short if abs(short - x) < 1e-12 * span else x
