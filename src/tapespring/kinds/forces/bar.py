"""Bar: a massless elastic bar, or cord, between two points."""

from __future__ import annotations

from typing import Literal

import numpy as np
from pydantic import Field, model_validator

from ...schema.entity import Entity
from ...schema.quantities import Force, NonNegativeTime, PositiveForce, PositiveLength
from ..references import Between
from ..refusal import Refusal
from ..registry import Kind


class Bar(Entity):
    """A stay, strut or tendon: tension EA times its strain; `tension_only: true` goes slack. Without tension as drawn,
    unless `pretension` or `free_length` is given. A spring has its stiffness in N/m and may be nonlinear."""

    kind: Literal["bar"] = "bar"
    between: Between
    axial_stiffness: PositiveForce = Field(description="EA", examples=["10 kN"])
    pretension: Force | None = Field(None, description="tension as drawn", examples=["50 N"])
    free_length: PositiveLength | None = Field(None, description="length without tension")
    damping: NonNegativeTime = Field(0.0, description="tension grows by this times EA times the strain rate")
    tension_only: bool = Field(False, description="true: a cord, which carries no compression")

    @model_validator(mode="after")
    def _length_once(self):
        if self.pretension is not None and self.free_length is not None:
            raise ValueError("both 'pretension' and 'free_length' are given; keep one")
        return self


def build(bar: Bar, builder) -> None:
    """One bar element between points of two bodies."""
    a, b = builder.two_sides(bar.between)
    drawn = float(np.linalg.norm(b.point - a.point))
    if drawn <= 1e-9 * (1.0 + np.abs(a.point).max()):
        raise Refusal(f"zero length as drawn: both ends are at {a.point.tolist()} m; move one end", "between")
    pull = bar.pretension or 0.0
    if pull < 0.0 and bar.tension_only:
        raise Refusal("a cord carries no compression; give a positive tension, or tension_only: false", "pretension")
    if pull <= -0.5 * bar.axial_stiffness:
        raise Refusal(f"{pull:g} N would crush a bar of EA = {bar.axial_stiffness:g} N; check the units", "pretension")
    free = bar.free_length or drawn / (1.0 + pull / bar.axial_stiffness)
    builder.add_bar(bar, (a, b), free)


KIND = Kind(
    "bar",
    "forces",
    Bar,
    build,
    "a massless elastic bar or cord between two points, with its stiffness EA",
    {
        "name": "Guyed mass",
        "gravity": [0, 0, "-9.81 m/s^2"],
        "bodies": {"mass": {"kind": "point_mass", "mass": "1 kg", "at": [0, 0, "1 m"]}},
        "forces": {
            "strut": {"kind": "bar", "between": ["ground", "mass"], "axial_stiffness": "2 kN", "damping": "1 ms"},
            "stay": {
                "kind": "bar",
                "between": [{"on": "ground", "at": ["1 m", 0, 0]}, "mass"],
                "axial_stiffness": "1 kN",
                "pretension": "5 N",
                "tension_only": True,
            },
        },
        "simulate": {"duration": "0.1 s"},
    },
)
