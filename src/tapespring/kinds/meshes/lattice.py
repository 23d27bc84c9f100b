"""Surfaces of rows and columns: quads between the points of a lattice, their edges and corners by name."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .grid import Cells, Grid

EVEN = "no node is there; make both divisions even"
EVEN_ACROSS = "no nodes are there; make the number of elements across even"


@dataclass(frozen=True)
class Borders:
    """Names of the edges of a lattice, first and last along each of its two directions; `corner` joins two of them."""

    first: str
    last: str
    lower: str
    upper: str
    corner: str = "{0}_{1}"


def numbers(n: int, m: int, closed: bool = False) -> np.ndarray:
    """(n + 1, m + 1) node numbers; of a closed lattice the last row is the first one again."""
    rows = np.arange(n if closed else n + 1)
    if closed:
        rows = np.append(rows, 0)
    return rows[:, None] * (m + 1) + np.arange(m + 1)


def quads_of(number: np.ndarray) -> np.ndarray:
    """Quads of a lattice, normal along first × second direction."""
    return np.stack((number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]), axis=-1).reshape(-1, 4)


def triangles_of(number: np.ndarray) -> np.ndarray:
    """Two triangles for each quad; diagonals alternate, so that no direction is preferred."""
    quads = quads_of(number)
    n, m = number.shape[0] - 1, number.shape[1] - 1
    odd = (np.add.outer(np.arange(n), np.arange(m)) % 2 == 1).reshape(-1, 1, 1)
    return np.where(odd, quads[:, [[0, 1, 3], [1, 2, 3]]], quads[:, [[0, 1, 2], [0, 2, 3]]]).reshape(-1, 3)


def cells_of(lattices: list[np.ndarray], triangles: bool) -> Cells:
    """Elements of one or several lattices that share nodes."""
    if triangles:
        return {"triangle": np.concatenate([triangles_of(number) for number in lattices])}
    return {"quad": np.concatenate([quads_of(number) for number in lattices])}


def lattice_grid(
    points: np.ndarray, borders: Borders, *, triangles: bool = False, closed: bool = False, normals=None
) -> Grid:
    """A surface from its points (n + 1, m + 1, 3); a closed one has the first row again at the end."""
    n, m = points.shape[0] - 1, points.shape[1] - 1
    number = numbers(n, m, closed)
    rows = n if closed else n + 1
    groups, absent = edge_groups(number, borders, closed)
    return Grid(
        points=points[:rows].reshape(-1, 3),
        cells=cells_of([number], triangles),
        groups=groups,
        normals=None if normals is None else normals[:rows].reshape(-1, 3),
        absent=absent,
    )


def edge_groups(number: np.ndarray, borders: Borders, closed: bool) -> tuple[Cells, dict[str, str]]:
    """Edges in order along them, corners, and what a closed surface lacks."""
    if closed:
        why = "the surface is closed; give an angle below 360 deg to open it"
        groups = {borders.lower: number[:-1, 0], borders.upper: number[:-1, -1]}
        return groups, {borders.first: why, borders.last: why}
    groups = {
        borders.first: number[0],
        borders.last: number[-1],
        borders.lower: number[:, 0],
        borders.upper: number[:, -1],
    }
    for i, along in ((0, borders.first), (-1, borders.last)):
        for j, across in ((0, borders.lower), (-1, borders.upper)):
            groups[borders.corner.format(along, across)] = number[i, j].reshape(1)
    return groups, {}


def with_centre(grid: Grid, divisions: tuple[int, int]) -> Grid:
    """The node in the middle of an open lattice becomes the group `centre`, if there is one."""
    n, m = divisions
    if n % 2 or m % 2:
        grid.absent["centre"] = EVEN
    else:
        grid.groups["centre"] = np.array([n // 2 * (m + 1) + m // 2])
    return grid


def with_middle_line(grid: Grid, name: str, divisions: tuple[int, int]) -> Grid:
    """Nodes half way across an open lattice, in order along it, become a group, if there are any."""
    n, m = divisions
    if m % 2:
        grid.absent[name] = EVEN_ACROSS
    else:
        grid.groups[name] = np.arange(n + 1) * (m + 1) + m // 2
    return grid
