"""Shapes of rigid bodies and outlines of sections as plain data."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..kinds.frames import frame_about
from .places import numbers

SIZES = {
    "box": ("size",),
    "sphere": ("radius",),
    "ellipsoid": ("semi_axes",),
    "cylinder": ("radius", "length"),
    "tube": ("outer_radius", "inner_radius", "length"),
}


def shape_of(entity) -> dict[str, Any]:
    """The shape of a rigid body around its centre of mass, in the body's frame."""
    shape = entity.shape
    axes = frame_about(shape.axis) if hasattr(shape, "axis") else np.eye(3)
    sizes = {name: numbers(getattr(shape, name)) for name in SIZES[shape.kind]}
    return {"kind": shape.kind, "at": numbers(entity.com), "axes": numbers(axes.T), **sizes}


def section_of(entity) -> dict[str, Any]:
    """Radius of a round section, outline of another; nothing of one that has no shape."""
    section = getattr(entity, "section", None)
    if section is None or section.kind == "general":
        return {"radius": None}
    if section.kind in ("circle", "tube"):
        return {"radius": section.radius}
    return {"outline": numbers(outline_of(section))}


def outline_of(section) -> np.ndarray:
    """(corners, 2) [y, z] about the centroid."""
    if section.kind == "rectangle":
        y, z = section.width / 2.0, section.thickness / 2.0
        return np.array([(-y, -z), (y, -z), (y, z), (-y, z)])
    if section.kind == "i":
        y, z, web, inner = section.width / 2, section.height / 2, section.web / 2, section.height / 2 - section.flange
        right = [(y, -z), (y, -inner), (web, -inner), (web, inner), (y, inner), (y, z)]
        return np.array(right + [(-a, b) for a, b in reversed(right)])
    from ..kinds.sections.polygon import moments

    corners = np.array(section.points)
    return corners - moments(corners)[1]
