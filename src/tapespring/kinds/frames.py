"""Small geometry of frames: 3x3 matrices whose columns are axes."""

from __future__ import annotations

import numpy as np


def rotation_matrix(q) -> np.ndarray:
    """Matrix of a unit quaternion (w, x, y, z): columns are the turned axes."""
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def frame_about(axis) -> np.ndarray:
    """Axes (e1, e2, axis), right-handed; e1 is the world axis most nearly across, so that planes stay planes."""
    axis = np.asarray(axis, float)
    k = int(np.argmin(np.abs(axis)))
    e1 = np.eye(3)[k] - axis[k] * axis
    e1 /= np.linalg.norm(e1)
    return np.column_stack((e1, np.cross(axis, e1), axis))


def frame_within(axes, axis) -> np.ndarray:
    """Axes (e1, e2, axis), right-handed; e1 is the first of `axes` laid across the axis, or the second where the first
    is nearer to the axis than to across. So names of directions move along with the axes they are taken from."""
    axis = np.asarray(axis, float)
    e1 = across(axes[:, 0] if abs(axes[:, 0] @ axis) <= np.sqrt(0.5) else axes[:, 1], axis)
    return np.column_stack((e1, np.cross(axis, e1), axis))


def shortest_turn(a, b) -> np.ndarray:
    """The smallest rotation that brings the unit vector a onto b."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    cosine = float(a @ b)
    if cosine > 1.0 - 1e-15:
        return np.eye(3)
    if cosine < -1.0 + 1e-12:
        across = frame_about(a)[:, 0]
        return 2.0 * np.outer(across, across) - np.eye(3)  # half a turn
    v = np.cross(a, b)
    K = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    return np.eye(3) + K + K @ K / (1.0 + cosine)


def across(u, axis) -> np.ndarray:
    """The unit vector along the part of u perpendicular to a unit axis."""
    u, axis = np.asarray(u, float), np.asarray(axis, float)
    part = u - (u @ axis) * axis
    return part / np.linalg.norm(part)
