"""Simple shapes, centred on the centre of mass: their volume [m³] and inertia per unit of mass [m²]."""

from math import pi
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, SerializerFunctionWrapHandler, model_serializer, model_validator

from ...schema.quantities import PositiveLength
from ...schema.vectors import Direction
from ..frames import frame_about

Z = (0.0, 0.0, 1.0)
Sizes = Annotated[tuple[PositiveLength, PositiveLength, PositiveLength], Field(examples=["[0.2 m, 0.1 m, 0.05 m]"])]


class Shape(BaseModel):
    """Base of the shapes."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True, validate_default=True)

    kind: str

    @model_serializer(mode="wrap")
    def _keep_kind(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """`kind` is a default of its class, yet a file cannot be read without it."""
        return {"kind": self.kind} | handler(self)

    def volume(self) -> float:
        """m³"""
        raise NotImplementedError

    def inertia(self) -> np.ndarray:
        """Inertia tensor of 1 kg about the centre, body axes [m²]."""
        raise NotImplementedError


class Box(Shape):
    """A block with edges along the body's axes."""

    kind: Literal["box"] = "box"
    size: Sizes

    def volume(self) -> float:
        return self.size[0] * self.size[1] * self.size[2]

    def inertia(self) -> np.ndarray:
        x, y, z = np.square(self.size)
        return np.diag([y + z, z + x, x + y]) / 12.0


class Cylinder(Shape):
    """A solid round bar."""

    kind: Literal["cylinder"] = "cylinder"
    radius: PositiveLength
    length: PositiveLength
    axis: Direction = Z

    def volume(self) -> float:
        return pi * self.radius**2 * self.length

    def inertia(self) -> np.ndarray:
        return round_bar(self.radius**2, self.length, self.axis)


class Tube(Shape):
    """A round bar with a bore."""

    kind: Literal["tube"] = "tube"
    outer_radius: PositiveLength
    inner_radius: PositiveLength
    length: PositiveLength
    axis: Direction = Z

    @model_validator(mode="after")
    def _has_a_wall(self):
        if self.inner_radius >= self.outer_radius:
            raise ValueError(f"inner_radius {self.inner_radius:g} m must be below outer_radius {self.outer_radius:g} m")
        return self

    def volume(self) -> float:
        return pi * (self.outer_radius**2 - self.inner_radius**2) * self.length

    def inertia(self) -> np.ndarray:
        return round_bar(self.outer_radius**2 + self.inner_radius**2, self.length, self.axis)


class Sphere(Shape):
    """A solid ball."""

    kind: Literal["sphere"] = "sphere"
    radius: PositiveLength

    def volume(self) -> float:
        return 4.0 / 3.0 * pi * self.radius**3

    def inertia(self) -> np.ndarray:
        return 0.4 * self.radius**2 * np.eye(3)


class Ellipsoid(Shape):
    """A solid ellipsoid with semi-axes along the body's axes."""

    kind: Literal["ellipsoid"] = "ellipsoid"
    semi_axes: Sizes

    def volume(self) -> float:
        return 4.0 / 3.0 * pi * self.semi_axes[0] * self.semi_axes[1] * self.semi_axes[2]

    def inertia(self) -> np.ndarray:
        x, y, z = np.square(self.semi_axes)
        return np.diag([y + z, z + x, x + y]) / 5.0


def round_bar(radii_squared: float, length: float, axis) -> np.ndarray:
    """Inertia of 1 kg of a round bar or tube; `radii_squared` is r², or the sum of both radii squared."""
    along, over = radii_squared / 2.0, radii_squared / 4.0 + length**2 / 12.0
    frame = frame_about(axis)
    tensor = frame @ np.diag([over, over, along]) @ frame.T
    return np.where(np.abs(tensor) < 1e-15 * over, 0.0, 0.5 * (tensor + tensor.T))


AnyShape = Annotated[Box | Cylinder | Tube | Sphere | Ellipsoid, Field(discriminator="kind")]
