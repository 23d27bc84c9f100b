"""Spherical joint: a ball in a socket."""

from typing import Literal

from pydantic import Field

from ..friction.of_joint import TurningFriction
from ..registry import Kind
from .joint import Joint, JointParts


class Spherical(Joint):
    """Two points coincide; all rotations are free."""

    kind: Literal["spherical"] = "spherical"
    friction: TurningFriction | None = Field(
        None, description="of the ball", examples=["{torque: 0.1 N m}", "{coefficient: 0.2, radius: 5 mm}"]
    )


def build(joint: Spherical, builder) -> None:
    """A point on a point: 3 rows."""
    parts = JointParts(joint, builder, turns=False)
    parts.point()
    parts.rub_ball(joint.friction)
    parts.finish()


KIND = Kind(
    "spherical",
    "joints",
    Spherical,
    build,
    "a ball in a socket: three rotations",
    {
        "name": "Spherical pendulum",
        "gravity": [0, 0, "-9.81 m/s^2"],
        "bodies": {
            "bar": {
                "kind": "rigid",
                "at": ["0.5 m", 0, 0],
                "mass": "1 kg",
                "inertia": [0.01, 0.083, 0.083],
                "angular_velocity": [0, 0, "2 rad/s"],
                "velocity": [0, "1 m/s", 0],
            }
        },
        "joints": {"ball": {"kind": "spherical", "between": ["ground", "bar"], "at": [0, 0, 0]}},
        "simulate": {"duration": "1 s"},
    },
)
