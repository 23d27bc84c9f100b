"""The search for the optimum: from the guess and from random starts, on as many cores as there are."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

from ..interruption import leave_to_parent
from ..schema.folder import Folder
from .keeping import Keeper, fingerprint
from .least_squares import FAILS, Descent, descend, half_square
from .matching import Matching
from .study import FitFile

NEAR = 1e-3  # change of a variable at which slopes from one side have done their work
Told = Callable[[float, str], None]


def first_points(matching: Matching) -> list[np.ndarray]:
    """The guess, then random points within ×/÷ the spread of it, the same for the same seed."""
    search = matching.study.search
    low, high = matching.bounds
    rng = np.random.default_rng(search.seed)
    reach = np.log(search.spread)
    more = [matching.guess + rng.uniform(-reach, reach, len(low)) for _ in range(search.starts - 1)]
    return [matching.guess, *(np.clip(x, low, high) for x in more)]


def run_start(matching: Matching, k: int, keeper: Keeper, told: Told | None = None, first=None) -> Descent:
    """One start, from where it was left if that is kept."""
    search = matching.study.search
    descent = keeper.load(k)
    if descent is None:
        descent = Descent(first_points(matching)[k])
    elif descent.done:
        return descent
    else:
        first = None  # r and J belong to where it began

    def step(at: Descent) -> None:
        keeper.save(k, at)
        if told is not None:
            share = at.solutions / search.solutions
            told((k + share) / search.starts, f"start {k + 1}: cost {at.cost:.6g} after {at.solutions} solutions")

    if search.method == "simplex":
        simplex(matching, descent, step)
    else:
        two_phases(matching, descent, step, first)
    keeper.save(k, descent)
    return descent


def two_phases(matching: Matching, at: Descent, told: Callable[[Descent], None], first) -> None:
    """Down to near the optimum with slopes from one side, then on with exact ones."""
    search, run = matching.study.search, matching.residuals
    if not at.exact:
        descend(run, matching.slopes, at, matching.bounds, search.solutions, max(search.accuracy, NEAR), told, first)
        if at.status != "converged":
            return
        at.exact, at.status = True, "going on"
    r = run(at.x)
    assert r is not None
    J = matching.central_slopes(at.x, r)
    at.solutions -= 1  # counted already
    descend(run, matching.central_slopes, at, matching.bounds, search.solutions, search.accuracy, told, (r, J))


def simplex(matching: Matching, at: Descent, told: Callable[[Descent], None]) -> None:
    """Nelder and Mead's method: slow, but it needs no slopes."""
    from scipy.optimize import minimize

    search = matching.study.search

    def cost(x) -> float:
        at.solutions += 1
        found = half_square(matching.residuals(x))
        if found < at.cost:
            at.x, at.cost = np.array(x), found
            at.costs.append(found)
        told(at)
        return found

    low, high = matching.bounds
    options = {"maxfev": search.solutions, "xatol": search.accuracy, "fatol": 0.0, "adaptive": True,
               "initial_simplex": np.vstack([at.x, at.x + 0.2 * np.eye(len(at.x))])}  # fmt: skip
    if not np.isfinite(cost(at.x)):
        at.status = FAILS
        return
    ended = minimize(cost, at.x, method="Nelder-Mead", bounds=list(zip(low, high, strict=True)), options=options)
    at.status = "converged" if ended.success else "the most solutions allowed were used"


@cache
def matching_in(path: str, folder: Folder) -> Matching:
    """The study of a file, read once per process."""
    return Matching(FitFile.read(path, **folder.allowed))


def elsewhere(path: str, place: Folder, k: int, folder: str | None) -> tuple[dict, int]:
    """A start in another process: (descent as plain data, runs of the model)."""
    matching = matching_in(path, place)
    before = matching.runs
    keeper = Keeper(None if folder is None else Path(folder), fingerprint(matching))
    return run_start(matching, k, keeper).plain(), matching.runs - before


def run_all(
    matching: Matching, folder: Path | None, told: Told | None, first, parallel: bool = False
) -> tuple[list[Descent], int]:
    """(every start, runs made in other processes); the first begins with r and J that are known."""
    search = matching.study.search
    keeper = Keeper(folder, fingerprint(matching))
    processes = min(search.processes or os.cpu_count() or 1, search.starts - 1)
    if not parallel or processes < 2 or not matching.file.source.file:
        starts = range(search.starts)
        return [run_start(matching, k, keeper, told, first if k == 0 else None) for k in starts], 0
    return _in_parallel(matching, keeper, processes, told, first)


def _in_parallel(matching: Matching, keeper: Keeper, processes: int, told, first) -> tuple[list[Descent], int]:
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from multiprocessing import active_children, get_context

    search, path = matching.study.search, str(Path(matching.file.source.file).resolve())
    folder = None if keeper.folder is None else str(keeper.folder)
    found: dict[int, Descent] = {0: run_start(matching, 0, keeper, told, first)}  # also compiles, once
    runs, others = 0, active_children()
    with ProcessPoolExecutor(processes, get_context("spawn"), leave_to_parent) as pool:
        waiting = {pool.submit(elsewhere, path, matching.file.folder, k, folder): k for k in range(1, search.starts)}
        try:
            for future in as_completed(waiting):
                plain, more = future.result()
                found[waiting[future]] = Descent.from_plain(plain)
                runs += more
                if told is not None:
                    best = min(d.cost for d in found.values())
                    told(len(found) / search.starts, f"{len(found)} of {search.starts} starts, best cost {best:.6g}")
        except KeyboardInterrupt:  # what they have reached is kept; nobody waits for the rest
            for process in set(active_children()) - set(others):
                process.kill()
            raise
    return [found[k] for k in range(search.starts)], runs
