"""Moving frame: a massless base whose motion is given as functions of time."""

from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema, model_validator

from ...schema.entity import Entity
from ...schema.functions import (
    AccelerationHistory,
    AngleHistory,
    AngularRateHistory,
    Constant,
    LengthHistory,
    SpeedHistory,
)
from ...schema.orientation import Orientation
from ...schema.vectors import AXES, Direction, Point
from ..frames import rotation_matrix
from ..laws.of_time import integrable
from ..references import NO_TURN
from ..registry import Kind
from .markers import Markers

Zero = (0.0, 0.0, 0.0)


class TurnAbout(BaseModel):
    """A turn by `angle(t)` about an axis of the frame."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    axis: Direction
    angle: AngleHistory

    def turns(self) -> list[tuple[Any, Any, tuple]]:
        """(axis, angle, field) one after another."""
        return [(self.axis, self.angle, ("angle",))]


class EulerTurns(BaseModel):
    """Three turns by functions of time, each about the axes already turned, in the order written."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    euler: tuple[AngleHistory, AngleHistory, AngleHistory]
    order: str = Field(description="axes turned about, such as zyx or zxz", examples=["zxz"])

    @model_validator(mode="after")
    def _order_is_three_axes(self):
        letters = self.order.lower()
        if len(letters) != 3 or not set(letters) <= set("xyz") or letters[0] == letters[1] or letters[1] == letters[2]:
            raise ValueError(f"order '{self.order}' is not a sequence of three axes such as zyx, xyz or zxz")
        return self

    def turns(self) -> list[tuple[Any, Any, tuple]]:
        """(axis, angle, field) one after another."""
        return [(AXES[c], f, ("euler", k)) for k, (c, f) in enumerate(zip(self.order.lower(), self.euler, strict=True))]


def read_attitude(value: Any) -> Any:
    """Tell the two ways apart by their keys. Raises ValueError."""
    if isinstance(value, (TurnAbout, EulerTurns)):
        return value
    if not isinstance(value, dict):
        raise ValueError(
            f"{value!r} is not an attitude; write {{axis: z, angle: 'f(t)'}} or {{euler: […], order: zxz}}"
        )
    return (EulerTurns if "euler" in value or "order" in value else TurnAbout).model_validate(value)


_ATTITUDE = {"type": "object", "description": "{axis: z, angle: f(t)} or {euler: [f, f, f], order: zxz}"}
Attitude = Annotated[TurnAbout | EulerTurns, BeforeValidator(read_attitude), WithJsonSchema(_ATTITUDE)]


class MovingFrame(Entity):
    """A frame moved by given functions of time: either its pose, or its velocities in its own axes."""

    kind: Literal["moving_frame"] = "moving_frame"
    at: Point = Field(Zero, description="origin as drawn, before any displacement")
    orientation: Orientation = Field(NO_TURN, description="axes as drawn, before any turn")
    position: tuple[LengthHistory, LengthHistory, LengthHistory] | None = Field(
        None, description="displacement from `at`, world axes", examples=["['0.1*sin(5*t)', 0, 0]"]
    )
    attitude: Attitude | None = Field(None, description="turns about the frame's own axes, after `orientation`")
    velocity: tuple[SpeedHistory, SpeedHistory, SpeedHistory] | None = Field(
        None, description="of the origin, in the frame's own axes", examples=["[2 m/s, 0, 0]"]
    )
    acceleration: tuple[AccelerationHistory, AccelerationHistory, AccelerationHistory] | None = Field(
        None,
        description="rates of the components of `velocity`, which is then that at the start",
        examples=["[{csv: sled.csv, time: t, column: ax, scale: 9.81}, 0, 0]"],
    )
    angular_velocity: tuple[AngularRateHistory, AngularRateHistory, AngularRateHistory] | None = Field(
        None, description="in the frame's own axes", examples=["[0, 0, 30 deg/s]"]
    )
    markers: Markers = Field({})

    @model_validator(mode="after")
    def _one_family(self):
        pose = [name for name in ("position", "attitude") if getattr(self, name) is not None]
        rates = ("velocity", "acceleration", "angular_velocity")
        twist = [name for name in rates if getattr(self, name) is not None]
        if pose and twist:
            raise ValueError(
                f"'{pose[0]}' and '{twist[0]}' exclude each other; give position/attitude, or velocity/angular_velocity"
            )
        if not pose and not twist:
            raise ValueError("does not move; give position, attitude, velocity or angular_velocity, or use ground")
        if self.acceleration and self.velocity and not all(isinstance(v, Constant) for v in self.velocity):
            raise ValueError(
                "with 'acceleration', 'velocity' is that at the start: three numbers such as [10 m/s, 0, 0]"
            )
        return self

    @property
    def by_pose(self) -> bool:
        """Whether position and attitude are given, not velocities."""
        return self.position is not None or self.attitude is not None


def build(frame: MovingFrame, builder) -> None:
    """A node without mass that follows laws of time."""
    R = rotation_matrix(frame.orientation)
    axes, turns, spin = [], [], [-1, -1, -1]
    if frame.by_pose:
        laws = [
            builder.law_of_time(f, ("position", k), offset=frame.at[k], keep_zero=True, needs=2)
            for k, f in enumerate(frame.position or (None, None, None))
        ]
        for axis, angle, field in frame.attitude.turns() if frame.attitude else ():
            axes.append(np.array(axis))
            turns.append(builder.law_of_time(angle, ("attitude", *field), needs=2))
    else:
        laws = velocity_laws(frame, builder)
        spin = [
            builder.law_of_time(f, ("angular_velocity", k), needs=1)
            for k, f in enumerate(frame.angular_velocity or (None,) * 3)
        ]
    node = builder.moving_node(frame.name, np.array(frame.at), R, frame.by_pose, axes, turns, laws, spin)
    builder.add_body(frame, node, np.array(frame.at), R, frame.markers)


def velocity_laws(frame: MovingFrame, builder) -> list[int]:
    """Of the three components; accelerations are integrated from the velocity at the start."""
    if frame.acceleration is None:
        return [builder.law_of_time(f, ("velocity", k), needs=1) for k, f in enumerate(frame.velocity or (None,) * 3)]
    laws = []
    for k, f in enumerate(frame.acceleration):
        given = frame.velocity[k] if frame.velocity else None
        start = given.value if isinstance(given, Constant) else 0.0
        with builder.at_field("acceleration", k):
            laws.append(integrable(f, builder).integral(start).put(builder.assembler))
    return laws


KIND = Kind(
    "moving_frame",
    "bodies",
    MovingFrame,
    build,
    "a base whose motion is given: displacement and turns, or velocities in its own axes",
    {
        "name": "Shaken pendulum",
        "gravity": [0, 0, "-9.81 m/s^2"],
        "bodies": {
            "shaker": {"kind": "moving_frame", "position": ["0.1*sin(5*t)", 0, 0]},
            "bob": {"kind": "point_mass", "mass": "1 kg", "at": [0, 0, "-1 m"]},
        },
        "joints": {"rod": {"kind": "distance", "between": ["shaker", "bob"]}},
        "simulate": {"duration": "2 s"},
    },
)
