"""This checkout against another one, in turn in one run: does a change cost anything?

.venv/bin/python benchmarks/two_versions.py OTHER [--rounds 7]

OTHER is the folder of another checkout (`git worktree add ../before REVISION`). Each round starts one process per
version and problem; what counts is the least CPU time of all rounds.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent.parent
A01 = """
m = ts.Model("A01", gravity=(0, -9.81, 0))
m.point_mass("bob", at=(-1, 0, 0), mass=1)
m.distance("rod", "ground", "bob")
settings, repeats = {"duration": 10, "tolerance": 1e-9}, 20
"""
FLEXIBLE = """
m = ts.Model("flexible pendulum", gravity=(0, 0, -9.81))
m.beam("arm", path=[(0, 0, 0), (1, 0, 0)], section={"kind": "rectangle", "width": "20 mm", "thickness": "2 mm"},
       material={"young": "70 GPa", "poisson": 0.3, "density": "2700 kg/m^3"}, elements=16)
m.revolute("hinge", "ground", "arm.start", at=(0, 0, 0), axis=(0, 1, 0))
settings, repeats = {"duration": 1, "solver": "implicit", "step": 1e-3}, 3
"""
BALL = """
m = ts.Model("ball", gravity=(0, 0, -9.81))
m.rigid("ball", at=(0, 0, 1), mass=1, shape={"kind": "sphere", "radius": 0.1}, angular_velocity=(0, 3, 0))
floor = {"kind": "half_space", "on": "ground", "at": (0, 0, 0), "normal": (0, 0, 1)}
m.contact("floor", floor, "ball", law={"kind": "hertz", "stiffness": 1e6, "restitution": 0.7}, friction=0.3)
settings, repeats = {"duration": 2, "solver": "ode"}, 5
"""
TIMED = """
import time, tapespring as ts
{problem}
m.simulate(**settings)
best = {{"solver": 1e9, "whole": 1e9}}
for _ in range(repeats):
    began = time.process_time()
    r = m.simulate(**settings)
    best["whole"] = min(best["whole"], time.process_time() - began)
    best["solver"] = min(best["solver"], r.timing["solver_cpu_s"])
import json
print(json.dumps(best))
"""


def timed(version: Path, problem: str) -> dict[str, float]:
    """Least CPU times of a problem in one process of a version [s]."""
    env = os.environ | {"PYTHONPATH": str(version / "src")}
    command = [sys.executable, "-c", TIMED.format(problem=problem)]
    return json.loads(subprocess.run(command, check=True, env=env, capture_output=True, text=True).stdout)


def started(version: Path) -> dict[str, float]:
    """CPU time of a whole `tapespring run` of the pendulum, its kernels being there [s]."""
    env = os.environ | {"PYTHONPATH": str(version / "src")}
    with tempfile.TemporaryDirectory() as folder:
        out = str(Path(folder) / "pendulum.nc")
        command = [sys.executable, "-m", "tapespring", "run", "examples/pendulum.yaml", "--quiet", "--out", out]
        before = os.times()
        subprocess.run(command, check=True, env=env, capture_output=True, cwd=version)
        after = os.times()
    whole = after.children_user - before.children_user + after.children_system - before.children_system
    return {"whole": whole}


PROBLEMS = {"A01": A01, "flexible pendulum": FLEXIBLE, "ball": BALL}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("other", type=Path, help="folder of another checkout")
    parser.add_argument("--rounds", type=int, default=7)
    asked = parser.parse_args()
    versions = {"other": asked.other.resolve(), "this": HERE}
    runs = {name: (lambda v, p=p: timed(v, p)) for name, p in PROBLEMS.items()} | {"warm start": started}
    print(f"{'':20}{'part':8}{'other [ms]':>12}{'this [ms]':>12}{'ratio':>8}")
    for name, run in runs.items():
        found: dict[str, list[dict[str, float]]] = {version: [] for version in versions}
        for _ in range(asked.rounds):
            for version, folder in versions.items():
                found[version].append(run(folder))
        for part in found["this"][0]:
            least = {version: min(one[part] for one in times) for version, times in found.items()}
            ratio = least["this"] / least["other"]
            print(f"{name:20}{part:8}{1e3 * least['other']:12.3f}{1e3 * least['this']:12.3f}{ratio:8.3f}")
    print(time.strftime("%d %B %Y"))


if __name__ == "__main__":
    main()
