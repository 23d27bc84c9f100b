"""Prismatic joint with clearance: a tongue in a slot."""

from __future__ import annotations

from typing import Literal

import numpy as np
from pydantic import Field

from ...mechanics import tables as tb
from ...schema.quantities import PositiveLength
from ...schema.vectors import Direction
from ..frames import frame_about
from ..refusal import Refusal
from ..registry import Kind
from ..surfaces.surface import Features
from .clearance import Clearance, add_clearance, add_film, places


class ClearanceSlot(Clearance):
    """A slot of the first body along `axis`, with walls across `normal`; a tongue of the second body in it touches a
    wall where it is `clearance` off the middle: with its middle, or with both ends if it has a `length`."""

    kind: Literal["clearance_slot"] = "clearance_slot"
    axis: Direction = Field((1.0, 0.0, 0.0), description="along the slot, world axes, as drawn")
    normal: Direction = Field((0.0, 1.0, 0.0), description="across its walls")
    length: PositiveLength | None = Field(None, description="of the tongue; without it only its middle touches")


def build(joint: ClearanceSlot, builder) -> None:
    """Two half-spaces, and points of the tongue between them."""
    axis, normal = (np.array(e) / np.linalg.norm(e) for e in (joint.axis, joint.normal))
    if abs(axis @ normal) > 1e-9:
        raise Refusal("'normal' must be across 'axis'", "normal")
    a, b, pa, pb = places(joint, builder)
    shifts = [np.zeros(3)] if joint.length is None else [s * joint.length * axis for s in (-0.5, 0.5)]
    half = joint.radius + joint.clearance
    pairs = []
    for side in (1.0, -1.0):
        frame = frame_about(-side * normal)
        wall = builder.add_surface(tb.PLANE, [(a.node, pa + side * half * normal)], axes=frame)
        for shift in shifts:
            point = builder.add_surface(tb.BALL, [(b.node, pb + shift)], radius=joint.radius, feature=joint.clearance)
            pairs.append((wall, point, 1.0))
    add_clearance(joint, builder, Features(a.label), Features(b.label), pairs, (None, joint.radius or None))
    add_film(joint, builder, a, b, pa, pb)


KIND = Kind(
    "clearance_slot",
    "contacts",
    ClearanceSlot,
    build,
    "a prismatic joint with clearance: a tongue in a slot",
    {
        "name": "Tongue in a slot",
        "gravity": [0, "-9.81 m/s^2", 0],
        "bodies": {
            "tongue": {
                "kind": "rigid", "mass": "0.2 kg", "velocity": ["1 m/s", "0.2 m/s", 0],
                "shape": {"kind": "box", "size": ["0.1 m", "10 mm", "10 mm"]},
            }
        },
        "contacts": {
            "slot": {
                "kind": "clearance_slot", "between": ["ground", "tongue"], "clearance": "0.5 mm", "length": "0.1 m",
                "radius": "5 mm", "law": {"kind": "linear", "stiffness": "1e6 N/m", "restitution": 0.8},
            }
        },
        "joints": {"flat": {"kind": "planar", "between": ["ground", "tongue"], "axis": "z"}},
        "simulate": {"duration": "0.1 s"},
    },
)  # fmt: skip
