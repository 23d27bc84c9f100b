"""What a fit found, as numbers and in words."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from .profiles import Profile
from .records import Record


@dataclass
class FitResults:
    """Fitted values with what they are worth; SI throughout."""

    name: str
    parameters: list[str]
    units: list[str]
    scales: list[str]  # log or linear: in which of them the optimum is a parabola's
    values: np.ndarray
    std: np.ndarray
    relative_std: np.ndarray
    intervals: list[tuple[float, float]]  # 95 %
    correlation: np.ndarray
    cost: float  # half the sum of weighted squares of residuals over noise, or over the size of the data
    integrals: list[float]  # per record: weighted integral of squared residuals over time
    noise: list[float]
    status: str
    solutions: int  # of the best start; one with its slopes counts as one
    runs: int  # of the model, in all
    starts: list[dict[str, Any]]
    statements: list[str]  # what the data fix
    warnings: list[str]
    derived: dict[str, tuple[float, float]]
    records: list[Record]
    predicted: list[np.ndarray]
    profiles: list[Profile] = field(default_factory=list)
    wall_s: float = 0.0

    @property
    def converged(self) -> bool:
        return self.status == "converged"

    def __getitem__(self, name: str) -> float:
        """A fitted or derived value by name."""
        if name in self.parameters:
            return float(self.values[self.parameters.index(name)])
        if name in self.derived:
            return self.derived[name][0]
        raise KeyError(f"no '{name}'; there are {', '.join([*self.parameters, *self.derived])}")

    def summary(self) -> str:
        """The fit in words."""
        width = max(map(len, [*self.parameters, *self.derived]))
        lines = [
            f"{self.name}: {self.status}; cost {self.cost:.8g} after {self.solutions} model solutions with slopes "
            f"({self.runs} runs, {self.wall_s:.2g} s)"
        ]
        for k, name in enumerate(self.parameters):
            low, high = self.intervals[k]
            lines.append(
                f"  {name:<{width}} {self.values[k]:>13.7g}  ± {self._doubt(k)}   95 %: {low:.5g} … "
                f"{high:.5g} {self.units[k]}".rstrip()
            )
        for name, (value, std) in self.derived.items():
            lines.append(f"  {name:<{width}} {value:>13.7g}  ± {std:.2g}   (derived)")
        lines += ["what the data fix", *(f"  {s}" for s in self.statements)]
        for p in self.profiles:
            lines.append(f"  profile of {p.name}: 95 % between {p.interval[0]:.5g} and {p.interval[1]:.5g}")
        if self.warnings:
            lines += ["warnings", *(f"  {w}" for w in self.warnings)]
        return "\n".join(lines)

    def _doubt(self, k: int) -> str:
        """Relative, unless the value is hardly different from zero."""
        relative = float(self.relative_std[k])
        return f"{100 * relative:.2g} %" if relative <= 0.5 else f"{self.std[k]:.2g}"

    def to_plain(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {
            "name": self.name, "status": self.status, "cost": self.cost, "integrals": self.integrals,
            "parameters": {
                name: {"value": float(self.values[k]), "unit": self.units[k], "scale": self.scales[k],
                       "std": float(self.std[k]), "relative_std": float(self.relative_std[k]),
                       "interval": list(self.intervals[k])}
                for k, name in enumerate(self.parameters)
            },
            "derived": {name: {"value": v, "std": s} for name, (v, s) in self.derived.items()},
            "correlation": self.correlation.tolist(), "noise": self.noise, "solutions": self.solutions,
            "runs": self.runs, "wall_s": self.wall_s, "starts": self.starts, "statements": self.statements,
            "warnings": self.warnings,
            "profiles": [
                {"name": p.name, "values": p.values.tolist(), "growth": p.growth.tolist(), "interval": list(p.interval)}
                for p in self.profiles
            ],
        }  # fmt: skip

    def report(self, path: str | Path) -> Path:
        """A page with tables and plots. Raises ResultsFileError."""
        from .page import write_page

        return write_page(self, Path(path))
