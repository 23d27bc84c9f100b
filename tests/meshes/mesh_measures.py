"""Meshes from plain data, their area and volume."""

import numpy as np
from pydantic import BaseModel

from tapespring.kinds.meshes.any_mesh import AnyMesh
from tapespring.kinds.meshes.elements import ELEMENTS
from tapespring.kinds.meshes.shapes import tetra10_slopes
from tapespring.schema.validation import validated


class Holder(BaseModel):
    mesh: AnyMesh


def mesh(**fields):
    return validated(Holder, {"mesh": fields}).mesh


def grid(**fields):
    return mesh(**fields).grid()


def area(g):
    total = 0.0
    for cells in g.cells.values():
        p = g.points[cells]
        if cells.shape[1] == 3:
            total += np.linalg.norm(np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]), axis=1).sum() / 2.0
        else:
            total += np.linalg.norm(np.cross(p[:, 2] - p[:, 0], p[:, 3] - p[:, 1]), axis=1).sum() / 2.0  # flat ones
    return total


def volume(g):
    """By the divergence theorem over the faces of every element; tetra10 are straight here."""
    total = 0.0
    for name, cells in g.cells.items():
        for face in ELEMENTS[name].sides:
            ring = face[:3] if name == "tetra10" else face
            p = g.points[cells[:, ring]]
            for k in range(1, len(ring) - 1):
                total += np.einsum("ij,ij->", p[:, 0], np.cross(p[:, k], p[:, k + 1])) / 6.0
    return total


def quad_normals(g):
    """At every corner of every surface element, (m, 3), and its node."""
    normals, nodes = [], []
    for cells in g.cells.values():
        p = g.points[cells]
        n = np.cross(np.roll(p, -1, axis=1) - p, np.roll(p, 1, axis=1) - p)
        normals.append((n / np.linalg.norm(n, axis=-1, keepdims=True)).reshape(-1, 3))
        nodes.append(cells.reshape(-1))
    return np.concatenate(normals), np.concatenate(nodes)


__all__ = ["area", "grid", "mesh", "quad_normals", "tetra10_slopes", "volume"]
