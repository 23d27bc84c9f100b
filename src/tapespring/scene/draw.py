"""From what was built to the plain data of `scene`."""

from __future__ import annotations

from typing import Any

import numpy as np

from .links import contact_parts, joint_parts, link_parts, support_parts
from .places import GROUND, Places, numbers
from .shapes import section_of, shape_of
from .surfaces import surface_shapes, touched_points, without_twins

Part = dict[str, Any]


def draw_scene(model, stages) -> dict[str, Any]:
    """stages: (catalogue, assembler) of each stage of a run; a part is drawn if any of them has it."""
    parts: dict[tuple[str, str], Part] = {}
    for catalogue, assembler in stages:
        for part in parts_of(model, catalogue, assembler):
            parts.setdefault((part["kind"], part["name"]), part)
    return {"gravity": numbers(model.gravity), "parts": list(parts.values())}


def parts_of(model, catalogue, assembler) -> list[Part]:
    places = Places(catalogue)
    entities = model.section("bodies")
    shapes = surface_shapes(assembler.surfaces, places)
    links = link_parts(catalogue, assembler, places)
    joints = joint_parts(catalogue, places)
    bodies = [
        body_part(body, entities.get(name), places, shapes.get(name, [])) for name, body in catalogue.bodies.items()
    ]
    held = held_points([*links, *joints], touched_points(assembler.surfaces, places))
    add_sticks(bodies, catalogue, entities, held)
    return [*bodies, *links, *joints, *support_parts(catalogue, places), *contact_parts(catalogue)]


def body_part(body, entity, places: Places, surfaces: list[Part]) -> Part:
    """One body; what it is made of in its own frame."""
    if body.mesh is not None:
        return mesh_part(body)
    if body.modal is not None:
        return modal_part(body)
    if body.line is None and body.is_flexible:
        return {"kind": "line", "name": body.name, "of": body.kind, "nodes": 0}  # not drawn: only its markers are known
    if body.is_flexible:
        return {
            "kind": "line", "name": body.name, "of": body.kind, "nodes": len(body.line.nodes), **section_of(entity),
        }  # fmt: skip
    if body.kind == "point_mass":
        radius = max((s["radius"] for s in surfaces if s["kind"] == "sphere"), default=None)
        return {"kind": "point", "name": body.name, "mass": entity.mass, "radius": radius}
    own = [shape_of(entity)] if getattr(entity, "shape", None) is not None else []
    if body.line is not None:
        own.append(sweep(body, entity, places))
        surfaces = [s for s in surfaces if s["kind"] not in ("capsule", "sphere")]  # the rod itself
    return {"kind": "rigid", "name": body.name, "of": body.kind, "shapes": without_twins([*own, *surfaces])}


def mesh_part(body) -> Part:
    """A membrane, shell or solid, with the sides of its elements by places in a row of `cells`."""
    from ..kinds.meshes.elements import ELEMENTS

    cells = {name: rows.tolist() for name, rows in body.mesh.cells.items()}
    sides = {name: [list(side) for side in ELEMENTS[name].sides] for name in cells}
    about = {"of": body.kind, "nodes": len(body.mesh.nodes)}
    return {"kind": "mesh", "name": body.name, **about, "cells": cells, "sides": sides}


def modal_part(body) -> Part:
    """A body by modes, by the picture of what was reduced: its elements, or else its line."""
    from ..kinds.meshes.elements import ELEMENTS

    picture = body.modal.reduced.picture
    given = picture.cells if picture is not None else {}
    cells = {name: rows for name, rows in given.items() if name in ELEMENTS and ELEMENTS[name].dimension > 1}
    about = {"name": body.name, "nodes": len(picture.points) if picture is not None else 0}
    if not cells:
        return {"kind": "line", "of": "modal", "radius": None, **about}
    solid = any(ELEMENTS[name].dimension == 3 for name in cells)
    sides = {name: [list(side) for side in ELEMENTS[name].sides] for name in cells}
    drawn = {name: rows.tolist() for name, rows in cells.items()}
    return {"kind": "mesh", "of": "solid" if solid else "shell", **about, "cells": drawn, "sides": sides}


def sweep(body, entity, places: Places) -> Part:
    """A beam that is declared rigid."""
    up = np.einsum("ji,kj->ki", body.axes, body.line.axes[:, :, 2])
    points = numbers(places.inside(body.name, body.line.points))
    return {"kind": "sweep", "points": points, "up": numbers(up), **section_of(entity)}


def add_sticks(bodies: list[Part], catalogue, entities, held: dict[str, list[list[float]]]) -> None:
    """A rigid body without a shape is drawn as bars from its centre of mass to wherever something holds it."""
    for part in bodies:
        if part["kind"] != "rigid" or part["name"] == GROUND:
            continue
        com = np.array(getattr(entities[part["name"]], "com", (0.0, 0.0, 0.0)))
        if not all(is_detail(shape, com) for shape in part["shapes"]):
            continue
        body = catalogue.bodies[part["name"]]
        markers = [numbers((marker.point - body.point) @ body.axes) for marker in body.markers.values()]
        ends = {tuple(np.round(point, 9)): point for point in [*held.get(part["name"], []), *markers]}
        part["shapes"].append({"kind": "sticks", "at": numbers(com), "to": list(ends.values())})


def is_detail(shape: Part, com: np.ndarray) -> bool:
    """Whether a shape is a bearing, a journal or a wall of a slot, and not the body itself."""
    if shape["kind"] == "sphere":
        return bool(np.linalg.norm(np.array(shape["at"]) - com) > shape["radius"])
    return shape["kind"] in ("plane", "ring")


def held_points(holders: list[Part], touched: dict[str, list[list[float]]]) -> dict[str, list[list[float]]]:
    """Points of rigid bodies, in their frames, where joints, links and contacts act."""
    found = {name: list(points) for name, points in touched.items()}
    for holder in holders:
        for place in holder["ends"] if "ends" in holder else [holder["at"], holder.get("second")]:
            if place and "at" in place:
                found.setdefault(place["body"], []).append(place["at"])
    return found
