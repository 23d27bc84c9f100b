"""Event: the instant a coordinate, position or velocity crosses a level."""

from typing import Annotated, Literal

from pydantic import Field

from ...schema import units
from ...schema.entity import Entity
from ...schema.quantities import Quantity
from ..either import EitherOf, Written
from ..references import CoordinateRef
from ..registry import Kind

LEVELS = EitherOf(tuple(Quantity(d) for d in (units.LENGTH, units.ANGLE, units.SPEED, units.ANGULAR_RATE)))
DIRECTIONS = {"rising": 1, "falling": -1, "both": 0}


class Event(Entity):
    """Watches `hinge.angle`, `hinge.angle.rate`, `bob.position.z`, `arm.tip.velocity.x`, `spring.length` …"""

    kind: Literal["event"] = "event"
    watch: CoordinateRef = Field(
        description="a coordinate, its rate, or a component of a place or velocity", examples=["bob.position.z"]
    )
    level: Annotated[Written, LEVELS] = Field(LEVELS.read(0.0), examples=["0.15 rad"])
    direction: Literal["rising", "falling", "both"] = "both"
    stop: bool = Field(False, description="end the simulation there")


def build(event: Event, builder) -> None:
    """A watch on a measure or its rate."""
    watched = builder.watched(event.watch, "watch")
    level = builder.read_either(event.level, watched.dimension, "level")
    index = builder.assembler.watch(watched.measure, watched.of_rate, level, DIRECTIONS[event.direction], event.stop)
    builder.add_event(event, index, watched, level)


KIND = Kind(
    "event",
    "events",
    Event,
    build,
    "the instant something crosses a level; may stop the simulation",
    {
        "name": "Pendulum through its lowest point",
        "gravity": [0, 0, "-9.81 m/s^2"],
        "bodies": {"bob": {"kind": "point_mass", "mass": "1 kg", "at": ["1 m", 0, 0]}},
        "joints": {"rod": {"kind": "distance", "between": ["ground", "bob"]}},
        "events": {
            "lowest": {"kind": "event", "watch": "bob.position.x", "level": "0 m", "direction": "falling", "stop": True}
        },
        "simulate": {"duration": "2 s"},
    },
)
