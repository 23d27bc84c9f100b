"""Membrane: a sheet that stretches but does not resist bending; fabric, a sunshield, reflector mesh."""

from __future__ import annotations

from typing import Literal

import numpy as np
from pydantic import Field

from ...cells import quad, tri
from ...cells.pieces import Pieces
from ...cells.points import point_numbers, tension_field_numbers
from ...cells.recover import of_membrane
from ...mechanics.tables import TENSION_FIELD
from ...schema.quantities import LineForce, PositiveLength
from ..meshes.any_surface import AnySurface
from ..registry import Kind
from ..sheets.material import SheetMaterial
from .mesh_body import MeshBody, MeshNodes, areas_of, mesh_of, surface_pieces

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
    pieces, section = surface_pieces(membrane, grid, SHAPES), membrane.thickness * membrane.material.plane_stress()
    areas = areas_of(grid, pieces)
    nodes = MeshNodes(membrane, builder, grid, membrane.material.density * membrane.thickness * areas, None).numbers
    drafts = []
    for name, cells in grid.cells.items() if not membrane.rigid else ():
        drafts.append(add_cells(membrane, builder, pieces[name], section, nodes[cells]))
    recover = {name: of_membrane(p, section) for name, p in pieces.items()}
    builder.add_mesh(membrane, grid, nodes, pieces, recover, drafts, areas)


def add_cells(membrane: Membrane, builder, pieces: Pieces, section: np.ndarray, nodes: np.ndarray) -> int:
    """Elements of one kind, linear or wrinkling, with the strain they are drawn with."""
    shape, corners = pieces.shape, pieces.points[pieces.cells]
    strain = np.linalg.solve(section, np.array([*membrane.tension, 0.0]))
    tensor = np.array([[strain[0], 0.5 * strain[2], 0.0], [0.5 * strain[2], strain[1], 0.0], [0.0, 0.0, 0.0]])
    in_world = pieces.gathered(lambda g: np.einsum("eia,ij,ejb->eab", g.axes, tensor, g.axes))
    prestrain = shape.MEMBRANE.strained(corners, in_world)
    nothing, damping = np.zeros((*nodes.shape, 0, 3)), membrane.damping.stiffness
    if not membrane.wrinkles:
        form, numbers = pieces.numbers(lambda g: shape.membrane(g, section))
        return builder.add_cells(form, nodes, corners, nothing, numbers, damping, prestrain)
    law = tension_field_numbers(section)
    form, numbers = pieces.numbers(lambda g: (shape.MEMBRANE, [point_numbers(shape.points(g), law)]))
    points = pieces.gathered(lambda g: shape.points(g)[0]).shape[1]
    return builder.add_cells(form, nodes, corners, nothing, numbers, damping, prestrain, TENSION_FIELD, points)


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
