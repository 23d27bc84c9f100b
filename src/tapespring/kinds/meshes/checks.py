"""What is wrong with a mesh, told by the numbers of its nodes and elements and with the remedy."""

from __future__ import annotations

import numpy as np

from ..refusal import Refusal
from .elements import ELEMENTS, plural
from .grid import Grid
from .shapes import FLATTEST, corner_angle, corner_sines, hexahedron_jacobians, tetra10_jacobians

SAME_PLACE = 1e-9  # of the mesh's size
SHOWN_PARTS = 4


def check_elements(grid: Grid) -> None:
    """Refuse elements that are folded, inverted or without size. Raises Refusal."""
    for name, cells in grid.cells.items():
        check_repeated_nodes(grid, name)
        if name in ("triangle", "quad"):
            check_corners(grid, name)
        elif name in JACOBIANS:
            check_jacobians(grid, name)
        else:
            lengths = np.linalg.norm(np.diff(grid.points[cells], axis=1)[:, 0], axis=-1)
            refuse_worst(grid, name, lengths, 0.0, lambda cell: "has no length")


def check_repeated_nodes(grid: Grid, name: str) -> None:
    """Refuse elements that name a node twice. Raises Refusal."""
    ordered = np.sort(grid.cells[name], axis=1)
    distinct = (np.diff(ordered, axis=1) != 0).all(axis=1)
    refuse_worst(grid, name, distinct.astype(float), 0.5, lambda cell: "has one node twice")


def check_corners(grid: Grid, name: str) -> None:
    """Refuse surface elements with corners of 0, or 180 degrees and more. Raises Refusal."""
    cells = grid.cells[name]
    sines = corner_sines(grid.points, cells)

    def trouble(cell: int) -> str:
        corner = int(np.argmin(sines[cell]))
        angle = corner_angle(grid.points, cells[cell], corner)
        at = grid.node_name(cells[cell][corner])
        word = "is folded or listed crosswise" if sines[cell, corner] < -FLATTEST else "is degenerate"
        return f"{word}: its corner at node {at} has {angle:.4g} deg"

    refuse_worst(grid, name, sines.min(axis=1), FLATTEST, trouble)


JACOBIANS = {"hexahedron": hexahedron_jacobians, "tetra10": tetra10_jacobians}


def check_jacobians(grid: Grid, name: str) -> None:
    """Refuse inverted and flat solid elements. Raises Refusal."""
    jacobians = JACOBIANS[name](grid.points, grid.cells[name])

    def trouble(cell: int) -> str:
        value = jacobians[cell].min()
        if (jacobians[cell] < 0.0).all():
            return f"is inverted: its nodes are listed as in a mirror (scaled Jacobian {value:.3g})"
        word = "is inverted in part" if value < -FLATTEST else "is degenerate"
        return f"{word}: its smallest scaled Jacobian is {value:.3g}"

    refuse_worst(grid, name, jacobians.min(axis=1), FLATTEST, trouble)


def refuse_worst(grid: Grid, name: str, quality: np.ndarray, least: float, trouble) -> None:
    """Name the worst of the elements whose quality is not above the least, and count them. Raises Refusal."""
    bad = np.flatnonzero(~(quality > least))
    if len(bad) == 0:
        return
    worst = int(bad[np.argmin(quality[bad])])
    nodes = grid.node_names(grid.cells[name][worst][: ELEMENTS[name].corners])
    others = "" if len(bad) == 1 else f" ({len(bad)} elements are so; this is the worst)"
    raise Refusal(f"{grid.cell_name(name, worst)} ({nodes}) {trouble(worst)}{others}; correct the mesh there")


def check_numbers(grid: Grid) -> None:
    """Refuse elements of nodes that do not exist, and places that are no numbers. Raises Refusal."""
    n = len(grid.points)
    if not np.isfinite(grid.points).all():
        node = int(np.flatnonzero(~np.isfinite(grid.points).all(axis=1))[0])
        raise Refusal(f"node {grid.node_name(node)} has no place: {grid.points[node].tolist()}")
    for name, cells in grid.cells.items():
        lost = np.flatnonzero(((cells < 0) | (cells >= n)).any(axis=1))
        if len(lost):
            raise Refusal(f"{grid.cell_name(name, int(lost[0]))} has a node that is not in the list of {n} nodes")


def check_all_used(grid: Grid) -> None:
    """Refuse nodes without element. Raises Refusal."""
    loose = np.flatnonzero(~used_nodes(grid))
    if len(loose):
        where = np.round(grid.points[loose[0]], 9).tolist()
        raise Refusal(
            f"{len(loose)} of {len(grid.points)} nodes belong to no element, for example node "
            f"{grid.node_name(loose[0])} at {where} m; remove them"
        )


def used_nodes(grid: Grid) -> np.ndarray:
    """(n,) whether an element has the node."""
    used = np.zeros(len(grid.points), bool)
    for cells in grid.cells.values():
        used[cells] = True
    return used


def check_no_duplicates(grid: Grid) -> None:
    """Refuse nodes at the same place. Raises Refusal."""
    pairs = near_pairs(grid.points, SAME_PLACE * grid.size)
    if len(pairs):
        a, b = pairs[0]
        where = np.round(grid.points[a], 9).tolist()
        raise Refusal(
            f"{len(pairs)} {'pair' if len(pairs) == 1 else 'pairs'} of nodes at the same place, for example nodes "
            f"{grid.node_name(a)} and {grid.node_name(b)} at {where} m: elements there hang together only by what they "
            "share. Join them with 'merge: 1e-6 m', or write 'slits: true' if the mesh is meant to be cut there"
        )


def near_pairs(points: np.ndarray, distance: float) -> np.ndarray:
    """(m, 2) nodes no farther apart, in order."""
    from scipy.spatial import cKDTree

    pairs = cKDTree(points).query_pairs(distance, output_type="ndarray")
    return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]


def check_connected(grid: Grid) -> None:
    """Refuse a mesh in several pieces. Raises Refusal."""
    count, piece = pieces(grid)
    if count == 1:
        return
    sizes = np.bincount(piece)
    told = [
        f"{sizes[k]} nodes (node {grid.node_name(int(np.argmax(piece == k)))} among them)"
        for k in np.argsort(-sizes, kind="stable")[:SHOWN_PARTS]
    ]
    more = " …" if count > SHOWN_PARTS else ""
    raise Refusal(
        f"the mesh falls into {count} pieces: {', '.join(told)}{more}; a body is one piece. Join nodes at the same "
        "place with 'merge: 1e-6 m', make a body of each piece, or remove what is not meant"
    )


def pieces(grid: Grid) -> tuple[int, np.ndarray]:
    """(count, piece of each node), joined by elements."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    first = np.concatenate([np.repeat(cells[:, 0], cells.shape[1]) for cells in grid.cells.values()])
    other = np.concatenate([cells.reshape(-1) for cells in grid.cells.values()])
    n = len(grid.points)
    return connected_components(coo_matrix((np.ones(len(first), np.int8), (first, other)), (n, n)), directed=False)


def check_one_dimension(grid: Grid) -> None:
    """Refuse surface elements beside solid ones, and meshes of nothing. Raises Refusal."""
    if not any(len(cells) for cells in grid.cells.values()):
        raise Refusal("the mesh has no elements")
    dimensions = {ELEMENTS[name].dimension for name in grid.cells}
    if len(dimensions) > 1:
        mixture = " and ".join(plural(name, len(cells)) for name, cells in grid.cells.items())
        raise Refusal(f"the mesh mixes lines, surfaces or solids: {mixture}; a body has one of them, make two bodies")
