"""Growth: the flexure over a bump copied in one model; CPU and memory against the number of copies.

.venv/bin/python benchmarks/copies.py [--copies 1 10 30 120] [--solver quasi-static]

Every copy has its own flexure, wedge, bump and contacts; all run in one loop with one system of equations. Each number
of copies runs in a process of its own, twice: the second time is told, for the first loads kernels.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
from copy import deepcopy
from pathlib import Path

from tapespring import Model

FILE = Path(__file__).parents[1] / "examples" / "jpl" / "bump.yaml"
APART = 0.01  # m, along z


def copied(copies: int, solver: str) -> Model:
    """Copies side by side, each named by its number."""
    one = Model.from_file(FILE).to_plain()
    whole = {**one, "bodies": {}, "joints": {}, "contacts": {}}
    for k in range(copies):
        for section in ("bodies", "joints", "contacts"):
            for name, entity in one[section].items():
                whole[section][f"{name}{k}"] = moved(deepcopy(entity), k, set(one["bodies"]))
    whole["simulate"] = {"duration": 0.2, "solver": solver, "outputs": 200}
    return Model.from_plain(whole)


def moved(value, k: int, bodies: set[str]):
    """With names of its own, and points shifted along z."""
    if isinstance(value, dict):
        return {
            name: shifted(name, part, k) if is_point(name, part) else moved(part, k, bodies)
            for name, part in value.items()
        }
    if isinstance(value, list):
        return [moved(part, k, bodies) for part in value]
    if isinstance(value, str) and value.split(".")[0] in bodies:
        head, dot, rest = value.partition(".")
        return f"{head}{k}{dot}{rest}"
    return value


def is_point(name: str, part) -> bool:
    return name in ("at", "start", "end", "path") and isinstance(part, list)


def shifted(name: str, part, k: int):
    if name == "path":
        return [shifted("at", point, k) for point in part]
    return [*part[:2], part[2] + APART * k]


def measure(copies: int, solver: str) -> dict:
    model = copied(copies, solver)
    model.simulate()
    results = model.simulate()
    peaks = [results[f"crest{k}.normal"].max() for k in range(copies)]
    return {
        "cpu_s": results.timing["solver_cpu_s"], "steps": results.counters["steps"], "status": results.status.code,
        "peak_N": [min(peaks), max(peaks)],
        "memory_MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--copies", nargs="+", type=int, default=[1, 10, 30, 120])
    parser.add_argument("--solver", default="quasi-static")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(options.one, options.solver)))
        return
    first = 0.0
    for copies in options.copies:
        command = [sys.executable, __file__, "--one", str(copies), "--solver", options.solver]
        found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[-1])
        first = first or found["cpu_s"]
        low, high = found["peak_N"]
        print(
            f"{copies:4d} copies: {found['cpu_s']:8.3f} s CPU ({found['cpu_s'] / first:6.1f} ×), "
            f"{found['steps']} steps, {found['memory_MB']:.0f} MB, peaks {low:.4f} to {high:.4f} N, {found['status']}"
        )


if __name__ == "__main__":
    main()
