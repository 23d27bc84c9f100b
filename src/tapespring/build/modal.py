"""Bodies by modes: a frame, nodes for amplitudes, nodes for interfaces, and what holds them together.

Amplitudes are the places of points, three on each, that have no weight. An interface is a node held by rows to where
the frame and the shapes say: its place along the axes of the frame less what the shapes add, and three cosines between
its axes and the frame's, which are small turns. Springs along the amplitudes are the body's stiffness.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from ..mechanics import tables as tb
from ..schema.folder import Folder
from . import catalogue as cat
from .assembler import LoadDraft
from .modal_tables import modal_draft
from .nodes import NodeDraft

MANY = 16
REDUCED: dict[str, Any] = {}  # the last few made on the spot: a model is read more often than it changes


@dataclass(frozen=True)
class Motion:
    """Of a body as one piece: velocity of its origin and angular velocity, world axes."""

    origin: np.ndarray
    v: np.ndarray
    w: np.ndarray

    def at(self, point) -> np.ndarray:
        return self.v + np.cross(self.w, point - self.origin)


class ModalEntries:
    """The part of a builder for bodies by modes; needs what a Builder has."""

    assembler: Any
    catalogue: cat.Catalogue
    base_dir: Folder
    dry: bool

    def reduce(self, source: str | dict[str, Any], interfaces, **options) -> Any:
        """A reduced body made on the spot, or its outline if the model is only checked; options that are None are not
        said. Raises ModelError and NotAllowedError."""
        options = {key: value for key, value in options.items() if value is not None}
        key = json.dumps((source, interfaces, options, repr(self.base_dir)), default=str)
        if isinstance(source, str):
            source = str(self.base_dir.file(source))
            key += str(Path(source).stat().st_mtime_ns if Path(source).exists() else 0)
        if key not in REDUCED and self.dry:
            seen = import_module("tapespring.reduction.outline").outline(source, interfaces, self.base_dir)
            if seen is not None:
                return seen
        if key not in REDUCED:
            # reduction stands above the builder and calls it again: a model within a model
            reduction = import_module("tapespring.reduction.reduce")
            REDUCED.clear() if len(REDUCED) >= MANY else None
            folder = self.base_dir if isinstance(source, dict) else None
            REDUCED[key] = reduction.reduce(source, interfaces, **options, **self.base_dir.allowed, folder=folder)
        return REDUCED[key]

    def add_modal(self, body, reduced, free, damping: np.ndarray, fixed: bool, axes: np.ndarray) -> None:
        """Enter a body by modes; `free` as modal.floating made it, axes of its source in columns."""
        inertia, origin = free.inertia, np.array(body.at)
        spin = axes @ np.array(body.angular_velocity)
        motion = Motion(origin, np.array(body.velocity), spin)
        frame = 0 if fixed else self.modal_frame(body.name, inertia, axes, motion)
        nodes = self.amplitude_nodes(body.name, free.count, inertia.mass)
        springs = [self.modal_spring(body.name, nodes, k, free.stiffness[k], damping[k]) for k in range(free.count)]
        self.hold_spare(body.name, nodes, free.count)
        rows: dict[int, np.ndarray | None] = {}
        markers = {}
        for interface in free.interfaces:
            f = interface.frame
            point, own = origin + axes @ f.position, axes @ f.axes
            node = self.interface_node(f"{body.name}.{f.name}", point, own, interface, motion)
            turn = f.rotation if f.turns else None
            mine = self.hold_interface(body.name, frame, axes, node, point, nodes, f.translation, turn)
            rows |= dict(zip(mine, curves_of(interface, 3 * len(nodes)), strict=False))
            markers[f.name] = cat.MarkerEntry(f.name, point, own, node)
        if fixed:
            self.hang(nodes, inertia.momentum.T @ (axes.T @ self.assembler.gravity))
        else:
            self.assembler.modal.append(modal_draft(frame, nodes, inertia, axes, rows))
        entry = cat.ModalEntry(tuple(nodes), tuple(springs), free, reduced)
        self.catalogue.bodies[body.name] = cat.BodyEntry(
            body.name, body.kind, frame, origin, axes, markers, modal=entry, by_markers=True
        )

    def modal_frame(self, name: str, inertia, axes, motion: Motion) -> int:
        """The node that floats in the middle of what the shapes do."""
        x, J = motion.origin + axes @ inertia.centre, axes @ inertia.second @ axes.T
        draft = NodeDraft(tb.FRAME, name, x, axes, inertia.mass, 0.5 * (J + J.T), motion.at(x), motion.w)
        return self.assembler.node(draft)

    def interface_node(self, label: str, point, axes, interface, motion: Motion) -> int:
        if not interface.frame.turns:
            return self.assembler.node(NodeDraft(tb.POINT, label, point, np.eye(3), interface.mass, v=motion.at(point)))
        J = interface.rotary * np.eye(3)
        return self.assembler.node(
            NodeDraft(tb.FRAME, label, point, axes, interface.mass, J, motion.at(point), motion.w)
        )

    def modal_spring(self, name: str, nodes: list[int], k: int, stiffness: float, damping: float) -> int:
        """Of one amplitude."""
        measure = self.assembler.measure(
            tb.ALONG_WORLD, 0, nodes[k // 3], e1=np.eye(3)[k % 3], label=f"{name} (amplitude {k + 1})"
        )
        law = self.assembler.law_polynomial
        return self.assembler.couple(
            measure, law([0.0, stiffness]), damping=law([0.0, damping]) if damping > 0.0 else -1
        )

    def hold_spare(self, owner: str, nodes: list[int], count: int) -> None:
        """Coordinates of the last point that are no amplitudes stay where they are."""
        for k in range(count, 3 * len(nodes)):
            spare = self.assembler.measure(tb.ALONG_WORLD, 0, nodes[-1], e1=np.eye(3)[k % 3])
            self.assembler.constrain([(spare, 1.0)], owner, "a coordinate that is no amplitude")

    def hang(self, nodes: list[int], force: np.ndarray) -> None:
        """What gravity does to shapes whose frame is fixed."""
        padded = np.zeros(3 * len(nodes))
        padded[: len(force)] = force
        for k, node in enumerate(nodes):
            laws = [self.assembler.law_constant(f) for f in padded[3 * k : 3 * k + 3]]
            self.assembler.loads.append(LoadDraft(node, np.zeros(3), np.eye(3), False, [*laws, -1, -1, -1]))

    def amplitude_nodes(self, name: str, count: int, mass: float) -> list[int]:
        """Points whose places are amplitudes."""
        assembler = self.assembler
        found = []
        for k in range(-(-count // 3)):
            label = f"{name} (amplitudes {3 * k + 1} to {min(3 * k + 3, count)})"
            found.append(assembler.node(NodeDraft(tb.POINT, label, np.zeros(3), np.eye(3), mass)))
        assembler.weightless += found
        return found

    def hold_to_shapes(self, owner: str, terms, nodes: list[int], weights: np.ndarray, about: str) -> int:
        """A row: a measure equals the sum of weights times amplitudes."""
        padded = np.zeros(3 * len(nodes))
        padded[: len(weights)] = weights
        along = [
            (self.assembler.measure(tb.ALONG_WORLD, 0, n, e1=padded[3 * k : 3 * k + 3]), -1.0)
            for k, n in enumerate(nodes)
        ]
        return self.assembler.constrain([(terms, 1.0), *along], owner, about)

    def hold_interface(self, owner: str, frame: int, axes, node: int, point, nodes, translation, rotation) -> list[int]:
        """Rows for an interface at a point as drawn, by unit amplitudes moved and turned along the columns of axes;
        rotation None: it does not turn."""
        measure, label = self.assembler.measure, self.assembler.nodes[node].label
        rows = []
        for k in range(3):
            m = measure(tb.ALONG, frame, node, point, point, e1=axes[:, k])
            rows.append(self.hold_to_shapes(owner, m, nodes, translation[k], f"place of {label}"))
        for k in range(3 if rotation is not None else 0):
            u, f = axes[:, (k + 2) % 3], axes[:, (k + 1) % 3]
            m = measure(tb.COSINE, frame, node, point, point, e1=u, f=f)
            rows.append(self.hold_to_shapes(owner, m, nodes, rotation[k], f"attitude of {label}"))
        return rows


def curves_of(interface, count: int) -> list[np.ndarray | None]:
    """(count, count) for each row of an interface, where shapes move it to second order."""
    if interface.bent is None:
        return [None] * 6
    out = np.zeros((6, count, count))
    n = interface.bent.shape[1]
    out[:, :n, :n] = 0.5 * (interface.bent + interface.bent.transpose(0, 2, 1))
    return list(out)
