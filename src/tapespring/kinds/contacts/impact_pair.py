"""Impact pair: play with friction between two stops, along an axis."""

from __future__ import annotations

from typing import Literal

import numpy as np
from pydantic import Field

from ...mechanics import tables as tb
from ...schema.entity import Entity
from ...schema.quantities import NonNegativeDamping, NonNegativeLength, PositiveForce, PositiveStiffness
from ...schema.vectors import Direction, Point
from ..frames import frame_about
from ..laws.forms import PolynomialForm
from ..references import Between
from ..registry import Kind


class ImpactPair(Entity):
    """Dubowsky's impact pair with Coulomb friction: F = k1 Y + k2 (Y - z) along `axis`, Y the way of the second body
    from where it is drawn. The slider z is dragged along by a grip of `friction` newtons and held by stops at both
    ends of the gap."""

    kind: Literal["impact_pair"] = "impact_pair"
    between: Between
    at: Point | None = Field(None, description="where both meet as drawn, world axes; else the places as named")
    axis: Direction = Field((1.0, 0.0, 0.0), description="on the first body, world axes as drawn")
    stiffness: PositiveStiffness = Field(description="k1, always", examples=["1e5 N/m"])
    stop_stiffness: PositiveStiffness = Field(description="k2, towards the slider", examples=["9e5 N/m"])
    friction: PositiveForce = Field(description="μN, at which the slider is dragged along", examples=["180 N"])
    damping: NonNegativeDamping = Field(0.0, description="along the axis, always", examples=["20 N s/m"])
    gaps: tuple[NonNegativeLength, NonNegativeLength] = Field(
        description="d1 backwards, d2 forwards", examples=["[0.5 mm, 0.5 mm]"]
    )


def build(pair: ImpactPair, builder) -> None:
    """A plane across the axis and a point, whose distance from it is the way."""
    a, b = builder.two_sides(pair.between)
    pa, pb = (np.array(pair.at),) * 2 if pair.at is not None else (a.point, b.point)
    plane = builder.add_surface(
        tb.PLANE, [(a.node, pa)], axes=frame_about(np.array(pair.axis) / np.linalg.norm(pair.axis))
    )
    point = builder.add_surface(tb.BALL, [(b.node, pb)])
    row = {
        "law": tb.PLAY, "stiffness": pair.stiffness, "slip_stiffness": pair.stop_stiffness, "grip": pair.friction,
        "low": pair.gaps[0], "high": pair.gaps[1], "adhesive": True,
    }  # fmt: skip
    if pair.damping:
        law = PolynomialForm((0.0, pair.damping)).put(builder.assembler)
        measure = builder.assembler.measure(
            tb.ALONG, a.node, b.node, pa, pb, np.array(pair.axis), label=f"{pair.name}.way"
        )
        builder.assembler.track(measure)
        builder.assembler.couple(measure, damping=law)
    builder.add_contact(pair, row, [(plane, point, 1.0)], (a.label, b.label))


KIND = Kind(
    "impact_pair",
    "contacts",
    ImpactPair,
    build,
    "play with friction between two stops, along an axis",
    {
        "name": "Loose slide",
        "bodies": {"block": {"kind": "point_mass", "mass": "2 kg", "velocity": ["0.5 m/s", 0, 0]}},
        "joints": {"rail": {"kind": "point_on_line", "between": ["ground", "block"], "axis": "x"}},
        "contacts": {
            "play": {
                "kind": "impact_pair", "between": ["ground", "block"], "axis": "x", "stiffness": "1e5 N/m",
                "stop_stiffness": "9e5 N/m", "friction": "180 N", "gaps": ["0.5 mm", "0.5 mm"],
            }
        },
        "simulate": {"duration": "0.05 s"},
    },
)  # fmt: skip
