"""What the records and the scene of a results file look like; anything else in their place is damage, or malice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .channels import Channel
from .plain_shapes import (
    Shape,
    anything,
    count,
    flag,
    kinds_of,
    list_of,
    map_of,
    maybe,
    number,
    one_of,
    record,
    refuse,
    text,
)

MANY = 1 << 40
CORNERS = {"triangle": 3, "quad": 4, "hexahedron": 8, "tetra10": 10}
ELEMENT_NUMBERS = {
    "stress": 6, "membrane_force": 3, "bending_moment": 3, "section_moment": 3, "section_force": 3, "tension": 1,
    "energy_density": 1, "shear_force": 2, "strain": 3, "curvature": 3,
}  # fmt: skip


def table(columns: int) -> Shape:
    """Rows of so many numbers."""

    def check(data: Any, where: str) -> None:
        found = np.asarray(data) if isinstance(data, list) else np.array("")  # raises ValueError for ragged lists
        if found.size and (found.dtype.kind not in "fi" or found.shape[1:] != (columns,)):
            refuse(where, f"a list of rows of {columns} numbers")

    return check


vector = list_of(number, 3)
axes = list_of(vector, 3)
of_contact = record(
    {"touches": number, "deepest": number, "strongest": number, "fastest": number},
    {"restitution": maybe(number), "depth_by_feature": maybe(number), "steps_per_touch": maybe(number)},
)
of_phase = record(
    {"stage": text, "solver": text, "begin": number, "end": number, "steps": number, "cpu_s": number, "why": text}
)
of_error = record(
    {"unit": text, "largest": number, "of_largest": number, "rms": number, "error": number, "time": number}
)
of_warning = record({"level": one_of("good", "fair", "bad", "open"), "title": text, "words": text}, closed=True)
numbers = list_of(number)
of_extremes = record(
    {"low": numbers, "low_time": numbers, "high": numbers, "high_time": numbers, "rough": list_of(flag)}
)
SCALES = ("exchanged", "part", "carried", "that roundings are worth")  # see audit
of_balance = record(
    {
        "residual": number, "time": number, "scale": number, "what": one_of(*SCALES),
        "exchanged": number, "steady": number, "numerical": number, "returned": number,
    },
    {"rounding": number},
    closed=True,
)  # fmt: skip
sizes = maybe(map_of(list_of(count(MANY))))
RECORDS: dict[str, Shape] = {
    "status": record({"complete": flag, "code": text}, {"message": text, "time": number}),
    "counters": map_of(number),
    "contacts": map_of(of_contact),
    "timing": map_of(maybe(number)),
    "violation": map_of(maybe(number)),
    "notes": list_of(text),
    "warnings": list_of(of_warning),
    "extremes": map_of(of_extremes),
    "balance": of_balance,
    "phases": list_of(of_phase),
    "errors": map_of(of_error),
    "provenance": record({}, {"settings": map_of(anything), "elements": map_of(anything)}),
    "state": record(
        {"time": number, "angles": map_of(number), "stage": count(MANY), "model": text},
        {"system": text, "bodies": map_of(text), "reached": list_of(text)}
        | dict.fromkeys(("contacts", "joints", "scheme"), sizes),
        closed=True,
    ),
    "event": map_of(anything),
}
SECTION: dict[str, Shape] = {"radius": maybe(number), "outline": maybe(table(2))}
SHAPES: dict[str, Shape] = {
    "plane": record({"at": vector, "axes": axes}),
    "triangles": record({"points": table(3)}),
    "sticks": record({"at": vector, "to": list_of(vector)}),
    "capsule": record({"at": vector, "to": vector, "radius": number}),
    "sweep": record({"points": table(3), "up": table(3)}, SECTION),
    "box": record({"at": vector, "axes": axes, "size": vector}),
    "sphere": record({"at": vector, "axes": axes, "radius": number}),
    "ellipsoid": record({"at": vector, "axes": axes, "semi_axes": vector}),
    "cylinder": record({"at": vector, "axes": axes, "radius": number, "length": number}),
    "tube": record({"at": vector, "axes": axes, "outer_radius": number, "inner_radius": number, "length": number}),
    "ring": record({"at": vector, "axes": axes, "radius": number}),
}


def check_record(name: str, data: Any) -> Any:
    """The data of a record, found to be what it should be. Raises ValueError."""
    RECORDS.get(name, anything)(data, name)
    return data


def check_scene(scene: Any, channels: Mapping[str, Channel]) -> dict[str, Any]:
    """A scene, found to be drawn by the channels beside it. Raises ValueError."""
    record({}, {"gravity": vector, "parts": list_of(record({"name": text}))})(scene, "scene")
    parts = scene.get("parts", [])
    kinds = kinds_of(part_shapes({"ground", *(part["name"] for part in parts)}))
    for k, part in enumerate(parts):
        kinds(part, f"scene.parts[{k}]")
        check_motion(part, channels)
    return scene


def part_shapes(bodies: set[str]) -> dict[str, Shape]:
    """By kind, for places on these bodies."""

    def body(data: Any, where: str) -> None:
        text(data, where)
        if data not in bodies:
            refuse(where, "the name of a part")

    place = record({"body": body}, {"at": vector, "node": count(MANY)})
    about: dict[str, Shape] = {"name": text, "of": text}
    sides = map_of(list_of(list_of(count(max(CORNERS.values())))))
    return {
        "rigid": record(about | {"shapes": list_of(kinds_of(SHAPES))}),
        "point": record({"name": text, "mass": number}, {"radius": maybe(number)}),
        "line": record(about | {"nodes": count(MANY)}, SECTION),
        "mesh": record(about | {"nodes": count(MANY), "cells": cells, "sides": sides}),
        "link": record(about | {"ends": list_of(place, 2)}),
        "joint": record(about | {"at": place, "axis": vector}, {"second": place}),
        "support": record({"name": text, "places": list_of(place)}),
        "contact": record({"name": text, "between": list_of(text)}),
    }


def cells(data: Any, where: str) -> None:
    """Nodes of elements, by the name of the element."""
    map_of(anything)(data, where)
    if not data:
        refuse(where, "a list of elements")
    for name, rows in data.items():
        if name not in CORNERS:
            refuse(f"{where}.{name[:40]}", f"any of {', '.join(CORNERS)}")
        table(CORNERS[name])(rows, f"{where}.{name}")
        if not rows or np.asarray(rows).dtype.kind != "i" or np.min(rows) < 0:
            refuse(f"{where}.{name}", "a list of nodes of elements")


def check_motion(part: dict[str, Any], channels: Mapping[str, Channel]) -> None:
    """Refuse channels that are not as wide as what they move. Raises ValueError."""
    name, kind = part["name"], part["kind"]

    def width(quantity: str, numbers: int) -> None:
        channel = channels.get(f"{name}.{quantity}")
        if channel is not None and max(len(channel.components), 1) != numbers:
            refuse(f"the width of '{channel.name}'", f"{numbers}, as the scene wants it")

    if kind in ("rigid", "point"):
        width("position", 3)
        width("orientation", 4)
    elif kind == "contact" and f"{name}.point" in channels:
        if f"{name}.force" not in channels:
            refuse(f"'{name}.force'", "among the channels")
        width("force", 3)
        width("point", 3)
    elif kind in ("line", "mesh") and f"{name}.positions" in channels:
        width("positions", 3 * part["nodes"])
        width("section_up", 3 * part["nodes"])
        if kind == "mesh":
            check_elements(part)
        elements = part["nodes"] - 1 if kind == "line" else sum(map(len, part["cells"].values()))
        for quantity, numbers in ELEMENT_NUMBERS.items():
            width(quantity, numbers * elements)


def check_elements(part: dict[str, Any]) -> None:
    """Refuse nodes that there are not, and sides that are none. Raises ValueError."""
    for name, rows in part["cells"].items():
        if np.max(rows) >= part["nodes"]:
            refuse(f"a node of an element of '{part['name']}'", f"one of its {part['nodes']}")
        solid = CORNERS[name] > 4
        if solid != (part["of"] == "solid"):
            refuse(f"'{part['name']}'", f"of {name}")
        sides = part["sides"].get(name)
        if not sides or any(len(s) not in ((3, 4, 6) if solid else (2,)) or max(s) >= CORNERS[name] for s in sides):
            refuse(f"the sides of '{part['name']}'", f"those of {name}")
