"""Point on a line: a bead on a straight wire."""

from typing import Literal

from pydantic import Field

from ...schema.quantities import Length, Speed
from ..refusal import Refusal
from ..registry import Kind
from .joint import AxisJoint, Initial, JointParts


class StartOfBead(Initial):
    """Where a bead starts."""

    position: Length | None = None
    rate: Speed | None = None


class PointOnLine(AxisJoint):
    """A point of the second body stays on a line of the first; coordinate `position` [m] along it."""

    kind: Literal["point_on_line"] = "point_on_line"
    initial: StartOfBead = Field(StartOfBead(), examples=["{rate: 1 m/s}"])


def build(joint: PointOnLine, builder) -> None:
    """A point on an axis: 2 rows."""
    parts = JointParts(joint, builder, turns=False)
    if parts.a.is_point:
        raise Refusal(
            f"the line is fixed in '{parts.a.label}', {parts.a.what} without axes; swap the sides", "between", 0
        )
    parts.on_axis()
    parts.position()
    parts.start("position", joint.initial.position, joint.initial.rate)
    parts.finish()


KIND = Kind(
    "point_on_line",
    "joints",
    PointOnLine,
    build,
    "a bead on a straight wire: the point slides, all rotations are free; coordinate position",
    {
        "name": "Bead on an inclined wire",
        "gravity": [0, 0, "-9.81 m/s^2"],
        "bodies": {"bead": {"kind": "point_mass", "mass": "10 g"}},
        "joints": {"wire": {"kind": "point_on_line", "between": ["ground", "bead"], "axis": [1, 0, -1]}},
        "simulate": {"duration": "1 s"},
    },
)
