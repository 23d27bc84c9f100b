"""Seconds of static load steps of a solid: a cube of hexahedra, clamped at one side, pulled and sheared at the other.

.venv/bin/python benchmarks/solids.py [divisions ...] [--direct] [--superlu]

Every step strains it by about 0.2 % and is balanced to 1e-9 of its size, geometry and all. Printed are the CPU seconds
of the solver for the first step with the start, those that a second step adds, and the wall time of the first run with
building the model; beside them those of SciPy's SuperLU to factor the same matrix once.
"""

from __future__ import annotations

import sys
import time
from types import SimpleNamespace

from tapespring import Model
from tapespring.simulate import prepare
from tapespring.solve.kkt import sparse_matrix
from tapespring.solve.quasi_static import Search

DIVISIONS = (6, 10, 14, 20)


def cube(n: int) -> Model:
    m = Model(name=f"cube of {n} x {n} x {n} hexahedra")
    mesh = {"kind": "box", "length": 1.0, "width": 1.0, "height": 1.0, "divisions": [n, n, n]}
    m.solid("b", mesh=mesh, material={"young": "70 GPa", "poisson": 0.3, "density": "2700 kg/m^3"})
    m.support("base", "b.x0")
    m.spread_load("pull", "b.x1", force=["1e8*t", 0, "1e8*t"])
    return m


def timed(n: int, solver: str, steps: int) -> tuple[float, float]:
    """(CPU seconds of the solver, wall seconds of all)."""
    r = cube(n).simulate(float(steps), solver="quasi-static", outputs=steps, linear_solver=solver)
    assert r.status.complete, r.status
    assert not any("gave up" in note for note in r.notes)
    return r.timing["solver_cpu_s"], r.timing["wall_s"]


def superlu(n: int) -> float:
    settings = SimpleNamespace(duration=1.0, tolerance=1e-9, max_step=None, linear_solver="direct")
    search = Search(prepare(cube(n), 1.0, planar=False)[2], settings, 1, 0.0)
    search.instabilities()
    from scipy.sparse.linalg import splu

    K, began = sparse_matrix(search.kkt).tocsc(), time.process_time()
    splu(K)
    return time.process_time() - began


def main() -> None:
    numbers = [int(a) for a in sys.argv[1:] if a.isdigit()] or DIVISIONS
    timed(2, "direct", 1), timed(6, "multigrid", 1)  # all that is imported and loaded
    print(f"{'unknowns':>9} {'solver':>10} {'first step':>11} {'second':>8} {'all of one':>11}   s")
    for n in numbers:
        for solver in ("multigrid", *(["direct"] if "--direct" in sys.argv else [])):
            (one, wall), (two, _) = timed(n, solver, 1), timed(n, solver, 2)
            print(f"{3 * (n + 1) ** 3:>9} {solver:>10} {one:>11.2f} {two - one:>8.2f} {wall:>11.2f}", flush=True)
        if "--superlu" in sys.argv:
            print(f"{3 * (n + 1) ** 3:>9} {'SuperLU':>10} {superlu(n):>11.2f}", flush=True)


if __name__ == "__main__":
    main()
