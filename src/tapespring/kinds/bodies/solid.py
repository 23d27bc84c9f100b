"""Solid: a thick flexible body; a flexure, a block, a stop."""

from __future__ import annotations

from typing import Literal

import numpy as np
from pydantic import Field

from ...cells import hexa, tetra
from ..meshes.any_mesh import AnyMesh
from ..registry import Kind
from ..sheets.solid_material import SolidMaterial
from .mesh_body import MeshBody, MeshNodes, mesh_of


class Solid(MeshBody):
    """Stress-free as drawn. Its nodes have no attitude: hold several of them, or `attach` a group to a body."""

    kind: Literal["solid"] = "solid"
    mesh: AnyMesh
    material: SolidMaterial = Field(examples=["{young: 70 GPa, poisson: 0.33, density: 2700 kg/m^3}"])


def build(solid: Solid, builder) -> None:
    """Points with the mass around them, and elements between them."""
    grid = mesh_of(solid, builder, 3)
    stiffness = solid.material.stiffness()
    shapes = {"hexahedron": hexa, "tetra10": tetra}
    geometries, volumes = {}, np.zeros(len(grid.points))
    for name, cells in grid.cells.items():
        axes = np.broadcast_to(np.eye(3), (len(cells), 3, 3))
        geometries[name] = shapes[name].Geometry(grid.points[cells], axes)
        np.add.at(volumes, cells, shapes[name].nodal_volumes(geometries[name]))
    nodes = MeshNodes(solid, builder, grid, solid.material.density * volumes, None).numbers
    drafts = []
    if not solid.rigid:
        for name, cells in grid.cells.items():
            form, blocks = shapes[name].stiffness(geometries[name], stiffness)
            nothing = np.zeros((*cells.shape, 0, 3))
            drafts.append(
                builder.add_cells(form, nodes[cells], grid.points[cells], nothing, blocks, solid.damping.stiffness)
            )
    builder.add_mesh(solid, grid, nodes, geometries, drafts, volumes)


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
