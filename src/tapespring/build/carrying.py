"""Drafts and entries that go along with nodes which became part of another node: see build.freezing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..cells.tables import CellsDraft, PressureDraft
from ..mechanics import tables as tb
from .assembler import Assembler, DragDraft, TiltDraft
from .catalogue import Catalogue
from .placement import Placement


@dataclass
class Carried:
    """Points and directions as drawn on a node that is part of a rigid piece now: where they stand."""

    owner: np.ndarray
    shape: Placement
    drawn: np.ndarray  # (nodes, 3)

    def has(self, node: int) -> bool:
        return bool(self.owner[node] >= 0)

    def node(self, node: int) -> int:
        return int(self.owner[node]) if self.has(node) else node

    def nodes(self, nodes: np.ndarray) -> np.ndarray:
        return np.where(self.owner[nodes] >= 0, self.owner[nodes], nodes)

    def point(self, node: int, p: np.ndarray) -> np.ndarray:
        return self.shape.x[node] + self.shape.turn[node] @ (p - self.drawn[node]) if self.has(node) else p

    def axes(self, node: int, columns: np.ndarray) -> np.ndarray:
        """A direction, or several as columns."""
        return self.shape.turn[node] @ columns if self.has(node) else columns

    def points(self, nodes: np.ndarray, p: np.ndarray) -> np.ndarray:
        moved = self.shape.x[nodes] + np.einsum("...ij,...j->...i", self.shape.turn[nodes], p - self.drawn[nodes])
        return np.where(self.owner[nodes][..., None] >= 0, moved, p)

    def directions(self, nodes: np.ndarray, e: np.ndarray) -> np.ndarray:
        """(…, corners, vectors, 3) of nodes (…, corners)."""
        turned = np.einsum("...ij,...kj->...ki", self.shape.turn[nodes], e)
        return np.where(self.owner[nodes][..., None, None] >= 0, turned, e)


def carry_drafts(assembler: Assembler, carried: Carried) -> None:
    """All that holds on to nodes that are part of a rigid piece now."""
    for m in assembler.measures:
        m.pa, m.pb, m.f = carried.point(m.a, m.pa), carried.point(m.b, m.pb), carried.axes(m.b, m.f)
        if m.kind != tb.ALONG_WORLD:
            m.e1, m.e2 = carried.axes(m.a, m.e1), carried.axes(m.a, m.e2)
        m.a, m.b = carried.node(m.a), carried.node(m.b)
    for load in assembler.loads:
        load.point = carried.point(load.node, load.point)
        if load.follows:
            load.axes = carried.axes(load.node, load.axes.T).T
        load.node = carried.node(load.node)
    for pair in (*assembler.bushings, *assembler.beams, *assembler.bars):
        carry_pair(pair, carried)
    for grip in assembler.grips:
        grip.point, grip.axis = carried.point(grip.b, grip.point), carried.axes(grip.a, grip.axis)
        grip.a, grip.b = carried.node(grip.a), carried.node(grip.b)
    for surface in assembler.surfaces:
        surface.axes = carried.axes(surface.nodes[0], surface.axes)
        surface.points = [carried.point(n, p) for n, p in zip(surface.nodes, surface.points, strict=True)]
        surface.nodes = [carried.node(n) for n in surface.nodes]
    faces: list[CellsDraft | PressureDraft] = [*assembler.cells, *assembler.pressures]
    for cells in faces:
        cells.points = carried.points(cells.nodes, cells.points)
        if isinstance(cells, CellsDraft):
            cells.carried = carried.directions(cells.nodes, cells.carried)
        cells.nodes = carried.nodes(cells.nodes)
    assembler.drags = carried_drags(assembler, carried)
    assembler.pairs = [pair for pair in assembler.pairs if moves(assembler, pair)]
    for crowd in assembler.crowds:
        crowd.pairs = crowd.pairs and [pair for pair in crowd.pairs if moves(assembler, pair)]
    assembler.idle_rows = frozenset(r for r, row in enumerate(assembler.rows) if is_idle(assembler, row))


def carry_pair(draft: Any, carried: Carried) -> None:
    """Of two nodes with a point each, and frames or an axis."""
    draft.pa, draft.pb = carried.point(draft.a, draft.pa), carried.point(draft.b, draft.pb)
    if isinstance(draft, TiltDraft):
        draft.axis = carried.axes(draft.a, draft.axis)
    elif hasattr(draft, "frame_a"):
        draft.frame_a, draft.frame_b = carried.axes(draft.a, draft.frame_a), carried.axes(draft.b, draft.frame_b)
    draft.a, draft.b = carried.node(draft.a), carried.node(draft.b)


def carried_drags(assembler: Assembler, carried: Carried) -> list[DragDraft]:
    """Drag on the nodes of a piece becomes one on the whole, about its centre of mass."""
    found: list[DragDraft] = []
    linear: dict[int, float] = {}
    angular: dict[int, np.ndarray] = {}
    for drag in assembler.drags:
        nodes = np.atleast_1d(drag.node)
        each = np.broadcast_to(drag.linear, nodes.shape)
        turns = np.broadcast_to(drag.angular, (*nodes.shape, 3, 3))
        free = carried.owner[nodes] < 0
        if free.any():
            found.append(DragDraft(nodes[free], each[free], turns[free]))
        for k, c, D in zip(nodes[~free].tolist(), each[~free], turns[~free], strict=True):
            m = carried.node(k)
            r, Q = carried.shape.x[k] - assembler.nodes[m].x, carried.shape.turn[k]
            linear[m] = linear.get(m, 0.0) + c
            angular[m] = angular.get(m, np.zeros((3, 3))) + Q @ D @ Q.T + c * ((r @ r) * np.eye(3) - np.outer(r, r))
    return found + [DragDraft(m, float(linear[m]), angular[m]) for m in linear]


def moves(assembler: Assembler, pair) -> bool:
    """Whether two surfaces that touch are not parts of the same node."""
    return len({n for k in pair[:2] for n in assembler.surfaces[k].nodes}) > 1


def is_idle(assembler: Assembler, row) -> bool:
    """Whether a row holds nothing any more, both its sides being parts of the same node."""
    return all(assembler.measures[m].a == assembler.measures[m].b for m, _ in row.terms)


def carry_entries(catalogue: Catalogue, carried: Carried) -> None:
    """The same for what channels are made from."""
    for name, body in catalogue.bodies.items():
        markers = {
            key: replace(
                m, point=carried.point(m.node, m.point), axes=carried.axes(m.node, m.axes), node=carried.node(m.node)
            )
            for key, m in body.markers.items()
        }
        point, axes = carried.point(body.node, body.point), carried.axes(body.node, body.axes)
        body = replace(body, markers=markers, point=point, axes=axes, node=carried.node(body.node))
        if body.line is not None:
            nodes = np.array(body.line.nodes)
            points, now = carried.points(nodes, body.line.points), tuple(carried.nodes(nodes).tolist())
            body = replace(body, line=replace(body.line, nodes=now, points=points))
        if body.mesh is not None:
            points = carried.points(body.mesh.nodes, body.mesh.points)
            body = replace(body, mesh=replace(body.mesh, nodes=carried.nodes(body.mesh.nodes), points=points))
        catalogue.bodies[name] = body
    for name, j in catalogue.joints.items():
        catalogue.joints[name] = replace(
            j, a=carried.node(j.a), b=carried.node(j.b), point_a=carried.point(j.a, j.point_a),
            point_b=carried.point(j.b, j.point_b), frame_a=carried.axes(j.a, j.frame_a),
            frame_b=carried.axes(j.b, j.frame_b),
        )  # fmt: skip
    for name, load in catalogue.loads.items():
        point = carried.point(load.node, load.point)
        catalogue.loads[name] = replace(load, point=point, node=carried.node(load.node))
    for name, support in catalogue.supports.items():
        held = np.array(support.nodes, int)
        points, now = carried.points(held, support.points), tuple(carried.nodes(held).tolist())
        catalogue.supports[name] = replace(support, points=points, nodes=now)
    for name, t in catalogue.tilts.items():
        catalogue.tilts[name] = replace(
            t, a=carried.node(t.a), b=carried.node(t.b), point_a=carried.point(t.a, t.point_a),
            point_b=carried.point(t.b, t.point_b), axes=carried.axes(t.a, t.axes),
        )  # fmt: skip
