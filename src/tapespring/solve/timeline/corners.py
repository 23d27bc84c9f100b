"""Times at which laws of time jump or bend, so that steps can end there.

Tables jump and bend at their points. Formulas do where `abs`, `sign`, `min`, `max`, `step` or the condition of `if`
change sides: what they decide by is followed over the run by its range (`ranges`), which no crossing escapes however
short the time between two of them, and each crossing is narrowed down to rounding. Conditions that depend on the motion
are no matter of time and left out.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...mechanics import tables as tb
from .ranges import Decision, Formula
from .resolution import Pieces

ROUGH = 1e-9  # of the largest value: jumps below this are rounding
MOST = 1 << 12  # intervals at a time in which a formula may change sides
NARROWEST = 1e-13  # of the span


class Corner(NamedTuple):
    """A time, and whether the law may jump there or only bends."""

    time: float
    jumps: bool


def laws_of_motion(t: tb.Tables) -> set[int]:
    """Laws of time of drives and moving frames: their derivatives count too."""
    parts = [t.rows["law"]] + [t.motions[name] for name in ("law", "spin_law", "turn_law")]
    return {int(i) for part in parts for i in np.ravel(part) if i >= 0}


def laws_of_time(t: tb.Tables) -> set[int]:
    """Laws that depend on nothing else: of loads, pressures, drives and prescribed motions."""
    return laws_of_motion(t) | {
        int(i) for part in (t.loads["law"], t.pressures["law"]) for i in np.ravel(part) if i >= 0
    }


def laws_that_know_time(t: tb.Tables) -> list[int]:
    """These, and active forces that do."""
    active = {int(i) for i in t.couplings["active"] if i >= 0 and t.laws[i]["kind"] != tb.PIECEWISE}
    return sorted(laws_of_time(t) | active)


def places_of_law(t: tb.Tables, i: int) -> range:
    """Where in `numbers` those of a law stand."""
    law = t.laws[i]
    first, count = int(law["first"]), int(law["count"])
    if law["kind"] == tb.EXPRESSION:
        return range(int(law["address"]), int(law["address"]) + count)
    if law["kind"] in (tb.PIECEWISE, tb.TIMED):
        return range(first, first + count + 1 + count * (int(law["degree"]) + 2))
    return range(first, first + count)


def formula_of(t: tb.Tables, law) -> Formula:
    first, count, address = int(law["first"]), int(law["count"]), int(law["address"])
    return Formula(tuple(t.codes[first : first + count].tolist()), tuple(t.numbers[address : address + count].tolist()))


def pieces_of(t: tb.Tables, law) -> Pieces:
    first, count, degree = int(law["first"]), int(law["count"]), int(law["degree"])
    knots = t.numbers[first : first + count + 1]
    blocks = t.numbers[first + count + 1 :][: count * (degree + 2)].reshape(count, degree + 2)
    return Pieces(knots.copy(), blocks[:, : degree + 1].copy())


def corners_of_pieces(pieces: Pieces, moves: bool) -> list[Corner]:
    """Points where the value or slope jumps; of a motion also the second derivative."""
    c, h = pieces.coefficients, np.diff(pieces.knots)
    rough = np.zeros((3, len(h) - 1), bool)
    for order in range(min(3, c.shape[1])):
        powers = h[:, None] ** np.arange(c.shape[1])
        ends, starts = (c * powers).sum(axis=1), c[:, 0]
        rough[order] = np.abs(ends[:-1] - starts[1:]) > ROUGH * (np.abs(ends).max() + 1e-300)
        c = c[:, 1:] * np.arange(1, c.shape[1])
    bends: np.ndarray = np.any(rough if moves else rough[:2], axis=0)
    jumps: np.ndarray = bends if moves else rough[0]
    return [Corner(float(x), bool(j)) for x, j in zip(pieces.knots[1:-1][bends], jumps[bends], strict=True)]


def corners_of_formula(formula: Formula, begin: float, end: float, moves: bool) -> tuple[list[Corner], bool]:
    """(where the formula changes sides, whether all of them)"""
    found, all_of_them = [], True
    decisions = formula.over(np.array([begin]), np.array([end]))[1]
    for which, decision in enumerate(decisions):
        if decision.jet.timed:
            low, high, whole = crossings(formula, which, begin, end)
            all_of_them &= whole
            for time in narrowed(formula, which, low, high):
                found.append(Corner(nearest_round(float(time)), decision.jumps or moves))
    return found, all_of_them


def crossings(formula: Formula, which: int, begin: float, end: float) -> tuple[np.ndarray, np.ndarray, bool]:
    """(begin and end of intervals with one change of side each, whether none was left out)"""
    low, high = np.array([begin]), np.array([end])
    lows, highs, whole = [], [], True
    while len(low):
        decision = formula.over(low, high)[1][which]
        value, slope = decision.jet.value, decision.jet.slope
        possible = value.has_zero & ~((value.low == 0.0) & (value.high == 0.0))
        narrow = high - low <= NARROWEST * (end - begin)
        crowded = 2 * possible.sum() > MOST
        simple = (slope.low > 0.0) | (slope.high < 0.0) | narrow | crowded
        whole &= not (crowded and (possible & ~((slope.low > 0.0) | (slope.high < 0.0)) & ~narrow).any())
        changes = positive(formula, which, low) != positive(formula, which, high)
        taken = possible & simple & changes
        lows.append(low[taken])
        highs.append(high[taken])
        low, high = low[possible & ~simple], high[possible & ~simple]
        middle = 0.5 * (low + high)
        low, high = np.concatenate((low, middle)), np.concatenate((middle, high))
    return np.concatenate(lows), np.concatenate(highs), whole


def positive(formula: Formula, which: int, t: np.ndarray) -> np.ndarray:
    decision: Decision = formula.over(t, t)[1][which]
    return decision.jet.value.low > 0.0


def narrowed(formula: Formula, which: int, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Changes of side by bisection."""
    if not len(low):
        return low
    side = positive(formula, which, low)
    for _ in range(64):
        middle = 0.5 * (low + high)
        same = positive(formula, which, middle) == side
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    return 0.5 * (low + high)


def nearest_round(x: float) -> float:
    """x, or the short decimal number it is but for rounding."""
    short = float(f"{x:.10g}")
    return short if abs(short - x) <= 4.0 * np.finfo(float).eps * abs(x) else x
