"""From a study to a fit: search, certainty, doubts."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np

from ..schema.folder import Folder
from ..schema.problems import RunFailed
from ..schema.source import Source
from .certainty import Certainty, certainty, derived, in_words, interval, of_derived
from .least_squares import Descent
from .matching import Matching
from .mismatch import signs, taken_for_granted
from .outcome import FitResults
from .profiles import profile
from .search import Told, run_all
from .study import FitFile

SAME = 1e-3  # of a variable: starts that end this near have ended in the same optimum
EQUAL = 1e-5  # relative: costs that are the same


def fit(
    study: str | Path | dict[str, Any],
    model: Any = None,
    *,
    folder: str | Path = ".",
    profiles: bool | list[str] = False,
    keep: str | Path | None = None,
    parallel: bool = False,
    allow_python: bool = False,
    allow_outside: bool = False,
    progress: Told | None = None,
) -> FitResults:
    """Find parameters of a model from measurements.

    `study` is a study file, or its content; files named in it are looked for beside it, or in `folder`. `model` takes
    the place of the one named: a Model, or equations of `tapespring.symbolic`. `profiles` asks for profile likelihoods,
    of all parameters or those named. `keep` is a folder in which the search is kept; a fit that was interrupted goes on
    from there. `parallel` spreads random starts over the cores, for study files; in a script, call it behind
    `if __name__ == "__main__":`, for other processes read the script too. Python functions that study or model name
    run only with `allow_python`, and files outside their folders are read only with `allow_outside`. `progress` is
    called with (fraction, words). Raises ModelError and ResultsFileError.
    """
    since = time.perf_counter()
    if isinstance(study, dict):
        file = FitFile(_source(study, model), Folder(Path(folder), allow_python, allow_outside))
    else:
        file = FitFile.read(study, allow_python=allow_python, allow_outside=allow_outside)
    matching = Matching(file, model)
    first = _at_guess(matching)
    descents, elsewhere = run_all(matching, None if keep is None else Path(keep), progress, first, parallel)
    results = _judged(matching, descents, profiles)
    results.runs += elsewhere
    results.wall_s = time.perf_counter() - since
    return results


def _source(study: dict[str, Any], model: Any) -> Source:
    return Source(study if model is None else {"model": "given in Python"} | study)


def _at_guess(matching: Matching) -> tuple[np.ndarray, np.ndarray]:
    """Residuals and slopes at the guess. Raises ModelError if the model fails there, or a parameter has no effect."""
    x = matching.guess
    try:
        matching.predicted(matching.values(x))
    except RunFailed as error:
        raise matching.file.refusal(f"the model fails at the guess: {error}", "parameters") from None
    r = matching.residuals(x)
    assert r is not None
    J = matching.slopes(x, r)
    matching.check_effects(J)
    return r, J


def _judged(matching: Matching, descents: list[Descent], profiles: bool | list[str]) -> FitResults:
    best = min(descents, key=lambda d: d.cost)
    x = best.x
    predicted = matching.predicted(matching.values(x))
    residuals = [p - r.values for r, p in zip(matching.records, predicted, strict=True)]
    r, J = best.here if best.here is not None and best.exact else _exact(matching, x)
    found = certainty(matching, J, residuals)
    slope = np.array([v.slope(float(xi)) for v, xi in zip(matching.variables, x, strict=True)])
    values, formulas = matching.values(x), derived(matching, x, found)
    warnings = [
        *at_bounds(matching, x),
        *other_optima(descents, best),
        *([] if best.status == "converged" else [f"the search did not converge: {best.status}"]),
        *signs(matching, J, predicted, found.noise),
        *taken_for_granted(matching, x, J, r, found.noise),
    ]
    return FitResults(
        name=matching.study.name or "fit", parameters=matching.names, units=[v.unit for v in matching.variables],
        scales=["log" if v.is_log else "linear" for v in matching.variables],
        values=values, std=found.std * np.abs(slope), relative_std=found.std * np.abs(slope) / np.abs(values),
        intervals=[interval(matching, k, float(x[k]), float(found.std[k])) for k in range(len(x))],
        correlation=found.correlation, cost=best.cost,
        integrals=[rec.integral(e) for rec, e in zip(matching.records, residuals, strict=True)], noise=found.noise,
        status=best.status, solutions=best.solutions, runs=matching.runs,
        starts=[{"solutions": d.solutions, "cost": d.cost, "status": d.status,
                 "values": [float(v) for v in matching.values(d.x)]} for d in descents],
        statements=in_words(matching, x, found) + of_derived(formulas), warnings=warnings, derived=formulas,
        records=matching.records, predicted=predicted, profiles=_profiles(matching, x, found, r, profiles),
    )  # fmt: skip


def _exact(matching: Matching, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Residuals and slopes where a search ended."""
    r = matching.residuals(x)
    assert r is not None
    matching.slopes(x, r)  # finds steps that suit
    return r, matching.central_slopes(x, r)


def _profiles(matching: Matching, x, found: Certainty, r: np.ndarray, wanted: bool | list[str]):
    names = matching.names if wanted is True else wanted or []
    for name in names:
        if name not in matching.names:
            raise matching.file.refusal(f"there is no parameter '{name}' to profile", "parameters")
    variance = float(r @ r) / max(len(r) - len(x), 1)
    if all(record.noise is not None for record in matching.records):
        variance = 1.0
    indices = [matching.names.index(name) for name in names]
    return [profile(matching, x, k, float(found.std[k]), variance) for k in indices]


def at_bounds(matching: Matching, x: np.ndarray) -> list[str]:
    low, high = matching.bounds
    said = []
    for k, v in enumerate(matching.variables):
        for end, bound in ((low[k], v.low), (high[k], v.high)):
            if np.isfinite(end) and abs(x[k] - end) <= 1e-9 * max(1.0, abs(end)):
                said.append(f"{v.name} sits on its bound {bound:g}: the optimum lies beyond, or the data do not fix it")
    return said


def other_optima(descents: list[Descent], best: Descent) -> list[str]:
    """Starts that ended somewhere else."""
    ended = [d for d in descents if d.status == "converged"]
    worse = [d for d in ended if d.cost > best.cost * (1.0 + EQUAL) + 1e-12]
    same = [d for d in ended if d.cost <= best.cost * (1.0 + EQUAL) + 1e-12]
    apart = [d for d in same if np.abs(d.x - best.x).max() > 100.0 * SAME]
    said = []
    if worse:
        ratio = min(d.cost for d in worse) / max(best.cost, 1e-300)
        said.append(
            f"several optima: {len(worse)} of {len(descents)} starts ended at another one, the next with {ratio:.3g} "
            "times the cost"
        )
    if apart:
        said.append(f"{len(apart)} of {len(descents)} starts ended elsewhere at the same cost: the optimum is a valley")
    failed = len(descents) - len(ended)
    if failed and best.status == "converged":
        said.append(f"{failed} of {len(descents)} starts did not converge")
    return said
