"""Exudyn on the pendulum by modes: its reduced-order body in a floating frame, of the same matrices.

    python run_exudyn_modal.py matrices.npz modes steps

matrices.npz: mass and stiffness in coordinates (row, column, value), positions, the nodes of the hinge and of the tip.
Prints JSON: version, CPU seconds of the best of three runs, the place of the tip at the end.
"""

from __future__ import annotations

import json
import sys
import time

sys.exudynFast = True  # the build without range checks
import exudyn as exu  # noqa: E402
import numpy as np  # noqa: E402
from exudyn import itemInterface as items  # noqa: E402
from exudyn.FEM import FEMinterface, ObjectFFRFreducedOrderInterface  # noqa: E402
from scipy.sparse import csr_matrix  # noqa: E402

exu.config.suppressWarnings = True
exu.config.printToConsole = False
REPEATS = 3


def sparse(entries):
    row, column, value = entries.T
    return csr_matrix((value, (row.astype(int), column.astype(int))))


def pendulum(given, modes: int):
    fem = FEMinterface()
    fem.nodes = {"Position": given["positions"]}
    fem.massMatrix, fem.stiffnessMatrix = sparse(given["mass"]), sparse(given["stiffness"])
    fem.ComputeEigenmodes(modes, excludeRigidBodyModes=6, useSparseSolver=True)
    mbs = exu.SystemContainer().AddSystem()
    reduced = ObjectFFRFreducedOrderInterface(fem)
    body = reduced.AddObjectFFRFreducedOrder(
        mbs, positionRef=[0, 0, 0], initialVelocity=[0, 0, 0], initialAngularVelocity=[0, 0, 0],
        gravity=[0, 0, -9.81],
    )["oFFRFreducedOrder"]  # fmt: skip
    markers = [
        mbs.AddMarker(items.MarkerSuperElementRigid(
            bodyNumber=body, meshNodeNumbers=given[place].tolist(),
            weightingFactors=[1.0 / len(given[place])] * len(given[place])))
        for place in ("hinge", "tip")
    ]  # fmt: skip
    at = given["positions"][given["hinge"]].mean(axis=0)
    ground = mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=mbs.AddObject(items.ObjectGround()), localPosition=at))
    mbs.AddObject(items.ObjectJointGeneric(markerNumbers=[ground, markers[0]], constrainedAxes=[1, 1, 1, 1, 0, 1]))
    tip = mbs.AddSensor(items.SensorMarker(markerNumber=markers[1], outputVariableType=exu.OutputVariableType.Position,
                                           storeInternal=False, writeToFile=False))  # fmt: skip
    mbs.Assemble()
    return mbs, tip


def main(file: str, modes: int, steps: int) -> None:
    with np.load(file) as archive:
        given = {key: archive[key] for key in archive.files}
    s = exu.SimulationSettings()
    s.solutionSettings.writeSolutionToFile = False
    s.solutionSettings.sensorsWritePeriod = 1.0
    s.timeIntegration.numberOfSteps, s.timeIntegration.endTime = steps, 1.0
    s.timeIntegration.verboseMode = 0
    s.timeIntegration.generalizedAlpha.spectralRadius = 0.8
    s.timeIntegration.newton.useModifiedNewton = True
    s.linearSolverType = exu.LinearSolverType.EXUdense
    s.parallel.numberOfThreads = 1
    best = np.inf
    for _ in range(REPEATS):
        mbs, tip = pendulum(given, modes)
        since = time.process_time()
        mbs.SolveDynamic(s, solverType=exu.DynamicSolverType.GeneralizedAlpha)
        best = min(best, time.process_time() - since)
        place = mbs.GetSensorValues(tip)
    print(json.dumps({"version": exu.config.Version(), "cpu_s": best, "tip": np.array(place).tolist()}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
