"""From a study to its answers: check, run what is missing, write the table, tell."""

from __future__ import annotations

import os
import pickle
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ..model import Model, fingerprint
from ..results import ResultsFileError
from ..schema.folder import Folder
from ..schema.problems import ModelError
from ..schema.source import Source
from .answers import Answers
from .asked import Asked
from .chunks import Chunks
from .file import SweepFile
from .keeping import keep_runs
from .outcome import StudyResults
from .plan import Plan
from .pool import Here, Pool, Threads
from .rare import subset_simulation
from .store import Piece, Store, clear
from .table import OWN, Samples, write_table
from .trial import Recipe, Trial

Told = Callable[[float, str], None]
VIOLATED = -1e30  # margin of a sample that has no value


def study(
    study: str | Path | dict[str, Any],
    model: Any = None,
    *,
    folder: str | Path = ".",
    keep: str | Path | None = None,
    workers: int | None = None,
    cluster: Any = None,
    afresh: bool = False,
    allow_python: bool = False,
    allow_outside: bool = False,
    progress: Told | None = None,
) -> StudyResults:
    """Run a model many times with numbers that scatter, and say what comes of it.

    `study` is a study file, or its content; files named in it are looked for beside it, or in `folder`. `model` takes
    the place of the one named: a Model, or a function of the parameters that returns a Model, Results or a dict of
    numbers.
    `keep` is the folder samples go to as they finish, from which an interrupted study goes on; `afresh` forgets them.
    `workers` are processes, as many as there are cores unless told; in a script, call it behind
    `if __name__ == "__main__":`. `cluster` is a Dask client, the address of a scheduler, or `local`. Python functions
    that study or model name run only with `allow_python`, and files outside their folders are read only with
    `allow_outside`. `progress` is called with (fraction, words). Raises ModelError and ResultsFileError.
    """
    since = time.perf_counter()
    if isinstance(study, dict):
        file = SweepFile(_source(study, model), Folder(Path(folder), allow_python, allow_outside))
    else:
        file = SweepFile.read(study, allow_python=allow_python, allow_outside=allow_outside)
    plan = Plan(file)
    _check_names(plan)
    trial = Trial(plan, model)
    asked = Asked(trial)
    with tempfile.TemporaryDirectory() as nowhere:
        place = Path(nowhere) if keep is None else Path(keep)
        if afresh:
            clear(place)
        sweep = Sweep(plan, trial, Store(place, _mark(plan, model), _about(plan, asked)), progress)
        backend = _backend(plan, trial, model, workers, cluster)
        try:
            rare = sweep.rare(backend, asked) if plan.design is None else None
            if plan.design is not None:
                sweep.all(backend)
        finally:
            backend.close()
        samples = Samples.of(sweep.store, plan)
        results = StudyResults(plan, asked, samples, Answers(plan, asked, samples), rare=rare, ran=sweep.ran)
        if keep is not None:
            results.folder = place
            write_table(samples, plan, asked.units, place / "samples")
            results.kept = keep_runs(results, trial, place, progress)  # last, for it draws
    results.wall_s = time.perf_counter() - since
    return results


def _source(study: dict[str, Any], model: Any) -> Source:
    return Source(study if model is None else {"model": "given in Python"} | study)


def _check_names(plan: Plan) -> None:
    for name in plan.responses:
        if name in plan.names or name in OWN:
            raise plan.file.refusal(f"the name '{name}' is taken; choose another", "responses", name)
    for name in plan.names:
        if name in OWN:
            raise plan.file.refusal(f"the name '{name}' is taken; choose another", "parameters", name)


def _mark(plan: Plan, model: Any) -> str:
    if isinstance(model, Model):
        return f"{plan.mark()}:{model.hash()}"
    return plan.mark() if model is None else f"{plan.mark()}:{fingerprint(model)}"


def _about(plan: Plan, asked: Asked) -> dict[str, Any]:
    return {
        "study": plan.study.name, "parameters": dict(zip(plan.names, plan.units, strict=True)),
        "responses": dict(zip(plan.responses, asked.units, strict=True)), "variants": plan.variants,
    }  # fmt: skip


def _backend(plan: Plan, trial: Trial, model: Any, workers: int | None, cluster: Any):
    """Where chunks are run; a study that cannot be sent to other processes stays in this one."""
    recipe = Recipe(
        plan.file.source.data,
        plan.file.source.file,
        replace(plan.file.folder, path=plan.file.folder.path.resolve()),
        model,
    )
    wanted = workers or os.cpu_count() or 1
    try:
        pickle.dumps(recipe)
    except Exception:  # pickle raises whatever it likes
        if cluster is not None:
            message = "the model or function cannot be sent to a cluster; write it to a file and name that"
            raise ModelError([plan.file.source.problem(("model",), message)]) from None
        wanted = 1
    if cluster is not None:
        from .cluster import Cluster

        return Cluster(recipe, plan.mark(), cluster, wanted)
    if wanted == 1 or plan.count == 1:
        return Here(trial)
    return Threads(trial, wanted) if trial.is_small else Pool(recipe, plan.mark(), wanted)


class Sweep:
    """Runs what is missing, and tells how far it is."""

    def __init__(self, plan: Plan, trial: Trial, store: Store, told: Told | None):
        self.plan, self.trial, self.store, self.told = plan, trial, store, told
        self.ran = self.failed = 0
        self.began = time.perf_counter()
        self.before = 0
        self.pace: float | None = None  # seconds a sample takes, as far as is known

    def all(self, backend) -> None:
        """Every sample of the plan that is not finished."""
        done = self.store.done(self.plan.count)
        self.before = int(done.sum())
        chunks = Chunks(self.plan, np.flatnonzero(~done), workers=backend.workers)
        backend.run(chunks, self._finished)

    def _finished(self, piece: Piece) -> None:
        try:
            self.store.add(piece)
        except ResultsFileError as error:
            raise ResultsFileError(
                f"{error}; {self.before + self.ran} samples are kept, and the same command goes on from there"
            ) from None
        self.ran += len(piece)
        self.failed += int(piece.failed.sum())
        if self.told is not None:
            rate = self.ran / max(time.perf_counter() - self.began, 1e-9)
            finished = self.before + self.ran
            words = f"{finished} of {self.plan.count}, {rate:.3g}/s, {self.failed} failed"
            self.told(finished / self.plan.count, words)

    def rare(self, backend, asked: Asked) -> dict[str, Any]:
        """Subset simulation, level by level."""
        study = self.plan.study
        column = self.plan.responses.index(str(study.sampling.response))
        low, high = asked.limits[column]
        known: dict[int, float] = {}
        for piece in self.store.read():
            known |= dict(zip(piece.index.tolist(), piece.values[:, column].tolist(), strict=True))
        self.before = len(known)

        def margins(index: np.ndarray, z: np.ndarray) -> np.ndarray:
            missing = np.array([int(k) not in known for k in index], bool)
            rows = self.plan.from_normal(z[missing])

            def finished(piece: Piece) -> None:
                self._finished(piece)
                known.update(zip(piece.index.tolist(), piece.values[:, column].tolist(), strict=True))

            chunks = Chunks(self.plan, index[missing], rows, backend.workers, pace=self.pace)
            backend.run(chunks, finished)
            self.pace = chunks.pace
            y = np.array([known[int(k)] for k in index])
            inside = np.minimum(y - low, high - y)
            return np.where(np.isfinite(y), inside, VIOLATED)

        s = study.sampling
        found = subset_simulation(margins, len(self.plan.names), s.samples, s.levels, s.seed)
        return found.plain(study.confidence)
