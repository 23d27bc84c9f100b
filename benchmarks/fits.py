"""Times of the sensor and of fits, warm: what the solver needs for case 1, and whole fits from reading to judgement.

.venv/bin/python benchmarks/fits.py
"""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

import tapespring as ts
from tapespring import fitting
from tapespring.bench.case import from_yaml
from tapespring.bench.histories import history

STUDIES = Path(fitting.__file__).parent / "studies"
REPEATS = 15


def sensor() -> None:
    """Case 1 of the seatbelt sensor: error and CPU time in the solver, without outputs in between."""
    model, wanted = from_yaml("seatbelt_1.yaml")(), history("seatbelt_1.csv")
    angle = np.arctan2(np.hypot(wanted["s1"], wanted["s2"]), wanted["s3"])
    for tolerance in (1e-6, 1e-7, 1e-8, 1e-9, 1e-10):
        runs = [model.simulate(tolerance=tolerance) for _ in range(REPEATS)]
        error = np.abs(runs[0]["pivot.angle"].values - angle).max()
        best = min(run.timing["solver_cpu_s"] for run in runs)
        print(f"case 1, tolerance {tolerance:g}: {1e3 * best:.2f} ms, error {error:.1e} rad")


def whole_fit(name: str) -> None:
    """Wall and CPU time, best of some; the first one loads what is compiled."""
    ts.fit(STUDIES / f"{name}.yaml")
    walls, cpus = [], []
    for _ in range(5):
        since, cpu = time.perf_counter(), time.process_time()
        found = ts.fit(STUDIES / f"{name}.yaml")
        walls.append(time.perf_counter() - since)
        cpus.append(time.process_time() - cpu)
    print(f"{name}: {min(walls):.2f} s wall, {min(cpus):.2f} s CPU, {found.solutions} solutions, {found.runs} runs")


if __name__ == "__main__":
    sensor()
    whole_fit("seatbelt")
    whole_fit("ball")
