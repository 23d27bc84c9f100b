"""Peaks of channels: where the first one is, and what lies under it; between outputs too, where steps are known."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .channels import Channel
from .extremes import parabolic_peak
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

    time, values = channel.at_steps()
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
    begin = float(time[np.argmin(values[: k + 1])])
    return Peak(*_top(time, values, k), begin, float(time[end]))


def _top(time: NDArray[np.float64], values: NDArray[np.float64], k: int) -> tuple[float, float]:
    """Time and value of the peak near row k."""
    beside = slice(k - 1, k + 2)
    if k == 0 or k == len(time) - 1 or not np.all(np.diff(time[beside]) > 0.0):
        return float(time[k]), float(values[k])
    value, at = parabolic_peak(time[beside], values[None, beside])
    return float(at[0]), float(value[0])


def integral(channel: Channel, begin: float | None = None, end: float | None = None) -> float:
    """Over time, of straight lines between steps, or outputs where these are not known: the impulse of a force."""
    time, values = channel.at_steps()
    ends = np.array([time[0] if begin is None else begin, time[-1] if end is None else end])
    low, high = integral_to(ends, time, values)
    return float(high - low)
