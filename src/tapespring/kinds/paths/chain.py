"""Several paths one after the other."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Literal

import numpy as np
from pydantic import Field, model_validator

from .arc import Arc
from .helix import Helix
from .path import SAME_POINT, Path
from .pieces import Piece
from .polyline import Polyline
from .spline import Spline

Part = Annotated[Polyline | Arc | Helix | Spline, Field(discriminator="kind")]


class Chain(Path):
    """Paths end to start; where their tangents differ the beam has a rigid corner."""

    kind: Literal["chain"] = "chain"
    parts: tuple[Part, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _hangs_together(self):
        pieces = self.pieces()
        extent = sum(piece.length for piece in pieces)
        for k, (one, two) in enumerate(pairwise(pieces)):
            end, start = one.place(np.array([one.length]))[0][0], two.place(np.zeros(1))[0][0]
            if np.linalg.norm(end - start) > SAME_POINT * extent:
                raise ValueError(
                    f"piece {k} of the chain ends at {np.round(end, 9).tolist()} m, but the next starts at "
                    f"{np.round(start, 9).tolist()} m; let them meet"
                )
        return self

    def pieces(self) -> list[Piece]:
        return [piece for part in self.parts for piece in part.pieces()]
