"""Arrays as text: few bytes, exact to what is said here, unpacked by `unpack.js`.

Places are quantised to 65 535 steps over the range of their axis, then each frame holds differences to the one before.
Bytes of like weight stand together, which deflate likes.
"""

from __future__ import annotations

import base64
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

STEPS = 65535
EFFORT = 6  # of zlib


class Blobs:
    """Texts that stand apart from the page's JSON; an array is known there by its number."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def floats(self, values: NDArray[Any], dtype: str = "f4") -> dict[str, Any]:
        """Numbers as they are, rounded to `dtype` (f4 or f8)."""
        array = np.ascontiguousarray(values, f"<{dtype}")
        return self._put(array.view(np.uint8).reshape(-1, array.itemsize), dtype, array.shape)

    def indices(self, values: NDArray[Any]) -> dict[str, Any]:
        """Whole numbers from 0."""
        array = np.ascontiguousarray(values, "<u4")
        return self._put(array.view(np.uint8).reshape(-1, 4), "u4", array.shape)

    def motion(self, frames: NDArray[Any]) -> dict[str, Any]:
        """(frames, points, k): coordinates by column k, quantised; a number that is not finite keeps its last value."""
        values = _filled(np.asarray(frames, np.float64))
        low = values.min(axis=(0, 1))
        step = (values.max(axis=(0, 1)) - low) / STEPS
        whole = np.rint((values - low) / np.where(step > 0.0, step, 1.0)).astype(np.int64)
        change = np.diff(whole, axis=0, prepend=0).astype(np.int16)  # wraps around, and so does its sum
        zigzag = (change << 1) ^ (change >> 15)  # small numbers of either sign are small
        array = np.ascontiguousarray(zigzag.view(np.uint16), "<u2")
        packed = self._put(array.view(np.uint8).reshape(-1, 2), "motion", values.shape)
        return packed | {"low": low.tolist(), "step": step.tolist()}

    def _put(self, by_number: NDArray[np.uint8], dtype: str, shape: tuple[int, ...]) -> dict[str, Any]:
        planes = np.ascontiguousarray(by_number.T).tobytes()
        self.texts.append(base64.b64encode(zlib.compress(planes, EFFORT)).decode("ascii"))
        return {"blob": len(self.texts) - 1, "dtype": dtype, "shape": list(shape)}


def _filled(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Along the first axis, the last finite number in place of what is none; zero where there is none before."""
    if np.isfinite(values).all():
        return values
    values = values.copy()
    values[0] = np.where(np.isfinite(values[0]), values[0], 0.0)
    for k in range(1, len(values)):
        values[k] = np.where(np.isfinite(values[k]), values[k], values[k - 1])
    return values
