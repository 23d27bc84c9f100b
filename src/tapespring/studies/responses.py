"""From a run to the numbers a study asks of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..results import Channel
from ..results.filters import moving_average
from ..schema.written import in_si
from .file import Response

Reader = Callable[[Any], float]  # of anything with `results[channel]` and `results.events`


def reader(response: Response, function: Callable[[Any], float] | None = None) -> Reader:
    """What finds a response in results; not a number where it has no value."""
    if function is not None:
        return lambda results: float(function(results))
    if response.channel is not None:
        return lambda results: of_channel(response, results[str(response.channel)])
    if response.event is not None:
        return lambda results: of_events(response, results.events)
    return lambda results: float(results[str(response.value)])


def of_channel(response: Response, channel: Channel) -> float:
    if response.smooth is not None:
        channel = moving_average(channel, response.smooth)
    time, values = channel.time, channel.values
    assert time is not None
    if response.since is not None or response.until is not None:
        low = -np.inf if response.since is None else response.since
        high = np.inf if response.until is None else response.until
        inside = (time >= low) & (time <= high)
        time, values = time[inside], values[inside]
    if not len(values) or not np.isfinite(values).any():
        return np.nan
    return float(TAKEN[response.take](response, time, values))


def crossing(response: Response, time: np.ndarray, values: np.ndarray) -> float:
    """When the level is first passed, on the straight line between outputs."""
    above = values - in_si(response.level or 0.0)
    hits = np.flatnonzero(np.sign(above[1:]) != np.sign(above[:-1]))
    if not len(hits):
        return np.nan
    k = int(hits[0])
    return time[k] - above[k] * (time[k + 1] - time[k]) / (above[k + 1] - above[k])


TAKEN: dict[str, Callable[[Response, np.ndarray, np.ndarray], float]] = {
    "max": lambda r, t, y: np.nanmax(y),
    "min": lambda r, t, y: np.nanmin(y),
    "peak": lambda r, t, y: np.nanmax(np.abs(y)),
    "final": lambda r, t, y: y[-1],
    "mean": lambda r, t, y: np.trapezoid(y, t) / (t[-1] - t[0]) if len(t) > 1 else y[0],
    "rms": lambda r, t, y: np.sqrt(np.trapezoid(y**2, t) / (t[-1] - t[0])) if len(t) > 1 else abs(y[0]),
    "range": lambda r, t, y: np.nanmax(y) - np.nanmin(y),
    "integral": lambda r, t, y: np.trapezoid(y, t),
    "time_of_max": lambda r, t, y: t[np.nanargmax(y)],
    "time_of_min": lambda r, t, y: t[np.nanargmin(y)],
    "first_time": crossing,
    "at": lambda r, t, y: np.interp(r.at or 0.0, t, y),
}  # fmt: skip
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
