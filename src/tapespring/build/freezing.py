"""Flexible bodies that are rigid for a stage, in the shape they have when it begins.

The nodes of such a body, with all that shares them, become one node at their centre of mass, drawn as they stand now.
What holds on to one of them (joints, loads, surfaces, elements of other bodies) goes along; elements of the body itself
are left out. Mass, momentum and angular momentum stay; the energy of what nodes moved relative to each other is lost,
as in a plastic impact. The state of the whole model is reduced to this one, and expanded again at the end.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..mechanics import tables as tb
from .assembler import Assembler
from .carrying import Carried, carry_drafts, carry_entries
from .catalogue import Catalogue
from .nodes import inertias
from .placement import Layout, Placement

SLIGHT = 1e-12  # of the inertia: so that a straight row of points has some about itself


class CannotFreezeError(ValueError):
    """Why bodies cannot be rigid in a stage."""


@dataclass
class Frozen:
    """What is rigid in a stage, and the ways to it and back."""

    names: tuple[str, ...]
    whole: Layout
    reduced: Layout
    shape: Placement  # of the whole, when it became rigid
    begin: Placement  # reduced: as rigid bodies that carry its momentum
    owner: np.ndarray  # (nodes,) the node that each is part of
    lost: float  # energy [J]

    def state(self) -> tuple[np.ndarray, np.ndarray]:
        """(q, v) the stage begins with."""
        return self.reduced.write(self.begin)

    def expanded(self, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(q, v) of the whole model."""
        now = self.reduced.read(q, v)
        k = np.flatnonzero(self.owner >= 0)
        m = self.owner[k]
        turn, w = now.turn[m], now.w[m]
        arm = np.einsum("nij,nj->ni", turn, self.shape.x[k] - self.begin.x[m])
        x, velocity = now.x[m] + arm, now.v[m] + np.cross(w, arm)
        now.x[k], now.turn[k], now.v[k], now.w[k] = x, turn @ self.shape.turn[k], velocity, w
        return self.whole.write(now)


def freeze(assembler: Assembler, catalogue: Catalogue, names: tuple[str, ...], state=None) -> Frozen:
    """Make bodies rigid where a state (q, v) of the whole model has them, or as drawn. Raises CannotFreezeError."""
    whole = Layout(assembler)
    shape = whole.read(*(state or (whole.q0, whole.v0)))
    owner = owners(assembler, catalogue, names)
    begin, lost = merge_nodes(assembler, owner, shape)
    leave_out_elements(assembler, catalogue, names)
    carried = Carried(owner, shape, whole.drawn)
    carry_drafts(assembler, carried)
    carry_entries(catalogue, carried)
    check_elements(assembler)
    return Frozen(names, whole, Layout(assembler), shape, begin, owner, lost)


def owners(assembler: Assembler, catalogue: Catalogue, names: tuple[str, ...]) -> np.ndarray:
    """The first node of each rigid piece, for its nodes; -1 for all others. Raises CannotFreezeError."""
    owner = np.full(len(assembler.nodes), -1)
    kinds = assembler.nodes.table["kind"]
    for name in names:
        body = catalogue.bodies[name]
        part = body.line or body.mesh
        if part is None or not part.is_flexible:
            raise CannotFreezeError(f"'{name}' is not flexible; only beams, cables, membranes, shells and solids are")
        mine = np.unique(part.nodes)
        if not np.isin(kinds[mine], (tb.POINT, tb.FRAME)).all():
            raise CannotFreezeError(f"'{name}' is attached to ground or a moving frame, with which it would be rigid")
        shared = np.unique(owner[mine][owner[mine] >= 0])
        every = np.union1d(mine, np.flatnonzero(np.isin(owner, shared)))
        owner[every] = every[0]
    return owner


def merge_nodes(assembler: Assembler, owner: np.ndarray, shape: Placement) -> tuple[Placement, float]:
    """(placement with the new nodes, energy lost); the others of a piece stay in the list, as part of the ground."""
    table = assembler.nodes.table
    begin = Placement(*(part.copy() for part in (shape.x, shape.turn, shape.v, shape.w)))
    lost = 0.0
    for m in np.unique(owner[owner >= 0]).tolist():
        mine = np.flatnonzero(owner == m)
        mass, x, v, w, turn = table["mass"][mine], shape.x[mine], shape.v[mine], shape.w[mine], shape.turn[mine]
        J = turn @ inertias(assembler.nodes, mine) @ turn.transpose(0, 2, 1)
        total = float(mass.sum())
        centre, velocity = mass @ x / total, mass @ v / total
        r, u = x - centre, v - velocity
        inertia = J.sum(axis=0) + (mass @ (r * r).sum(axis=1)) * np.eye(3) - np.einsum("n,ni,nj->ij", mass, r, r)
        spun = np.einsum("nij,nj->ni", J, w)
        momentum = (mass[:, None] * np.cross(r, u)).sum(axis=0) + spun.sum(axis=0)
        inertia += SLIGHT * np.trace(inertia) * np.eye(3)
        spin = np.linalg.solve(inertia, momentum)
        moving = 0.5 * (mass @ (v * v).sum(axis=1) + np.einsum("ni,ni->", w, spun))
        lost += float(moving - 0.5 * (total * velocity @ velocity + spin @ inertia @ spin))
        table["kind"][mine], table["mass"][mine], table["rotary"][mine] = tb.GROUND, 0.0, 0.0
        table["tensor"][mine] = table["frame"][mine] = 0
        node = assembler.nodes[m]
        node.kind, node.mass, node.inertia = tb.FRAME, total, 0.5 * (inertia + inertia.T)
        node.x, node.v, node.w = centre, velocity, spin
        begin.x[m], begin.turn[m], begin.v[m], begin.w[m] = centre, np.eye(3), velocity, spin
    return begin, lost


def leave_out_elements(assembler: Assembler, catalogue: Catalogue, names: tuple[str, ...]) -> None:
    """Those of the bodies that became rigid; others are counted anew."""
    bodies = [catalogue.bodies[name] for name in names]
    is_bar = {"cable", "cord"}
    out = {
        "beams": {k for b in bodies if b.line and b.kind not in is_bar for k in b.line.elements},
        "bars": {k for b in bodies if b.line and b.kind in is_bar for k in b.line.elements},
        "cells": {k for b in bodies if b.mesh for k in b.mesh.drafts},
    }
    place: dict[str, dict[int, int]] = {}
    for kind, gone in out.items():
        kept = [k for k in range(len(getattr(assembler, kind))) if k not in gone]
        place[kind] = {k: i for i, k in enumerate(kept)}
        setattr(assembler, kind, [getattr(assembler, kind)[k] for k in kept])
    for name, body in catalogue.bodies.items():
        if body.line is not None:
            kind = "bars" if body.kind in is_bar else "beams"
            elements = tuple(place[kind][k] for k in body.line.elements if k in place[kind])
            body = replace(body, line=replace(body.line, elements=elements, frozen=name in names))
        if body.mesh is not None:
            drafts = tuple(place["cells"][k] for k in body.mesh.drafts if k in place["cells"])
            body = replace(body, mesh=replace(body.mesh, drafts=drafts))
        catalogue.bodies[name] = body
    for name, bar in catalogue.bars.items():
        catalogue.bars[name] = replace(bar, bar=place["bars"][bar.bar])


def check_elements(assembler: Assembler) -> None:
    """Refuse flexible elements within a rigid piece. Raises CannotFreezeError."""
    inside = any(d.a == d.b for d in assembler.beams) or any(d.a == d.b for d in assembler.bars)
    if inside or any((d.nodes == d.nodes[:, :1]).all(axis=1).any() for d in assembler.cells):
        message = "other elements lie between nodes that would be one rigid body; make their body rigid too"
        raise CannotFreezeError(message)
