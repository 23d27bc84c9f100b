"""Impact by balance of momentum."""

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from ...mechanics import tables as tb
from ...schema import units
from ...schema.quantities import PositiveSpeed, Quantity
from .law import Law, Restitution

Reversal = Annotated[float, Quantity(units.NUMBER, at_least=0.0, at_most=1.0)]


class Momentum(Law):
    """Surfaces do not enter each other: velocities jump where they meet, such that the normal speed returns by
    `restitution` (Newton) or the normal impulse does (`poisson`), with Coulomb's friction. Surfaces that meet slower
    than `rest_speed` stay closed, stick or slip, and open where they would pull; what parts is open, however slowly
    it does. For solver `ode`."""

    kind: Literal["momentum"] = "momentum"
    restitution: Restitution = Field(examples=[0.4])
    tangential_restitution: Reversal = Field(0.0, description="how much of the slip returns, as far as friction can")
    poisson: bool = Field(False, description="true: impulses of compression return, instead of speeds")
    rest_speed: PositiveSpeed = Field(1e-5, description="slower hits have no restitution", examples=["0.01 mm/s"])

    @model_validator(mode="after")
    def _one_hypothesis(self):
        if self.poisson and self.tangential_restitution:
            raise ValueError("'tangential_restitution' goes with Newton's hypothesis; leave it out, or 'poisson'")
        return self

    def row(self, contact) -> dict[str, Any]:
        return {
            "law": tb.MOMENTUM, "restitution": self.restitution, "reversal": self.tangential_restitution,
            "poisson": self.poisson, "rest_speed": self.rest_speed,
        }  # fmt: skip
