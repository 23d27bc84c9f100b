"""From a run to the numbers a study asks of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..reruns.batch import Block
from ..results import Channel
from ..results.filters import averaged
from ..schema.written import in_si
from .file import Response

Reader = Callable[[Any], float]  # of anything with `results[channel]` and `results.events`


def reader(response: Response, function: Callable[[Any], float] | None = None) -> Reader:
    """What finds a response in results; not a number where it has no value."""
    if function is not None:
        return lambda results: float(function(results))
    if response.channel is not None:
        return lambda results: of_results(response, results[str(response.channel)])
    if response.event is not None:
        return lambda results: of_events(response, results.events)
    return lambda results: float(results[str(response.value)])


def of_results(response: Response, channel: Channel) -> float:
    """Extremes of the whole run as they are known; all else by straight lines between steps, or within long ones."""
    if response.take in EXTREMES and needs_all_rows(response):
        return float(EXTREMES[response.take](channel))
    return float(of_channel(response, *(channel.at_steps() if needs_steps(response) else rows_of(channel))))


def rows_of(channel: Channel) -> tuple[np.ndarray, np.ndarray]:
    assert channel.time is not None
    return channel.time, channel.values


def needs_all_rows(response: Response) -> bool:
    """Not of a part of the run, nor of a mean over a while."""
    return response.smooth is None and response.since is None and response.until is None


def needs_steps(response: Response) -> bool:
    """Whether what happens between outputs counts: for all but the last value."""
    return response.channel is not None and not (response.take == "final" and needs_all_rows(response))


def of_block(response: Response, block: Block) -> np.ndarray:
    """(samples,) of many runs at once, for responses that need no steps."""
    if response.channel is not None:
        return of_channel(response, block.time, block.channels[response.channel])
    return np.array([of_events(response, events) for events in block.events], float)


def of_channel(response: Response, time: np.ndarray, values: np.ndarray) -> np.ndarray:
    """(...) of values (..., times)."""
    if response.smooth is not None:
        values = averaged(time, values, response.smooth)
    if response.since is not None or response.until is not None:
        low = -np.inf if response.since is None else response.since
        high = np.inf if response.until is None else response.until
        time, values = part_of(time, values, low, high)
    known = np.isfinite(values).any(axis=-1)
    if not known.any():
        return np.full(values.shape[:-1], np.nan)
    return np.where(known, TAKEN[response.take](response, time, np.ascontiguousarray(values)), np.nan)


def part_of(time: np.ndarray, values: np.ndarray, low: float, high: float) -> tuple[np.ndarray, np.ndarray]:
    """From low to high, both included, on straight lines between rows."""
    inside = (time > low) & (time < high)
    ends = [t for t in dict.fromkeys((low, high)) if time[0] <= t <= time[-1]]
    times = np.concatenate((time[inside], ends))
    table = np.stack([*np.moveaxis(values[..., inside], -1, 0), *(_on_line(time, values, t) for t in ends)], axis=-1)
    order = np.argsort(times, kind="stable")
    return times[order], table[..., order]


def crossing(response: Response, time: np.ndarray, values: np.ndarray) -> np.ndarray:
    """When the level is first passed, on the straight line between rows."""
    above = values - in_si(response.level or 0.0)
    hits = np.sign(above[..., 1:]) != np.sign(above[..., :-1])
    if not hits.shape[-1]:
        return np.full(values.shape[:-1], np.nan)
    k = hits.argmax(axis=-1)
    before, after = (np.take_along_axis(above, (k + i)[..., None], axis=-1)[..., 0] for i in (0, 1))
    share = np.divide(before, after - before, out=np.full(before.shape, np.nan), where=hits.any(axis=-1))
    return time[k] - share * (time[k + 1] - time[k])


def at_time(response: Response, time: np.ndarray, values: np.ndarray) -> np.ndarray:
    """On the straight line between rows; beyond them, the nearest."""
    return _on_line(time, values, min(max(response.at or 0.0, time[0]), time[-1]))


def _on_line(time: np.ndarray, values: np.ndarray, at: float) -> np.ndarray:
    k = max(0, min(int(np.searchsorted(time, at, side="right")) - 1, len(time) - 2))
    if at == time[k] or len(time) == 1:
        return values[..., k]
    slope = (values[..., k + 1] - values[..., k]) / (time[k + 1] - time[k])
    return values[..., k] + slope * (at - time[k])


def over_time(time: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Mean over the times."""
    return np.trapezoid(values, time, axis=-1) / (time[-1] - time[0]) if len(time) > 1 else values[..., 0]


def largest(y: np.ndarray) -> np.ndarray:
    return np.fmax.reduce(y, axis=-1)


def smallest(y: np.ndarray) -> np.ndarray:
    return np.fmin.reduce(y, axis=-1)


TAKEN: dict[str, Callable[[Response, np.ndarray, np.ndarray], np.ndarray]] = {
    "max": lambda r, t, y: largest(y),
    "min": lambda r, t, y: smallest(y),
    "peak": lambda r, t, y: largest(np.abs(y)),
    "final": lambda r, t, y: y[..., -1],
    "mean": lambda r, t, y: over_time(t, y),
    "rms": lambda r, t, y: np.sqrt(over_time(t, y**2)),
    "range": lambda r, t, y: largest(y) - smallest(y),
    "integral": lambda r, t, y: np.trapezoid(y, t, axis=-1),
    "time_of_max": lambda r, t, y: t[np.where(np.isnan(y), -np.inf, y).argmax(axis=-1)],
    "time_of_min": lambda r, t, y: t[np.where(np.isnan(y), np.inf, y).argmin(axis=-1)],
    "first_time": crossing,
    "at": at_time,
}  # fmt: skip
EXTREMES: dict[str, Callable[[Channel], float]] = {
    "max": lambda channel: channel.max(),
    "min": lambda channel: channel.min(),
    "peak": lambda channel: channel.peak(),
    "range": lambda channel: channel.max() - channel.min(),
    "time_of_max": lambda channel: channel.time_of_max,
    "time_of_min": lambda channel: channel.time_of_min,
}
TIMES = ("time_of_max", "time_of_min", "first_time")


def unit_taken(response: Response, unit: str) -> str:
    """The unit of what is taken of a channel."""
    if response.take in TIMES:
        return "s"
    return f"{unit} s" if response.take == "integral" else unit


def of_events(response: Response, events) -> float:
    times = [e.time for e in events if e.name == response.event]
    if response.count:
        return float(len(times))
    if len(times) < response.number:
        return np.nan
    begin = times[response.number - 1]
    if response.to_event is None:
        return begin
    later = [e.time for e in events if e.name == response.to_event and e.time > begin]
    return later[0] - begin if later else np.nan
