"""Parts of a model by themselves: what acts between a few nodes, each with a stiffness K and a damping D.

Parts with the same number of nodes form a family: beams, bars, bushings, springs and loads between two, drags at one,
cells between their corners. Matrices are made for some parts at a time, for those of many cells would fill the memory,
and only once for cells that are alike: same shape, stress, stiffness and masses, however they are turned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..build.assembler import Assembler
from ..cells.store import kept_size
from ..jit import kernel
from ..mechanics import linking
from ..mechanics import tables as tb
from ..mechanics.linking import accelerations
from ..mechanics.motion import place_nodes
from ..mechanics.projection import clear
from .implicit import add_tangent, link_implicit, residual
from .kkt import active_freedoms, new_matrix

CHUNK = 500  # parts whose matrices are held at a time
BAND = 1000  # parts whose rows of numbers are
Rows = Callable[[Any], np.ndarray]  # of a slice of parts, or of their numbers: (parts, n)
ALIKE = 1e-7  # numbers that differ by less, relative to the largest of their kind, are the same
PAIRS = ("beam element", "bar element", "bushing", "spring, torque or joint", "load")


@kernel
def part_tangents(tables, work, t, q, v, a, r, kkt, weight_rate, weight_place):
    """kkt.values <- the tangent of every part by itself."""
    accelerations(tables, t, q, v, work, a, 0.0, 0.0)
    for i in range(len(work.multiplier)):
        work.multiplier[i] = 0.0  # reactions do not limit the step
    residual(tables, t, q, v, a, work.multiplier, work, r)
    clear(kkt.values)
    add_tangent(tables, t, q, v, work.multiplier, work, 0.0, weight_rate, weight_place, kkt)


@kernel
def place_all(tables, work, t, q, v):
    place_nodes(tables, t, q, v, work)


@kernel
def find_stress(tables, work):
    """work.foreseen <- the present stress of all cells, at the placement in work."""
    linking.foresee_cells(tables, work, 0.0)


@kernel
def cell_tangents(tables, work, values, cell_at, weight_rate, weight_place):
    """values <- the tangent of every cell by itself, at the placement in work."""
    clear(values)
    linking.add_cells_tangent(tables, work, weight_rate, weight_place, values, cell_at)


class Family:
    """Parts with the same number of nodes."""

    def __init__(self, nodes: np.ndarray):
        self.nodes = nodes  # (parts, sides)

    def look(self, start, q, v, t: float, again: bool = False) -> None:
        """Take up a state; again: it is that of the last look, but for masses."""

    def matrices(self, which: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """K and D (parts, 6 sides, 6 sides), symmetric; zero at nodes that are not free."""
        raise NotImplementedError

    def signature(self) -> np.ndarray | None:
        """(parts, n) numbers of order one that are the same for parts that are alike; None: none are."""
        return None

    def damped(self) -> bool:
        return True

    def words(self, start, k: int) -> str:
        raise NotImplementedError

    def bands(self) -> Iterator[slice]:
        return (slice(i, i + BAND) for i in range(0, len(self.nodes), BAND))

    def at_nodes(self, values: np.ndarray) -> Rows:
        """(parts, sides m) of values (nodes, m)."""
        return lambda which: values[self.nodes[which]].reshape(len(self.nodes[which]), -1)

    def each(self, function, *given: Rows) -> np.ndarray:
        """function(K, D, *given) of all parts. Those alike are computed once."""
        chosen, member = self.representatives(given)
        out = []
        for i in range(0, len(chosen), CHUNK):
            which = chosen[i : i + CHUNK]
            out.append(function(*self.matrices(which), *(g(which) for g in given)))
        return np.concatenate(out)[member]

    def representatives(self, given) -> tuple[np.ndarray, np.ndarray]:
        """(one part of each class, class of every part)"""
        own, everything = self.signature(), np.arange(len(self.nodes))
        if own is None or len(self.nodes) < CHUNK:
            return everything, everything
        rng = np.random.default_rng(0)
        marks = own @ rng.uniform(0.5, 1.5, (own.shape[1], 3))
        for g in given:
            largest = max(max(np.abs(g(band)).max() for band in self.bands()), 1e-300)
            weights = rng.uniform(0.5, 1.5, (g(slice(0, 1)).shape[1], 3)) / largest
            for band in self.bands():
                marks[band] += g(band) @ weights
        _, chosen, member = np.unique(np.round(marks / ALIKE), axis=0, return_index=True, return_inverse=True)
        return chosen, member.ravel()


class Pairs(Family):
    """All that acts between two nodes; loads, at one, stand twice at theirs."""

    def __init__(self, t: tb.Tables):
        arms = np.any(t.loads["s"], axis=1) | (t.loads["follows"] != 0) | np.any(t.loads["law"][:, 3:] >= 0, axis=1)
        loaded = np.unique(t.loads["node"][arms & (t.nodes["kind"][t.loads["node"]] == tb.FRAME)])
        groups = [t.beams, t.bars, t.bushings, t.measures]
        a = np.concatenate([g["a"] for g in groups] + [loaded]).astype(np.int64)
        b = np.concatenate([g["b"] for g in groups] + [loaded]).astype(np.int64)
        super().__init__(np.stack((a, b), axis=1))
        counts = [len(g) for g in groups]
        self.kind = np.repeat(np.arange(5), [*counts, len(loaded)])
        free = np.isin(t.nodes["kind"], (tb.POINT, tb.FRAME))
        at = np.zeros((len(a), 2, 2, 2), np.int64)
        at[..., 1] = 12
        for i, left in enumerate((a, b)):
            for j, right in enumerate((a, b)):
                place = 144 * np.arange(len(a)) + 72 * i + 6 * j
                at[:, i, j, 0] = np.where(free[left] & free[right], place, -1)
        beam_at, bar_at, bushing_at, measure_at, load_at = np.split(at, np.cumsum(counts))
        node_at = np.full((len(t.nodes), 2), -1)
        node_at[loaded] = load_at[:, 0, 0]
        self.kkt = new_matrix(Assembler((0.0, 0.0, 0.0)).finish().tables)._replace(
            values=np.zeros(144 * len(a)), beam_at=beam_at, bar_at=bar_at, bushing_at=bushing_at,
            measure_at=measure_at, node_at=node_at, active=active_freedoms(t),
        )  # fmt: skip

    def look(self, start, q, v, t: float, again: bool = False) -> None:
        tables, work = start.system.tables, start.work
        link_implicit(tables, work)
        tables = tables._replace(cells=tables.cells[:0], drags=tables.drags[:0], pressures=tables.pressures[:0])
        tables = tables._replace(pairs=tables.pairs[:0])  # see contact_limit
        both = []
        for weights in ((0.0, 1.0), (1.0, 0.0)):
            nothing = np.zeros(len(v)), np.zeros(len(v))
            part_tangents(tables, work, t, q.copy(), v.copy(), *nothing, self.kkt, *weights)
            both.append(symmetric(self.kkt.values.reshape(-1, 12, 12)))
        self.K, self.D = both
        self.D[self.kind == 4] = 0.0  # gyroscopic

    def matrices(self, which: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return self.K[which], self.D[which]

    def damped(self) -> bool:
        return bool(np.any(self.D))

    def words(self, start, k: int) -> str:
        labels = [start.system.drafts.nodes[int(n)].label for n in self.nodes[k]]
        where = f"at '{labels[0]}'" if labels[0] == labels[1] else f"between '{labels[0]}' and '{labels[1]}'"
        return f"{PAIRS[int(self.kind[k])]} {where}"


class Drags(Family):
    """Viscous resistance of nodes."""

    def __init__(self, t: tb.Tables):
        nodes, place = np.unique(t.drags["node"], return_inverse=True)
        super().__init__(nodes[:, None])
        self.rates = np.zeros((len(nodes), 6))
        rows = np.concatenate((np.repeat(t.drags["linear"][:, None], 3, axis=1), t.drags["angular"]), axis=1)
        np.add.at(self.rates, place.ravel(), rows)
        self.rates[~np.isin(t.nodes["kind"][nodes], (tb.POINT, tb.FRAME))] = 0.0

    def matrices(self, which: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        D = np.zeros((len(which), 6, 6))
        D[:, range(6), range(6)] = self.rates[which]
        return np.zeros_like(D), D

    def signature(self) -> np.ndarray:
        return self.rates / max(self.rates.max(), 1e-300)

    def words(self, start, k: int) -> str:
        return f"drag at '{start.system.drafts.nodes[int(self.nodes[k, 0])].label}'"


class Cells(Family):
    """Cells of one form."""

    def __init__(self, t: tb.Tables, form: int, name: str):
        self.name, self.form, self.which = name, form, np.flatnonzero(t.cells["form"] == form)
        n = int(t.forms["corners"][form])
        corners = t.cells["corner"][self.which][:, None] + np.arange(n)
        super().__init__(t.corners["node"][corners])
        self.free = np.isin(t.nodes["kind"][self.nodes], (tb.POINT, tb.FRAME))
        self.marks: np.ndarray | None = None  # found once for a state

    def look(self, start, q, v, t: float, again: bool = False) -> None:
        self.tables, self.work = start.system.tables, start.work
        if not again:
            self.marks = None
        place_all(self.tables, self.work, t, q.copy(), np.zeros(len(v)))

    def matrices(self, which: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        n = self.nodes.shape[1]
        cells = self.tables.cells[self.which[which]]
        cells["pair"] = n * n * np.arange(len(which))
        size, at = 6 * n, np.zeros((len(which), n, n, 2), np.int64)
        part, i, j = np.arange(len(which))[:, None, None], np.arange(n)[:, None], np.arange(n)
        both = self.free[which][:, :, None] & self.free[which][:, None, :]
        at[..., 0] = np.where(both, size * size * part + 6 * size * i + 6 * j, -1)
        at[..., 1] = size
        out = []
        for weights in ((0.0, 1.0), (1.0, 0.0)):
            values = np.zeros(size * size * len(which))
            if weights[1] or cells["damping"].any():
                places = np.ascontiguousarray(at.reshape(-1, 2))
                cell_tangents(self.tables._replace(cells=cells), self.work, values, places, *weights)
            out.append(symmetric(values.reshape(-1, size, size)))
        return out[0], out[1]

    def damped(self) -> bool:
        return bool(self.tables.cells["damping"][self.which].any())

    def signature(self) -> np.ndarray | None:
        """Scalars without stress, C by its diagonal, and the stress: none of them knows how a cell is turned."""
        if self.marks is None and not np.any(self.tables.cells["law"][self.which] != tb.LINEAR):  # else other numbers
            self.marks = self.find_marks()
        return self.marks

    def find_marks(self) -> np.ndarray:
        t, form = self.tables, self.tables.forms[self.form]
        cells, count = t.cells[self.which], int(form["scalars"])
        blocks = t.form_blocks[form["block"] : form["block"] + form["blocks"]]
        fields = np.arange(form["matrix"] + sum(kept_size(*block) for block in blocks.tolist()))
        fields = np.delete(fields, np.s_[count : form["matrix"]])  # vectors that corners carry
        width = len(fields)
        marks, rng = np.zeros((len(cells), 4)), np.random.default_rng(1)
        weights = [rng.uniform(0.5, 1.5, (m, 4)) for m in (width, count)]
        scale = np.ones(width)
        for rows in self.bands():
            numbers = t.cell_numbers[cells["number"][rows, None] + fields, cells["lane"][rows, None]]
            stress = self.stress(cells[rows], count)
            if rows.start == 0:
                scale = number_scale(numbers, count, blocks)
                of_stress = scale[:count] * diagonal(scale, count, blocks)
            marks[rows] = (numbers / scale) @ weights[0] + (stress / of_stress) @ weights[1]
        return np.concatenate((marks, cells["damping"][:, None] / max(cells["damping"].max(), 1e-300)), axis=1)

    def stress(self, cells: np.ndarray, count: int) -> np.ndarray:
        """(cells, count)"""
        cells["scalar"] = count * np.arange(len(cells))
        out = np.zeros(count * len(cells))
        find_stress(self.tables._replace(cells=cells), self.work._replace(foreseen=out))
        return out.reshape(-1, count)

    def words(self, start, k: int) -> str:
        nodes = start.system.drafts.nodes
        body = next((nodes[int(n)].label for n in self.nodes[k] if "[" in nodes[int(n)].label), "")
        where = ", ".join(f"{x:.4g}" for x in self.work.x[self.nodes[k]].mean(axis=0))
        return f"{self.name} of '{body.partition('[')[0]}' near ({where})"


def diagonal(numbers: np.ndarray, count: int, blocks: np.ndarray) -> np.ndarray:
    """Of C, in numbers of a cell: scalars, then what is stored of C block by block (cells.store)."""
    out, at = [], count
    for n, kept in blocks.tolist():
        mine = numbers[at : at + kept_size(n, kept)]
        if kept == tb.WHOLE:
            rows, columns = np.triu_indices(n)
            out.append(mine[rows == columns])
        else:
            out.append(mine[0] * out[-1] if kept == tb.MULTIPLE else np.full(n, mine.sum()))
        at += len(mine)
    return np.concatenate(out)


def number_scale(numbers: np.ndarray, count: int, blocks: np.ndarray) -> np.ndarray:
    """Natural size of what a cell has: of its scalars the largest, of C the roots of its diagonal's products."""
    largest = np.abs(numbers).max(axis=0)
    out, d, first, at = [np.full(count, largest[:count].max())], diagonal(largest, count, blocks), 0, count
    for n, kept in blocks.tolist():
        root, size = np.sqrt(d[first : first + n]), kept_size(n, kept)
        if kept == tb.WHOLE:
            out.append(np.outer(root, root)[np.triu_indices(n)])
        else:
            out.append(largest[at : at + 1] if kept == tb.MULTIPLE else np.full(size, root[0] ** 2))
        first, at = first + n, at + size
    return np.maximum(np.concatenate(out), 1e-300)


def symmetric(m: np.ndarray) -> np.ndarray:
    return 0.5 * (m + m.transpose(0, 2, 1))


def find_parts(start) -> list[Family]:
    """All families a model has."""
    t = start.system.tables
    forms = dict.fromkeys(d.form for d in start.system.drafts.cells)
    families: list[Family] = [Pairs(t), Drags(t), *(Cells(t, k, form.name) for k, form in enumerate(forms))]
    return [f for f in families if len(f.nodes)]
