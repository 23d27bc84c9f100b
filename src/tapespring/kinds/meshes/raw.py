"""A mesh as a file has it: elements of any type and dimension, and sets of nodes and elements."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from .elements import dimension_of
from .given import once
from .sides import chained


@dataclass(frozen=True)
class Block:
    """Elements of one type."""

    name: str  # meshio's
    cells: np.ndarray  # (k, nodes of an element), numbers from 0
    numbers: np.ndarray  # (k,) as in the file

    @property
    def dimension(self) -> int:
        """0 to 3"""
        return dimension_of(self.name)


@dataclass
class RawMesh:
    """Sets of elements are cell numbers by block."""

    points: np.ndarray  # (n, 3), in the file's unit
    node_numbers: np.ndarray  # (n,) as in the file
    blocks: list[Block]
    node_sets: dict[str, np.ndarray] = field(default_factory=dict)
    cell_sets: dict[str, dict[int, np.ndarray]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def nodes_of(self, members: dict[int, np.ndarray]) -> np.ndarray:
        """Nodes of a set of elements: along the edge if they are lines one after the other, as listed if they are
        points, else sorted."""
        chosen = [(self.blocks[k].name, self.blocks[k].cells[cells]) for k, cells in members.items() if len(cells)]
        if not chosen:
            return np.zeros(0, int)
        if all(name in ("line", "line3") for name, _ in chosen):
            pairs = [line_pairs(cells) for _, cells in chosen]
            order = chained(np.concatenate(pairs))
            if order is not None:
                return order
        listed = np.concatenate([cells.reshape(-1) for _, cells in chosen])
        return once(listed) if all(name == "vertex" for name, _ in chosen) else np.unique(listed)


def line_pairs(cells: np.ndarray) -> np.ndarray:
    """Pieces of lines between neighbouring nodes; meshio has the middle of a line3 last."""
    return cells if cells.shape[1] == 2 else cells[:, [[0, 2], [2, 1]]].reshape(-1, 2)
