"""Spread load: a force and a torque shared by the nodes of a group, or by a whole membrane, shell or solid."""

from __future__ import annotations

from typing import Literal

import numpy as np

from ..refusal import Refusal
from ..registry import Kind
from .wrench import WrenchLoad


class SpreadLoad(WrenchLoad):
    """All of it together is `force` and `torque`. An edge shares by length, a face by area, a whole body by area or
    volume, single nodes equally; `axes: body` lets it turn with each node of a shell, from world axes as drawn."""

    kind: Literal["spread_load"] = "spread_load"


def build(load: SpreadLoad, builder) -> None:
    """Six laws of time that all nodes share, each by its part."""
    shares = builder.shares(load.on, "on")
    sides = [side for side, _ in shares]
    if any(side.is_point for side in sides):
        if load.torque is not None:
            raise Refusal(f"nodes of '{sides[0].label}' cannot be turned; give forces only", "torque")
        if load.axes == "body":
            raise Refusal(f"nodes of '{sides[0].label}' have no axes; write 'axes: world'", "axes")
    parts = [(side.node, side.point, np.eye(3), share) for side, share in shares if share != 0.0]
    builder.add_distributed_load(load, parts, load.axes == "body", load.laws(builder))


KIND = Kind(
    "spread_load",
    "forces",
    SpreadLoad,
    build,
    "a force and a torque shared by the nodes of an edge, a face or a whole membrane, shell or solid",
    {
        "name": "Strip bent by its end",
        "bodies": {
            "strip": {
                "kind": "shell",
                "mesh": {"kind": "strip", "length": "0.2 m", "width": "50 mm", "divisions": [2, 1]},
                "thickness": "1 mm",
                "material": {"young": "70 GPa", "poisson": 0.33, "density": "2700 kg/m^3"},
            }
        },
        "joints": {"clamp": {"kind": "support", "on": "strip.start"}},
        "forces": {
            "bend": {
                "kind": "spread_load",
                "on": "strip.end",
                "force": [0, 0, "sin(50*t)"],
                "torque": [0, "0.01*t", 0],
                "axes": "body",
            }
        },
        "simulate": {"duration": "0.02 s"},
    },
)
