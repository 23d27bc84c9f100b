"""Arrays as text: few bytes, exact to what is said here, unpacked by `unpack.js`.

Of motions the first frame stands as it is. What was gone since is quantised to 65 535 steps over the range of its axis,
then each frame holds differences to the one before.
Bytes of like weight stand together, which deflate likes.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

STEPS = 65535
EFFORT = 6  # of zlib


class Frames(Protocol):
    """Arrays (points, k), one after the other; an array (frames, points, k) is one of these."""

    def __len__(self) -> int: ...

    def __getitem__(self, frame: int, /) -> NDArray[Any]: ...


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

    def motion(self, frames: Frames) -> dict[str, Any]:
        """Frames (points, k): coordinates by column k, quantised; a number that is not finite keeps its last value.

        They are read one by one, twice: all of them at once would not fit into the processor's cache.
        """
        count, points, width = len(frames), *np.shape(frames[0])
        start = next(filled(frames))
        low, high = np.zeros(width), np.zeros(width)
        for frame in filled(frames):
            gone = frame - start
            low, high = np.minimum(low, gone.min(axis=0)), np.maximum(high, gone.max(axis=0))
        step = (high - low) / STEPS
        factor = 1.0 / np.where(step > 0.0, step, 1.0)
        planes = np.empty((2, count, points * width), np.uint8)
        before = np.zeros(points * width, np.uint16)
        for k, frame in enumerate(filled(frames)):
            whole = np.rint((frame - start - low) * factor).astype(np.uint16).ravel()
            change = (whole - before).view(np.int16)  # wraps around, and so does its sum
            zigzag = ((change << 1) ^ (change >> 15)).view(np.uint16)  # small numbers of either sign are small
            planes[0, k], planes[1, k] = zigzag & 0xFF, zigzag >> 8
            before = whole
        packed = self._keep(planes.tobytes(), "motion", (count, points, width))
        return packed | {"low": low.tolist(), "step": step.tolist(), "start": self.floats(start)}

    def _put(self, by_number: NDArray[np.uint8], dtype: str, shape: tuple[int, ...]) -> dict[str, Any]:
        return self._keep(np.ascontiguousarray(by_number.T).tobytes(), dtype, shape)

    def _keep(self, planes: bytes, dtype: str, shape: tuple[int, ...]) -> dict[str, Any]:
        self.texts.append(base64.b64encode(zlib.compress(planes, EFFORT)).decode("ascii"))
        return {"blob": len(self.texts) - 1, "dtype": dtype, "shape": list(shape)}


def filled(frames: Frames) -> Iterator[NDArray[np.float64]]:
    """Each frame, with the last finite number in place of what is none; zero where there is none before."""
    last: NDArray[np.float64] | None = None
    for k in range(len(frames)):
        frame = np.asarray(frames[k], np.float64)
        finite = np.isfinite(frame)
        if not finite.all():
            frame = np.where(finite, frame, 0.0 if last is None else last)
        last = frame
        yield frame
