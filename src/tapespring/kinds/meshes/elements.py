"""Elements by meshio's names and node order: their dimension, edges and sides."""

from __future__ import annotations

from dataclasses import dataclass

Pairs = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Element:
    """Edges between corners; sides (edges of a surface, faces of a solid) in the sense that has the element to the
    left, or outside in front."""

    name: str
    plural: str
    dimension: int
    nodes: int
    corners: int
    edges: Pairs
    side_name: str
    sides: tuple[tuple[int, ...], ...]


_AROUND_3: Pairs = ((0, 1), (1, 2), (2, 0))
_AROUND_4: Pairs = ((0, 1), (1, 2), (2, 3), (3, 0))
_TETRA_EDGES: Pairs = (*_AROUND_3, (0, 3), (1, 3), (2, 3))
_TETRA_FACES = ((0, 2, 1, 6, 5, 4), (0, 1, 3, 4, 8, 7), (1, 2, 3, 5, 9, 8), (0, 3, 2, 7, 9, 6))
_HEXA_EDGES: Pairs = (*_AROUND_4, (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7))
_HEXA_FACES = ((0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))

#: What a grid may hold.
ELEMENTS: dict[str, Element] = {
    element.name: element
    for element in (
        Element("line", "lines", 1, 2, 2, ((0, 1),), "vertex", ((0,), (1,))),
        Element("triangle", "triangles", 2, 3, 3, _AROUND_3, "line", _AROUND_3),
        Element("quad", "quads", 2, 4, 4, _AROUND_4, "line", _AROUND_4),
        Element("tetra10", "tetra10", 3, 10, 4, _TETRA_EDGES, "triangle6", _TETRA_FACES),
        Element("hexahedron", "hexahedra", 3, 8, 8, _HEXA_EDGES, "quad", _HEXA_FACES),
    )
}

#: How meshio orders the nodes of a turned surface element.
TURNED = {"triangle": (0, 2, 1), "quad": (0, 3, 2, 1)}

_QUADRATIC = "mesh with linear elements (in Gmsh: Mesh.ElementOrder = 1)"
REMEDIES = {
    "triangle6": _QUADRATIC,
    "quad8": _QUADRATIC,
    "quad9": _QUADRATIC,
    "hexahedron20": _QUADRATIC,
    "hexahedron27": _QUADRATIC,
    "tetra": "4-node tetrahedra are far too stiff; mesh with 10-node ones (in Gmsh: Mesh.ElementOrder = 2)",
    "wedge": "mesh with hexahedra or 10-node tetrahedra",
    "pyramid": "mesh with hexahedra or 10-node tetrahedra",
}


def dimension_of(name: str) -> int:
    """0 to 3, of any of meshio's cell types."""
    if name == "vertex":
        return 0
    if name.startswith("line"):
        return 1
    return 2 if name.startswith(("triangle", "quad", "polygon")) else 3


def plural(name: str, count: int) -> str:
    """`1 quad`, `3 quads`."""
    if name in ELEMENTS:
        return f"{count} {name if count == 1 else ELEMENTS[name].plural}"
    return f"{count} {name}"
