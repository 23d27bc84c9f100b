"""ipctk on the crumpled sheet of contact_problems: candidates by each of its broad phases, one thread and two.

Prints one line of JSON: milliseconds of the fastest of several builds, and how many candidates there are.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
import ipctk
from contact_problems import crumpled_sheet

METHODS = ("HashGrid", "SweepAndPrune", "BVH", "LBVH", "SpatialHash")


def main(distance: float) -> None:
    points, edges, triangles = crumpled_sheet()
    mesh = ipctk.CollisionMesh(points, edges, triangles)
    found = {}
    for threads in (1, 2):
        ipctk.set_num_threads(threads)
        for name in METHODS:
            if hasattr(ipctk, name):
                found[f"{name} {threads}"] = fastest(mesh, points, 0.5 * distance, getattr(ipctk, name))
    print(json.dumps({"version": ipctk.__version__ if hasattr(ipctk, "__version__") else "", "ms": found}))


def fastest(mesh, points, radius: float, method) -> list[float]:
    best, candidates = 1e9, ipctk.Candidates()
    for _ in range(10):
        began = time.perf_counter()
        candidates.build(mesh, points, inflation_radius=radius, broad_phase=method())
        best = min(best, time.perf_counter() - began)
    return [1e3 * best, len(candidates.fv_candidates), len(candidates.ee_candidates)]


if __name__ == "__main__":
    main(float(sys.argv[1]))
