"""Exudyn on the balls of contact_problems: GeneralContact, velocity Verlet, walls of two triangles each.

Prints one line of JSON: steps per second of the fastest run and the height of the centre of mass at the end.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.exudynFast = True
import contact_problems as problem  # noqa: E402
import exudyn as exu  # noqa: E402
import numpy as np  # noqa: E402
from exudyn import graphics  # noqa: E402
from exudyn.utilities import InertiaSphere  # noqa: E402

exu.config.suppressWarnings = True
exu.config.printToConsole = False


def run(threads: int) -> tuple[float, float]:
    """(seconds, height of the centre of mass at the end)"""
    system = exu.SystemContainer()
    mbs = system.AddSystem()
    contact = mbs.AddGeneralContact()
    contact.SetFrictionPairings(problem.FRICTION * np.eye(1))
    contact.frictionProportionalZone = 1e-3
    ground = mbs.CreateGround(referencePosition=[0, 0, 0])
    wall = mbs.AddMarker({"markerType": "BodyRigid", "name": "wall", "bodyNumber": ground, "localPosition": [0, 0, 0]})
    e, h = problem.EDGE, 3.0 * problem.EDGE
    for corners in walls(e, h):
        quad = graphics.Quad(corners, color=[1, 0, 0, 1])
        points, triangles = graphics.ToPointsAndTrigs(quad)
        contact.AddTrianglesRigidBodyBased(
            rigidBodyMarkerIndex=wall, contactStiffness=2 * problem.STIFFNESS, contactDamping=2 * problem.DAMPING,
            frictionMaterialIndex=0, pointList=points, triangleList=triangles,
        )  # fmt: skip
    bodies = []
    for at, velocity in zip(*problem.balls(), strict=True):
        body = mbs.CreateRigidBody(
            inertia=InertiaSphere(problem.MASS, problem.RADIUS), referencePosition=at, initialVelocity=velocity,
            gravity=[0, 0, -problem.GRAVITY], nodeType=exu.NodeType.RotationRotationVector,
        )  # fmt: skip
        node = mbs.GetObject(body)["nodeNumber"]
        marker = mbs.AddMarker({"markerType": "NodeRigid", "name": f"{body}", "nodeNumber": node})
        # two springs in a row make one of half the stiffness
        contact.AddSphereWithMarker(
            marker, radius=problem.RADIUS, contactStiffness=2 * problem.STIFFNESS,
            contactDamping=2 * problem.DAMPING, frictionMaterialIndex=0,
        )  # fmt: skip
        bodies.append(node)
    cells = [problem.SIDE, problem.SIDE, 2 * problem.SIDE]
    contact.SetSearchTreeCellSize(numberOfCells=cells)
    contact.SetSearchTreeBox([-0.01, -0.01, -0.01], [e + 0.01, e + 0.01, h])
    mbs.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = problem.STEPS
    settings.timeIntegration.endTime = problem.DURATION
    settings.timeIntegration.verboseMode = 0
    settings.solutionSettings.writeSolutionToFile = False
    settings.timeIntegration.explicitIntegration.computeEndOfStepAccelerations = False
    settings.timeIntegration.explicitIntegration.computeMassMatrixInversePerBody = True
    settings.linearSolverType = exu.LinearSolverType.EigenSparse
    settings.parallel.numberOfThreads = threads
    began = time.perf_counter()
    mbs.SolveDynamic(settings, solverType=exu.DynamicSolverType.VelocityVerlet, showHints=False)
    took = time.perf_counter() - began
    heights = [mbs.GetNodeOutput(n, exu.OutputVariableType.Position)[2] for n in bodies]
    return took, float(np.mean(heights))


def walls(e: float, h: float):
    """Corners of floor and walls, seen from inside turning left."""
    o = 0.05  # beyond the corners
    yield [[-o, -o, 0], [e + o, -o, 0], [e + o, e + o, 0], [-o, e + o, 0]]
    yield [[0, -o, -o], [0, e + o, -o], [0, e + o, h], [0, -o, h]]
    yield [[e, e + o, -o], [e, -o, -o], [e, -o, h], [e, e + o, h]]
    yield [[e + o, 0, -o], [-o, 0, -o], [-o, 0, h], [e + o, 0, h]]
    yield [[-o, e, -o], [e + o, e, -o], [e + o, e, h], [-o, e, h]]


if __name__ == "__main__":
    found = [run(threads) for threads in (1, 1, 1, 2)]
    fastest = min(took for took, _ in found)
    print(
        json.dumps({"steps_per_s": problem.STEPS / fastest, "height": found[0][1], "version": exu.GetVersionString()})
    )
