"""Planar models run as planar: rows that no motion in the plane can violate are left out.

A model is planar when a mirror through one coordinate plane leaves it unchanged: all centres of mass, joint points,
load points and bars in that plane, the normal a principal axis of every body, gravity and velocities in it. Then
nothing ever leaves the plane, the reactions across it vanish, and only the rows within it need solving.
"""

from __future__ import annotations

from itertools import islice

import numpy as np

from ..mechanics import tables as tb

SMALL = 1e-12


def find_plane(draft) -> int | None:
    """Normal axis (0, 1, 2) of the plane the model lives in, or None."""
    if len(draft.nodes) < 2 or draft.bushings or draft.beams or draft.cells or draft.weightless:
        return None
    return next((k for k in (2, 1, 0) if lives_in_plane(draft, k)), None)


def off_plane(draft) -> tuple[str, float] | None:
    """(name, how far off [m]) of what lies farthest off the plane in which a model would live if that were all that
    speaks against it; None where other things do."""
    if len(draft.nodes) < 2 or draft.bushings or draft.beams or draft.cells or draft.weightless:
        return None
    k = next((k for k in (2, 1, 0) if lives_in_plane(draft, k, apart=np.inf)), None)
    if k is None:
        return None
    points = [(row.owner, p[k]) for row in draft.rows for m, _ in row.terms for p in joint_points(draft.measures[m])]
    points += [(node.label, node.x[k]) for node in islice(draft.nodes, 1, None)]
    level = float(np.median([height for _, height in points]))
    name, height = max(points, key=lambda point: abs(point[1] - level))
    return name, float(abs(height - level))


def joint_points(m) -> tuple:
    return () if m.kind in (tb.ANGLE, tb.COSINE) else (m.pa, m.pb)


def lives_in_plane(draft, k: int, apart: float = SMALL) -> bool:
    """Whether all is in one plane across axis k, but for so much of the model's size."""
    size = 1.0 + np.abs(draft.nodes.table["x"]).max()
    level = draft.nodes[1].x[k]

    def in_plane(p):
        return abs(p[k] - level) <= apart * size

    if abs(draft.gravity[k]) > SMALL * (1.0 + np.abs(draft.gravity).max()):
        return False
    return (
        all(node_in_plane(draft, n, k, in_plane) for n in islice(draft.nodes, 1, None))
        and all(measure_in_plane(m, k, in_plane) for m in draft.measures)
        and all(load_in_plane(load, k, in_plane) for load in draft.loads)
        and all(in_plane(bar.pa) and in_plane(bar.pb) for bar in draft.bars)
        and all(drag_in_plane(drag, k) for drag in draft.drags)
        and all(surface_in_plane(surface, k, in_plane) for surface in draft.surfaces)
        and all(contact["law"] != tb.MOMENTUM for contact in draft.contacts)
    )


def surface_in_plane(surface, k, in_plane) -> bool:
    """Points, journals and bearings about the normal: whatever they touch with lies in the plane."""
    if surface.kind == tb.RING:
        return in_plane(surface.points[0]) and across(surface.axes[:, 2], k)
    return surface.kind == tb.BALL and in_plane(surface.points[0])


def moves_in_plane(draft, node, k, in_plane) -> bool:
    """Whether a frame is moved along the plane and not turned; the engine's axes are then those of the world."""
    motion = draft.motions[node.motion]
    still = node.kind == tb.MOVING_POSE and draft.laws[motion["law"][k]][0] == tb.CONSTANT
    return still and not motion["axes"] and in_plane(node.x) and bool(np.all(np.eye(3) == node.R))


def node_in_plane(draft, node, k, in_plane) -> bool:
    if node.kind in (tb.MOVING_POSE, tb.MOVING_TWIST):
        return moves_in_plane(draft, node, k, in_plane)
    if node.kind not in (tb.POINT, tb.FRAME) or not in_plane(node.x) or node.v[k] != 0.0:
        return False
    if node.kind == tb.POINT:
        return True
    others = [i for i in range(3) if i != k]
    coupling = np.abs(node.inertia[k, others]).max()
    return coupling <= SMALL * node.inertia[k, k] and not np.any(node.w[others])


def across(e, k) -> bool:
    """Whether a direction is the normal."""
    return bool(np.abs(np.delete(e, k)).max() <= SMALL)


def within(e, k) -> bool:
    return bool(abs(e[k]) <= SMALL)


def measure_in_plane(m, k, in_plane) -> bool:
    clean = all(across(e, k) or within(e, k) for e in (m.e1, m.e2, m.f))
    if m.kind == tb.ANGLE:
        return within(m.e1, k) and within(m.e2, k) and within(m.f, k)
    if m.kind == tb.COSINE:
        return clean
    return clean and in_plane(m.pa) and in_plane(m.pb)


def load_in_plane(load, k, in_plane) -> bool:
    forces_in = all(law < 0 or within(e, k) for law, e in zip(load.laws[:3], load.axes, strict=True))
    moments_across = all(law < 0 or across(e, k) for law, e in zip(load.laws[3:], load.axes, strict=True))
    return in_plane(load.point) and forces_in and moments_across


def drag_in_plane(drag, k) -> bool:
    """Whether turning about the normal is resisted about the normal alone."""
    others = [i for i in range(3) if i != k]
    return bool(np.abs(drag.angular[k, others]).max() <= SMALL * np.abs(drag.angular).max())


def needed_in_plane(draft, row, k) -> bool:
    """Whether motion in the plane can violate this row."""
    if len(row.terms) > 1 or row.law >= 0:
        return True
    m = draft.measures[row.terms[0][0]]
    if m.kind in (tb.ALONG, tb.ALONG_WORLD):
        return within(m.e1, k)
    if m.kind == tb.COSINE:
        return within(m.e1, k) and within(m.f, k)
    return True
