"""Where the blocks between groups of unknowns lie in a flat array, and so those of nodes, elements and rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..mechanics import tables as tb
from .neighbours import cell_nodes, contact_nodes, face_nodes, modal_nodes, stressed_measures


@dataclass
class Groups:
    """Unknowns of every group in order of elimination, and where nodes and rows are in them."""

    unknowns: list[list[int]]
    node: dict[int, tuple[int, int]]  # free node -> (group, first place in it)
    row: list[tuple[int, int]]  # row -> (group, place in it); group -1: not stored
    neighbours: list[set[int]] | np.ndarray  # groups that share a block: of each, or as pairs (n, 2), each once


class Places:
    """Blocks between groups: offset and stride in the flat array of values."""

    def __init__(self, groups: Groups, nodes: int):
        self.sizes = np.array([len(mine) for mine in groups.unknowns], np.int64)
        self.node = np.full((nodes, 2), -1)  # (group, first place in it), -1 unless free
        self.node[list(groups.node)] = np.array(list(groups.node.values())).reshape(-1, 2)
        self.row_place = np.array(groups.row, np.int64).reshape(-1, 2)
        self.key = block_keys(groups.neighbours, len(self.sizes))
        self.rows, self.columns = np.divmod(self.key, max(len(self.sizes), 1))
        entries = self.sizes[self.rows] * self.sizes[self.columns]
        self.offset = np.cumsum(entries) - entries
        self.size = int(entries.sum())

    def at(self, g, i, h, j) -> np.ndarray:
        """(..., 2): offset of entry (i, j) of the block of groups g, h, and its stride; offset -1 where g or h is."""
        found = (g >= 0) & (h >= 0)
        out = np.stack((np.full(found.shape, -1), np.zeros(found.shape, np.int64)), axis=-1)
        g, i, h, j = g[found], i[found], h[found], j[found]
        stride = self.sizes[h]
        offset = self.offset[np.searchsorted(self.key, g * len(self.sizes) + h)]
        out[found] = np.stack((offset + i * stride + j, stride), axis=-1)
        return out

    def between(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Rows of nodes a, columns of nodes b; offset -1 unless both are free."""
        (g, i), (h, j) = np.moveaxis(self.node[a], -1, 0), np.moveaxis(self.node[b], -1, 0)
        return self.at(g, i, h, j)

    def row(self, r: np.ndarray, n: np.ndarray) -> np.ndarray:
        return self.at(*self.row_place[r].T, *self.node[n].T)[:, 0]

    def column(self, r: np.ndarray, n: np.ndarray) -> np.ndarray:
        return self.at(*self.node[n].T, *self.row_place[r].T)

    def of_items(self, items: np.ndarray) -> np.ndarray:
        """(items, row side, column side, 2)"""
        ends = np.stack((items["a"], items["b"]), axis=1)
        return self.between(ends[:, :, None].repeat(2, 2), ends[:, None, :].repeat(2, 1))

    def of_corners(self, nodes: list[np.ndarray]) -> np.ndarray:
        """(pairs of corners, 2)"""
        found = [np.zeros((0, 2), np.int64)]
        for n in nodes:
            each = n.shape[1]
            found.append(self.between(n[:, :, None].repeat(each, 2), n[:, None, :].repeat(each, 1)).reshape(-1, 2))
        return np.concatenate(found)

    def of_contacts(self, tables: tb.Tables) -> np.ndarray:
        """(pairs, then points beside triangles; 6, 6, 2): between the spots of each, three of each surface; -1 where it
        has fewer."""
        out = np.full((len(tables.pairs) + len(tables.beside), 6, 6, 2), -1, np.int64)
        for some, slots, nodes in contact_nodes(tables):
            each = len(slots)
            at = self.between(nodes[:, :, None].repeat(each, 2), nodes[:, None, :].repeat(each, 1))
            out[some[:, None, None], slots[:, None], slots] = at
        return out

    def of_tables(self, tables: tb.Tables) -> dict[str, np.ndarray]:
        """Fields of Kkt."""
        every, node, row = np.arange(len(tables.nodes)), tables.block_node, tables.block_row
        stressed = np.zeros(len(tables.measures), bool)
        stressed[stressed_measures(tables)] = True
        measure_at = np.zeros((len(stressed), 2, 2, 2), np.int64)
        measure_at[..., 0] = -1
        measure_at[stressed] = self.of_items(tables.measures[stressed])
        named = {
            "node_at": self.between(every, every),
            "row_at": self.row(row, node),
            "column_at": self.column(row, node),
            "block_width": np.where(tables.nodes["kind"][node] == tb.FRAME, 6, 3),
            "measure_at": measure_at,
            "bushing_at": self.of_items(tables.bushings),
            "beam_at": self.of_items(tables.beams),
            "bar_at": self.of_items(tables.bars),
            "cell_at": self.of_corners(cell_nodes(tables)),
            "pressure_at": self.of_corners(face_nodes(tables)),
            "contact_at": self.of_contacts(tables),
            "modal_at": self.of_corners(modal_nodes(tables)),
        }
        return {name: np.ascontiguousarray(at, np.int64) for name, at in named.items()}


def block_keys(neighbours: list[set[int]] | np.ndarray, count: int) -> np.ndarray:
    """row * count + column of all blocks between groups, increasing."""
    if isinstance(neighbours, np.ndarray):
        a, b, own = neighbours[:, 0], neighbours[:, 1], np.arange(count)
        return np.sort(np.concatenate((a * count + b, b * count + a, own * count + own)))
    around = [sorted({g, *mine}) for g, mine in enumerate(neighbours)]
    rows = np.repeat(np.arange(count), [len(mine) for mine in around])
    return rows * count + np.array([h for mine in around for h in mine], np.int64)
