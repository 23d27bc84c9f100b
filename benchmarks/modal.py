"""A pendulum by eight modes beside Exudyn's: 1 s in 1000 implicit steps, both of the same matrices.

    python benchmarks/modal.py

A bar of aluminium, 1 m × 20 mm × 10 mm of 300 hexahedra, swings from the horizontal about an averaged face. CPU seconds
of the solve, best of several; the tips must agree. Exudyn is run by .venv-peers (`make peers`).
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from pathlib import Path

ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")}
os.environ.update(ONE_THREAD)  # before numpy is imported

import numpy as np  # noqa: E402
from reduction import write_matrices  # noqa: E402

import tapespring as ts  # noqa: E402
from tapespring.reduction.sources import structure_from  # noqa: E402

HERE = Path(__file__).resolve().parent
PEER_PYTHON = HERE.parent / ".venv-peers" / "bin" / "python"
MODES, STEPS, REPEATS = 8, 1000, 5


def bar() -> dict:
    m = ts.Model(name="bar")
    mesh = {"kind": "box", "length": 1, "width": 0.02, "height": 0.01, "divisions": [50, 3, 2]}
    m.solid("bar", mesh=mesh, material={"young": "2 GPa", "poisson": 0.3, "density": "2700 kg/m^3"})
    return m.to_plain()


def ours() -> tuple[float, np.ndarray, int]:
    m = ts.Model(name="pendulum", gravity=[0, 0, -9.81])
    m.modal("bar", of=bar(), interfaces={"hinge": "bar.x0:average"}, method="normal", modes=MODES)
    m.revolute("pin", between=["ground", "bar.hinge"], at=[0, 0.01, 0.005], axis="y")
    best = np.inf
    for _ in range(REPEATS):
        results = m.simulate("1 s", solver="implicit", step=1.0 / STEPS, outputs=1)
        best = min(best, float(results.timing["solver_cpu_s"]))
    first, last = results["bar.positions"].values.reshape(2, -1, 3)
    return best, last[first[:, 0] > first[:, 0].max() - 1e-9].mean(axis=0), results["bar.amplitudes"].values.shape[1]


def exudyn() -> dict | None:
    if not PEER_PYTHON.exists():
        return None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "matrices.npz"
        structure = structure_from(ts.Model.from_plain(bar()))
        places = {"hinge": structure.place("bar.x0").nodes, "tip": structure.place("bar.x1").nodes}
        write_matrices(path, structure, **places)
        command = [PEER_PYTHON, HERE / "peers" / "run_exudyn_modal.py", path, str(MODES), str(STEPS)]
        done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    if done.returncode:
        print(done.stderr.strip().splitlines()[-1])
        return None
    return json.loads(done.stdout.strip().splitlines()[-1])


def main() -> None:
    cpu, tip, count = ours()
    print(f"tapespring: {count} modes, {cpu * 1e3:.1f} ms, {STEPS / cpu:.0f} steps/s, tip {tip}")
    peer = exudyn()
    if peer is None:
        print("no Exudyn: run `make peers` first")
        return
    apart = float(np.linalg.norm(np.array(peer["tip"]) - tip))
    print(
        f"Exudyn {peer['version']}: {peer['cpu_s'] * 1e3:.1f} ms, {STEPS / peer['cpu_s']:.0f} steps/s, "
        f"tip {peer['tip']}"
    )
    print(f"ratio {peer['cpu_s'] / cpu:.1f}, tips {apart:.1e} m apart")


if __name__ == "__main__":
    main()
