"""Surfaces that can touch, where they are no more than that: floors, bearings, and shapes written in a contact."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..mechanics import tables as tb
from .places import Places, numbers


def surface_shapes(drafts, places: Places) -> dict[str, list[dict[str, Any]]]:
    """Shapes by the rigid body (or ground) that carries them; those of sheets and rods are the bodies themselves."""
    found: dict[str, list[dict[str, Any]]] = {}
    triangles: dict[str, list[np.ndarray]] = {}
    for draft, name, points in on_rigid(drafts, places):
        if draft.kind in (tb.TRIANGLE, tb.WEDGE):
            triangles.setdefault(name, []).append(points)
            continue
        shape = one_shape(draft, points)
        if shape is not None:
            found.setdefault(name, []).append(shape | {"axes": places.turned(name, draft.axes)})
    for name, corners in triangles.items():
        found.setdefault(name, []).append({"kind": "triangles", "points": numbers(np.concatenate(corners))})
    return found


def touched_points(drafts, places: Places) -> dict[str, list[list[float]]]:
    """Points, rings and walls on rigid bodies, in their frames."""
    found: dict[str, list[list[float]]] = {}
    for draft, name, points in on_rigid(drafts, places):
        if draft.kind in (tb.BALL, tb.RING, tb.SOCKET, tb.PLANE):
            found.setdefault(name, []).append(numbers(points[0]))
    return found


def on_rigid(drafts, places: Places) -> Iterator[tuple[Any, str, np.ndarray]]:
    """(draft, name of the rigid body or ground, points in its frame)"""
    for draft in drafts:
        owners = {places.owner.get(int(node)) for node in draft.nodes}
        owner = owners.pop() if len(owners) == 1 else None
        if draft.shown and owner is not None and owner[1] is None:
            yield draft, owner[0], places.inside(owner[0], np.array(draft.points))


def one_shape(draft, points: np.ndarray) -> dict[str, Any] | None:
    """None for what only helps to find contacts: corners, rims and walls of a point."""
    at = {"at": numbers(points[0])}
    if draft.kind == tb.PLANE:
        return {"kind": "plane", **at}
    if draft.kind == tb.BALL and draft.radius > 0.0:
        return {"kind": "sphere", "radius": draft.radius, **at}
    if draft.kind == tb.SEGMENT:
        return {"kind": "capsule", "radius": draft.radius, "to": numbers(points[1]), **at}
    if draft.kind == tb.WALL and len(points) > 1:
        return {"kind": "capsule", "radius": 0.0, "to": numbers(points[1]), **at}
    if draft.kind == tb.BOX:
        return {"kind": "box", "size": numbers(2.0 * draft.size), **at}
    if draft.kind == tb.ELLIPSOID:
        return {"kind": "ellipsoid", "semi_axes": numbers(draft.size), **at}
    if draft.kind == tb.CYLINDER:
        return {"kind": "cylinder", "radius": float(draft.size[0]), "length": 2.0 * float(draft.size[1]), **at}
    if draft.kind in (tb.RING, tb.SOCKET):
        return {"kind": "ring", "radius": draft.radius, **at}
    return None


def without_twins(shapes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One of shapes of the same kind and size at the same place: a body's own shape is also its surface."""
    kept: dict[tuple, dict[str, Any]] = {}
    for shape in shapes:
        sizes = [
            np.ravel(shape[key]) for key in sorted(shape) if key not in ("kind", "axes") and shape[key] is not None
        ]
        kept.setdefault((shape["kind"], *np.round(np.concatenate(sizes), 9).tolist()), shape)
    return list(kept.values())
