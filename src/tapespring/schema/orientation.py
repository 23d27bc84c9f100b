"""Orientations in every common way of writing them, held as a unit quaternion (w, x, y, z), w ≥ 0, body to world.

[w, x, y, z]                              a quaternion
{axis: z, angle: 30 deg}                  a rotation about an axis
{euler: [10 deg, 0, 5 deg], order: zyx}   intrinsic rotations, in the order written
{matrix: [[…], […], […]]}                 columns are the body's axes in the world
{x: [1, 1, 0], z: z}                      two body axes as world directions; the first is kept, the second
                                          made perpendicular to it; with one axis alone, the shortest turn
"""

import math
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Discriminator, Field, Tag
from pydantic_core import core_schema

from .near_words import nearest
from .quantities import Angle, Number
from .vectors import AXES, Direction, Vec3, normalised

Quaternion = tuple[float, float, float, float]
Matrix3 = tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]

WAYS = "[w, x, y, z], {axis: z, angle: 30 deg}, {euler: [0, 0, 0], order: zyx}, {matrix: …} or {x: …, z: …}"
LARGEST_NON_ORTHOGONALITY = 1e-6
SMALLEST_ANGLE_BETWEEN_AXES = 1e-6  # rad


def canonical(q: Quaternion) -> Quaternion:
    """The unit quaternion of the same rotation with w ≥ 0 (for half turns: the first other component positive)."""
    if all(c == 0.0 for c in q):
        raise ValueError("quaternion is zero; [1, 0, 0, 0] is no rotation")
    w, x, y, z = normalised(q)
    leading = next(c for c in (w, x, y, z) if c != 0.0)
    return (w, x, y, z) if leading > 0.0 else (0.0 - w, 0.0 - x, 0.0 - y, 0.0 - z)


def product(p: Quaternion, q: Quaternion) -> Quaternion:
    """Hamilton product: the rotation q followed by p, both read in the world."""
    pw, px, py, pz = p
    qw, qx, qy, qz = q
    return (
        pw * qw - px * qx - py * qy - pz * qz,
        pw * qx + px * qw + py * qz - pz * qy,
        pw * qy - px * qz + py * qw + pz * qx,
        pw * qz + px * qy - py * qx + pz * qw,
    )


def about(axis: Vec3, angle: float) -> Quaternion:
    """Rotation by `angle` [rad] about the unit vector `axis`."""
    s = math.sin(0.5 * angle)
    return (math.cos(0.5 * angle), s * axis[0], s * axis[1], s * axis[2])


def from_matrix(m: Matrix3) -> Quaternion:
    """Shepperd's method: divide by the largest of the four components."""
    (a, b, c), (d, e, f), (g, h, i) = m
    candidates = [
        (1.0 + a + e + i, (1.0 + a + e + i, h - f, c - g, d - b)),
        (1.0 + a - e - i, (h - f, 1.0 + a - e - i, b + d, c + g)),
        (1.0 - a + e - i, (c - g, b + d, 1.0 - a + e - i, f + h)),
        (1.0 - a - e + i, (d - b, c + g, f + h, 1.0 - a - e + i)),
    ]
    return max(candidates)[1]


def dot(a: Vec3, b: Vec3) -> float:
    """Scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vec3, b: Vec3) -> Vec3:
    """Vector product."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


class _Way(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class AxisAngle(_Way):
    """A rotation by `angle` about `axis`."""

    axis: Direction
    angle: Angle

    def quaternion(self) -> Quaternion:
        return about(self.axis, self.angle)


class Euler(_Way):
    """Three intrinsic rotations (each about the axes already turned) in the order written."""

    euler: tuple[Angle, Angle, Angle]
    order: str = Field(description="axes turned about, one after another, such as zyx or zxz")

    def quaternion(self) -> Quaternion:
        letters = self.order.lower()
        valid = len(letters) == 3 and set(letters) <= set("xyz") and letters[0] != letters[1] != letters[2]
        if not valid:
            raise ValueError(f"order '{self.order}' is not a sequence of three axes such as zyx, xyz or zxz")
        q = (1.0, 0.0, 0.0, 0.0)
        for letter, angle in zip(letters, self.euler, strict=True):
            q = product(q, about(AXES[letter], angle))
        return q


class RotationMatrix(_Way):
    """A 3×3 matrix, given by rows, whose columns are the body's axes in the world."""

    matrix: tuple[tuple[Number, Number, Number], tuple[Number, Number, Number], tuple[Number, Number, Number]]

    def quaternion(self) -> Quaternion:
        columns = list(zip(*self.matrix, strict=True))
        off = max(abs(dot(columns[i], columns[j]) - (i == j)) for i in range(3) for j in range(3))
        if off > LARGEST_NON_ORTHOGONALITY:
            raise ValueError(f"matrix is not a rotation: its columns are not orthonormal (off by {off:.2g})")
        if dot(cross(columns[0], columns[1]), columns[2]) < 0.0:
            raise ValueError("matrix mirrors (determinant -1), a rotation does not; turn the sign of one column")
        return from_matrix(self.matrix)


class BodyAxes(_Way):
    """One or two body axes given as world directions; the first written is kept exactly."""

    directions: tuple[tuple[Literal["x", "y", "z"], Direction], ...]

    def quaternion(self) -> Quaternion:
        if len(self.directions) == 1:
            return shortest_turn(*self.directions[0])
        (first, a), (second, b) = self.directions
        along = dot(a, b)
        if math.hypot(*cross(a, b)) < SMALLEST_ANGLE_BETWEEN_AXES:
            raise ValueError(f"axes {first} and {second} are parallel; give two different directions")
        b = normalised((b[0] - along * a[0], b[1] - along * a[1], b[2] - along * a[2]))
        column: dict[str, Vec3] = {first: a, second: b}
        third = next(letter for letter in "xyz" if letter not in column)
        before, after = {"x": ("y", "z"), "y": ("z", "x"), "z": ("x", "y")}[third]
        column[third] = cross(column[before], column[after])
        x, y, z = column["x"], column["y"], column["z"]
        return from_matrix(((x[0], y[0], z[0]), (x[1], y[1], z[1]), (x[2], y[2], z[2])))


def shortest_turn(letter: str, direction: Vec3) -> Quaternion:
    """The smallest rotation that brings the body axis `letter` onto a world direction."""
    start = AXES[letter]
    if dot(start, direction) < -1.0 + 1e-12:  # half turn: any perpendicular axis serves; take the next one
        return (0.0, *AXES[{"x": "y", "y": "z", "z": "x"}[letter]])
    return (1.0 + dot(start, direction), *cross(start, direction))


def _shape(value: Any) -> str:
    if not isinstance(value, dict):
        return "<quaternion>"
    shapes = {"axis": "<axis>", "angle": "<axis>", "euler": "<euler>", "order": "<euler>", "matrix": "<matrix>"}
    return next((shapes[key] for key in value if key in shapes), "<axes>")


def _recognise(value: Any) -> Any:
    """Check the shape, and answer mistakes in it; the parts are checked by their own types."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        if len(value) != 4:
            raise ValueError(f"{list(value)!r} is not an orientation; write one of {WAYS}")
        return list(value)
    if not isinstance(value, dict):
        raise ValueError(f"{value!r} is not an orientation; write one of {WAYS}")
    parts = {"<axis>": ("axis", "angle"), "<euler>": ("euler", "order"), "<matrix>": ("matrix",)}
    expected = parts.get(_shape(value), ("x", "y", "z"))
    for key in value:
        if key not in expected:
            near = nearest(str(key), ["axis", "angle", "euler", "order", "matrix"])
            hint = f"did you mean '{near}'? " if near and near != key else ""
            raise ValueError(f"'{key}' does not belong in this orientation; {hint}write one of {WAYS}")
    if expected == ("x", "y", "z"):
        if len(value) not in (1, 2):
            raise ValueError("an orientation by axes has one or two of x, y and z, for example {x: [1, 1, 0], z: z}")
        return {"directions": tuple(value.items())}
    for key in expected:
        if key not in value:
            raise ValueError(f"orientation needs '{key}' too; write one of {WAYS}")
    return value


_AnyWay = Annotated[
    Annotated[tuple[Number, Number, Number, Number], Tag("<quaternion>")]
    | Annotated[AxisAngle, Tag("<axis>")]
    | Annotated[Euler, Tag("<euler>")]
    | Annotated[RotationMatrix, Tag("<matrix>")]
    | Annotated[BodyAxes, Tag("<axes>")],
    Discriminator(_shape),
    AfterValidator(lambda way: canonical(way.quaternion() if isinstance(way, _Way) else way)),
]


class _OrientationType:
    """The pydantic type: recognise the shape, read it, keep the quaternion."""

    def __get_pydantic_core_schema__(self, source, handler) -> core_schema.CoreSchema:
        ways = handler.generate_schema(_AnyWay)
        writing = core_schema.plain_serializer_function_ser_schema(list, when_used="json")
        return core_schema.no_info_before_validator_function(_recognise, ways, serialization=writing)

    def __get_pydantic_json_schema__(self, schema, handler) -> dict[str, Any]:
        return {
            "anyOf": [
                {"type": "array", "items": {"type": "number"}, "minItems": 4, "maxItems": 4},
                {"type": "object"},
            ],
            "description": f"orientation of the body in the world: {WAYS}",
            "examples": [{"axis": "z", "angle": "30 deg"}],
        }


Orientation = Annotated[Quaternion, _OrientationType()]
