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

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ..mechanics import tables as tb
from .pattern import SMALL, factor_columns, superlu_minimum_degree

DENSE = 90  # unknowns: up to here one dense block is as fast, and pivots are chosen among all
TURNING = (tb.COSINE, tb.ANGLE)  # measures that do not depend on where a point is


@dataclass
class Groups:
    """Unknowns of every group in order of elimination, and where nodes and rows are in them."""

    unknowns: list[list[int]]
    node: dict[int, tuple[int, int]]  # free node -> (group, first place in it)
    row: list[tuple[int, int]]  # row -> (group, place in it)
    neighbours: list[set[int]]  # groups that share a block


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
    return sorted({*tables.couplings["measure"].tolist(), *tables.terms["measure"].tolist()})


def pairs(tables: tb.Tables) -> Iterable[tuple[int, int]]:
    """Nodes that forces or reactions act between."""
    measures = tables.measures[stressed_measures(tables)]
    for items in (measures, tables.bushings, tables.beams, tables.bars):
        yield from zip(items["a"].tolist(), items["b"].tolist(), strict=True)
    for nodes in cell_nodes(tables):
        yield from combinations(nodes, 2)
    for nodes in contact_nodes(tables):
        yield from combinations(nodes, 2)


def contact_nodes(tables: tb.Tables) -> Iterable[list[int]]:
    """Nodes of the surfaces of every pair that may touch."""
    nodes, first, count = tables.spots["node"].tolist(), tables.surfaces["spot"].tolist(), tables.surfaces["count"].tolist()
    for a, b in zip(tables.pairs["a"].tolist(), tables.pairs["b"].tolist(), strict=True):
        yield [nodes[first[s] + k] for s in (a, b) for k in range(count[s])]


def cell_nodes(tables: tb.Tables) -> Iterable[list[int]]:
    """Nodes of every cell."""
    nodes, counts = tables.corners["node"].tolist(), tables.forms["corners"][tables.cells["form"]].tolist()
    for first, count in zip(tables.cells["corner"].tolist(), counts, strict=True):
        yield nodes[first : first + count]


def face_nodes(tables: tb.Tables) -> Iterable[list[int]]:
    """Nodes of every face under pressure."""
    nodes = tables.corners["node"].tolist()
    faces = zip(tables.pressures["corner"].tolist(), tables.pressures["count"].tolist(), strict=True)
    return (nodes[first : first + count] for first, count in faces)


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
    edges = {(number[a], number[b]) for a, b in pairs(tables) if a in free and b in free and a != b}
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
    left, order = set(range(count)), []
    while left:
        n = min(left, key=lambda m: (len(neighbours[m]), m))
        left.remove(n)
        order.append(n)
        for other in neighbours[n]:
            neighbours[other] |= neighbours[n]
            neighbours[other] -= {n, other}
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


# -- places -----------------------------------------------------------------------------------------------------------
class Places:
    """Blocks between groups: offset and stride in the flat array of values."""

    def __init__(self, groups: Groups):
        self.groups = groups
        self.at: dict[tuple[int, int], tuple[int, int]] = {}
        self.size = 0
        for g, mine in enumerate(groups.unknowns):
            for h in sorted({g, *groups.neighbours[g]}):
                width = len(groups.unknowns[h])
                self.at[g, h] = (self.size, width)
                self.size += len(mine) * width

    def between(self, a: int, b: int) -> tuple[int, int]:
        """Rows of node a, columns of node b; offset -1 unless both are free."""
        node = self.groups.node
        if a not in node or b not in node:
            return -1, 0
        (g, i), (h, j) = node[a], node[b]
        offset, stride = self.at[g, h]
        return offset + i * stride + j, stride

    def row(self, r: int, n: int) -> int:
        (g, i), (h, j) = self.groups.row[r], self.groups.node[n]
        offset, stride = self.at[g, h]
        return offset + i * stride + j

    def column(self, r: int, n: int) -> tuple[int, int]:
        (g, i), (h, j) = self.groups.row[r], self.groups.node[n]
        offset, stride = self.at[h, g]
        return offset + j * stride + i, stride

    def of_items(self, a: list[int], b: list[int], wanted: Iterable[int] | None = None) -> np.ndarray:
        """(items, row side, column side, 2)"""
        out = np.zeros((len(a), 2, 2, 2), np.int64)
        out[..., 0] = -1
        for i in range(len(a)) if wanted is None else wanted:
            out[i] = [[self.between(x, y) for y in (a[i], b[i])] for x in (a[i], b[i])]
        return out


def arrange(tables: tb.Tables, groups: Groups) -> Layout:
    places = Places(groups)

    def of(items, wanted=None):
        return places.of_items(items["a"].tolist(), items["b"].tolist(), wanted)

    blocks = list(zip(tables.block_row.tolist(), tables.block_node.tolist(), strict=True))
    named = {
        "node_at": [places.between(n, n) for n in range(len(tables.nodes))],
        "row_at": [places.row(r, n) for r, n in blocks],
        "column_at": np.array([places.column(r, n) for r, n in blocks], np.int64).reshape(-1, 2),
        "block_width": [6 if tables.nodes["kind"][n] == tb.FRAME else 3 for _, n in blocks],
        "measure_at": of(tables.measures, stressed_measures(tables)),
        "bushing_at": of(tables.bushings),
        "beam_at": of(tables.beams),
        "bar_at": of(tables.bars),
        "cell_at": np.array(
            [places.between(a, b) for nodes in cell_nodes(tables) for a in nodes for b in nodes], np.int64
        ).reshape(-1, 2),
        "pressure_at": np.array(
            [places.between(a, b) for nodes in face_nodes(tables) for a in nodes for b in nodes], np.int64
        ).reshape(-1, 2),
    }
    named["contact_at"] = contact_places(tables, places)
    elimination = Elimination(groups)
    return Layout(
        unknown=np.array([u for mine in groups.unknowns for u in mine], np.uintp),
        size=places.size,
        factor_size=elimination.size,
        places={name: np.array(at, np.int64) for name, at in named.items()},
        parts=np.array(
            [
                (at, len(groups.unknowns[g]), stride, elimination.first[g], elimination.first[h], *elimination.at(g, h))
                for (g, h), (at, stride) in places.at.items()
            ],
            np.uintp,
        ).reshape(-1, 7),
        symbolic={name: np.array(value, np.uintp) for name, value in elimination.arrays.items()},
    )


def contact_places(tables: tb.Tables, places: Places) -> np.ndarray:
    """(pairs, 6, 6, 2): between the spots of every pair, three of each surface; -1 where it has fewer."""
    out = np.full((len(tables.pairs), 6, 6, 2), -1, np.int64)
    count, spots = tables.surfaces["count"], contact_nodes(tables)
    for at, pair, nodes in zip(out, tables.pairs, spots, strict=True):
        slots = [*range(int(count[pair["a"]])), *range(3, 3 + int(count[pair["b"]]))]
        for i, m in zip(slots, nodes, strict=True):
            for j, n in zip(slots, nodes, strict=True):
                at[i, j] = places.between(m, n)
    return out


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
