"""Candidates of a mesh that may touch itself: vertices near triangles, edges near edges, by their boxes."""

from __future__ import annotations

import numpy as np

from ..jit import device, kernel
from .boxes import Boxes, build, new_boxes, seek


@device
def put_box(tree, b, points, corners, more):
    """Around some points, larger by `more`."""
    for k in range(3):
        low = high = points[corners[0], k]
        for c in range(1, len(corners)):
            low, high = min(low, points[corners[c], k]), max(high, points[corners[c], k])
        tree.box[b, k] = low - more
        tree.box[b, 3 + k] = high + more


@device
def have_common(a, b):
    for i in range(len(a)):
        for j in range(len(b)):
            if a[i] == b[j]:
                return True
    return False


@kernel
def overlapping(tree, seekers, shown, points, more, among, found, out):
    """Pairs of boxes around seekers and shown, none with a common point; among: both are the same. How many there are;
    as many of them as there is room for go to `out`."""
    n, first = 0, 0 if among else len(seekers)
    if not among:
        for b in range(len(seekers)):
            put_box(tree, b, points, seekers[b], more)
    for b in range(len(shown)):
        put_box(tree, first + b, points, shown[b], more)
    build(tree)
    for b in range(len(seekers)):
        for k in range(seek(tree, b, among != 0, found)):
            other = found[k] - first
            if not have_common(seekers[b], shown[other]):
                if n < len(out):
                    out[n, 0], out[n, 1] = b, other
                n += 1
    return n


class MeshCandidates:
    """Finds them again and again for the same mesh; keeps its room."""

    def __init__(self, count: int, edges: np.ndarray, triangles: np.ndarray):
        self.vertices = np.arange(count, dtype=np.int64)[:, None]
        self.edges, self.triangles = np.ascontiguousarray(edges, np.int64), np.ascontiguousarray(triangles, np.int64)
        self.faces = new_boxes(np.arange(count + len(triangles)) >= count)
        self.lines = new_boxes(np.ones(len(edges)))
        self.found = np.zeros(max(len(edges), len(triangles)) + 1, np.int64)
        self.room = [np.zeros((8 * count, 2), np.int64), np.zeros((8 * len(edges), 2), np.int64)]

    def find(self, points: np.ndarray, distance: float) -> tuple[np.ndarray, np.ndarray]:
        """((n, 2) vertices and triangles, (n, 2) edges and edges) whose boxes are not farther apart than a distance
        along any axis."""
        pairs = (self.faces, self.vertices, self.triangles, 0), (self.lines, self.edges, self.edges, 1)
        return tuple(self.pairs(k, *given, points, 0.5 * distance) for k, given in enumerate(pairs))  # type: ignore[return-value]

    def pairs(self, k: int, tree: Boxes, seekers, shown, among: int, points, more: float) -> np.ndarray:
        while True:
            n = overlapping(tree, seekers, shown, points, more, among, self.found, self.room[k])
            if n <= len(self.room[k]):
                return self.room[k][:n]
            self.room[k] = np.zeros((2 * n, 2), np.int64)
