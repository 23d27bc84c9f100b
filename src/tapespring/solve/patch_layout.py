"""Which cells go through mechanics.cell_lanes, and which nodes are moved together with them.

Quadrilateral shells and membranes of quadrilaterals and triangles do if their law is linear and their corners lie at
their nodes; they are taken in the blocks of four in which they are stored (cells.store). A node of theirs is owned,
moved in one pass (solve.patch_moves), unless joints, springs, contacts, beams or bars act on it or its inertia differs
between directions.
"""

from __future__ import annotations

import numpy as np

from ..cells.store import WIDTH
from ..mechanics import tables as tb

FEWEST = 8  # cells worth a pass
SHELL, QUAD, TRIANGLE = (4, 3, 20), (4, 0, 6), (3, 0, 3)  # corners, carried vectors and scalars of these forms
BLOCKS = {SHELL: [6, 6, 4, 4], QUAD: [6], TRIANGLE: [3]}  # of C
KINDS = {"shells": SHELL, "quads": QUAD, "triangles": TRIANGLE}  # fields of Leap


def blocks_of(t: tb.Tables, kind: tuple[int, int, int]) -> np.ndarray:
    """First cells of the blocks of four (cells.store) of a form all of which can go through the pass."""
    fits = np.zeros(len(t.forms), bool)
    for i, form in enumerate(t.forms):
        blocks = t.form_blocks[form["block"] : form["block"] + form["blocks"], 0].tolist()
        fits[i] = (form["corners"], form["carried"], form["scalars"]) == kind and blocks == BLOCKS[kind]
    first = np.flatnonzero(t.cells["lane"] == 0)
    if not fits.any() or not len(first):
        return np.zeros(0, np.int64)
    can = fits[t.cells["form"]] & (t.cells["arms"] == 0) & (t.cells["law"] == tb.LINEAR)
    return first[np.logical_and.reduceat(can, first)]


def cells_in(t: tb.Tables, blocks: np.ndarray) -> np.ndarray:
    """All cells of the blocks that begin with these."""
    begins = t.cells["lane"] == 0
    return np.flatnonzero(np.isin(np.flatnonzero(begins), blocks)[np.cumsum(begins) - 1])


def ranges(which: np.ndarray) -> np.ndarray:
    """(n, 2) first and last + 1 of the runs in sorted numbers."""
    if not len(which):
        return np.zeros((0, 2), np.int64)
    cut = np.flatnonzero(np.diff(which) > 1)
    return np.stack((which[np.append(0, cut + 1)], which[np.append(cut, len(which) - 1)] + 1), axis=1)


def owned_nodes(t: tb.Tables, nodes: np.ndarray) -> np.ndarray:
    """Those of these nodes that the pass may move."""
    even = np.ptp(t.nodes["inertia"], axis=1) <= 1e-12 * t.nodes["inertia"].max(axis=1)
    fits = (t.nodes["kind"] == tb.POINT) | ((t.nodes["kind"] == tb.FRAME) & even)
    for table in (t.measures, t.bushings, t.bars, t.beams):
        fits[table["a"]] = fits[table["b"]] = False
    fits[t.block_node] = False
    fits[t.spots["node"]] = False
    return np.unique(nodes[fits[nodes]])


def new_patches(t: tb.Tables, wanted: bool = True) -> dict[str, np.ndarray]:
    """Fields of Leap: blocks of cells that go through the pass, nodes it moves, ranges of the other cells."""
    out = {name: blocks_of(t, kind) for name, kind in KINDS.items()}
    if not wanted or WIDTH * sum(map(len, out.values())) < FEWEST:
        out = {name: np.zeros(0, np.int64) for name in out}
    taken = np.zeros(len(t.cells), bool)
    corners = []
    for name, kind in KINDS.items():
        cells = cells_in(t, out[name])
        taken[cells] = True
        corners += [t.corners["node"][t.cells["corner"][cells] + k] for k in range(kind[0])]
    out["owned"] = owned_nodes(t, np.concatenate(corners))
    out["cells"] = ranges(np.flatnonzero(~taken))
    ahead = np.any(t.cells["damping"] > 0.0) or len(t.drags) + len(t.pressures) > 0
    out["ahead"] = np.array([int(ahead)])
    return out
