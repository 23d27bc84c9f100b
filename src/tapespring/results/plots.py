"""Quick looks with matplotlib, if it is installed."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .extras import MissingExtraError, need

if TYPE_CHECKING:
    from .channels import Channel


def plot_channels(channels: Sequence[Channel], ax: Any = None) -> list[Any] | None:
    """Draw channels over time, one pair of axes per unit (all into `ax` if given); returns the axes.

    Without matplotlib: a warning saying how to install it, and None, so that a script goes on to its next line.
    """
    pyplot = _pyplot()
    if pyplot is None:
        return None
    units = list(dict.fromkeys(channel.unit for channel in channels))
    if ax is None:
        _, grid = pyplot.subplots(len(units), 1, sharex=True, squeeze=False, layout="constrained")
        axes = list(grid[:, 0])
    else:
        axes = [ax] * len(units)
    for channel in channels:
        draw_on = axes[units.index(channel.unit)]
        for label, column in channel.columns().items():
            draw_on.plot(channel._times(), column, label=label)
    for unit, draw_on in zip(units, axes, strict=True):
        draw_on.set_ylabel(f"[{unit}]")
        draw_on.legend()
    axes[-1].set_xlabel("time [s]")
    return axes


def plot_phase(across: Channel, up: Channel, ax: Any = None) -> Any:
    """Draw one channel over another, its start marked; returns the axes, or None as above."""
    pyplot = _pyplot()
    if pyplot is None:
        return None
    if across.components or up.components:
        raise ValueError(f"a phase plane takes single numbers, such as '{across.name}.x'; name a component of each")
    axes = ax if ax is not None else pyplot.subplots(layout="constrained")[1]
    axes.plot(across.values, up.values)
    axes.plot(across.values[0], up.values[0], "o")
    axes.set_xlabel(f"{across.name} [{across.unit}]")
    axes.set_ylabel(f"{up.name} [{up.unit}]")
    return axes


def plot_spectrum(channel: Channel, begin: float | None, end: float | None, ax: Any = None) -> Any:
    """Draw amplitudes over frequency; returns the axes, or None as above."""
    pyplot = _pyplot()
    if pyplot is None:
        return None
    found = channel.spectrum(begin, end)
    axes = ax if ax is not None else pyplot.subplots(layout="constrained")[1]
    lines = axes.plot(found.frequency, found.amplitude)
    for line, label in zip(lines, channel.columns(), strict=True):
        line.set_label(label)
    axes.set_xlabel("frequency [Hz]")
    axes.set_ylabel(f"amplitude [{channel.unit}]")
    axes.legend()
    return axes


def _pyplot() -> Any:
    try:
        return need("matplotlib.pyplot", "plot", "plotting")
    except MissingExtraError as missing:
        warnings.warn(str(missing), stacklevel=4)
        return None
