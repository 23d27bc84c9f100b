"""Which samples are run: rows of numbers between 0 and 1, each found from the seed and its index alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

BLOCK = 4096  # rows made at once
PATH_LEVELS = 4  # of Morris's grid


class Design:
    """`count` rows of `size` numbers in [0, 1]."""

    def __init__(self, size: int, count: int, seed: int):
        self.size, self.count, self.seed = size, count, seed

    def rows(self, indices: np.ndarray) -> np.ndarray:
        """(len(indices), size)"""
        raise NotImplementedError


class Random(Design):
    """Independent samples, from a generator that counts: row k is the same however many there are."""

    def rows(self, indices):
        out = np.empty((len(indices), self.size))
        blocks = np.asarray(indices) // BLOCK
        for block in np.unique(blocks):
            made = np.random.Generator(np.random.Philox(key=self.seed, counter=[0, 0, int(block), 1]))
            here = blocks == block
            out[here] = made.random((BLOCK, self.size))[np.asarray(indices)[here] % BLOCK]
        return out


class LatinHypercube(Design):
    """Every parameter has one sample in each of `count` slices."""

    @cached_property
    def slices(self) -> np.ndarray:
        rng = np.random.default_rng([self.seed, 2])
        return np.array([rng.permutation(self.count) for _ in range(self.size)], np.int32)

    def rows(self, indices):
        within = Random(self.size, self.count, self.seed).rows(indices)
        return (self.slices[:, indices].T + within) / self.count


class Sobol(Design):
    """Sobol's sequence, scrambled."""

    last: tuple[int, np.ndarray] | None = None  # block made before, for chunks are smaller

    def block(self, number: int) -> np.ndarray:
        from scipy.stats import qmc

        if self.last is None or self.last[0] != number:
            engine = qmc.Sobol(self.size, scramble=True, rng=np.random.default_rng([self.seed, 3]))
            if number:
                engine.fast_forward(number * BLOCK)
            self.last = number, engine.random(BLOCK)
        return self.last[1]

    def rows(self, indices):
        out = np.empty((len(indices), self.size))
        blocks = np.asarray(indices) // BLOCK
        for block in np.unique(blocks).tolist():
            here = blocks == block
            out[here] = self.block(block)[np.asarray(indices)[here] % BLOCK]
        return out


class Saltelli(Design):
    """For Sobol's indices: blocks of A, B, and A with one column of B each, from Sobol's sequence in twice as many
    dimensions; row k of a block of (size + 2)."""

    def __init__(self, size: int, base: int, seed: int):
        super().__init__(size, base * (size + 2), seed)
        self.base = Sobol(2 * size, base, seed)

    def rows(self, indices):
        which, part = np.divmod(np.asarray(indices), self.size + 2)
        both = self.base.rows(which)
        out = both[:, : self.size].copy()
        out[part == 1] = both[part == 1, self.size :]
        for j in range(self.size):
            out[part == j + 2, j] = both[part == j + 2, self.size + j]
        return out


class Morris(Design):
    """Trajectories through a coarse grid that change one parameter at a time."""

    def __init__(self, size: int, trajectories: int, seed: int):
        super().__init__(size, trajectories * (size + 1), seed)

    def trajectory(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        """(rows, which parameter changes at each step)"""
        rng = np.random.default_rng([self.seed, 5, k])
        half = PATH_LEVELS // 2
        start = rng.integers(0, half, self.size)
        up = rng.random(self.size) < 0.5
        order = rng.permutation(self.size)
        levels = np.tile(np.where(up, start, start + half), (self.size + 1, 1))
        for step, j in enumerate(order):
            levels[step + 1 :, j] = start[j] + (half if up[j] else 0)
        return (levels + 0.5) / PATH_LEVELS, order

    def rows(self, indices):
        which, step = np.divmod(np.asarray(indices), self.size + 1)
        return np.array([self.trajectory(int(k))[0][s] for k, s in zip(which, step, strict=True)]).reshape(
            -1, self.size
        )


@dataclass(frozen=True)
class Given:
    """Rows of values as they are: of a list or of a grid."""

    columns: tuple[np.ndarray, ...]
    is_grid: bool

    @property
    def count(self) -> int:
        lengths = [len(c) for c in self.columns]
        return int(np.prod(lengths, dtype=object)) if self.is_grid else lengths[0]

    def values(self, indices: np.ndarray) -> np.ndarray:
        if not self.is_grid:
            return np.stack([c[indices] for c in self.columns], axis=1)
        places = np.unravel_index(indices, [len(c) for c in self.columns])
        return np.stack([c[p] for c, p in zip(self.columns, places, strict=True)], axis=1)


DESIGNS = {"latin_hypercube": LatinHypercube, "random": Random, "sobol": Sobol, "saltelli": Saltelli, "morris": Morris}
