"""Solid: a thick flexible body; a flexure, a block, a stop."""

from __future__ import annotations

from typing import Literal

import numpy as np
from pydantic import Field

from ...cells import hexa, tetra
from ...cells.pieces import Pieces
from ...cells.points import neo_hookean_numbers, point_numbers
from ...cells.recover import at_nodes, of_solid
from ...mechanics.tables import NEO_HOOKEAN
from ..meshes.any_mesh import AnyMesh
from ..registry import Kind
from ..sheets.solid_material import SolidMaterial
from .mesh_body import MeshBody, MeshNodes, mesh_of

SHAPES = {"hexahedron": hexa, "tetra10": tetra}


class Solid(MeshBody):
    """Stress-free as drawn. Its nodes have no attitude: hold several of them, or `attach` a group to a body."""

    kind: Literal["solid"] = "solid"
    mesh: AnyMesh
    material: SolidMaterial = Field(examples=["{young: 70 GPa, poisson: 0.33, density: 2700 kg/m^3}"])


def build(solid: Solid, builder) -> None:
    """Points with the mass around them, and elements between them."""
    grid = mesh_of(solid, builder, 3)
    pieces, volumes = {}, np.zeros(len(grid.points))
    for name, cells in grid.cells.items():
        axes = np.broadcast_to(np.eye(3), (len(cells), 3, 3))
        pieces[name] = Pieces(SHAPES[name], grid.points, cells, axes)
        np.add.at(volumes, cells, pieces[name].gathered(SHAPES[name].nodal_volumes))
    nodes = MeshNodes(solid, builder, grid, solid.material.density * volumes, None).numbers
    drafts = [add_cells(solid, builder, p, nodes[p.cells]) for p in pieces.values() if not solid.rigid]
    recover = {name: of_solid(p, solid.material.stiffness()) for name, p in pieces.items()}
    smooth = list(pieces) == ["hexahedron"] and solid.material.law == "linear" and not solid.rigid
    nodal = at_nodes(pieces["hexahedron"], solid.material.stiffness()) if smooth else None
    builder.add_mesh(solid, grid, nodes, pieces, recover, drafts, volumes, nodal)


def add_cells(solid: Solid, builder, pieces: Pieces, nodes: np.ndarray) -> int:
    """Elements of one kind with the material's law."""
    material, damping, shape, corners = (
        solid.material,
        solid.damping.stiffness,
        pieces.shape,
        pieces.points[pieces.cells],
    )
    nothing, stiffness = np.zeros((*nodes.shape, 0, 3)), material.stiffness()
    if material.law == "linear":
        form, numbers = pieces.numbers(lambda g: shape.stiffness(g, stiffness))
        return builder.add_cells(form, nodes, corners, nothing, numbers, damping)
    law = neo_hookean_numbers(material.young, material.poisson)
    form, numbers = pieces.numbers(lambda g: (shape.SOLID, [point_numbers(shape.points(g, stiffness), law)]))
    points = pieces.gathered(lambda g: g.volume).shape[1]
    return builder.add_cells(form, nodes, corners, nothing, numbers, damping, None, NEO_HOOKEAN, points)


KIND = Kind(
    "solid",
    "bodies",
    Solid,
    build,
    "a thick flexible body of given material on a mesh of hexahedra or tetrahedra",
    {
        "name": "Block on a table",
        "bodies": {
            "block": {
                "kind": "solid",
                "mesh": {"kind": "box", "length": "0.1 m", "width": "50 mm", "height": "50 mm", "divisions": [2, 1, 1]},
                "material": {"young": "2 MPa", "poisson": 0.45, "density": "1100 kg/m^3"},
                "damping": {"stiffness": "1 ms"},
            }
        },
        "joints": {"base": {"kind": "support", "on": "block.x0"}},
        "forces": {"pull": {"kind": "spread_load", "on": "block.x1", "force": ["5 N", 0, 0]}},
        "simulate": {"duration": "0.02 s"},
    },
    stage=1,
)
