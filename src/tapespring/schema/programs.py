"""Formulas as postfix programs: the operations, what they mean, and a plain evaluator of reference."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum


class Op(IntEnum):
    """Operations of a postfix program. The numbers are shared with the compiled evaluator: append, never reorder."""

    CONST = 0
    VAR = 1
    ADD = 2
    SUB = 3
    MUL = 4
    DIV = 5
    POW = 6
    NEG = 7
    SIN = 8
    COS = 9
    TAN = 10
    ASIN = 11
    ACOS = 12
    ATAN = 13
    ATAN2 = 14
    SINH = 15
    COSH = 16
    TANH = 17
    EXP = 18
    LOG = 19
    SQRT = 20
    ABS = 21
    SIGN = 22
    MIN = 23
    MAX = 24
    STEP = 25
    WHERE = 26


@dataclass(frozen=True)
class Program:
    """A postfix program: `codes[i]` is an Op, `values[i]` its operand (a constant, or the index of a variable)."""

    codes: tuple[int, ...]
    values: tuple[float, ...]

    @property
    def stack_depth(self) -> int:
        """The largest number of values held at once."""
        held = deepest = 0
        for code in self.codes:
            held += 1 - OPERANDS[Op(code)]
            deepest = max(deepest, held)
        return deepest


def _ieee(function: Callable[..., float]) -> Callable[..., float]:
    """nan or inf where Python would raise, as compiled code gives."""

    def guarded(*operands: float) -> float:
        try:
            return function(*operands)
        except ValueError:
            return math.nan
        except OverflowError:
            return math.inf

    return guarded


def _divide(a: float, b: float) -> float:
    if b == 0.0:
        return math.nan if a == 0.0 or math.isnan(a) else math.copysign(math.inf, a) * math.copysign(1.0, b)
    return a / b


def _power(a: float, b: float) -> float:
    if a == 0.0 and b < 0.0:
        return math.inf
    return math.pow(a, b)


def _log(x: float) -> float:
    return -math.inf if x == 0.0 else math.log(x)


def smooth_step(x: float) -> float:
    """0 below 0, 1 above 1, x²(3 - 2x) between."""
    s = min(max(x, 0.0), 1.0)
    return s * s * (3.0 - 2.0 * s)


def _sign(x: float) -> float:
    return float((x > 0.0) - (x < 0.0))


#: What each operation does to its operands: number of operands and meaning.
MEANING: dict[Op, tuple[int, Callable[..., float]]] = {
    Op.ADD: (2, lambda a, b: a + b),
    Op.SUB: (2, lambda a, b: a - b),
    Op.MUL: (2, lambda a, b: a * b),
    Op.DIV: (2, _divide),
    Op.POW: (2, _ieee(_power)),
    Op.NEG: (1, lambda a: -a),
    Op.SIN: (1, _ieee(math.sin)),
    Op.COS: (1, _ieee(math.cos)),
    Op.TAN: (1, _ieee(math.tan)),
    Op.ASIN: (1, _ieee(math.asin)),
    Op.ACOS: (1, _ieee(math.acos)),
    Op.ATAN: (1, math.atan),
    Op.ATAN2: (2, math.atan2),
    Op.SINH: (1, lambda x: math.copysign(_ieee(math.sinh)(abs(x)), x)),
    Op.COSH: (1, _ieee(math.cosh)),
    Op.TANH: (1, math.tanh),
    Op.EXP: (1, _ieee(math.exp)),
    Op.LOG: (1, _ieee(_log)),
    Op.SQRT: (1, _ieee(math.sqrt)),
    Op.ABS: (1, abs),
    Op.SIGN: (1, _sign),
    Op.MIN: (2, min),
    Op.MAX: (2, max),
    Op.STEP: (1, smooth_step),
    Op.WHERE: (3, lambda c, a, b: a if c > 0.0 else b),
}

OPERANDS: dict[Op, int] = {Op.CONST: 0, Op.VAR: 0, **{op: count for op, (count, _) in MEANING.items()}}


def evaluate(program: Program, variables: Sequence[float] = ()) -> float:
    """The value of a program: the plain reference that compiled evaluators are tested against."""
    stack: list[float] = []
    for code, value in zip(program.codes, program.values, strict=True):
        if code == Op.CONST:
            stack.append(value)
        elif code == Op.VAR:
            stack.append(float(variables[int(value)]))
        else:
            count, meaning = MEANING[Op(code)]
            operands = stack[-count:]
            del stack[-count:]
            stack.append(meaning(*operands))
    return stack[0]
