"""Named channels with units from what a time loop recorded."""

from __future__ import annotations

import numpy as np

from .build.catalogue import Catalogue
from .build.nodes import matrices_of
from .mechanics import tables as tb
from .mesh_channels import XYZ, marker_channels, mesh_channels, support_channels
from .momentum_channels import momentum_channels
from .results import Channel
from .results.labels import Numbered
from .solve.initial import Start, linked_work
from .solve.probe import fill_couplings, fill_reactions

WXYZ = ("w", *XYZ)
ROWS_AT_ONCE = 100_000  # of one node


class History:
    """States at the output times, with lazily computed reactions and forces."""

    def __init__(self, start: Start, catalogue: Catalogue, record, rows: int):
        self.system, self.full, self.catalogue = start.system, start.full, catalogue
        self.record, self.n = record, rows
        self.forget()

    def forget(self) -> None:
        """What was computed, for the record holds another run."""
        self._rotations: dict[int, np.ndarray] = {}
        self._wrench: np.ndarray | None = None
        self._forces: np.ndarray | None = None
        self._beams: tuple[np.ndarray, ...] | None = None
        self._bars: tuple[np.ndarray, ...] | None = None
        self._cells: tuple[np.ndarray, ...] | None = None

    # -- nodes ------------------------------------------------------------------------------------------------------
    def _part(self, table, node, offset, size, column):
        i = int(self.system.tables.nodes[node][column]) + offset
        return table[: self.n, i : i + size]

    def is_point(self, node) -> bool:
        return self.system.tables.nodes[node]["kind"] == tb.POINT

    def rotation(self, node) -> np.ndarray:
        """(n, 3, 3) node axes to world."""
        if node not in self._rotations:
            if node == 0 or self.is_point(node):
                self._rotations[node] = np.broadcast_to(np.eye(3), (self.n, 3, 3))
            else:
                self._rotations[node] = matrices_of(self._part(self.record.q, node, 3, 4, "q"))
        return self._rotations[node]

    def position(self, node, drawn) -> np.ndarray:
        """World path of a point of a node, given where it is drawn."""
        if node == 0:
            return np.tile(drawn, (self.n, 1))
        return self._part(self.record.q, node, 0, 3, "q") + self.arm(node, drawn)

    def positions(self, nodes: np.ndarray, drawn: np.ndarray) -> np.ndarray:
        """(n, nodes, 3) of a point of each of many nodes."""
        out, t = np.tile(drawn, (self.n, 1, 1)), self.system.tables.nodes
        free = np.flatnonzero(t["kind"][nodes] != tb.GROUND)
        own, draft = nodes[free], self.system.drafts.nodes.table
        local = np.einsum("kji,kj->ki", self.system.axes[own], drawn[free] - draft["x"][own])
        out[:, free] = self.record.q[: self.n, t["q"][own][:, None] + np.arange(3)]
        off = np.flatnonzero(np.any(local, axis=1))
        for k in off.tolist():
            out[:, free[k]] += self.rotation(int(own[k])) @ local[k]
        return out

    def directions(self, nodes, drawn: np.ndarray) -> np.ndarray:
        """(n, 3 nodes) of a direction drawn on each of many frames; some rows at a time, for the sake of memory."""
        own = np.asarray(nodes)
        local = np.einsum("kji,kj->ki", self.system.axes[own], drawn)
        columns = self.system.tables.nodes["q"][own][:, None] + np.arange(3, 7)
        out, rows = np.empty((self.n, len(own), 3)), max(1, ROWS_AT_ONCE // len(own))
        for first in range(0, self.n, rows):
            q = self.record.q[first : min(first + rows, self.n), columns]
            twice = 2.0 * np.cross(q[..., 1:], local)
            out[first : first + rows] = local + q[..., :1] * twice + np.cross(q[..., 1:], twice)
        return out.reshape(self.n, -1)

    def arm(self, node, drawn) -> np.ndarray:
        local = self.system.axes[node].T @ (drawn - self.system.drafts.nodes[node].x)
        return self.rotation(node) @ local

    def spin(self, node, table=None) -> np.ndarray:
        """Angular velocity (or acceleration) in world axes."""
        if node == 0 or self.is_point(node):
            return np.zeros((self.n, 3))
        local = self._part(self.record.v if table is None else table, node, 3, 3, "v")
        return np.einsum("nij,nj->ni", self.rotation(node), local)

    def velocity(self, node, drawn) -> np.ndarray:
        if node == 0:
            return np.zeros((self.n, 3))
        return self._part(self.record.v, node, 0, 3, "v") + np.cross(self.spin(node), self.arm(node, drawn))

    def acceleration(self, node, drawn) -> np.ndarray:
        r, w = self.arm(node, drawn), self.spin(node)
        alpha = self.spin(node, self.record.a)
        return self._part(self.record.a, node, 0, 3, "v") + np.cross(alpha, r) + np.cross(w, np.cross(w, r))

    def axes(self, node, drawn) -> np.ndarray:
        """(n, 3, 3) of axes drawn on a node."""
        return self.rotation(node) @ (self.system.axes[node].T @ drawn)

    # -- forces -----------------------------------------------------------------------------------------------------
    def row_wrenches(self) -> np.ndarray:
        """(n, rows, 6) on the second side of each row's owner, about its node."""
        if self._wrench is None:
            system = self.full
            t = system.tables
            second = {r: j.b for j in self.catalogue.joints.values() for r in j.rows}
            first = [system.drafts.measures[system.row_owner(r).terms[0][0]] for r in range(len(t.rows))]
            side_b = np.array([m.b == second.get(d, m.b) for m, d in zip(first, system.kept, strict=True)], np.bool_)
            wrench = np.zeros((self.n, len(t.rows), 6))
            r = self.record
            fill_reactions(
                t, linked_work(system), r.time[: self.n], r.q[: self.n].copy(), r.v[: self.n].copy(),
                r.multiplier[: self.n][:, system.kept], side_b, wrench,
            )  # fmt: skip
            self._wrench = wrench
        return self._wrench

    def reaction(self, joint) -> tuple[np.ndarray, np.ndarray]:
        """(force, moment about the joint point) on the second body, world axes."""
        mine = [k for k, draft in enumerate(self.full.kept) if draft in joint.rows]
        wrench = self.row_wrenches()[:, mine].sum(axis=1)
        force = wrench[:, :3]
        return force, wrench[:, 3:] - np.cross(self.arm(joint.b, joint.point_b), force)

    def row_force(self, draft) -> np.ndarray:
        """Generalized force a drive exerts along its coordinate."""
        return -self.record.multiplier[: self.n, draft]

    def tracked(self, measure, rate=False) -> np.ndarray:
        k = self.system.drafts.tracked.index(measure)
        return (self.record.rate if rate else self.record.value)[: self.n, k]

    def beams(self) -> tuple[np.ndarray, ...]:
        """Stress (n, beams, 6), strain (n, beams, 6) and energy (n, beams) of all beam elements."""
        if self._beams is None:
            from .solve.probe import fill_beam_stress  # type: ignore[attr-defined]

            count = len(self.system.tables.beams)
            self._beams = (np.zeros((self.n, count, 6)), np.zeros((self.n, count, 6)), np.zeros((self.n, count)))
            fill_beam_stress(self.system.tables, linked_work(self.system), *self._states(), *self._beams)
        return self._beams

    def bars(self) -> tuple[np.ndarray, ...]:
        """Tension, stretch and energy of all bar elements, (n, bars) each."""
        if self._bars is None:
            from .solve.probe import fill_bar_tension  # type: ignore[attr-defined]

            count = len(self.system.tables.bars)
            self._bars = tuple(np.zeros((self.n, count)) for _ in range(3))
            fill_bar_tension(self.system.tables, linked_work(self.system), *self._states(), *self._bars)
        return self._bars

    def cells(self) -> tuple[np.ndarray, ...]:
        """Scalars (n, of all cells), mean stress of laws that are not linear (n, cells, 6), energy (n, cells)."""
        if self._cells is None:
            from .solve.probe import fill_cells  # type: ignore[attr-defined]

            t = self.system.tables
            count = len(t.cells)
            self._cells = (
                np.zeros((self.n, tb.cell_scalars(t))), np.zeros((self.n, count, 6)), np.zeros((self.n, count))
            )  # fmt: skip
            fill_cells(t, linked_work(self.system), *self._states(), *self._cells)
        return self._cells

    def _states(self) -> tuple[np.ndarray, ...]:
        r = self.record
        return r.time[: self.n], r.q[: self.n].copy(), r.v[: self.n].copy()

    def coupling_forces(self) -> np.ndarray:
        if self._forces is None:
            t, r = self.system.tables, self.record
            value = np.zeros((self.n, len(t.couplings)))
            for i, c in enumerate(t.couplings):
                value[:, i] = self.tracked(int(c["measure"]))
            self._forces = np.zeros((self.n, len(t.couplings)))
            fill_couplings(
                t,
                linked_work(self.system),
                r.time[: self.n],
                r.q[: self.n].copy(),
                r.v[: self.n].copy(),
                value,
                self._forces,
            )
        return self._forces


def quaternions(R) -> np.ndarray:
    """Unit quaternions of rotation matrices (n, 3, 3), continuous along the first axis, first w >= 0."""
    t = np.einsum("nii->n", R)
    squares = np.stack([1 + t, *(1 + 2 * R[:, k, k] - t for k in range(3))], axis=-1)
    n = np.arange(len(R))
    k = squares.argmax(axis=1)
    full = np.empty((len(R), 4, 4))
    full[:, 0] = np.stack(
        [squares[:, 0], R[:, 2, 1] - R[:, 1, 2], R[:, 0, 2] - R[:, 2, 0], R[:, 1, 0] - R[:, 0, 1]], -1
    )
    full[:, 1] = np.stack([full[:, 0, 1], squares[:, 1], R[:, 0, 1] + R[:, 1, 0], R[:, 0, 2] + R[:, 2, 0]], -1)
    full[:, 2] = np.stack([full[:, 0, 2], full[:, 1, 2], squares[:, 2], R[:, 1, 2] + R[:, 2, 1]], -1)
    full[:, 3] = np.stack([full[:, 0, 3], full[:, 1, 3], full[:, 2, 3], squares[:, 3]], -1)
    q = full[n, k]
    q /= np.linalg.norm(q, axis=1, keepdims=True)
    if len(q) and q[0, 0] < 0:
        q[0] = -q[0]
    flips = np.sign(np.einsum("ni,ni->n", q[1:], q[:-1]))
    q[1:] *= np.cumprod(np.where(flips < 0, -1.0, 1.0))[:, None]
    return q


def make_channels(history: History) -> list[Channel]:
    """All channels of a run; values are computed when first asked for."""
    found: list[Channel] = []
    for body in history.catalogue.bodies.values():
        if body.mesh is not None:
            found += mesh_channels(history, body)
        elif body.modal is not None:
            found += modal_channels(history, body)
        elif body.is_flexible or (body.line is not None and body.line.frozen):
            found += line_channels(history, body)
        elif body.name != "ground":
            found += body_channels(history, body)
    for joint in history.catalogue.joints.values():
        found += joint_channels(history, joint)
    for support in history.catalogue.supports.values():
        found += support_channels(history, support)
    for coupling in history.catalogue.couplings.values():
        found += coupling_channels(history, coupling)
    for bar in history.catalogue.bars.values():
        found += bar_channels(history, bar)
    for tilt in history.catalogue.tilts.values():
        found += tilt_channels(history, tilt)
    for contact in history.catalogue.contacts.values():
        found += contact_channels(history, contact)
    for drive in history.catalogue.drives.values():
        found.append(drive_channel(history, drive))
    for cable in history.catalogue.couplers.values():
        found += tension_channels(history, cable)
    for name, grip in history.catalogue.grips.items():
        found += latch_channels(history, name, grip)
    return found + momentum_channels(history)


def tension_channels(h: History, cable) -> list[Channel]:
    """Tension of a cable over pulleys; other relations between coordinates show none."""
    if not cable.unit:
        return []
    along = coordinate_channels(h, cable.name, "stretch", cable.stretch, "m") if cable.stretch is not None else []
    tension = Channel(f"{cable.name}.tension", cable.unit, lambda: -h.row_force(cable.row), about="all along the cable")
    return [tension, *along]


def latch_channels(h: History, name: str, grip) -> list[Channel]:
    """What a latch does and whether it is closed."""
    if not grip.unit:
        return []
    force = "torque" if grip.unit == "N m" else "force"
    return [
        Channel(f"{name}.{force}", grip.unit, lambda: h.record.grip[: h.n, grip.grip, 0], about="along the coordinate"),
        Channel(f"{name}.latched", "", lambda: h.record.grip[: h.n, grip.grip, 3], about="1 once it is closed"),
    ]


def tilt_channels(h: History, tilt) -> list[Channel]:
    """The direction of the line from the first side to the second, as seen from the first."""

    def direction():
        d = h.position(tilt.b, tilt.point_b) - h.position(tilt.a, tilt.point_a)
        seen = np.einsum("nji,nj->ni", h.axes(tilt.a, tilt.axes), d)
        return seen / np.linalg.norm(seen, axis=1, keepdims=True)

    def turned(k):
        return lambda: np.arctan2(direction()[:, k], direction()[:, 2])

    name, side = tilt.name, "in the axes of the first side"
    return [
        Channel(f"{name}.angle", "rad", lambda: h.tracked(tilt.measure), about="between the axis and the line"),
        Channel(f"{name}.angle.rate", "rad/s", lambda: h.tracked(tilt.measure, rate=True)),
        Channel(f"{name}.direction", "1", direction, XYZ, f"of the line, {side}"),
        Channel(f"{name}.angle_x", "rad", turned(0), about=f"of the line from z towards x, {side}"),
        Channel(f"{name}.angle_y", "rad", turned(1), about=f"of the line from z towards y, {side}"),
    ]


def contact_channels(h: History, contact) -> list[Channel]:
    """Summed over all pairs of its surfaces."""

    def column(k):
        return h.record.contact[: h.n, contact.contact, k]

    def point():
        total = np.stack([column(5 + k) for k in range(3)], axis=-1)
        size = np.linalg.norm(np.stack([column(k) for k in range(3)], axis=-1), axis=-1)
        return np.divide(total, size[:, None], out=np.full_like(total, np.nan), where=size[:, None] > 0.0)

    name = contact.name
    about = "normal impulse of all hits since the start"
    hits = [Channel(f"{name}.impulse", "N s", lambda: column(9), about=about)]
    by_momentum = h.system.tables.contacts[contact.contact]["law"] == tb.MOMENTUM
    return (hits if by_momentum else []) + [
        Channel(f"{name}.force", "N", lambda: np.stack([column(k) for k in range(3)], axis=-1), XYZ,
                "on the second body, world axes"),
        Channel(f"{name}.normal", "N", lambda: column(3), about="normal force, of all places that touch together"),
        Channel(f"{name}.gap", "m", lambda: np.where(column(8) > 0.0, column(4), np.nan),
                about="least distance; below zero where surfaces overlap; not a number where none are near"),
        Channel(f"{name}.point", "m", point, XYZ, "where the force acts, world axes; not a number while it does not"),
        Channel(f"{name}.touching", "1", lambda: np.maximum(column(8) - 1.0, 0.0), about="places that touch"),
    ]  # fmt: skip


def drive_channel(h: History, drive) -> Channel:
    unit = "N m" if drive.unit == "rad" else "N"
    return Channel(f"{drive.name}.force", unit, lambda: h.row_force(drive.row), about="along the driven coordinate")


def body_channels(h: History, body) -> list[Channel]:
    found = frame_channels(h, body)
    for marker in body.markers.values():
        found += marker_channels(h, f"{body.name}.{marker.name}", body.node, marker.point)
    return found


def frame_channels(h: History, body) -> list[Channel]:
    """Of the body's own frame."""
    n, name = body.node, body.name
    found = [
        Channel(f"{name}.position", "m", lambda: h.position(n, body.point), XYZ, "origin of the body, world axes"),
        Channel(f"{name}.velocity", "m/s", lambda: h.velocity(n, body.point), XYZ, "of the body's origin, world axes"),
        Channel(
            f"{name}.acceleration",
            "m/s^2",
            lambda: h.acceleration(n, body.point),
            XYZ,
            "of the body's origin, world axes",
        ),
    ]
    if not h.is_point(n):
        found += [
            Channel(f"{name}.orientation", "1", lambda: quaternions(h.axes(n, body.axes)), WXYZ, "body to world"),
            Channel(
                f"{name}.angular_velocity", "rad/s",
                lambda: np.einsum("nji,nj->ni", h.axes(n, body.axes), h.spin(n)), XYZ, "in body axes",
            ),
        ]  # fmt: skip
    return found


def modal_channels(h: History, body) -> list[Channel]:
    """A body by modes: its frame, its interfaces, amplitudes and energy."""
    modal = body.modal
    found = frame_channels(h, body) if body.node else []
    for marker in body.markers.values():
        found += station_channels(h, f"{body.name}.{marker.name}", marker)

    def amplitudes():
        q = np.hstack([h.position(n, np.zeros(3)) for n in modal.nodes])
        return q[:, : modal.floating.count]

    def energy():
        return 0.5 * (amplitudes() ** 2 @ modal.floating.stiffness)

    labels = Numbered(("q",), modal.floating.count)
    about = "of the shapes, all scaled to the modal mass of the body"
    found.append(Channel(f"{body.name}.amplitudes", "m", amplitudes, labels, about))
    found.append(Channel(f"{body.name}.strain_energy", "J", energy))
    if modal.reduced.picture is not None:
        found.append(picture_channel(h, body, amplitudes))
    return found + [recovered(body, stress, amplitudes) for stress in modal.reduced.stress.values()]


def picture_channel(h: History, body, amplitudes) -> Channel:
    """Where the points are that a body by modes is drawn with."""
    free, picture = body.modal.floating, body.modal.reduced.picture
    middle = free.inertia.centre if body.node else np.zeros(3)
    shapes = free.shapes_of(picture.points, picture.shapes)

    def positions():
        inside = picture.points - middle + np.einsum("pik,nk->npi", shapes, amplitudes())
        place = h.position(body.node, body.point + body.axes @ middle)
        return (place[:, None] + np.einsum("nij,npj->npi", h.axes(body.node, body.axes), inside)).reshape(h.n, -1)

    about = "of all points it is drawn with, world axes"
    return Channel(f"{body.name}.positions", "m", positions, Numbered(XYZ, len(picture.points)), about)


def recovered(body, stress, amplitudes) -> Channel:
    """Stress of chosen elements of a body by modes."""
    rows = stress.rows @ body.modal.floating.mixing
    return Channel(
        f"{body.name}.{stress.name}", stress.unit, lambda: amplitudes() @ rows.T, stress.labels, stress.about
    )


def line_channels(h: History, body) -> list[Channel]:
    """A beam or cable: its ends and markers, all nodes, and what its elements carry."""
    found: list[Channel] = []
    for marker in body.markers.values():
        found += station_channels(h, f"{body.name}.{marker.name}", marker)
    line = body.line
    if line is None:
        return found  # its markers are all there is to it

    def positions():
        return np.hstack([h.position(n, p) for n, p in zip(line.nodes, line.points, strict=True)])

    labels = Numbered(XYZ, len(line.nodes))
    found.append(
        Channel(f"{body.name}.positions", "m", positions, labels, "of all nodes from start to end, world axes")
    )
    if body.kind == "beam":
        about = "direction of the section's z axis at all nodes, world axes"
        found.append(
            Channel(f"{body.name}.section_up", "1", lambda: h.directions(line.nodes, line.axes[:, :, 2]), labels, about)
        )
    if line.frozen:
        return found
    of_elements = cable_channels if body.kind in ("cable", "cord") else beam_channels
    return found + of_elements(h, body.name, list(line.elements))


def station_channels(h: History, name, marker) -> list[Channel]:
    """A place on a flexible body, which has an attitude of its own unless it is a cable."""
    found = marker_channels(h, name, marker.node, marker.point)
    if not h.is_point(marker.node):
        about = "section (or marker) axes to world"
        found.append(
            Channel(f"{name}.orientation", "1", lambda: quaternions(h.axes(marker.node, marker.axes)), WXYZ, about)
        )
    return found


def beam_channels(h: History, name, elements) -> list[Channel]:
    """Constant along each element; section axes: x along the tangent, y and z across."""
    n = len(elements)

    def part(which, columns):
        return lambda: h.beams()[which][:, elements, columns].reshape(h.n, -1)

    force, moment = Numbered(("N", "Qy", "Qz"), n), Numbered(("T", "My", "Mz"), n)
    strain, curvature = Numbered(("ex", "gy", "gz"), n), Numbered(XYZ, n)
    front, rear = slice(0, 3), slice(3, 6)
    return [
        Channel(f"{name}.section_force", "N", part(0, front), force, "per element: normal force, shear along y and z"),
        Channel(f"{name}.section_moment", "N m", part(0, rear), moment, "per element: torque, bending about y and z"),
        Channel(f"{name}.strain", "1", part(1, front), strain, "per element: stretch, shear along y and z"),
        Channel(f"{name}.curvature", "1/m", part(1, rear), curvature, "per element: twist, bending about y and z"),
        *line_energies(name, elements, h.system.tables.beams, lambda: h.beams()[2]),
    ]


def cable_channels(h: History, name, elements) -> list[Channel]:
    """Tension of each element."""
    labels = Numbered(("N",), len(elements))
    return [
        Channel(f"{name}.tension", "N", lambda: h.bars()[0][:, elements], labels, "per element"),
        *line_energies(name, elements, h.system.tables.bars, lambda: h.bars()[2]),
    ]


def line_energies(name, elements, table, energies) -> list[Channel]:
    """Of all elements together, and of each over its length."""
    labels, about = Numbered(("u",), len(elements)), "strain energy per length as drawn, per element"
    return [
        Channel(f"{name}.strain_energy", "J", lambda: energies()[:, elements].sum(axis=1), about="of all elements"),
        Channel(
            f"{name}.energy_density", "J/m",
            lambda: energies()[:, elements] / table["length"][elements], labels, about,
        ),
    ]  # fmt: skip


def bar_channels(h: History, bar) -> list[Channel]:
    """A single bar between two bodies."""
    return [
        Channel(f"{bar.name}.tension", "N", lambda: h.bars()[0][:, bar.bar]),
        Channel(f"{bar.name}.strain", "1", lambda: h.bars()[1][:, bar.bar], about="l/L - 1"),
        Channel(f"{bar.name}.strain_energy", "J", lambda: h.bars()[2][:, bar.bar]),
    ]


def joint_channels(h: History, joint) -> list[Channel]:
    found = [
        Channel(
            f"{joint.name}.force", "N", lambda: h.reaction(joint)[0], XYZ, "reaction on the second body, world axes"
        ),
        Channel(
            f"{joint.name}.torque",
            "N m",
            lambda: h.reaction(joint)[1],
            XYZ,
            "reaction on the second body about the joint, world axes",
        ),
    ]
    for label, (measure, unit) in joint.coordinates.items():
        found += coordinate_channels(h, joint.name, label, measure, unit)
    for grip in h.catalogue.grips.values():
        found += grip_channels(h, grip, joint) if grip.joint == joint.name else []
    return found


def grip_channels(h: History, grip, joint) -> list[Channel]:
    """Friction along the coordinates of a joint, and what presses."""

    def column(k):
        return lambda: h.record.grip[: h.n, grip.grip, k]

    found, alone = [], joint.name in h.catalogue.grips
    if not grip.along:
        about = "torque on the second body, world axes"
        found.append(Channel(f"{joint.name}.friction", "N m", lambda: h.record.grip[: h.n, grip.grip, :3], XYZ, about))
    for k, label in enumerate(grip.along):
        unit = "N m" if joint.coordinates[label][1] == "rad" else "N"
        name = f"{joint.name}.friction" if len(grip.along) == 1 and alone else f"{joint.name}.friction.{label}"
        found.append(Channel(name, unit, column(k), about=f"on the second body, along {label}"))
    if grip.by_reaction:
        found.append(
            Channel(
                f"{joint.name}.pressing" if alone else f"{joint.name}.pressing.{grip.along[0]}",
                "N",
                column(3),
                about="force that presses, times μ the friction",
            )
        )
    return found


def coordinate_channels(h: History, owner, label, measure, unit) -> list[Channel]:
    return [
        Channel(f"{owner}.{label}", unit, lambda: h.tracked(measure), about="coordinate"),
        Channel(
            f"{owner}.{label}.rate", f"{unit}/s", lambda: h.tracked(measure, rate=True), about="rate of the coordinate"
        ),
    ]


def coupling_channels(h: History, c) -> list[Channel]:
    def force():
        return h.coupling_forces()[:, list(c.couplings)].sum(axis=1)

    own = c.kind == "spring" or c.sides is not None
    along = coordinate_channels(h, c.name, c.label, c.measure, c.unit) if own else []
    sign = -1.0 if c.kind in ("spring", "torsion_spring") else 1.0
    about = "tension positive" if c.kind == "spring" else "along the coordinate"
    return [Channel(f"{c.name}.force", c.force_unit, lambda: sign * force(), about=about), *along]
