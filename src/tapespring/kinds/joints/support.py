"""Support: nodes of a membrane, shell, solid or beam held in the world, or moved in a prescribed way."""

from __future__ import annotations

from typing import Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, model_validator

from ...mechanics import tables as tb
from ...schema.entity import Entity
from ...schema.functions import LengthHistory
from ..references import BodyRef
from ..refusal import Refusal
from ..registry import Kind

SHIFTS = ("x", "y", "z")
TURNS = ("turn_x", "turn_y", "turn_z")
ACROSS = {"x": ("x", "turn_y", "turn_z"), "y": ("y", "turn_x", "turn_z"), "z": ("z", "turn_x", "turn_y")}
Held = Literal["x", "y", "z", "turn_x", "turn_y", "turn_z"]


class Moves(BaseModel):
    """Displacements of held directions as functions of time."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    x: LengthHistory | None = None
    y: LengthHistory | None = None
    z: LengthHistory | None = None


class Support(Entity):
    """Holds every node of a group as drawn: displacements along and turns about world axes. `symmetry: x` holds what a
    plane of symmetry across x holds. `move` displaces the nodes together."""

    kind: Literal["support"] = "support"
    on: BodyRef
    hold: tuple[Held, ...] | None = Field(None, description="else all", examples=["[x, y, z]"])
    symmetry: Literal["x", "y", "z"] | None = Field(None, description="normal of a plane of symmetry")
    move: Moves | None = Field(None, examples=["{x: '0.01*t'}"])

    @model_validator(mode="after")
    def _one_way(self):
        if self.hold is not None and self.symmetry is not None:
            raise ValueError("both 'hold' and 'symmetry' are given; keep one")
        for name in self.moved():
            if name not in self.held():
                raise ValueError(f"'move' displaces {name}, which is not held; add it to 'hold'")
        return self

    def held(self) -> tuple[str, ...]:
        """Names of what is held."""
        if self.symmetry is not None:
            return ACROSS[self.symmetry]
        return self.hold if self.hold is not None else (*SHIFTS, *TURNS)

    def moved(self) -> dict:
        """Functions by direction."""
        if self.move is None:
            return {}
        return {name: getattr(self.move, name) for name in SHIFTS if getattr(self.move, name) is not None}


def build(support: Support, builder) -> None:
    """A row for every node and direction; turns of nodes that have none are left out."""
    sides = builder.sides(support.on, "on")
    assembler, rows, e = builder.assembler, [], np.eye(3)
    laws = {name: builder.law_of_time(f, ("move", name), needs=2) for name, f in support.moved().items()}
    for side in sides:
        if not side.is_free:
            raise Refusal(f"'{side.label}' does not move by itself; there is nothing to hold", "on")
        for k, name in enumerate(SHIFTS):
            if name in support.held():
                m = assembler.measure(tb.ALONG_WORLD, 0, side.node, side.point, side.point, e[k])
                rows.append(assembler.constrain(m, support.name, f"{name} of '{side.label}'", law=laws.get(name, -1)))
        turns = [k for k, name in enumerate(TURNS) if name in support.held() and not side.is_point]
        for k in turns:
            name, j = TURNS[k], carried_axis(k, turns, side.normal)
            m = assembler.measure(tb.COSINE, 0, side.node, side.point, side.point, e1=e[3 - k - j], f=e[j])
            rows.append(assembler.constrain(m, support.name, f"{name} of '{side.label}'"))
    builder.add_support(support, rows, sides)


def carried_axis(turn: int, turns: list[int], normal: np.ndarray | None) -> int:
    """The axis of the node that a row against a turn keeps across the third axis of the world.

    Of two turns it is the axis of the free one, which then stays where it is however far the node turns about it. Of
    one it is that nearer to the normal of a shell: the row holds the director then, and has no moment about it.
    """
    others = [axis for axis in range(3) if axis != turn]
    if len(turns) == 2:
        return next(axis for axis in others if axis not in turns)
    if len(turns) == 1 and normal is not None:
        return max(others, key=lambda axis: abs(normal[axis]))
    return (turn + 2) % 3


KIND = Kind(
    "support",
    "joints",
    Support,
    build,
    "nodes held in the world, or displaced in a prescribed way",
    {
        "name": "Strip pulled at one end",
        "bodies": {
            "strip": {
                "kind": "shell",
                "mesh": {"kind": "strip", "length": "0.2 m", "width": "50 mm", "divisions": [2, 1]},
                "thickness": "1 mm",
                "material": {"young": "70 GPa", "poisson": 0.33, "density": "2700 kg/m^3"},
            }
        },
        "joints": {
            "clamp": {"kind": "support", "on": "strip.start"},
            "pull": {"kind": "support", "on": "strip.end", "hold": ["x", "z"], "move": {"x": "1e-4*sin(5*t)"}},
        },
        "simulate": {"duration": "0.02 s"},
    },
)
