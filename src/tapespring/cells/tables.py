"""Cells as the engine takes them: forms, corners and numbers in tables."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..mechanics import tables as tb
from .form import Form


@dataclass
class CellsDraft:
    """Many cells of one form, stress-free as drawn; vectors in world axes at the reference placement."""

    form: Form
    nodes: np.ndarray  # (cells, corners)
    points: np.ndarray  # (cells, corners, 3)
    carried: np.ndarray  # (cells, corners, carried, 3)
    blocks: list[np.ndarray]  # of C, each (cells, n, n); none once they stand in `numbers`
    damping: float = 0.0  # [s]
    prestrain: np.ndarray | None = None  # (cells, scalars) they have as drawn
    law: int = tb.LINEAR
    law_points: int = 0  # of a law that is not linear; then blocks hold, as flat rows (cells, n), points and numbers
    own: np.ndarray | None = None  # see numbers()

    def given(self) -> np.ndarray:
        """(cells, z, 3): what corners give as drawn."""
        return np.concatenate((self.points[:, None], self.carried.transpose(0, 2, 1, 3)), axis=1).reshape(
            len(self.nodes), -1, 3
        )

    def reference(self) -> np.ndarray:
        """(cells, scalars) without stress."""
        s = self.form.measure(self.given())
        return s if self.prestrain is None else s - self.prestrain

    def numbers(self) -> np.ndarray:
        """(cells, n): reference scalars, then C block by block; it takes the place of `blocks`, which frees memory."""
        if self.own is None:
            count = len(self.nodes)
            self.own = np.concatenate([self.reference(), *(b.reshape(count, -1) for b in self.blocks)], axis=1)
            self.blocks = []
        return self.own


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
            mine[name] = in_node_axes(d.nodes, axes, d.carried[:, :, c])
        arms = np.any(mine["arm"].reshape(count, -1), axis=1)
        turning = (d.form.carried > 0) | np.any(~np.isin(kinds[d.nodes], (tb.POINT, tb.GROUND)), axis=1) | arms
        own = d.numbers()
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
    out["cells"] = np.concatenate([np.zeros(0, tb.Cell), *cells])
    out["corners"] = np.concatenate([np.zeros(0, tb.Corner), *corners])
    out["cell_numbers"] = numbers[0] if len(numbers) == 1 else np.concatenate([np.zeros(0), *numbers])
    return out


def corner_table(d: CellsDraft | PressureDraft, places: np.ndarray, axes: np.ndarray) -> np.ndarray:
    """Corners of all cells or faces in turn."""
    table = np.zeros(d.nodes.size, tb.Corner)
    table["node"] = d.nodes.ravel()
    table["arm"] = in_node_axes(d.nodes, axes, d.points - places[d.nodes])
    return table


def in_node_axes(nodes: np.ndarray, axes: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """(corners of all cells, 3): world vectors (cells, corners, 3) in the axes of their nodes."""
    return np.einsum("nji,nj->ni", axes[nodes.ravel()], vectors.reshape(-1, 3))


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
