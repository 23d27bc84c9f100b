"""Exudyn on the flexible problems: its geometrically exact beams in space (and in the plane for the roll-up)."""

from __future__ import annotations

import json
import math
import sys
import time
from itertools import pairwise

sys.exudynFast = True  # the build without range checks
import beam_problems as bp  # noqa: E402
import exudyn as exu  # noqa: E402
import numpy as np  # noqa: E402
from exudyn import itemInterface as items  # noqa: E402

exu.config.suppressWarnings = True
exu.config.printToConsole = False
REPEATS = 3
NODES = {
    "Euler parameters": (items.NodeRigidBodyEP, [1.0, 0.0, 0.0, 0.0]),
    "rotation vector, Lie group": (items.NodeRigidBodyRotVecLG, [0.0] * 3),
    "Tait-Bryan angles": (items.NodeRigidBodyRxyz, [0.0] * 3),
}


def beam(mbs, kind: str, elements: int, length: float, stiffness, mass: float, inertia):
    """Nodes and element numbers of a beam along x."""
    section = exu.BeamSection()
    section.stiffnessMatrix, section.inertia, section.massPerLength = np.diag(stiffness), np.diag(inertia), mass
    node, rotation = NODES[kind]
    part = length / elements
    nodes = [mbs.AddNode(node(referenceCoordinates=[k * part, 0.0, 0.0, *rotation])) for k in range(elements + 1)]
    element = items.ObjectBeamGeometricallyExact
    pairs = pairwise(nodes)
    return nodes, [mbs.AddObject(element(nodeNumbers=list(pair), length=part, sectionData=section)) for pair in pairs]


def pendulum(elements: int, kind: str):
    mbs = exu.SystemContainer().AddSystem()
    stiffness = [bp.EA, bp.GA, bp.GA, bp.GJ, bp.EI, bp.EI]
    nodes, parts = beam(mbs, kind, elements, bp.LENGTH, stiffness, bp.MASS, bp.INERTIA)
    for part in parts:
        mass = mbs.AddMarker(items.MarkerBodyMass(bodyNumber=part))
        mbs.AddLoad(items.LoadMassProportional(markerNumber=mass, loadVector=[0.0, 0.0, -bp.GRAVITY]))
    ground = mbs.AddMarker(items.MarkerBodyPosition(bodyNumber=mbs.AddObject(items.ObjectGround())))
    pin = mbs.AddMarker(items.MarkerNodePosition(nodeNumber=nodes[0]))
    mbs.AddObject(items.ObjectJointSpherical(markerNumbers=[ground, pin]))
    mbs.Assemble()
    return mbs, nodes


def settings(modified: bool, dense: bool):
    s = exu.SimulationSettings()
    s.solutionSettings.writeSolutionToFile = False
    s.linearSolverType = exu.LinearSolverType.EXUdense if dense else exu.LinearSolverType.EigenSparse
    s.parallel.numberOfThreads = 1
    for part in (s.timeIntegration, s.staticSolver):
        part.verboseMode = 0
        part.newton.useModifiedNewton = modified
        part.newton.relativeTolerance = part.newton.absoluteTolerance = bp.NEWTON
    s.timeIntegration.endTime, s.timeIntegration.numberOfSteps = bp.DURATION, round(bp.DURATION / bp.STEP)
    s.timeIntegration.generalizedAlpha.spectralRadius = bp.RHO
    return s


def swing(elements: int, kind: str, modified: bool) -> tuple[float, float]:
    """(CPU seconds, error)"""
    mbs, nodes = pendulum(elements, kind)
    chosen = settings(modified, False)
    began = time.process_time()
    mbs.SolveDynamic(chosen)
    cpu = time.process_time() - began
    x, _, z = mbs.GetNodeOutput(nodes[-1], exu.OutputVariableType.Position)
    return cpu, bp.tip_error(x, z)


def roll(kind: str, modified: bool, dense: bool) -> tuple[float, float]:
    mbs = exu.SystemContainer().AddSystem()
    stiffness = [bp.ROLL_EA] * 3 + [bp.ROLL_EI] * 3
    nodes, _ = beam(mbs, kind, bp.ROLL_ELEMENTS, bp.ROLL_LENGTH, stiffness, 1.0, (1.0, 1.0, 1.0))
    ground = mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=mbs.AddObject(items.ObjectGround())))
    root = mbs.AddMarker(items.MarkerNodeRigid(nodeNumber=nodes[0]))
    mbs.AddObject(items.ObjectJointGeneric(markerNumbers=[ground, root], constrainedAxes=[1] * 6))
    tip = mbs.AddMarker(items.MarkerNodeRigid(nodeNumber=nodes[-1]))
    moment = 2.0 * math.pi * bp.ROLL_EI / bp.ROLL_LENGTH
    mbs.AddLoad(items.LoadTorqueVector(markerNumber=tip, loadVector=[0.0, 0.0, moment]))
    mbs.Assemble()
    chosen = settings(modified, dense)
    chosen.staticSolver.numberOfLoadSteps = bp.ROLL_STEPS
    began = time.process_time()
    mbs.SolveStatic(chosen)
    cpu = time.process_time() - began
    end = mbs.GetNodeOutput(nodes[-1], exu.OutputVariableType.Position)
    return cpu, float(np.linalg.norm(end)) / bp.ROLL_LENGTH


def main() -> None:
    problem = bp.beam_problems()[sys.argv[1]]
    tried = {}
    for kind in NODES:
        for modified in (False, True):
            words = f"{kind}, {'modified' if modified else 'full'} Newton"
            if problem.name.startswith("flexible pendulum"):
                tried[words] = lambda k=kind, m=modified: swing(problem.elements, k, m)
            else:
                for dense in (False, True):
                    tried[words + (", dense" if dense else ", sparse")] = lambda k=kind, m=modified, d=dense: roll(
                        k, m, d
                    )
    runs, families = [], []
    for words, run in tried.items():
        try:
            results = [run() for _ in range(REPEATS)]
        except (RuntimeError, ValueError) as failure:
            families.append(f"{words}: gave up ({str(failure).strip().splitlines()[0][:60]})")
            continue
        cpu, error = min(results)
        families.append(f"{words}: {cpu * 1e3:.1f} ms, error {error:.1e}")
        print(families[-1], file=sys.stderr)
        runs.append((not error < problem.error_limit, cpu, error, words))
    failed, cpu, error, words = min(runs)
    print(
        json.dumps(
            {
                "version": exu.__version__,
                "cpu_s": cpu,
                "error": error,
                "passed": not failed,
                "settings": words,
                "families": families,
            }
        )
    )


if __name__ == "__main__":
    main()
