"""Torsion spring and damper, on a joint's angle or between two bodies about an axis."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from ...mechanics import tables as tb
from ...schema import units
from ...schema.entity import Entity
from ...schema.functions import FunctionOf, ScalarFunction
from ...schema.quantities import Angle
from ...schema.vectors import Direction
from ..force_law import ForceLaw
from ..frames import frame_about
from ..references import Between, CoordinateRef
from ..refusal import Refusal
from ..registry import Kind
from .along_measure import couple

STIFFNESS = ForceLaw(units.TORQUE, ("x",), units.ANGLE, units.ANGULAR_STIFFNESS)
DAMPING = ForceLaw(units.TORQUE, ("v",), units.ANGULAR_RATE, units.ANGULAR_DAMPING)
TORQUE = FunctionOf(units.TORQUE, ("t", "x", "v"))


class TorsionSpring(Entity):
    """Turns the second body back: stiffness on the twist x = angle - free_angle, damping on its rate v, and `torque`,
    any function of t, x and v (against positive twist, as the stiffness)."""

    kind: Literal["torsion_spring"] = "torsion_spring"
    joint: CoordinateRef | None = Field(None, description="an angle of a joint")
    between: Between | None = None
    axis: Direction | None = Field(None, description="with `between`: the axis of twist, as drawn")
    stiffness: Annotated[ScalarFunction, STIFFNESS] | None = Field(None, examples=["2 N m/rad"])
    damping: Annotated[ScalarFunction, DAMPING] | None = Field(None, examples=["0.1 N m s/rad"])
    free_angle: Angle | None = Field(None, description="else as drawn", examples=["10 deg"])
    torque: Annotated[ScalarFunction, TORQUE] | None = Field(None, examples=["0.5*x^3"])

    @model_validator(mode="after")
    def _complete(self):
        if (self.joint is None) == (self.between is None):
            raise ValueError("give either 'joint' (such as hinge.angle) or 'between' with 'axis'")
        if self.between is not None and self.axis is None:
            raise ValueError("'between' needs 'axis' too, the axis of twist, such as z")
        if self.joint is not None and self.axis is not None:
            raise ValueError("'axis' belongs to 'between'; a joint has its own")
        if self.stiffness is None and self.damping is None and self.torque is None:
            raise ValueError("needs 'stiffness' (for example 2 N m/rad), 'damping' or 'torque'")
        return self


def build(spring: TorsionSpring, builder) -> None:
    """A torque along an angle."""
    if spring.joint is not None:
        coordinate = builder.coordinate(spring.joint, "joint")
        if coordinate.dimension != units.ANGLE:
            raise Refusal(f"'{coordinate.name}' is a length, not an angle; use a joint_torque or a spring", "joint")
        measure, sides = coordinate.measure, None
    else:
        sides = builder.two_sides(spring.between)
        for k, side in enumerate(sides):
            if side.is_point:
                raise Refusal(f"'{side.label}' is {side.what}, which a torque cannot turn", "between", k)
        frame = frame_about(spring.axis)
        (a, b), (e1, e2) = sides, frame.T[:2]
        label = f"{spring.name}.angle"
        measure = builder.assembler.measure(tb.ANGLE, a.node, b.node, a.point, b.point, e1, e2, e1, label)
        builder.assembler.track(measure)
    free = builder.drawn_value(measure) if spring.free_angle is None else spring.free_angle
    couplings = couple(builder, measure, free, spring.stiffness, spring.damping, spring.torque, -1.0, "torque")
    builder.add_coupling(spring, couplings, measure, "angle", units.ANGLE, sides)


KIND = Kind(
    "torsion_spring",
    "forces",
    TorsionSpring,
    build,
    "a torsion spring or damper on an angle",
    {
        "name": "Torsion pendulum",
        "bodies": {"disc": {"kind": "rigid", "mass": 1, "shape": {"kind": "cylinder", "radius": 0.1, "length": 0.02}}},
        "joints": {
            "bearing": {
                "kind": "revolute",
                "between": ["ground", "disc"],
                "at": [0, 0, 0],
                "axis": "z",
                "initial": {"angle": "20 deg"},
            }
        },
        "forces": {
            "wire": {
                "kind": "torsion_spring",
                "joint": "bearing",
                "stiffness": "2 N m/rad",
                "damping": "0.01 N m s/rad",
            }
        },
        "simulate": {"duration": "1 s"},
    },
)
