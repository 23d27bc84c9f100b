"""OpenSim on the pendulum of ellipsoids: two ball joints, Runge–Kutta–Merson with error control.

From Python it takes no law but its own between an ellipsoid and a half-space, HuntCrossleyForce: Hertz's with damping.
So it solves another problem. Prints one line of JSON.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import numpy as np
import opensim as osim

sys.path.insert(0, str(Path(__file__).parents[1]))
import pendulum_problem as problem

STAGES = 5  # evaluations in a step that is taken; those of rejected steps are not told, so rates are too low
MODULUS, DISSIPATION = 3e9, 0.3  # [Pa], [s/m]
MOST = 20.0  # seconds for a run


def vector(values) -> osim.Vec3:
    return osim.Vec3(*(float(value) for value in values))


def angles(R: np.ndarray) -> list[float]:
    """Turns about the body's own x, y and z."""
    return [
        float(np.arctan2(-R[1, 2], R[2, 2])),
        float(np.arcsin(R[0, 2])),
        float(np.arctan2(-R[0, 1], R[0, 0])),
    ]


def floor_angles() -> list[float]:
    """Its half-space lies along x: outwards is -x."""
    x = -problem.NORMAL
    y = np.cross([0.0, 1.0, 0.0], x)
    y /= np.linalg.norm(y)
    return angles(np.column_stack([x, y, np.cross(x, y)]))


def touch(surface: str) -> osim.HuntCrossleyForce:
    """One for each body: those of one force would touch each other too."""
    force = osim.HuntCrossleyForce()
    force.addGeometry("floor")
    force.addGeometry(surface)
    force.setStiffness(MODULUS)
    force.setDissipation(DISSIPATION)
    for without in (force.setStaticFriction, force.setDynamicFriction, force.setViscousFriction):
        without(0.0)
    return force


def build() -> osim.Model:
    model = osim.Model()
    model.setGravity(osim.Vec3(0.0, 0.0, -problem.GRAVITY))
    at, turn = vector(-problem.LEVEL * problem.NORMAL), vector(floor_angles())
    model.addContactGeometry(osim.ContactHalfSpace(at, turn, model.getGround(), "floor"))
    parent, joint = model.getGround(), 0.0
    for k in (0, 1):
        reach = float(problem.SIZES[k][2])
        inertia = osim.Inertia(*(float(value) for value in problem.inertia(k)), 0.0, 0.0, 0.0)
        body = osim.Body(f"body{k}", float(problem.MASSES[k]), osim.Vec3(0), inertia)
        below, above = osim.Vec3(0, 0, -reach), osim.Vec3(0, 0, joint)
        model.addBody(body)
        model.addJoint(osim.BallJoint(f"ball{k}", parent, above, osim.Vec3(0), body, below, osim.Vec3(0)))
        surface = osim.ContactEllipsoid(vector(problem.SIZES[k]), osim.Vec3(0), osim.Vec3(0), body, f"surface{k}")
        model.addContactGeometry(surface)
        model.addForce(touch(f"surface{k}"))
        parent, joint = body, reach
    return model


def run(accuracy: float) -> dict:
    model = build()
    state = model.initSystem()
    first, second = (problem.turned(euler) for euler in problem.EULER)
    for k, axes in enumerate((first, first.T @ second)):
        ball = osim.BallJoint.safeDownCast(model.getJointSet().get(k))
        for i, angle in enumerate(angles(axes)):
            ball.get_coordinates(i).setValue(state, angle)
    manager = osim.Manager(model)
    manager.setIntegratorAccuracy(accuracy)
    manager.initialize(state)
    began = time.process_time()
    state = manager.integrate(problem.DURATION)
    took = time.process_time() - began
    model.realizePosition(state)
    place = model.getBodySet().get(1).getPositionInGround(state)
    steps = manager.getStatesTable().getNumRows() - 1
    return {
        "work": f"accuracy {accuracy:g}", "cpu_s": took, "end": [place.get(i) for i in range(3)],
        "evaluations": STAGES * steps,
    }  # fmt: skip


def main() -> None:
    osim.Logger.setLevelString("off")
    runs: list[dict] = []
    accuracy = 1e-3
    while accuracy > 1e-9 and (not runs or 2.0 * runs[-1]["cpu_s"] < MOST):
        runs.append(run(accuracy))
        print(runs[-1], file=sys.stderr)
        accuracy *= 0.1
    family = {"name": "RungeKuttaMerson, its own law", "law": "OpenSim's", "runs": runs}
    print(json.dumps({"version": osim.GetVersion().split("-")[0], "families": [family]}))


if __name__ == "__main__":
    main()
