"""What all paths share."""

from __future__ import annotations

from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict, SerializerFunctionWrapHandler, model_serializer

from .pieces import Piece

SAME_POINT = 1e-9  # of the path's extent


class Path(BaseModel):
    """Base of the paths: where a beam or cable runs, as drawn, in the world."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True, validate_default=True)

    kind: str

    @model_serializer(mode="wrap")
    def _keep_kind(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """`kind` is a default of its class, yet a file cannot be read without it."""
        return {"kind": self.kind} | handler(self)

    def pieces(self) -> list[Piece]:
        """Its smooth pieces, end to start; where tangents differ the beam has a rigid corner."""
        raise NotImplementedError


def check_points(points, least: int) -> None:
    """Refuse too few points, and points that follow each other at the same place. Raises ValueError."""
    if len(points) < least:
        raise ValueError(f"{len(points)} points are too few; at least {least} are wanted: [[0, 0, 0], [1 m, 0, 0]]")
    p = np.array(points, float)
    extent = max(np.ptp(p, axis=0).max(), 1e-300)
    for k, step in enumerate(np.linalg.norm(np.diff(p, axis=0), axis=1)):
        if step <= SAME_POINT * extent:
            if len(p) == 2:
                raise ValueError(f"the path has no length: both points are at {p[0].tolist()} m; move one")
            raise ValueError(f"points {k} and {k + 1} are both at {p[k].tolist()} m; remove one of them")
