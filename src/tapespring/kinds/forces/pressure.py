"""Pressure on a membrane, shell or solid."""

from __future__ import annotations

from typing import Literal

import numpy as np
from pydantic import Field

from ...schema.entity import Entity
from ...schema.functions import PressureHistory
from ..meshes.sides import sides_of
from ..references import BodyRef
from ..refusal import Refusal
from ..registry import Kind


class Pressure(Entity):
    """On a whole membrane or shell it pushes along the normal of its mesh (from below); on a group of a solid's outer
    faces it pushes inwards. It turns with the surface and grows with its area."""

    kind: Literal["pressure"] = "pressure"
    on: BodyRef
    pressure: PressureHistory = Field(examples=["1 kPa"])


def build(pressure: Pressure, builder) -> None:
    """Faces and the law they share."""
    name, _, group = pressure.on.partition(".") if isinstance(pressure.on, str) else (pressure.on.on, "", "")
    body = builder.body(name, "on")
    if body.mesh is None:
        raise Refusal(f"'{name}' is not a membrane, shell or solid; use a load", "on")
    mesh = body.mesh
    if mesh.grid.dimension == 2:
        if group:
            raise Refusal(f"pressure acts on all of '{name}'; write 'on: {name}'", "on")
        faces, sign = mesh.cells, 1.0
    else:
        if not group:
            raise Refusal(f"say on which faces of '{name}': 'on: {name}.group'", "on")
        builder.group(body, group, "on")
        faces, sign = sides_of(mesh.grid, group), -1.0
        if not any(len(nodes) for nodes in faces.values()):
            raise Refusal(f"'{pressure.on}' has no whole face of an element", "on")
    law = builder.law_of_time(pressure.pressure, ("pressure",), keep_zero=True)
    found = [(np.asarray(mesh.nodes[nodes]), mesh.points[nodes]) for nodes in faces.values() if len(nodes)]
    builder.add_pressure(pressure, name, found, law, sign)


KIND = Kind(
    "pressure",
    "forces",
    Pressure,
    build,
    "a pressure that turns with the surface of a membrane, shell or solid",
    {
        "name": "Pillow",
        "bodies": {
            "film": {
                "kind": "membrane",
                "mesh": {"kind": "plate", "length": "1 m", "width": "1 m", "divisions": [2, 2]},
                "thickness": "0.5 mm",
                "material": {"young": "50 MPa", "poisson": 0.3, "density": "1000 kg/m^3"},
                "tension": ["100 N/m", "100 N/m"],
                "attach": {"left": "ground", "right": "ground", "top": "ground", "bottom": "ground"},
            }
        },
        "forces": {"air": {"kind": "pressure", "on": "film", "pressure": "100*t"}},
        "simulate": {"duration": "0.02 s"},
    },
)
