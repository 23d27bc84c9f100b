"""The part of a builder that finds what kinds name: bodies, places on them, coordinates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..kinds.frames import rotation_matrix
from ..kinds.meshes.shares import side_shares
from ..kinds.meshes.sides import sides_of
from ..kinds.references import Placed
from ..kinds.refusal import AlreadyRefused, Refusal
from ..kinds.stations import Station
from ..mechanics import tables as tb
from ..schema import units
from ..schema.near_words import advice, nearest
from . import catalogue as cat
from .assembler import Assembler

POSITIONS = {"x": 0, "y": 1, "z": 2}
CHANNELS_OF_THE_WHOLE = ("energy", "system")  # of results


@dataclass(frozen=True)
class Side:
    """A place on a body, as drawn: what a joint, force or event holds on to."""

    node: int
    point: np.ndarray
    axes: np.ndarray
    label: str
    is_marker: bool = False  # named or placed by the user, not a body as a whole
    is_point: bool = False  # on a point mass or cable, without axes
    is_free: bool = False  # can move by itself
    what: str = "a body"  # in messages: a point mass, a point of a cable
    normal: np.ndarray | None = None  # of a surface there


@dataclass(frozen=True)
class Watched:
    """What an event watches."""

    name: str
    measure: int
    of_rate: bool
    dimension: units.Dimension


def what_is(body: cat.BodyEntry) -> str:
    """A body in the words of a message."""
    words = {"ground": "ground", "point_mass": "a point mass", "moving_frame": "a moving frame"}
    return words.get(body.kind, f"a {body.kind}" if body.kind in ("cable", "cord") else f"a {body.kind} body")


def places_on(body: cat.BodyEntry) -> str:
    """How to refer to a place on a flexible body."""
    if body.mesh is not None:
        single = [f"'{body.name}.{name}'" for name, nodes in body.mesh.groups.items() if len(nodes) == 1]
        return f"{', '.join([*single[:4], ''])}or {{on: {body.name}, at: [x, y, z]}} for the node there"
    marked = ", ".join(f"'{body.name}.{name}'" for name in list(body.markers)[:8])
    if body.line is None:
        return f"{marked} …"
    return f"{marked} or {{on: {body.name}, at: {body.line.length / 2.0:.3g} m}} (or at: '50 %')"


def group_shares(mesh: cat.MeshEntry, name: str) -> np.ndarray:
    """Length or area around each node of a group that is an edge or a face; else all alike."""
    nodes = mesh.grid.group(name)
    parts = np.zeros(len(mesh.points))
    for sides in sides_of(mesh.grid, name).values():
        np.add.at(parts, sides, side_shares(mesh.points[sides]))
    return parts[nodes] if parts[nodes].sum() > 0.0 else np.ones(len(nodes))


class Finding:
    """Needs what a Builder has."""

    assembler: Assembler
    catalogue: cat.Catalogue
    refused: set[str]
    model: Any
    at_field: Callable

    # -- places -----------------------------------------------------------------------------------------------------
    def body(self, name: str, *field: str | int) -> cat.BodyEntry:
        """A body by its name. Raises Refusal."""
        if name in self.catalogue.bodies:
            return self.catalogue.bodies[name]
        if name in self.refused:
            raise AlreadyRefused
        section = self.model.section_of(name)
        if section:
            raise Refusal(f"'{name}' stands under '{section}', but a body is wanted here", *field)
        raise Refusal(f"unknown body '{name}'{advice(name, self.catalogue.bodies, 'bodies:')}", *field)

    def side(self, reference: str | Placed, *field: str | int) -> Side:
        """The place a reference means, as drawn. Raises Refusal."""
        if isinstance(reference, Placed):
            return self._placed_side(reference, field)
        name, _, marker = reference.partition(".")
        body = self.body(name, *field)
        if not marker:
            if body.is_flexible:
                raise Refusal(f"'{name}' is flexible, so say where on it: {places_on(body)}", *field)
            return self._side(body, body.node, body.point, body.axes, name, is_marker=False)
        if body.mesh is not None:
            nodes = self.group(body, marker, *field)
            if len(nodes) > 1:
                raise Refusal(
                    f"'{reference}' has {len(nodes)} nodes, but one place is wanted here; use a support or "
                    f"spread_load, attach the group to a body, or write {{on: {name}, at: [x, y, z]}} for one node",
                    *field,
                )
            return self.mesh_side(body, int(nodes[0]), reference)
        if marker not in body.markers:
            hint = advice(marker, body.markers, "markers:") or "; it has none"
            raise Refusal(f"body '{name}' has no marker '{marker}'{hint}", *field)
        found = body.markers[marker]
        return self._side(body, found.node, found.point, found.axes, reference, is_marker=True)

    def _placed_side(self, reference: Placed, field) -> Side:
        """A point in the axes of a rigid body, or a station of a beam or cable."""
        body = self.body(reference.on, *field, "on")
        node, point, axes, label = body.node, body.point, body.axes, body.name
        if isinstance(reference.at, Station):
            node, point, axes = self.station(body, reference.at, *field, "at")
            shift, where, label = reference.offset, "offset", f"{body.name} at {reference.at}"
        else:
            shift, where = reference.at, "at"
            if body.mesh is not None:
                return self.mesh_side(body, self.node_at(body, reference, *field), label)
            if body.is_flexible:
                raise Refusal(f"'{body.name}' is flexible, so say where along it: {places_on(body)}", *field, "at")
            if any(reference.offset):
                raise Refusal("'offset' goes with a station of a beam; here 'at' says it all", *field, "offset")
        if self.assembler.nodes[node].kind == tb.POINT and any(shift):
            raise Refusal(f"'{body.name}' is {what_is(body)} and has no other points; use a rigid body", *field, where)
        turned = axes @ rotation_matrix(reference.orientation)
        return self._side(body, node, point + axes @ np.array(shift), turned, label, is_marker=True)

    def group(self, body: cat.BodyEntry, name: str, *field: str | int) -> np.ndarray:
        """Nodes of a mesh's group. Raises Refusal."""
        assert body.mesh is not None
        try:
            return body.mesh.grid.group(name)
        except Refusal as refusal:
            raise Refusal(f"'{body.name}': {refusal}", *field) from refusal

    def mesh_side(self, body: cat.BodyEntry, k: int, label: str) -> Side:
        """A node of a mesh."""
        assert body.mesh is not None
        side = self._side(body, int(body.mesh.nodes[k]), body.mesh.points[k], np.eye(3), label, is_marker=True)
        return replace(side, normal=None if body.mesh.normals is None else body.mesh.normals[k])

    def node_at(self, body: cat.BodyEntry, reference: Placed, *field: str | int) -> int:
        """The node of a mesh at a point of the world. Raises Refusal."""
        assert body.mesh is not None
        if any(reference.offset) or reference.orientation != (1.0, 0.0, 0.0, 0.0):
            raise Refusal("a node of a mesh has neither 'offset' nor 'orientation'", *field, "offset")
        distance = np.linalg.norm(body.mesh.points - np.array(reference.at), axis=1)
        k = int(np.argmin(distance))
        if distance[k] > 1e-6 * float(np.linalg.norm(np.ptp(body.mesh.points, axis=0))):
            where = ", ".join(f"{x:.6g}" for x in body.mesh.points[k])
            raise Refusal(f"'{body.name}' has no node there; the nearest is at [{where}] m", *field, "at")
        return k

    def sides(self, reference, *field: str | int) -> list[Side]:
        """Every place a reference means: the nodes of a group, or one. Raises Refusal."""
        if isinstance(reference, str):
            name, _, marker = reference.partition(".")
            body = self.body(name, *field)
            if body.mesh is not None:
                chosen = self.group(body, marker, *field) if marker else range(len(body.mesh.nodes))
                return [self.mesh_side(body, int(k), f"{reference}[{int(k)}]") for k in chosen]
        return [self.side(reference, *field)]

    def shares(self, reference, *field: str | int) -> list[tuple[Side, float]]:
        """(place, part of the whole) of every node a reference means. Raises Refusal."""
        sides = self.sides(reference, *field)
        if len(sides) == 1:
            return [(sides[0], 1.0)]
        name, _, marker = reference.partition(".")
        body = self.body(name, *field)
        assert body.mesh is not None
        parts = group_shares(body.mesh, marker) if marker else body.mesh.shares
        return [(side, float(part)) for side, part in zip(sides, parts / parts.sum(), strict=True)]

    def station(self, body: cat.BodyEntry, station: Station, *field: str | int) -> tuple[int, np.ndarray, np.ndarray]:
        """(node, point, section axes) at a station of a beam or cable. Raises Refusal."""
        if body.line is None:
            raise Refusal(f"'{body.name}' is {what_is(body)}: write at: [x, y, z] in its own axes", *field)
        with self.at_field(*field):
            s = station.along(body.line.length)
        k = int(np.argmin(np.abs(body.line.stations - s)))
        return body.line.nodes[k], body.line.points[k], body.line.axes[k]

    def _side(self, body: cat.BodyEntry, node: int, point, axes, label: str, is_marker: bool) -> Side:
        kind = self.assembler.nodes[node].kind
        free = kind in (tb.POINT, tb.FRAME)
        return Side(node, point, axes, label, is_marker, kind == tb.POINT, free, what_is(body))

    def two_sides(self, between) -> tuple[Side, Side]:
        """Both sides of a joint or force, on different bodies of which one can move. Raises Refusal."""
        a, b = (self.side(reference, "between", k) for k, reference in enumerate(between))
        if a.node == b.node == 0:
            raise Refusal(
                "both sides are ground, which does not move; name a body",
                "between",
            )
        if a.node == b.node:
            name = self.assembler.nodes[a.node].label
            raise Refusal(f"both sides are on '{name}'; name two different bodies or stations", "between")
        if not a.is_free and not b.is_free:
            raise Refusal(f"neither '{a.label}' nor '{b.label}' can move freely; name a body with mass", "between")
        return a, b

    def carrier(self, reference, point, near: float, *field: str | int) -> int:
        """The node of another body that a place belongs to from now on. Raises Refusal."""
        name, _, place = (reference.on, "", "at") if isinstance(reference, Placed) else reference.partition(".")
        body = self.body(name, *field)
        if place:
            self.sides(reference, *field)  # refuses a place that is not there
        if body.line is not None and body.line.is_flexible:
            node = body.line.nodes[int(np.argmin(np.linalg.norm(body.line.points - point, axis=1)))]
        elif body.mesh is not None and body.mesh.is_flexible:
            node = int(body.mesh.nodes[int(np.argmin(np.linalg.norm(body.mesh.points - point, axis=1)))])
        else:
            node = body.node
        draft = self.assembler.nodes[node]
        distance = float(np.linalg.norm(draft.x - point))
        if draft.kind == tb.POINT and distance > near:
            raise Refusal(
                f"the nearest node of '{name}' is {distance:.4g} m away and cannot carry anything beside it, for it "
                "does not turn; make their nodes coincide",
                *field,
            )
        return node

    # -- coordinates ------------------------------------------------------------------------------------------------
    def coordinate(self, name: str, *field: str | int) -> cat.Coordinate:
        """A coordinate by `joint` (if it has one only) or `joint.coordinate`. Raises Refusal."""
        owner, _, label = name.partition(".")
        known = {c.owner for c in self.catalogue.coordinates.values()} | set(self.catalogue.joints)
        if owner not in known:
            if owner in self.refused:
                raise AlreadyRefused
            section = self.model.section_of(owner)
            if section:
                raise Refusal(f"'{owner}' stands under '{section}' and has no coordinate to use here", *field)
            if label and owner in CHANNELS_OF_THE_WHOLE:
                raise Refusal(
                    f"'{name}' is found only after a step, and cannot be watched or used here; take a coordinate of a "
                    "joint or the place of a body, and look at it in the results",
                    *field,
                )
            raise Refusal(f"unknown joint '{owner}'{advice(owner, known, 'joints:') or '; add it'}", *field)
        labels = [c.label for c in self.catalogue.coordinates_of(owner)]
        if not labels:
            kind = self.catalogue.joints[owner].kind
            raise Refusal(f"joint '{owner}' ({kind}) has no coordinate", *field)
        if not label and len(labels) > 1:
            raise Refusal(
                f"joint '{owner}' has several coordinates; write {owner}.{f' or {owner}.'.join(labels)}", *field
            )
        if label and label not in labels:
            raise Refusal(f"'{owner}' has no coordinate '{label}'{advice(label, labels, 'it has')}", *field)
        return self.catalogue.coordinates[f"{owner}.{label or labels[0]}"]

    def watched(self, name: str, *field: str | int) -> Watched:
        """`hinge.angle[.rate]`, `bob.position.z`, `arm.tip.velocity.x` … as a measure or its rate. Raises Refusal."""
        parts = name.split(".")
        if len(parts) >= 3 and parts[-2] in ("position", "velocity") and parts[-1] in POSITIONS:
            side = self.side(".".join(parts[:-2]), *field)
            e = np.eye(3)[POSITIONS[parts[-1]]]
            beside = side.point * (1.0 - e)  # any ground point at level 0 serves; this one lies in the model's plane
            measure = self.assembler.measure(tb.ALONG_WORLD, 0, side.node, beside, side.point, e, label=name)
            of_rate = parts[-2] == "velocity"
            return Watched(name, measure, of_rate, units.SPEED if of_rate else units.LENGTH)
        of_rate = parts[-1] == "rate" and len(parts) > 1
        if parts[0] in self.catalogue.bodies:
            near = nearest(parts[1], ["position", "velocity"]) if len(parts) > 1 else None
            example = f"{parts[0]}.{near or 'position'}.z"
            raise Refusal(
                f"'{name}' cannot be watched; a body has positions and velocities such as '{example}'", *field
            )
        if parts[0] in self.catalogue.tilts:
            return self._watched_tilt(parts, of_rate, *field)
        found = self.coordinate(".".join(parts[:-1] if of_rate else parts), *field)
        rates = {units.LENGTH: units.SPEED, units.ANGLE: units.ANGULAR_RATE}
        return Watched(name, found.measure, of_rate, rates[found.dimension] if of_rate else found.dimension)

    def _watched_tilt(self, parts: list[str], of_rate: bool, *field: str | int) -> Watched:
        """The angle of a force against tilt, or its rate. Raises Refusal."""
        name = ".".join(parts)
        if parts[1:] not in ([], ["angle"], ["angle", "rate"]):
            raise Refusal(f"'{name}' cannot be watched; write {parts[0]}.angle or {parts[0]}.angle.rate", *field)
        dimension = units.ANGULAR_RATE if of_rate else units.ANGLE
        return Watched(name, self.catalogue.tilts[parts[0]].measure, of_rate, dimension)

    def drawn_value(self, measure: int) -> float:
        """Value of a measure as drawn [m or rad]."""
        m = self.assembler.measures[measure]
        if m.kind == tb.COSINE:
            return float(m.e1 @ m.f)
        if m.kind == tb.ANGLE:
            return float(np.arctan2(m.f @ m.e2, m.f @ m.e1))
        d = m.pb - m.pa
        if m.kind == tb.TILT:
            return float(np.arctan2(np.linalg.norm(np.cross(m.e1, d)), m.e1 @ d))
        return float(np.linalg.norm(d) if m.kind == tb.LENGTH else m.e1 @ d)

    def drawn_rate(self, length: int) -> float:
        """Rate of a length by the velocities its bodies are given [m/s]."""
        m = self.assembler.measures[length]
        along, moves = (m.pb - m.pa) / np.linalg.norm(m.pb - m.pa), np.zeros(3)
        for n, point, sign in ((m.a, m.pa, -1.0), (m.b, m.pb, 1.0)):
            node = self.assembler.nodes[n]
            moves += sign * (node.v + np.cross(node.w, point - node.x))
        return float(along @ moves)

    def start_value(self, measure: int) -> float:
        """Value of a measure at the start: as the user said, or as drawn."""
        said = [i.value for i in self.catalogue.initial if i.measure == measure and i.value is not None]
        return said[0] if said else self.drawn_value(measure)
