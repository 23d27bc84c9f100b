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
    """Outline of a section; else the radius of a round one, None of one that has no shape."""
    section = getattr(entity, "section", None)
    outline = None if section is None else section.outline()
    return {"radius": getattr(section, "radius", None)} if outline is None else {"outline": numbers(outline)}
