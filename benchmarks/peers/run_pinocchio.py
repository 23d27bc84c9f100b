"""Pinocchio on A01, A02 and A03: its forward dynamics inside an explicit Runge-Kutta loop written in Python.

Pinocchio has no time integrator of its own, so the loop and its cost are part of what a Python user gets.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from functools import partial

import numpy as np
import pinocchio as pin
from problems import Mechanism, Problem
from scan import Family, main, steps_between_outputs

PROXIMAL_ACCURACY = 1e-12

# explicit Runge-Kutta methods as (rows of a, b); the systems are autonomous, so the nodes are not needed
TABLEAUS = {
    "DOPRI5": (
        [
            [1 / 5],
            [3 / 40, 9 / 40],
            [44 / 45, -56 / 15, 32 / 9],
            [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
            [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
        ],
        [35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
    ),
    "Butcher6": (
        [
            [1 / 3],
            [0.0, 2 / 3],
            [1 / 12, 1 / 3, -1 / 12],
            [-1 / 16, 9 / 8, -3 / 16, -3 / 8],
            [0.0, 9 / 8, -3 / 8, -3 / 4, 1 / 2],
            [9 / 44, -9 / 11, 63 / 44, 18 / 11, 0.0, -16 / 11],
        ],
        [11 / 120, 0.0, 27 / 40, 27 / 40, -4 / 15, -4 / 15, 11 / 120],
    ),
}
INTEGRATORS = ("RK4", *TABLEAUS)


def build(mechanism: Mechanism) -> pin.Model:
    """The tree of hinges about z."""
    model = pin.Model()
    model.gravity.linear = np.array([0.0, -mechanism.gravity, 0.0])
    joints = {-1: 0}
    for i, link in enumerate(mechanism.links):
        place = pin.SE3(np.eye(3), np.array([*link.hinge, 0.0]))
        joints[i] = model.addJoint(joints[link.parent], pin.JointModelRZ(), place, f"hinge{i}")
        centre = np.array([*link.centre, 0.0])
        inertia = pin.Inertia(link.mass, centre, np.eye(3) * link.inertia)
        model.appendBodyToJoint(joints[i], inertia, pin.SE3.Identity())
    return model


def loop_constraints(model: pin.Model, mechanism: Mechanism, stabilisation: float):
    """The pins as 3-D point constraints; `stabilisation` (1/s) is the decay rate of Baumgarte's corrector."""
    constraints = pin.StdVec_RigidConstraintModel()
    for closing in mechanism.pins:
        places = [pin.SE3(np.eye(3), np.array([*at, 0.0])) for at in (closing.at, closing.other_at)]
        # joint 0 is the universe, so link i is joint i + 1
        constraint = pin.RigidConstraintModel(
            pin.ContactType.CONTACT_3D, model, closing.link + 1, places[0], closing.other + 1, places[1], pin.LOCAL
        )
        constraint.m_baumgarte_parameters.Kp = stabilisation**2
        constraint.m_baumgarte_parameters.Kd = 2.0 * stabilisation
        constraints.append(constraint)
    return constraints


def spring_torque(mechanism: Mechanism) -> Callable[[float], float]:
    """Moment of the spring about the ground hinge of its link, as a function of the link's angle."""
    spring = mechanism.spring
    hinge = mechanism.links[spring.link].hinge
    (px, py), anchor = spring.at, (spring.ground[0] - hinge[0], spring.ground[1] - hinge[1])

    def torque(angle: float) -> float:
        c, s = math.cos(angle), math.sin(angle)
        x, y = c * px - s * py, s * px + c * py
        dx, dy = anchor[0] - x, anchor[1] - y
        length = math.hypot(dx, dy)
        pull = spring.stiffness * (length - spring.free_length) / length
        return pull * (x * dy - y * dx)

    return torque


def acceleration_law(mechanism: Mechanism, tuning: dict) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """A function (angles, rates) -> angular accelerations built on one of Pinocchio's algorithms."""
    model = build(mechanism)
    load = np.zeros(model.nv)
    load[0] = mechanism.drive_torque
    if not mechanism.pins:
        data = model.createData()
        return lambda q, v: pin.aba(model, data, q, v, load)
    constraints = loop_constraints(model, mechanism, tuning.get("stabilisation", 0.0))
    stores = pin.StdVec_RigidConstraintData()
    for constraint in constraints:
        stores.append(constraint.createData())
    algorithm = tuning["algorithm"]
    proximal = pin.ProximalSettings(PROXIMAL_ACCURACY, tuning["mu"], tuning.get("proximal_iterations", 10))
    data = model.createData()
    if algorithm == "lcaba":
        pin.computeJointMinimalOrdering(model, data, constraints)
        solve = pin.lcaba
    else:
        pin.initConstraintDynamics(model, data, constraints, stores)
        solve = pin.constraintDynamics
    if mechanism.spring is None:
        return lambda q, v: solve(model, data, q, v, load, constraints, stores, proximal)
    torque, sprung = spring_torque(mechanism), mechanism.spring.link

    def acceleration(q: np.ndarray, v: np.ndarray) -> np.ndarray:
        load[sprung] = torque(q[sprung])
        return solve(model, data, q, v, load, constraints, stores, proximal)

    return acceleration


def rk4_stepper(acceleration, h: float):
    """The classical method for q'' = acceleration(q, q'), with the position stages eliminated."""

    def step(q: np.ndarray, v: np.ndarray):
        k1 = acceleration(q, v).copy()
        middle = q + 0.5 * h * v
        k2 = acceleration(middle, v + 0.5 * h * k1).copy()
        k3 = acceleration(middle + 0.25 * h * h * k1, v + 0.5 * h * k2).copy()
        k4 = acceleration(q + h * v + 0.5 * h * h * k2, v + h * k3)
        inner = k1 + k2 + k3
        return q + h * v + h * h / 6.0 * inner, v + h / 6.0 * (inner + k2 + k3 + k4)

    return step


def tableau_stepper(acceleration, tableau, h: float, size: int):
    """Any explicit Runge-Kutta method; hinge angles simply add up, so no manifold is needed."""
    rows = [h * np.array(row) for row in tableau[0]]
    final = h * np.array(tableau[1])
    slopes = np.empty((len(final), 2 * size))

    def step(q: np.ndarray, v: np.ndarray):
        slopes[0, :size], slopes[0, size:] = v, acceleration(q, v)
        for i, row in enumerate(rows, start=1):
            change = row @ slopes[:i]
            speed = v + change[size:]
            slopes[i, :size], slopes[i, size:] = speed, acceleration(q + change[:size], speed)
        change = final @ slopes
        return q + change[:size], v + change[size:]

    return step


def simulate(tuning: dict, problem: Problem, work: float, record: bool):
    """CPU seconds of the Python loop, and the states."""
    blocks = steps_between_outputs(round(work)) if record else [round(work)]
    h = problem.end_time / round(work)
    acceleration = acceleration_law(problem.mechanism, tuning)
    integrator = tuning["integrator"]
    if integrator == "RK4":
        step = rk4_stepper(acceleration, h)
    else:
        step = tableau_stepper(acceleration, TABLEAUS[integrator], h, len(problem.mechanism.links))
    q, v = problem.mechanism.start_angles.copy(), problem.mechanism.start_rates.copy()
    angles, rates = [], []
    start = time.process_time()
    for steps in blocks:
        for _ in range(steps):
            q, v = step(q, v)
        angles.append(q)
        rates.append(v)
    return time.process_time() - start, np.array(angles), np.array(rates)


def family(least: float, most: float, **tuning) -> Family:
    details = ", ".join(f"{key} {value}" for key, value in tuning.items() if key != "integrator")
    name = ", ".join(filter(None, [f"Python loop {tuning['integrator']}", details]))
    return Family(name, partial(simulate, tuning), "steps", least, most)


def four_bar_families() -> list[Family]:
    """Without Baumgarte's corrector the loops blow up at the singular positions, and lcaba does not apply it."""
    tight = {"algorithm": "constraintDynamics", "mu": 1e-8, "proximal_iterations": 5}
    return [
        family(100, 800, integrator="RK4", **tight, stabilisation=10.0),
        family(100, 800, integrator="RK4", **tight, stabilisation=20.0),
        family(100, 200, integrator="DOPRI5", **tight, stabilisation=10.0),
        family(400, 400, integrator="RK4", algorithm="lcaba", mu=1e-6, proximal_iterations=5),
    ]


def squeezer_families() -> list[Family]:
    cholesky = {"algorithm": "constraintDynamics", "mu": 1e-10, "proximal_iterations": 2}
    articulated = {"algorithm": "lcaba", "mu": 1e-5, "proximal_iterations": 5}
    return [family(50, 1600, integrator=name, **tuning) for tuning in (cholesky, articulated) for name in INTEGRATORS]


def families(problem: Problem) -> list[Family]:
    """The algorithms and settings worth trying for each problem."""
    if problem.name == "A01":
        return [family(50, 1600, integrator=name) for name in INTEGRATORS]
    return four_bar_families() if problem.name == "A02" else squeezer_families()


if __name__ == "__main__":
    main(pin.__version__, families)
