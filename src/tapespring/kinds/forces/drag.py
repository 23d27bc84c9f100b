"""Drag: resistance to every motion in proportion to mass, as of a bath that bodies are dipped into."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema

from ...schema.entity import Entity
from ...schema.quantities import PositiveRate
from ..refusal import Refusal
from ..registry import Kind


def read_body_name(value: Any) -> str:
    """Text or a handle. Raises ValueError."""
    value = getattr(value, "reference", value)
    if not isinstance(value, str) or "." in value:
        raise ValueError(f"{value!r} is not the name of a body; write a name such as arm, for drag acts on all of it")
    return value


BodyName = Annotated[str, BeforeValidator(read_body_name), WithJsonSchema({"type": "string", "examples": ["strap"]})]


class Drag(Entity):
    """Force -rate m v and moment -rate J ω on every node of some bodies, or of all; where a body is attached to another
    the node is the other's. Lets a structure come to rest while it is stowed; a stage in which it moves freely leaves
    it out by its name (`without`)."""

    kind: Literal["drag"] = "drag"
    rate: PositiveRate = Field(description="share of the velocity lost per time", examples=["20 1/s"])
    on: tuple[BodyName, ...] | None = Field(None, description="bodies; else all", examples=["[strap, fabric]"])


def build(drag: Drag, builder) -> None:
    names = list(builder.catalogue.bodies) if drag.on is None else drag.on
    if not names:
        raise Refusal("there is no body that it could slow down", "on")
    bodies = [builder.body(name, "on", k) for k, name in enumerate(names)]
    by_modes = [body.name for body in bodies if body.modal is not None]
    if by_modes:
        raise Refusal(
            f"'{by_modes[0]}' is a body by modes, which has a 'damping' of its own; name the other bodies", "on"
        )
    builder.add_mass_drag(drag, [body.name for body in bodies])


KIND = Kind(
    "drag",
    "forces",
    Drag,
    build,
    "resistance to every motion in proportion to mass, of some bodies or all, for as long as a stage wants it",
    {
        "name": "Ball and rod in a bath",
        "bodies": {
            "ball": {"kind": "point_mass", "mass": "1 kg", "at": [0, 0, 0], "velocity": ["1 m/s", 0, 0]},
            "rod": {
                "kind": "rigid", "at": [0, "1 m", 0], "mass": "2 kg", "inertia": [0.1, 0.2, 0.3],
                "angular_velocity": [0, 0, "2 rad/s"],
            },
        },
        "forces": {"bath": {"kind": "drag", "rate": "3 1/s", "on": ["ball", "rod"]}},
        "simulate": {"duration": "1 s"},
    },
)  # fmt: skip
