"""Interval arithmetic: between which numbers a formula of time and its slope lie over whole intervals of time.

Where samples only say what a function is at some places, a range holds for all places between: a formula whose range
over an interval is narrow hides nothing in it. Each operation works on arrays of intervals at once. A range is never
too narrow (but for rounding); it may be too wide where the same variable stands in it twice, and narrows as intervals
do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ...mechanics import laws as op
from ...mechanics import tables as tb

ELSEWHERE = 1.0  # x and v where a formula of time, coordinate and rate is looked at


class Range(NamedTuple):
    """Lower and upper ends."""

    low: np.ndarray
    high: np.ndarray

    @property
    def has_zero(self) -> np.ndarray:
        return (self.low <= 0.0) & (self.high >= 0.0)


class Jet(NamedTuple):
    """Ranges of a function and of its slope in time; `timed`: it depends on nothing else."""

    value: Range
    slope: Range
    timed: bool


@dataclass
class Decision:
    """What a formula decides by: it goes on differently where this passes zero."""

    jet: Jet
    jumps: bool  # the formula may jump there, not only bend


def number(x: float) -> Range:
    return Range(np.array(x), np.array(x))


ONE = number(1.0)
ALL = Range(np.array(-np.inf), np.array(np.inf))


def add(a: Range, b: Range) -> Range:
    return Range(a.low + b.low, a.high + b.high)


def negative(a: Range) -> Range:
    return Range(-a.high, -a.low)


def times(a: Range, b: Range) -> Range:
    ends = np.array([a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high])
    ends[np.isnan(ends)] = 0.0  # 0 times infinity
    return Range(ends.min(axis=0), ends.max(axis=0))


def inverse(a: Range) -> Range:
    return chosen(a.has_zero, ALL, Range(1.0 / a.high, 1.0 / a.low))


def hull(a: Range, b: Range) -> Range:
    return Range(np.minimum(a.low, b.low), np.maximum(a.high, b.high))


def chosen(condition, a: Range, b: Range) -> Range:
    return Range(np.where(condition, a.low, b.low), np.where(condition, a.high, b.high))


def rising(function, a: Range) -> Range:
    return Range(function(a.low), function(a.high))


def within(a: Range, low: float, high: float) -> Range:
    return Range(np.clip(a.low, low, high), np.clip(a.high, low, high))


def size(a: Range) -> Range:
    """Of absolute values."""
    far = np.maximum(np.abs(a.low), np.abs(a.high))
    return Range(np.where(a.has_zero, 0.0, np.minimum(np.abs(a.low), np.abs(a.high))), far)


def sine(a: Range, ahead: float = 0.0) -> Range:
    """Of a + ahead."""
    low, high = a.low + ahead, a.high + ahead
    turn = 2.0 * np.pi

    def passes(place: float) -> np.ndarray:
        return np.floor((high - place) / turn) >= np.ceil((low - place) / turn)

    ends = np.sort(np.array([np.sin(low), np.sin(high)]), axis=0)
    wild = ~np.isfinite(high - low)
    return Range(
        np.where(passes(-0.5 * np.pi) | wild, -1.0, ends[0]), np.where(passes(0.5 * np.pi) | wild, 1.0, ends[1])
    )


def cosine(a: Range) -> Range:
    return sine(a, 0.5 * np.pi)


def tangent(a: Range) -> Range:
    return chosen(cosine(a).has_zero, ALL, rising(np.tan, a))


def whole_power(a: Range, p: float) -> Range:
    """A whole number as exponent, 0 or more."""
    of = size(a) if p % 2 == 0 else a
    return rising(lambda x: x**p, of)


def power(a: Range, p: float) -> Range:
    if p.is_integer():
        return whole_power(a, p) if p >= 0.0 else inverse(whole_power(a, -p))
    base = within(a, 0.0, np.inf)
    return rising(lambda x: x**p, base) if p > 0.0 else inverse(rising(lambda x: x**-p, base))


def square(a: Range) -> Range:
    return whole_power(a, 2.0)


def bump_of_step(a: Range) -> Range:
    """6 a (1 - a) within 0 … 1: the slope of a smooth step."""
    inside = within(a, 0.0, 1.0)
    ends = np.sort(np.array([6.0 * x * (1.0 - x) for x in inside]), axis=0)
    return Range(ends[0], np.where((inside.low <= 0.5) & (inside.high >= 0.5), 1.5, ends[1]))


def smooth_step(x):
    s = np.clip(x, 0.0, 1.0)
    return s * s * (3.0 - 2.0 * s)


def halves(a: Range) -> Range:
    """1/(2 √a)"""
    return inverse(times(number(2.0), rising(np.sqrt, within(a, 0.0, np.inf))))


def steep_arc(a: Range) -> Range:
    """1/√(1 - a²)"""
    return inverse(rising(np.sqrt, within(add(ONE, negative(square(a))), 0.0, 1.0)))


#: (range, range of the derivative) of elementary functions.
UNARY: dict[int, Any] = {
    op.SIN: (sine, cosine),
    op.COS: (cosine, lambda a: negative(sine(a))),
    op.TAN: (tangent, lambda a: add(ONE, square(tangent(a)))),
    op.ASIN: (lambda a: rising(np.arcsin, within(a, -1.0, 1.0)), steep_arc),
    op.ACOS: (lambda a: Range(np.arccos(np.clip(a.high, -1.0, 1.0)), np.arccos(np.clip(a.low, -1.0, 1.0))),
              lambda a: negative(steep_arc(a))),
    op.ATAN: (lambda a: rising(np.arctan, a), lambda a: inverse(add(ONE, square(a)))),
    op.SINH: (lambda a: rising(np.sinh, a), lambda a: rising(np.cosh, size(a))),
    op.COSH: (lambda a: rising(np.cosh, size(a)), lambda a: rising(np.sinh, a)),
    op.TANH: (lambda a: rising(np.tanh, a), lambda a: inverse(square(rising(np.cosh, size(a))))),
    op.EXP: (lambda a: rising(np.exp, a), lambda a: rising(np.exp, a)),
    op.LOG: (lambda a: rising(np.log, within(a, 0.0, np.inf)), lambda a: inverse(within(a, 0.0, np.inf))),
    op.SQRT: (lambda a: rising(np.sqrt, within(a, 0.0, np.inf)), halves),
    op.STEP: (lambda a: rising(smooth_step, a), bump_of_step),
}  # fmt: skip


class Formula:
    """A postfix program as the engine holds it."""

    straight = 1e-12  # see resolution.Function

    def __init__(self, codes: tuple[int, ...], operands: tuple[float, ...]):
        self.codes, self.operands = codes, operands

    def values(self, t: np.ndarray) -> np.ndarray:
        """At places, of any shape."""
        flat = np.ravel(t)
        return np.broadcast_to(self.over(flat, flat)[0].value.low, flat.shape).reshape(np.shape(t))

    def slopes(self, low: np.ndarray, high: np.ndarray) -> Range:
        """Over intervals."""
        return self.over(low, high)[0].slope

    def over(self, low: np.ndarray, high: np.ndarray) -> tuple[Jet, list[Decision]]:
        """The formula over intervals of time, and what it decides by in order."""
        nothing = np.zeros(len(low))
        stack: list[Jet] = []
        found: list[Decision] = []
        with np.errstate(all="ignore"):
            for code, operand in zip(self.codes, self.operands, strict=True):
                if code == op.CONST:
                    here = nothing + operand
                    stack.append(Jet(Range(here, here), Range(nothing, nothing), True))
                elif code == op.VAR and int(operand) == tb.OF_TIME:
                    stack.append(Jet(Range(low, high), Range(nothing + 1.0, nothing + 1.0), True))
                elif code == op.VAR:
                    here = nothing + ELSEWHERE
                    stack.append(Jet(Range(here, here), Range(nothing, nothing), False))
                elif code == op.WHERE:
                    other, one, condition = stack.pop(), stack.pop(), stack.pop()
                    found.append(Decision(condition, True))
                    stack.append(either(condition, one, other))
                elif code in (op.ADD, op.SUB, op.MUL, op.DIV, op.POW, op.ATAN2, op.MIN, op.MAX):
                    b, a = stack.pop(), stack.pop()
                    if code in (op.MIN, op.MAX):
                        found.append(Decision(combined(op.SUB, a, b), False))
                    stack.append(combined(code, a, b))
                else:
                    a = stack.pop()
                    if code in (op.ABS, op.SIGN, op.STEP):
                        found.append(Decision(a, code == op.SIGN))
                    if code == op.STEP:
                        found.append(Decision(a._replace(value=Range(a.value.low - 1.0, a.value.high - 1.0)), False))
                    stack.append(of_one(code, a))
        return stack[0], found


def either(condition: Jet, a: Jet, b: Jet) -> Jet:
    """a where the condition is positive, else b; its slope is unknown where that changes."""
    surely, never = condition.value.low > 0.0, condition.value.high <= 0.0
    value = chosen(surely, a.value, chosen(never, b.value, hull(a.value, b.value)))
    slope = chosen(surely, a.slope, chosen(never, b.slope, ALL))
    return Jet(value, slope, condition.timed and a.timed and b.timed)


def of_one(code: int, a: Jet) -> Jet:
    if code == op.NEG:
        return Jet(negative(a.value), negative(a.slope), a.timed)
    if code == op.ABS:
        up, down = a.value.low >= 0.0, a.value.high <= 0.0
        back = negative(a.slope)
        return Jet(size(a.value), chosen(up, a.slope, chosen(down, back, hull(a.slope, back))), a.timed)
    if code == op.SIGN:
        still = Range(0.0 * a.slope.low, 0.0 * a.slope.high)
        return Jet(rising(np.sign, a.value), chosen((a.value.low > 0.0) | (a.value.high < 0.0), still, ALL), a.timed)
    function, derivative = UNARY[code]
    return Jet(function(a.value), times(derivative(a.value), a.slope), a.timed)


def combined(code: int, a: Jet, b: Jet) -> Jet:
    timed = a.timed and b.timed
    if code == op.ADD:
        return Jet(add(a.value, b.value), add(a.slope, b.slope), timed)
    if code == op.SUB:
        return Jet(add(a.value, negative(b.value)), add(a.slope, negative(b.slope)), timed)
    if code == op.MUL:
        return Jet(times(a.value, b.value), add(times(a.slope, b.value), times(a.value, b.slope)), timed)
    if code == op.DIV:
        over = inverse(b.value)
        value = times(a.value, over)
        return Jet(value, times(add(a.slope, negative(times(value, b.slope))), over), timed)
    if code == op.POW:
        return raised(a, b)
    if code == op.ATAN2:
        over = inverse(add(square(a.value), square(b.value)))
        change = add(times(b.value, a.slope), negative(times(a.value, b.slope)))
        angle = np.arctan2(a.value.low, b.value.low)
        point = (a.value.low == a.value.high) & (b.value.low == b.value.high)
        turn = Range(np.full_like(angle, -np.pi), np.full_like(angle, np.pi))
        return Jet(chosen(point, Range(angle, angle), turn), times(change, over), timed)
    least = np.minimum if code == op.MIN else np.maximum
    a_first = a.value.high <= b.value.low if code == op.MIN else a.value.low >= b.value.high
    b_first = b.value.high <= a.value.low if code == op.MIN else b.value.low >= a.value.high
    slope = chosen(a_first, a.slope, chosen(b_first, b.slope, hull(a.slope, b.slope)))
    return Jet(Range(least(a.value.low, b.value.low), least(a.value.high, b.value.high)), slope, timed)


def raised(a: Jet, b: Jet) -> Jet:
    """a ** b; a constant exponent allows a base of any sign."""
    p = b.value.low.flat[0] if len(b.value.low) else 0.0
    fixed = (b.value.low == p).all() and (b.value.high == p).all() and not b.slope.low.any() and not b.slope.high.any()
    if fixed and p == 0.0:
        return Jet(Range(0.0 * a.value.low + 1.0, 0.0 * a.value.high + 1.0), times(a.slope, number(0.0)), a.timed)
    if fixed:
        steep = times(number(p), power(a.value, p - 1.0))
        return Jet(power(a.value, p), times(steep, a.slope), a.timed and b.timed)
    exponent = combined(op.MUL, of_one(op.LOG, a), b)
    return of_one(op.EXP, exponent)
