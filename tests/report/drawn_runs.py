"""Small runs with known motion and every kind of part, made without a simulation."""

from __future__ import annotations

import numpy as np

from tapespring.results import Channel, EnergyAudit, Event, Results, Status, make_provenance

XYZ, WXYZ = ("x", "y", "z"), ("w", "x", "y", "z")
EYE = np.eye(3).tolist()


def of_nodes(words, count):
    return tuple(f"{word}{k}" for k in range(count) for word in words)


def everything(
    times: int = 81, *, nodes: int = 11, cells: int = 6, name: str = "Everything", speed: float = 1.0, bad: bool = False
) -> Results:
    """A box that turns, a ball that swings, a strap that bends, a sheet that waves, a contact, a spring and a hinge."""
    t = np.linspace(0.0, 2.0, times)
    turn, zero, one = speed * np.pi * t, np.zeros(times), np.ones(times)
    bob = np.stack((np.sin(turn), zero, -np.cos(turn)), axis=1)
    crank = np.stack((0.5 * one, 0.3 * one, zero), axis=1)
    q = np.stack((np.cos(turn / 2), zero, np.sin(turn / 2), zero), axis=1)
    force = np.stack((zero, zero, np.where((t > 0.9) & (t < 1.1), 50.0, 0.0)), axis=1)
    point = np.where(force[:, 2:] > 0.0, [[0.5, 0.3, -0.2]], np.nan)
    strap, up = strap_motion(turn, nodes)
    kinetic = 5.0 + 5.0 * np.sin(turn) ** 2
    audit = EnergyAudit(t, kinetic, 5.0 - kinetic, numerical=0.0 * t, strain=(2.0 * t if bad else 0.0 * t))
    channels = [
        Channel("bob.position", "m", bob, XYZ, "origin of the body"),
        Channel("crank.position", "m", crank, XYZ),
        Channel("crank.orientation", "1", q, WXYZ),
        Channel("hinge.angle", "rad", turn, about="coordinate"),
        Channel("strap.positions", "m", strap.reshape(times, -1), of_nodes(XYZ, nodes)),
        Channel("strap.section_up", "1", up.reshape(times, -1), of_nodes(XYZ, nodes)),
        Channel("strap.section_moment", "N m", np.tile(turn[:, None], 3 * (nodes - 1)), of_nodes("TMN", nodes - 1)),
        *sheet_channels(turn, cells),
        Channel("floor.force", "N", force, XYZ),
        Channel("floor.point", "m", point, XYZ),
        Channel("floor.normal", "N", force[:, 2]),
    ]
    return Results(
        t, channels, status=Status(True, "complete", "", 2.0), audit=audit,
        events=[Event("floor.hit", 0.9, "surfaces touch")], violation={"position": 1e-12, "position_time": 1.0},
        counters={"steps": 1234}, timing={"wall_s": 0.5}, notes=["auto: ode runs it"],
        contacts={"floor": {"touches": 1, "deepest": 1e-4, "strongest": 50.0, "fastest": 1.0, "restitution": None,
                            "depth_by_feature": 0.001, "steps_per_touch": 40.0}},
        provenance=make_provenance(name, "name: Everything  # <b>not bold</b>\n", "ode", {"tolerance": 1e-8}),
        scene={"gravity": [0.0, 0.0, -9.81], "parts": parts(nodes, cells)},
    )  # fmt: skip


def strap_motion(turn, nodes):
    """(places, section's z axis): an arc in the xz plane whose curvature grows and falls."""
    s = np.linspace(0.0, 1.0, nodes)
    k = 1.5 * np.sin(turn)[:, None] + 1e-9
    places = np.stack((np.sin(k * s) / k, -0.5 * np.ones(k.shape) * np.ones_like(s), (1.0 - np.cos(k * s)) / k), axis=2)
    up = np.stack((-np.sin(k * s), 0.0 * k * s, np.cos(k * s)), axis=2)
    return places, up


def sheet_channels(turn, cells):
    s = np.linspace(0.0, 1.0, cells + 1)
    x, y = (a.ravel() for a in np.meshgrid(s, s, indexing="ij"))
    z = 0.1 * np.sin(2.0 * np.pi * x + turn[:, None])
    places = np.stack((np.broadcast_to(x, z.shape), np.broadcast_to(y + 0.7, z.shape), z), axis=2)
    stress = np.tile(np.arange(3.0 * cells**2), (len(turn), 1))
    return [
        Channel("sheet.positions", "m", places.reshape(len(turn), -1), of_nodes(XYZ, (cells + 1) ** 2)),
        Channel("sheet.membrane_force", "N/m", stress, of_nodes(("11_", "22_", "12_"), cells**2)),
        Channel("sheet.strain_energy", "J", turn**2),
        Channel("sheet.energy_density", "J/m^2", stress[:, : cells**2], of_nodes("u", cells**2)),
    ]


def parts(nodes, cells):
    n = cells + 1
    quads = [
        [i * n + j, (i + 1) * n + j, (i + 1) * n + j + 1, i * n + j + 1] for i in range(cells) for j in range(cells)
    ]
    floor = {"kind": "plane", "at": [0, 0, -1.2], "axes": EYE}
    box = {"kind": "box", "at": [0, 0, 0], "axes": EYE, "size": [0.4, 0.1, 0.1]}
    strap = {"outline": [[-0.02, -0.001], [0.02, -0.001], [0.02, 0.001], [-0.02, 0.001]], "nodes": nodes, "of": "beam"}
    sides = {"quad": [[0, 1], [1, 2], [2, 3], [3, 0]]}
    pivot = {"body": "ground", "at": [0.0, 0.0, 0.0]}
    return [
        {"kind": "rigid", "name": "ground", "of": "ground", "shapes": [floor]},
        {"kind": "point", "name": "bob", "mass": 1.0, "radius": None},
        {"kind": "rigid", "name": "crank", "of": "rigid", "shapes": [box]},
        {"kind": "line", "name": "strap", **strap},
        {"kind": "mesh", "name": "sheet", "of": "shell", "nodes": n * n, "cells": {"quad": quads}, "sides": sides},
        {"kind": "link", "name": "rod", "of": "distance", "ends": [pivot, {"body": "bob", "at": [0.0, 0.0, 0.0]}]},
        {"kind": "link", "name": "coil", "of": "spring", "ends": [{"body": "strap", "node": nodes - 1}, pivot]},
        {"kind": "joint", "name": "hinge", "of": "revolute", "at": {"body": "ground", "at": [0.5, 0.3, 0.0]},
         "axis": [0.0, 1.0, 0.0], "second": {"body": "crank", "at": [0.0, 0.0, 0.0]}},
        {"kind": "contact", "name": "floor", "between": ["ground", "crank"]},
    ]  # fmt: skip


def hardly_moved(times: int = 11) -> Results:
    """A sheet at 1 m whose far edge sinks by a micrometre."""
    t = np.linspace(0.0, 1.0, times)
    corners = np.array([[1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [2.0, 1.0, 0.0], [1.0, 1.0, 0.0]])
    places = corners + t[:, None, None] * np.array([0.0, 0.0, -1e-6]) * [[0.0], [1.0], [1.0], [0.0]]
    channels = [
        Channel("sheet.positions", "m", places.reshape(times, -1), of_nodes(XYZ, 4)),
        Channel("sheet.edge.position", "m", places[:, 1], XYZ),
        Channel("sheet.corner.position", "m", places[:, 2] + [0.0, 0.0, 5.0], XYZ),
        Channel("clamp.force", "N", 1e-25 * np.stack((t, t, t), axis=1), XYZ),
    ]
    sheet = {"kind": "mesh", "name": "sheet", "of": "shell", "nodes": 4, "cells": {"quad": [[0, 1, 2, 3]]},
             "sides": {"quad": [[0, 1], [1, 2], [2, 3], [3, 0]]}}  # fmt: skip
    return Results(t, channels, status=Status(True, "complete", "", 1.0), scene={"parts": [sheet]})


def traveller(times: int = 21) -> Results:
    """Two balls a tenth of a metre apart that fly ten metres."""
    t = np.linspace(0.0, 1.0, times)
    way = 10.0 * t[:, None] * np.array([1.0, 0.0, 0.0])
    channels = [Channel(f"{name}.position", "m", way + at, XYZ) for name, at in (("a", [0, 0, 0]), ("b", [0, 0.1, 0]))]
    balls = [{"kind": "point", "name": name, "mass": 1.0, "radius": None} for name in "ab"]
    return Results(t, channels, status=Status(True, "complete", "", 1.0), scene={"parts": balls})


def poisoned(text: str) -> Results:
    """A run in which all that is a text is this one, wherever a file could hold it."""
    run = everything(name=text)
    own = [c for c in run.channels.values() if not c.name.startswith("energy.")]
    named = [Channel(f"{text.replace('/', '')}.{c.name}", text, c.values, c.components, text) for c in own]
    contacts = {text: run.contacts["floor"] | dict.fromkeys(("touches", "restitution", "steps_per_touch", text), text)}
    origin = dict.fromkeys(run.provenance, text) | {"settings": {text: text}, "model_text": text}
    part = {"name": text, "kind": "point", "of": text, "shapes": []}
    scene = {"gravity": [0.0, 0.0, -9.81], "parts": [*run.scene["parts"], part]}
    return Results(
        run.time, [*own, *named], status=Status(False, text, text, 2.0), audit=run.audit,
        events=[Event(text, 0.9, text, {text: 1.0})], violation=run.violation, counters={text: 1},
        timing={"wall_s": 1.0}, notes=[text], contacts=contacts,
        warnings=[{"level": "fair", "title": text, "words": text}], provenance=origin, scene=scene,
    )  # fmt: skip
