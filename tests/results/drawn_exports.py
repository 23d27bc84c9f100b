"""A run with one part of each kind that is exported: a bar, a sheet, a rope, a cube and a ball."""

import numpy as np

from tapespring.results import Channel, Results, Status

EYE = np.eye(3).tolist()
CUBE = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)], float)
SHEET = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], float)
ROPE = np.array([(0, 0, 2), (1, 0, 2), (2, 0, 2)], float)

SIDES = [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]]


def labels(words, count):
    return tuple(f"{word}{k}" for k in range(count) for word in words)


def exported_run() -> Results:
    time = np.array([0.0, 0.1, 1.0])
    shift = time[:, None, None] * [1.0, -2.0, 0.5]

    def moving(name, points):
        values = (points + shift).reshape(len(time), -1)
        return Channel(f"{name}.positions", "m", values, labels("xyz", len(points)))

    turn = np.pi / 4.0 * np.array([0.0, 0.5, 1.0])  # half the angle
    q = np.stack((np.cos(turn), 0 * turn, 0 * turn, np.sin(turn)), axis=1)
    tension = np.array([[1.0, 2.0], [1.0 / 3.0, np.nan], [5.0, 6.0]])
    channels = [
        Channel("bar.position", "m", shift[:, 0] + [3.0, 0.0, 0.0], ("x", "y", "z")),
        Channel("bar.orientation", "1", q, ("w", "x", "y", "z")),
        Channel("bob.position", "m", shift[:, 0], ("x", "y", "z")),
        moving("sheet", SHEET),
        moving("rope", ROPE),
        moving("cube", CUBE),
        Channel("rope.tension", "N", tension.copy(), ("N0", "N1")),
        Channel("cube.stress", "Pa", np.arange(18.0).reshape(3, 6), labels(("11", "22", "33", "23", "31", "12"), 1)),
    ]
    plane = {"kind": "plane", "at": [0, 0, 0], "axes": EYE}
    bar = {"kind": "box", "at": [0, 0, 0], "axes": EYE, "size": [1.0, 0.1, 0.2]}
    parts = [
        {"kind": "rigid", "name": "bar", "of": "rigid", "shapes": [bar, plane]},
        {"kind": "mesh", "name": "sheet", "of": "shell", "nodes": 4, "cells": {"quad": [[0, 1, 2, 3]]}, "sides": {}},
        {"kind": "line", "name": "rope", "of": "cable", "nodes": 3, "radius": None},
        {
            "kind": "mesh", "name": "cube", "of": "solid", "nodes": 8, "cells": {"hexahedron": [[*range(8)]]},
            "sides": {"hexahedron": SIDES},
        },
        {"kind": "point", "name": "bob", "mass": 1.0, "radius": None},
        {"kind": "contact", "name": "floor", "between": ["ground", "bob"]},
    ]  # fmt: skip
    return Results(time, channels, status=Status(True, "complete", "", 1.0), scene={"parts": parts})
