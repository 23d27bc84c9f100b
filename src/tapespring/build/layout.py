"""Where the entries of an implicit step's matrix [A G'; G 0] lie, and in which order they are eliminated.

Unknowns come in groups: the freedoms of a free node and some constraint rows. Dense storage is a single group of all
unknowns; otherwise every free node makes a group, and blocks exist only between groups that share an element or a row.

Rows join a node so that every diagonal block can be factored by itself, also where A alone is singular (statics). Rows
that only concern how node b lies to node a (or a to ground) are independent in the motions of one of the nodes alone
whenever they are independent at all; so the rows between two nodes join one that has no rows yet, the earlier
eliminated. What finds no such node joins the last of its nodes: by then elimination has filled its diagonal.

Groups with the same later neighbours are eliminated at once (linear.blocks).
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import combinations

import numpy as np

from ..mechanics import tables as tb
from .neighbours import edges_between, free_nodes, row_blocks, row_measures
from .pattern import SMALL, factor_columns, superlu_minimum_degree
from .places import Groups, Places

DENSE = 90  # unknowns: up to here one dense block is as fast, and pivots are chosen among all
TURNING = (tb.COSINE, tb.ANGLE)  # measures that do not depend on where a point is


@dataclass(frozen=True)
class Layout:
    """Arrays named as in solve.kkt.Kkt."""

    unknown: np.ndarray
    size: int  # of values
    factor_size: int
    places: dict[str, np.ndarray]
    parts: np.ndarray
    symbolic: dict[str, np.ndarray]


def new_layout(tables: tb.Tables, active: np.ndarray, dense: bool | None = None) -> Layout:
    """Dense or by blocks; None leaves it to the size."""
    few = int((tables.nodes["kind"] == tb.POINT).sum()) * 3 + int((tables.nodes["kind"] == tb.FRAME).sum()) * 6
    if dense is None:
        dense = few + len(tables.rows) <= DENSE
    groups = single_group(tables) if dense else node_groups(tables, active)
    return arrange(tables, groups)


# -- groups -----------------------------------------------------------------------------------------------------------
def single_group(tables: tb.Tables) -> Groups:
    free, nv = free_nodes(tables), tb.velocity_size(tables)
    unknowns: list[int] = []
    node = {}
    for n, mine in free.items():
        node[n] = (0, len(unknowns))
        unknowns += mine
    row = [(0, len(unknowns) + r) for r in range(len(tables.rows))]
    unknowns += range(nv, nv + len(tables.rows))
    return Groups([unknowns], node, row, [set()])


def node_groups(tables: tb.Tables, active: np.ndarray) -> Groups:
    free, nv = free_nodes(tables), tb.velocity_size(tables)
    blocks = row_blocks(tables)
    number = {n: i for i, n in enumerate(free)}
    edges = set(map(tuple, edges_between(tables, free).tolist()))
    cliques = {(number[a], number[b]) for nodes in blocks for a, b in combinations(sorted(set(nodes)), 2)}
    order = postordered(minimum_degree(len(free), edges | cliques), edges | cliques)
    names = list(free)
    nodes = [names[i] for i in order]
    place = {n: g for g, n in enumerate(nodes)}
    unknowns = [list(free[n]) for n in nodes]
    neighbours: list[set[int]] = [set() for _ in nodes]
    for a, b in edges:
        ga, gb = place[names[a]], place[names[b]]
        neighbours[ga].add(gb)
        neighbours[gb].add(ga)
    row = []
    for r, n in enumerate(row_homes(tables, active, blocks, place)):
        g = place[n]
        row.append((g, len(unknowns[g])))
        unknowns[g].append(nv + r)
        for other in blocks[r]:
            if other != n:
                neighbours[g].add(place[other])
                neighbours[place[other]].add(g)
    return Groups(unknowns, {n: (g, 0) for n, g in place.items()}, row, neighbours)


def row_homes(tables: tb.Tables, active: np.ndarray, blocks, place: dict[int, int]) -> list[int]:
    """The node that every row joins; see the head of this file."""
    kinds, first = tables.nodes["kind"].tolist(), tables.nodes["v"].tolist()
    measures = row_measures(tables)
    ends, measure_kind = tables.measures[["a", "b"]].tolist(), tables.measures["kind"].tolist()
    bundles: dict[tuple, list[int]] = {}
    for r, nodes in enumerate(blocks):
        alone = len(set(nodes)) == 1 or len({frozenset(ends[m]) for m in measures[r]}) == 1
        bundles.setdefault(tuple(sorted(set(nodes))) if alone else (-1, r), []).append(r)
    candidates: dict[tuple, list[int]] = {}
    for key, rows in bundles.items():
        nodes, turning = blocks[rows[0]], any(measure_kind[m] in TURNING for r in rows for m in measures[r])
        mine = sorted({n for n in nodes if key[0] >= 0 or nodes.count(n) == 1}, key=place.__getitem__)
        room = {n: int(active[first[n] : first[n] + (6 if kinds[n] == tb.FRAME else 3)].sum()) for n in mine}
        candidates[key] = [n for n in mine if len(rows) <= room[n] and not (turning and kinds[n] == tb.POINT)]
    home = matched(candidates)
    homes = [0] * len(blocks)
    for key, rows in bundles.items():
        for r in rows:
            homes[r] = home[key] if key in home else max(blocks[r], key=place.__getitem__)
    return homes


def matched(candidates: dict[tuple, list[int]]) -> dict[tuple, int]:
    """A node of its own for as many keys as possible, those with the least choice first."""
    wanted: dict[int, list[tuple]] = {}
    for key, nodes in candidates.items():
        for n in nodes:
            wanted.setdefault(n, []).append(key)
    left = {key: len(nodes) for key, nodes in candidates.items()}
    heaps: list[list[tuple]] = [[] for _ in range(max(left.values(), default=0) + 1)]
    for key, count in left.items():
        heaps[count].append(key)
    home: dict[tuple, int] = {}
    taken: set[int] = set()
    for heap in heaps:
        heap.reverse()
    while True:
        found = next((c for c in range(1, len(heaps)) if heaps[c]), 0)
        if found == 0:
            return home
        key = heaps[found].pop()
        if key in home or left[key] != found:
            continue
        n = next(n for n in candidates[key] if n not in taken)
        home[key] = n
        taken.add(n)
        for other in wanted[n]:
            if other not in home:
                left[other] -= 1
                heaps[left[other]].append(other)


# -- order ------------------------------------------------------------------------------------------------------------
def minimum_degree(count: int, edges) -> list[int]:
    """Order of elimination that keeps fill low."""
    if count > SMALL:
        ends = np.array(sorted(edges), np.int64).reshape(-1, 2)
        return superlu_minimum_degree(count, ends[:, 0], ends[:, 1]).tolist()
    neighbours: list[set[int]] = [set() for _ in range(count)]
    for a, b in edges:
        neighbours[a].add(b)
        neighbours[b].add(a)
    heap = [(len(mine), n) for n, mine in enumerate(neighbours)]
    heapify(heap)
    done, order = set(), []
    while heap:
        degree, n = heappop(heap)
        if n in done or degree != len(neighbours[n]):
            continue  # it has another entry
        done.add(n)
        order.append(n)
        for other in neighbours[n]:
            neighbours[other] |= neighbours[n]
            neighbours[other] -= {n, other}
            heappush(heap, (len(neighbours[other]), other))
    return order


def postordered(order: list[int], edges) -> list[int]:
    """The same elimination with every branch of its tree in one piece."""
    place = {n: i for i, n in enumerate(order)}
    lower: list[set[int]] = [set() for _ in order]
    for a, b in edges:
        i, j = sorted((place[a], place[b]))
        lower[j].add(i)
    columns = factor_columns(lower)
    children: list[list[int]] = [[] for _ in order]
    roots: list[int] = []
    for i, column in enumerate(columns):
        (children[column[0]] if column else roots).append(i)
    out: list[int] = []
    stack = roots[::-1]
    while stack:
        i = stack.pop()
        out.append(order[i])
        stack += children[i]
    return out[::-1]


# -- arrays -----------------------------------------------------------------------------------------------------------
def arrange(tables: tb.Tables, groups: Groups) -> Layout:
    places, elimination = Places(groups, len(tables.nodes)), Elimination(groups)
    first, g, h = np.array(elimination.first, np.int64), places.rows, places.columns
    among_factors = [elimination.at(i, j) for i, j in zip(g.tolist(), h.tolist(), strict=True)]
    sizes = places.sizes
    return Layout(
        unknown=np.array([u for mine in groups.unknowns for u in mine], np.uintp),
        size=places.size,
        factor_size=elimination.size,
        places=places.of_tables(tables),
        parts=np.column_stack(
            (places.offset, sizes[g], sizes[h], first[g], first[h], np.array(among_factors, np.int64).reshape(-1, 2))
        ).astype(np.uintp),
        symbolic={name: np.array(value, np.uintp) for name, value in elimination.arrays.items()},
    )


# -- elimination ------------------------------------------------------------------------------------------------------
class Elimination:
    """Pivots (runs of groups with the same later neighbours), their panels, and where blocks lie in them."""

    def __init__(self, groups: Groups):
        sizes = [len(mine) for mine in groups.unknowns]
        self.first = [0, *np.cumsum(sizes).tolist()]
        columns = factor_columns([{h for h in mine if h < g} for g, mine in enumerate(groups.neighbours)])
        starts = [g for g in range(len(sizes)) if g == 0 or not joins(columns, g)]
        ends = [*starts[1:], len(sizes)] if starts else []
        self.pivot = [p for p, (a, b) in enumerate(zip(starts, ends, strict=True)) for _ in range(a, b)]
        self.segments: list[list[tuple[int, int, int, int]]] = []  # per pivot: (start, width, owner, column)
        self.diagonal, self.upper, self.lower, self.width = [], [], [], []
        self.size, self.pivot_first = 0, [self.first[g] for g in starts] + [self.first[-1]]
        for p, (a, b) in enumerate(zip(starts, ends, strict=True)):
            segments = self.runs(columns[b - 1])
            size, width = self.pivot_first[p + 1] - self.pivot_first[p], sum(s[1] for s in segments)
            assert columns[a] == [*range(a + 1, b), *columns[b - 1]]
            self.segments.append(segments)
            self.width.append(width)
            self.diagonal.append(self.size)
            self.upper.append(self.size + size * size)
            self.lower.append(self.size + size * (size + width))
            self.size += size * (size + 2 * width)

    def runs(self, column: list[int]) -> list[tuple[int, int, int, int]]:
        out: list[tuple[int, int, int, int]] = []
        at = 0
        for g in column:
            start, width = self.first[g], self.first[g + 1] - self.first[g]
            if out and out[-1][0] + out[-1][1] == start and out[-1][2] == self.pivot[g]:
                out[-1] = (out[-1][0], out[-1][1] + width, out[-1][2], out[-1][3])
            else:
                out.append((start, width, self.pivot[g], at))
            at += width
        return out

    def at(self, g: int, h: int) -> tuple[int, int]:
        """(offset, stride) of the block of groups g, h among the factors."""
        p, r = self.pivot[g], self.pivot[h]
        i, j = self.first[g] - self.pivot_first[p], self.first[h] - self.pivot_first[r]
        if p == r:
            size = self.pivot_first[p + 1] - self.pivot_first[p]
            return self.diagonal[p] + i * size + j, size
        if p < r:
            return self.upper[p] + i * self.width[p] + self.column(p, self.first[h]), self.width[p]
        size = self.pivot_first[r + 1] - self.pivot_first[r]
        return self.lower[r] + self.column(r, self.first[g]) * size + j, size

    def column(self, p: int, place: int) -> int:
        start, _, _, at = next(s for s in self.segments[p] if s[0] <= place < s[0] + s[1])
        return at + place - start

    @property
    def arrays(self) -> dict[str, list[int]]:
        flat = [s for segments in self.segments for s in segments]
        return {
            "pivot_first": self.pivot_first,
            "panel_width": self.width,
            "diagonal_at": self.diagonal,
            "upper_at": self.upper,
            "lower_at": self.lower,
            "segment_first": [0, *np.cumsum([len(s) for s in self.segments]).tolist()],
            "segment_start": [s[0] for s in flat],
            "segment_width": [s[1] for s in flat],
            "segment_owner": [s[2] for s in flat],
            "segment_column": [s[3] for s in flat],
        }


def joins(columns: list[list[int]], g: int) -> bool:
    """Whether group g is eliminated together with the one before it: that one's later neighbours are g and g's."""
    return columns[g - 1] == [g, *columns[g]]
