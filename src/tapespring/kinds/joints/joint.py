"""What joints share: the fields users write, and the parts joints are made of.

A joint has a point and a frame (e1, e2, axis) on each side. Its rows hold chosen measures between them at zero:
a point onto a point, an axis along an axis, a frame onto a frame. Its coordinates are the measures left free.
"""

from __future__ import annotations

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from ...mechanics import tables as tb
from ...schema import units
from ...schema.entity import Entity
from ...schema.units import Dimension
from ...schema.vectors import Direction, Point
from ..frames import across, frame_about, shortest_turn
from ..references import Between
from ..refusal import Refusal

APART = 1e-9  # of the model's size: points this close are taken to coincide


class Joint(Entity):
    """Fields of every joint between two bodies."""

    between: Between
    at: Point | None = Field(None, description="the joint's point in the world, as drawn", examples=["[0, 0, 0]"])


class AxisJoint(Joint):
    """A joint with an axis."""

    axis: Direction | None = Field(None, description="direction in the world, as drawn; else z of each side's own axes")


class Initial(BaseModel):
    """Base of the initial values of a joint's coordinates."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class JointParts:
    """The two sides of a joint as drawn, and the rows and coordinates made from them."""

    def __init__(self, joint, builder, *, turns: bool = True):
        self.joint, self.builder, self.assembler = joint, builder, builder.assembler
        self.a, self.b = builder.two_sides(joint.between)
        self.rows: list[int] = []
        self.coordinates: dict = {}
        self.initial: list[tuple[str, str, str]] = []
        self.between_markers = self.a.is_marker and self.b.is_marker
        self.pa, self.pb = self._points(getattr(joint, "at", None))
        if turns:
            self._refuse_points()
        self.Fa, self.Fb = self._frames(getattr(joint, "axis", None))

    def _points(self, at) -> tuple[np.ndarray, np.ndarray]:
        if at is None:
            return self.a.point, self.b.point
        point = np.array(at)
        for side in (self.a, self.b):
            if side.is_point and np.linalg.norm(side.point - point) > APART * (1.0 + np.linalg.norm(point)):
                distance = np.linalg.norm(side.point - point)
                raise Refusal(
                    f"the joint is {distance:.6g} m from the {side.what[2:]} '{side.label}', which has no extent; "
                    "leave out 'at', or use a rigid body",
                    "at",
                )
        return point, point

    def _refuse_points(self) -> None:
        for k, side in enumerate((self.a, self.b)):
            if side.is_point:
                raise Refusal(
                    f"'{side.label}' is {side.what} and has no axes a {self.joint.kind} joint could hold; use a rigid "
                    "body, or a distance, spherical or point_on_line joint",
                    "between",
                    k,
                )

    def _frames(self, axis) -> tuple[np.ndarray, np.ndarray]:
        """(e1, e2, axis) on both sides; where the axes do not yet agree, b's frame is a's after the smallest turn."""
        if axis is not None:
            frame = frame_about(axis)
            return frame, frame
        return self.a.axes, shortest_turn(self.a.axes[:, 2], self.b.axes[:, 2]) @ self.a.axes

    # -- rows -------------------------------------------------------------------------------------------------------
    def row(self, measure: int, about: str, constant: float = 0.0) -> None:
        """Hold a measure at a constant."""
        self.rows.append(self.assembler.constrain(measure, self.joint.name, about, constant))

    def point(self) -> None:
        """The two points coincide."""
        for k, letter in enumerate("xyz"):
            e = np.eye(3)[k]
            self.row(
                self.assembler.measure(tb.ALONG_WORLD, self.a.node, self.b.node, self.pa, self.pb, e),
                f"{letter} position",
            )
        self.note_if_apart(np.linalg.norm(self.pb - self.pa), "its two points are drawn {:.6g} m apart")

    def cosine(self, e, f, about: str) -> None:
        """A direction of a stays across a direction of b."""
        self.row(self.assembler.measure(tb.COSINE, self.a.node, self.b.node, self.pa, self.pb, e1=e, f=f), about)

    def aligned(self) -> None:
        """The axes are parallel."""
        self.cosine(self.Fa[:, 0], self.Fb[:, 2], "turn about y")
        self.cosine(self.Fa[:, 1], self.Fb[:, 2], "turn about x")

    def attitude(self) -> None:
        """The frames are parallel; each row vanishes when they coincide."""
        for i, j, letter in ((0, 1, "z"), (1, 2, "x"), (2, 0, "y")):
            self.cosine(self.Fa[:, i], self.Fb[:, j], f"turn about {letter}")

    def along(self, k: int, about: str) -> None:
        """b's point keeps its distance along direction k of a's frame."""
        self.row(self.along_measure(k, self.pa), about)

    def on_axis(self) -> None:
        """b's point lies on a's axis."""
        self.along(0, "x position")
        self.along(1, "y position")
        d = self.pb - self.pa
        self.note_if_apart(
            np.linalg.norm(d - (d @ self.Fa[:, 2]) * self.Fa[:, 2]), "its point is drawn {:.6g} m off its axis"
        )

    def note_if_apart(self, distance: float | np.floating, words: str) -> None:
        """Tell of a drawing that has to be put together first."""
        if distance > APART * (1.0 + np.abs(self.pa).max()):
            self.builder.note(
                f"{words.format(distance)}; bodies are moved to close it. Give 'at' to keep them as drawn"
            )

    # -- coordinates ------------------------------------------------------------------------------------------------
    def along_measure(self, k: int, origin) -> int:
        return self.assembler.measure(tb.ALONG, self.a.node, self.b.node, origin, self.pb, self.Fa[:, k])

    def position(self, label: str = "position", k: int = 2) -> None:
        """Travel of b's point along direction k of a: zero as drawn, or from marker a to marker b."""
        origin = self.pa
        if not self.between_markers:
            e = self.Fa[:, k]
            origin = self.pa + ((self.pb - self.pa) @ e) * e
        self.coordinate(label, self.along_measure(k, origin), units.LENGTH)

    def angle(self, label: str = "angle") -> None:
        """Turn of b about a's axis: zero as drawn, or from marker a's x axis to marker b's."""
        f = self.Fb[:, 0]
        if self.between_markers and getattr(self.joint, "axis", None) is None:
            f = self.b.axes[:, 0]
        self.turn(label, self.a.node, self.b.node, self.Fa[:, 0], self.Fa[:, 1], f)

    def turn(self, label: str, a: int, b: int, e1, e2, f) -> None:
        """An angle from e1 (towards e2) on node a to f on node b."""
        self.coordinate(label, self.assembler.measure(tb.ANGLE, a, b, self.pa, self.pb, e1, e2, f), units.ANGLE)

    def coordinate(self, label: str, measure: int, dimension: Dimension) -> None:
        """Name a measure, and have its history written out."""
        self.assembler.measures[measure].label = f"{self.joint.name}.{label}"
        self.assembler.track(measure)
        self.coordinates[label] = (measure, dimension)

    def start(self, label: str, value: float | None, rate: float | None) -> None:
        """Where a coordinate starts, as far as the user said."""
        if value is not None or rate is not None:
            self.builder.add_initial(self.coordinates[label][0], value, rate, f"{self.joint.name}.{label}")

    def rub(self, friction, labels: dict[str, float], arm: float = 1.0) -> None:
        """Friction along coordinates, each times its scale; arm: of friction that a coefficient gives."""
        if friction is None:
            return
        first = next(iter(labels))
        turns = self.coordinates[first][1] is units.ANGLE and labels[first] == 1.0
        law = friction.law(arm, self.builder.usual_weight(), self.inertia(turns))
        measures = [(self.coordinates[label][0], scale) for label, scale in labels.items()]
        rows = self.rows if friction.by_reaction else []
        self.builder.add_grip(self, measures, rows, law)

    def rub_pin(self, friction, label: str, axis) -> None:
        """Friction of one of several pins, about its axis."""
        law = friction.law(friction.radius or 1.0, self.builder.usual_weight(), self.inertia(True, axis))
        rows = self.rows if friction.by_reaction else []
        self.builder.add_grip(self, [(self.coordinates[label][0], 1.0)], rows, law, axis=axis, of=label)

    def rub_ball(self, friction) -> None:
        """Friction against all turns. Raises Refusal."""
        if friction is None:
            return
        if friction.length:
            raise Refusal("a ball bears no moments that a 'length' would tell of; leave it out", "friction", "length")
        self._refuse_points()
        law = friction.law(friction.radius or 1.0, self.builder.usual_weight(), self.inertia(True))
        rows = self.rows if friction.by_reaction else []
        place = self.assembler.rows[self.rows[0]].terms[0][0]
        self.builder.add_grip(self, [], rows, law, place=place)

    def inertia(self, turns: bool, axis=None) -> float:
        """What the two bodies alone would turn with about the axis, or slide with along it [kg m² or kg]."""
        gives, n = 0.0, self.Fa[:, 2] if axis is None else axis
        for side, point in ((self.a, self.pa), (self.b, self.pb)):
            node = self.assembler.nodes[side.node]
            if node.kind in (tb.POINT, tb.FRAME):
                arm = np.cross(n, point - node.x)
                own = float(n @ node.inertia @ n + node.mass * (arm @ arm)) if turns else float(node.mass)
                gives += 1.0 / own if own > 0.0 else np.inf
        return 1.0 / gives if gives > 0.0 else 0.0

    def finish(self) -> None:
        """Enter the joint in the catalogue."""
        self.builder.add_joint(self)


def perpendicular_pair(u, w, fields: tuple[str, str]) -> np.ndarray:
    """The part of w across u, of length 1. Raises Refusal when they are parallel."""
    if np.linalg.norm(np.cross(u, w)) < 1e-6:
        raise Refusal(f"{fields[0]} and {fields[1]} are parallel; give two perpendicular directions", fields[1])
    return across(w, u)
