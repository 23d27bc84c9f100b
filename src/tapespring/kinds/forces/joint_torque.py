"""Torque (or force) of a motor along a coordinate of a joint."""

from typing import Annotated, Literal

from pydantic import Field

from ...schema import units
from ...schema.entity import Entity
from ...schema.functions import FunctionOf
from ..either import EitherOf, Written
from ..references import CoordinateRef
from ..registry import Kind
from .along_measure import couple

VALUES = EitherOf((FunctionOf(units.TORQUE, ("t", "x", "v")), FunctionOf(units.FORCE, ("t", "x", "v"))))
FORCE_ALONG = {units.ANGLE: units.TORQUE, units.LENGTH: units.FORCE}


class JointTorque(Entity):
    """Acts on the second body along the coordinate x, and oppositely on the first; a force if x is a length."""

    kind: Literal["joint_torque"] = "joint_torque"
    joint: CoordinateRef
    value: Annotated[Written, VALUES] = Field(examples=["2 N m", "-5*x - 0.1*v"])


def build(torque: JointTorque, builder) -> None:
    """An active force along the coordinate's measure."""
    coordinate = builder.coordinate(torque.joint, "joint")
    function = builder.read_either(torque.value, FORCE_ALONG[coordinate.dimension], "value")
    couplings = couple(builder, coordinate.measure, 0.0, None, None, function, 1.0, "value")
    builder.add_coupling(torque, couplings, coordinate.measure, coordinate.label, coordinate.dimension, None)


KIND = Kind(
    "joint_torque",
    "forces",
    JointTorque,
    build,
    "a motor: torque or force along a joint's coordinate, as a function of t, x and v",
    {
        "name": "Motor with a brake",
        "bodies": {"rotor": {"kind": "rigid", "mass": 1, "shape": {"kind": "cylinder", "radius": 0.05, "length": 0.1}}},
        "joints": {"shaft": {"kind": "revolute", "between": ["ground", "rotor"], "at": [0, 0, 0], "axis": "z"}},
        "forces": {"motor": {"kind": "joint_torque", "joint": "shaft.angle", "value": "0.1 - 0.01*v"}},
        "simulate": {"duration": "1 s"},
    },
)
