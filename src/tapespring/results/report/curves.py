"""Channels as curves: few enough numbers for a page, with every peak kept."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .pack import Blobs

if TYPE_CHECKING:
    from ..dataset import Results

MOST_NUMBERS = 2_000_000
MOST_SAMPLES, FEWEST_SAMPLES = 4000, 400
MOST_COMPONENTS = 9  # channels of all nodes or elements have more


def curves(results: Results, blobs: Blobs) -> dict[str, Any]:
    """Times and columns by name, and what was left out."""
    chosen = [channel for channel in results.channels.values() if len(channel.components) <= MOST_COMPONENTS]
    columns = {name: (values, channel) for channel in chosen for name, values in channel.columns().items()}
    most = MOST_NUMBERS // FEWEST_SAMPLES
    kept = dict(list(columns.items())[:most])
    samples = int(np.clip(MOST_NUMBERS // max(len(kept), 1), FEWEST_SAMPLES, MOST_SAMPLES))
    table, time = thinned(np.array([values for values, _ in kept.values()]), results.time, samples)
    first = np.nan_to_num(table[:, 0], posinf=0.0, neginf=0.0)  # small changes of large numbers keep their digits
    return {
        "time": blobs.floats(time, "f8"),
        "names": list(kept),
        "units": [channel.unit for _, channel in kept.values()],
        "about": [channel.about for _, channel in kept.values()],
        "first": first.tolist(),
        "values": blobs.floats(table - first[:, None]),
        "rows": len(results.time),
        "samples": len(time),
        "left_out": len(results.channels) - len(chosen),
        "too_many": len(columns) - len(kept),
    }


def thinned(
    table: NDArray[np.float64], time: NDArray[np.float64], samples: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Columns (n, samples) and their times: of each stretch of rows the least and greatest number, in their order."""
    table = table.reshape(-1, len(time))
    if len(time) <= samples:
        return table, time
    edges = np.linspace(0, len(time), samples // 2 + 1).astype(int)
    out = np.empty((len(table), 2 * (len(edges) - 1)))
    for k, (begin, end) in enumerate(pairwise(edges)):
        piece = table[:, begin:end]
        filled = np.where(np.isfinite(piece), piece, 0.0)
        low, high = np.argmin(filled, axis=1), np.argmax(filled, axis=1)
        at = np.sort(np.stack((low, high), axis=1), axis=1)
        out[:, 2 * k : 2 * k + 2] = np.take_along_axis(piece, at, axis=1)
    begin, end = time[edges[:-1]], time[edges[1:] - 1]
    times = np.stack((begin, 0.5 * (begin + end)), axis=1).ravel()
    times[-1] = time[-1]
    return out, times
