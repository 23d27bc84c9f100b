"""Which cells go through mechanics.cell_lanes, and which nodes are moved together with them.

Quadrilateral shells and membranes of quadrilaterals and triangles do if their law is linear and their corners lie at
their nodes. A node of theirs is owned, moved in one pass (solve.patch_moves), unless joints, springs, contacts, beams
or bars act on it or its inertia differs between directions.
"""

from __future__ import annotations

import numpy as np

from ..mechanics import cell_lanes as cl
from ..mechanics import tables as tb
from .chain_layout import zeros_on_lines

FEWEST = 8  # cells worth a pass
SHELL, QUAD, TRIANGLE = (4, 3, 20), (4, 0, 6), (3, 0, 3)  # corners, carried vectors and scalars of these forms
BLOCKS = {SHELL: [6, 6, 4, 4], QUAD: [6], TRIANGLE: [3]}
SIZES = {SHELL: cl.SHELL_SIZE, QUAD: cl.QUAD_SIZE, TRIANGLE: cl.TRI_SIZE}


def cells_of(t: tb.Tables, kind: tuple[int, int, int]) -> np.ndarray:
    """Numbers of the cells of a form that can go through the pass."""
    fits = np.zeros(len(t.forms), bool)
    for i, form in enumerate(t.forms):
        blocks = t.form_blocks[form["block"] : form["block"] + form["blocks"]].tolist()
        fits[i] = (form["corners"], form["carried"], form["scalars"]) == kind and blocks == BLOCKS[kind]
    if not fits.any():
        return np.zeros(0, np.int64)
    return np.flatnonzero(fits[t.cells["form"]] & (t.cells["arms"] == 0) & (t.cells["law"] == tb.LINEAR))


def laid_out(t: tb.Tables, kind: tuple[int, int, int], which: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """((blocks, fields, 4) data, (blocks, 4 corners) nodes), see mechanics.cell_lanes; in lanes that are left the last
    cell stands again, without stiffness."""
    corners, scalars = kind[0], kind[2]
    blocks = -(-len(which) // 4)
    place = np.minimum(np.arange(4 * blocks), len(which) - 1)
    cells = t.cells[which]
    data = zeros_on_lines(blocks, SIZES[kind])
    row, lane = np.arange(4 * blocks) // 4, np.arange(4 * blocks) % 4

    def put_field(field: int, values: np.ndarray) -> None:
        data[row, field, lane] = values[place]

    number = cells["number"]
    for k in range(scalars):
        put_field(k, t.cell_numbers[number + k])
    field, at = scalars, number + scalars
    for n in BLOCKS[kind]:
        for i in range(n):
            for j in range(i, n):
                put_field(field, t.cell_numbers[at + i * n + j])
                field += 1
        at = at + n * n
    data[-1:, scalars:field, len(which) - 4 * (blocks - 1) :] = 0.0
    put_field(field, cells["damping"])
    field += 1
    if kind == SHELL:
        for k in range(corners):
            for name in ("director", "along", "across"):
                for a in range(3):
                    put_field(field, t.corners[name][cells["corner"] + k, a])
                    field += 1
    nodes = np.zeros((blocks, 4 * corners), np.int64)
    for k in range(corners):
        nodes[row, 4 * k + lane] = t.corners["node"][cells["corner"] + k][place]
    return data, nodes


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
    """Fields of Leap: data and nodes of cells that go through the pass, nodes it moves, ranges of the other cells."""
    found = {kind: cells_of(t, kind) for kind in (SHELL, QUAD, TRIANGLE)}
    if not wanted or sum(map(len, found.values())) < FEWEST:
        found = {kind: np.zeros(0, np.int64) for kind in found}
    out = {}
    for name, (kind, which) in zip(("shell", "quad", "triangle"), found.items(), strict=True):
        out[name + "s"], out[name + "_nodes"] = laid_out(t, kind, which)
    taken = np.concatenate(list(found.values()))
    corners = [out[f"{name}_nodes"].ravel() for name in ("shell", "quad", "triangle")]
    out["owned"] = owned_nodes(t, np.concatenate(corners))
    out["cells"] = ranges(np.setdiff1d(np.arange(len(t.cells)), taken))
    ahead = np.any(t.cells["damping"] > 0.0) or len(t.drags) + len(t.pressures) > 0
    out["ahead"] = np.array([int(ahead)])
    return out
