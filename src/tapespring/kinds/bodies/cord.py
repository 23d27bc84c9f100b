"""Cord: a cable along an edge of a membrane, shell or solid, whose nodes it shares; a hem, a catenary cable."""

from __future__ import annotations

from typing import Literal

import numpy as np
from pydantic import Field

from ...schema.entity import Entity
from ...schema.quantities import Force, LineDensity, NonNegativeTime, PositiveForce
from ..meshes.sides import along_edges
from ..refusal import Refusal
from ..registry import Kind


class Cord(Entity):
    """Runs through the nodes of a group of a mesh, which have to lie along edges of elements; carries tension only."""

    kind: Literal["cord"] = "cord"
    on: str = Field(description="a body and a group of its nodes along an edge", examples=["sail.top"])
    axial_stiffness: PositiveForce = Field(description="EA", examples=["10 kN"])
    mass_per_length: LineDensity | None = Field(None, description="else none", examples=["0.02 kg/m"])
    pretension: Force = Field(0.0, description="tension as drawn", examples=["50 N"])
    damping: NonNegativeTime = Field(0.0, description="by stiffness", examples=["1e-4 s"])


def build(cord: Cord, builder) -> None:
    """Cords between neighbours, and their mass at the nodes."""
    if cord.pretension < 0.0:
        raise Refusal("a cord carries no compression; give a positive tension", "pretension")
    name, _, group = cord.on.partition(".")
    body = builder.body(name, "on")
    if body.mesh is None or not group:
        raise Refusal("a cord lies on a group of a membrane, shell or solid; write 'sail.top'", "on")
    order = along_edges(body.mesh.grid, builder.group(body, group, "on"), cord.on)
    nodes, points = body.mesh.nodes[order], body.mesh.points[order]
    chords = np.linalg.norm(np.diff(points, axis=0), axis=1)
    for k, mass in enumerate(cord.mass_per_length * chords) if cord.mass_per_length else ():
        for end in (k, k + 1):
            builder.add_mass(int(nodes[end]), points[end], 0.5 * mass, np.zeros((3, 3)))
    free = chords / (1.0 + cord.pretension / cord.axial_stiffness)
    elements = [
        builder.add_bar_element(
            (int(nodes[k]), int(nodes[k + 1])),
            points[k : k + 2],
            float(free[k]),
            cord.axial_stiffness,
            cord.damping,
            True,
        )
        for k in range(len(chords))
    ]
    builder.add_cord(cord, nodes.tolist(), points, np.concatenate(([0.0], np.cumsum(chords))), elements)


KIND = Kind(
    "cord",
    "bodies",
    Cord,
    build,
    "a cable along an edge of a membrane, shell or solid, sharing its nodes",
    {
        "name": "Awning with a hem",
        "gravity": [0, 0, "-9.81 m/s^2"],
        "bodies": {
            "cloth": {
                "kind": "membrane",
                "mesh": {"kind": "plate", "length": "1 m", "width": "1 m", "divisions": [2, 2]},
                "thickness": "0.5 mm",
                "material": {"young": "50 MPa", "poisson": 0.3, "density": "1000 kg/m^3"},
                "tension": ["100 N/m", "100 N/m"],
                "attach": {"left": "ground", "right": "ground"},
            },
            "hem": {
                "kind": "cord",
                "on": "cloth.top",
                "axial_stiffness": "10 kN",
                "mass_per_length": "0.02 kg/m",
                "pretension": "50 N",
            },
        },
        "simulate": {"duration": "0.02 s"},
    },
    stage=2,
)
