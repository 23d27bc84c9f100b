"""Motion: a coordinate of a joint follows a given function of time."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from ...schema import units
from ...schema.entity import Entity
from ...schema.functions import FunctionOf
from ..either import EitherOf, Written
from ..laws.of_time import check_integrable
from ..references import CoordinateRef
from ..registry import Kind

VALUES = EitherOf((FunctionOf(units.ANGLE), FunctionOf(units.LENGTH)))
RATES = EitherOf((FunctionOf(units.ANGULAR_RATE), FunctionOf(units.SPEED)))
RATE_OF = {units.ANGLE: units.ANGULAR_RATE, units.LENGTH: units.SPEED}


class Motion(Entity):
    """Drives `joint` (or `joint.coordinate`) by its value, or by its rate from where it starts."""

    kind: Literal["motion"] = "motion"
    joint: CoordinateRef
    value: Annotated[Written, VALUES] | None = Field(None, examples=["0.5*sin(2*t)"])
    rate: Annotated[Written, RATES] | None = Field(
        None, description="a number, polynomial or table", examples=["60 rpm"]
    )

    @model_validator(mode="after")
    def _one_of_two(self):
        if (self.value is None) == (self.rate is None):
            raise ValueError("give either 'value' (such as '0.5*sin(2*t)') or 'rate' (such as 60 rpm)")
        return self


def build(drive: Motion, builder) -> None:
    """One row on the coordinate's measure."""
    coordinate = builder.coordinate(drive.joint, "joint")
    if drive.value is not None:
        function = builder.read_either(drive.value, coordinate.dimension, "value")
        form = builder.form_of_time(function, ("value",), needs=2)
    else:
        function = builder.read_either(drive.rate, RATE_OF[coordinate.dimension], "rate")
        with builder.at_field("rate"):
            check_integrable(function)
        rate = builder.form_of_time(function, ("rate",), needs=1)
        form = rate.integral(builder.start_value(coordinate.measure))
    law = form.put(builder.assembler)
    row = builder.assembler.constrain(coordinate.measure, drive.name, coordinate.name, law=law)
    builder.add_drive(drive, row, coordinate)


KIND = Kind(
    "motion",
    "drives",
    Motion,
    build,
    "a coordinate of a joint follows a function of time",
    {
        "name": "Driven crank",
        "bodies": {"crank": {"kind": "rigid", "at": ["0.1 m", 0, 0], "mass": "1 kg", "inertia": [0.001, 0.002, 0.002]}},
        "joints": {"hinge": {"kind": "revolute", "between": ["ground", "crank"], "at": [0, 0, 0], "axis": "z"}},
        "drives": {"motor": {"kind": "motion", "joint": "hinge", "rate": "60 rpm"}},
        "simulate": {"duration": "1 s"},
    },
)
