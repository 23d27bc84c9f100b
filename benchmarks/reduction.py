"""Reducing a solid of 6 100 nodes with two interfaces to 20 normal and 12 constraint modes, beside Exudyn.

    python benchmarks/reduction.py [pardiso | layers | superlu ...]

Wall and CPU seconds of our parts, the best of five each, then Exudyn's on the same matrices (`make peers`). Without an
argument PARDISO (where the extra is installed) and what the core has for slender structures and for others.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

import numpy as np

import tapespring as ts
from tapespring.reduction.reduce import reduced_with_report
from tapespring.reduction.sources import structure_from

HERE = Path(__file__).resolve().parent
PEER_PYTHON = HERE.parent / ".venv-peers" / "bin" / "python"
ENDS, MODES, RUNS = ["bar.x0", "bar.x1"], 20, 5


def bar(along: int = 60, across: int = 9) -> ts.Model:
    """1 m × 0.1 m × 0.1 m of aluminium."""
    m = ts.Model(name="bar")
    mesh = {"kind": "box", "length": 1, "width": 0.1, "height": 0.1, "divisions": [along, across, across]}
    m.solid("bar", mesh=mesh, material={"young": "70 GPa", "poisson": 0.3, "density": "2700 kg/m^3"})
    return m


def timed(function):
    """(result, least wall and least CPU seconds)"""
    least = np.full(2, np.inf)
    for _ in range(RUNS):
        began = time.perf_counter(), time.process_time()
        result = function()
        least = np.minimum(least, np.subtract((time.perf_counter(), time.process_time()), began))
    return result, *least


def write_matrices(path: Path, structure, **places: np.ndarray) -> None:
    """For peers: entries (row, column, value), x, y, z node by node."""
    order = structure.freedoms[:, :3].ravel()
    arrays = {}
    for name in ("mass", "stiffness"):
        A = getattr(structure, name).tocsr()[order][:, order].tocoo()
        arrays[name] = np.column_stack((A.row, A.col, A.data))
    np.savez(path, positions=structure.positions, **arrays, **places)


def exudyn(structure) -> None:
    if not PEER_PYTHON.exists():
        print("no Exudyn: run `make peers` first")
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "matrices.npz"
        write_matrices(path, structure, a=structure.place(ENDS[0]).nodes, b=structure.place(ENDS[1]).nodes)
        command = [PEER_PYTHON, HERE / "peers" / "run_exudyn_reduction.py", path, str(MODES)]
        done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    if done.returncode:
        print(done.stderr.strip().splitlines()[-1])
        return
    r = json.loads(done.stdout.strip().splitlines()[-1])
    print(f"Exudyn {r['version']}: {r['wall_s']:.2f} s, CPU {r['cpu_s']:.2f} s, held {r['slowest_hz']:.4f} Hz first")


def main() -> None:
    solvers = sys.argv[1:] or [*(["pardiso"] if find_spec("pypardiso") else []), "layers", "superlu"]
    structure_from(bar(4, 2))  # compiles, or loads what is compiled
    structure, wall, cpu = timed(lambda: structure_from(bar()))
    print(f"matrices of {len(structure.positions)} nodes: {wall:.2f} s, CPU {cpu:.2f} s", flush=True)
    for solver in solvers:
        for method in ("craig-bampton", "rubin"):
            (body, report), wall, cpu = timed(
                lambda method=method, solver=solver: reduced_with_report(
                    structure, ENDS, method=method, modes=MODES, residual=0, solver=solver
                )
            )
            name = body.source["options"]["solver"]
            held = f", held {report.normal_hz[0]:.4f} Hz first" if method == "craig-bampton" else ""
            print(f"{method} by {name}: {wall:.2f} s, CPU {cpu:.2f} s, {body.count} modes{held}", flush=True)
    exudyn(structure)


if __name__ == "__main__":
    main()
