"""The state a run ended in: all that another run needs to go on from there."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class State:
    """time [s]; q, v: positions and velocities of all nodes in the engine's order; angles: counted turns by name [rad];
    stage: number of the stage it belongs to, from 0; model: fingerprint of the model it belongs to; bodies: what each
    is, in the order of their nodes; contacts, joints: what they remember, by name (solve.memory tells what stands in
    the rows); None if that was not kept; scheme: what a solver knows of its last steps, by its name; system:
    fingerprint of what acted, for which that holds; reached: names of the events on whose levels it stands, having been
    stopped by them."""

    time: float
    q: NDArray[np.float64]
    v: NDArray[np.float64]
    angles: dict[str, float] = field(default_factory=dict)
    stage: int = 0
    model: str = ""
    bodies: dict[str, str] = field(default_factory=dict)
    contacts: dict[str, NDArray[np.float64]] | None = None
    joints: dict[str, NDArray[np.float64]] | None = None
    scheme: dict[str, NDArray[np.float64]] | None = None
    system: str = ""
    reached: list[str] = field(default_factory=list)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write a checkpoint: a netCDF-4 file, whole or not at all. Raises ResultsFileError."""
        from .netcdf import save_state

        return save_state(self, path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> State:
        """The state in a checkpoint or in a file of results. Raises ResultsFileError."""
        from .netcdf import load_state

        return load_state(path)
