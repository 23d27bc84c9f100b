"""Revolute joint with clearance: a journal in a bearing."""

from __future__ import annotations

from typing import Literal

import numpy as np
from pydantic import Field

from ...mechanics import tables as tb
from ...schema.quantities import PositiveLength
from ...schema.vectors import Direction
from ..frames import frame_about
from ..registry import Kind
from ..surfaces.surface import Features
from .clearance import Clearance, add_clearance, add_film, places


class ClearanceRevolute(Clearance):
    """The bearing is on the first body, the journal on the second, both about `axis`. They touch where the journal's
    middle is `clearance` off; with a `width` at both ends of the bearing, so that the journal may tilt in it. It
    does not hold along the axis."""

    kind: Literal["clearance_revolute"] = "clearance_revolute"
    axis: Direction = Field((0.0, 0.0, 1.0), description="world axes, as drawn")
    width: PositiveLength | None = Field(None, description="of the bearing; without it they touch at its middle only")


def build(joint: ClearanceRevolute, builder) -> None:
    """A ring and a ball in it, or two of each."""
    a, b, pa, pb = places(joint, builder)
    axis = np.array(joint.axis) / np.linalg.norm(joint.axis)
    shifts = [np.zeros(3)] if joint.width is None else [s * joint.width * axis for s in (-0.5, 0.5)]
    hole, pin = Features(a.label), Features(b.label)
    pairs, frame = [], frame_about(axis)
    for shift in shifts:
        around, inside = joint.radius + joint.clearance, joint.radius
        ring = builder.add_surface(tb.RING, [(a.node, pa + shift)], radius=around, axes=frame, feature=joint.clearance)
        ball = builder.add_surface(tb.BALL, [(b.node, pb + shift)], radius=inside, feature=joint.clearance)
        pairs.append((ring, ball, 1.0))
    radii = (-(joint.radius + joint.clearance), joint.radius or None)
    add_clearance(joint, builder, hole, pin, pairs, radii)
    add_film(joint, builder, a, b, pa, pb)


KIND = Kind(
    "clearance_revolute",
    "contacts",
    ClearanceRevolute,
    build,
    "a revolute joint with clearance: a journal in a bearing",
    {
        "name": "Pendulum on a worn pin",
        "gravity": [0, "-9.81 m/s^2", 0],
        "bodies": {
            "arm": {
                "kind": "rigid", "at": ["0.2 m", 0, 0], "mass": "0.5 kg",
                "shape": {"kind": "box", "size": ["0.4 m", "20 mm", "20 mm"]},
            }
        },
        "contacts": {
            "pin": {
                "kind": "clearance_revolute", "between": ["ground", "arm"], "at": [0, 0, 0], "clearance": "0.2 mm",
                "radius": "5 mm",
                "law": {"kind": "lankarani_nikravesh", "stiffness": "1e9 N/m^1.5", "restitution": 0.9},
            }
        },
        "joints": {"flat": {"kind": "planar", "between": ["ground", "arm"], "axis": "z"}},
        "simulate": {"duration": "0.2 s"},
    },
)  # fmt: skip
