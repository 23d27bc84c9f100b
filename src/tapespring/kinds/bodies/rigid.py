"""Rigid body: mass and inertia, or a shape of given density or mass."""

from typing import Literal

import numpy as np
from pydantic import Field, model_validator

from ...schema.entity import Entity
from ...schema.orientation import Orientation
from ...schema.quantities import Density, Mass
from ...schema.vectors import AngularVelocity, Point, Velocity
from ..frames import rotation_matrix
from ..references import NO_TURN
from ..registry import Kind
from .inertia import InertiaTensor
from .markers import Markers
from .shapes import AnyShape

ORIGIN = (0.0, 0.0, 0.0)


class Rigid(Entity):
    """A body that does not deform."""

    kind: Literal["rigid"] = "rigid"
    at: Point = Field(ORIGIN, description="the body's origin in the world, as drawn")
    orientation: Orientation = Field(NO_TURN, description="the body's axes in the world, as drawn")
    mass: Mass | None = Field(None, examples=["1 kg"])
    inertia: InertiaTensor | None = Field(None, description="about the centre of mass, body axes")
    shape: AnyShape | None = Field(
        None,
        description="gives the inertia, and what is drawn and touches",
        examples=["{kind: box, size: [1 m, 0.1 m, 0.1 m]}"],
    )
    density: Density | None = Field(None, examples=["7850 kg/m^3"])
    com: Point = Field(ORIGIN, description="centre of mass from the body's origin, body axes")
    velocity: Velocity = Field(ORIGIN, description="of the body's origin, world axes")
    angular_velocity: AngularVelocity = Field(ORIGIN, description="body axes")
    markers: Markers = Field({})

    @model_validator(mode="after")
    def _complete(self):
        if self.mass is None and self.density is None:
            raise ValueError(
                "massless body: give 'mass' (and 'inertia' or 'shape') or 'shape' with 'density', or use a distance "
                "joint for a massless rod"
            )
        if self.density is not None and self.shape is None:
            raise ValueError("'density' needs a 'shape' such as {kind: box, size: [1 m, 0.1 m, 0.1 m]}")
        if self.density is not None and self.mass is not None:
            raise ValueError("both 'mass' and 'density' are given; keep one, the other follows from the shape")
        if self.shape is not None and self.inertia is not None:
            raise ValueError("both 'inertia' and 'shape' are given; keep one, the shape gives the inertia")
        if self.shape is None and self.inertia is None:
            raise ValueError(
                "needs 'inertia' (for example [0.02, 0.02, 0.03] kg m^2) or 'shape'; "
                "a body without rotation is a point_mass"
            )
        return self

    def total_mass(self) -> float:
        """kg"""
        if self.mass is not None:
            return self.mass
        assert self.density is not None
        assert self.shape is not None
        return self.density * self.shape.volume()

    def tensor(self) -> np.ndarray:
        """Inertia about the centre of mass, body axes [kg m²]."""
        if self.shape is not None:
            return self.total_mass() * self.shape.inertia()
        return np.array(self.inertia)


def build(body: Rigid, builder) -> None:
    """The node sits at the centre of mass."""
    R = rotation_matrix(body.orientation)
    arm = R @ np.array(body.com)
    spin = R @ np.array(body.angular_velocity)
    inertia = R @ body.tensor() @ R.T
    node = builder.frame_node(
        body.name,
        x=np.array(body.at) + arm,
        R=R,
        mass=body.total_mass(),
        inertia=0.5 * (inertia + inertia.T),
        v=np.array(body.velocity) + np.cross(spin, arm),
        w=spin,
    )
    builder.add_body(body, node, np.array(body.at), R, body.markers)


KIND = Kind(
    "rigid",
    "bodies",
    Rigid,
    build,
    "a rigid body with mass and inertia, or a shape of given density",
    {
        "name": "Physical pendulum",
        "gravity": [0, 0, "-9.81 m/s^2"],
        "bodies": {
            "bar": {
                "kind": "rigid",
                "at": ["0.5 m", 0, 0],
                "shape": {"kind": "box", "size": ["1 m", "20 mm", "20 mm"]},
                "density": "2700 kg/m^3",
                "markers": {"tip": ["0.5 m", 0, 0]},
            }
        },
        "joints": {"hinge": {"kind": "revolute", "between": ["ground", "bar"], "at": [0, 0, 0], "axis": "y"}},
        "simulate": {"duration": "2 s"},
    },
)
