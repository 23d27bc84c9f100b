"""Tables as functions of a few numbers of their model, found by building it at some values.

Most entries of tables do not depend on a given number; most that do are sums of it and its inverse, with constant
factors. Where that holds for all entries, to rounding, at every corner of the range of the numbers and at random values
within, tables of any values in it are a small product, and nothing has to be built.
"""

from __future__ import annotations

import numpy as np

ROUNDING = 1e-13  # of an entry's size
SPARE = 8  # random values beyond those needed to find the factors


class NoRecipe(Exception):
    """The tables are no such functions; the message says why."""


class Recipe:
    """Which words of which arrays depend on the numbers, and how."""

    def __init__(self, built, low: np.ndarray, high: np.ndarray):
        """`built(x)` gives arrays by name for numbers x between low and high. Raises NoRecipe."""
        self.low, self.high = low, high
        self.inverse = np.flatnonzero((low * high > 0.0) & (low < high))
        size = np.maximum(np.abs(low), np.abs(high))
        self.sizes = np.where(size > 0.0, size, 1.0)
        points = probes(low, high, 1 + len(low) + len(self.inverse) + SPARE)
        seen = [words_of(built(x)) for x in points]
        names = list(seen[0])
        if any(list(s) != names or any(s[n].shape != seen[0][n].shape for n in names) for s in seen):
            raise NoRecipe("tables change their size")
        features = np.array([self.features(x) for x in points])
        self.places: dict[str, np.ndarray] = {}
        self.copies: list[tuple[int, int]] = []  # entries that are a number as it is: (place among all, which number)
        factors, first = [], 0
        for name in names:
            stack = np.array([s[name] for s in seen])
            moving = np.flatnonzero((stack != stack[0]).any(axis=0))
            if len(moving):
                factors.append(fitted(name, features, stack[:, moving]))
                self.places[name] = moving
                for i, column in enumerate(np.array(points).T):
                    same = np.flatnonzero((stack[:, moving] == column[:, None]).all(axis=0))
                    self.copies += [(first + int(k), i) for k in same]
                first += len(moving)
        self.factors = np.concatenate(factors) if factors else np.zeros((0, features.shape[1]))

    def features(self, x: np.ndarray) -> np.ndarray:
        """1, the numbers over their size, and its inverse."""
        return np.concatenate(([1.0], x / self.sizes, self.sizes[self.inverse] / x[self.inverse]))

    def holds(self, x: np.ndarray) -> bool:
        """Whether these numbers lie in its range."""
        return bool(((x >= self.low) & (x <= self.high)).all())

    def fill(self, x: np.ndarray, arrays: dict[str, np.ndarray]) -> None:
        """Write what the numbers change; arrays are flat and of floats, as `flat_floats` sees them."""
        values, first = self.factors @ self.features(x), 0
        for place, number in self.copies:
            values[place] = x[number]
        for name, places in self.places.items():
            arrays[name][places] = values[first : first + len(places)]
            first += len(places)


def probes(low: np.ndarray, high: np.ndarray, count: int) -> list[np.ndarray]:
    """Corners at which one number is at the other end than all others, and random values within."""
    one = np.eye(len(low), dtype=bool)
    corners = [np.where(flip, low, high) for flip in (*one, np.zeros(len(low), bool))]
    corners += [np.where(flip, high, low) for flip in (*one, np.zeros(len(low), bool))]
    within = np.random.default_rng(0).random((count, len(low)))
    return [*corners, *(low + (high - low) * u for u in within)]


def flat_floats(array: np.ndarray) -> np.ndarray:
    """The memory of an array as numbers; of records also those that are none."""
    return array.reshape(-1).view(np.float64)


def words_of(arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The floats of each array in a row; whole numbers may not change at all. Raises NoRecipe."""
    found = {}
    for name, array in arrays.items():
        if array.dtype.itemsize % 8 or not array.flags.c_contiguous:
            found[f"{name} as bytes"] = np.frombuffer(array.tobytes(), np.uint8)
            continue
        words = np.frombuffer(array.tobytes(), np.float64)
        which = np.tile(float_words(array.dtype), array.size)
        found[name] = np.where(which, words, 0.0)
        found[f"{name} as whole numbers"] = np.frombuffer(array.tobytes(), np.int64)[~which]
    return found


def float_words(dtype: np.dtype) -> np.ndarray:
    """Which of a record's words of eight bytes are floats."""
    found = np.zeros(dtype.itemsize // 8, bool)
    if dtype.names is None:
        found[:] = dtype.base.kind == "f"
        return found
    for field, offset in (f[:2] for f in (dtype.fields or {}).values()):
        if field.base.kind == "f" and field.base.itemsize == 8:
            found[offset // 8 : (offset + field.itemsize) // 8] = True
    return found


def fitted(name: str, features: np.ndarray, values: np.ndarray) -> np.ndarray:
    """(entries, features) factors. Raises NoRecipe if they do not give the values to rounding."""
    if values.dtype != np.float64:
        raise NoRecipe(f"{name} changes")
    if not np.isfinite(values).all():
        raise NoRecipe(f"{name} is not finite")
    size = np.abs(values).max(axis=0)
    factors = np.linalg.lstsq(features, values / size, rcond=None)[0]
    left = np.abs(features @ factors - values / size).max(axis=0)
    if (left > ROUNDING * max(1.0, float(np.abs(factors).max()))).any():
        raise NoRecipe(f"{name} is no sum of the numbers and their inverses")
    return (factors * size).T
