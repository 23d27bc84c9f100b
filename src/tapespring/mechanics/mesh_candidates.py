"""Candidates of a mesh that may touch itself: vertices near triangles, edges near edges, by their boxes."""

from __future__ import annotations

import numpy as np

from ..jit import kernel, small
from .boxes import Boxes, build, new_boxes, seek


@small
def put_box(tree, b, points, cell, more):
    """Around three points, larger by `more`."""
    for k in range(3):
        x, y, z = points[cell[0], k], points[cell[1], k], points[cell[2], k]
        tree.box[b, k] = min(x, min(y, z)) - more
        tree.box[b, 3 + k] = max(x, max(y, z)) + more


@small
def have_common(a, b):
    """Without branches: nobody can foresee them."""
    common = False
    for i in range(3):
        common |= (a[i] == b[0]) | (a[i] == b[1]) | (a[i] == b[2])
    return common


@kernel
def overlapping(tree, seekers, shown, points, more, among, found, out):
    """Pairs of boxes around seekers and shown, none with a common point; among: both are the same. How many there are;
    as many of them as there is room for go to `out`, whose last row is scratch."""
    n, first, last = 0, 0 if among else len(seekers), len(out) - 1
    if not among:
        for b in range(len(seekers)):
            put_box(tree, b, points, seekers[b], more)
    for b in range(len(shown)):
        put_box(tree, first + b, points, shown[b], more)
    build(tree)
    for i in range(len(seekers)):
        b = tree.box_row[i] if among else i  # neighbours one after the other
        for k in range(seek(tree, b, among != 0, found)):
            other = found[k] - first
            out[min(n, last), 0], out[min(n, last), 1] = b, other
            n += not have_common(seekers[b], shown[other])
    return n


def three_of(cells) -> np.ndarray:
    """(n, 3) corners of cells with three or fewer; the last again for those missing."""
    cells = np.asarray(cells, np.int64)
    return np.ascontiguousarray(cells[:, np.minimum(np.arange(3), cells.shape[1] - 1)])


class MeshCandidates:
    """Finds them again and again for the same mesh; keeps its room."""

    def __init__(self, count: int, edges: np.ndarray, triangles: np.ndarray):
        self.vertices = three_of(np.arange(count)[:, None])
        self.edges, self.triangles = three_of(edges), three_of(triangles)
        self.faces = new_boxes(np.arange(count + len(triangles)) >= count)
        self.lines = new_boxes(np.ones(len(edges)))
        self.found = np.zeros(max(len(edges), len(triangles)) + 1, np.int64)
        self.room = [np.zeros((8 * count + 1, 2), np.int64), np.zeros((8 * len(edges) + 1, 2), np.int64)]

    def find(self, points: np.ndarray, distance: float) -> tuple[np.ndarray, np.ndarray]:
        """((n, 2) vertices and triangles, (n, 2) edges and edges) whose boxes are not farther apart than a distance
        along any axis."""
        pairs = (self.faces, self.vertices, self.triangles, 0), (self.lines, self.edges, self.edges, 1)
        return tuple(self.pairs(k, *given, points, 0.5 * distance) for k, given in enumerate(pairs))  # type: ignore[return-value]

    def pairs(self, k: int, tree: Boxes, seekers, shown, among: int, points, more: float) -> np.ndarray:
        while True:
            n = overlapping(tree, seekers, shown, points, more, among, self.found, self.room[k])
            if n < len(self.room[k]):
                return self.room[k][:n]
            self.room[k] = np.zeros((2 * n, 2), np.int64)
