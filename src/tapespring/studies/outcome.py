"""What a study found, as numbers and in words."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ..results import Results
from ..schema.problems import RunFailed
from .answers import Answers
from .asked import Asked
from .plan import Plan
from .table import Samples


@dataclass
class StudyResults:
    """Samples and what they say; SI throughout."""

    plan: Plan
    asked: Asked
    samples: Samples
    answers: Answers
    folder: Path | None = None
    rare: dict[str, Any] | None = None
    kept: dict[int, str] = field(default_factory=dict)  # sample → page of its run, beside the report
    wall_s: float = 0.0
    ran: int = 0  # samples run this time

    @property
    def name(self) -> str:
        return self.plan.study.name or "study"

    @property
    def complete(self) -> bool:
        return self.rare is not None or len(self.samples) == self.plan.count

    def __getitem__(self, name: str) -> np.ndarray:
        """A parameter or response by name, over all samples."""
        if name in self.plan.names:
            return self.samples.parameters[:, self.plan.names.index(name)]
        if name in self.plan.responses:
            return self.samples.values[:, self.plan.responses.index(name)]
        raise KeyError(f"no '{name}'; there are {', '.join([*self.plan.names, *self.plan.responses])}")

    @property
    def command(self) -> str:
        """What was typed in a shell, as far as it is known; `--play` behind it plays a sample."""
        file = self.plan.file.source.file
        if not file or self.folder is None:
            return ""
        out = "" if self.folder == default_folder(Path(file)) else f" --out {shlex.quote(str(self.folder))}"
        flags = [f" --{name.replace('_', '-')}" for name, given in self.plan.file.folder.allowed.items() if given]
        return f"tapespring sweep {shlex.quote(file)}{out}{''.join(flags)}"

    def play(self, sample: int) -> Results:
        """Run one sample again, whole. Raises KeyError and RunFailed."""
        found = np.flatnonzero(self.samples.index == sample)
        if not len(found):
            raise KeyError(f"there is no sample {sample}")
        row, variant = self.samples.parameters[found[0]], int(self.plan.variant_of(sample))
        again = self.asked.trial.run(row, variant, whole=True)
        if again.results is None:
            raise RunFailed(again.reason or "it has no motion to show")
        return again.results

    @property
    def failures(self) -> dict[str, int]:
        """Reasons and how often."""
        counts = np.bincount(self.samples.reason, minlength=len(self.samples.reasons))
        return {reason: int(n) for reason, n in zip(self.samples.reasons[1:], counts[1:], strict=True) if n}

    def to_plain(self) -> dict[str, Any]:
        """Everything but the samples, as plain data."""
        return {
            "name": self.name, "samples": len(self.samples), "asked": self.plan.count, "ran": self.ran,
            "failed": int(self.samples.failed.sum()), "failures": self.failures, "complete": self.complete,
            "wall_s": self.wall_s, "parameters": dict(zip(self.plan.names, self.plan.units, strict=True)),
            "answers": self.answers.of, "rare": self.rare, "folder": None if self.folder is None else str(self.folder),
            "kept": {str(k): page for k, page in self.kept.items()},
        }  # fmt: skip

    def summary(self) -> str:
        from .words import summary

        return summary(self)

    def report(self, path: str | Path) -> Path:
        """A page with tables and plots. Raises ResultsFileError."""
        from .page import write_page

        return write_page(self, Path(path))


def default_folder(file: Path) -> Path:
    """Where the samples of a study file go unless told."""
    return Path("out") / f"{file.stem}.sweep"
