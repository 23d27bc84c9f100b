"""Shell: a thin curved or flat body that stretches, shears and bends by any amount; a panel, a tape spring, a tube."""

from __future__ import annotations

from typing import Literal

import numpy as np
from pydantic import Field, model_validator

from ...cells import quad, quad_shell, tri, tri_shell
from ...cells.pieces import Pieces
from ...cells.recover import of_shell
from ...cells.section import SheetSection
from ...schema.quantities import PositiveLength
from ..meshes.any_surface import AnySurface
from ..meshes.grid import Grid
from ..registry import Kind
from ..sheets.layers import Layer, stacked
from ..sheets.material import SheetMaterial
from .mesh_body import MeshBody, MeshNodes, areas_of, mesh_of, surface_pieces

SHAPES = {"quad": (quad, quad_shell), "triangle": (tri, tri_shell)}
FOLD = np.cos(np.radians(30.0))  # elements that meet at a sharper angle keep their own normals


class Shell(MeshBody):
    """Stress-free as drawn; nodes lie in its middle. Groups of the mesh are places to hold on to."""

    kind: Literal["shell"] = "shell"
    mesh: AnySurface
    thickness: PositiveLength | None = Field(None, examples=["0.2 mm"])
    material: SheetMaterial | None = Field(None, examples=["{young: 70 GPa, poisson: 0.33, density: 2700 kg/m^3}"])
    layers: tuple[Layer, ...] = Field((), description="instead of thickness and material; from below to above")

    @model_validator(mode="after")
    def _one_section(self):
        single = self.thickness is not None and self.material is not None
        if self.layers and (self.thickness is not None or self.material is not None):
            raise ValueError("'layers' have thickness and material of their own; remove 'thickness' and 'material'")
        if not self.layers and not single:
            raise ValueError("needs 'thickness' (for example 0.2 mm) and 'material', or 'layers'")
        return self

    def section(self) -> SheetSection:
        """Stiffness and mass per area."""
        if self.layers:
            return stacked(self.layers)
        return stacked((Layer.model_validate({"thickness": self.thickness, "material": self.material}),))


def build(shell: Shell, builder) -> None:
    """Nodes with the mass around them, and elements between them."""
    grid, section = mesh_of(shell, builder, 2), shell.section()
    pieces = surface_pieces(shell, grid, {name: shape for name, (shape, _) in SHAPES.items()})
    areas, directors = areas_of(grid, pieces), nodal_directors(grid, pieces)
    nodes = MeshNodes(shell, builder, grid, section.mass * areas, section.rotary * areas).numbers
    drafts = []
    for name, cells in grid.cells.items() if not shell.rigid else ():
        element = SHAPES[name][1]
        form, numbers = pieces[name].numbers(lambda g, element=element: element.stiffness(g, section))
        carried = np.concatenate((directors[name][:, :, None], pieces[name].gathered(element.tangents)), axis=2)
        drafts.append(
            builder.add_cells(form, nodes[cells], grid.points[cells], carried, numbers, shell.damping.stiffness)
        )
    recover = {name: of_shell(p, section) for name, p in pieces.items()}
    builder.add_mesh(shell, grid, nodes, pieces, recover, drafts, areas)


def nodal_directors(grid: Grid, pieces: dict[str, Pieces]) -> dict[str, np.ndarray]:
    """(elements, corners, 3) by kind of element: exact normals if the mesh has them, else means of the elements around;
    where the surface is folded, each element keeps its own."""
    total, normals = np.zeros_like(grid.points), {}
    for name, p in pieces.items():
        normals[name] = p.gathered(lambda g: g.axes[:, 2])
        area = p.gathered(p.shape.nodal_areas).sum(axis=1)
        np.add.at(total, grid.cells[name], (area[:, None] * normals[name])[:, None])
    smooth = quad.unit(total + 1e-300) if grid.normals is None else grid.normals
    out = {}
    for name, cells in grid.cells.items():
        own, shared = np.broadcast_to(normals[name][:, None], (*cells.shape, 3)), smooth[cells]
        is_smooth = np.einsum("eca,eca->ec", own, shared) > FOLD
        out[name] = np.where(is_smooth[:, :, None], shared, own)
    return out


KIND = Kind(
    "shell",
    "bodies",
    Shell,
    build,
    "a thin flexible body: a panel, tube or tape spring of given thickness or layers on a mesh",
    {
        "name": "Panel under its weight",
        "gravity": [0, 0, "-9.81 m/s^2"],
        "bodies": {
            "panel": {
                "kind": "shell",
                "mesh": {"kind": "strip", "length": "0.2 m", "width": "50 mm", "divisions": [2, 1]},
                "thickness": "1 mm",
                "material": {"young": "70 GPa", "poisson": 0.33, "density": "2700 kg/m^3"},
                "damping": {"mass": "2 1/s"},
            }
        },
        "joints": {"clamp": {"kind": "support", "on": "panel.start"}},
        "simulate": {"duration": "0.02 s"},
    },
    stage=1,
)
