"""Friction by reactions that rigid bodies do not determine is refused, with the joint's name."""

from __future__ import annotations

import numpy as np

from ..build.assembler import System
from ..build.planar import off_plane
from ..schema import units
from ..schema.problems import ModelError, Problem
from ..schema.units import format_quantity

NONE = 1e-10  # of the largest eigenvalue
TAKES_PART = 1e-6


def refuse_unclear_friction(full: System, products: np.ndarray) -> None:
    """products: lower triangle of S of all rows. Rows whose reactions may be shared in more than one way are those of
    vectors that S takes to zero. Raises ModelError."""
    rubbing = [grip for grip in full.drafts.grips if grip.rows]
    if not rubbing:
        return
    values, vectors = np.linalg.eigh(products, UPLO="L")
    free = vectors[:, values <= NONE * values[-1]]
    unclear = {full.kept[r] for r in np.flatnonzero(np.abs(free).max(axis=1, initial=0.0) > TAKES_PART)}
    for grip in rubbing:
        if unclear & set(grip.rows):
            message = (
                "the model is over-constrained, so that this joint's reaction, and with it its friction, is not "
                "determined; make another joint of the loop spherical or cylindrical, or give the friction as a torque "
                f"or force{nearly_planar(full)}"
            )
            raise ModelError([Problem(None, ("joints", grip.joint, "friction"), message)])


def nearly_planar(full: System) -> str:
    """What keeps the model from being planar, where reactions in the plane are determined; empty if it is more than
    points off the plane."""
    found = off_plane(full.drafts) if full.drafts.may_be_planar else None
    if found is None:
        return ""
    name, apart = found
    return (
        f". Or draw it in one plane: '{name}' lies {format_quantity(apart, units.LENGTH)} off the plane of the others, "
        "which alone makes the model spatial"
    )
