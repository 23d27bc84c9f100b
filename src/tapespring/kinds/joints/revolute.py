"""Revolute joint: a hinge."""

from typing import Literal

from pydantic import Field

from ...schema.quantities import Angle, AngularRate
from ..friction.of_joint import TurningFriction
from ..registry import Kind
from .joint import AxisJoint, Initial, JointParts


class StartOfHinge(Initial):
    """Where a hinge starts."""

    angle: Angle | None = None
    rate: AngularRate | None = None


class Revolute(AxisJoint):
    """One rotation about a common axis; coordinate `angle` [rad]."""

    kind: Literal["revolute"] = "revolute"
    initial: StartOfHinge = Field(StartOfHinge(), examples=["{angle: 30 deg, rate: 1 rad/s}"])
    friction: TurningFriction | None = Field(
        None, description="of its pin", examples=["{torque: 0.1 N m}", "{coefficient: 0.2, radius: 5 mm}"]
    )


def build(joint: Revolute, builder) -> None:
    """A point on a point and an axis along an axis: 5 rows."""
    parts = JointParts(joint, builder)
    parts.point()
    parts.aligned()
    parts.angle()
    parts.start("angle", joint.initial.angle, joint.initial.rate)
    if joint.friction is not None:
        parts.rub(joint.friction, {"angle": 1.0}, joint.friction.radius or 1.0)
    parts.finish()


KIND = Kind(
    "revolute",
    "joints",
    Revolute,
    build,
    "a hinge: one rotation; coordinate angle",
    {
        "name": "Hinged bar",
        "gravity": [0, "-9.81 m/s^2", 0],
        "bodies": {"bar": {"kind": "rigid", "at": ["0.5 m", 0, 0], "mass": "1 kg", "inertia": [0.001, 0.083, 0.083]}},
        "joints": {
            "hinge": {
                "kind": "revolute",
                "between": ["ground", "bar"],
                "at": [0, 0, 0],
                "axis": "z",
                "initial": {"angle": "30 deg", "rate": "1 rad/s"},
            }
        },
        "simulate": {"duration": "2 s"},
    },
)
