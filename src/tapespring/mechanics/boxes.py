"""A tree of boxes: which boxes overlap which, in time n log n, whatever their sizes.

Boxes are ordered such that halves of halves of the row lie apart: every range is divided along the axis in which its
boxes' middles lie farthest apart. Eight that follow one another in the row are a block; the boxes around eight blocks
are a block of the next level, until one is left. So the tree needs no pointers, and a box is compared with all of a
block at once: their corners lie side by side (math.lanes). The row keeps its order until next time, when little of it
has changed.

A tree is anything with the fields of `Boxes`: Work has them too.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..jit import device, from_numba, small

BITS = 3
BLOCK = 1 << BITS  # boxes
NEARLY, SLACK = 0.85, 0.03  # of the widest axis: which others will do; of the width: by how much parts may overlap
NOWHERE = 1e300  # lower corner of places without a box, and less their upper one

LANES = ("lane", "larger4", "load4", "load_row", "not_above4", "same")
lane, larger4, load4, load_row, not_above4, same = from_numba(".math.lanes", *LANES)


class Boxes(NamedTuple):
    """Boxes and the tree over them."""

    box: np.ndarray  # (n, 6) lower and upper corners
    box_row: np.ndarray  # those that can be found, in the order of the tree
    box_place: np.ndarray  # (n,) place of each in the row; -1 if it cannot be found
    box_middle: np.ndarray  # (row, 4) twice the middles, in the order of the row, and nothing
    box_fours: np.ndarray  # (two for a block, 6, 4) corners of all levels; the lowest are the boxes in the row's order
    box_level: np.ndarray  # first block of each level; the last has one
    box_open: np.ndarray  # (blocks + 1,) scratch of `seek`: those to look into


def new_boxes(shown) -> Boxes:
    """Room for boxes; shown: which of them can be found."""
    row = np.flatnonzero(shown)
    sizes = [-(-len(row) // BLOCK)]  # of the levels
    while sizes[-1] > 1:
        sizes.append(-(-sizes[-1] // BLOCK))
    fours = np.full((2 * sum(sizes), 6, 4), NOWHERE)
    fours[:, 3:] = -NOWHERE
    return Boxes(
        box=np.zeros((len(shown), 6)), box_row=row, box_place=np.full(len(shown), -1),
        box_middle=np.zeros((len(row), 4)), box_fours=fours, box_level=np.cumsum([0, *sizes[:-1]]),
        box_open=np.zeros(sum(sizes) + 1, np.int64),
    )  # fmt: skip


# -- building ---------------------------------------------------------------------------------------------------------
@small
def exchange(tree, i, j):
    row, x = tree.box_row, tree.box_middle
    row[i], row[j] = row[j], row[i]
    for k in range(3):
        x[i, k], x[j, k] = x[j, k], x[i, k]


@small
def extremes(tree, first, last):
    """Largest middles of a range and largest negative ones, all axes at once."""
    high = less = same(-NOWHERE)
    for i in range(first, last):
        x = load_row(tree.box_middle, i)
        high, less = larger4(x, high), larger4(-x, less)
    return high, less


@small
def axis_of(left, right):
    """(axis along which to divide a range, by how much its parts may overlap): the widest one, unless the parts are
    apart along one that is nearly as wide."""
    sizes, overlaps = larger4(left[0], right[0]) + larger4(left[1], right[1]), left[0] + right[1]
    axis, widest = 0, max(lane(sizes, 0), max(lane(sizes, 1), lane(sizes, 2)))
    for k in range(3):
        width = lane(sizes, k)
        if width >= NEARLY * widest and lane(overlaps, k) <= SLACK * width:
            return k, SLACK * width
        if width == widest:
            axis = k
    return axis, SLACK * widest


@device
def narrow(tree, k, first, last, middle, pivot):
    """Boxes not above a pivot first (Hoare); what is left of the range to be divided at `middle`."""
    x, i, j = tree.box_middle, first, last - 1
    while i <= j:
        while x[i, k] < pivot:
            i += 1
        while x[j, k] > pivot:
            j -= 1
        if i <= j:
            exchange(tree, i, j)
            i += 1
            j -= 1
    if middle <= j:
        return first, j + 1
    return (i, last) if middle >= i else (middle, middle)


@device
def divide(tree, first, last, middle):
    """Boxes before `middle` not above those from there on along one axis, but for some slack. Where that is so already
    nothing moves; else the pivot lies where both parts overlap. Ends for any numbers, also for those that are none."""
    left, right = extremes(tree, first, middle), extremes(tree, middle, last)
    k, slack = axis_of(left, right)
    top, bottom = lane(left[0], k), -lane(right[1], k)
    while top - bottom > slack:
        first, last = narrow(tree, k, first, last, middle, 0.5 * (top + bottom))
        top, bottom = lane(extremes(tree, first, middle)[0], k), -lane(extremes(tree, middle, last)[1], k)


@device
def put_in_order(tree):
    """The row, such that all its ranges of BLOCK, twice as many and so on lie apart."""
    count, size = len(tree.box_row), BLOCK
    while size < count:
        size *= 2
    while size > BLOCK:
        for first in range(0, count, size):
            middle = first + size // 2
            if middle < count:
                divide(tree, first, min(first + size, count), middle)
        size //= 2


@device
def put_around(tree, block, to):
    """A block's box to a place among all."""
    fours = tree.box_fours
    for k in range(3):
        low, high = NOWHERE, -NOWHERE
        for half in range(2 * block, 2 * block + 2):
            for i in range(4):
                low, high = min(low, fours[half, k, i]), max(high, fours[half, 3 + k, i])
        fours[to >> 2, k, to & 3] = low
        fours[to >> 2, 3 + k, to & 3] = high


@device
def build(tree):
    """Order all boxes that can be found, and box the tree's blocks."""
    row, starts, count = tree.box_row, tree.box_level, len(tree.box_row)
    for i in range(count):
        for k in range(3):
            tree.box_middle[i, k] = tree.box[row[i], k] + tree.box[row[i], 3 + k]
    put_in_order(tree)
    for i in range(count):
        tree.box_place[row[i]] = i
        for k in range(6):
            tree.box_fours[i >> 2, k, i & 3] = tree.box[row[i], k]
    for level in range(1, len(starts)):
        for block in range(starts[level - 1], starts[level]):
            put_around(tree, block, BLOCK * starts[level] + block - starts[level - 1])


# -- seeking ----------------------------------------------------------------------------------------------------------
@small
def corners(boxes, b):
    return boxes[b, 0], boxes[b, 1], boxes[b, 2], boxes[b, 3], boxes[b, 4], boxes[b, 5]


@small
def overlap4(fours, i, mine):
    """Which of four boxes overlap mine, as bits."""
    x = not_above4(load4(fours, i, 0), same(mine[3])) & not_above4(same(mine[0]), load4(fours, i, 3))
    y = not_above4(load4(fours, i, 1), same(mine[4])) & not_above4(same(mine[1]), load4(fours, i, 4))
    z = not_above4(load4(fours, i, 2), same(mine[5])) & not_above4(same(mine[2]), load4(fours, i, 5))
    return x & y & z


@small
def look_into(tree, level, block, mine, least, out, n):
    """Append those of a block, from the place `least` of its level on, that overlap mine. Without branches: nobody can
    foresee them."""
    i = 2 * (tree.box_level[level] + block)
    bits = overlap4(tree.box_fours, i, mine) | overlap4(tree.box_fours, i + 1, mine) << 4
    bits &= -1 << max(0, least - BLOCK * block)
    for lane in range(BLOCK):
        out[n] = BLOCK * block + lane
        n += (bits >> lane) & 1
    return n


@device
def seek(tree, b, later, out):
    """Boxes that overlap box b and can be found; later: only those behind it in the row, so that every pair is found
    once. How many; `out` has room for one more than all boxes."""
    if len(tree.box_row) == 0:
        return 0
    mine, own, todo = corners(tree.box, b), tree.box_place[b], tree.box_open
    least, first, last, found = own + 1 if later else 0, 0, 1, 0
    todo[0] = 0
    for level in range(len(tree.box_level) - 1, 0, -1):
        end = last
        for i in range(first, last):
            end = look_into(tree, level, todo[i], mine, least >> (BITS * level), todo, end)
        first, last = last, end
    for i in range(first, last):
        found = look_into(tree, 0, todo[i], mine, least, out, found)
    return named(tree, own, out, found)


@small
def named(tree, own, out, found):
    """Places in the row to boxes, without the own one. How many are left."""
    n = 0
    for k in range(found):
        place = out[k]
        out[n] = tree.box_row[place]
        n += place != own
    return n
