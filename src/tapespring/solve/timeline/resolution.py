"""How long steps may be without passing over what a function of time does.

An interval of time is settled once eight equal parts of it show the function as it is: the steepest chord between
neighbouring samples is nearly as steep as the function gets anywhere in the interval, by bounds on its slope that hold
between samples too (`ranges.Formula`, `Pieces`). Intervals that are not are halved. Steps no longer than a part of a
settled interval cannot pass over a bump or a period; where the function is straight they may be as long as they like.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

from .ranges import Range

PARTS = 8  # of an interval, between samples
CHORDS = 2.5  # range of slopes over the steepest chord: 2 for a sine that samples follow closely
CLOSELY = 0.3  # the same where slopes are known closely
FINER = 32  # parts of an interval that tell them so
MOST = 1 << 15  # intervals at a time
LEVELS = 48  # of halving
ALIKE = 4.0  # longest steps side by side that are not told apart


class Function(Protocol):
    """A function of time with bounds on its slope."""

    straight: float  # of its largest value: bends below this are rounding

    def values(self, t: np.ndarray) -> np.ndarray:
        """At places, of any shape."""
        ...

    def slopes(self, low: np.ndarray, high: np.ndarray) -> Range:
        """Over intervals."""
        ...


class Window(NamedTuple):
    """An interval of time and the longest step in it."""

    begin: float
    end: float
    longest: float


class Pieces:
    """A piecewise polynomial: knots (n+1), coefficients (n, degree+1) ascending in (t - knot)."""

    straight = 1e-8  # some follow samples to ten digits

    def __init__(self, knots: np.ndarray, coefficients: np.ndarray):
        self.knots, self.coefficients = knots, coefficients
        n, size = coefficients.shape
        slopes = coefficients[:, 1:] * np.arange(1, size) * np.diff(knots)[:, None] ** np.arange(size - 1)
        ends = bernstein(slopes) if size > 1 else np.zeros((n, 1))
        self.steep = Range(ends.min(axis=1), ends.max(axis=1))

    @classmethod
    def through(cls, t: np.ndarray, y: np.ndarray) -> Pieces:
        """Straight from sample to sample."""
        return cls(t, np.column_stack((y[:-1], np.diff(y) / np.diff(t))))

    def values(self, t: np.ndarray) -> np.ndarray:
        piece = self.piece(t)
        z, total = t - self.knots[piece], np.zeros(np.shape(t))
        for k in range(self.coefficients.shape[1] - 1, -1, -1):
            total = total * z + self.coefficients[piece, k]
        return total

    def piece(self, t: np.ndarray) -> np.ndarray:
        return np.clip(np.searchsorted(self.knots, t, side="right") - 1, 0, len(self.coefficients) - 1)

    def slopes(self, low: np.ndarray, high: np.ndarray) -> Range:
        last = np.clip(np.searchsorted(self.knots, high, side="left") - 1, 0, len(self.coefficients) - 1)
        first = np.minimum(self.piece(low), last)
        begins = self.slopes_within(first, low, np.where(first < last, self.knots[first + 1], high))
        ends = self.slopes_within(last, np.where(first < last, self.knots[last], low), high)
        pairs = np.column_stack((np.minimum(first + 1, last), np.maximum(last, first + 1))).ravel()  # whole pieces
        of = [np.append(end, end[-1]) for end in self.steep]  # reduceat needs a place behind the last
        between = np.minimum.reduceat(of[0], pairs)[::2], np.maximum.reduceat(of[1], pairs)[::2]
        some = last > first + 1
        return Range(
            np.minimum(np.minimum(begins.low, ends.low), np.where(some, between[0], np.inf)),
            np.maximum(np.maximum(begins.high, ends.high), np.where(some, between[1], -np.inf)),
        )

    def slopes_within(self, piece: np.ndarray, low: np.ndarray, high: np.ndarray) -> Range:
        """Over intervals that lie in one piece each."""
        z, size = low - self.knots[piece], self.coefficients.shape[1]
        if size < 2:
            return Range(np.zeros(len(z)), np.zeros(len(z)))
        slopes = self.coefficients[piece, 1:] * np.arange(1, size)
        for k in range(size - 2):  # Horner's rule again and again: the same polynomial about the beginning
            for j in range(size - 3, k - 1, -1):
                slopes[:, j] += z * slopes[:, j + 1]
        ends = bernstein(slopes * (high - low)[:, None] ** np.arange(size - 1))
        return Range(ends.min(axis=1), ends.max(axis=1))


def bernstein(coefficients: np.ndarray) -> np.ndarray:
    """(n, degree+1) in powers of 0 … 1 as coefficients of Bernstein's polynomials, between which their values lie."""
    from math import comb

    degree = coefficients.shape[1] - 1
    change = [[comb(i, k) / comb(degree, k) if k <= i else 0.0 for i in range(degree + 1)] for k in range(degree + 1)]
    return coefficients @ np.array(change)


class Level(NamedTuple):
    """Intervals of one size. Halves of the j-th that is not settled at first are j and n + j of the next level."""

    low: np.ndarray
    high: np.ndarray
    chord: np.ndarray  # the steepest one
    steep: Range  # slopes; of those settled at first, known closely
    halved: np.ndarray  # numbers of those not settled at first


def windows_of(function: Function, segments: list[tuple[float, float]]) -> tuple[list[Window], float]:
    """(windows that cover the segments, within which the function is smooth; the length of intervals that were left
    unsettled because there were too many, else 0)."""
    low, high = (np.array(ends, float) for ends in zip(*segments, strict=True))
    levels: list[Level] = []
    largest = 1e-300
    for _ in range(LEVELS):
        width = high - low
        values = function.values(low[:, None] + width[:, None] * np.linspace(0.0, 1.0, PARTS + 1))
        values = np.nan_to_num(values, nan=0.0, posinf=0.0, neginf=0.0)
        largest = max(largest, float(np.abs(values).max()))
        chord = np.abs(np.diff(values, axis=1)).max(axis=1) * PARTS / width
        steep = Range(*(np.array(np.broadcast_to(end, low.shape)) for end in function.slopes(low, high)))
        settled, _ = judged(function, width, chord, steep, largest, CHORDS)
        steep.low[settled], steep.high[settled] = close_slopes(function, low[settled], high[settled])
        levels.append(Level(low, high, chord, steep, np.flatnonzero(~settled)))
        low, high = low[~settled], high[~settled]
        if not len(low) or 2 * len(low) > MOST:
            break
        middle = 0.5 * (low + high)
        low, high = np.concatenate((low, middle)), np.concatenate((middle, high))
    return settled_windows(function, levels, largest)


def judged(
    function: Function, width, chord, steep: Range, largest: float, most: float
) -> tuple[np.ndarray, np.ndarray]:
    """(which intervals are settled, the longest step in each); most: range of slopes over the steepest chord."""
    with np.errstate(over="ignore"):
        spread = np.nan_to_num(steep.high - steep.low, nan=np.inf)
    straight = spread * width <= function.straight * largest
    return straight | (spread <= most * chord), np.where(straight, np.inf, width / PARTS)


def close_slopes(function: Function, low: np.ndarray, high: np.ndarray) -> Range:
    """Over intervals, from those of many parts of each."""
    edges = low[:, None] + (high - low)[:, None] * np.linspace(0.0, 1.0, FINER + 1)
    steep = function.slopes(edges[:, :-1].ravel(), edges[:, 1:].ravel())
    of = [np.broadcast_to(end, len(low) * FINER).reshape(len(low), FINER) for end in steep]
    return Range(of[0].min(axis=1), of[1].max(axis=1))


def settled_windows(function: Function, levels: list[Level], largest: float) -> tuple[list[Window], float]:
    """The widest intervals that are settled, by what their halves know of slopes: where terms of a formula cancel,
    its slopes over a wide interval are not known well, and steps must not be short for that alone."""
    steep = [levels[-1].steep]
    for level in reversed(levels[:-1]):
        n, below, (low, high) = len(level.halved), steep[0], (end.copy() for end in level.steep)
        low[level.halved] = np.minimum(below.low[:n], below.low[n:])
        high[level.halved] = np.maximum(below.high[:n], below.high[n:])
        steep.insert(0, Range(low, high))
    found, asked = [], np.ones(len(levels[0].low), bool)
    for level, known in zip(levels, steep, strict=True):
        settled, longest = judged(function, level.high - level.low, level.chord, known, largest, CLOSELY)
        at_first = np.ones(len(settled), bool)
        at_first[level.halved] = False
        settled |= at_first
        found.append(np.column_stack((level.low, level.high, longest))[asked & settled])
        left = level.halved[(asked & ~settled)[level.halved]]
        asked = np.tile((asked & ~settled)[level.halved], 2)
    if not len(left):
        return joined(found), 0.0
    low, high = levels[-1].low[left], levels[-1].high[left]
    found.append(np.column_stack((low, high, np.full(len(low), np.inf))))
    return joined(found), float((high - low).max()) / PARTS


def joined(found: list[np.ndarray]) -> list[Window]:
    """In order; neighbours that allow about the same are one."""
    rows = np.concatenate(found)
    rows = rows[np.argsort(rows[:, 0], kind="stable")]
    out: list[Window] = []
    most = 0.0  # that any window joined to the last one allows: windows shorter and shorter are not one
    for begin, end, longest in rows.tolist():
        if out and out[-1].end == begin and alike(min(out[-1].longest, longest), max(most, longest)):
            out[-1] = Window(out[-1].begin, end, min(out[-1].longest, longest))
            most = max(most, longest)
        else:
            out.append(Window(begin, end, longest))
            most = longest
    return out


def alike(a: float, b: float) -> bool:
    return a == b or max(a, b) <= ALIKE * min(a, b)
