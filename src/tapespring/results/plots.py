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
    try:
        pyplot = need("matplotlib.pyplot", "plot", "plotting")
    except MissingExtraError as missing:
        warnings.warn(str(missing), stacklevel=3)
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
