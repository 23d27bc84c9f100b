"""From a model to an assembler and a catalogue: each entity is built by its kind, all mistakes are told together.

The builder is what kinds see: it finds the places and coordinates they name, turns functions into laws, and enters what
they made under its name.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ..cells.tables import CellsDraft, PressureDraft
from ..kinds.frames import rotation_matrix
from ..kinds.laws.forms import Form, PolynomialForm
from ..kinds.laws.of_time import form_of_time
from ..kinds.meshes.shares import side_shares
from ..kinds.meshes.sides import sides_of
from ..kinds.references import Placed, stations_wanted
from ..kinds.refusal import AlreadyRefused, Refusal
from ..kinds.registry import SECTIONS, kinds
from ..kinds.stations import Station
from ..mechanics import tables as tb
from ..schema import units
from ..schema.near_words import advice, nearest
from ..schema.problems import ModelError, Problem
from . import catalogue as cat
from .assembler import (
    Assembler,
    BarDraft,
    BeamDraft,
    BushingDraft,
    CrowdDraft,
    DragDraft,
    LoadDraft,
    NodeDraft,
    SurfaceDraft,
)

POSITIONS = {"x": 0, "y": 1, "z": 2}
FORCE_UNIT = {units.LENGTH: "N", units.ANGLE: "N m"}


def build(model, base_dir=None, duration: float | None = None) -> tuple[Assembler, cat.Catalogue]:
    """Build a model for a run of `duration` [s]; files and modules are looked for in `base_dir`. Raises ModelError."""
    builder = Builder(model, base_dir, duration)
    problems = builder.run()
    if problems:
        raise ModelError(problems)
    return builder.assembler, builder.catalogue


def problems_in(
    model, base_dir=None, duration: float | None = None, already=frozenset()
) -> tuple[list[Problem], list[str]]:
    """(problems, notes) of a model, without compiling anything; names in `already` were refused before."""
    builder = Builder(model, base_dir, duration, dry=True, refused=already)
    return builder.run(), builder.catalogue.notes


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
    words = {"ground": "ground", "point_mass": "a point mass", "cable": "a cable", "moving_frame": "a moving frame"}
    return words.get(body.kind, f"a {body.kind} body")


def places_on(body: cat.BodyEntry) -> str:
    """How to refer to a place on a flexible body."""
    if body.mesh is not None:
        single = [f"'{body.name}.{name}'" for name, nodes in body.mesh.groups.items() if len(nodes) == 1]
        return f"{', '.join([*single[:4], ''])}or {{on: {body.name}, at: [x, y, z]}} for the node there"
    assert body.line is not None
    marked = ", ".join(f"'{body.name}.{name}'" for name in body.markers)
    return f"{marked} or {{on: {body.name}, at: {body.line.length / 2.0:.3g} m}} (or at: '50 %')"


def group_shares(mesh: cat.MeshEntry, name: str) -> np.ndarray:
    """Length or area around each node of a group that is an edge or a face; else all alike."""
    nodes = mesh.grid.group(name)
    parts = np.zeros(len(mesh.points))
    for sides in sides_of(mesh.grid, name).values():
        np.add.at(parts, sides, side_shares(mesh.points[sides]))
    return parts[nodes] if parts[nodes].sum() > 0.0 else np.ones(len(nodes))


class Builder:
    """Collects nodes, measures, rows, laws and forces of one model; `dry` checks without compiling."""

    def __init__(self, model, base_dir=None, duration=None, *, dry: bool = False, refused=frozenset()):
        self.model = model
        self.base_dir = Path(base_dir if base_dir is not None else model.folder)
        self.duration = duration
        self.dry = dry
        self.assembler = Assembler(model.gravity)
        self.catalogue = cat.Catalogue()
        self.catalogue.bodies["ground"] = cat.BodyEntry("ground", "ground", 0, np.zeros(3), np.eye(3))
        self.refused: set[str] = set(refused)
        self.entity: Any = None
        self.wanted: dict[str, list[Station]] = {}  # stations of beams and cables where a node has to be
        for section in SECTIONS:
            for entity in model.section(section).values():
                for name, station in stations_wanted(entity):
                    self.wanted.setdefault(name, []).append(station)

    def run(self) -> list[Problem]:
        """Build every entity; returns what is wrong."""
        problems = []
        for section in SECTIONS:
            entities = sorted(self.model.section(section).values(), key=lambda e: kinds()[e.kind].stage)
            for entity in entities:
                self.entity = entity
                try:
                    kinds()[entity.kind].build(entity, self)
                except AlreadyRefused:
                    self.refused.add(entity.name)
                except Refusal as refusal:
                    self.refused.add(entity.name)
                    problems.append(self.model.problem((section, entity.name, *refusal.field), str(refusal)))
        if not problems and not self.refused and len(self.assembler.nodes) == 1:
            problems.append(self.model.problem(("bodies",), "the model has no bodies; add one, such as a point_mass"))
        return problems

    def note(self, message: str) -> None:
        """Tell the user something about the entity being built that is no mistake."""
        self.catalogue.notes.append(f"{self.entity.kind} '{self.entity.name}': {message}")

    @contextmanager
    def at_field(self, *field: str | int) -> Iterator[None]:
        """Errors inside concern a field of the entity being built."""
        try:
            yield
        except Refusal:
            raise
        except (ValueError, OSError, ImportError, SyntaxError) as error:
            raise Refusal(str(error), *field) from error

    # -- bodies -----------------------------------------------------------------------------------------------------
    def frame_node(self, label, x, R, mass, inertia, v, w) -> int:
        """A free node with rotation; inertia about it [kg m²], v and w in world axes."""
        return self.assembler.node(NodeDraft(tb.FRAME, label, x, R, mass, inertia, v, w))

    def point_node(self, label, x, mass, v) -> int:
        """A free node without rotation."""
        return self.assembler.node(NodeDraft(tb.POINT, label, x, np.eye(3), mass, v=v))

    def moving_node(self, label, x, R, by_pose, axes, turns, laws, spin) -> int:
        """A node that follows laws of time: of position and turns, or of velocities in its own axes."""
        motion = self.assembler.motion(R, axes, turns, laws, spin)
        kind = tb.MOVING_POSE if by_pose else tb.MOVING_TWIST
        return self.assembler.node(NodeDraft(kind, label, x, R, motion=motion))

    def add_body(self, body, node: int, point, axes, markers) -> None:
        """Enter a body with its markers."""
        placed = {
            name: cat.MarkerEntry(name, point + axes @ np.array(m.at), axes @ rotation_matrix(m.orientation), node)
            for name, m in markers.items()
        }
        self.catalogue.bodies[body.name] = cat.BodyEntry(body.name, body.kind, node, point, axes, placed)

    def add_line(self, body, mesh, nodes: list[int], elements: list[int]) -> None:
        """Enter a beam or cable: its nodes (all the same if it is rigid), ends and markers."""
        ends = np.stack((mesh.first, mesh.last), axis=1)
        line = cat.LineEntry(mesh.stations, tuple(nodes), mesh.points, mesh.axes, ends, tuple(elements))
        placed = {
            name: cat.MarkerEntry(name, mesh.points[k], mesh.axes[k], nodes[k])
            for name, k in (("start", 0), ("end", -1))
        }
        for name, marker in body.markers.items():
            k = mesh.nearest(marker.at.along(line.length))
            axes = mesh.axes[k]
            point = mesh.points[k] + axes @ np.array(marker.offset)
            placed[name] = cat.MarkerEntry(name, point, axes @ rotation_matrix(marker.orientation), nodes[k])
        self.catalogue.bodies[body.name] = cat.BodyEntry(
            body.name, body.kind, nodes[0], mesh.points[0], mesh.axes[0], placed, line
        )

    def add_beam_element(self, nodes, points, frames, length: float, compliance, damping: float) -> int:
        """A beam element, stress-free as drawn."""
        (a, b), (pa, pb), (fa, fb) = nodes, points, frames
        self.assembler.beams.append(BeamDraft(a, b, pa, pb, fa, fb, length, compliance, damping))
        return len(self.assembler.beams) - 1

    def add_bar_element(self, nodes, points, length: float, stiffness: float, damping: float, slack: bool) -> int:
        """A bar or cord element of a length without tension [m] and EA [N]."""
        (a, b), (pa, pb) = nodes, points
        self.assembler.bars.append(BarDraft(a, b, pa, pb, length, stiffness, damping, slack))
        return len(self.assembler.bars) - 1

    def add_cells(
        self,
        form,
        nodes,
        corners,
        carried,
        blocks,
        damping: float,
        prestrain=None,
        law: int = tb.LINEAR,
        points: int = 0,
    ) -> int:
        """Elements of a membrane, shell or solid of one form; see cells.tables."""
        self.assembler.cells.append(CellsDraft(form, nodes, corners, carried, blocks, damping, prestrain, law, points))
        return len(self.assembler.cells) - 1

    def add_pressure(self, pressure, body: str, faces, law: int, sign: float) -> None:
        """Faces of a mesh body, (nodes, points) by number of corners, and their entry."""
        self.catalogue.pressures[pressure.name] = cat.PressureEntry(pressure.name, law, body)
        for nodes, points in faces:
            self.assembler.pressures.append(PressureDraft(nodes, points, law, sign))

    def add_mesh(self, body, grid, nodes, recover, drafts, shares) -> None:
        """Enter a membrane, shell or solid."""
        mesh = cat.MeshEntry(grid.points, nodes, grid.groups, grid.cells, tuple(drafts), recover, shares, grid)
        first = int(nodes[0])
        self.catalogue.bodies[body.name] = cat.BodyEntry(
            body.name, body.kind, first, self.assembler.nodes[first].x.copy(), np.eye(3), mesh=mesh
        )

    def add_support(self, support, rows, sides) -> None:
        """Enter a support."""
        points = np.array([side.point for side in sides])
        self.catalogue.supports[support.name] = cat.SupportEntry(
            support.name, tuple(rows), tuple(side.node for side in sides), points
        )

    def add_mass(self, node: int, point, mass: float, inertia) -> None:
        """Mass of another body's share at a place of a node: a node is the centre of all its mass."""
        draft = self.assembler.nodes[node]
        if draft.kind not in (tb.POINT, tb.FRAME):
            return
        total = draft.mass + mass
        centre = (draft.mass * draft.x + mass * point) / total
        if draft.kind == tb.FRAME:
            for part, m in ((draft.x - centre, draft.mass), (point - centre, mass)):
                draft.inertia = draft.inertia + m * ((part @ part) * np.eye(3) - np.outer(part, part))
            draft.inertia = draft.inertia + inertia
            draft.v = draft.v + np.cross(draft.w, centre - draft.x)
            draft.x = centre
        draft.mass = total

    def carrier(self, reference, point, near: float, *field: str | int) -> int:
        """The node of another body that a place belongs to from now on. Raises Refusal."""
        name = reference.on if isinstance(reference, Placed) else reference.partition(".")[0]
        body = self.body(name, *field)
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

    def add_drag(self, node: int, linear: float, angular) -> None:
        """Viscous resistance of a node, if any."""
        if linear or np.any(angular):
            self.assembler.drags.append(DragDraft(node, linear, angular))

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
            raise Refusal("both sides are ground, which does not move; name a body", "between")
        if a.node == b.node:
            name = self.assembler.nodes[a.node].label
            raise Refusal(f"both sides are on '{name}'; name two different bodies or stations", "between")
        if not a.is_free and not b.is_free:
            raise Refusal(f"neither '{a.label}' nor '{b.label}' can move freely; name a body with mass", "between")
        return a, b

    # -- coordinates ------------------------------------------------------------------------------------------------
    def add_coordinate(self, owner: str, label: str, measure: int, dimension: units.Dimension) -> None:
        """Name a measure for drives, couplers, forces and events."""
        self.catalogue.coordinates[f"{owner}.{label}"] = cat.Coordinate(owner, label, measure, dimension)

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
            raise Refusal(f"unknown joint '{owner}'{advice(owner, known, 'joints:')}", *field)
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
        found = self.coordinate(".".join(parts[:-1] if of_rate else parts), *field)
        rates = {units.LENGTH: units.SPEED, units.ANGLE: units.ANGULAR_RATE}
        return Watched(name, found.measure, of_rate, rates[found.dimension] if of_rate else found.dimension)

    def drawn_value(self, measure: int) -> float:
        """Value of a measure as drawn [m or rad]."""
        m = self.assembler.measures[measure]
        if m.kind == tb.COSINE:
            return float(m.e1 @ m.f)
        if m.kind == tb.ANGLE:
            return float(np.arctan2(m.f @ m.e2, m.f @ m.e1))
        d = m.pb - m.pa
        return float(np.linalg.norm(d) if m.kind == tb.LENGTH else m.e1 @ d)

    def start_value(self, measure: int) -> float:
        """Value of a measure at the start: as the user said, or as drawn."""
        said = [i.value for i in self.catalogue.initial if i.measure == measure and i.value is not None]
        return said[0] if said else self.drawn_value(measure)

    def add_initial(self, measure: int, value, rate, label: str) -> None:
        """Where a coordinate starts."""
        self.catalogue.initial.append(cat.InitialValue(measure, value, rate, label))

    # -- functions --------------------------------------------------------------------------------------------------
    def read_either(self, written, dimension: units.Dimension, *field: str | int) -> Any:
        """A value whose dimension is that of the coordinate at hand. Raises Refusal."""
        with self.at_field(*field):
            return written.read(dimension)

    def form_of_time(self, function, field: tuple[str | int, ...]) -> Form:
        """A function of time as a law in the making; None is zero. Raises Refusal."""
        if function is None:
            return PolynomialForm((0.0,))
        with self.at_field(*field):
            return form_of_time(function, self.base_dir, self.duration)

    def law_of_time(self, function, field, offset: float = 0.0, keep_zero: bool = False) -> int:
        """The law offset + function(t); -1 for zero, unless kept. Raises Refusal."""
        form = self.form_of_time(function, field).plus(offset)
        if form.is_zero and not keep_zero:
            return -1
        return form.put(self.assembler)

    # -- entries of the catalogue -----------------------------------------------------------------------------------
    def add_joint(self, parts) -> None:
        """Enter a joint from its parts, with its coordinates."""
        joint = parts.joint
        for label, (measure, dimension) in parts.coordinates.items():
            self.add_coordinate(joint.name, label, measure, dimension)
        self.catalogue.joints[joint.name] = cat.JointEntry(
            joint.name,
            joint.kind,
            parts.a.node,
            parts.b.node,
            (parts.a.label, parts.b.label),
            parts.pa,
            parts.pb,
            parts.Fa,
            parts.Fb,
            tuple(parts.rows),
            {label: (measure, dimension.unit) for label, (measure, dimension) in parts.coordinates.items()},
        )

    def add_coupler(self, coupler, row: int, terms) -> None:
        """Enter a relation between coordinates."""
        self.catalogue.couplers[coupler.name] = cat.CouplerEntry(coupler.name, row, tuple(terms))

    def add_drive(self, drive, row: int, coordinate: cat.Coordinate) -> None:
        """Enter a drive; two on one coordinate are refused."""
        for other in self.catalogue.drives.values():
            if other.measure == coordinate.measure:
                raise Refusal(
                    f"'{coordinate.name}' is driven by '{other.name}' already; remove one of the two", "joint"
                )
        self.catalogue.drives[drive.name] = cat.DriveEntry(
            drive.name, row, coordinate.measure, coordinate.name, coordinate.unit
        )

    def add_coupling(self, force, couplings, measure: int, label: str, dimension, sides) -> None:
        """Enter a force along a measure; one with sides of its own has a coordinate of its own."""
        named = (sides[0].label, sides[1].label) if sides else None
        if sides:
            self.add_coordinate(force.name, label, measure, dimension)
        self.catalogue.couplings[force.name] = cat.CouplingEntry(
            force.name, force.kind, tuple(couplings), measure, label, dimension.unit, FORCE_UNIT[dimension], named
        )

    def add_load(self, load, side: Side, axes, follows: bool, laws) -> None:
        """A load draft and its entry."""
        self.assembler.loads.append(LoadDraft(side.node, side.point, axes, follows, laws))
        index = len(self.assembler.loads) - 1
        self.catalogue.loads[load.name] = cat.LoadEntry(
            load.name, index, side.node, side.point, load.force is not None, load.torque is not None
        )

    def add_distributed_load(self, load, parts, follows: bool, laws) -> None:
        """Load drafts of a load per length, (node, point, axes, length) each, and their entry."""
        first = len(self.assembler.loads)
        for node, point, axes, share in parts:
            self.assembler.loads.append(LoadDraft(node, point, axes, follows, laws, share))
        numbers = tuple(range(first, len(self.assembler.loads)))
        self.catalogue.distributed[load.name] = cat.DistributedEntry(load.name, numbers, load.on)

    def add_bar(self, bar, sides, free: float) -> None:
        """A bar draft and its entry."""
        a, b = sides
        ends, points = (a.node, b.node), (a.point, b.point)
        index = self.add_bar_element(ends, points, free, bar.axial_stiffness, bar.damping, bar.tension_only)
        self.catalogue.bars[bar.name] = cat.BarEntry(bar.name, index, a.node, b.node, (a.label, b.label))

    def add_bushing(self, bushing, sides, points, frames, stiffness, damping) -> None:
        """A bushing draft and its entry."""
        (a, b), (pa, pb), (frame_a, frame_b) = sides, points, frames
        draft = BushingDraft(a.node, b.node, pa, pb, frame_a, frame_b, stiffness, damping)
        self.assembler.bushings.append(draft)
        index = len(self.assembler.bushings) - 1
        self.catalogue.bushings[bushing.name] = cat.BushingEntry(
            bushing.name, index, a.node, b.node, (a.label, b.label)
        )

    # -- contacts ---------------------------------------------------------------------------------------------------
    def next_spot(self) -> int:
        """Number of the first spot of the next surface."""
        last = self.assembler.surfaces[-1] if self.assembler.surfaces else None
        return last.spot + len(last.nodes) if last else 0

    def add_surface(self, kind: int, spots, **about) -> int:
        """A surface on (node, point) spots; about: fields of SurfaceDraft."""
        nodes, points = [n for n, _ in spots], [np.asarray(p, float) for _, p in spots]
        about = {"feature": about.get("radius", 0.0)} | about
        if "size" in about:
            about["size"] = np.array(about["size"], float)
        self.assembler.surfaces.append(SurfaceDraft(kind, nodes, points, **about, spot=self.next_spot()))
        return len(self.assembler.surfaces) - 1

    def can_touch(self, i: int, j: int) -> bool:
        """Whether two surfaces move relative to each other and are not neighbours."""
        a, b = (self.assembler.surfaces[k] for k in (i, j))
        free = {n for s in (a, b) for n in s.nodes if self.assembler.nodes[n].kind in (tb.POINT, tb.FRAME)}
        return bool(free) and not set(a.nodes) & set(b.nodes)

    def feature_of(self, surfaces) -> float:
        """Smallest size of surfaces that touch [m]; the model's own where they have none."""
        sizes = [self.assembler.surfaces[k].feature for k in surfaces]
        found = [s for s in sizes if s > 0.0]
        return min(found) if found else 1e-2

    def add_contact(self, contact, row, pairs, sides) -> None:
        """Enter a contact: its law and its pairs, the first surface of each of the lower kind."""
        number = len(self.assembler.contacts)
        self.assembler.contacts.append(row)
        self.assembler.contact_labels.append(contact.name)
        self.assembler.pairs += [(i, j, number, sign) for i, j, sign in pairs]
        for i, j, _ in pairs:
            hollow, inside = self.assembler.surfaces[i], self.assembler.surfaces[j]
            if hollow.kind in (tb.RING, tb.SOCKET):
                hollow.size = np.array([hollow.radius - inside.radius, 0.0, 0.0])
                if hollow.size[0] <= 0.0:
                    raise Refusal("the journal is not smaller than the hole it is in", "between")
        self.catalogue.contacts[contact.name] = cat.ContactEntry(contact.name, number, sides)

    def add_crowd(self, contact, row, members, near: float, pairs, sides) -> None:
        """Enter a contact among many; members: lists of surfaces, bodies, sides, roles, what they meet, and kin."""
        number = len(self.assembler.contacts)
        self.assembler.contacts.append(row)
        self.assembler.contact_labels.append(contact.name)
        all_pairs = None if pairs is None else [(i, j, number, sign) for i, j, sign in pairs]
        surfaces, bodies, side, roles, meets, kin = members
        draft = CrowdDraft(number, surfaces, bodies, side, roles, meets, kin, near, all_pairs)
        self.assembler.crowds.append(draft)
        self.catalogue.contacts[contact.name] = cat.ContactEntry(contact.name, number, sides)

    def add_event(self, event, index: int, watched: Watched, level: float) -> None:
        """Enter an event."""
        direction = {"rising": 1, "falling": -1, "both": 0}[event.direction]
        self.catalogue.events[event.name] = cat.EventEntry(
            event.name, index, watched.name, watched.measure, watched.of_rate, level, direction, event.stop,
            watched.dimension.unit,
        )  # fmt: skip
