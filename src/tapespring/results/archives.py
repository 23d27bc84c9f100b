"""Arrays in an archive of numpy (.npz), read only if they are no more than it can hold.

An array's first bytes say how large it is, and numpy makes it before it reads it; and deflate makes a thousand bytes of
one.
"""

from __future__ import annotations

import math
import os
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy

UNFOLDED = 1 << 30  # bytes that any archive may become
TIMES = 20  # so many times its own size otherwise


def read_arrays(path: str | os.PathLike[str]) -> dict[str, np.ndarray]:
    """All arrays by name. Raises ValueError for what is no such archive, and OSError."""
    most = max(UNFOLDED, TIMES * Path(path).stat().st_size)
    try:
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
            if sum(entry.file_size for entry in entries) > most:
                raise ValueError(f"it would unfold to more than {most / 1e9:.3g} GB")
            return {entry.filename.removesuffix(".npy"): read_array(archive, entry) for entry in entries}
    except (zipfile.BadZipFile, NotImplementedError, EOFError, RuntimeError) as error:
        raise ValueError(str(error) or "it ends too early") from None


def read_array(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> np.ndarray:
    """Raises ValueError."""
    with archive.open(entry) as file:
        shape, kind = header_of(file)
    if kind.hasobject or math.prod(shape) * kind.itemsize > entry.file_size:
        raise ValueError(f"'{entry.filename}' is not the array that it says it is")
    with archive.open(entry) as file:
        return npy.read_array(file, allow_pickle=False)


def header_of(file: Any) -> tuple[tuple[int, ...], np.dtype]:
    """(shape, type) of the array that follows. Raises ValueError."""
    reader = {1: npy.read_array_header_1_0, 2: npy.read_array_header_2_0}.get(npy.read_magic(file)[0])
    if reader is None:
        raise ValueError("its arrays are of a version that is not read here")
    shape, _, kind = reader(file)
    return shape, kind
