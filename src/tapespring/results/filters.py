"""Filters of channels, each of which tells how much later its output is.

A contact force rings at frequencies that mesh, step and damping decide; what a structure feels is its mean over some
milliseconds. The names of filtered channels say what was done.
"""

from __future__ import annotations

from math import pi, sqrt, tan

import numpy as np
from numpy.typing import NDArray

from .channels import Channel
from .even_rows import EQUAL, at_even_rows

CLASSES = (60, 180, 600, 1000)


def moving_average(channel: Channel, window: float, *, centred: bool = True) -> Channel:
    """Mean over a window [s]: around each time (no delay), or up to it (`centred=False`: late by half the window).

    Exact for values that run straight between output times, which need not be equidistant; near the ends the window is
    cut off.
    """
    time = channel._times()
    delay = "no delay" if centred else f"late by {0.5 * window:g} s"
    check_window(time, window)
    return filtered(
        channel, lambda values: averaged(time, values, window, centred=centred), f"mean{window * 1e3:g}ms",
        f"moving average over {window:g} s, {delay}",
    )  # fmt: skip


def check_window(time, window: float) -> None:
    if not window > 0.0:
        raise ValueError(f"a window of {window:g} s is not positive")
    if window > time[-1] - time[0]:
        raise ValueError(f"a window of {window:g} s is longer than the record, {time[-1] - time[0]:g} s")


def averaged(time, values, window: float, *, centred: bool = True) -> NDArray[np.float64]:
    """Mean of values (..., times) over a window [s], see `moving_average`."""
    check_window(time, window)
    begin = np.maximum(time - (0.5 if centred else 1.0) * window, time[0])
    end = np.minimum(time + (0.5 if centred else 0.0) * window, time[-1])
    width = np.where(end > begin, end - begin, 1.0)
    found = (integral_to(end, time, values) - integral_to(begin, time, values)) / width
    return np.where(end > begin, found, values)


def integral_to(at, time, values) -> NDArray[np.float64]:
    """Integral from the first time to each of `at`, of straight lines between values (..., times)."""
    steps = np.diff(time)
    total = np.zeros(values.shape)
    np.cumsum(0.5 * (values[..., 1:] + values[..., :-1]) * steps, axis=-1, out=total[..., 1:])
    k = np.clip(np.searchsorted(time, at, side="right") - 1, 0, len(steps) - 1)
    part, rise = at - time[k], values[..., k + 1] - values[..., k]
    slope = np.divide(rise, steps[k], out=np.zeros(rise.shape), where=steps[k] > 0.0)
    return total[..., k] + part * (values[..., k] + 0.5 * slope * part)


def butterworth(channel: Channel, cutoff: float, *, order: int = 4, causal: bool = False) -> Channel:
    """Low-pass at a cut-off frequency [Hz]: forwards and backwards (no delay, half power twice at the cut-off), or
    forwards only (`causal=True`: late by about the group delay at low frequency). Wants equidistant outputs;
    rows at events between them are left out."""
    from scipy.signal import butter, sosfilt, sosfilt_zi, sosfiltfilt

    channel = at_even_rows(channel)
    rate = sampling_rate(channel)
    if not 0.0 < cutoff < 0.5 * rate:
        raise ValueError(f"a cut-off of {cutoff:g} Hz is not between 0 and half the output rate, {0.5 * rate:g} Hz")
    sections = butter(order, cutoff, fs=rate, output="sos")

    def low(values: NDArray[np.float64]) -> NDArray[np.float64]:
        if not causal:
            return sosfiltfilt(sections, values)
        return sosfilt(sections, values, zi=sosfilt_zi(sections) * values[0])[0]

    poles = [np.sin((2 * k + 1) * pi / (2 * order)) for k in range(order)]
    late = sum(poles) / (2.0 * pi * cutoff)  # group delay of the analog filter at frequency zero
    about = f"late by {late:.3g} s at low frequencies" if causal else "no delay"
    return filtered(channel, low, f"low{cutoff:g}Hz", f"Butterworth low-pass of order {order}, {cutoff:g} Hz, {about}")


def cfc(channel: Channel, frequency_class: int) -> Channel:
    """Channel frequency class 60, 180, 600 or 1000 of crash testing (SAE J211, ISO 6487): two poles, forwards and
    backwards, so without delay. Wants equidistant outputs, at ten times the class or more; rows at events between them
    are left out."""
    from scipy.signal import lfilter

    if frequency_class not in CLASSES:
        raise ValueError(f"CFC {frequency_class} is not one of {', '.join(map(str, CLASSES))}")
    channel = at_even_rows(channel)
    rate = sampling_rate(channel)
    if rate < 10.0 * frequency_class:
        raise ValueError(f"CFC {frequency_class} wants outputs at {10 * frequency_class} Hz or more, here {rate:g} Hz")
    w = tan(2.0 * pi * frequency_class * 2.0775 / (2.0 * rate))
    a0 = w * w / (1.0 + sqrt(2.0) * w + w * w)
    b1 = -2.0 * (w * w - 1.0) / (1.0 + sqrt(2.0) * w + w * w)
    b2 = (-1.0 + sqrt(2.0) * w - w * w) / (1.0 + sqrt(2.0) * w + w * w)
    top, bottom = [a0, 2.0 * a0, a0], [1.0, -b1, -b2]

    def once(values):
        return lfilter(top, bottom, values - values[0]) + values[0]

    def both(values: NDArray[np.float64]) -> NDArray[np.float64]:
        return once(once(values)[::-1])[::-1]

    return filtered(channel, both, f"cfc{frequency_class}", f"CFC {frequency_class}, no delay")


def sampling_rate(channel: Channel) -> float:
    """Outputs per second [Hz]. Raises ValueError where they are not equidistant."""
    steps = np.diff(channel._times())
    if len(steps) < 8 or np.ptp(steps) > EQUAL * steps.mean():
        raise ValueError(f"'{channel.name}' is not stored at equidistant times, which this filter needs")
    return float(1.0 / steps.mean())


def filtered(channel: Channel, formula, suffix: str, about: str) -> Channel:
    """The channel with a formula applied to each of its columns, when first asked for."""

    def values():
        raw = channel.values
        return formula(raw) if raw.ndim == 1 else np.column_stack([formula(column) for column in raw.T])

    said = f"{channel.about}; {about}" if channel.about else about
    return Channel(f"{channel.name}.{suffix}", channel.unit, values, channel.components, said, time=channel.time)
