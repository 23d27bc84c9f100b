"""Load: a force and a torque on one body, as functions of time."""

from typing import Literal

import numpy as np

from ..refusal import Refusal
from ..registry import Kind
from .wrench import WrenchLoad


class Load(WrenchLoad):
    """Acts at a place on a body; `axes: body` follows the body (or marker) as it turns."""

    kind: Literal["load"] = "load"


def build(load: Load, builder) -> None:
    """Six laws of time, of which those of zero are left out."""
    side = builder.side(load.on, "on")
    if side.node == 0:
        raise Refusal("a load on ground moves nothing; name a body", "on")
    if side.is_point and load.torque is not None:
        raise Refusal(f"'{side.label}' is {side.what}, which a torque cannot turn; use a rigid body", "torque")
    if side.is_point and load.axes == "body":
        raise Refusal(f"'{side.label}' is {side.what} without axes of its own; write 'axes: world'", "axes")
    follows = load.axes == "body"
    builder.add_load(load, side, side.axes.T.copy() if follows else np.eye(3), follows, load.laws(builder))


KIND = Kind(
    "load",
    "forces",
    Load,
    build,
    "a force and a torque on one body, as functions of time",
    {
        "name": "Pushed block",
        "bodies": {"block": {"kind": "rigid", "mass": "2 kg", "shape": {"kind": "box", "size": [0.2, 0.1, 0.1]}}},
        "forces": {
            "push": {
                "kind": "load",
                "on": {"on": "block", "at": ["0.1 m", "0.05 m", 0]},
                "force": [0, "10*sin(5*t)", 0],
                "torque": [0, 0, {"table": [[0, 0], ["0.5 s", "1 N m"], ["1 s", 0], ["2 s", 0]]}],
            }
        },
        "simulate": {"duration": "1 s"},
    },
)
