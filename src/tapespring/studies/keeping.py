"""Runs worth looking at: saved whole, with a page that plays them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..results import Results
from .file import SweepFile
from .plan import Plan
from .store import PIECES, read_piece
from .trial import Sample, Trial

if TYPE_CHECKING:
    from .outcome import StudyResults


def chosen(results: StudyResults) -> list[int]:
    """Indices of the samples that are kept, the worst first."""
    study, samples = results.plan.study, results.samples
    if study.keep == "none":
        return []
    if study.keep == "all":
        return samples.index.tolist()
    if study.keep == "failed":
        bad = samples.failed.copy()
        for k, (low, high) in enumerate(results.asked.limits):
            if np.isfinite([low, high]).any():
                bad |= ~((samples.values[:, k] >= low) & (samples.values[:, k] <= high))
        return samples.index[bad].tolist()[: study.keep_most]
    found: dict[int, None] = {}
    for responses in results.answers.of.values():
        for answer in responses.values():
            if answer.get("worst"):
                found[answer["worst"]["sample"]] = None
    for k in range(samples.values.shape[1]):
        y = samples.values[:, k]
        if np.isfinite(y).any():
            found |= dict.fromkeys((int(samples.index[np.nanargmax(y)]), int(samples.index[np.nanargmin(y)])))
    found |= dict.fromkeys(samples.index[samples.failed].tolist()[:2])
    return list(found)[: study.keep_most]


def keep_runs(
    results: StudyResults, trial: Trial, folder: Path, told: Callable[[float, str], Any] | None
) -> dict[int, str]:
    """Page of each run there is, relative to the folder; those to keep are run again, whole. Raises
    ResultsFileError."""
    wanted = chosen(results)
    for k, index in enumerate(wanted):
        page = folder / "runs" / f"{index}.html"
        if not page.exists():
            if told is not None:
                told(k / len(wanted), f"run {index} is kept")
            row = results.samples.parameters[np.searchsorted(results.samples.index, index)]
            play(trial, row, index, folder)
    made = {int(page.stem) for page in folder.glob("runs/*.html") if page.stem.isdigit()}
    return {index: f"runs/{index}.html" for index in sorted(made.intersection(results.samples.index.tolist()))}


def play(trial: Trial, row: np.ndarray, index: int, folder: Path) -> tuple[Path | None, Sample]:
    """Run one sample whole and write its results and page; no page if it has no motion to show."""
    sample = trial.run(row, int(trial.plan.variant_of(index)), whole=True)
    run = sample.results
    if not isinstance(run, Results) or not len(run.time):
        return None, sample
    (folder / "runs").mkdir(parents=True, exist_ok=True)
    run.save(folder / "runs" / f"{index}.nc")
    return run.report(folder / "runs" / f"{index}.html"), sample


@dataclass
class Played:
    """A sample that was run again."""

    plan: Plan
    index: int
    row: np.ndarray
    sample: Sample
    before: np.ndarray | None  # what the study found
    page: Path

    def words(self) -> str:
        """Its numbers, and how far they are from those of the study."""
        shown = [f"{n} = {v:.7g}" for n, v in zip(self.plan.names, self.row, strict=True)]
        found = [f"{n} = {v:.7g}" for n, v in zip(self.plan.responses, self.sample.values, strict=True)]
        ended = f"; failed: {self.sample.reason}" if self.sample.reason else ""
        return f"sample {self.index}: {', '.join(shown)}; {', '.join(found)}{ended}\n{self._compared()}"

    def _compared(self) -> str:
        if self.before is None:
            return "the study has not run it"
        now, size = np.array(self.sample.values), np.maximum(np.abs(self.before), 1e-300)
        if np.array_equal(now, self.before, equal_nan=True):
            return "responses are those of the study to the last bit"
        return f"responses differ from those of the study by {np.nanmax(np.abs(now - self.before) / size):.1e} at most"


def play_again(file: str | Path, folder: Path, index: int, **allowed: bool) -> Played:
    """One sample of a study file by its index; `allowed` as for `study`. Raises ModelError and ResultsFileError."""
    plan = Plan(SweepFile.read(file, **allowed))
    before = finished(folder, index)
    if not 0 <= index < plan.count or (plan.design is None and before is None):
        raise plan.file.refusal(f"there is no sample {index}; they are counted from 0 to {plan.count - 1}", "sampling")
    row = before[0] if plan.design is None and before is not None else plan.rows([index])[0]
    page, sample = play(Trial(plan), row, index, folder)
    if page is None:
        raise plan.file.refusal(f"sample {index} has no motion to show", "model")
    return Played(plan, index, row, sample, None if before is None else before[1], page)


def finished(folder: Path, index: int) -> tuple[np.ndarray, np.ndarray] | None:
    """(parameters, responses) of a sample, if its folder knows them."""
    for path in sorted((folder / PIECES).glob("piece-*.npz")):
        piece = read_piece(path)
        here = np.flatnonzero(piece.index == index)
        if len(here):
            return piece.parameters[here[0]], piece.values[here[0]]
    return None
