"""What loads on a place and loads on a group share: a force and a torque as functions of time."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from ...schema.entity import Entity
from ...schema.functions import ForceHistory, TorqueHistory
from ..references import BodyRef

COMPONENTS = "three components, each a number or a function of t"


class WrenchLoad(Entity):
    """Fields of both."""

    on: BodyRef
    force: tuple[ForceHistory, ForceHistory, ForceHistory] | None = Field(
        None, description=COMPONENTS, examples=["[10 N, 0, '5*sin(t)']"]
    )
    torque: tuple[TorqueHistory, TorqueHistory, TorqueHistory] | None = Field(
        None, description=COMPONENTS, examples=["[0, 0, 2 N m]"]
    )
    axes: Literal["world", "body"] = Field("world", description="directions of the components")

    @model_validator(mode="after")
    def _does_something(self):
        if self.force is None and self.torque is None:
            raise ValueError("needs 'force' (for example [10 N, 0, 0]) or 'torque' (for example [0, 0, 2 N m])")
        return self

    def laws(self, builder) -> list[int]:
        """Six laws of time."""
        forces = [builder.law_of_time(f, ("force", k)) for k, f in enumerate(self.force or (None,) * 3)]
        return forces + [builder.law_of_time(f, ("torque", k)) for k, f in enumerate(self.torque or (None,) * 3)]
