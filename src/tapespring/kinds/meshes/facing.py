"""Elements of a surface that all face to the same side."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..refusal import Refusal
from .elements import ELEMENTS, TURNED
from .grid import Grid

SHOWN = 5


def facing_alike(grid: Grid) -> Grid:
    """Neighbours run along their common edge in opposite senses; the fewer elements are turned over, and told. Edges of
    three and more elements (webs, ribs) join nothing. Raises Refusal for a surface with one side only."""
    if grid.dimension != 2:
        return grid
    names, counts = list(grid.cells), [len(cells) for cells in grid.cells.values()]
    first, second, same_sense, edges = neighbours(grid)
    if not same_sense.any():
        return grid
    piece_up, piece_down = two_sided(sum(counts), first, second, same_sense)
    if (piece_up == piece_down).any():
        torn = int(np.flatnonzero(same_sense)[0])
        raise Refusal(
            "the surface has only one side, like a Möbius strip: whichever way its elements are turned, some "
            f"neighbours face opposite ways, such as at the edge between {grid.node_names(edges[torn])}; cut it there"
        )
    turned = fewer(piece_up, piece_down)
    cells, told, start = {}, [], 0
    for name, count in zip(names, counts, strict=True):
        mine = turned[start : start + count]
        cells[name] = np.where(mine[:, None], grid.cells[name][:, TURNED[name]], grid.cells[name])
        told += [grid.cell_name(name, int(cell)) for cell in np.flatnonzero(mine)]
        start += count
    shown = ", ".join(told[:SHOWN]) + (" …" if len(told) > SHOWN else "")
    which = (
        "1 element faces the other way and was"
        if len(told) == 1
        else f"{len(told)} elements face the other way and were"
    )
    return replace(grid, cells=cells).with_notes(f"{which} turned over: {shown}")


def neighbours(grid: Grid) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Pairs of elements (numbered through all types) with a common edge, whether both run along it in the same sense,
    and the edge."""
    sides, owners, start = [], [], 0
    for name, cells in grid.cells.items():
        edges = cells[:, ELEMENTS[name].sides]
        sides.append(edges.reshape(-1, 2))
        owners.append(np.repeat(np.arange(start, start + len(cells)), edges.shape[1]))
        start += len(cells)
    side, owner = np.concatenate(sides), np.concatenate(owners)
    low = np.sort(side, axis=1)
    order = np.lexsort((low[:, 1], low[:, 0]))
    side, owner, low = side[order], owner[order], low[order]
    new = np.concatenate(([True], (np.diff(low, axis=0) != 0).any(axis=1)))
    begin = np.flatnonzero(new)
    pair = begin[np.diff(np.append(begin, len(low))) == 2]
    return owner[pair], owner[pair + 1], side[pair, 0] == side[pair + 1, 0], low[pair]


def two_sided(n: int, first: np.ndarray, second: np.ndarray, same_sense: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Every element has two sides, and sides of neighbours hang together: (sheet of each upper side, of each lower)."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    across = np.where(same_sense, n, 0)
    rows = np.concatenate((first, first + n))
    columns = np.concatenate((second + across, second + n - across))
    graph = coo_matrix((np.ones(len(rows), np.int8), (rows, columns)), (2 * n, 2 * n))
    _, sheet = connected_components(graph, directed=False)
    return sheet[:n], sheet[n:]


def fewer(up: np.ndarray, down: np.ndarray) -> np.ndarray:
    """Which elements to turn: of the two sheets of each piece, those whose upper side lies in the smaller."""
    count = np.bincount(up, minlength=int(max(up.max(), down.max())) + 1)
    return (count[up] < count[down]) | ((count[up] == count[down]) & (up > down))
