"""Channels of membranes, shells and solids, and of the supports that hold them."""

from __future__ import annotations

import numpy as np

from .cells.recover import size
from .results import Channel
from .results.labels import Numbered

XYZ = ("x", "y", "z")
SHEET = ("11", "22", "12")
SOLID = ("11", "22", "33", "23", "31", "12")


def marker_channels(h, name, node, point) -> list[Channel]:
    """Of a place on a body."""
    return [
        Channel(f"{name}.position", "m", lambda: h.position(node, point), XYZ, "world axes"),
        Channel(f"{name}.velocity", "m/s", lambda: h.velocity(node, point), XYZ, "world axes"),
    ]


def mesh_channels(h, body) -> list[Channel]:
    """Its single-node groups, all nodes, its energy and what its elements carry."""
    mesh, name = body.mesh, body.name
    found: list[Channel] = []
    for group, nodes in mesh.groups.items():
        if len(nodes) == 1:
            k = int(nodes[0])
            found += marker_channels(h, f"{name}.{group}", int(mesh.nodes[k]), mesh.points[k])

    def positions():
        return h.positions(mesh.nodes, mesh.points).reshape(h.n, -1)

    labels = Numbered(XYZ, len(mesh.nodes))
    found.append(Channel(f"{name}.positions", "m", positions, labels, "of all nodes of the mesh, world axes"))
    if mesh.is_flexible:
        found += [*energy_channels(h, body), *stress_channels(h, body)]
    return found


def energy_channels(h, body) -> list[Channel]:
    """Of all elements together, and of each over its area or volume."""
    mesh = body.mesh
    spans = [cell_span(h, draft) for draft in mesh.drafts]

    def of_elements():
        return np.hstack([h.cells()[2][:, first:last] for first, last in spans])

    def density():
        return of_elements() / np.concatenate([pieces.gathered(size) for pieces in mesh.pieces.values()])

    unit, per = ("J/m^3", "volume") if body.kind == "solid" else ("J/m^2", "area")
    count = sum(len(cells) for cells in mesh.cells.values())
    about = f"strain energy per {per} as drawn, per element"
    return [
        Channel(f"{body.name}.strain_energy", "J", lambda: of_elements().sum(axis=1), about="of all elements"),
        Channel(f"{body.name}.energy_density", unit, density, Numbered(("u",), count), about),
    ]


def cell_span(h, draft: int) -> tuple[int, int]:
    """First cell of a draft and the one after its last."""
    counts = [len(d.nodes) for d in h.system.drafts.cells]
    return sum(counts[:draft]), sum(counts[: draft + 1])


def stress_channels(h, body) -> list[Channel]:
    """At the middle of each element, as drawn, of sheets in the material's axes, of solids in those of the world;
    elements by kind, then as in the mesh."""
    mesh, name = body.mesh, body.name
    count = sum(len(cells) for cells in mesh.cells.values())

    def part(which):
        def values():
            drafts = zip(mesh.cells, mesh.drafts, strict=True)
            found = [mesh.recover[kind](scalars_of(h, d), mean_of(h, d)) for kind, d in drafts]
            return np.concatenate([f[which] for f in found], axis=1).reshape(h.n, -1)

        return values

    kinds = {
        "shell": (
            ("membrane_force", "N/m", SHEET, "per length"),
            ("bending_moment", "N", SHEET, "per length; positive pulls the side of the normal"),
            ("shear_force", "N/m", ("1", "2"), "transverse, per length"),
        ),
        "membrane": (("membrane_force", "N/m", SHEET, "per length"),),
        "solid": (("stress", "Pa", SOLID, "second Piola-Kirchhoff in world axes, as drawn"),),
    }[body.kind]
    found = [
        Channel(f"{name}.{label}", unit, part(k), Numbered(components, count), f"{about}, per element")
        for k, (label, unit, components, about) in enumerate(kinds)
    ]
    if mesh.nodal is not None:
        labels, about = (
            Numbered(SOLID, len(mesh.nodes)),
            "second Piola-Kirchhoff in world axes, as drawn; at nodes: mean of the elements around",
        )

        def nodal():
            return mesh.nodal(scalars_of(h, mesh.drafts[0])).reshape(h.n, -1)

        found.append(Channel(f"{name}.nodal_stress", "Pa", nodal, labels, about))
    return found


def scalars_of(h, draft: int) -> np.ndarray:
    """(n, cells, scalars) beyond the reference."""
    first, last = cell_span(h, draft)
    cells, form = h.system.tables.cells, h.system.drafts.cells[draft].form
    at = int(cells["scalar"][first])
    return h.cells()[0][:, at : at + form.scalars * (last - first)].reshape(h.n, last - first, form.scalars)


def mean_of(h, draft: int) -> np.ndarray | None:
    """(n, cells, 6) mean stress of a law that is not linear."""
    first, last = cell_span(h, draft)
    return h.cells()[1][:, first:last] if h.system.drafts.cells[draft].law else None


def support_channels(h, support) -> list[Channel]:
    """Reactions of all its nodes together."""
    centre = support.points.mean(axis=0)

    def wrench():
        place = {draft: k for k, draft in enumerate(h.full.kept)}
        rows = [place[r] for r in support.rows if r in place]
        t = h.full.tables
        nodes = t.measures["b"][t.terms["measure"][t.rows["first"][rows]]]
        x = np.stack([h.position(int(n), h.system.drafts.nodes[int(n)].x) for n in nodes], axis=1)
        force, moment = np.split(h.row_wrenches()[:, rows], 2, axis=2)
        return force.sum(axis=1), (moment + np.cross(x - centre, force)).sum(axis=1)

    about = "on the body about the middle of the nodes as drawn, world axes"
    return [
        Channel(f"{support.name}.force", "N", lambda: wrench()[0], XYZ, "on the body, of all nodes, world axes"),
        Channel(f"{support.name}.torque", "N m", lambda: wrench()[1], XYZ, about),
    ]
