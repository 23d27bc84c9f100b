"""Spring and damper between two points."""

from typing import Annotated, Literal

import numpy as np
from pydantic import Field, model_validator

from ...mechanics import tables as tb
from ...schema import units
from ...schema.entity import Entity
from ...schema.functions import FunctionOf, ScalarFunction
from ...schema.quantities import NonNegativeLength
from ..force_law import ForceLaw
from ..references import Between
from ..refusal import Refusal
from ..registry import Kind
from .along_measure import couple

STIFFNESS = ForceLaw(units.FORCE, ("x",), units.LENGTH, units.STIFFNESS)
DAMPING = ForceLaw(units.FORCE, ("v",), units.SPEED, units.DAMPING)
PULL = FunctionOf(units.FORCE, ("t", "x", "v"))


class Spring(Entity):
    """Pulls two points together: stiffness on the elongation x = length - free_length, damping on its rate v, and
    `force`, any function of t, x and v (tension positive). Coordinate `length` [m]."""

    kind: Literal["spring"] = "spring"
    between: Between
    stiffness: Annotated[ScalarFunction, STIFFNESS] | None = Field(None, examples=["5 kN/m"])
    damping: Annotated[ScalarFunction, DAMPING] | None = Field(None, examples=["10 N s/m"])
    free_length: NonNegativeLength | None = Field(None, description="else as drawn", examples=["0.5 m"])
    force: Annotated[ScalarFunction, PULL] | None = Field(None, examples=["10*x^3 + 2*v"])

    @model_validator(mode="after")
    def _does_something(self):
        if self.stiffness is None and self.damping is None and self.force is None:
            raise ValueError("needs 'stiffness' (for example 5 kN/m), 'damping' (for example 10 N s/m) or 'force'")
        return self


def build(spring: Spring, builder) -> None:
    """A force along the length between the points."""
    a, b = builder.two_sides(spring.between)
    drawn = float(np.linalg.norm(b.point - a.point))
    if drawn <= 1e-9 * (1.0 + np.abs(a.point).max()):
        raise Refusal(
            f"zero length as drawn: both ends are at {a.point.tolist()} m, so the spring has no direction; "
            "move one end, or use a bushing",
            "between",
        )
    measure = builder.assembler.measure(tb.LENGTH, a.node, b.node, a.point, b.point, label=f"{spring.name}.length")
    builder.assembler.track(measure)
    free = drawn if spring.free_length is None else spring.free_length
    couplings = couple(builder, measure, free, spring.stiffness, spring.damping, spring.force, -1.0, "force")
    builder.add_coupling(spring, couplings, measure, "length", units.LENGTH, (a, b))


KIND = Kind(
    "spring",
    "forces",
    Spring,
    build,
    "a spring, damper or actuator between two points; coordinate length",
    {
        "name": "Mass on a spring",
        "gravity": [0, 0, "-9.81 m/s^2"],
        "bodies": {"mass": {"kind": "point_mass", "mass": "1 kg", "at": [0, 0, "-0.5 m"]}},
        "forces": {
            "coil": {
                "kind": "spring",
                "between": ["ground", "mass"],
                "stiffness": "200 N/m",
                "damping": "1 N s/m",
                "free_length": "0.4 m",
                "force": "2*sin(10*t)",
            }
        },
        "simulate": {"duration": "1 s"},
    },
)
