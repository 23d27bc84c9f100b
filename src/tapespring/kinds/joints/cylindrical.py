"""Cylindrical joint: a shaft that turns and slides in a bush."""

from typing import Literal

from pydantic import Field

from ...schema.quantities import Angle, AngularRate, Length, Speed
from ..friction.of_joint import ShaftFriction
from ..registry import Kind
from .joint import AxisJoint, Initial, JointParts


class StartOfShaft(Initial):
    """Where a shaft starts; `rate` is that of the position."""

    angle: Angle | None = None
    angular_rate: AngularRate | None = None
    position: Length | None = None
    rate: Speed | None = None


class Cylindrical(AxisJoint):
    """One rotation about and one translation along a common axis; coordinates `angle` [rad] and `position` [m]."""

    kind: Literal["cylindrical"] = "cylindrical"
    initial: StartOfShaft = Field(StartOfShaft(), examples=["{angular_rate: 1 rad/s, rate: 1 m/s}"])
    friction: ShaftFriction | None = Field(
        None, description="against turning and sliding together", examples=["{coefficient: 0.1, radius: 10 mm}"]
    )


def build(joint: Cylindrical, builder) -> None:
    """An axis along an axis and a point on an axis: 4 rows."""
    parts = JointParts(joint, builder)
    parts.on_axis()
    parts.aligned()
    parts.angle()
    parts.position()
    parts.start("angle", joint.initial.angle, joint.initial.angular_rate)
    parts.start("position", joint.initial.position, joint.initial.rate)
    if joint.friction is not None:
        parts.rub(joint.friction, {"position": 1.0, "angle": joint.friction.radius})
    parts.finish()


KIND = Kind(
    "cylindrical",
    "joints",
    Cylindrical,
    build,
    "a shaft in a bush: one rotation, one translation; coordinates angle, position",
    {
        "name": "Falling shaft",
        "gravity": [0, 0, "-9.81 m/s^2"],
        "bodies": {
            "shaft": {"kind": "rigid", "mass": "1 kg", "shape": {"kind": "cylinder", "radius": "1 cm", "length": "1 m"}}
        },
        "joints": {
            "bush": {
                "kind": "cylindrical",
                "between": ["ground", "shaft"],
                "at": [0, 0, 0],
                "axis": "z",
                "initial": {"angular_rate": "10 rad/s"},
            }
        },
        "simulate": {"duration": "1 s"},
    },
)
