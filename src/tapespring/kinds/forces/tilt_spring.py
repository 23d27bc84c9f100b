"""Tilt spring: a torque that brings the line from one body to another back to an axis, alike in all directions."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field, model_validator
from pydantic_core import core_schema

from ...schema.entity import Entity
from ...schema.units import Dimension, format_quantity, parse_quantity
from ...schema.vectors import Direction
from ..references import Between
from ..refusal import Refusal
from ..registry import Kind

MOST = 8  # coefficients, as in mechanics.tables.Bushing


@dataclass(frozen=True)
class EvenPowers:
    """Coefficients of an even polynomial of the angle, [c0, c1, c2, …] for c0 + c1 q² + c2 q⁴ + …; or c0 alone."""

    word: str
    unit: str  # of c0, per rad

    def dimension(self, k: int) -> Dimension:
        per = "rad" if k == 0 else f"rad^{2 * k + 1}"
        return Dimension(f"{self.word}[{k}]", f"{self.unit}/{per}", f"2 {self.unit}/{per}")

    def read(self, value: Any) -> tuple[float, ...]:
        """Raises ValueError."""
        given = list(value) if isinstance(value, (list, tuple)) else [value]
        if not 1 <= len(given) <= MOST:
            raise ValueError(f"{self.word} takes 1 to {MOST} coefficients of even powers of the angle")
        return tuple(parse_quantity(c, self.dimension(k)) for k, c in enumerate(given))

    def plain(self, coefficients: tuple[float, ...]) -> list[str]:
        return [format_quantity(c, self.dimension(k)) for k, c in enumerate(coefficients)]

    def __get_pydantic_core_schema__(self, source, handler) -> core_schema.CoreSchema:
        writing = core_schema.plain_serializer_function_ser_schema(self.plain, when_used="json")
        return core_schema.no_info_plain_validator_function(self.read, serialization=writing)

    def __get_pydantic_json_schema__(self, schema, handler) -> dict[str, Any]:
        item = {"anyOf": [{"type": "number"}, {"type": "string"}]}
        return {
            "anyOf": [{"type": "array", "minItems": 1, "maxItems": MOST, "items": item}, *item["anyOf"]],
            "description": f"coefficients of q⁰, q², q⁴ …, the first in {self.unit}/rad",
            "examples": [[self.dimension(0).example, self.dimension(1).example]],
        }


class TiltSpring(Entity):
    """Acts on the angle q between `axis`, fixed in the first side, and the line from the first side to the second.

    The torque k(q) q turns the line to the axis; the damping torque b(q) times its rate acts against any turn of it,
    about the axis too. k and b are even polynomials. Channels: `angle` (q, never negative), `angle.rate`, `direction`
    (unit vector in the first side's axes), `angle_x` and `angle_y` (signed, in the planes of z and x, and z and y).
    """

    kind: Literal["tilt_spring"] = "tilt_spring"
    between: Between
    axis: Direction | None = Field(None, description="world direction, as drawn; else the first side's z axis")
    stiffness: Annotated[tuple[float, ...], EvenPowers("stiffness", "N m")] = (0.0,)
    damping: Annotated[tuple[float, ...], EvenPowers("damping", "N m s")] = (0.0,)
    vertical: Direction | None = Field(
        None, description="world direction: stiffness is times (1 + cosine of its angle with the axis)/2; else constant"
    )

    @model_validator(mode="after")
    def _does_something(self):
        if not any(self.stiffness) and not any(self.damping):
            raise ValueError("needs 'stiffness' (for example [0.02 N m/rad, 5 N m/rad^3]) or 'damping'")
        return self


def build(spring: TiltSpring, builder) -> None:
    """An axis in one body, a point of another."""
    a, b = builder.two_sides(spring.between)
    if a.is_point:
        raise Refusal(f"'{a.label}' is {a.what} without axes; put the body with the axis first", "between", 0)
    axis = np.array(spring.axis) if spring.axis is not None else a.axes[:, 2]
    if np.linalg.norm(b.point - a.point) == 0.0:
        raise Refusal(
            f"'{a.label}' and '{b.label}' are drawn at the same point, so that there is no line between them; name a "
            "place further along the second body, such as {on: arm, at: [0, 0, 20 mm]}",
            "between",
            1,
        )
    vertical = np.zeros(3) if spring.vertical is None else np.array(spring.vertical)
    builder.add_tilt(spring, (a, b), axis, vertical, np.array(spring.stiffness), np.array(spring.damping))


KIND = Kind(
    "tilt_spring",
    "forces",
    TiltSpring,
    build,
    "a pivot that resists tilt in all directions alike, by even polynomials of the angle",
    {
        "name": "Pendulum in a rubber socket",
        "gravity": [0, 0, "-9.81 m/s^2"],
        "bodies": {
            "bob": {"kind": "point_mass", "mass": "0.1 kg", "at": ["30 mm", 0, "-0.2 m"], "velocity": [0, 1, 0]}
        },
        "joints": {"rod": {"kind": "distance", "between": ["ground", "bob"]}},
        "forces": {
            "socket": {
                "kind": "tilt_spring",
                "between": ["ground", "bob"],
                "axis": [0, 0, -1],
                "stiffness": ["0.05 N m/rad", "2 N m/rad^3"],
                "damping": "1e-3 N m s/rad",
            }
        },
        "simulate": {"duration": "1 s"},
    },
)
