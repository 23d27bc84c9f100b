"""Meshes that were made elsewhere, and are therefore examined."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from pydantic import Field

from ...schema.folder import Folder
from ...schema.quantities import PositiveLength
from . import checks
from .facing import facing_alike
from .grid import Cells, Grid
from .mesh import Mesh


class GivenMesh(Mesh):
    """Base of meshes from files and lists."""

    merge: PositiveLength | None = Field(None, description="nodes no farther apart become one", examples=["1e-6 m"])
    slits: bool = Field(False, strict=True, description="nodes at the same place are meant: the mesh is cut there")

    def drawn(self, base_dir: Folder) -> Grid:
        grid = self.written(base_dir)
        checks.check_one_dimension(grid)
        checks.check_numbers(grid)
        if self.merge is not None:
            grid = merged(grid, self.merge)
        for name in grid.cells:
            checks.check_repeated_nodes(grid, name)
        checks.check_all_used(grid)
        if not self.slits:
            checks.check_no_duplicates(grid)
        checks.check_elements(grid)
        checks.check_connected(grid)
        return facing_alike(grid)

    def written(self, base_dir: Folder) -> Grid:
        """As it was written, in metres. Raises Refusal."""
        raise NotImplementedError


def merged(grid: Grid, distance: float) -> Grid:
    """Nodes no farther apart, also by way of others, become the first of them."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    pairs = checks.near_pairs(grid.points, distance)
    if len(pairs) == 0:
        return grid.with_notes(f"merge: no nodes are as near to each other as {distance:g} m")
    n = len(grid.points)
    ones = np.ones(len(pairs), np.int8)
    _, cluster = connected_components(coo_matrix((ones, (pairs[:, 0], pairs[:, 1])), (n, n)), directed=False)
    _, first = np.unique(cluster, return_index=True)
    stands_for = first[cluster]
    return kept(grid, stands_for).with_notes(f"merge: {n - len(first)} nodes were joined to others")


def kept(grid: Grid, stands_for: np.ndarray) -> Grid:
    """The mesh of those nodes that stand for themselves; -1 stands for nothing, and leaves the groups."""
    keep = np.flatnonzero(stands_for == np.arange(len(stands_for)))
    new = np.full(len(stands_for) + 1, -1)
    new[keep] = np.arange(len(keep))
    new = new[stands_for]  # -1 leads to the last entry, which is -1
    groups: Cells = {name: once(new[nodes][new[nodes] >= 0]) for name, nodes in grid.groups.items()}
    names = np.arange(len(stands_for)) if grid.node_numbers is None else grid.node_numbers
    return replace(
        grid,
        points=grid.points[keep],
        cells={name: new[cells] for name, cells in grid.cells.items()},
        groups=groups,
        normals=None if grid.normals is None else grid.normals[keep],
        node_numbers=names[keep],
    )


def once(nodes: np.ndarray) -> np.ndarray:
    """Each node once, where it comes first."""
    _, first = np.unique(nodes, return_index=True)
    return nodes[np.sort(first)]
