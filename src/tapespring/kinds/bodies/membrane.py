"""Membrane: a sheet that stretches but does not resist bending; fabric, a sunshield, reflector mesh."""

from __future__ import annotations

from typing import Literal

import numpy as np
from pydantic import Field

from ...cells import quad, tri
from ...cells.points import point_numbers, tension_field_numbers
from ...cells.recover import of_membrane
from ...mechanics.tables import TENSION_FIELD
from ...schema.quantities import LineForce, PositiveLength
from ..meshes.any_surface import AnySurface
from ..registry import Kind
from ..sheets.material import SheetMaterial
from .mesh_body import MeshBody, MeshNodes, directions, mesh_of

SHAPES = {"quad": quad, "triangle": tri}


class Membrane(MeshBody):
    """Drawn with its prestress, if any. With `wrinkles` compression carries nothing (tension field)."""

    kind: Literal["membrane"] = "membrane"
    mesh: AnySurface
    thickness: PositiveLength = Field(examples=["50 um"])
    material: SheetMaterial = Field(examples=["{young: 3 GPa, poisson: 0.34, density: 1420 kg/m^3}"])
    wrinkles: bool = Field(False, description="true: gives way to compression by fine wrinkles")
    tension: tuple[LineForce, LineForce] = Field(
        (0.0, 0.0), description="force per length it has as drawn, along and across", examples=["[10 N/m, 10 N/m]"]
    )


def build(membrane: Membrane, builder) -> None:
    """Points with the mass around them, and elements between them."""
    grid = mesh_of(membrane, builder, 2)
    geometries, areas = {}, np.zeros(len(grid.points))
    for name, cells in grid.cells.items():
        corners = grid.points[cells]
        normals = quad.unit(np.cross(corners[:, 2] - corners[:, 0], corners[:, -1] - corners[:, 1]))
        along = directions(corners.mean(axis=1), normals, membrane.along, membrane.along is not None)
        geometries[name] = SHAPES[name].Geometry(corners, along)
        np.add.at(areas, cells, SHAPES[name].nodal_areas(geometries[name]))
    mass = membrane.material.density * membrane.thickness * areas
    nodes = MeshNodes(membrane, builder, grid, mass, None).numbers
    drafts = []
    if not membrane.rigid:
        for name, cells in grid.cells.items():
            drafts.append(
                add_cells(membrane, builder, SHAPES[name], geometries[name], nodes[cells], grid.points[cells])
            )
    section = membrane.thickness * membrane.material.plane_stress()
    recover = {name: of_membrane(g, section) for name, g in geometries.items()}
    builder.add_mesh(membrane, grid, nodes, recover, drafts, areas)


def add_cells(membrane: Membrane, builder, shape, geometry, nodes, corners) -> int:
    """Elements of one kind, linear or wrinkling, with the strain they are drawn with."""
    section = membrane.thickness * membrane.material.plane_stress()
    strain = np.linalg.solve(section, np.array([*membrane.tension, 0.0]))
    tensor = np.array([[strain[0], 0.5 * strain[2], 0.0], [0.5 * strain[2], strain[1], 0.0], [0.0, 0.0, 0.0]])
    in_world = np.einsum("eia,ij,ejb->eab", geometry.axes, tensor, geometry.axes)
    prestrain = shape.MEMBRANE.strained(corners, in_world)
    nothing, damping = np.zeros((*nodes.shape, 0, 3)), membrane.damping.stiffness
    if not membrane.wrinkles:
        form, blocks = shape.membrane(geometry, section)
        return builder.add_cells(form, nodes, corners, nothing, blocks, damping, prestrain)
    areas, strains = shape.points(geometry)
    numbers = point_numbers(areas, strains, tension_field_numbers(section))
    return builder.add_cells(
        shape.MEMBRANE, nodes, corners, nothing, [numbers], damping, prestrain, TENSION_FIELD, areas.shape[1]
    )


KIND = Kind(
    "membrane",
    "bodies",
    Membrane,
    build,
    "a sheet without bending stiffness: fabric or film of given thickness on a mesh",
    {
        "name": "Trampoline",
        "gravity": [0, 0, "-9.81 m/s^2"],
        "bodies": {
            "cloth": {
                "kind": "membrane",
                "mesh": {"kind": "plate", "length": "1 m", "width": "1 m", "divisions": [2, 2]},
                "thickness": "0.5 mm",
                "material": {"young": "50 MPa", "poisson": 0.3, "density": "1000 kg/m^3"},
                "tension": ["100 N/m", "100 N/m"],
                "attach": {"left": "ground", "right": "ground"},
            }
        },
        "simulate": {"duration": "0.02 s"},
    },
    stage=1,
)
