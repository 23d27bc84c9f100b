"""Edges and outer sides of a mesh, and chains of edges."""

from __future__ import annotations

import numpy as np

from ..refusal import Refusal
from .elements import ELEMENTS
from .grid import Cells, Grid, corners


def edges(grid: Grid) -> np.ndarray:
    """(m, 2) every edge between corners once, lower node first."""
    pairs = [corners(grid, name)[:, ELEMENTS[name].edges].reshape(-1, 2) for name in grid.cells]
    return np.unique(np.sort(np.concatenate(pairs), axis=1), axis=0)


def boundary(grid: Grid) -> Cells:
    """Sides that one element alone has: `line` around a surface with the element to the left; `quad` and `triangle6`
    around a solid, seen from outside."""
    kept: dict[str, list[np.ndarray]] = {}
    for side_name, sides in all_sides(grid).items():
        count = ELEMENTS_CORNERS[side_name]
        _, of, times = np.unique(np.sort(sides[:, :count], axis=1), axis=0, return_inverse=True, return_counts=True)
        kept.setdefault(side_name, []).append(sides[times[of.reshape(-1)] == 1])
    return {name: np.concatenate(found) for name, found in kept.items()}


def sides_of(grid: Grid, group: str) -> Cells:
    """Outer sides all of whose nodes are in a group: where a load per length or a pressure acts. Raises Refusal."""
    inside = np.zeros(len(grid.points), bool)
    inside[grid.group(group)] = True
    return {name: sides[inside[sides].all(axis=1)] for name, sides in boundary(grid).items()}


ELEMENTS_CORNERS = {"vertex": 1, "line": 2, "triangle6": 3, "quad": 4}


def all_sides(grid: Grid) -> Cells:
    """Sides of all elements, shared ones several times."""
    found: dict[str, list[np.ndarray]] = {}
    for name, cells in grid.cells.items():
        element = ELEMENTS[name]
        sides = cells[:, element.sides].reshape(-1, len(element.sides[0]))
        found.setdefault(element.side_name, []).append(sides)
    return {name: np.concatenate(sides) for name, sides in found.items()}


def chained(pairs: np.ndarray) -> np.ndarray | None:
    """Nodes in order along edges, from the end whose edge comes first; None if they branch or fall apart."""
    neighbours: dict[int, list[int]] = {}
    for a, b in pairs.tolist():
        neighbours.setdefault(a, []).append(b)
        neighbours.setdefault(b, []).append(a)
    if not neighbours or max(len(near) for near in neighbours.values()) > 2:
        return None
    start = next((node for node, near in neighbours.items() if len(near) == 1), int(pairs[0, 0]))
    order, before, here = [start], None, start
    while True:
        onward = [node for node in neighbours[here] if node != before]
        if not onward or onward[0] == start:
            break
        before, here = here, onward[0]
        order.append(here)
    return np.array(order) if len(order) == len(neighbours) else None


def along_edges(grid, nodes: np.ndarray, label: str) -> np.ndarray:
    """The nodes in order; around a closed edge the first is also the last. Raises Refusal."""
    inside = np.zeros(len(grid.points), bool)
    inside[nodes] = True
    all_edges = edges(grid)
    pairs = all_edges[inside[all_edges].all(axis=1)]
    order = chained(pairs)
    if order is None or len(order) != len(np.unique(nodes)):
        raise Refusal(f"the nodes of '{label}' do not lie along a line of edges; name a group that does", "on")
    return np.append(order, order[0]) if len(pairs) == len(order) else order
