"""Histories to compare with: columns of the CSV files in the folder `data`."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

from ..results import Results

DATA = Path(__file__).parent / "data"


@cache
def history(file: str) -> dict[str, np.ndarray]:
    """Columns by name, all SI; the first is time."""
    path = DATA / file
    names = path.read_text(encoding="utf-8").splitlines()[0].split(",")
    return dict(zip(names, np.loadtxt(path, delimiter=",", skiprows=1).T, strict=True))


def largest_difference(file: str, channels: dict[str, str]):
    """A function of Results: the most by which channels differ from columns of a file at any of its times."""

    def difference(results: Results) -> float:
        wanted = history(file)
        rows = [int(np.argmin(np.abs(results.time - t))) for t in wanted["t"]]
        if not np.allclose(results.time[rows], wanted["t"], rtol=0.0, atol=1e-12):
            raise ValueError(f"not all times of {file} were stored")
        return max(float(np.abs(results[c].values[rows] - wanted[k]).max()) for k, c in channels.items())

    return difference
