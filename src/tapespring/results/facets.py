"""Shapes of rigid bodies as points and cells, for programs that draw meshes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
Cells = dict[str, list[list[int]]]  # by meshio's names
AROUND, ALONG = 24, 12


def facets(shape: dict[str, Any]) -> tuple[Points, Cells] | None:
    """Of a shape of a scene, in the body's frame; None for half-spaces, which have no end."""
    kind = shape["kind"]
    if kind == "plane":
        return None
    if kind == "triangles":
        points = np.array(shape["points"])
        return points, {"triangle": np.arange(len(points)).reshape(-1, 3).tolist()}
    if kind in ("sticks", "capsule", "sweep"):
        return lines(shape)
    points, cells = SOLIDS[kind](shape)
    return points @ np.array(shape["axes"]) + np.array(shape["at"]), cells  # rows of `axes` are the columns


def lines(shape: dict[str, Any]) -> tuple[Points, Cells]:
    """What is long and thin, by its axis."""
    if shape["kind"] == "sweep":
        points = np.array(shape["points"])
        return points, {"line": [[k, k + 1] for k in range(len(points) - 1)]}
    to = [shape["to"]] if shape["kind"] == "capsule" else shape["to"]
    points = np.array([shape["at"], *to])
    return points, {"line": [[0, k] for k in range(1, len(points))]} if to else {"vertex": [[0]]}


def box(shape: dict[str, Any]) -> tuple[Points, Cells]:
    corners = np.array([(x, y, z) for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)]) / 2.0
    quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
    return corners * np.array(shape["size"]), {"quad": quads}


def ball(shape: dict[str, Any]) -> tuple[Points, Cells]:
    semi_axes = shape.get("semi_axes") or [shape["radius"]] * 3
    heights = np.linspace(0.0, np.pi, ALONG + 1)
    return turned(np.stack((np.sin(heights), -np.cos(heights)), axis=1), np.array(semi_axes))


def cylinder(shape: dict[str, Any]) -> tuple[Points, Cells]:
    r, half = shape["radius"], shape["length"] / 2.0
    return turned(np.array([(0.0, -half), (r, -half), (r, half), (0.0, half)]))


def tube(shape: dict[str, Any]) -> tuple[Points, Cells]:
    outer, inner, half = shape["outer_radius"], shape["inner_radius"], shape["length"] / 2.0
    return turned(np.array([(inner, -half), (outer, -half), (outer, half), (inner, half), (inner, -half)]))


def ring(shape: dict[str, Any]) -> tuple[Points, Cells]:
    turns = np.arange(AROUND) * 2.0 * np.pi / AROUND
    points = shape["radius"] * np.stack((np.cos(turns), np.sin(turns), np.zeros(AROUND)), axis=1)
    return points, {"line": [[k, (k + 1) % AROUND] for k in range(AROUND)]}


def turned(profile: Points, scale: Points | None = None) -> tuple[Points, Cells]:
    """A profile (radius, height) turned about z."""
    turns = np.arange(AROUND) * 2.0 * np.pi / AROUND
    r, z = profile[:, 0], profile[:, 1]
    points = np.stack((np.outer(r, np.cos(turns)), np.outer(r, np.sin(turns)), np.outer(z, np.ones(AROUND))), axis=2)
    quads = [
        [k * AROUND + i, k * AROUND + (i + 1) % AROUND, (k + 1) * AROUND + (i + 1) % AROUND, (k + 1) * AROUND + i]
        for k in range(len(profile) - 1)
        for i in range(AROUND)
    ]
    return points.reshape(-1, 3) * (1.0 if scale is None else scale), {"quad": quads}


SOLIDS = {"box": box, "sphere": ball, "ellipsoid": ball, "cylinder": cylinder, "tube": tube, "ring": ring}
