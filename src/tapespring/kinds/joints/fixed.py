"""Fixed joint: two bodies move as one."""

from typing import Literal

import numpy as np

from ..registry import Kind
from .joint import Joint, JointParts


class Fixed(Joint):
    """Holds the second body to the first as drawn; between two markers it also brings their points together."""

    kind: Literal["fixed"] = "fixed"


def build(joint: Fixed, builder) -> None:
    """Three rows of position, three of attitude."""
    parts = JointParts(joint, builder)
    parts.Fa = parts.Fb = np.eye(3)
    if not parts.between_markers:
        parts.pa = parts.pb
    parts.point()
    parts.attitude()
    parts.finish()


KIND = Kind(
    "fixed",
    "joints",
    Fixed,
    build,
    "no relative motion",
    {
        "name": "Welded plate",
        "bodies": {"plate": {"kind": "rigid", "at": [1, 0, 0], "mass": "2 kg", "inertia": [0.1, 0.1, 0.2]}},
        "joints": {"weld": {"kind": "fixed", "between": ["ground", "plate"]}},
        "forces": {"push": {"kind": "load", "on": "plate", "force": ["5 N", 0, 0]}},
        "simulate": {"duration": "1 s"},
    },
)
