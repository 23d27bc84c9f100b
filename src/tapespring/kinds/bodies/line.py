"""What beams and cables share: fields, markers along them, damping."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

from ...schema.entity import Entity, Name
from ...schema.orientation import Orientation
from ...schema.quantities import NonNegativeLineDamping, NonNegativeRate, NonNegativeTime
from ...schema.vectors import AngularVelocity, Point, Velocity
from ..paths.any_path import AnyPath
from ..paths.course import Course, Mesh
from ..references import NO_TURN
from ..refusal import Refusal
from ..stations import AlongBody

ZERO = (0.0, 0.0, 0.0)
MOST_ELEMENTS = 100_000
TINY = 0.02  # of an element: a span this short deserves a word


class LineMarker(BaseModel):
    """A station, a point beside it and axes there, both in section axes."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    at: AlongBody
    offset: Point = ZERO
    orientation: Orientation = NO_TURN


def read_marker(value: Any) -> Any:
    """A bare station is short for `{at: station}`."""
    return value if isinstance(value, (dict, LineMarker)) else {"at": value}


_MARKER = {
    "anyOf": [{"type": "number"}, {"type": "string"}, {"type": "object"}],
    "description": "'0.3 m' or '25 %' from the start, or {at: …, offset: [x, y, z], orientation: …} in section axes",
}
LineMarkers = Annotated[
    dict[Name, Annotated[LineMarker, BeforeValidator(read_marker), WithJsonSchema(_MARKER)]],
    Field(description="named stations; 'start' and 'end' are there already", examples=["{mid: 50 %}"]),
]


class LineDamping(BaseModel):
    """Rayleigh damping by `stiffness` [s] and `mass` [1/s], and a `viscous` resistance per length [N s/m²]."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    stiffness: NonNegativeTime = Field(0.0, examples=["1e-4 s"])
    mass: NonNegativeRate = Field(0.0, examples=["0.1 1/s"])
    viscous: NonNegativeLineDamping = Field(0.0, examples=["0.02 N s/m^2"])


class LineBody(Entity):
    """Fields of beams and cables."""

    path: AnyPath
    elements: int = Field(
        10, ge=1, le=MOST_ELEMENTS, strict=True,
        description="at least so many; none is longer than the length divided by this", examples=[20],
    )  # fmt: skip
    markers: LineMarkers = Field({})
    damping: LineDamping = Field(LineDamping.model_validate({}), examples=["{stiffness: 1e-4 s, mass: 0.1 1/s}"])
    velocity: Velocity = Field(ZERO, description="of the start, world axes; the body moves as if rigid at first")
    angular_velocity: AngularVelocity = Field(ZERO, description="world axes")


def course_of(body, up=None, twist: float = 0.0) -> Course:
    """The path with its frames. Raises Refusal."""
    try:
        return Course(body.path.pieces(), up, twist)
    except ValueError as error:
        raise Refusal(str(error), "up") from error


def meshed(body, course: Course, builder) -> Mesh:
    """Elements with nodes at markers and wherever other parts of the model hold on. Raises Refusal."""
    wanted = []
    for name, marker in body.markers.items():
        if name in ("start", "end"):
            raise Refusal(f"'{name}' is the name of the body's own {name}; choose another", "markers", name)
        with builder.at_field("markers", name):
            wanted.append(marker.at.along(course.length))
    for station in builder.wanted.get(body.name, ()):
        try:
            wanted.append(station.along(course.length))
        except ValueError:
            continue  # refused where it is written
    mesh = course.mesh(body.elements, wanted)
    if mesh.lengths.min() < TINY * course.length / body.elements:
        k = int(np.argmin(mesh.lengths))
        builder.note(
            f"an element of {mesh.lengths[k]:.3g} m at {mesh.stations[k]:.6g} m, for two stations (markers, corners or "
            "places others refer to) nearly coincide; it makes the model stiff. Move one onto the other"
        )
    return mesh


def motion_at(body, points: np.ndarray, origin: np.ndarray) -> np.ndarray:
    """Initial velocities of points, moving as if rigid."""
    return np.array(body.velocity) + np.cross(np.array(body.angular_velocity), points - origin)


def halved(of_elements: np.ndarray) -> np.ndarray:
    """To each node half of what its elements have."""
    share = np.zeros(len(of_elements) + 1)
    share[:-1] += 0.5 * of_elements
    share[1:] += 0.5 * of_elements
    return share
