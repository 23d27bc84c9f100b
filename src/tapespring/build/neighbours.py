"""Which nodes act on which, read from the tables of a model."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from ..mechanics import tables as tb


def free_nodes(tables: tb.Tables) -> dict[int, list[int]]:
    """Unknowns of every free node."""
    size = {tb.POINT: 3, tb.FRAME: 6}
    kinds, first = tables.nodes["kind"].tolist(), tables.nodes["v"].tolist()
    return {n: list(range(first[n], first[n] + size[k])) for n, k in enumerate(kinds) if k in size}


def row_blocks(tables: tb.Tables) -> list[list[int]]:
    """Nodes of every row, once per block of G."""
    nodes: list[list[int]] = [[] for _ in tables.rows]
    for n, r in zip(tables.block_node.tolist(), tables.block_row.tolist(), strict=True):
        nodes[r].append(n)
    return nodes


def row_measures(tables: tb.Tables) -> list[list[int]]:
    measure = tables.terms["measure"].tolist()
    return [measure[a:b] for a, b in zip(tables.rows["first"].tolist(), tables.rows["last"].tolist(), strict=True)]


def stressed_measures(tables: tb.Tables) -> list[int]:
    """Measures that a force or a reaction acts along."""
    rubbing = np.concatenate((tables.grips["measure"].ravel(), tables.grips["place"]))
    rubbing = rubbing[rubbing >= 0]
    return sorted({*tables.couplings["measure"].tolist(), *tables.terms["measure"].tolist(), *rubbing.tolist()})


def pairs(tables: tb.Tables) -> np.ndarray:
    """(n, 2) nodes that forces or reactions act between; some more than once."""
    measures = tables.measures[stressed_measures(tables)]
    ends = [np.stack((i["a"], i["b"]), axis=1) for i in (measures, tables.bushings, tables.beams, tables.bars)]
    for nodes in (*cell_nodes(tables), *modal_nodes(tables)):
        a, b = np.triu_indices(nodes.shape[1], 1)
        ends.append(np.stack((nodes[:, a].ravel(), nodes[:, b].ravel()), axis=1))
    for _, _, nodes in contact_nodes(tables):
        a, b = np.triu_indices(nodes.shape[1], 1)
        ends.append(np.stack((nodes[:, a].ravel(), nodes[:, b].ravel()), axis=1))
    return np.concatenate(ends)


def contact_nodes(tables: tb.Tables) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """(pairs that may touch and, after these, points and triangles near them; slots of their spots: from 0 of the first
    surface and from 3 of the second; (pairs, slots) nodes), together for all with the same numbers of spots."""
    a, b = (np.concatenate((tables.pairs[name], tables.beside[:, k])) for k, name in enumerate("ab"))
    first, count = tables.surfaces["spot"], tables.surfaces["count"]
    out = []
    for m, n in sorted(set(zip(count[a].tolist(), count[b].tolist(), strict=True))):
        some = np.flatnonzero((count[a] == m) & (count[b] == n))
        spots = np.concatenate((first[a[some], None] + np.arange(m), first[b[some], None] + np.arange(n)), axis=1)
        out.append((some, np.array([*range(m), *range(3, 3 + n)]), tables.spots["node"][spots]))
    return out


def cell_nodes(tables: tb.Tables) -> list[np.ndarray]:
    """Nodes of the cells (cells, corners), in turn; one array for neighbours of the same number of corners."""
    return corner_nodes(tables, tables.cells["corner"], tables.forms["corners"][tables.cells["form"]])


def face_nodes(tables: tb.Tables) -> list[np.ndarray]:
    """Nodes of the faces under pressure, likewise."""
    return corner_nodes(tables, tables.pressures["corner"], tables.pressures["count"])


def modal_nodes(tables: tb.Tables) -> list[np.ndarray]:
    """Nodes of bodies by modes (1, nodes), the frame first, in turn."""
    bodies = tables.modal[["node", "amplitudes", "count"]].tolist()
    return [np.array([[node, *range(first, first + count // 3)]]) for node, first, count in bodies]


def corner_nodes(tables: tb.Tables, first: np.ndarray, count: np.ndarray) -> list[np.ndarray]:
    cuts = np.flatnonzero(np.diff(count)) + 1
    parts = zip(np.split(first, cuts), np.split(count, cuts), strict=True)
    return [tables.corners["node"][f[:, None] + np.arange(c[0])] for f, c in parts if len(f)]


def edges_between(tables: tb.Tables, nodes: Collection[int]) -> np.ndarray:
    """(n, 2) pairs of the given nodes, counted among themselves, that act on each other: each once, in order."""
    place = np.full(len(tables.nodes), -1)
    place[list(nodes)] = np.arange(len(nodes))
    ends = np.sort(place[pairs(tables)], axis=1)
    ends = ends[(ends[:, 0] >= 0) & (ends[:, 0] != ends[:, 1])]
    keys = np.unique(ends[:, 0] * len(place) + ends[:, 1])
    return np.stack((keys // len(place), keys % len(place)), axis=1)
