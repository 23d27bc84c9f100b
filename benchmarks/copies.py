"""Growth: the flexure over a bump copied in one model; CPU and memory against the number of copies.

.venv/bin/python benchmarks/copies.py [--copies 1 10 30 120] [--solver quasi-static] [--cores 2]

Every copy has its own flexure, wedge, bump and contacts; all run in one loop with one system of equations. Each number
of copies runs in a process of its own, twice: the second time is told, for the first loads kernels. Of the solvers only
`explicit` uses a second thread, for its pass over chains of beams; on two cores copies are shared by two processes that
run at once, and the CPU time of the slower one is what two free cores would take.
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
    """With names of its own, and points shifted along z; those on a body move with it."""
    if isinstance(value, dict):
        return {name: moved_field(name, part, k, bodies, "on" in value) for name, part in value.items()}
    if isinstance(value, list):
        return [moved(part, k, bodies) for part in value]
    if isinstance(value, str) and value.split(".")[0] in bodies:
        head, dot, rest = value.partition(".")
        return f"{head}{k}{dot}{rest}"
    return value


def moved_field(name: str, part, k: int, bodies: set[str], on_body: bool):
    if name == "kind":
        return part
    return shifted(name, part, k) if is_point(name, part) and not on_body else moved(part, k, bodies)


def is_point(name: str, part) -> bool:
    return name in ("at", "path") and isinstance(part, list)


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


def shared(copies: int, solver: str, cores: int) -> list[dict]:
    """Copies shared by processes that run at once."""
    counts = [(copies + k) // cores for k in range(cores)]
    running = [
        subprocess.Popen(
            [sys.executable, __file__, "--one", str(count), "--solver", solver], stdout=subprocess.PIPE, text=True
        )
        for count in counts
        if count
    ]
    return [json.loads(process.communicate()[0].splitlines()[-1]) for process in running]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--copies", nargs="+", type=int, default=[1, 10, 30, 120])
    parser.add_argument("--solver", default="quasi-static")
    parser.add_argument("--cores", type=int, default=1)
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(options.one, options.solver)))
        return
    first = 0.0
    for copies in options.copies:
        found = shared(copies, options.solver, options.cores)
        cpu = max(part["cpu_s"] for part in found)
        first = first or cpu
        peaks = [peak for part in found for peak in part["peak_N"]]
        print(
            f"{copies:4d} copies: {cpu:8.3f} s CPU ({cpu / first:6.1f} ×), {max(p['steps'] for p in found)} steps, "
            f"{sum(p['memory_MB'] for p in found):.0f} MB, peaks {min(peaks):.4f} to {max(peaks):.4f} N, "
            f"{', '.join(sorted({p['status'] for p in found}))}, {len(found)} at once",
            flush=True,
        )


if __name__ == "__main__":
    main()
