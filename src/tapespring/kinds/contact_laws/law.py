"""What every normal law of a contact shares: it becomes one row of numbers."""

from __future__ import annotations

from math import expm1, log1p
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, SerializerFunctionWrapHandler, model_serializer

from ...schema import units
from ...schema.quantities import Quantity
from ...schema.units import Dimension, parse_quantity
from ...schema.validation import shown

Restitution = Annotated[float, Quantity(units.NUMBER, at_least=0.0, at_most=1.0)]
SLIGHTEST = 1e-9  # restitution: what is less is told from none by nobody
PositiveExponent = Annotated[float, Quantity(units.NUMBER, at_least=1.0)]


class Law(BaseModel):
    """Base of the normal laws."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True, validate_default=True)

    kind: str
    max_depth: Annotated[float, Quantity(units.LENGTH, above=0.0)] | None = Field(
        None, description="deeper than this is an error"
    )

    @model_serializer(mode="wrap")
    def _keep_kind(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return {"kind": self.kind} | handler(self)

    def row(self, contact) -> dict[str, Any]:
        """Fields of mechanics.tables.Contact; `contact` knows the surfaces (see contacts.contact)."""
        raise NotImplementedError


def rest_speed(law: Law, row: dict[str, Any], mass: float, gravity: float) -> float:
    """Of a body that is laid down where it touches: hits that are slower are damped as if they were as fast, for their
    first speed says nothing of what follows [m/s]. 0 where a law is published as it is."""
    if getattr(law, "restitution", 1.0) >= 1.0 or law.kind not in ("linear", "hertz") or mass * gravity == 0.0:
        return 0.0
    return float((gravity * (mass * gravity / row["stiffness"]) ** (1.0 / row["exponent"])) ** 0.5)


def power_quantity(value: Any, name: str, unit: str, above: float | None = 0.0) -> float:
    """A quantity whose unit depends on an exponent, such as a stiffness in N/m^1.5. Raises ValueError."""
    try:
        return Quantity(
            Dimension(name, unit, f"1e6 {unit}"), above=above, at_least=None if above is not None else 0.0
        ).read(value)
    except TypeError:
        raise ValueError(f"{shown(value)} is not {name} in {unit}") from None


def with_stiffness(data: Any, exponent: str) -> Any:
    """What was written, with its stiffness read in N/m^n; n is the field of that name, or 1.5."""
    if not isinstance(data, dict) or data.get("stiffness") is None:
        return data
    try:
        n = float(data.get(exponent, 1.5))
    except (TypeError, ValueError):
        return data  # said where the exponent is read
    return {**data, "stiffness": power_quantity(data["stiffness"], "contact stiffness", f"N/m^{n:g}")}


def damping_factor(e: float) -> float:
    """The a with which k δ^n (1 + a δ'/δ'₀) delivers restitution e: a (1 + e) = ln((1 + a)/(1 - a e)). Large for e near
    0, where it ends at 1e9. With u = -ln(1 - a e) nothing rounds to zero there, and u is below (1 + e)/e."""
    if e >= 1.0:
        return 0.0
    e = max(e, SLIGHTEST)
    low, high = 0.0, (1.0 + e) / e
    while (u := 0.5 * (low + high)) not in (low, high):
        a = -expm1(-u) / e
        low, high = (low, u) if log1p(a) + u > a * (1.0 + e) else (u, high)
    return -expm1(-high) / e


__all__ = [
    "Law",
    "PositiveExponent",
    "Restitution",
    "damping_factor",
    "parse_quantity",
    "power_quantity",
    "with_stiffness",
]
