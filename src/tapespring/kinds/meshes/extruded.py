"""Solid elements on a surface."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np
from pydantic import Field

from ...schema.folder import Folder
from ...schema.quantities import PositiveLength
from ..refusal import Refusal
from .any_surface import AnySurface
from .elements import plural
from .grid import Cells, Grid
from .mesh import Count, Mesh

SIDES = {"middle": -0.5, "above": 0.0, "below": -1.0}  # where the lower face is, in parts of the thickness


class ExtrudedMesh(Mesh):
    """A surface of quads thickened along its normals into hexahedra. Groups of the surface through the thickness
    (`left`) and on the faces (`left_below`, `left_above`, in order if the surface's are), and the faces `below` and
    `above`, to where the normals point."""

    kind: Literal["extruded"] = "extruded"
    of: AnySurface = Field(examples=["{kind: arc, radius: 0.1 m, angle: 90 deg, width: 20 mm, divisions: [12, 2]}"])
    thickness: PositiveLength = Field(examples=["2 mm"])
    layers: Count = Field(1, description="elements through the thickness", examples=[2])
    side: Literal["middle", "above", "below"] = Field(
        "middle", description="where the solid is: half on each side of the surface, or all above or below it"
    )

    def drawn(self, base_dir: Folder) -> Grid:
        try:
            surface = self.of.grid(base_dir)
        except Refusal as refusal:
            raise Refusal(str(refusal), "of", *refusal.field) from None
        others = [plural(name, len(cells)) for name, cells in surface.cells.items() if name != "quad"]
        if others:
            raise Refusal(f"only quads can be made solid, but the surface has {', '.join(others)}", "of")
        normals = node_normals(surface) if surface.normals is None else surface.normals
        heights = self.thickness * (SIDES[self.side] + np.arange(self.layers + 1) / self.layers)
        n = len(surface.points)
        quads = surface.cells["quad"]
        layers = [np.hstack((quads + k * n, quads + (k + 1) * n)) for k in range(self.layers)]
        return replace(
            surface,
            points=(surface.points + heights[:, None, None] * normals).reshape(-1, 3),
            cells={"hexahedron": np.concatenate(layers)},
            groups=solid_groups(surface, self.layers),
            parts={name: {"hexahedron": through(part["quad"], len(quads), self.layers - 1)}
                   for name, part in surface.parts.items()},
            normals=None,
            node_numbers=None,
            cell_numbers={},
        )  # fmt: skip


def through(numbers: np.ndarray, per_layer: int, layers: int) -> np.ndarray:
    """The same numbers in every layer."""
    return (np.arange(layers + 1)[:, None] * per_layer + numbers).reshape(-1)


def solid_groups(surface: Grid, layers: int) -> Cells:
    """Groups through the thickness and on both faces."""
    n = len(surface.points)
    groups = {name: through(nodes, n, layers) for name, nodes in surface.groups.items()}
    for name, nodes in surface.groups.items():
        groups |= {f"{name}_below": nodes, f"{name}_above": nodes + layers * n}
    return groups | {"below": np.arange(n), "above": np.arange(n) + layers * n}


def node_normals(surface: Grid) -> np.ndarray:
    """Unit normals at nodes, averaged over the corners of elements there by their area."""
    normals = np.zeros_like(surface.points)
    for cells in surface.cells.values():
        p = surface.points[cells]
        at_corners = np.cross(np.roll(p, -1, axis=1) - p, np.roll(p, 1, axis=1) - p)
        np.add.at(normals, cells, at_corners)
    return normals / np.linalg.norm(normals, axis=1, keepdims=True)
