"""What stands between bodies: springs, bars, massless rods, joints, supports, contacts."""

from __future__ import annotations

from typing import Any

from ..mechanics import tables as tb
from .places import Places, numbers

Part = dict[str, Any]


def link_parts(catalogue, assembler, places: Places) -> list[Part]:
    """Springs, bars, bushings and massless rods, each from place to place."""
    found = []
    for coupling in catalogue.couplings.values():
        draft = assembler.measures[coupling.measure]
        if coupling.kind == "spring" and draft.kind == tb.LENGTH:
            found.append(link(coupling.name, "spring", draft, places))
    for bar in catalogue.bars.values():
        found.append(link(bar.name, "bar", assembler.bars[bar.bar], places))
    for bushing in catalogue.bushings.values():
        found.append(link(bushing.name, "bushing", assembler.bushings[bushing.bushing], places))
    for joint in catalogue.joints.values():
        if joint.kind == "distance":
            ends = [places.place(joint.a, joint.point_a), places.place(joint.b, joint.point_b)]
            found.append({"kind": "link", "name": joint.name, "of": "distance", "ends": ends})
    return [part for part in found if None not in part["ends"]]


def link(name: str, kind: str, draft, places: Places) -> Part:
    ends = [places.place(draft.a, draft.pa), places.place(draft.b, draft.pb)]
    return {"kind": "link", "name": name, "of": kind, "ends": ends}


def joint_parts(catalogue, places: Places) -> list[Part]:
    """Where a joint is, on its first side, and its axis there; `second` is its place on the other side."""
    found = []
    for joint in catalogue.joints.values():
        at, second = places.place(joint.a, joint.point_a), places.place(joint.b, joint.point_b)
        if at is None or joint.kind == "distance":
            continue
        axes = places.bodies[at["body"]].axes if "at" in at else None
        axis = numbers(joint.frame_a[:, 2] if axes is None else axes.T @ joint.frame_a[:, 2])
        part = {"kind": "joint", "name": joint.name, "of": joint.kind, "at": at, "axis": axis}
        found.append(part | ({"second": second} if second else {}))
    return found


def support_parts(catalogue, places: Places) -> list[Part]:
    """Nodes that are held, in some directions at least."""
    found = []
    for support in catalogue.supports.values():
        held = [places.place(node, point) for node, point in zip(support.nodes, support.points, strict=True)]
        found.append({"kind": "support", "name": support.name, "places": [place for place in held if place]})
    return found


def contact_parts(catalogue) -> list[Part]:
    return [
        {"kind": "contact", "name": contact.name, "between": list(contact.sides)}
        for contact in catalogue.contacts.values()
    ]
