"""The rows of a channel that lie at equal distances: those of outputs, without rows at events between them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .channels import Channel

EQUAL = 1e-6  # of an interval: times this equal count as equidistant


def even_rows(time: NDArray[np.float64]) -> NDArray[np.intp] | None:
    """Every multiple of the longest interval from the first time on, where a time stands twice the later row; None if
    one of them is missing."""
    interval = np.diff(time).max(initial=0.0)
    if interval <= 0.0:
        return None
    number = np.rint((time - time[0]) / interval)
    on_grid = np.flatnonzero(np.abs(time - time[0] - number * interval) <= EQUAL * interval)
    last = np.append(np.diff(number[on_grid]) > 0.0, True)
    rows = on_grid[last]
    complete = np.array_equal(number[rows], np.arange(len(rows))) and time[-1] - time[rows[-1]] < interval
    return rows if complete else None


def at_even_rows(channel: Channel) -> Channel:
    """The channel at these rows alone; as it is where it has none."""
    time = channel._times()
    rows = even_rows(time)
    if rows is None or len(rows) == len(time):
        return channel
    return Channel(
        channel.name, channel.unit, lambda: channel.values[rows], channel.components, channel.about, time=time[rows]
    )
