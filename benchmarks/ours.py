"""tapespring's side of the comparison: `solve(problem, tolerance)` gives the CPU seconds and the error reached.

To plug the solver in: fill the three `run_*` functions. Each returns a callable that performs the solve alone (the
model is built, and kernels are compiled, before) and gives (angles, rates): the hinge angles relative to the parent
and their rates, counterclockwise, in the order of `problem.mechanism.links`, one row per output time and at least the
end. The errors come from the same function that judges the peers, and as with them a run only counts when slightly more
work reaches the error too: multiply the number of steps, or divide the local tolerance, by `effort`.
"""

from __future__ import annotations

import importlib.metadata
import time
from collections.abc import Callable

import numpy as np
from problems import MORE_WORK, Problem, reached

REPEATS = 5
States = tuple[np.ndarray, np.ndarray]


def run_pendulum(problem: Problem, tolerance: float, effort: float) -> Callable[[], States]:
    """A01: states at the 100 output times."""
    raise NotImplementedError("A01 is not plugged in yet")


def run_four_bars(problem: Problem, tolerance: float, effort: float) -> Callable[[], States]:
    """A02: states at the 100 output times; angles accumulate over the turns."""
    raise NotImplementedError("A02 is not plugged in yet")


def run_squeezer(problem: Problem, tolerance: float, effort: float) -> Callable[[], States]:
    """A03: the state at the end is enough."""
    raise NotImplementedError("A03 is not plugged in yet")


RUNS = {"A01": run_pendulum, "A02": run_four_bars, "A03": run_squeezer}


def solve(problem: Problem, tolerance: float) -> tuple[float, float]:
    """Best CPU time of several repeats after one warm-up, and the error; at least the tolerance when a check failed."""
    import tapespring  # noqa: F401  (an ImportError is the caller's to report)

    run = RUNS[problem.name](problem, tolerance, 1.0)
    quality = reached(problem, *run())
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    harder = [reached(problem, *RUNS[problem.name](problem, tolerance, more)()) for more in MORE_WORK]
    sure = quality.passed and all(check.passed for check in harder)
    return min(times), quality.error if sure else max(quality.error, *(check.error for check in harder), tolerance)


def version() -> str:
    return importlib.metadata.version("tapespring")
