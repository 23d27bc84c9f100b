"""Channels as a table for spreadsheets."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from .safe_file import replacing

if TYPE_CHECKING:
    from .dataset import Results


def write_csv(results: Results, path: str | os.PathLike[str], names: Iterable[str] | None = None) -> Path:
    """One row per output time, one column per number, headed `name [unit]`, to the last digit; empty where it is not
    a number. Raises ResultsFileError."""
    columns = results.table(names)
    units = {name: "s" if name == "time" else results[name].unit for name in columns}
    table = np.array(list(columns.values())).T
    text = io.StringIO(newline="")
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow([f"{name} [{unit}]" for name, unit in units.items()])
    rows.writerows([["" if value != value else repr(value) for value in row] for row in table.tolist()])
    with replacing(path) as file:
        file.write(text.getvalue().encode("utf-8"))
    return Path(path)
