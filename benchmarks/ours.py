"""tapespring's side of the comparison: `solve(problem, error limit)` gives the CPU seconds and the error reached.

The mechanism is built through the public Python API from the description the peers get (a massless link with a point
mass becomes a point mass on a rod). As for the peers, the time is that of the solver alone, recording only the end;
the error is judged on a run of its own with the 100 outputs, and a run counts only when slightly more work reaches the
error too.
"""

from __future__ import annotations

import importlib.metadata
import time

import numpy as np
from problems import MORE_WORK, OUTPUTS, Mechanism, Problem, reached

REPEATS = 5
LOCAL_TOLERANCES = [10.0**-k for k in np.arange(3.0, 9.01, 0.25)]
ORDER = 8  # of the method: this much tighter a tolerance means `effort` times the work


def placed_links(mechanism: Mechanism):
    """(absolute angle, hinge point) of every link at the start."""
    angle, origin = {-1: 0.0}, {-1: 0.0j}
    for i, link in enumerate(mechanism.links):
        angle[i] = angle[link.parent] + mechanism.start_angles[i]
        origin[i] = origin[link.parent] + complex(*link.hinge) * np.exp(1j * angle[link.parent])
    return angle, origin


def build_model(problem: Problem):
    """The mechanism as a tapespring model: bodies L0, L1 …, hinges H0, H1 …"""
    import tapespring as ts

    mechanism = problem.mechanism
    model = ts.Model(name=problem.name, gravity=(0, -mechanism.gravity, 0))
    angle, origin = placed_links(mechanism)
    if mechanism.links[0].inertia == 0.0:  # A01
        bob = model.point_mass("L0", mass=mechanism.links[0].mass, at=(*mechanism.links[0].centre, 0))
        model.distance("H0", model.ground, bob)
        return model

    def point(z: complex):
        return (z.real, z.imag, 0.0)

    bodies = {-1: model.ground}
    for i, link in enumerate(mechanism.links):
        bodies[i] = model.rigid(
            f"L{i}", mass=link.mass, inertia=[link.inertia] * 3, at=point(origin[i]), com=(*link.centre, 0),
            orientation={"axis": "z", "angle": float(angle[i])},
        )  # fmt: skip
    for i, link in enumerate(mechanism.links):
        start = {"initial": {"rate": float(mechanism.start_rates[0])}} if i == 0 and mechanism.start_rates[0] else {}
        model.revolute(f"H{i}", bodies[link.parent], bodies[i], at=point(origin[i]), axis="z", **start)
    for k, pin in enumerate(mechanism.pins):
        where = origin[pin.link] + complex(*pin.at) * np.exp(1j * angle[pin.link])
        model.revolute(f"P{k}", bodies[pin.link], bodies[pin.other], at=point(where), axis="z")
    if mechanism.spring:
        s = mechanism.spring
        model.spring(
            "spring", model.ground.at(*s.ground, 0), bodies[s.link].at(*s.at, 0),
            stiffness=s.stiffness, free_length=s.free_length,
        )  # fmt: skip
    if mechanism.drive_torque:
        model.joint_torque("motor", joint="H0", value=mechanism.drive_torque)
    return model


class Solver:
    """A model made ready once; `run` is the solve alone."""

    def __init__(self, problem: Problem):
        from tapespring.simulate import prepare

        self.problem = problem
        self.assembler, self.catalogue, self.start = prepare(build_model(problem))

    def ready(self, local_tolerance: float, times):
        """Arguments of the compiled loop for one run."""
        from tapespring.jit import given
        from tapespring.mechanics.core import link
        from tapespring.mechanics.tables import new_work
        from tapespring.solve import runge_kutta
        from tapespring.solve.steps import new_loop, new_record
        from tapespring.solve.transient import state_scale

        s, t = self.start, self.start.system.tables
        scale = state_scale(t, s.length, s.speed)
        loop = new_loop(t, s.q, s.v, 0.0, self.problem.end_time, scale, (local_tolerance, 0.01 * local_tolerance))
        rk = runge_kutta.new_runge_kutta(t, len(s.q), len(s.v), [1, 0, 0, 0, 0, 0, 0])
        record = new_record(t, times, len(self.assembler.rows))
        arguments = t, link(t, new_work(t)), loop, rk, record, 10**9
        for argument in arguments:
            given(argument)  # machine words of all arrays: part of building a model, done once
        return arguments

    def states(self, local_tolerance: float):
        """Hinge angles and rates at the 100 output times."""
        from tapespring.channels import History
        from tapespring.solve import ode

        times = np.linspace(0.0, self.problem.end_time, OUTPUTS + 1)[1:]
        arguments = self.ready(local_tolerance, times)
        ode.run(*arguments)
        history = History(self.start, self.catalogue, arguments[4], len(times))
        if self.problem.name == "A01":
            body = self.catalogue.bodies["L0"]
            x, v = history.position(body.node, body.point), history.velocity(body.node, body.point)
            return np.arctan2(x[:, 1], x[:, 0])[:, None], (x[:, 0] * v[:, 1] - x[:, 1] * v[:, 0])[:, None]
        hinges = [self.catalogue.joints[f"H{i}"] for i in range(len(self.problem.mechanism.links))]
        measures = [joint.coordinates["angle"][0] for joint in hinges]
        angles = np.column_stack([history.tracked(m) for m in measures]) + self.problem.mechanism.start_angles
        return angles, np.column_stack([history.tracked(m, rate=True) for m in measures])

    def cpu_seconds(self, local_tolerance: float) -> float:
        from tapespring.solve import ode

        times = []
        for _ in range(REPEATS):
            arguments = self.ready(local_tolerance, [self.problem.end_time])
            began = time.process_time_ns()
            ode.run(*arguments)
            times.append(time.process_time_ns() - began)
        return min(times) * 1e-9


def solve(problem: Problem, limit: float) -> tuple[float, float]:
    """CPU seconds and error of the loosest local tolerance that stays below the limit, with a little more work too."""
    solver = Solver(problem)
    error = np.inf
    for tolerance in LOCAL_TOLERANCES:
        quality = reached(problem, *solver.states(tolerance))
        error = quality.error
        harder = (reached(problem, *solver.states(tolerance / effort**ORDER)) for effort in MORE_WORK)
        if quality.passed and all(check.passed for check in harder):
            return solver.cpu_seconds(tolerance), error
    return np.nan, max(error, limit)


def version() -> str:
    return importlib.metadata.version("tapespring")
