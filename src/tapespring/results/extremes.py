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

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

POINTS = 15  # within a step
PLACES = np.arange(POINTS + 2)
NODES = 0.5 - 0.5 * np.cos(np.pi * PLACES / (POINTS + 1))  # of Chebyshev, shares of a step
SHARES = NODES[1:-1]
HALVED = np.where(PLACES % (POINTS + 1) == 0, 0.5, 1.0)  # at both ends
WEIGHTS = HALVED * (-1.0) ** PLACES
GUESSES = np.linspace(0.0, 1.0, 9)
BEST, BETWEEN = 3, 20  # steps whose polynomials are looked at, and in how many places on each side of a node
FADED = 1e-3  # of the range: highest terms of Chebyshev's series, beyond which a channel is not smooth within a step
WIDE = 64  # components that are looked at together
MOST_STEPS = 24  # looked into, for one extreme
ROUGH = 0.1  # of the range: a swing of fewer than five steps a period
AT_ONCE = 1000  # steps that are looked into
FIELD = 9  # components, beyond which only ends of steps count: channels of all nodes or elements

Array = NDArray[np.float64]


def fine_places() -> tuple[Array, Array]:
    """Places (nodes within, 2 BETWEEN + 1) around each node within a step, and what each node's value weighs there in
    the polynomial through all; nothing is said of the node itself."""
    part = np.arange(1, BETWEEN + 1) / (BETWEEN + 1)
    before, node, after = NODES[:-2, None], NODES[1:-1, None], NODES[2:, None]
    x = np.concatenate((before + part * (node - before), node, node + part * (after - node)), axis=1)
    with np.errstate(all="ignore"):
        weights = WEIGHTS / (x[..., None] - NODES)
        weights /= weights.sum(axis=2, keepdims=True)
    weights[:, BETWEEN] = 0.0
    return x, weights


FINE, FINE_WEIGHTS = fine_places()
HIGHEST = (
    np.cos(np.pi * np.outer((POINTS - 1, POINTS, POINTS + 1), PLACES) / (POINTS + 1)) * HALVED * 2.0 / (POINTS + 1)
)


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


def of_all(listed: Sequence[Steps]) -> list[Extremes]:
    """Of many channels, those of one run together: steps that any of them asks for are evaluated for all at once."""
    found: list[Extremes | None] = [None] * len(listed)
    runs: dict[int, dict[int, Array]] = {}
    for i, steps in enumerate(listed):
        table = steps.ends()
        if table.shape[1] <= FIELD and len(table) > 1 and (steps.length > 0.0).any():
            runs.setdefault(id(steps if steps.run is None else steps.run), {})[i] = table
        else:
            found[i] = _with_rough(of_rows(steps.time, table), steps, table)
    for tables in runs.values():
        sides = list(_side_by_side(listed, tables))
        asked = [_asked(side) for side in sides]
        run, which = sides[0].channels[0].run, np.unique(np.concatenate([a.step for a in asked]))
        if run is not None and 0 < len(which) <= AT_ONCE:
            run.look_into(which)
        parts = [part for side, a in zip(sides, asked, strict=True) for part in side.parts(_of_side(side, a))]
        for i, part in zip(tables, parts, strict=True):
            found[i] = part
    return [one for one in found if one is not None]


class Side(NamedTuple):
    """Channels of one run side by side."""

    channels: list[Steps]
    ends: NDArray[np.int64]  # columns at which the next channel begins
    table: Array  # (n, components of all)

    def within(self, which: NDArray[np.int64]) -> Array:
        """Values (steps, POINTS, components) within steps."""
        blocks = np.split(which, range(AT_ONCE, len(which), AT_ONCE))
        return np.concatenate([np.concatenate([c.inside(b) for c in self.channels], axis=2) for b in blocks])

    def parts(self, found: Extremes) -> list[Extremes]:
        """Those of each channel."""
        return [Extremes(*arrays) for arrays in zip(*(np.split(a, self.ends) for a in found), strict=True)]


def _side_by_side(listed: Sequence[Steps], tables: dict[int, Array]) -> Iterator[Side]:
    """Channels by their numbers, as many components at a time as make arithmetic quick and fit into memory."""
    waiting: list[int] = []
    for i in [*tables, None]:
        width = sum(tables[j].shape[1] for j in waiting)
        if waiting and (i is None or width + tables[i].shape[1] > WIDE):
            own = [tables[j] for j in waiting]
            ends = np.cumsum([table.shape[1] for table in own])[:-1]
            yield Side([listed[j] for j in waiting], ends, np.concatenate(own, axis=1))
            waiting = []
        if i is not None:
            waiting.append(i)


class Asked(NamedTuple):
    """Steps to look into for the largest (1) and smallest (-1) value of components, the most promising first."""

    component: NDArray[np.int64]
    sign: Array
    step: NDArray[np.int64]


def _of_side(side: Side, asked: Asked) -> Extremes:
    """Of channels side by side, with the steps that they ask for."""
    steps = side.channels[0]
    found = of_rows(steps.time, side.table)
    if len(asked.step):
        found = found.together(_refined(side, asked))
    return _with_rough(found, steps, side.table)


def _asked(side: Side) -> Asked:
    """Steps in which components may be larger, or smaller, than at all ends."""
    y, h = side.table, side.channels[0].length[:-1, None]
    known = h > 0.0
    bend, slope = np.full((2, *y.shape), np.nan)  # at each end, where it is within a smooth stretch
    with np.errstate(all="ignore"):
        chord = np.where(known, np.diff(y, axis=0) / h, np.nan)
        bend[1:-1] = np.diff(chord, axis=0) / (h[:-1] + h[1:])  # half the second derivative
        slope[1:-1] = chord[:-1] + bend[1:-1] * h[:-1]
        left = h * np.where(np.isnan(slope[:-1]), chord - bend[1:] * h, slope[:-1])
        right = h * np.where(np.isnan(slope[1:]), chord + bend[:-1] * h, slope[1:])
        most = np.fmax(np.abs(bend[:-1]), np.abs(bend[1:])) * h**2
        most = np.where(np.isnan(most), np.inf, most)
        highest, lowest = _cubic_range(y[:-1], y[1:], left, right)
        found = [*_promising(y, known, most, highest, 1.0), *_promising(-y, known, most, -lowest, -1.0)]
    found = found or [Asked(np.zeros(0, np.int64), np.zeros(0), np.zeros(0, np.int64))]
    return Asked(*(np.concatenate(column) for column in zip(*found, strict=True)))


def _promising(y: Array, known: NDArray[np.bool_], most: Array, guess: Array, sign: float) -> Iterator[Asked]:
    """Of each component, the steps in which it could pass its largest value, by as much as `most`."""
    could = np.where(known, np.fmax(y[:-1], y[1:]) + most, -np.inf)
    guess = np.where(np.isnan(guess), could, guess)
    best = np.fmax.reduce(y, axis=0)
    able = could > best + 1e-14 * np.abs(best)
    for c in np.flatnonzero(able.any(axis=0) & np.isfinite(y).any(axis=0)):
        rows = np.flatnonzero(able[:, c])
        rows = rows[np.argsort(-guess[rows, c], kind="stable")[:MOST_STEPS]]
        yield Asked(np.full(len(rows), c), np.full(len(rows), sign), rows)


def _cubic_range(a: Array, b: Array, a_slope: Array, b_slope: Array) -> tuple[Array, Array]:
    """(largest, smallest) value on the way of a cubic, of values and slopes at both ends."""
    second, third = 3.0 * (b - a) - 2.0 * a_slope - b_slope, a_slope + b_slope - 2.0 * (b - a)
    high, low = np.fmax(a, b), np.fmin(a, b)
    for x in GUESSES:
        y = a + x * (a_slope + x * (second + x * third))
        high, low = np.fmax(high, y), np.fmin(low, y)
    return high, low


def _refined(side: Side, asked: Asked) -> Extremes:
    """Extremes within steps that were looked at."""
    steps, c, own = side.channels[0], asked.component, asked.step
    which, rows = np.unique(own, return_inverse=True)
    inside = side.within(which)[rows, :, c]
    ends = side.table[own, c], side.table[own + 1, c]
    y = asked.sign[:, None] * np.concatenate((ends[0][:, None], inside, ends[1][:, None]), axis=1)
    top, at = parabolic_peak(NODES, y)
    smooth = is_smooth(y)
    node = np.where(np.isnan(y), -np.inf, y).argmax(axis=1)
    top, at = np.where(smooth, top, y[np.arange(len(y)), node]), np.where(smooth, at, NODES[node])
    group = 2 * c + (asked.sign > 0.0)  # an extreme of one component
    order, first, rank = _ranked(group, top)
    good = order[(rank < BEST) & (smooth & steps.exact[own])[order]]
    if len(good):
        top[good], at[good] = polynomial_peak(y[good])
        order, first, _ = _ranked(group, top)
    best = order[first]
    value, time = asked.sign[best] * top[best], steps.time[own[best]] + at[best] * steps.length[own[best]]
    found = np.full((4, side.table.shape[1]), np.nan)
    for sign, k in ((-1.0, 0), (1.0, 2)):
        its = asked.sign[best] == sign
        found[k, c[best[its]]], found[k + 1, c[best[its]]] = value[its], time[its]
    low, low_time, high, high_time = found
    return Extremes(low, low_time, high, high_time, np.zeros(side.table.shape[1], bool))


def _ranked(group: NDArray[np.int64], top: Array) -> tuple[NDArray[np.int64], ...]:
    """(all by group and then by value, the largest first; where groups begin in that order; rank within the group)"""
    order = np.lexsort((-np.where(np.isnan(top), -np.inf, top), group))
    _, first, count = np.unique(group[order], return_index=True, return_counts=True)
    return order, first, np.arange(len(group)) - np.repeat(first, count)


def parabolic_peak(x: Array, y: Array) -> tuple[Array, Array]:
    """(largest value, where) of each row of y (m, n) over x, (n,) or (m, n): by a parabola through the best and its
    neighbours."""
    y, x = np.where(np.isnan(y), -np.inf, y), np.broadcast_to(x, y.shape)
    i, m = y.argmax(axis=1), np.arange(len(y))
    top, at = y[m, i], x[m, i]
    j = np.clip(i, 1, y.shape[1] - 2)
    a, b, c = y[m, j - 1], y[m, j], y[m, j + 1]
    left, right = x[m, j] - x[m, j - 1], x[m, j + 1] - x[m, j]
    with np.errstate(all="ignore"):
        before, after = (b - a) / left, (c - b) / right
        bend = (before - after) / (left + right)
        slope = before - bend * left
        shift = slope / (2.0 * bend)
        peak, where = b + 0.25 * slope**2 / bend, x[m, j] + shift
        good = (i == j) & (bend > 0.0) & (shift >= -left) & (shift <= right) & np.isfinite(peak)
    return np.where(good, np.fmax(peak, top), top), np.where(good & (peak >= top), where, at)


def polynomial_peak(y: Array) -> tuple[Array, Array]:
    """(largest value, where) of the polynomial through each row of y (m, n) at the NODES, next to the largest."""
    k, m = np.clip(y.argmax(axis=1), 1, len(NODES) - 2), np.arange(len(y))
    found = np.einsum("mpn,mn->mp", FINE_WEIGHTS[k - 1], y)
    found[:, BETWEEN] = y[m, k]
    value, where = parabolic_peak(FINE[k - 1], found)
    return np.fmax(value, y.max(axis=1)), where


def is_smooth(y: Array) -> NDArray[np.bool_]:
    """Whether the polynomial through each row of y (m, n) at the NODES is what was meant: its highest terms have faded.
    At a jump or bend they have not, and it swings."""
    with np.errstate(invalid="ignore"):
        return np.abs(y @ HIGHEST.T).max(axis=1) <= FADED * np.ptp(y, axis=1)


def _with_rough(found: Extremes, steps: Steps, table: Array) -> Extremes:
    """Whether the larger extreme falls by much of the range within the steps beside it."""
    out = np.zeros(table.shape[1], bool)
    if steps.exact[:-1].all():
        return found._replace(rough=out)
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
    return found._replace(rough=out)
