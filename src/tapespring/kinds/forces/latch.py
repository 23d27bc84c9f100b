"""Latch: locks a coordinate once it gets where the latch closes."""

from typing import Annotated, Literal

from pydantic import Field

from ...mechanics import tables as tb
from ...schema import units
from ...schema.entity import Entity
from ...schema.quantities import Quantity
from ..either import EitherOf, Written
from ..references import CoordinateRef
from ..refusal import Refusal
from ..registry import Kind

PLACES = EitherOf((Quantity(units.ANGLE), Quantity(units.LENGTH)))
STIFFNESSES = EitherOf((Quantity(units.ANGULAR_STIFFNESS), Quantity(units.STIFFNESS)))
DAMPINGS = EitherOf((Quantity(units.ANGULAR_DAMPING), Quantity(units.DAMPING)))
STIFFNESS_ALONG = {units.ANGLE: units.ANGULAR_STIFFNESS, units.LENGTH: units.STIFFNESS}
DAMPING_ALONG = {units.ANGLE: units.ANGULAR_DAMPING, units.LENGTH: units.DAMPING}


class Latch(Entity):
    """Does nothing until the coordinate reaches `at` from where it starts; from then on holds it there with stiffness
    and damping, both ways, and never lets go. A coordinate that starts there or beyond is locked from the start."""

    kind: Literal["latch"] = "latch"
    joint: CoordinateRef = Field(description="a joint or one of its coordinates, or the length of a spring")
    at: Annotated[Written, PLACES] = Field(description="where it closes", examples=["90 deg"])
    stiffness: Annotated[Written, STIFFNESSES] = Field(description="once it is closed", examples=["5 kN m/rad"])
    damping: Annotated[Written, DAMPINGS] | None = Field(
        None, description="once it is closed", examples=["2 N m s/rad"]
    )


def build(latch: Latch, builder) -> None:
    """A grip that sticks from an instant on."""
    coordinate = builder.coordinate(latch.joint, "joint")
    at = builder.read_either(latch.at, coordinate.dimension, "at")
    stiffness = builder.read_either(latch.stiffness, STIFFNESS_ALONG[coordinate.dimension], "stiffness")
    damping = 0.0
    if latch.damping is not None:
        damping = builder.read_either(latch.damping, DAMPING_ALONG[coordinate.dimension], "damping")
    if not stiffness > 0.0:
        raise Refusal("must be greater than zero: it is what holds once the latch is closed", "stiffness")
    if damping < 0.0:
        raise Refusal("must not be less than zero", "damping")
    way = 1.0 if at >= builder.start_value(coordinate.measure) else -1.0
    law = {"friction": tb.LATCH, "slip_stiffness": stiffness, "slip_damping": damping, "catch": at, "way": way}
    builder.add_latch(latch, coordinate, law)


KIND = Kind(
    "latch",
    "forces",
    Latch,
    build,
    "locks a coordinate when it gets where the latch closes",
    {
        "name": "Panel swings out and latches",
        "bodies": {
            "panel": {"kind": "rigid", "at": ["0.5 m", 0, 0], "mass": "2 kg",
                      "shape": {"kind": "box", "size": ["1 m", "20 mm", "0.5 m"]}},
        },
        "joints": {"hinge": {"kind": "revolute", "between": ["ground", "panel"], "at": [0, 0, 0], "axis": "z"}},
        "forces": {
            "spring": {"kind": "torsion_spring", "joint": "hinge", "stiffness": "0.2 N m/rad", "free_angle": "100 deg"},
            "catch": {"kind": "latch", "joint": "hinge", "at": "90 deg", "stiffness": "500 N m/rad",
                      "damping": "1 N m s/rad"},
        },
        "simulate": {"duration": "6 s"},
    },
)  # fmt: skip
