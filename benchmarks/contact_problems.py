"""Problems of contact, described once for all programs: balls that fall into a box, a crumpled sheet."""

from __future__ import annotations

import numpy as np

# balls
BALLS, RADIUS, MASS, SIDE = 500, 0.01, 0.01, 7  # number; [m]; [kg]; balls along an edge of the box
PITCH = 2.2 * RADIUS  # [m] between them at the start
STIFFNESS, DAMPING, FRICTION = 1e4, 1.0, 0.3  # [N/m], [N s/m], 1
GRAVITY, DURATION, STEPS = 9.81, 0.2, 2000
EDGE = SIDE * PITCH  # [m] of the box, whose walls are half-spaces


def balls() -> tuple[np.ndarray, np.ndarray]:
    """(n, 3) places [m] and velocities [m/s] at the start."""
    rng = np.random.default_rng(0)
    k = np.arange(BALLS)
    at = np.stack((k % SIDE + 0.5, k // SIDE % SIDE + 0.5, k // SIDE**2 + 0.6), axis=1) * PITCH
    at[:, :2] += rng.uniform(-0.05, 0.05, (BALLS, 2)) * RADIUS
    velocity = np.zeros((BALLS, 3))
    velocity[:, 0], velocity[:, 2] = rng.uniform(-0.1, 0.1, BALLS), -0.5
    return at, velocity


def crumpled_sheet(side: int = 71) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(points, edges, triangles) of a square sheet in smooth random folds; edges of 0.5 to 34 mm, 11 mm in the mean."""
    rng = np.random.default_rng(1)
    u, v = np.meshgrid(np.linspace(0.0, 1.0, side), np.linspace(0.0, 1.0, side), indexing="ij")
    points = np.zeros((side, side, 3))
    for wave in range(1, 9):
        for axis in range(3):
            p, q = rng.uniform(-1.0, 1.0, 2) * 2.0 * np.pi * wave
            points[..., axis] += np.sin(p * u + q * v + rng.uniform(0.0, 6.3)) / (2.0 * np.pi * wave)
    points = points.reshape(-1, 3) * 0.35
    k = np.arange(side * side).reshape(side, side)
    a, b, c, d = (x.ravel() for x in (k[:-1, :-1], k[1:, :-1], k[1:, 1:], k[:-1, 1:]))
    triangles = np.concatenate((np.stack((a, b, c), 1), np.stack((a, c, d), 1)))
    edges = np.unique(np.sort(triangles[:, [[0, 1], [1, 2], [0, 2]]].reshape(-1, 2), axis=1), axis=0)
    return points, edges, triangles
