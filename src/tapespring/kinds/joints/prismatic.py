"""Prismatic joint: a slider."""

from typing import Literal

from pydantic import Field

from ...schema.quantities import Length, Speed
from ..friction.of_joint import AnySlidingFriction
from ..registry import Kind
from .joint import AxisJoint, Initial, JointParts


class StartOfSlider(Initial):
    """Where a slider starts."""

    position: Length | None = None
    rate: Speed | None = None


class Prismatic(AxisJoint):
    """One translation along a common axis, no rotation; coordinate `position` [m]."""

    kind: Literal["prismatic"] = "prismatic"
    initial: StartOfSlider = Field(StartOfSlider(), examples=["{position: 10 mm, rate: 1 m/s}"])
    friction: AnySlidingFriction | None = Field(
        None, description="coefficient, or more", examples=[0.2, "{force: 5 N}", "{coefficient: 0.2, length: 60 mm}"]
    )


def build(joint: Prismatic, builder) -> None:
    """A frame along a frame and a point on an axis: 5 rows."""
    parts = JointParts(joint, builder)
    parts.on_axis()
    parts.attitude()
    parts.position()
    parts.start("position", joint.initial.position, joint.initial.rate)
    parts.rub(joint.friction, {"position": 1.0})
    parts.finish()


KIND = Kind(
    "prismatic",
    "joints",
    Prismatic,
    build,
    "a slider: one translation; coordinate position",
    {
        "name": "Block on a rail",
        "gravity": [0, "-9.81 m/s^2", 0],
        "bodies": {"block": {"kind": "rigid", "mass": "1 kg", "shape": {"kind": "box", "size": [0.1, 0.1, 0.1]}}},
        "joints": {
            "rail": {
                "kind": "prismatic",
                "between": ["ground", "block"],
                "at": [0, 0, 0],
                "axis": [1, 1, 0],
                "initial": {"position": "10 mm", "rate": "2 m/s"},
            }
        },
        "simulate": {"duration": "1 s"},
    },
)
