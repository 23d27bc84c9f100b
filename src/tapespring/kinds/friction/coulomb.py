"""Coulomb's friction, with true sticking or smoothed."""

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema, model_validator

from ...mechanics import tables as tb
from ...schema import units
from ...schema.quantities import NonNegativeDamping, PositiveSpeed, PositiveStiffness, Quantity
from ..refusal import Refusal

Coefficient = Annotated[float, Quantity(units.NUMBER, at_least=0.0)]


class Friction(BaseModel):
    """`coefficient` μ, or `static` and `kinetic` ones. Surfaces that stick are held by a tangential spring and slip at
    μ N: no creep. Its `stiffness` is that of the normal law at a small depth unless given. With `slip_speed` friction
    is smoothed instead, -μ N u/√(u² + u₀²): it creeps under any load."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    coefficient: Coefficient | None = Field(None, description="μ", examples=[0.2])
    static: Coefficient | None = Field(None, description="at which it begins to slip")
    kinetic: Coefficient | None = Field(None, description="while it slips")
    stiffness: PositiveStiffness | None = Field(None, description="tangential, of what sticks", examples=["1e6 N/m"])
    damping: NonNegativeDamping = Field(0.0, description="tangential, of what sticks")
    slip_speed: PositiveSpeed | None = Field(None, description="u₀: smoothed instead of sticking", examples=["1 mm/s"])

    @model_validator(mode="after")
    def _once(self):
        pair = self.static is not None or self.kinetic is not None
        if (self.coefficient is None) != pair:
            raise ValueError("give 'coefficient', or both 'static' and 'kinetic'")
        if pair and (self.static is None or self.kinetic is None):
            raise ValueError("'static' and 'kinetic' go together; give both, or 'coefficient'")
        if pair and self.static < self.kinetic:  # type: ignore[operator]
            raise ValueError(f"static {self.static:g} must not be below kinetic {self.kinetic:g}")
        return self

    def row(self, stiffness: float) -> dict[str, Any]:
        """Fields of mechanics.tables.Contact; stiffness: of the normal law [N/m]."""
        static = self.coefficient if self.static is None else self.static
        kinetic = self.coefficient if self.kinetic is None else self.kinetic
        if static == 0.0:
            return {"friction": tb.FRICTIONLESS}
        return {
            "friction": tb.STICKING if self.slip_speed is None else tb.REGULARISED, "static": static,
            "kinetic": kinetic, "slip_stiffness": self.stiffness or stiffness, "slip_damping": self.damping,
            "slip_speed": self.slip_speed or 0.0,
        }  # fmt: skip

    def rigid_row(self) -> dict[str, Any]:
        """The same for surfaces that do not give way: what sticks does not move at all. Raises Refusal."""
        for name in ("stiffness", "damping", "slip_speed"):
            if getattr(self, name):
                raise Refusal("contact by momentum sticks without giving way; leave this out", "friction", name)
        row = self.row(0.0)
        return row if row["friction"] == tb.FRICTIONLESS else row | {"friction": tb.RIGID}


def read_friction(value: Any) -> Any:
    """A bare number is a coefficient."""
    return value if isinstance(value, (dict, Friction)) else {"coefficient": value}


AnyFriction = Annotated[
    Friction,
    BeforeValidator(read_friction),
    WithJsonSchema({"anyOf": [{"type": "number"}, {"type": "object"}], "examples": [0.2]}),
]
