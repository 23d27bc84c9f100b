"""The shell problems: what counts as their error, and which peer can be asked.

Two from Sze, Liu and Lo (2004): loads grow from nothing to all of it, large rotations; the error is the larger of the
relative differences of two displacements at full load from the published ones (of a fine mesh). Every program looks for
its cheapest mesh.

A panel vibrates under sudden pressure, far beyond small deflections; the error is that of the centre's history, root of
the mean square over the largest deflection, from a series solution. Once with nodes 1/50 of a side apart (elements of
four nodes or, twice as long, of eight), once with the cheapest mesh.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import panel_reference


@dataclass(frozen=True)
class ShellProblem:
    """A shell problem by name."""

    name: str
    error_limit: float
    error_means: str
    references: tuple[float, float]
    peers: tuple[str, ...] = ("calculix",)

    def error(self, found) -> float:
        return max(abs(x / r - 1.0) for x, r in zip(found, self.references, strict=True))


@dataclass(frozen=True)
class PanelProblem(ShellProblem):
    """Histories of the centre at the outputs instead of two displacements."""

    references: tuple[float, float] = (0.0, 0.0)  # unused

    def error(self, found) -> float:
        reference = panel_reference.history()
        return float(np.sqrt(np.mean((np.asarray(found) - reference) ** 2)) / reference.max())


def shell_problems() -> dict[str, ShellProblem]:
    means = "relative difference of two displacements at full load"
    found = [
        ShellProblem("slit annulus", 0.01, means, (13.891, 17.528)),
        ShellProblem("hemisphere", 0.01, means, (4.067, 8.178)),
        PanelProblem("panel 50 x 50", 0.01, "relative difference of the centre's history"),
        PanelProblem("panel", 0.01, "relative difference of the centre's history"),
    ]
    return {problem.name: problem for problem in found}
