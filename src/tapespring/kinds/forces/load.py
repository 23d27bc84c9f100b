"""Load: a force and a torque on one body, as functions of time."""

from typing import Literal

import numpy as np
from pydantic import Field, model_validator

from ...schema.entity import Entity
from ...schema.functions import ForceHistory, TorqueHistory
from ..references import BodyRef
from ..refusal import Refusal
from ..registry import Kind


class Load(Entity):
    """Acts at a place on a body; `axes: body` follows the body (or marker) as it turns."""

    kind: Literal["load"] = "load"
    on: BodyRef
    force: tuple[ForceHistory, ForceHistory, ForceHistory] | None = Field(None, examples=["[10 N, 0, '5*sin(t)']"])
    torque: tuple[TorqueHistory, TorqueHistory, TorqueHistory] | None = Field(None, examples=["[0, 0, 2 N m]"])
    axes: Literal["world", "body"] = Field("world", description="directions of the components")

    @model_validator(mode="after")
    def _does_something(self):
        if self.force is None and self.torque is None:
            raise ValueError("needs 'force' (for example [10 N, 0, 0]) or 'torque' (for example [0, 0, 2 N m])")
        return self


def build(load: Load, builder) -> None:
    """Six laws of time, of which those of zero are left out."""
    side = builder.side(load.on, "on")
    if side.node == 0:
        raise Refusal("a load on ground moves nothing; name a body", "on")
    if side.is_point and load.torque is not None:
        raise Refusal(f"'{side.label}' is {side.what}, which a torque cannot turn; use a rigid body", "torque")
    if side.is_point and load.axes == "body":
        raise Refusal(f"'{side.label}' is {side.what} without axes of its own; write 'axes: world'", "axes")
    laws = [builder.law_of_time(f, ("force", k)) for k, f in enumerate(load.force or (None,) * 3)]
    laws += [builder.law_of_time(f, ("torque", k)) for k, f in enumerate(load.torque or (None,) * 3)]
    follows = load.axes == "body"
    builder.add_load(load, side, side.axes.T.copy() if follows else np.eye(3), follows, laws)


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
