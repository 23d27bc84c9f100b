"""Friction of joints: given, or a coefficient times what the joint's reactions press."""

from __future__ import annotations

from math import sqrt
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema, model_validator

from ...mechanics import tables as tb
from ...schema import units
from ...schema.quantities import (
    NonNegativeDamping,
    NonNegativeLength,
    PositiveForce,
    PositiveLength,
    PositiveSpeed,
    PositiveStiffness,
    Quantity,
)
from .coulomb import Coefficient, read_friction

PositiveTorque = Annotated[float, Quantity(units.TORQUE, above=0.0)]
PositiveAngularStiffness = Annotated[float, Quantity(units.ANGULAR_STIFFNESS, above=0.0)]
NonNegativeAngularDamping = Annotated[float, Quantity(units.ANGULAR_DAMPING, at_least=0.0)]
PositiveAngularRate = Annotated[float, Quantity(units.ANGULAR_RATE, above=0.0)]


class JointFriction(BaseModel):
    """What friction of all joints shares: Coulomb's law with true sticking, or smoothed."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    GIVEN: ClassVar[str]  # name of the field for friction that does not depend on reactions
    GIVES: ClassVar[float]  # how far it gives way before it slips unless its stiffness is given [rad or m]

    kind: Literal["coulomb"] = "coulomb"
    coefficient: Coefficient | None = Field(
        None, description="μ, times what the joint's reactions press", examples=[0.2]
    )
    static: Coefficient | None = Field(None, description="μ at which it begins to slip")
    kinetic: Coefficient | None = Field(None, description="μ while it slips")
    preload: PositiveForce | None = Field(None, description="presses besides the reactions", examples=["20 N"])
    length: NonNegativeLength = Field(
        0.0, description="of the bearing: moments across its axis press at its ends; 0: they do not", examples=["40 mm"]
    )

    @model_validator(mode="after")
    def _once(self):
        given, pair = self.given, self.static is not None or self.kinetic is not None
        if pair and (self.static is None or self.kinetic is None):
            raise ValueError("'static' and 'kinetic' go together; give both, or 'coefficient'")
        if sum((given is not None, self.coefficient is not None, pair)) != 1:
            raise ValueError(f"give '{self.GIVEN}', or 'coefficient', or both 'static' and 'kinetic'")
        if pair and self.static < self.kinetic:  # type: ignore[operator]
            raise ValueError(f"static {self.static:g} must not be below kinetic {self.kinetic:g}")
        if given is None and self.given_static is not None:
            raise ValueError(f"'static_{self.GIVEN}' goes with '{self.GIVEN}'")
        if given is not None and self.given_static is not None and self.given_static < given:
            raise ValueError(f"static_{self.GIVEN} {self.given_static:g} must not be below {self.GIVEN} {given:g}")
        if given is not None and (self.preload or self.length):
            raise ValueError(f"'preload' and 'length' go with a coefficient; '{self.GIVEN}' is all of the friction")
        return self

    @property
    def given(self) -> float | None:
        return getattr(self, self.GIVEN)

    @property
    def given_static(self) -> float | None:
        return getattr(self, f"static_{self.GIVEN}")

    @property
    def by_reaction(self) -> bool:
        """Whether it grows with the joint's reactions."""
        return self.given is None

    def law(self, arm: float, weight: float, inertia: float) -> dict[str, Any]:
        """Fields of mechanics.tables.Grip. arm: of friction that a coefficient gives; weight: a usual reaction [N];
        inertia: what the two bodies alone would move with along the coordinate [kg or kg m²]."""
        if self.given is not None:
            presses, usual = 1.0, 1.0
            kinetic, static = self.given, self.given_static or self.given
        else:
            presses = self.preload or 0.0
            usual = presses + weight
            kinetic = arm * (self.coefficient if self.kinetic is None else self.kinetic)  # type: ignore[operator]
            static = arm * (self.coefficient if self.static is None else self.static)  # type: ignore[operator]
        stiffness = self.stiffness or static * usual / self.GIVES  # type: ignore[attr-defined]
        damping = self.damping  # type: ignore[attr-defined]
        speed = self.slip_speed  # type: ignore[attr-defined]
        return {
            "preload": presses, "length": self.length, "kinetic": kinetic, "static": static,
            "friction": tb.STICKING if speed is None else tb.REGULARISED, "slip_stiffness": stiffness,
            "slip_damping": 2.0 * sqrt(stiffness * inertia) if damping is None else damping, "slip_speed": speed or 0.0,
        }  # fmt: skip


class TurningFriction(JointFriction):
    """Friction of a hinge: a `torque`, or a coefficient with the `radius` of the pin: μ r |R|. It sticks by a torsion
    spring and does not creep; with `slip_speed` it is smoothed instead."""

    GIVEN: ClassVar[str] = "torque"
    GIVES: ClassVar[float] = 1e-4

    torque: PositiveTorque | None = Field(None, description="while it slips", examples=["0.1 N m"])
    static_torque: PositiveTorque | None = Field(None, description="at which it begins to slip; `torque` unless given")
    radius: PositiveLength | None = Field(None, description="of the pin", examples=["5 mm"])
    stiffness: PositiveAngularStiffness | None = Field(
        None, description="of what sticks; else such that it gives 1e-4 rad before it slips under the model's weight"
    )
    damping: NonNegativeAngularDamping | None = Field(
        None, description="of what sticks; else critical for the two bodies alone"
    )
    slip_speed: PositiveAngularRate | None = Field(None, description="smoothed below it instead of sticking")

    @model_validator(mode="after")
    def _radius(self):
        if self.by_reaction and self.radius is None:
            raise ValueError("a coefficient needs the 'radius' of the pin; or give a 'torque'")
        if not self.by_reaction and self.radius is not None:
            raise ValueError("'radius' goes with a coefficient; 'torque' is all of the friction")
        return self


class SlidingFriction(JointFriction):
    """Friction of a slider: a `force`, or a coefficient of the reaction. It sticks by a spring and does not creep; with
    `slip_speed` it is smoothed instead."""

    GIVEN: ClassVar[str] = "force"
    GIVES: ClassVar[float] = 1e-5

    force: PositiveForce | None = Field(None, description="while it slips", examples=["5 N"])
    static_force: PositiveForce | None = Field(None, description="at which it begins to slip; `force` unless given")
    stiffness: PositiveStiffness | None = Field(
        None, description="of what sticks; else such that it gives 10 µm before it slips under the model's weight"
    )
    damping: NonNegativeDamping | None = Field(
        None, description="of what sticks; else critical for the two bodies alone"
    )
    slip_speed: PositiveSpeed | None = Field(None, description="smoothed below it instead of sticking")


class ShaftFriction(SlidingFriction):
    """Friction of a shaft in a bush, against turning and sliding together: `force` or μ times the reaction acts at its
    `radius` against the way its surface slips."""

    radius: PositiveLength = Field(description="of the shaft", examples=["10 mm"])


AnySlidingFriction = Annotated[
    SlidingFriction,
    BeforeValidator(read_friction),
    WithJsonSchema({"anyOf": [{"type": "number"}, {"type": "object"}], "examples": [0.2]}),
]
