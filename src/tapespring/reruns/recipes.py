"""Tables as functions of a few numbers of their model, found by building it at some values.

Most entries of tables do not depend on a given number; most that do are sums of it and its inverse, with constant
factors, others products of powers. Where that holds for all entries, to rounding, at every corner of the range of the
numbers and at random values within, tables of any values in it are a small product, and nothing has to be built.
"""

from __future__ import annotations

import numpy as np

from ..solve.samples import Filling

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
        logarithms = np.log(np.abs(np.array(points)[:, self.inverse]) / self.sizes[self.inverse])
        self.places: dict[str, np.ndarray] = {}  # of words that change
        factors, powers, taken = [np.zeros((0, features.shape[1]))], [np.zeros((0, 1 + len(self.inverse)))], []
        for name in names:
            stack = np.array([s[name] for s in seen])
            moving = np.flatnonzero((stack != stack[0]).any(axis=0))
            if len(moving):
                found = fitted(name, features, logarithms, stack[:, moving])
                factors.append(found[0])
                powers.append(found[1])
                taken.append(which_number(stack[:, moving], np.array(points)))
                self.places[name] = moving
        self.factors, self.powers = np.concatenate(factors), np.concatenate(powers)
        self.taken = np.concatenate([np.zeros(0, np.int64), *taken])

    def features(self, x: np.ndarray) -> np.ndarray:
        """1, the numbers over their size, and its inverse."""
        return np.concatenate(([1.0], x / self.sizes, self.sizes[self.inverse] / x[self.inverse]))

    def holds(self, x: np.ndarray) -> np.ndarray:
        """(samples,) whether numbers (samples, numbers) lie in its range."""
        return np.all((x >= self.low) & (x <= self.high), axis=1)

    def filling(self, words: np.ndarray, begins: dict[str, int]) -> Filling:
        """For compiled code: arrays stand in `words`, each from its beginning on."""
        places = [begins[name] + at for name, at in self.places.items()]
        return Filling(
            self.sizes, self.inverse, np.ascontiguousarray(self.factors), np.ascontiguousarray(self.powers), self.taken,
            np.concatenate([np.zeros(0, np.int64), *places]), words,
        )  # fmt: skip


def probes(low: np.ndarray, high: np.ndarray, count: int) -> list[np.ndarray]:
    """Corners at which one number is at the other end than all others, and random values within."""
    one = np.eye(len(low), dtype=bool)
    corners = [np.where(flip, low, high) for flip in (*one, np.zeros(len(low), bool))]
    corners += [np.where(flip, high, low) for flip in (*one, np.zeros(len(low), bool))]
    within = np.random.default_rng(0).random((count, len(low)))
    return [*corners, *(low + (high - low) * u for u in within)]


def which_number(values: np.ndarray, points: np.ndarray) -> np.ndarray:
    """(entries,) the number that an entry is, as it stands, at all points; -1 if none."""
    found = np.full(values.shape[1], -1, np.int64)
    for i, column in enumerate(points.T):
        found[(values == column[:, None]).all(axis=0)] = i
    return found


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


def fitted(name: str, features: np.ndarray, logarithms: np.ndarray, values: np.ndarray):
    """Of entries: (factors of a sum, or of a product alone; powers of a product). Raises NoRecipe if neither gives the
    values to rounding."""
    if values.dtype != np.float64:
        raise NoRecipe(f"{name} changes")
    if not np.isfinite(values).all():
        raise NoRecipe(f"{name} is not finite")
    size = np.abs(values).max(axis=0)
    factors = np.linalg.lstsq(features, values / size, rcond=None)[0]
    left = np.abs(features @ factors - values / size).max(axis=0)
    others = np.flatnonzero(left > ROUNDING * max(1.0, float(np.abs(factors).max())))
    powers = np.zeros((values.shape[1], 1 + logarithms.shape[1]))
    for k in others:
        powers[k] = as_powers(name, logarithms, values[:, k] / size[k])
        factors[:, k] = np.sign(values[0, k]) * (np.arange(len(factors)) == 0)
    return (factors * size).T, powers


def as_powers(name: str, logarithms: np.ndarray, values: np.ndarray) -> np.ndarray:
    """(1 + numbers) logarithm of a factor, and powers. Raises NoRecipe."""
    if not (values * values[0] > 0.0).all():
        raise NoRecipe(f"{name} is neither a sum of the numbers and their inverses nor a product of powers")
    columns = np.column_stack((np.ones(len(values)), logarithms))
    found = np.linalg.lstsq(columns, np.log(np.abs(values)), rcond=None)[0]
    if np.abs(np.exp(columns @ found) / np.abs(values) - 1.0).max() > 10.0 * ROUNDING:
        raise NoRecipe(f"{name} is neither a sum of the numbers and their inverses nor a product of powers")
    return found
