"""Finds the cheapest settings with which a peer reaches a problem's error, and reports them as JSON on stdout.

A family is one formulation with one integrator; its single knob is the work, a number of steps or a tolerance. The
work is doubled until the error is reached, then the last gap is bisected. The cheapest runs are timed again. A run only
counts when a little more work reaches the error as well: a lucky crossing of zero is no accuracy.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from problems import MORE_WORK, OUTPUTS, Problem, Reached, problems, reached

BISECTIONS = 3
FINALISTS = 3
REPEATS = 5
LONGEST_REPEATS_S = 5.0


@dataclass(frozen=True)
class Family:
    """One way to run a peer. `simulate(problem, work, record)` gives (cpu seconds, angles, rates)."""

    name: str
    simulate: Callable[[Problem, float, bool], tuple[float, np.ndarray, np.ndarray]]
    knob: str
    """What the work means: "steps" or "tolerance" (then work = 1 / tolerance)."""
    least_work: float
    most_work: float
    growth: float = 2.0

    def describe(self, work: float) -> str:
        value = f"{work:.0f} steps" if self.knob == "steps" else f"tolerance {1.0 / work:.1e}"
        return f"{self.name}, {value}"


@dataclass(frozen=True)
class Run:
    """One family at one amount of work."""

    family: Family
    work: float
    cpu_s: float
    quality: Reached


def steps_between_outputs(steps: int) -> list[int]:
    """How many of `steps` equal steps lie between the outputs, 100 or one per step."""
    ends = np.unique(np.round(np.linspace(0, steps, OUTPUTS + 1)).astype(int))
    return np.diff(ends).tolist()


def run_once(problem: Problem, family: Family, work: float) -> Run:
    """Runs and judges one setting; a solver that gives up counts as not reaching the error."""
    try:
        cpu_s, angles, rates = family.simulate(problem, work, True)
        quality = reached(problem, angles, rates)
    except (RuntimeError, ValueError, np.linalg.LinAlgError) as failure:
        print(f"{family.describe(work)}: {failure}", file=sys.stderr)
        cpu_s, quality = math.inf, Reached(math.inf, math.inf, "solver gave up", False)
    print(
        f"{problem.name} {family.describe(work)}: {cpu_s * 1e3:.3f} ms, error {quality.error:.2e}, "
        f"{quality.second_means} {quality.second:.2e}{'' if quality.passed else ' (not reached)'}",
        file=sys.stderr,
    )
    return Run(family, work, cpu_s, quality)


def run_surely(problem: Problem, family: Family, work: float) -> Run:
    """A run that passes only if the ones with slightly more work do too."""
    run = run_once(problem, family, work)
    sure = run.quality.passed and all(run_once(problem, family, work * more).quality.passed for more in MORE_WORK)
    return replace(run, quality=replace(run.quality, passed=sure))


def cheapest_of_family(problem: Problem, family: Family) -> list[Run]:
    """All runs of the search along the family's knob: coarse to fine, then bisection of the last gap."""
    runs, work = [], family.least_work
    while work <= family.most_work:
        runs.append(run_surely(problem, family, work))
        if runs[-1].quality.passed:
            break
        work *= family.growth
    if not runs[-1].quality.passed or len(runs) == 1:
        return runs
    fails, passes = runs[-2].work, runs[-1].work
    for _ in range(BISECTIONS):
        middle = math.sqrt(fails * passes)
        runs.append(run_surely(problem, family, round(middle) if family.knob == "steps" else middle))
        fails, passes = (fails, middle) if runs[-1].quality.passed else (middle, passes)
    return runs


def time_again(problem: Problem, run: Run) -> float:
    """Best CPU time of up to five repeats (fewer when they are long), recording nothing but the end."""
    times: list[float] = []
    while len(times) < REPEATS and sum(times) < LONGEST_REPEATS_S:
        times.append(run.family.simulate(problem, run.work, False)[0])
    return min(times)


def best_run(problem: Problem, families: list[Family]) -> dict:
    """The cheapest run that reaches the error, or the most accurate one when none does."""
    runs = [run for family in families for run in cheapest_of_family(problem, family)]
    passing = sorted((run for run in runs if run.quality.passed), key=lambda run: run.cpu_s)[:FINALISTS]
    if passing:
        timed = [(min(run.cpu_s, time_again(problem, run)), run) for run in passing]
        cpu_s, run = min(timed, key=lambda pair: pair[0])
    else:
        run = min(runs, key=lambda run: run.quality.error)
        cpu_s = run.cpu_s
    return {
        "cpu_s": cpu_s,
        "error": run.quality.error,
        "second": run.quality.second,
        "second_means": run.quality.second_means,
        "passed": run.quality.passed,
        "settings": run.family.describe(run.work),
        "families": [best_of(family, runs) for family in families],
    }


def best_of(family: Family, runs: list[Run]) -> str:
    """One line on how a family fared."""
    own = [run for run in runs if run.family is family]
    passing = [run for run in own if run.quality.passed]
    run = min(passing, key=lambda run: run.cpu_s) if passing else min(own, key=lambda run: run.quality.error)
    verdict = "reached" if run.quality.passed else "not reached for sure"
    return f"{family.describe(run.work)}: {run.cpu_s * 1e3:.2f} ms, error {run.quality.error:.1e}, {verdict}"


def main(version: str, families: Callable[[Problem], list[Family]]) -> None:
    """Entry point of every peer script: `run_<peer>.py A01` prints one JSON object."""
    problem = problems()[sys.argv[1]]
    print(json.dumps({"version": version, **best_run(problem, families(problem))}))
