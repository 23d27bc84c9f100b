"""A mesh as arrays: nodes, elements, and groups of both by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ...schema.near_words import advice
from ..refusal import Refusal
from .elements import ELEMENTS

Cells = dict[str, np.ndarray]


@dataclass(frozen=True)
class Grid:
    """Nodes and elements; names and node order of elements are meshio's."""

    points: np.ndarray  # (n, 3) [m]
    cells: Cells  # node numbers from 0: line, triangle, quad, tetra10, hexahedron
    groups: Cells = field(default_factory=dict)  # node numbers, each once; those of an edge in order along it if known
    parts: dict[str, Cells] = field(default_factory=dict)  # cell numbers by name of the part and of the element
    normals: np.ndarray | None = None  # (n, 3) exact unit normals of the surface, if known
    notes: tuple[str, ...] = ()  # what a user should know of how it was made
    absent: dict[str, str] = field(default_factory=dict)  # groups there could be, and why they are not there
    node_numbers: np.ndarray | None = None  # (n,) as in the file it came from
    cell_numbers: Cells = field(default_factory=dict)  # likewise

    @property
    def dimension(self) -> int:
        """1 of lines, 2 of surfaces, 3 of solids."""
        return max(ELEMENTS[name].dimension for name in self.cells)

    @property
    def size(self) -> float:
        """Diagonal of the box around it [m]."""
        return float(np.linalg.norm(np.ptp(self.points, axis=0)))

    def node_name(self, node: int) -> int:
        """The number by which a user knows a node."""
        return int(node if self.node_numbers is None else self.node_numbers[node])

    def cell_name(self, name: str, cell: int) -> str:
        """`quad 17`, by the number a user knows."""
        return f"{name} {int(self.cell_numbers[name][cell] if name in self.cell_numbers else cell)}"

    def node_names(self, nodes: Sequence[int] | np.ndarray) -> str:
        """`nodes 3, 4, 9, 8`."""
        return "nodes " + ", ".join(str(self.node_name(node)) for node in nodes)

    def group(self, name: str) -> np.ndarray:
        """The nodes of a group. Raises Refusal."""
        if name in self.groups:
            return self.groups[name]
        if name in self.absent:
            raise Refusal(f"the mesh has no group '{name}': {self.absent[name]}")
        if not self.groups:
            raise Refusal(f"the mesh has no group '{name}', nor any other")
        raise Refusal(f"the mesh has no group '{name}'{advice(name, self.groups, 'it has')}")

    def with_notes(self, *notes: str) -> Grid:
        """The same with more to tell."""
        return replace(self, notes=(*self.notes, *notes))


def nearest(grid: Grid, point) -> int:
    """The node nearest to a point."""
    return int(np.argmin(np.linalg.norm(grid.points - np.asarray(point, float), axis=1)))


def corners(grid: Grid, name: str) -> np.ndarray:
    """Corner nodes of the elements of one type, without those between corners."""
    return grid.cells[name][:, : ELEMENTS[name].corners]


def placed(grid: Grid, origin, turn: np.ndarray) -> Grid:
    """Turned about its own origin, then moved there."""
    normals = None if grid.normals is None else grid.normals @ turn.T
    return replace(grid, points=np.asarray(origin, float) + grid.points @ turn.T, normals=normals)
