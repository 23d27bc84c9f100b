"""A law of the user's own."""

from typing import Annotated, Any, Literal

from pydantic import Field

from ...mechanics import tables as tb
from ...schema import units
from ...schema.functions import FunctionOf, ScalarFunction
from .law import Law


class Own(Law):
    """Any function of depth x and its rate v, positive where surfaces push each other apart: "1e9*x^1.5*(1 + v)", a
    Python function, or a table of x. Cut off at zero; asked only while surfaces are within each other."""

    kind: Literal["own"] = "own"
    force: Annotated[ScalarFunction, FunctionOf(units.FORCE, ("x", "v"), units.LENGTH)] = Field(
        examples=["1e6*x*(1 + 0.2*v)"]
    )

    def row(self, contact) -> dict[str, Any]:
        return {"law": tb.OWN_LAW, "function": contact.law_of_force(self.force, ("law", "force"))}
