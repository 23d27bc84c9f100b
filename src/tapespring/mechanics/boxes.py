"""A tree of boxes: which boxes overlap which, in time n log n, whatever their sizes.

Boxes are ordered such that halves of halves of the row lie apart: every range is divided at its middle along the axis
in which its boxes' middles lie farthest apart. Node 0 of the tree covers all, the children 2i + 1 and 2i + 2 of node i
its halves; so the tree needs no pointers and its walk no stack. The row keeps its order until next time, when little of
it has changed.

A tree is anything with the fields of `Boxes`: Work has them too.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..jit import device, small

PER_LEAF = 8  # boxes at most


class Boxes(NamedTuple):
    """Boxes and the tree over them."""

    box: np.ndarray  # (n, 6) lower and upper corners
    box_row: np.ndarray  # those that can be found, in the order of the tree
    box_place: np.ndarray  # (n,) place of each in the row; -1 if it cannot be found
    box_middle: np.ndarray  # (row, 3) twice the middles, in the order of the row
    box_sorted: np.ndarray  # (row, 6) the boxes in the order of the row
    box_around: np.ndarray  # (nodes of the tree, 6) boxes around their ranges


def new_boxes(shown) -> Boxes:
    """Room for boxes; shown: which of them can be found."""
    row = np.flatnonzero(shown)
    leaves = 1
    while leaves * PER_LEAF < len(row):
        leaves *= 2
    return Boxes(
        box=np.zeros((len(shown), 6)), box_row=row, box_place=np.full(len(shown), -1),
        box_middle=np.zeros((len(row), 3)), box_sorted=np.zeros((len(row), 6)),
        box_around=np.zeros((2 * leaves - 1 if len(row) else 0, 6)),
    )  # fmt: skip


@small
def range_of(count, level, place):
    """(first, last + 1) of the row that a node covers."""
    return (count * place) >> level, (count * (place + 1)) >> level


# -- building ---------------------------------------------------------------------------------------------------------
@small
def exchange(tree, i, j):
    row, x = tree.box_row, tree.box_middle
    row[i], row[j] = row[j], row[i]
    for k in range(3):
        x[i, k], x[j, k] = x[j, k], x[i, k]


@small
def widest_axis(tree, first, last):
    x, best, widest = tree.box_middle, 0, -1.0
    for k in range(3):
        low = high = x[first, k]
        for i in range(first + 1, last):
            low, high = min(low, x[i, k]), max(high, x[i, k])
        if high - low > widest:
            best, widest = k, high - low
    return best


@device
def divide(tree, first, last, middle):
    """Boxes before `middle` not above those from there on, along the widest axis (Hoare's selection)."""
    k, x = widest_axis(tree, first, last), tree.box_middle
    low, high = first, last - 1
    while low < high:
        pivot = x[(low + high) >> 1, k]
        i, j = low, high
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
            high = j
        elif middle >= i:
            low = i
        else:
            break


@small
def levels_of(tree):
    levels, nodes = 0, len(tree.box_around)
    while (1 << (levels + 1)) - 1 < nodes:
        levels += 1
    return levels


@device
def put_around(tree, node, first, last):
    """A leaf's box."""
    for k in range(3):
        low, high = 1e300, -1e300
        for i in range(first, last):
            low, high = min(low, tree.box_sorted[i, k]), max(high, tree.box_sorted[i, 3 + k])
        tree.box_around[node, k] = low
        tree.box_around[node, 3 + k] = high


@device
def build(tree):
    """Order all boxes that can be found, and box the tree's nodes."""
    row, around, count = tree.box_row, tree.box_around, len(tree.box_row)
    if count == 0:
        return
    for i in range(count):
        for k in range(3):
            tree.box_middle[i, k] = tree.box[row[i], k] + tree.box[row[i], 3 + k]
    levels = levels_of(tree)
    for level in range(levels):
        for place in range(1 << level):
            first, last = range_of(count, level, place)
            divide(tree, first, last, range_of(count, level + 1, 2 * place)[1])
    for i in range(count):
        tree.box_place[row[i]] = i
        for k in range(6):
            tree.box_sorted[i, k] = tree.box[row[i], k]
    for place in range(1 << levels):
        first, last = range_of(count, levels, place)
        put_around(tree, (1 << levels) - 1 + place, first, last)
    for node in range((1 << levels) - 2, -1, -1):
        for k in range(3):
            around[node, k] = min(around[2 * node + 1, k], around[2 * node + 2, k])
            around[node, 3 + k] = max(around[2 * node + 1, 3 + k], around[2 * node + 2, 3 + k])


# -- seeking ----------------------------------------------------------------------------------------------------------
@small
def corners(boxes, b):
    return boxes[b, 0], boxes[b, 1], boxes[b, 2], boxes[b, 3], boxes[b, 4], boxes[b, 5]


@small
def overlap(p, q):
    """Without branches: nobody can foresee them."""
    return (p[0] <= q[3]) & (q[0] <= p[3]) & (p[1] <= q[4]) & (q[1] <= p[4]) & (p[2] <= q[5]) & (q[2] <= p[5])


@device
def seek(tree, b, later, out):
    """Boxes that overlap box b and can be found; later: only those behind it in the row, so that every pair is found
    once. How many; `out` has room for all boxes."""
    count, levels = len(tree.box_row), levels_of(tree)
    if count == 0:
        return 0
    mine, after, found = corners(tree.box, b), tree.box_place[b] if later else -1, 0
    node, level, place = 0, 0, 0
    while True:
        first, last = range_of(count, level, place)
        down = (last > after + 1) & overlap(mine, corners(tree.box_around, node))
        if down and level < levels:
            node, level, place = 2 * node + 1, level + 1, 2 * place
            continue
        if down:
            for i in range(max(first, after + 1), last):
                out[found] = tree.box_row[i]
                found += overlap(mine, corners(tree.box_sorted, i)) & (tree.box_row[i] != b)
        while place & 1:  # up from second children
            node, level, place = (node - 1) >> 1, level - 1, place >> 1
        if level == 0:
            return found
        node, place = node + 1, place + 1
