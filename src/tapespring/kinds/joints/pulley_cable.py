"""Cable over pulleys, through places of several bodies, of given length or on a winch; with a stiffness also loose."""

from itertools import pairwise
from typing import Annotated, Literal

import numpy as np
from pydantic import Field, model_validator

from ...mechanics import tables as tb
from ...schema import units
from ...schema.entity import Entity
from ...schema.functions import Expression, FunctionOf, ScalarFunction
from ...schema.quantities import Mass, NonNegativeDamping, PositiveForce, PositiveLength, PositiveStiffness
from ..laws.forms import SplineForm
from ..laws.of_force import put_active_law
from ..references import BodyRef, CoordinateRef
from ..refusal import Refusal
from ..registry import Kind

PAID_OUT = FunctionOf(units.LENGTH, ("t",))
MOVES_ALONG = 1.0 / 3.0  # of a rod's mass, with the stretch of its end


class PulleyCable(Entity):
    """Runs from the first place through pulleys (points without friction) to the last; a place may be named again, as
    in a tackle. Its length stays as drawn, or grows by `paid_out`, or is reeled in by `winch`, a coordinate: `radius`
    times an angle, or the way of a slide. The tension is the same all along and is a channel.

    With a `stiffness` it stretches and, where it would have to push, hangs loose; `mass` is then needed, the inertia of
    what stretches. Without one it is inextensible and never loose: where its tension falls below zero the verdict
    of the run tells. Coordinate of a cable with stiffness: `stretch` [m], below zero where it is loose."""

    kind: Literal["pulley_cable"] = "pulley_cable"
    through: tuple[BodyRef, ...] = Field(min_length=2, examples=["[ground, hook.eye, ground, drum]"])
    paid_out: Annotated[ScalarFunction, PAID_OUT] | None = Field(None, examples=["-0.1*t"])
    winch: CoordinateRef | None = Field(None, description="what reels it in as it grows", examples=["drum"])
    radius: PositiveLength | None = Field(None, description="of the drum, where the winch is an angle")
    stiffness: PositiveStiffness | None = Field(None, description="of the whole cable", examples=["20 kN/m"])
    damping: NonNegativeDamping | None = Field(None, description="of its stretch while taut", examples=["15 N s/m"])
    mass: Mass | None = Field(None, description="of the whole cable", examples=["50 g"])
    pretension: PositiveForce | None = Field(None, description="as drawn", examples=["50 N"])

    @model_validator(mode="after")
    def _complete(self):
        if self.paid_out is not None and self.winch is not None:
            raise ValueError("both 'paid_out' and 'winch' are given; keep one")
        if self.stiffness is None:
            for name in ("damping", "mass", "pretension"):
                if getattr(self, name) is not None:
                    raise ValueError(f"'{name}' belongs to a cable that stretches: give 'stiffness' too")
        elif self.mass is None:
            raise ValueError("a cable with 'stiffness' needs 'mass', of the whole cable, such as 50 g")
        return self


def build(cable: PulleyCable, builder) -> None:
    """One row: the sum of the lengths, what the winch has reeled in, and the stretch."""
    sides = [builder.side(place, "through", k) for k, place in enumerate(cable.through)]
    lengths: dict[int, float] = {}
    for k, (a, b) in enumerate(pairwise(sides)):
        if a.node == b.node:
            continue  # along a body, whose length does not change
        if np.linalg.norm(b.point - a.point) <= 1e-9 * (1.0 + np.abs(a.point).max()):
            raise Refusal(
                f"places {k + 1} and {k + 2} coincide as drawn, so that the cable has no direction", "through"
            )
        label = f"{cable.name}.part{k + 1}"
        measure = builder.assembler.measure(tb.LENGTH, a.node, b.node, a.point, b.point, label=label)
        lengths[measure] = 1.0
    if not lengths:
        raise Refusal("all places are on one body; lead the cable to another one", "through")
    terms = list(lengths.items()) + winch_terms(cable, builder)
    stretch = None
    if cable.stiffness is not None and cable.mass is not None:
        rate = sum(builder.drawn_rate(length) for length in lengths)
        stretch = add_stretch(cable, builder, cable.stiffness, MOVES_ALONG * cable.mass, rate)
        terms.append((stretch, -1.0))
    drawn = sum(weight * builder.drawn_value(measure) for measure, weight in terms)
    law = -1
    if cable.paid_out is not None:
        law = builder.law_of_time(cable.paid_out, ("paid_out",), offset=drawn, needs=2)
        drawn = 0.0
    row = builder.assembler.constrain(terms, cable.name, "length", drawn, law)
    builder.add_coupler(cable, row, terms, unit="N", stretch=stretch)


def add_stretch(cable: PulleyCable, builder, k: float, inertia: float, rate: float) -> int:
    """A measure: the way of a point that only a spring and a damper act on, both while the cable is taut."""
    measure = builder.own_coordinate(cable.name, "stretch", (cable.pretension or 0.0) / k, rate, inertia)
    builder.assembler.track(measure)
    pull = SplineForm(np.array([-1.0, 0.0, 1.0]), np.array([[0.0, 0.0], [0.0, k]])).put(builder.assembler)
    active = -1
    if cable.damping:
        # no more than lets the tension fall to zero
        damper = Expression(
            expression=f"where(x > 0, max({cable.damping!r}*v, -{k!r}*x), 0)", variables=("t", "x", "v")
        )
        active = put_active_law(damper, builder, (0.0, 0.0, 0.0))
    builder.assembler.couple(measure, elastic=pull, active=active, sign=-1.0)
    return measure


def winch_terms(cable: PulleyCable, builder) -> list[tuple[int, float]]:
    if cable.winch is None:
        return []
    coordinate = builder.coordinate(cable.winch, "winch")
    if coordinate.dimension != units.ANGLE:
        return [(coordinate.measure, 1.0)]
    if cable.radius is None:
        raise Refusal(f"'{coordinate.name}' is an angle: give the radius of the drum", "radius")
    return [(coordinate.measure, cable.radius)]


KIND = Kind(
    "pulley_cable",
    "joints",
    PulleyCable,
    build,
    "a cable over pulleys, of given length or on a winch; its tension is a channel",
    {
        "name": "Winch lifts a load by a tackle",
        "gravity": [0, 0, "-9.81 m/s^2"],
        "bodies": {
            "load": {"kind": "point_mass", "mass": "10 kg", "at": [0, 0, "-2 m"]},
            "drum": {"kind": "rigid", "at": ["1 m", 0, 0], "mass": "2 kg",
                     "shape": {"kind": "cylinder", "radius": "0.1 m", "length": "0.1 m", "axis": "y"}},
        },
        "joints": {
            "shaft": {"kind": "revolute", "between": ["ground", "drum"], "at": ["1 m", 0, 0], "axis": "y"},
            "rope": {"kind": "pulley_cable", "winch": "shaft", "radius": "0.1 m",
                     "through": [{"on": "ground", "at": ["-0.1 m", 0, 0]}, "load",
                                 {"on": "ground", "at": ["0.1 m", 0, 0]}]},
        },
        "forces": {"motor": {"kind": "motor", "joint": "shaft", "stall": "0.2 N m", "no_load": "300 rad/s",
                             "gear": 40}},
        "simulate": {"duration": "2 s"},
    },
    stage=1,
)  # fmt: skip
