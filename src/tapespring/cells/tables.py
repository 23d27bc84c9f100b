"""Cells as the engine takes them: forms, corners and numbers in tables."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..mechanics import tables as tb
from .form import Form
from .pieces import slices


@dataclass
class CellsDraft:
    """Many cells of one form, stress-free as drawn; vectors in world axes at the reference placement."""

    form: Form
    nodes: np.ndarray  # (cells, corners)
    points: np.ndarray  # (cells, corners, 3); empty once they stand in tables
    carried: np.ndarray  # (cells, corners, carried, 3); likewise
    numbers: np.ndarray  # (cells, n): room for the reference scalars, then C block by block, or points and their law
    damping: float = 0.0  # [s]
    prestrain: np.ndarray | None = None  # (cells, scalars) they have as drawn
    law: int = tb.LINEAR
    law_points: int = 0  # of a law that is not linear

    def put_reference(self) -> None:
        """The scalars without stress into their room."""
        for some in slices(len(self.nodes)):
            given = np.concatenate((self.points[some][:, None], self.carried[some].transpose(0, 2, 1, 3)), axis=1)
            s = self.form.measure(given.reshape(len(given), -1, 3))
            self.numbers[some, : self.form.scalars] = s if self.prestrain is None else s - self.prestrain[some]

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
    corners, numbers = [], []
    corner = number = scalar = pair = 0
    for table, d in zip(cells, drafts, strict=True):
        count, n = d.nodes.shape
        mine = corner_table(d, places, axes)
        for c, name in enumerate(("director", "along", "across")[: d.form.carried]):
            put_in_node_axes(mine, name, axes, d.carried[:, :, c])
        arms = np.any(mine["arm"].reshape(count, -1), axis=1)
        turning = (d.form.carried > 0) | np.any(~np.isin(kinds[d.nodes], (tb.POINT, tb.GROUND)), axis=1) | arms
        d.put_reference()
        own = d.numbers
        index = np.arange(count)
        table["form"], table["corner"] = forms.index(d.form), corner + n * index
        table["number"] = number + own.shape[1] * index
        table["scalar"], table["pair"] = scalar + d.form.scalars * index, pair + n * n * index
        table["law"], table["points"] = d.law, d.law_points
        table["width"], table["damping"], table["arms"] = np.where(turning, 6, 3), d.damping, arms
        corners.append(mine)
        numbers.append(own.ravel())
        corner, number = corner + n * count, number + own.size
        scalar, pair = scalar + d.form.scalars * count, pair + n * n * count
    pressures, pair = [np.zeros(0, tb.Pressure)], 0
    for f in faces:
        count, n = f.nodes.shape
        table, index = np.zeros(count, tb.Pressure), np.arange(count)
        table["corner"], table["count"], table["pair"] = corner + n * index, n, pair + n * n * index
        table["law"], table["sign"] = f.law, f.sign
        pressures.append(table)
        corners.append(corner_table(f, places, axes))
        corner, pair = corner + n * count, pair + n * n * count
    out["pressures"] = np.concatenate(pressures)
    out["cells"], out["corners"], out["cell_numbers"] = (
        parts[0] if len(parts) == 1 else np.concatenate([np.zeros(0, kind), *parts])
        for parts, kind in ((cells, tb.Cell), (corners, tb.Corner), (numbers, np.float64))
    )
    return out


def corner_table(d: CellsDraft | PressureDraft, places: np.ndarray, axes: np.ndarray) -> np.ndarray:
    """Corners of all cells or faces in turn."""
    table = np.zeros(d.nodes.size, tb.Corner)
    table["node"] = d.nodes.ravel()
    put_in_node_axes(table, "arm", axes, d.points - places[d.nodes])
    return table


def put_in_node_axes(table: np.ndarray, name: str, axes: np.ndarray, vectors: np.ndarray) -> None:
    """World vectors (cells, corners, 3) in the axes of their nodes, into a field of the corners."""
    flat = vectors.reshape(-1, 3)
    for some in slices(len(flat)):
        table[name][some] = np.einsum("nji,nj->ni", axes[table["node"][some]], flat[some])


def form_tables(forms: list[Form]) -> dict:
    rows = np.zeros(len(forms), tb.Form)
    terms: list[tuple[int, float]] = []
    products: list[tuple[int, int, int, float]] = []
    first: list[int] = []
    scalar_first: list[int] = []
    blocks: list[int] = []
    for row, form in zip(rows, forms, strict=True):
        row["corners"], row["carried"] = form.corners, form.carried
        row["vector"], row["vectors"] = len(first), len(form.vectors)
        row["scalar"], row["scalars"] = len(scalar_first), form.scalars
        row["block"], row["blocks"] = len(blocks), len(form.blocks)
        for vector in form.vectors:
            first.append(len(terms))
            terms += vector
        for k in range(form.scalars):
            scalar_first.append(len(products))
            products += [p for p in form.products if p[0] == k]
        blocks += form.blocks
        first.append(len(terms))  # the end of the last vector
        scalar_first.append(len(products))
    return {
        "forms": rows,
        "form_first": np.array(first, np.int64),
        "form_terms": np.array(terms, tb.FormTerm),
        "form_scalars": np.array(scalar_first, np.int64),
        "form_products": np.array(products, tb.FormProduct),
        "form_blocks": np.array(blocks, np.int64),
    }
