"""A hashed grid of boxes: which boxes overlap which, in time proportional to their number.

Space is cut into cubes. Every box stands in the list of each cube it overlaps; lists are found by a hash of the cube's
numbers and lie in one array, sorted by counting. A pair of boxes may share several cubes and counts in the one where the
larger of their lower corners lies.

A grid is anything with the fields of `Grid`: Work has them too.
"""

from __future__ import annotations

from math import floor
from typing import NamedTuple

import numpy as np
from numpy import int64

from ..jit import device, small

ORIGIN, CELL, PER_LENGTH = 0, 3, 4  # places in Grid.grid_size: lower corner of all (3), edge of a cube, its inverse
SPREAD = 1.0  # edge of a cube over the mean size of boxes
PER_BOX = 12  # entries there is room for
X, Y, Z = 73856093, 19349663, 83492791  # primes of the hash


class Grid(NamedTuple):
    """Boxes and the lists of cubes."""

    grid_box: np.ndarray  # (n, 6) lower and upper corners
    grid_shown: np.ndarray  # (n,) 1: can be found
    grid_low: np.ndarray  # (n, 3) cubes of lower corners
    grid_start: np.ndarray  # (2^k + 1,) first entry of each list
    grid_key: np.ndarray  # cube of each entry
    grid_entry: np.ndarray  # box of each entry
    grid_size: np.ndarray  # see the top of the file


def new_grid(shown: np.ndarray) -> Grid:
    """Room for boxes; shown: which of them can be found."""
    n = len(shown)
    lists = 1 << max(4, (4 * n).bit_length())
    return Grid(
        grid_box=np.zeros((n, 6)), grid_shown=np.asarray(shown, np.int64), grid_low=np.zeros((n, 3), np.int64),
        grid_start=np.zeros(lists + 1, np.int64),
        grid_key=np.zeros(PER_BOX * n + 64, np.int64), grid_entry=np.zeros(PER_BOX * n + 64, np.int64),
        grid_size=np.zeros(8),
    )  # fmt: skip


@small
def cube(grid, k, x):
    """Number of the cube along axis k."""
    return int64(floor((x - grid.grid_size[ORIGIN + k]) * grid.grid_size[PER_LENGTH]))


@small
def key_of(i, j, k):
    return (i << 42) | (j << 21) | k


@small
def list_of(grid, i, j, k):
    return ((i * X) ^ (j * Y) ^ (k * Z)) & (len(grid.grid_start) - 2)


@small
def cubes(grid, b):
    """(first, last along x, along y, along z) of a box."""
    box = grid.grid_box[b]
    return (
        cube(grid, 0, box[0]), cube(grid, 0, box[3]),
        cube(grid, 1, box[1]), cube(grid, 1, box[4]),
        cube(grid, 2, box[2]), cube(grid, 2, box[5]),
    )  # fmt: skip


@device
def lay_out(grid):
    """Choose the lower corner of all and the edge of cubes: boxes shown have to fit into the room for entries."""
    size, total, count = grid.grid_size, 0.0, 0
    low, high = (1e300, 1e300, 1e300), (-1e300, -1e300, -1e300)
    for b in range(len(grid.grid_box)):
        box = grid.grid_box[b]
        low = (min(low[0], box[0]), min(low[1], box[1]), min(low[2], box[2]))
        high = (max(high[0], box[3]), max(high[1], box[4]), max(high[2], box[5]))
        if grid.grid_shown[b]:
            total += (box[3] - box[0]) + (box[4] - box[1]) + (box[5] - box[2])
            count += 1
    if count == 0:
        return 0
    widest = max(high[0] - low[0], high[1] - low[1], high[2] - low[2])
    size[CELL] = max(SPREAD * total / (3.0 * count), 1e-6 * widest, 1e-300)
    for k in range(3):
        size[ORIGIN + k] = low[k]
    for _ in range(60):
        size[PER_LENGTH] = 1.0 / size[CELL]
        entries = 0
        for b in range(len(grid.grid_box)):
            if grid.grid_shown[b]:
                i0, i1, j0, j1, k0, k1 = cubes(grid, b)
                entries += (i1 - i0 + 1) * (j1 - j0 + 1) * (k1 - k0 + 1)
                if entries > len(grid.grid_entry):
                    break
        if entries <= len(grid.grid_entry):
            break
        size[CELL] *= 1.5
    return count


@device
def fill(grid):
    """Sort all boxes shown into the lists."""
    start = grid.grid_start
    for l in range(len(start)):
        start[l] = 0
    if lay_out(grid) == 0:
        return
    for b in range(len(grid.grid_box)):
        for k in range(3):
            grid.grid_low[b, k] = cube(grid, k, grid.grid_box[b, k])
    for b in range(len(grid.grid_box)):
        if grid.grid_shown[b]:
            i0, i1, j0, j1, k0, k1 = cubes(grid, b)
            for i in range(i0, i1 + 1):
                for j in range(j0, j1 + 1):
                    for k in range(k0, k1 + 1):
                        start[list_of(grid, i, j, k) + 1] += 1
    for l in range(len(start) - 1):
        start[l + 1] += start[l]
    total = start[len(start) - 1]
    for b in range(len(grid.grid_box) - 1, -1, -1):  # lists are filled from their ends: lower numbers come first
        if grid.grid_shown[b]:
            i0, i1, j0, j1, k0, k1 = cubes(grid, b)
            for i in range(i0, i1 + 1):
                for j in range(j0, j1 + 1):
                    for k in range(k0, k1 + 1):
                        l = list_of(grid, i, j, k) + 1
                        start[l] -= 1
                        grid.grid_key[start[l]] = key_of(i, j, k)
                        grid.grid_entry[start[l]] = b
    # each list now begins where the next one's number stands
    for l in range(len(start) - 1):
        start[l] = start[l + 1]
    start[len(start) - 1] = total


@small
def box_of(grid, b):
    box = grid.grid_box
    return box[b, 0], box[b, 1], box[b, 2], box[b, 3], box[b, 4], box[b, 5]


@small
def overlap(p, q):
    """Without branches: nobody can foresee them."""
    return (p[0] <= q[3]) & (q[0] <= p[3]) & (p[1] <= q[4]) & (q[1] <= p[4]) & (p[2] <= q[5]) & (q[2] <= p[5])


@small
def is_owner(grid, b, other, i, j, k):
    """Whether the larger of the lower corners lies in this cube."""
    low = grid.grid_low
    return (
        (max(low[b, 0], low[other, 0]) == i)
        & (max(low[b, 1], low[other, 1]) == j)
        & (max(low[b, 2], low[other, 2]) == k)
    )


@device
def seek(grid, b, after, out):
    """Numbers above `after` of boxes shown that overlap box b, each once; how many, or -1 if `out` is too short."""
    box, count, room = box_of(grid, b), 0, len(out)
    i0, i1, j0, j1, k0, k1 = cubes(grid, b)
    for i in range(i0, i1 + 1):
        for j in range(j0, j1 + 1):
            for k in range(k0, k1 + 1):
                l, key = list_of(grid, i, j, k), key_of(i, j, k)
                for e in range(grid.grid_start[l], grid.grid_start[l + 1]):
                    other = grid.grid_entry[e]
                    there = box_of(grid, other)
                    wanted = (other > after) & (grid.grid_key[e] == key) & is_owner(grid, b, other, i, j, k)
                    if wanted & overlap(box, there):
                        if count == room:
                            return -1
                        out[count] = other
                        count += 1
    return count
