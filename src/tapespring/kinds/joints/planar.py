"""Planar joint: a body that slides on a plane and turns about its normal."""

from typing import Literal

from pydantic import Field

from ...schema.quantities import Angle, AngularRate, Length, Speed
from ..frames import frame_within
from ..registry import Kind
from .joint import AxisJoint, Initial, JointParts


class StartOnPlane(Initial):
    """Where a body on a plane starts."""

    x: Length | None = None
    x_rate: Speed | None = None
    y: Length | None = None
    y_rate: Speed | None = None
    angle: Angle | None = None
    angular_rate: AngularRate | None = None


class Planar(AxisJoint):
    """The second body's point stays in a plane of the first, with `axis` its normal.

    Coordinates `x`, `y` [m] along the first side's own axes, laid into the plane, and `angle` [rad]: `x` along its x,
    or its y where x is nearer to `axis` than to the plane; `y` a quarter turn about `axis` further.
    """

    kind: Literal["planar"] = "planar"
    initial: StartOnPlane = Field(StartOnPlane(), examples=["{x_rate: 1 m/s}"])


def build(joint: Planar, builder) -> None:
    """An axis along an axis and a point in a plane: 3 rows."""
    parts = JointParts(joint, builder)
    if joint.axis is not None:
        parts.Fa = parts.Fb = frame_within(parts.a.axes, joint.axis)
    parts.along(2, "height over the plane")
    parts.note_if_apart(abs((parts.pb - parts.pa) @ parts.Fa[:, 2]), "its point is drawn {:.6g} m off its plane")
    parts.aligned()
    parts.position("x", 0)
    parts.position("y", 1)
    parts.angle()
    for label, rate in (("x", "x_rate"), ("y", "y_rate"), ("angle", "angular_rate")):
        parts.start(label, getattr(joint.initial, label), getattr(joint.initial, rate))
    parts.finish()


KIND = Kind(
    "planar",
    "joints",
    Planar,
    build,
    "a body on a plane: two translations, one rotation; coordinates x, y, angle",
    {
        "name": "Puck on ice",
        "gravity": [0, 0, "-9.81 m/s^2"],
        "bodies": {
            "puck": {
                "kind": "rigid",
                "mass": "160 g",
                "shape": {"kind": "cylinder", "radius": "38 mm", "length": "25 mm"},
            }
        },
        "joints": {
            "ice": {"kind": "planar", "between": ["ground", "puck"], "axis": "z", "initial": {"x_rate": "3 m/s"}}
        },
        "simulate": {"duration": "1 s"},
    },
)
