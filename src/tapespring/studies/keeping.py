"""Runs worth looking at: saved whole, with a page that plays them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..results import Results
from .file import SweepFile
from .plan import Plan
from .store import PIECES
from .trial import Trial

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
    """Page of each kept run, relative to the folder; they are run again, whole. Raises ResultsFileError."""
    wanted = chosen(results)
    kept: dict[int, str] = {}
    for k, index in enumerate(wanted):
        page = folder / "runs" / f"{index}.html"
        if not page.exists():
            if told is not None:
                told(k / len(wanted), f"run {index} is kept")
            row = results.samples.parameters[np.searchsorted(results.samples.index, index)]
            if play(trial, row, index, folder) is None:
                continue
        kept[index] = f"runs/{index}.html"
    return kept


def play(trial: Trial, row: np.ndarray, index: int, folder: Path) -> Path | None:
    """Run one sample whole and write its results and page; None if it has no motion to show."""
    run = trial.run(row, int(trial.plan.variant_of(index)), whole=True).results
    if not isinstance(run, Results) or not len(run.time):
        return None
    (folder / "runs").mkdir(parents=True, exist_ok=True)
    run.save(folder / "runs" / f"{index}.nc")
    return run.report(folder / "runs" / f"{index}.html")


def play_again(file: str | Path, folder: Path, index: int) -> Path:
    """One sample of a study file by its index. Raises ModelError and ResultsFileError."""
    plan = Plan(SweepFile.read(file))
    rows = plan.rows([index]) if plan.design is not None else _kept_row(folder, index)
    if not 0 <= index < plan.count or not len(rows):
        raise plan.file.refusal(f"there is no sample {index}; they are counted from 0 to {plan.count - 1}", "sampling")
    page = play(Trial(plan), rows[0], index, folder)
    if page is None:
        raise plan.file.refusal(f"sample {index} has no motion to show", "model")
    return page


def _kept_row(folder: Path, index: int) -> np.ndarray:
    """The values of a sample that only its folder knows."""
    for path in sorted((folder / PIECES).glob("piece-*.npz")):
        with np.load(path) as data:
            if (data["index"] == index).any():
                return data["parameters"][data["index"] == index]
    return np.zeros((0, 0))
