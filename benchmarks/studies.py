"""Speed of studies: seatbelt cases, what a sample costs beyond its run, two cores against one, memory.

.venv/bin/python benchmarks/studies.py                  # all but the pendulum
.venv/bin/python benchmarks/studies.py pendulum --runs 100

Wall times are worth what the machine has left; CPU times beside them are of this process and its children. With
`dask[distributed]` installed the cost of a sample on two Dask workers is told too.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import yaml

import tapespring as ts

EXAMPLES = Path(__file__).parents[1] / "examples" / "studies"
UNIFORM = {"distribution": {"kind": "uniform", "low": 0, "high": 1}}
NOTHING = "def nothing(a, b):\n    return {'y': a + b}\n"


def cpu() -> float:
    """Seconds of this process and of its children that ended."""
    return sum(
        u.ru_utime + u.ru_stime for u in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def timed(label: str, count: int, **how) -> tuple[float, ts.studies.StudyResults]:
    since, before = time.perf_counter(), cpu()
    results = ts.study(**how)
    wall, used = time.perf_counter() - since, cpu() - before
    rate, each = count / wall, 1e3 * used / count
    print(f"{label}: {wall:.2f} s wall, {used:.2f} s CPU, {rate:.3g} samples/s, {each:.3f} ms CPU each")
    return wall, results


def seatbelt() -> None:
    """10,000 cases: one and two threads with everything imported and compiled before, then the command as a whole."""
    study = yaml.safe_load((EXAMPLES / "seatbelt.yaml").read_text())
    ts.study(study | {"sampling": {"kind": "sobol", "samples": 16}}, folder=EXAMPLES, workers=2)
    walls = [timed(f"seatbelt, {n} thread(s)", 10000, study=study, folder=EXAMPLES, workers=n)[0] for n in (1, 2)]
    print(f"  two threads are {walls[0] / walls[1]:.2f} times as fast as one")
    with tempfile.TemporaryDirectory() as out:
        command = [sys.executable, "-m", "tapespring", "sweep", str(EXAMPLES / "seatbelt.yaml"), "--out", out]
        since, before = time.perf_counter(), cpu()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        print(f"tapespring sweep, all of it: {time.perf_counter() - since:.2f} s wall, {cpu() - before:.2f} s CPU")


def overhead(folder: Path, count: int = 20000) -> None:
    """Of samples that compute nothing."""
    (folder / "nothing.py").write_text(NOTHING)
    study = {
        "model": "nothing.py:nothing", "parameters": {"a": UNIFORM, "b": UNIFORM}, "surrogate": False,
        "responses": {"y": {"value": "y"}}, "sampling": {"kind": "random", "samples": count},
    }  # fmt: skip
    ways = {"here": {"workers": 1}, "2 processes": {"workers": 2}, "2 Dask workers": {"cluster": "local", "workers": 2}}
    for label, how in ways.items():
        kept = {"study": study, "folder": folder, "keep": folder / label, "allow_python": True}
        try:
            wall, results = timed(f"samples of nothing, {label}", count, **kept, **how)
        except ImportError as error:
            print(error)
            continue
        print(f"  {1e3 * (wall - results.samples.seconds.sum()) / count:.3f} ms of wall time around each")


def memory() -> None:
    """Largest memory of a process with ten and a hundred thousand samples."""
    for count in (10_000, 100_000):
        code = (
            "import resource, tapespring as ts\n"
            f"{NOTHING}"
            f"u = {UNIFORM!r}\n"
            "ts.study({'parameters': {'a': u, 'b': u}, 'responses': {'y': {'value': 'y'}}, 'surrogate': False,"
            f" 'sampling': {{'kind': 'random', 'samples': {count}}}}}, nothing, workers=1)\n"
            "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        print(f"{count} samples: {int(done.stdout) / 1024:.0f} MB at most")


def pendulum(runs: int) -> None:
    data = (EXAMPLES / "pendulum_bar.yaml").read_text().replace("samples: 200", f"samples: {runs}")
    path = EXAMPLES / "pendulum_bar.timed.yaml"
    path.write_text(data)
    try:
        wall, _ = timed("pendulum and bar, 2 processes", runs, study=path, workers=2, allow_outside=True)
    finally:
        path.unlink()
    print(f"  1000 runs would take {1000 * wall / runs / 60:.1f} min")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", default=["seatbelt", "overhead", "memory"])
    parser.add_argument("--runs", type=int, default=100)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        for name in asked.what:
            {"seatbelt": seatbelt, "overhead": lambda: overhead(Path(scratch)), "memory": memory,
             "pendulum": lambda: pendulum(asked.runs)}[name]()  # fmt: skip
