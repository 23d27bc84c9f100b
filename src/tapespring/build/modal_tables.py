"""Inertia of bodies by modes in tables; see mechanics.modal."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..mechanics import tables as tb
from .nodes import LocalFrames

SIX = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))  # entries of a symmetric matrix as kernels keep it


@dataclass
class ModalDraft:
    """Inertia of a frame and the amplitudes of its shapes, padded to threes; world axes as drawn."""

    node: int
    amplitudes: int  # the first of their nodes, which follow one another
    mass: float  # of every amplitude
    tilts: np.ndarray  # (count, 3, 3) dJ/dq at rest
    turns: np.ndarray  # (count, count, 3) ∫ shape x shape dm
    bends: np.ndarray  # (count, count, 3, 3) half of d²J/dq dq
    rows: dict[int, np.ndarray | None] = field(default_factory=dict)  # that hold interfaces: (count, count) if curved

    @property
    def count(self) -> int:
        return len(self.tilts)

    def numbers(self, axes: np.ndarray) -> np.ndarray:
        """As kernels keep them, in the axes of the node."""
        tilts = six(axes.T @ self.tilts @ axes)
        both = np.concatenate((self.turns @ axes, six(axes.T @ self.bends @ axes)), axis=2)
        return np.concatenate((tilts.ravel(), both.ravel()))


def modal_draft(node: int, nodes: list[int], inertia, axes: np.ndarray, rows) -> ModalDraft:
    """From integrals of a body with mean axes, see modal.inertia."""
    n, count = len(inertia.modal), 3 * len(nodes)
    tilts, turns, bends = np.zeros((count, 3, 3)), np.zeros((count, count, 3)), np.zeros((count, count, 3, 3))
    tilts[:n] = axes @ (inertia.by_shape + inertia.by_shape.transpose(0, 2, 1)) @ axes.T
    turns[:n, :n] = inertia.gyration.transpose(0, 2, 1) @ axes.T
    both = inertia.by_two + inertia.by_two.transpose(0, 1, 3, 2)
    bends[:n, :n] = axes @ (0.25 * (both + both.transpose(1, 0, 2, 3))) @ axes.T
    turns = 0.5 * (turns - turns.transpose(1, 0, 2))
    return ModalDraft(node, nodes[0], inertia.mass, tilts, turns, bends, rows)


def six(matrices: np.ndarray) -> np.ndarray:
    return np.stack([matrices[..., i, j] for i, j in SIX], axis=-1)


def modal_tables(drafts: list[ModalDraft], kept: list[int], rows, terms, local: LocalFrames) -> dict[str, np.ndarray]:
    """Fields of Tables."""
    table, numbers, scratch, pairs = np.zeros(len(drafts), tb.Modal), [np.zeros(0)], 0, 0
    for row, d in zip(table, drafts, strict=True):
        row["node"], row["amplitudes"], row["count"], row["mass"] = d.node, d.amplitudes, d.count, d.mass
        row["first"], row["scratch"], row["pairs"] = sum(map(len, numbers)), scratch, pairs
        numbers.append(d.numbers(local.axes[d.node]))
        scratch += tb.MODAL_SHARED + 13 * d.count
        pairs += (d.count // 3 + 1) ** 2
    body_of = {r: b for b, d in enumerate(drafts) for r in d.rows}
    held = [(k, r, int(row["first"])) for k, (r, row) in enumerate(zip(kept, rows, strict=True)) if r in body_of]
    table_rows, curves = np.zeros(len(held), tb.ModalRow), [np.zeros(0)]
    for row, (k, r, first) in zip(table_rows, held, strict=True):
        curve = drafts[body_of[r]].rows[r]
        row["row"], row["body"], row["curve"] = k, body_of[r], -1 if curve is None else sum(map(len, curves))
        row["block"], row["amplitudes"] = terms[first]["block_a"], terms[first + 1]["block_b"]
        curves += [] if curve is None else [curve.ravel()]
    return {
        "modal": table, "modal_numbers": np.concatenate(numbers), "modal_rows": table_rows,
        "modal_curves": np.concatenate(curves),
    }  # fmt: skip
