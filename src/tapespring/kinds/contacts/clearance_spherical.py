"""Spherical joint with clearance: a ball in a socket."""

from __future__ import annotations

from typing import Literal

from ...mechanics import tables as tb
from ..registry import Kind
from ..surfaces.surface import Features
from .clearance import Clearance, add_clearance, add_film, places


class ClearanceSpherical(Clearance):
    """The socket is on the first body, the ball on the second."""

    kind: Literal["clearance_spherical"] = "clearance_spherical"


def build(joint: ClearanceSpherical, builder) -> None:
    """A hollow sphere and a ball in it."""
    a, b, pa, pb = places(joint, builder)
    around, inside = joint.radius + joint.clearance, joint.radius
    socket = builder.add_surface(tb.SOCKET, [(a.node, pa)], radius=around, feature=joint.clearance)
    ball = builder.add_surface(tb.BALL, [(b.node, pb)], radius=inside, feature=joint.clearance)
    radii = (-around, inside or None)
    add_clearance(joint, builder, Features(a.label), Features(b.label), [(socket, ball, 1.0)], radii)
    add_film(joint, builder, a, b, pa, pb)


KIND = Kind(
    "clearance_spherical",
    "contacts",
    ClearanceSpherical,
    build,
    "a spherical joint with clearance: a ball in a socket",
    {
        "name": "Bob in a loose socket",
        "gravity": [0, 0, "-9.81 m/s^2"],
        "bodies": {
            "bob": {
                "kind": "rigid", "at": ["0.2 m", 0, "-0.1 m"], "mass": "0.5 kg",
                "shape": {"kind": "sphere", "radius": "50 mm"},
            }
        },
        "contacts": {
            "socket": {
                "kind": "clearance_spherical", "between": ["ground", "bob"], "at": [0, 0, 0], "clearance": "0.2 mm",
                "radius": "5 mm", "law": {"kind": "linear", "stiffness": "1e6 N/m", "restitution": 0.8},
            }
        },
        "simulate": {"duration": "0.1 s"},
    },
)  # fmt: skip
