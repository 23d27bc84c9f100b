"""Solid: a thick flexible body; a flexure, a block, a stop."""

from __future__ import annotations

from typing import Literal

import numpy as np
from pydantic import Field

from ...cells import hexa, tetra
from ...cells.points import neo_hookean_numbers, point_numbers
from ...cells.recover import of_solid
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
    geometries, volumes = {}, np.zeros(len(grid.points))
    for name, cells in grid.cells.items():
        axes = np.broadcast_to(np.eye(3), (len(cells), 3, 3))
        geometries[name] = SHAPES[name].Geometry(grid.points[cells], axes)
        np.add.at(volumes, cells, SHAPES[name].nodal_volumes(geometries[name]))
    nodes = MeshNodes(solid, builder, grid, solid.material.density * volumes, None).numbers
    drafts = []
    if not solid.rigid:
        for name, cells in grid.cells.items():
            drafts.append(add_cells(solid, builder, SHAPES[name], geometries[name], nodes[cells], grid.points[cells]))
    recover = {name: of_solid(g, solid.material.stiffness()) for name, g in geometries.items()}
    builder.add_mesh(solid, grid, nodes, recover, drafts, volumes)


def add_cells(solid: Solid, builder, shape, geometry, nodes, corners) -> int:
    """Elements of one kind with the material's law."""
    material, damping = solid.material, solid.damping.stiffness
    nothing = np.zeros((*nodes.shape, 0, 3))
    if material.law == "linear":
        form, blocks = shape.stiffness(geometry, material.stiffness())
        return builder.add_cells(form, nodes, corners, nothing, blocks, damping)
    volumes, strains = shape.points(geometry, material.stiffness())
    numbers = point_numbers(volumes, strains, neo_hookean_numbers(material.young, material.poisson))
    return builder.add_cells(
        shape.SOLID, nodes, corners, nothing, [numbers], damping, None, NEO_HOOKEAN, volumes.shape[1]
    )


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
