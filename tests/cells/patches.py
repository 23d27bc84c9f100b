"""Irregular patches of elements, and models of them under loads that a constant stress balances."""

import numpy as np

from tapespring.kinds.meshes.box import BoxMesh
from tapespring.kinds.meshes.plate import PlateMesh
from tapespring.model import Model

YOUNG, POISSON = 1000.0, 0.3
MATERIAL = {"young": YOUNG, "poisson": POISSON, "density": 1.0}
LAME = YOUNG * POISSON / (1 + POISSON) / (1 - 2 * POISSON)
SHEAR = YOUNG / (2 * (1 + POISSON))
SIZE = np.array([2.4, 1.2, 0.9])
SIDES = {"left": (-1, 0), "right": (1, 0), "bottom": (0, -1), "top": (0, 1)}
FACES = {f"{axis}{end}": (k, end) for k, axis in enumerate("xyz") for end in (0, 1)}


def shaken(grid, rng) -> np.ndarray:
    """Nodes of a grid, those inside moved by up to a fifth of an element; edges of tetrahedra stay straight."""
    points = grid.points.copy()
    low, high = points.min(axis=0), points.max(axis=0)
    axes = high > low
    inside = ((points > low + 1e-9) & (points < high - 1e-9))[:, axes].all(axis=1)
    move = 0.2 * rng.uniform(-1, 1, points.shape) * (high - low) / 3
    points[inside] += move[inside]
    for cell in grid.cells.get("tetra10", ()):
        for k, (i, j) in enumerate(((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3))):
            points[cell[4 + k]] = 0.5 * (points[cell[i]] + points[cell[j]])
    return points


def as_points(grid, points) -> dict:
    """A mesh written node by node."""
    names = {"quad": "quads", "triangle": "triangles", "hexahedron": "hexahedra", "tetra10": "tetra10"}
    cells = {names[name]: found.tolist() for name, found in grid.cells.items()}
    groups = {name: nodes.tolist() for name, nodes in grid.groups.items()}
    return {"kind": "points", "nodes": points.tolist(), "groups": groups} | cells


def surface(triangles: bool) -> dict:
    grid = PlateMesh(length=SIZE[0], width=SIZE[1], divisions=[3, 3], triangles=triangles).grid()
    grid_points = shaken(grid, np.random.default_rng(3))
    return as_points(grid, grid_points - grid_points.min(axis=0))


def block(elements: str) -> dict:
    length, width, height = SIZE
    divisions = [2, 2, 2] if elements == "tetra10" else [3, 2, 2]
    grid = BoxMesh(length=length, width=width, height=height, divisions=divisions, elements=elements).grid()
    points = shaken(grid, np.random.default_rng(4))
    return as_points(grid, points - points.min(axis=0))


def settled(model: Model):
    """(as drawn, at the end) places of all nodes of the patch."""
    model.settings = model.settings.changed(
        solver="quasi-static", duration=1, outputs=1, tolerance=1e-13, absolute_tolerance=1e-13
    )
    results = model.simulate()
    assert results.status.complete
    places = results["patch.positions"].values
    return places[0].reshape(-1, 3), places[-1].reshape(-1, 3)


def plane_stress() -> np.ndarray:
    return YOUNG / (1 - POISSON**2) * np.array([[1, POISSON, 0], [POISSON, 1, 0], [0, 0, (1 - POISSON) / 2]])


def edge_length(side: str) -> float:
    return float(SIZE[1] if side in ("left", "right") else SIZE[0])


def growing(vector) -> list[str]:
    """Components that grow in proportion to time."""
    return [f"{float(c)!r}*t" for c in vector]
