"""Meshes as surfaces: of membranes, shells and solids, and of rigid bodies.

A mesh touches with its nodes, and others touch its triangles. Sheets have two sides and half their thickness on each;
solids and closed meshes have an outside.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from pydantic import Field

from ...mechanics import tables as tb
from ...schema.quantities import NonNegativeLength
from ..meshes.any_mesh import AnyMesh
from ..meshes.sides import boundary
from ..refusal import Refusal
from .surface import Features, Surface

ALONG = 2.0  # thicknesses along a sheet: nearer parts of it do not touch each other
EDGES = ((0, 1), (0, 2), (1, 2))  # of a triangle


class MeshSurface(Surface):
    """A mesh of triangles fixed to a body, in the axes of its place: any mesh of a membrane, shell or solid. Closed
    ones have an inside; others are sheets with two sides."""

    kind: Literal["mesh"] = "mesh"
    mesh: AnyMesh = Field(examples=["{kind: sphere, radius: 0.1 m, divisions: 8}"])
    thickness: NonNegativeLength = Field(0.0, examples=["1 mm"])

    def features(self, builder, *field: str | int) -> Features:
        side, point = self.place(builder, *field)
        with builder.at_field(*field, "mesh"):
            grid = self.mesh.grid(builder.base_dir)
        places = point + grid.points @ side.axes.T
        triangles = triangles_of(grid)
        closed = is_closed(triangles)
        if closed and signed_volume(places, triangles) < 0.0:
            triangles = triangles[:, ::-1]
        spots = [(side.node, p) for p in places]
        return mesh_features(builder, side.label, spots, triangles, 0.5 * self.thickness, closed)


def body_features(name: str, body, entity, builder, *field: str | int, among=None) -> Features:
    """Of a membrane or shell, half as thick on each side; of the outside of a solid. Among: nodes that take part."""
    grid = body.mesh.grid
    if grid.dimension < 2:
        raise Refusal(f"'{name}' is a mesh of lines, which has no surface", *field)
    spots = list(zip(body.mesh.nodes.tolist(), body.mesh.points, strict=True))
    triangles = triangles_of(grid)
    if among is not None:
        triangles = triangles[np.isin(triangles, among).all(axis=1)]
    if not len(triangles):
        raise Refusal(f"no triangle of '{name}' lies between these nodes", *field)
    return mesh_features(builder, name, spots, triangles, 0.5 * thickness_of(entity), grid.dimension == 3)


def thickness_of(entity) -> float:
    """Of a sheet; nothing for a solid [m]."""
    layers = getattr(entity, "layers", ())
    return sum(layer.thickness for layer in layers) if layers else getattr(entity, "thickness", None) or 0.0


def triangles_of(grid) -> np.ndarray:
    """(n, 3) nodes; of a solid its outside, seen from there."""
    sides = boundary(grid) if grid.dimension == 3 else grid.cells
    found = [np.zeros((0, 3), np.int64)]
    for name, cells in sides.items():
        if name == "triangle":
            found.append(cells)
        elif name == "triangle6":
            found += [cells[:, list(corners)] for corners in ((0, 3, 5), (3, 1, 4), (5, 4, 2), (3, 4, 5))]
        elif name == "quad":
            found.append(cut(grid.points, cells))
    return np.concatenate(found)


def cut(points: np.ndarray, quads: np.ndarray) -> np.ndarray:
    """Every quad along its shorter diagonal."""
    p = points[quads]
    first = np.linalg.norm(p[:, 0] - p[:, 2], axis=1) <= np.linalg.norm(p[:, 1] - p[:, 3], axis=1)
    along_first = np.stack((quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]), axis=1)
    along_second = np.stack((quads[:, [0, 1, 3]], quads[:, [1, 2, 3]]), axis=1)
    return np.where(first[:, None, None], along_first, along_second).reshape(-1, 3)


def is_closed(triangles: np.ndarray) -> bool:
    """Whether every edge has two triangles."""
    ends = np.sort(triangles[:, np.array(EDGES)].reshape(-1, 2), axis=1)
    return bool((np.unique(ends, axis=0, return_counts=True)[1] == 2).all())


def signed_volume(points: np.ndarray, triangles: np.ndarray) -> float:
    a, b, c = (points[triangles[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0)


def edges_of(triangles: np.ndarray) -> np.ndarray:
    """(n, 2) nodes, each edge once."""
    return np.unique(np.sort(triangles[:, np.array(EDGES)].reshape(-1, 2), axis=1), axis=0)


def nodes_within(points: np.ndarray, ends: np.ndarray, distance: float) -> list[list[int]]:
    """Of every node those, itself too, that are not farther than this along edges."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import dijkstra

    length = np.linalg.norm(points[ends[:, 0]] - points[ends[:, 1]], axis=1)
    n = len(points)
    if not len(length) or length.min() > distance:
        return [[k] for k in range(n)]
    graph = coo_matrix((length, (ends[:, 0], ends[:, 1])), (n, n)).tocsr()
    reached = (dijkstra(graph, directed=False, indices=k, limit=distance) for k in range(n))
    return [np.flatnonzero(np.isfinite(ways)).tolist() for ways in reached]


def hops(cells: np.ndarray, near: list[list[int]], seekers: np.ndarray) -> list[list[int]]:
    """Of each of the seekers, given by their nodes, the cells with a node near one of these, but for cells with a
    common node: those are no pair anyway."""
    with_node: list[list[int]] = [[] for _ in near]
    for t, corners in enumerate(cells.tolist()):
        for k in corners:
            with_node[k].append(t)
    found = []
    for nodes in seekers.tolist():
        beyond = {m for k in nodes for m in near[k]} - set(nodes)
        found.append(sorted({t for m in beyond for t in with_node[m]}))
    return found


def opposite_to_hems(points: np.ndarray, triangles: np.ndarray, ends: np.ndarray, apart: float):
    """(node, edge) of every triangle with an edge that no other one has: the node that is not on it, if it is farther
    apart from the edge's line."""
    number = {(a, b): k for k, (a, b) in enumerate(ends.tolist())}
    sides: dict[int, list[int]] = {}
    for t in triangles.tolist():
        for a, b in EDGES:
            low, high = sorted((t[a], t[b]))
            sides.setdefault(number[low, high], []).append(t[3 - a - b])
    found = [(nodes[0], edge) for edge, nodes in sides.items() if len(nodes) == 1]

    def height(node: int, edge: int) -> float:
        a, b = points[ends[edge]]
        return float(np.linalg.norm(np.cross(b - a, points[node] - a)) / np.linalg.norm(b - a))

    return [pair for pair in found if height(*pair) > apart]


def longest_edges(points: np.ndarray, triangles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(of every triangle, of every point the least of its triangles) [m]"""
    p = points[triangles]
    of_triangles = np.max([np.linalg.norm(p[:, a] - p[:, b], axis=1) for a, b in EDGES], axis=0, initial=0.0)
    of_points = np.full(len(points), np.inf)
    np.minimum.at(of_points, triangles, of_triangles[:, None])
    return of_triangles, of_points


def normals(points: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """(points, 3) means of the normals of the triangles around, by their angles there."""
    out = np.zeros_like(points)
    for k in range(3):
        a, b, c = (points[triangles[:, (k + j) % 3]] for j in range(3))
        normal, along = np.cross(b - a, c - a), np.einsum("ij,ij->i", b - a, c - a)
        twice_area = np.linalg.norm(normal, axis=1)
        np.add.at(out, triangles[:, k], normal * (np.arctan2(twice_area, along) / twice_area)[:, None])
    return out


def mesh_features(builder, label: str, spots, triangles: np.ndarray, radius: float, solid: bool) -> Features:
    """Triangles and the nodes they have, with the lengths of edges there and whether they can bend."""
    points = np.array([p for _, p in spots])
    number = len(builder.assembler.surfaces)
    of_triangles, of_points = longest_edges(points, triangles)
    inside, flexible = float(solid), float(len({node for node, _ in spots}) > 1)
    about = {"radius": radius, "feature": radius or float(np.median(of_triangles))}
    faces = [
        builder.add_surface(
            tb.TRIANGLE, [spots[k] for k in corners], after=number, size=(inside, edge, flexible), **about
        )
        for corners, edge in zip(triangles.tolist(), of_triangles.tolist(), strict=True)
    ]
    used = np.unique(triangles).tolist()
    outward = normals(points, triangles) if solid else np.zeros_like(points)
    corners = [
        builder.add_surface(
            tb.BALL, [spots[k]], size=(inside, of_points[k], flexible), axes=np.array([outward[k]] * 3).T, **about
        )
        for k in used
    ]
    ends = edges_of(triangles)
    near = nodes_within(points, ends, 2.0 * ALONG * radius)

    def edges() -> tuple[list[int], list[list[int]], list[tuple[int, int]]]:
        """(segments, those near each along the surface, corners opposite to a hem with its segment)"""
        lines = [[spots[a], spots[b]] for a, b in ends.tolist()]
        found = [builder.add_surface(tb.SEGMENT, line, size=tb.MESHED, shown=False, **about) for line in lines]
        corner = dict(zip(used, corners, strict=True))
        opposite = opposite_to_hems(points, triangles, ends, 2.0 * ALONG * radius)
        return found, hops(ends, near, ends), [(corner[k], found[e]) for k, e in opposite]

    return Features(
        label, triangles=faces, corners=corners, radius=radius or None,
        hops=hops(triangles, near, np.array(used)[:, None]), find_edges=None if solid else edges,
    )  # fmt: skip
