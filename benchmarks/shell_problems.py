"""The shell problems: what counts as their error, and which peer can be asked.

Both from Sze, Liu and Lo (2004): loads grow from nothing to all of it, large rotations; the error is the larger of the
relative differences of two displacements at full load from the published ones (of a fine mesh). Every program looks for
its cheapest mesh.
"""

from __future__ import annotations

from dataclasses import dataclass


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


def shell_problems() -> dict[str, ShellProblem]:
    means = "relative difference of two displacements at full load"
    found = [
        ShellProblem("slit annulus", 0.01, means, (13.891, 17.528)),
        ShellProblem("hemisphere", 0.01, means, (4.067, 8.178)),
    ]
    return {problem.name: problem for problem in found}
