"""Sparsity of S = G M^-1 G': elimination order of the constraint rows and the pattern of its factor L."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

SMALL = 300  # rows: up to here a few lines of Python are faster than importing SuperLU


class Pattern(NamedTuple):
    """Arrays named as in mechanics.tables.Tables."""

    S_first: np.ndarray
    S_column: np.ndarray
    L_first: np.ndarray
    L_column: np.ndarray
    L_slot: np.ndarray
    C_first: np.ndarray
    C_row: np.ndarray
    pair_first: np.ndarray
    pair_left: np.ndarray
    pair_right: np.ndarray


def elimination_order(row_nodes: list[list[int]]) -> np.ndarray:
    """Rows in the order of elimination (minimum degree); rows are neighbours when they share a free node."""
    return greedy_order(row_nodes) if len(row_nodes) <= SMALL else superlu_order(row_nodes)


def greedy_order(row_nodes: list[list[int]]) -> np.ndarray:
    """Minimum degree: eliminate the row with the fewest neighbours, which then become neighbours of each other."""
    at_node: dict[int, set[int]] = {}
    for row, nodes in enumerate(row_nodes):
        for node in nodes:
            at_node.setdefault(node, set()).add(row)
    neighbours = [set().union(*(at_node[n] for n in nodes)) - {row} for row, nodes in enumerate(row_nodes)]
    left, order = set(range(len(row_nodes))), []
    while left:
        row = min(left, key=lambda r: (len(neighbours[r]), r))
        left.remove(row)
        order.append(row)
        for other in neighbours[row]:
            neighbours[other] |= neighbours[row]
            neighbours[other] -= {row, other}
    return np.array(order, dtype=np.int64)


def superlu_order(row_nodes: list[list[int]]) -> np.ndarray:
    """SuperLU's minimum degree, for large models."""
    from scipy.sparse import coo_array, csc_array

    incidence = csc_array(
        (np.ones(sum(map(len, row_nodes))), ([r for r, nodes in enumerate(row_nodes) for _ in nodes],
                                             [m for nodes in row_nodes for m in nodes]))
    )  # fmt: skip
    graph = coo_array(incidence @ incidence.T)
    return superlu_minimum_degree(len(row_nodes), graph.row, graph.col)


def superlu_minimum_degree(count: int, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """SuperLU's order of elimination for a graph given by its edges."""
    from scipy.sparse import csc_array, identity
    from scipy.sparse.linalg import splu

    graph = csc_array((np.ones(len(rows)), (rows, columns)), shape=(count, count))
    graph = csc_array(graph + graph.T)
    graph.data[:] = 1.0
    dominant = csc_array(graph + count * identity(count, format="csc"))
    place = splu(dominant, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True}).perm_c
    return np.argsort(place)


def factor_columns(lower: list[set[int]]) -> list[list[int]]:
    """Rows below the diagonal in every column of L, given those of S: symbolic Cholesky by the elimination tree."""
    n = len(lower)
    columns: list[set[int]] = [set() for _ in range(n)]
    for row, entries in enumerate(lower):
        for column in entries:
            columns[column].add(row)
    for j in range(n):
        if columns[j]:
            parent = min(columns[j])
            columns[parent] |= columns[j] - {parent}
    return [sorted(c) for c in columns]


def offsets(lengths) -> np.ndarray:
    return np.concatenate(([0], np.cumsum(np.fromiter(lengths, np.int64)))).astype(np.uintp)


def block_pairs(row_blocks: list[list[tuple[int, int]]]) -> list[dict[int, list[tuple[int, int]]]]:
    """Per row: for each row of lower or equal number sharing nodes, the pairs of blocks to multiply."""
    at_node: dict[int, list[tuple[int, int]]] = {}
    for row, blocks in enumerate(row_blocks):
        for block, node in blocks:
            at_node.setdefault(node, []).append((row, block))
    pairs: list[dict[int, list[tuple[int, int]]]] = [{} for _ in row_blocks]
    for members in at_node.values():
        for row, block in members:
            for other, other_block in members:
                if other <= row:
                    pairs[row].setdefault(other, []).append((block, other_block))
    return pairs


def analyse(row_blocks: list[list[tuple[int, int]]]) -> Pattern:
    """Pattern for rows already in elimination order; row_blocks lists (block, node) per row."""
    pairs = block_pairs(row_blocks)
    for row, entries in enumerate(pairs):
        entries.setdefault(row, [])  # the diagonal always exists
    order = [[*sorted(c for c in entries if c != row), row] for row, entries in enumerate(pairs)]
    columns = factor_columns([set(entries[:-1]) for entries in order])
    C_first = offsets(len(c) for c in columns)
    rows_of_L: list[list[tuple[int, int]]] = [[] for _ in pairs]
    for j, column in enumerate(columns):
        for k, row in enumerate(column):
            rows_of_L[row].append((j, int(C_first[j]) + k))
    flat_pairs = [pairs[row][c] for row, entries in enumerate(order) for c in entries]

    def ints(values):
        return np.array(list(values), dtype=np.uintp)  # unsigned: Numba then need not look for negative indices

    return Pattern(
        S_first=offsets(len(e) for e in order),
        S_column=ints(c for e in order for c in e),
        L_first=offsets(len(r) for r in rows_of_L),
        L_column=ints(j for r in rows_of_L for j, _ in r),
        L_slot=ints(s for r in rows_of_L for _, s in r),
        C_first=C_first,
        C_row=ints(r for c in columns for r in c),
        pair_first=offsets(len(p) for p in flat_pairs),
        pair_left=ints(a for p in flat_pairs for a, _ in p),
        pair_right=ints(b for p in flat_pairs for _, b in p),
    )
