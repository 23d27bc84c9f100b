"""How a uniform load on edges and faces is shared by their nodes."""

import numpy as np


def side_shares(corners: np.ndarray) -> np.ndarray:
    """(sides, nodes) length or area that falls to each node of sides (sides, nodes, 3)."""
    count = corners.shape[1]
    if count == 2:
        return np.repeat(0.5 * np.linalg.norm(corners[:, 1] - corners[:, 0], axis=1)[:, None], 2, axis=1)
    if count == 6:  # quadratic triangle: a uniform load goes to the middles of the edges
        area = 0.5 * np.linalg.norm(
            np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1, keepdims=True
        )
        return np.concatenate((np.zeros((len(area), 3)), np.repeat(area / 3.0, 3, axis=1)), axis=1)
    if count == 1:
        return np.zeros((len(corners), 1))
    parts = 0.25 * np.array([[-1, 1, 1, -1], [-1, -1, 1, 1], [1, -1, 1, -1]]) @ corners
    around = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float)
    total = np.zeros(corners.shape[:2])
    for xi, eta in around / np.sqrt(3.0):
        g1, g2 = parts[:, 0] + eta * parts[:, 2], parts[:, 1] + xi * parts[:, 2]
        shape = 0.25 * np.prod(1.0 + around * np.array([xi, eta]), axis=1)
        total += np.linalg.norm(np.cross(g1, g2), axis=1)[:, None] * shape
    return total
