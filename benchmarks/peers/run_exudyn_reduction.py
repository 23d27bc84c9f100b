"""Exudyn on the reduction: its Hurty-Craig-Bampton modes by SciPy, of the same matrices and rigid interfaces.

    python run_exudyn_reduction.py matrices.npz modes

matrices.npz: mass and stiffness in coordinates (row, column, value), positions, nodes of the interfaces `a` and `b`.
Prints JSON: version, CPU and wall seconds, the slowest vibration with the interfaces held [Hz].
"""

from __future__ import annotations

import json
import sys
import time

sys.exudynFast = True  # the build without range checks
import exudyn as exu  # noqa: E402
import numpy as np  # noqa: E402
from exudyn.FEM import FEMinterface, HCBstaticModeSelection  # noqa: E402
from scipy.sparse import csr_matrix  # noqa: E402


def sparse(entries):
    row, column, value = entries.T
    return csr_matrix((value, (row.astype(int), column.astype(int))))


def main(file: str, modes: int) -> None:
    with np.load(file) as archive:
        given = {key: archive[key] for key in archive.files}
    fem = FEMinterface()
    fem.nodes = {"Position": given["positions"]}
    fem.massMatrix, fem.stiffnessMatrix = sparse(given["mass"]), sparse(given["stiffness"])
    cpu, wall = time.process_time(), time.perf_counter()
    fem.ComputeHurtyCraigBamptonModes(
        boundaryNodesList=[given["a"].tolist(), given["b"].tolist()], nEigenModes=modes, useSparseSolver=True,
        computationMode=HCBstaticModeSelection.RBE2,
    )  # fmt: skip
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    slowest = float(np.sqrt(np.min(fem.eigenValues)) / (2 * np.pi))
    print(json.dumps({"version": exu.config.Version(), "cpu_s": cpu, "wall_s": wall, "slowest_hz": slowest}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
