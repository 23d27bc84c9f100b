"""Cells as the engine takes them: forms, corners and numbers in tables (cells.store)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..mechanics import tables as tb
from .form import Form
from .pieces import slices
from .store import WIDTH, carried_size, put, zeros_on_lines


@dataclass
class CellsDraft:
    """Many cells of one form, stress-free as drawn; vectors in world axes at the reference placement."""

    form: Form
    nodes: np.ndarray  # (cells, corners)
    points: np.ndarray  # (cells, corners, 3); empty once they stand in tables
    carried: np.ndarray  # (cells, corners, carried, 3); likewise
    numbers: np.ndarray  # (blocks, n, 4) see cells.store: with room for reference scalars and carried vectors
    damping: float = 0.0  # [s]
    prestrain: np.ndarray | None = None  # (cells, scalars) they have as drawn
    law: int = tb.LINEAR
    law_points: int = 0  # of a law that is not linear

    def put_reference(self, axes: np.ndarray) -> None:
        """The scalars without stress, and the carried vectors in the axes of their nodes, into their room."""
        for some in slices(len(self.nodes)):
            carried = self.carried[some]
            given = np.concatenate((self.points[some][:, None], carried.transpose(0, 2, 1, 3)), axis=1)
            s = self.form.measure(given.reshape(len(given), -1, 3))
            put(self.numbers, some.start, 0, s if self.prestrain is None else s - self.prestrain[some])
            if self.form.carried:
                turned = np.einsum("ekji,ekcj->ekci", axes[self.nodes[some]], carried, optimize=True)
                put(self.numbers, some.start, self.form.scalars, turned.reshape(len(turned), -1))

    def release(self) -> None:
        """Let go of what is needed only once."""
        self.points = self.carried = self.numbers = np.zeros(0)
        self.prestrain = None


@dataclass
class PressureDraft:
    """Faces of one number of corners under a pressure, positive against the sense in which corners are counted."""

    nodes: np.ndarray  # (faces, corners)
    points: np.ndarray  # (faces, corners, 3)
    law: int
    sign: float = 1.0


def cell_tables(
    drafts: list[CellsDraft], faces: list[PressureDraft], kinds: np.ndarray, places: np.ndarray, axes: np.ndarray
) -> dict:
    """Fields of Tables; kinds, places and axes are those of the nodes."""
    forms = list(dict.fromkeys(draft.form for draft in drafts))
    out = form_tables(forms)
    cells = [np.zeros(len(d.nodes), tb.Cell) for d in drafts]
    corners, arms = [np.zeros(0, tb.Corner)], [np.zeros((1, 3))]
    firsts: list[int] = []  # corners of drafts
    corner = number = scalar = pair = 0
    for table, d in zip(cells, drafts, strict=True):
        count, n = d.nodes.shape
        firsts.append(corner)
        mine = corner_table(d, places, axes, arms)
        has_arms = np.any(mine["arm"].reshape(count, n), axis=1)
        turning = (d.form.carried > 0) | np.any(~np.isin(kinds[d.nodes], (tb.POINT, tb.GROUND)), axis=1) | has_arms
        d.put_reference(axes)
        index = np.arange(count)
        table["form"], table["corner"] = forms.index(d.form), corner + n * index
        table["number"], table["lane"] = number + d.numbers.shape[1] * (index // WIDTH), index % WIDTH
        table["scalar"], table["pair"] = scalar + d.form.scalars * index, pair + n * n * index
        table["law"], table["points"] = d.law, d.law_points
        table["width"], table["damping"], table["arms"] = np.where(turning, 6, 3), d.damping, has_arms
        spare = WIDTH * len(d.numbers) - count  # lanes without a cell stand at the nodes of the last
        corners += [mine, np.tile(mine[-n:], spare)]
        corner, number = corner + n * (count + spare), number + d.numbers.shape[0] * d.numbers.shape[1]
        scalar, pair = scalar + d.form.scalars * count, pair + n * n * count
    pressures, pair = [np.zeros(0, tb.Pressure)], 0
    for f in faces:
        count, n = f.nodes.shape
        table, index = np.zeros(count, tb.Pressure), np.arange(count)
        table["corner"], table["count"], table["pair"] = corner + n * index, n, pair + n * n * index
        table["law"], table["sign"] = f.law, f.sign
        pressures.append(table)
        corners.append(corner_table(f, places, axes, arms))
        corner, pair = corner + n * count, pair + n * n * count
    out["pressures"], out["corners"], out["arms"] = map(np.concatenate, (pressures, corners, arms))
    for first, d in zip(firsts, drafts, strict=True):
        d.nodes = out["corners"]["node"][first : first + d.nodes.size].reshape(d.nodes.shape)  # no second copy
    out["cells"] = np.concatenate([np.zeros(0, tb.Cell), *cells])
    out["cell_numbers"] = one_store([d.numbers for d in drafts])
    return out


def one_store(parts: list[np.ndarray]) -> np.ndarray:
    """(rows, 4) of all drafts; a single one is not copied."""
    if len(parts) != 1:
        whole = zeros_on_lines(1, sum(p.shape[0] * p.shape[1] for p in parts))
        np.concatenate([np.zeros((0, WIDTH)), *(p.reshape(-1, WIDTH) for p in parts)], out=whole[0])
        return whole[0]
    return parts[0].reshape(-1, WIDTH)


def corner_table(d: CellsDraft | PressureDraft, places: np.ndarray, axes: np.ndarray, arms: list) -> np.ndarray:
    """Corners of all cells or faces in turn; arms they have are added to those."""
    table = np.zeros(d.nodes.size, tb.Corner)
    table["node"] = d.nodes.ravel()
    points, first = d.points.reshape(-1, 3), sum(map(len, arms))
    for some in slices(len(table)):
        nodes = table["node"][some]
        arm = np.einsum("nji,nj->ni", axes[nodes], points[some] - places[nodes])
        off = np.flatnonzero(np.any(arm, axis=1))
        table["arm"][some.start + off] = first + np.arange(len(off))
        arms.append(arm[off])
        first += len(off)
    return table


def form_tables(forms: list[Form]) -> dict:
    rows = np.zeros(len(forms), tb.Form)
    terms: list[tuple[int, float]] = []
    products: list[tuple[int, int, int, float]] = []
    first: list[int] = []
    scalar_first: list[int] = []
    blocks: list[tuple[int, int]] = []
    for row, form in zip(rows, forms, strict=True):
        row["corners"], row["carried"] = form.corners, form.carried
        row["vector"], row["vectors"] = len(first), len(form.vectors)
        row["scalar"], row["scalars"] = len(scalar_first), form.scalars
        row["matrix"] = form.scalars + carried_size(form)
        row["block"], row["blocks"] = len(blocks), len(form.blocks)
        for vector in form.vectors:
            first.append(len(terms))
            terms += vector
        for k in range(form.scalars):
            scalar_first.append(len(products))
            products += [p for p in form.products if p[0] == k]
        blocks += zip(form.blocks, form.kept or (tb.WHOLE,) * len(form.blocks), strict=True)
        first.append(len(terms))  # the end of the last vector
        scalar_first.append(len(products))
    return {
        "forms": rows,
        "form_first": np.array(first, np.int64),
        "form_terms": np.array(terms, tb.FormTerm),
        "form_scalars": np.array(scalar_first, np.int64),
        "form_products": np.array(products, tb.FormProduct),
        "form_blocks": np.array(blocks, np.int64).reshape(-1, 2),
    }
