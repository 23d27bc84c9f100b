"""Which frequencies a channel holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .even_rows import at_even_rows

if TYPE_CHECKING:
    from .channels import Channel

EVEN = 1e-6  # steps of time that differ by less, relative to their mean, are even


class Spectrum(NamedTuple):
    """Amplitudes of the sines a channel consists of: frequency [Hz], amplitude (n,) or (n, k) in the channel's unit."""

    frequency: NDArray[np.float64]
    amplitude: NDArray[np.float64]

    @property
    def peak(self) -> float:
        """Frequency of the largest amplitude, of all components together [Hz]."""
        largest = self.amplitude if self.amplitude.ndim == 1 else self.amplitude.max(axis=1)
        return float(self.frequency[np.argmax(largest)])


def spectrum(channel: Channel, begin: float | None = None, end: float | None = None) -> Spectrum:
    """From `begin` to `end` [s], without the mean, through Hann's window; a sine of amplitude A shows as A.

    Rows at events between even outputs are left out; other times that are not even are made so by straight lines.
    """
    channel = at_even_rows(channel)
    time, values = channel._times(), channel.values
    low, high = time[0] if begin is None else begin, time[-1] if end is None else end
    inside = (time >= low) & (time <= high)
    time, first = np.unique(time[inside], return_index=True)
    table = values[inside][first].reshape(len(time), -1)
    if len(time) < 4 or not np.isfinite(table).all():
        raise ValueError(
            f"'{channel.name}': a spectrum takes at least 4 times with finite values; choose begin and end"
        )
    steps = np.diff(time)
    if np.ptp(steps) > EVEN * steps.mean():
        even = np.linspace(time[0], time[-1], len(time))
        table = np.stack([np.interp(even, time, column) for column in table.T], axis=1)
    window = np.hanning(len(time) + 1)[:-1, None]
    parts = np.fft.rfft((table - table.mean(axis=0)) * window, axis=0)
    amplitude = 2.0 * np.abs(parts) / window.sum()
    return Spectrum(np.fft.rfftfreq(len(time), steps.mean()), amplitude.reshape(-1, *values.shape[1:]))
