"""Friction by reactions that rigid bodies do not determine is refused, with the joint's name."""

from __future__ import annotations

import numpy as np

from ..build.assembler import System
from ..schema.problems import ModelError, Problem

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
                "or force"
            )
            raise ModelError([Problem(None, ("joints", grip.joint, "friction"), message)])
