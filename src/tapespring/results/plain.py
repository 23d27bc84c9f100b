"""Settings, counters and notes as plain data: what JSON can hold, so that a saved run reads back equal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np


def plain(value: Any) -> Any:
    """`value` with mappings as dicts of text keys, sequences and arrays as lists, numbers as Python's own.

    Anything else (paths, dates, classes) becomes its text.
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, np.generic | np.ndarray):
        return plain(value.tolist())
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value)
    if isinstance(value, str):
        return str.__str__(value)  # an enumeration of texts answers its value, not its name
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    return str(value)
