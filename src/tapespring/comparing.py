"""Choosing a solver by measurement: all that know a model, over a range of tolerances, against a tight solution."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .model import Model
from .schema.problems import ModelError, Problem
from .simulate import simulate
from .svg import Curve, plot

TOLERANCES = (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11)
SOLVERS = ("ode", "stiff", "implicit", "baumgarte", "conserving")
BY_STEP = ("conserving",)  # of fixed step: in place of a tolerance, a part of the span
STEPS = (1 / 200, 1 / 500, 1 / 1000, 1 / 2000, 1 / 5000, 1 / 10000)
TIGHT = 1e-12
SHORT = 0.05  # s; runs this short are timed several times


@dataclass(frozen=True)
class Measurement:
    """One run."""

    solver: str
    setting: float  # tolerance, or step [s]
    error: float  # largest difference of positions from the tight solution, over the size of the motion
    cpu_s: float
    steps: int
    complete: bool


@dataclass
class Comparison:
    """All runs, and for every solver the cheapest that is accurate enough."""

    model: str
    accuracy: float
    spans: tuple[float, float]
    runs: list[Measurement]
    chosen: dict[str, Measurement | None]
    short_cpu: dict[str, float]  # time of the chosen setting for the shorter span
    refused: dict[str, str]  # solvers that do not know the model, and why
    doubt: float  # of the tight solution itself

    def table(self) -> str:
        """As a table for people."""
        first, second = (f"{span:g} s [ms]" for span in self.spans)
        head = f"{'solver':<11} {'setting':>12} {'steps':>8} {'error':>9} {first:>12} {second:>12}"
        lines = [f"{self.model or 'model'}: cheapest setting with an error below {self.accuracy:g}", head]
        ranked = sorted(self.chosen.items(), key=lambda item: item[1].cpu_s if item[1] else np.inf)
        for solver, run in ranked:
            if run is None:
                best = min((r.error for r in self.runs if r.solver == solver and r.complete), default=np.nan)
                lines.append(f"{solver:<11} {'not reached':>12}   (best error {best:.1e})")
                continue
            setting = f"{'step' if solver in BY_STEP else 'tol'} {run.setting:.0e}"
            lines.append(
                f"{solver:<11} {setting:>12} {run.steps:>8} {run.error:>9.1e} {1e3 * self.short_cpu[solver]:>12.3g} "
                f"{1e3 * run.cpu_s:>12.3g}"
            )
        lines += [f"{solver:<11} not for this model: {reason}" for solver, reason in self.refused.items()]
        lines.append(f"errors are against ode with tolerance {TIGHT:g}, itself good to about {self.doubt:.0e}")
        return "\n".join(lines)

    def to_plain(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "model": self.model, "accuracy": self.accuracy, "spans": list(self.spans), "doubt": self.doubt,
            "runs": [vars(run) for run in self.runs], "refused": self.refused, "short_cpu_s": self.short_cpu,
            "chosen": {solver: vars(run) if run else None for solver, run in self.chosen.items()},
        }  # fmt: skip

    def figure(self) -> str:
        """Work against precision, as SVG."""
        curves = []
        for solver in dict.fromkeys(run.solver for run in self.runs):
            mine = [r for r in self.runs if r.solver == solver and r.complete and r.error > 0.0 and r.cpu_s > 0.0]
            if mine:
                errors, times = np.array([r.error for r in mine]), np.array([r.cpu_s for r in mine])
                curves.append(Curve(solver, errors, times, points=True))
        title = f"{self.model}: {self.spans[1]:g} s simulated"
        return plot(title, curves, "error", "CPU time in the solver [s]", log_x=True, log_y=True)


def compare_solvers(
    model: Model,
    accuracy: float = 1e-6,
    duration: float | None = None,
    solvers: tuple[str, ...] = SOLVERS,
    limit_s: float = 10.0,
    progress: Callable[[float, str], Any] | None = None,
) -> Comparison:
    """Run a model with every solver at ever tighter tolerances until one run takes longer than `limit_s`.

    Times are given for `duration` [s] (else the model's own) and for a fifth of it. Raises ModelError.
    """
    end = duration or model.settings.duration
    if end is None:
        raise ModelError([Problem(None, ("simulate", "duration"), "say how long to simulate, for example '5 s'")])
    if model.settings.stages:
        raise ModelError([model.problem(("simulate", "stages"), "solvers are compared on models of a single stage")])
    exact, doubt = tight_solution(model, end)
    runs: list[Measurement] = []
    refused: dict[str, str] = {}
    chosen: dict[str, Measurement | None] = {}
    short_cpu: dict[str, float] = {}
    for k, solver in enumerate(solvers):
        try:
            mine = ladder(model, solver, end, exact, limit_s, lambda text, k=k: _tell(progress, k / len(solvers), text))
        except ModelError as error:
            refused[solver] = str(error).splitlines()[0]
            continue
        runs += mine
        good = [run for run in mine if run.complete and run.error <= accuracy]
        chosen[solver] = best = min(good, key=lambda run: run.cpu_s, default=None)
        if best is not None:
            short_cpu[solver] = timed(model, solver, best.setting, end / 5.0)[1]
    return Comparison(model.name, accuracy, (end / 5.0, end), runs, chosen, short_cpu, refused, doubt)


def _tell(progress, fraction: float, text: str) -> None:
    if progress is not None:
        progress(fraction, text)


def settings_for(solver: str, setting: float) -> dict[str, Any]:
    return {"solver": solver, "step": setting} if solver in BY_STEP else {"solver": solver, "tolerance": setting}


def timed(model: Model, solver: str, setting: float, end: float):
    """(results, least CPU time in the solver of a few runs)"""
    best, results = np.inf, None
    for _ in range(3):
        results = simulate(model, duration=end, outputs=50, **settings_for(solver, setting)).unless_interrupted()
        best = min(best, results.timing["solver_cpu_s"])
        if results.timing["solver_cpu_s"] > SHORT:
            break
    return results, best


def positions(results) -> np.ndarray:
    """(times, 3 bodies) of all bodies and nodes."""
    found = [c.values for name, c in results.channels.items() if name.endswith((".position", ".positions"))]
    return np.hstack([np.asarray(values).reshape(len(results.time), -1) for values in found])


def tight_solution(model: Model, end: float) -> tuple[np.ndarray, float]:
    """(positions, how far they can be trusted) by `ode`. Raises ModelError if it does not get there."""
    tight, looser = (
        simulate(model, duration=end, outputs=50, solver="ode", tolerance=t).unless_interrupted()
        for t in (TIGHT, 10.0 * TIGHT)
    )
    if not tight.status.complete:
        message = f"no tight solution to compare with: {tight.status.message}"
        raise ModelError([model.problem(("simulate",), message)])
    exact = positions(tight)
    return exact, relative(positions(looser), exact)


def relative(found: np.ndarray, exact: np.ndarray) -> float:
    """Largest difference over the size of the motion."""
    if found.shape != exact.shape:
        return float("inf")
    size = float(np.ptp(exact, axis=0).max()) or 1.0
    return float(np.abs(found - exact).max()) / size


def ladder(model: Model, solver: str, end: float, exact, limit_s: float, told) -> list[Measurement]:
    """Runs of one solver, each tighter than the one before."""
    runs = []
    for setting in [end * part for part in STEPS] if solver in BY_STEP else TOLERANCES:
        results, cpu = timed(model, solver, setting, end)
        error = relative(positions(results), exact) if results.status.complete else float("inf")
        runs.append(Measurement(solver, setting, error, cpu, results.counters.get("steps", 0), results.status.complete))
        told(f"{solver}, {setting:.0e}: error {error:.1e}")
        if cpu > limit_s:
            break
    return runs
