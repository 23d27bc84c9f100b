"""A structure as matrices: mass and stiffness of the freedoms of nodes, what is held, and places by name.

All freedoms are translations and rotations in the axes of the structure, which are the reduced body's.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NoReturn

import numpy as np

from ..schema.near_words import advice
from ..schema.problems import ModelError, Problem

COMPONENTS = ("x", "y", "z", "turn x", "turn y", "turn z")


@dataclass(frozen=True, eq=False)
class Spot:
    """Points that are fixed to nodes: a group of a mesh, a marker, a grid point."""

    nodes: np.ndarray  # (k,)
    points: np.ndarray  # (k, 3)
    axes: np.ndarray = field(default_factory=lambda: np.eye(3))  # of a marker


@dataclass(frozen=True, eq=False)
class Drawing:
    """Points fixed to nodes and elements between them."""

    nodes: np.ndarray  # (p,)
    points: np.ndarray  # (p, 3)
    cells: dict[str, np.ndarray]


@dataclass(frozen=True, eq=False)
class Structure:
    """Matrices are scipy's, sparse and symmetric, over nv freedoms; `rows` u = 0 are constraints between them."""

    name: str
    mass: Any  # (nv, nv)
    stiffness: Any  # (nv, nv)
    positions: np.ndarray  # (n, 3)
    freedoms: np.ndarray  # (n, 6) where translations and rotations stand among the freedoms, -1: there is none
    held: np.ndarray  # (nv,) bool
    damping: Any = None  # (nv, nv)
    rows: Any = None  # (r, nv)
    places: dict[str, Spot] = field(default_factory=dict)
    labels: tuple[str, ...] = ()
    drawing: Drawing | None = None
    recovery: Any = None  # reduction.stress.Recovery: stress of elements by displacements
    bending: Any = None  # reduction.bending.Bending: forces of elements to second order
    imported: Any = None  # reduction.of_op2.Imported: modes found elsewhere
    source: dict[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """Number of freedoms."""
        return len(self.held)

    def label(self, node: int) -> str:
        return self.labels[node] if self.labels else f"node {node}"

    def owner(self, freedom: int) -> tuple[int, int]:
        """(node, component) of a freedom."""
        node, component = np.argwhere(self.freedoms == freedom)[0]
        return int(node), int(component)

    def place(self, name: str) -> Spot:
        """A place by its name; `3+4+9` is several as one, `10..20` all numbers between. Raises ModelError."""
        if name not in self.places and ("+" in name or ".." in name):
            return self.joined(name)
        if name not in self.places:
            near = advice(name, self.places) if self.places else "; nothing in it has a name"
            refuse(self, f"there is no '{name}' to be an interface{near}")
        return self.places[name]

    def joined(self, name: str) -> Spot:
        found = []
        for part in name.split("+"):
            first, dots, last = part.partition("..")
            if not dots:
                found.append(self.place(part.strip()))
                continue
            if not (first.isdigit() and last.isdigit()):
                refuse(self, f"'{part}' is no range of numbers; write 10..20")
            numbers = (str(n) for n in range(int(first), int(last) + 1))
            found += [self.places[n] for n in numbers if n in self.places]
        if not found:
            refuse(self, f"there is nothing in '{name}' to be an interface")
        return Spot(np.concatenate([s.nodes for s in found]), np.concatenate([s.points for s in found]))


def refuse(structure: Structure, message: str) -> NoReturn:
    """Raises ModelError."""
    raise ModelError(Problem(None, (structure.name,) if structure.name else (), message))


def motion_at(structure: Structure, nodes: np.ndarray, points: np.ndarray):
    """(6 k, nv) sparse: translation and rotation of points fixed to nodes by the freedoms."""
    from scipy.sparse import csr_array

    free, arm = structure.freedoms[nodes], points - structure.positions[nodes]
    rows, columns, values = [], [], []

    def put(k, row, column, value):
        there = (column >= 0) & (value != 0.0)
        rows.append((6 * k + row)[there])
        columns.append(column[there])
        values.append(value[there])

    k = np.arange(len(nodes))
    for c in range(6):
        put(k, c, free[:, c], np.ones(len(nodes)))
    for axis in range(3):  # a turn moves points beside the node
        across = np.cross(np.eye(3)[axis], arm)
        for c in range(3):
            put(k, c, free[:, 3 + axis], across[:, c])
    places = np.concatenate(rows), np.concatenate(columns)
    return csr_array((np.concatenate(values), places), shape=(6 * len(nodes), structure.size))
