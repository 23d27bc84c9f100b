"""The part of a builder that takes what kinds made: drafts go to the assembler, names to the catalogue."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ..cells.tables import CellsDraft, PressureDraft
from ..kinds.frames import rotation_matrix
from ..kinds.refusal import Refusal
from ..mechanics import tables as tb
from ..schema import units
from . import catalogue as cat
from .assembler import Assembler, BarDraft, BeamDraft, BushingDraft, DragDraft, LoadDraft, TiltDraft
from .finding import Side, Watched
from .grips import GripDraft
from .nodes import NodeDraft

FORCE_UNIT = {units.LENGTH: "N", units.ANGLE: "N m"}


class Entries:
    """Needs what a Builder has."""

    assembler: Assembler
    catalogue: cat.Catalogue

    # -- nodes and elements -----------------------------------------------------------------------------------------
    def frame_node(self, label, x, R, mass, inertia, v, w) -> int:
        """A free node with rotation; inertia about it [kg m²], v and w in world axes."""
        return self.assembler.node(NodeDraft(tb.FRAME, label, x, R, mass, inertia, v, w))

    def point_node(self, label, x, mass, v) -> int:
        """A free node without rotation."""
        return self.assembler.node(NodeDraft(tb.POINT, label, x, np.eye(3), mass, v=v))

    def mesh_nodes(self, name: str, numbers, x, mass, rotary, v, w, drag: float) -> np.ndarray:
        """Free nodes `name[number]` of a mesh with viscous resistance `drag` [1/s] times their mass; rotary None: they
        do not turn."""
        kind, J = (tb.POINT, np.zeros(len(x))) if rotary is None else (tb.FRAME, rotary)
        found = self.assembler.nodes.add_many(kind, name, numbers, x, mass, J, v, w if rotary is not None else 0.0)
        if drag:
            angular = drag * J[:, None, None] * np.eye(3)
            self.assembler.drags.append(DragDraft(found, drag * mass, angular))
        return found

    def moving_node(self, label, x, R, by_pose, axes, turns, laws, spin) -> int:
        """A node that follows laws of time: of position and turns, or of velocities in its own axes."""
        motion = self.assembler.motion(R, axes, turns, laws, spin)
        kind = tb.MOVING_POSE if by_pose else tb.MOVING_TWIST
        return self.assembler.node(NodeDraft(kind, label, x, R, motion=motion))

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

    def add_drag(self, node: int, linear: float, angular) -> None:
        """Viscous resistance of a node, if any."""
        if linear or np.any(angular):
            self.assembler.drags.append(DragDraft(node, linear, angular))

    def add_mass_drag(self, entity, bodies: Iterable[str]) -> None:
        """Resistance of the nodes of bodies in proportion to their mass and inertia, by the entity's rate."""
        names, free = set(bodies), (tb.POINT, tb.FRAME)
        mine = [n for n in self.assembler.nodes if n.kind in free and n.label.partition("[")[0] in names]
        for node in mine:
            self.add_drag(node.number, entity.rate * node.mass, entity.rate * node.inertia)
        self.catalogue.drags[entity.name] = np.array([node.number for node in mine])

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
        numbers,
        damping: float,
        prestrain=None,
        law: int = tb.LINEAR,
        points: int = 0,
    ) -> int:
        """Elements of a membrane, shell or solid of one form; see cells.tables."""
        self.assembler.cells.append(CellsDraft(form, nodes, corners, carried, numbers, damping, prestrain, law, points))
        return len(self.assembler.cells) - 1

    # -- bodies -----------------------------------------------------------------------------------------------------
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

    def add_cord(self, body, nodes: list[int], points, stations, elements: list[int]) -> None:
        """Enter a cord along nodes of another body."""
        axes = np.broadcast_to(np.eye(3), (len(nodes), 3, 3))
        line = cat.LineEntry(stations, tuple(nodes), points, axes, axes[1:, None].repeat(2, 1), tuple(elements))
        ends = {n: cat.MarkerEntry(n, points[k], np.eye(3), nodes[k]) for n, k in (("start", 0), ("end", -1))}
        self.catalogue.bodies[body.name] = cat.BodyEntry(
            body.name, body.kind, nodes[0], points[0], np.eye(3), ends, line
        )

    def add_mesh(self, body, grid, nodes, pieces, recover, drafts, shares, nodal=None) -> None:
        """Enter a membrane, shell or solid."""
        mesh = cat.MeshEntry(
            grid.points, nodes, grid.groups, grid.cells, tuple(drafts), recover, pieces, shares, grid, nodal
        )
        first = int(nodes[0])
        self.catalogue.bodies[body.name] = cat.BodyEntry(
            body.name, body.kind, first, self.assembler.nodes[first].x.copy(), np.eye(3), mesh=mesh
        )

    def add_grids(self, body, places) -> None:
        """Enter a flexible body whose places are its markers: name -> (node, point, axes)."""
        placed = {name: cat.MarkerEntry(name, point, axes, node) for name, (node, point, axes) in places.items()}
        first = min(placed.values(), key=lambda m: (self.assembler.nodes[m.node].kind != tb.FRAME, m.node))
        self.catalogue.bodies[body.name] = cat.BodyEntry(
            body.name, body.kind, first.node, first.point, first.axes, placed, by_markers=True
        )

    # -- joints and coordinates -------------------------------------------------------------------------------------
    def add_support(self, support, rows, sides) -> None:
        """Enter a support."""
        points = np.array([side.point for side in sides])
        self.catalogue.supports[support.name] = cat.SupportEntry(
            support.name, tuple(rows), tuple(side.node for side in sides), points
        )

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

    def usual_weight(self) -> float:
        """Of all bodies on Earth [N]: a reaction to think of where none is known yet."""
        return 9.81 * float(self.assembler.nodes.table["mass"].sum())

    def add_grip(self, parts, measures, rows, law, axis=None, place: int = -1, of: str = "") -> None:
        """Enter the friction of a joint from its parts. axis: of its bearing, fixed to the first body, or to the second
        if `of` names one of several coordinates that rub by themselves and it is seen from there."""
        name, on_b = parts.joint.name, bool(of) and self.assembler.measures[measures[0][0]].a != parts.a.node
        axis = parts.Fa[:, 2] if axis is None else axis
        nodes = parts.a.node, parts.b.node
        self.assembler.grips.append(
            GripDraft(name, *nodes, parts.pb, axis, measures, list(rows), law, place, axis_on_b=on_b)
        )
        labels = {label: measure for label, (measure, _) in parts.coordinates.items()}
        along = tuple(label for measure, _ in measures for label, own in labels.items() if own == measure)
        key = f"{name}.{of}" if of else name
        self.catalogue.grips[key] = cat.GripEntry(name, len(self.assembler.grips) - 1, along, bool(rows))

    def add_latch(self, latch, coordinate, law) -> None:
        """Enter what locks a coordinate."""
        m = self.assembler.measures[coordinate.measure]
        draft = GripDraft(latch.name, m.a, m.b, m.pb, np.zeros(3), [(coordinate.measure, 1.0)], [], law)
        self.assembler.grips.append(draft)
        self.assembler.track(coordinate.measure)
        number, unit = len(self.assembler.grips) - 1, FORCE_UNIT[coordinate.dimension]
        self.catalogue.grips[latch.name] = cat.GripEntry("", number, (coordinate.label,), False, unit)

    def add_coordinate(self, owner: str, label: str, measure: int, dimension: units.Dimension) -> None:
        """Name a measure for drives, couplers, forces and events."""
        self.catalogue.coordinates[f"{owner}.{label}"] = cat.Coordinate(owner, label, measure, dimension)

    def add_initial(self, measure: int, value, rate, label: str) -> None:
        """Where a coordinate starts."""
        self.catalogue.initial.append(cat.InitialValue(measure, value, rate, label))

    def add_coupler(self, coupler, row: int, terms, unit: str = "", stretch: int | None = None) -> None:
        """Enter a relation between coordinates; with the unit of the force that keeps it, if that is to be seen, and
        the measure by which it gives way, if it does."""
        self.catalogue.couplers[coupler.name] = cat.CouplerEntry(coupler.name, row, tuple(terms), unit, stretch)

    def own_coordinate(self, owner: str, label: str, value: float, rate: float, inertia: float) -> int:
        """A measure: the way along x of a point that is no place, and stays where it is along y and z."""
        x, v = np.array([value, 0.0, 0.0]), np.array([rate, 0.0, 0.0])
        node = self.assembler.node(NodeDraft(tb.POINT, f"{owner} ({label})", x, np.eye(3), inertia, v=v))
        self.assembler.weightless.append(node)
        along, *spare = (self.assembler.measure(tb.ALONG_WORLD, 0, node, pb=x, e1=e) for e in np.eye(3))
        for measure in spare:
            self.assembler.constrain([(measure, 1.0)], owner, "a coordinate that is not used")
        self.add_coordinate(owner, label, along, units.LENGTH)
        return along

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

    # -- forces and events ------------------------------------------------------------------------------------------
    def add_pressure(self, pressure, body: str, faces, law: int, sign: float) -> None:
        """Faces of a mesh body, (nodes, points) by number of corners, and their entry."""
        self.catalogue.pressures[pressure.name] = cat.PressureEntry(pressure.name, law, body)
        for nodes, points in faces:
            self.assembler.pressures.append(PressureDraft(nodes, points, law, sign))

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

    def add_tilt(self, force, sides, axis, vertical, stiffness, damping) -> None:
        """A tilt draft, the angle to watch, and their entry; coefficients of even powers of the angle."""
        a, b = sides
        draft = TiltDraft(a.node, b.node, a.point, b.point, axis, vertical, stiffness, damping)
        self.assembler.bushings.append(draft)
        label = f"{force.name}.angle"
        measure = self.assembler.measure(tb.TILT, draft.a, draft.b, draft.pa, draft.pb, draft.axis, label=label)
        self.assembler.track(measure)
        named = (a.label, b.label)
        self.catalogue.tilts[force.name] = cat.TiltEntry(
            force.name, measure, a.node, b.node, a.point, b.point, a.axes, named
        )

    def add_event(self, event, index: int, watched: Watched, level: float) -> None:
        """Enter an event."""
        direction = {"rising": 1, "falling": -1, "both": 0}[event.direction]
        self.catalogue.events[event.name] = cat.EventEntry(
            event.name, index, watched.name, watched.measure, watched.of_rate, level, direction, event.stop,
            watched.dimension.unit,
        )  # fmt: skip
