"""Reducing a solid of 6 100 nodes with two interfaces to 20 normal and 12 constraint modes: times of its parts.

    python benchmarks/reduction.py [superlu | pardiso]

Wall and CPU seconds; one warm-up first. The peer, Exudyn with NGsolve, took 1.2 s for such a solid.
"""

from __future__ import annotations

import sys
import time

import tapespring as ts
from tapespring.reduction.reduce import reduced_with_report
from tapespring.reduction.sources import structure_from


def bar(along: int = 60, across: int = 9) -> ts.Model:
    """1 m × 0.1 m × 0.1 m of aluminium."""
    m = ts.Model(name="bar")
    mesh = {"kind": "box", "length": 1, "width": 0.1, "height": 0.1, "divisions": [along, across, across]}
    m.solid("bar", mesh=mesh, material={"young": "70 GPa", "poisson": 0.3, "density": "2700 kg/m^3"})
    return m


def timed(function):
    wall, cpu = time.perf_counter(), time.process_time()
    result = function()
    return result, time.perf_counter() - wall, time.process_time() - cpu


def main() -> None:
    solver = sys.argv[1] if len(sys.argv) > 1 else "auto"
    structure_from(bar(4, 2))  # compiles, or loads what is compiled
    structure, wall, cpu = timed(lambda: structure_from(bar()))
    print(f"matrices of {len(structure.positions)} nodes: {wall:.2f} s, CPU {cpu:.2f} s")
    for method in ("craig-bampton", "rubin"):
        for _ in range(2):
            (body, report), wall, cpu = timed(
                lambda method=method: reduced_with_report(
                    structure, ["bar.x0", "bar.x1"], method=method, modes=20, residual=0, solver=solver
                )
            )
        name = body.source["options"]["solver"]
        print(
            f"{method} by {name}: {wall:.2f} s, CPU {cpu:.2f} s, {body.count} modes, {report.body_hz[0]:.2f} Hz first"
        )


if __name__ == "__main__":
    main()
