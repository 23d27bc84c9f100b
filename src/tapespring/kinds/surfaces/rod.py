"""Rod: the axis of a beam or cable with a radius of its own."""

from typing import Literal

from pydantic import Field

from ...schema.quantities import PositiveLength
from ..references import body_of
from ..refusal import Refusal
from .of_body import chain_features
from .surface import Features, Surface


class Rod(Surface):
    """A beam or cable as a round rod of this radius, whatever its section is."""

    kind: Literal["rod"] = "rod"
    radius: PositiveLength = Field(examples=["5 mm"])

    def features(self, builder, *field: str | int) -> Features:
        name = body_of(self.on)
        body = builder.body(name, *field, "on")
        if body.line is None:
            raise Refusal(f"'{name}' is not a beam or cable; use a capsule", *field, "on")
        return chain_features(name, body.line, self.radius, 0.0, builder)
