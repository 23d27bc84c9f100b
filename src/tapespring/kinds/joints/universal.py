"""Universal joint: two shafts joined by a cross."""

from typing import Literal

import numpy as np
from pydantic import Field

from ...schema.quantities import Angle, AngularRate
from ...schema.vectors import Direction
from ..friction.of_joint import TurningFriction
from ..registry import Kind
from .joint import AxisJoint, Initial, JointParts, perpendicular_pair


class StartOfCross(Initial):
    """Where a universal joint starts."""

    angle1: Angle | None = None
    rate1: AngularRate | None = None
    angle2: Angle | None = None
    rate2: AngularRate | None = None


class Universal(AxisJoint):
    """A cross with one arm fixed in each body.

    Coordinates `angle1` (about the first body's arm) and `angle2` (about the second's) [rad], zero as drawn.
    """

    kind: Literal["universal"] = "universal"
    axis: Direction | None = Field(None, description="arm fixed in the first body, world direction; else its z axis")
    axis2: Direction | None = Field(None, description="arm fixed in the second body, world direction; else its x axis")
    initial: StartOfCross = Field(StartOfCross(), examples=["{angle1: 10 deg, rate2: 1 rad/s}"])
    friction: TurningFriction | None = Field(
        None, description="of each of the two arms in its bearings", examples=["{torque: 0.1 N m}"]
    )


def build(joint: Universal, builder) -> None:
    """A point on a point and an arm across an arm: 4 rows."""
    parts = JointParts(joint, builder)
    a, b = parts.a, parts.b
    u = np.array(joint.axis) if joint.axis is not None else a.axes[:, 2]
    w = np.array(joint.axis2) if joint.axis2 is not None else b.axes[:, 0]
    w_across = perpendicular_pair(u, w, ("axis", "axis2"))
    u_across = perpendicular_pair(w, u, ("axis", "axis2"))
    parts.point()
    parts.cosine(u, w, "angle between the arms")
    parts.turn("angle1", a.node, b.node, w_across, np.cross(u, w_across), w)
    parts.turn("angle2", b.node, a.node, u_across, np.cross(u_across, w), u)  # u turns backwards as seen from b
    parts.start("angle1", joint.initial.angle1, joint.initial.rate1)
    parts.start("angle2", joint.initial.angle2, joint.initial.rate2)
    if joint.friction is not None:
        parts.rub_pin(joint.friction, "angle1", u / np.linalg.norm(u))
        parts.rub_pin(joint.friction, "angle2", w / np.linalg.norm(w))
    parts.finish()


KIND = Kind(
    "universal",
    "joints",
    Universal,
    build,
    "a cross (Cardan): two rotations; coordinates angle1, angle2",
    {
        "name": "Bar on a cross",
        "gravity": [0, 0, "-9.81 m/s^2"],
        "bodies": {"bar": {"kind": "rigid", "at": [0, 0, "-0.5 m"], "mass": "1 kg", "inertia": [0.083, 0.083, 0.01]}},
        "joints": {
            "cross": {
                "kind": "universal",
                "between": ["ground", "bar"],
                "at": [0, 0, 0],
                "axis": "x",
                "axis2": "y",
                "initial": {"angle1": "20 deg", "rate2": "1 rad/s"},
            }
        },
        "simulate": {"duration": "1 s"},
    },
)
