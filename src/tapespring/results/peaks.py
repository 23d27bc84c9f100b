"""Peaks of channels: where the first one is, and what lies under it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .channels import Channel
from .filters import integral_to

SMALL = 0.1  # of the range of a channel: lesser ups and downs are ripples


class Peak(NamedTuple):
    """A rise and fall of a channel."""

    time: float  # [s]
    value: float
    begin: float  # where the rise begins [s]
    end: float  # where the fall ends [s]


def first_peak(channel: Channel, ripple: float = SMALL) -> Peak:
    """The first rise and fall by more than a part of the channel's range. Raises ValueError where there is none."""
    from scipy.signal import find_peaks

    time, values = channel._times(), channel.values
    if values.ndim != 1:
        raise ValueError(f"'{channel.name}' has components; choose one, as '{channel.name}.{channel.components[0]}'")
    prominence = ripple * float(np.ptp(values))
    padded = np.concatenate(([values.min()], values, [values.min()]))  # a peak may lie at the end
    peaks = find_peaks(padded, prominence=prominence)[0] - 1
    if not len(peaks) or prominence == 0.0:
        raise ValueError(f"'{channel.name}' does not rise and fall by more than {100 * ripple:g} % of its range")
    k = int(peaks[0])
    after = int(peaks[1]) if len(peaks) > 1 else len(values) - 1
    end = k + int(np.argmin(values[k : after + 1]))
    return Peak(float(time[k]), float(values[k]), float(time[np.argmin(values[: k + 1])]), float(time[end]))


def integral(channel: Channel, begin: float | None = None, end: float | None = None) -> float:
    """Over time, of straight lines between outputs: the impulse of a force."""
    time = channel._times()
    ends = np.array([time[0] if begin is None else begin, time[-1] if end is None else end])
    low, high = integral_to(ends, time, channel.values)
    return float(high - low)
