"""Motor with a straight torque–speed curve, behind a gear."""

from typing import Annotated, Literal

from pydantic import Field, field_validator

from ...schema import units
from ...schema.dimensions import check_dimensions
from ...schema.entity import Entity
from ...schema.functions import Expression
from ...schema.quantities import PositiveNumber, Quantity
from ..either import EitherOf, Written
from ..references import CoordinateRef
from ..refusal import Refusal
from ..registry import Kind
from .along_measure import couple
from .joint_torque import FORCE_ALONG

PUSH = EitherOf((Quantity(units.TORQUE), Quantity(units.FORCE)))
SPEEDS = EitherOf((Quantity(units.ANGULAR_RATE), Quantity(units.SPEED)))
SPEED_ALONG = {units.ANGLE: units.ANGULAR_RATE, units.LENGTH: units.SPEED}


class Motor(Entity):
    """Torque on the joint = gear · efficiency · stall · (supply − gear · speed / no_load); a force along a length. A
    motor that is turned faster than it runs by itself brakes."""

    kind: Literal["motor"] = "motor"
    joint: CoordinateRef
    stall: Annotated[Written, PUSH] = Field(description="of the motor, at rest with full supply", examples=["20 mN m"])
    no_load: Annotated[Written, SPEEDS] = Field(description="its speed without load", examples=["3000 rpm"])
    gear: PositiveNumber = Field(1.0, description="turns of the motor per turn of the joint")
    efficiency: float = Field(1.0, gt=0.0, le=1.0, description="of the gear")
    supply: float | str = Field(
        1.0, description="voltage over full voltage, -1 to 1: a number or a formula of t", examples=["min(t/0.5, 1)"]
    )

    @field_validator("supply")
    @classmethod
    def _of_time(cls, supply):
        if isinstance(supply, str):
            check_dimensions(supply, {"t": units.TIME}, units.NUMBER)
        return supply


def build(motor: Motor, builder) -> None:
    """An active force along the coordinate's measure."""
    coordinate = builder.coordinate(motor.joint, "joint")
    stall = builder.read_either(motor.stall, FORCE_ALONG[coordinate.dimension], "stall")
    no_load = builder.read_either(motor.no_load, SPEED_ALONG[coordinate.dimension], "no_load")
    for value, field in ((stall, "stall"), (no_load, "no_load")):
        if not value > 0.0:
            raise Refusal("must be greater than zero; the sign of 'supply' says which way it turns", field)
    torque = motor.gear * motor.efficiency * stall
    formula = f"{torque!r}*(({motor.supply}) - {motor.gear / no_load!r}*v)"
    pull = Expression(expression=formula, variables=("t", "x", "v"))
    couplings = couple(builder, coordinate.measure, 0.0, None, None, pull, 1.0, "supply")
    builder.add_coupling(motor, couplings, coordinate.measure, coordinate.label, coordinate.dimension, None)


KIND = Kind(
    "motor",
    "forces",
    Motor,
    build,
    "a motor with a straight torque–speed curve along a joint's coordinate, behind a gear",
    {
        "name": "Geared motor runs up a boom",
        "bodies": {
            "boom": {"kind": "rigid", "at": ["0.5 m", 0, 0], "mass": "1 kg",
                     "shape": {"kind": "box", "size": ["1 m", "20 mm", "20 mm"]}},
        },
        "joints": {"hinge": {"kind": "revolute", "between": ["ground", "boom"], "at": [0, 0, 0], "axis": "z"}},
        "forces": {
            "motor": {"kind": "motor", "joint": "hinge", "stall": "20 mN m", "no_load": "300 rad/s", "gear": 50,
                      "efficiency": 0.8, "supply": "min(t/0.5, 1)"},
        },
        "simulate": {"duration": "2 s"},
    },
)  # fmt: skip
