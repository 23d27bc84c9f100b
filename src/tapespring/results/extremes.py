"""Smallest and largest values of a channel, between outputs too.

Steps of a run are known by the channel's values at their ends (`Steps`). An extreme may lie within a step: those in
which the channel could pass the extreme of all ends, by twice what its curvature there allows and more, are looked
at in POINTS places within. A parabola through the three best ones tells which of them reach farthest; in those that
are smooth, the polynomial through all places is as good as the run itself. Extremes therefore do not depend on the
outputs that were asked for.

Where a scheme takes steps so long that a channel changes by more than ROUGH of its range from one to the next, its
extreme hangs on the step: it is `rough`, and is said to be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

POINTS = 15  # within a step
NODES = 0.5 - 0.5 * np.cos(np.pi * np.arange(POINTS + 2) / (POINTS + 1))  # of Chebyshev, shares of a step
SHARES = NODES[1:-1]
WEIGHTS = np.where(np.arange(POINTS + 2) % (POINTS + 1) == 0, 0.5, 1.0) * (-1.0) ** np.arange(POINTS + 2)
GUESSES = np.linspace(0.0, 1.0, 9)
BEST, BETWEEN = 3, 41  # steps whose polynomials are looked at, and where
MOST_STEPS = 24  # looked into, for one extreme
ROUGH = 0.1  # of the range: a swing of fewer than five steps a period
AT_ONCE = 1000  # steps that are looked into
FIELD = 9  # components, beyond which only ends of steps count: channels of all nodes or elements

Array = NDArray[np.float64]
Asked = dict[tuple[int, float], NDArray[np.int64]]  # by component and sign of the extreme


class Steps(NamedTuple):
    """A channel at the ends of steps; a time may stand twice, before and after a change."""

    time: Array  # (n,)
    length: Array  # (n,) of the step that begins at each [s]; 0 where none does, or several do
    exact: NDArray[np.bool_]  # (n,) whether this step is resolved to the tolerance within, too
    ends: Callable[[], Array]  # values (n, k)
    inside: Callable[[NDArray[np.int64]], Array]  # values (steps, POINTS, k) within steps that begin at these
    run: Any = None  # whatever `look_into(steps)` evaluates steps of for all its channels at once

    def series(self) -> tuple[Array, Array]:
        """Times and values at all ends, and within steps that are resolved there."""
        table = self.ends()
        which = np.flatnonzero(self.exact & (self.length > 0.0)) if table.shape[1] <= FIELD else np.zeros(0, np.int64)
        blocks = np.split(which, range(AT_ONCE, len(which), AT_ONCE))
        within = [self.inside(block) for block in blocks if len(block)]
        if not within:
            return self.time, table
        times = self.time[which, None] + self.length[which, None] * SHARES
        where = np.repeat(which + 1, POINTS)
        return (
            np.insert(self.time, where, times.ravel()),
            np.insert(table, where, np.concatenate(within).reshape(-1, table.shape[1]), axis=0),
        )


def at_rows(time: Array, values: Callable[[], Array]) -> Steps:
    """A part of a run that is known at its rows alone, nothing else being there to be known."""
    n = len(time)
    return Steps(
        time, np.zeros(n), np.ones(n, bool), lambda: values().reshape(n, -1), lambda which: np.zeros((0, POINTS, 1))
    )


class Extremes(NamedTuple):
    """Of each component (k,); not a number where a component never is one."""

    low: Array
    low_time: Array
    high: Array
    high_time: Array
    rough: NDArray[np.bool_]  # the larger of both hangs on the step

    @property
    def sizes(self) -> Array:
        """Of the larger extreme, without its sign."""
        return np.fmax(np.abs(self.low), np.abs(self.high))

    def plain(self) -> dict[str, list[float]]:
        """As lists, for a file."""
        return {name: a.tolist() for name, a in self._asdict().items()}

    @classmethod
    def of_plain(cls, lists: dict[str, list[float]]) -> Extremes:
        """What `plain` gave."""
        return cls(**{name: np.array(lists[name], bool if name == "rough" else float) for name in cls._fields})

    def of(self, k: int) -> Extremes:
        """Of one component."""
        one = slice(k, k + 1)
        return Extremes(self.low[one], self.low_time[one], self.high[one], self.high_time[one], self.rough[one])

    def together(self, other: Extremes) -> Extremes:
        """Of two parts of a run, or of the same part seen in two ways."""
        lower, higher = _before(other.low, self.low), _before(-other.high, -self.high)
        return Extremes(
            np.where(lower, other.low, self.low), np.where(lower, other.low_time, self.low_time),
            np.where(higher, other.high, self.high), np.where(higher, other.high_time, self.high_time),
            np.where(_before(-other.sizes, -self.sizes), other.rough, self.rough),
        )  # fmt: skip


def _before(a: Array, b: Array) -> NDArray[np.bool_]:
    """Whether a is less than b, or b is not a number while a is one."""
    return (a < b) | (np.isnan(b) & ~np.isnan(a))


def of_rows(time: Array, values: Array) -> Extremes:
    """Of values (n, k), or (n,), at times."""
    table = values.reshape(len(time), -1)
    low, high = np.where(np.isnan(table), np.inf, table), np.where(np.isnan(table), -np.inf, table)
    known = ~np.isnan(table).all(axis=0)
    i, j = low.argmin(axis=0), high.argmax(axis=0)
    column = np.arange(table.shape[1])

    def put(found: Array) -> Array:
        return np.where(known, found, np.nan)

    return Extremes(
        put(low[i, column]), put(time[i]), put(high[j, column]), put(time[j]), np.zeros(table.shape[1], np.bool_)
    )


def of_steps(steps: Steps, look_inside: bool = True) -> Extremes:
    """Of all ends of steps, and of what lies within."""
    table = steps.ends()
    found = of_rows(steps.time, table)
    if not look_inside or table.shape[1] > FIELD or not (steps.length > 0.0).any():
        return found._replace(rough=_rough(steps, table, found))
    asked = _asked(steps, table)
    which = np.unique(np.concatenate(list(asked.values())))
    if len(which):
        within = steps.inside(which)
        found = found.together(_refined(steps, table, which, within, asked))
    return found._replace(rough=_rough(steps, table, found))


def look_ahead(all_steps: Iterable[Steps]) -> None:
    """Have whatever runs these channels are of look into all steps that they will ask for, at once."""
    listed = sorted(all_steps, key=lambda steps: id(steps.run))
    for _, of_run in groupby(listed, key=lambda steps: id(steps.run)):
        wanted, run = [np.zeros(0, np.int64)], None
        for steps in of_run:
            run, table = steps.run, steps.ends()
            if table.shape[1] <= FIELD:
                wanted += _asked(steps, table).values()
        which = np.unique(np.concatenate(wanted))
        if run is not None and 0 < len(which) <= AT_ONCE:
            run.look_into(which)


def _asked(steps: Steps, table: Array) -> Asked:
    """Steps to look into for the largest (1) and smallest (-1) value of each component."""
    return {(k, sign): _promising(steps, sign * table[:, k]) for k in range(table.shape[1]) for sign in (-1.0, 1.0)}


def _promising(steps: Steps, y: Array) -> NDArray[np.int64]:
    """Steps in which y may be larger than at all ends, the most promising first."""
    if len(y) < 2 or not np.isfinite(y).any():
        return np.zeros(0, np.int64)
    h, known = steps.length[:-1], steps.length[:-1] > 0.0
    bend, slope = np.full((2, len(y)), np.nan)  # at each end, where it is within a smooth stretch
    with np.errstate(all="ignore"):
        chord = np.where(known, np.diff(y) / h, np.nan)
        bend[1:-1] = np.diff(chord) / (h[:-1] + h[1:])  # half the second derivative
        slope[1:-1] = chord[:-1] + bend[1:-1] * h[:-1]
        left = np.where(np.isnan(slope[:-1]), chord - bend[1:] * h, slope[:-1])
        right = np.where(np.isnan(slope[1:]), chord + bend[:-1] * h, slope[1:])
        most = np.fmax(np.abs(bend[:-1]), np.abs(bend[1:])) * h**2
        could = np.where(known, np.fmax(y[:-1], y[1:]) + np.where(np.isnan(most), np.inf, most), -np.inf)
        guess = np.fmax.reduce([_cubic(y[:-1], y[1:], h * left, h * right, x) for x in GUESSES])
        guess = np.where(np.isnan(guess), could, guess)
    best = np.nanmax(y)
    able = np.flatnonzero(could > best + 1e-14 * abs(best))
    return able[np.argsort(-guess[able], kind="stable")[:MOST_STEPS]]


def _cubic(a: Array, b: Array, a_slope: Array, b_slope: Array, x: float) -> Array:
    """Of values and slopes at both ends, at a share of the way."""
    return a + x * (a_slope + x * (3.0 * (b - a) - 2.0 * a_slope - b_slope + x * (a_slope + b_slope - 2.0 * (b - a))))


def _refined(steps: Steps, table: Array, which: NDArray[np.int64], within: Array, asked: Asked) -> Extremes:
    """Extremes within steps that were looked at."""
    k = table.shape[1]
    empty = np.full(k, np.nan)
    low, low_time, high, high_time = empty.copy(), empty.copy(), empty.copy(), empty.copy()
    for (c, sign), own in asked.items():
        if not len(own):
            continue
        rows = np.searchsorted(which, own)
        y = sign * np.concatenate((table[own, None, c], within[rows, :, c], table[own + 1, None, c]), axis=1)
        top, at = parabolic_peak(NODES, y)
        for i in np.argsort(-np.where(np.isnan(top), -np.inf, top), kind="stable")[:BEST]:
            if steps.exact[own[i]]:
                top[i], at[i] = polynomial_peak(y[i])
        best = int(np.argmax(np.where(np.isnan(top), -np.inf, top)))
        value, time = sign * top[best], steps.time[own[best]] + at[best] * steps.length[own[best]]
        if sign > 0.0:
            high[c], high_time[c] = value, time
        else:
            low[c], low_time[c] = value, time
    return Extremes(low, low_time, high, high_time, np.zeros(k, bool))


def parabolic_peak(x: Array, y: Array) -> tuple[Array, Array]:
    """(largest value, where) of each row of y (m, n) over x (n,): by a parabola through the best and its neighbours."""
    y = np.where(np.isnan(y), -np.inf, y)
    i, m = y.argmax(axis=1), np.arange(len(y))
    top, at = y[m, i], x[i]
    j = np.clip(i, 1, len(x) - 2)
    a, b, c = y[m, j - 1], y[m, j], y[m, j + 1]
    left, right = x[j] - x[j - 1], x[j + 1] - x[j]
    with np.errstate(all="ignore"):
        before, after = (b - a) / left, (c - b) / right
        bend = (before - after) / (left + right)
        slope = before - bend * left
        shift = slope / (2.0 * bend)
        peak, where = b + 0.25 * slope**2 / bend, x[j] + shift
        good = (i == j) & (bend > 0.0) & (shift >= -left) & (shift <= right) & np.isfinite(peak)
    return np.where(good, np.fmax(peak, top), top), np.where(good & (peak >= top), where, at)


def polynomial_peak(y: Array) -> tuple[float, float]:
    """(largest value, where) of the polynomial through y at the NODES, next to the largest of these; where it swings
    beyond its neighbours, as at a kink, the parabola's."""
    [peak], [at] = parabolic_peak(NODES, y[None])
    k = int(np.clip(np.argmax(y), 1, len(y) - 2))
    around, size = y[k - 1 : k + 2], y.max() - y[k - 1 : k + 2].min()
    x = np.linspace(NODES[k - 1], NODES[k + 1], BETWEEN)[1:-1]
    x = x[np.abs(x[:, None] - NODES).min(axis=1) > 1e-12]
    if not np.isfinite(around).all() or not np.isfinite(y).all():
        return float(peak), float(at)
    weights = WEIGHTS / (x[:, None] - NODES)
    x, found = np.append(x, NODES[k]), np.append(weights @ y / weights.sum(axis=1), y[k])
    order = np.argsort(x)
    [value], [where] = parabolic_peak(x[order], found[order][None])
    if not abs(value - peak) <= size:
        return float(peak), float(at)
    return max(float(value), float(y.max())), float(where)


def _rough(steps: Steps, table: Array, found: Extremes) -> NDArray[np.bool_]:
    """Whether the larger extreme falls by much of the range within the steps beside it."""
    out = np.zeros(table.shape[1], bool)
    joined = np.diff(steps.time) > 0.0
    for c in range(table.shape[1]):
        y, span = table[:, c], found.high[c] - found.low[c]
        if not span > 0.0:
            continue
        top = abs(found.high[c]) >= abs(found.low[c])
        value, time = (found.high[c], found.high_time[c]) if top else (found.low[c], found.low_time[c])
        k = int(np.searchsorted(steps.time, time, side="right")) - 1
        for end in (k - 1, k, k + 1):  # steps beside it
            if 0 <= end < len(joined) and joined[end] and not steps.exact[end]:
                near = steps.time[end] <= time <= steps.time[end + 1]
                far = np.nanmax(np.abs(value - y[end : end + 2])) if np.isfinite(y[end : end + 2]).any() else 0.0
                out[c] |= bool(near and far > ROUGH * span)
    return out
