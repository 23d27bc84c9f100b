"""Point mass: a particle, with position but no attitude."""

from typing import Literal

import numpy as np
from pydantic import Field

from ...schema.entity import Entity
from ...schema.quantities import Mass
from ...schema.vectors import Point, Velocity
from ..registry import Kind


class PointMass(Entity):
    """A particle."""

    kind: Literal["point_mass"] = "point_mass"
    mass: Mass
    at: Point = Field((0.0, 0.0, 0.0), description="position in the world, as drawn")
    velocity: Velocity = Field((0.0, 0.0, 0.0), description="world axes")


def build(body: PointMass, builder) -> None:
    """A node without rotation."""
    node = builder.point_node(body.name, x=np.array(body.at), mass=body.mass, v=np.array(body.velocity))
    builder.add_body(body, node, np.array(body.at), np.eye(3), {})


KIND = Kind(
    "point_mass",
    "bodies",
    PointMass,
    build,
    "a particle: mass and position, no rotation",
    {
        "name": "Simple pendulum",
        "gravity": [0, 0, "-9.81 m/s^2"],
        "bodies": {"bob": {"kind": "point_mass", "mass": "1 kg", "at": ["1 m", 0, 0]}},
        "joints": {"rod": {"kind": "distance", "between": ["ground", "bob"]}},
        "simulate": {"duration": "2 s"},
    },
)
