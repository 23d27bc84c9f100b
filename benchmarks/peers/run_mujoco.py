"""MuJoCo on A01, A02 and A03: hinges in a tree, loops closed by soft `connect` constraints made as stiff as they go."""

from __future__ import annotations

import time
from functools import partial

import mujoco
import numpy as np
from problems import Mechanism, Problem
from scan import Family, main, steps_between_outputs

HARDEST = 0.9999  # MuJoCo clips the impedance of a constraint here


def add_link(spec_bodies, mechanism: Mechanism, i: int) -> None:
    """One body with a hinge about z; the out-of-plane inertias only have to be admissible."""
    link = mechanism.links[i]
    parent = spec_bodies[link.parent]
    body = parent.add_body(name=f"link{i}", pos=[*link.hinge, 0.0])
    body.explicitinertial = True
    body.mass, body.ipos = link.mass, [*link.centre, 0.0]
    in_plane = max(link.inertia, 1e-15)
    body.inertia = [in_plane, in_plane, in_plane]
    body.add_joint(name=f"hinge{i}", type=mujoco.mjtJoint.mjJNT_HINGE, axis=[0.0, 0.0, 1.0])
    spec_bodies[i] = body


def add_pin(spec, bodies, pin, gap_law: dict) -> None:
    """A `connect` equality between two sites."""
    names = []
    for link, at in ((pin.link, pin.at), (pin.other, pin.other_at)):
        names.append(f"pin{len(spec.sites)}")
        bodies[link].add_site(name=names[-1], pos=[*at, 0.0])
    spec.add_equality(
        type=mujoco.mjtEq.mjEQ_CONNECT,
        objtype=mujoco.mjtObj.mjOBJ_SITE,
        name1=names[0],
        name2=names[1],
        **gap_law,
    )


def add_spring(spec, bodies, spring) -> None:
    """A spatial tendon from the ground to the link; its length is the distance of the two points."""
    spec.worldbody.add_site(name="anchor", pos=[*spring.ground, 0.0])
    bodies[spring.link].add_site(name="hook", pos=[*spring.at, 0.0])
    tendon = spec.add_tendon(name="spring", stiffness=[spring.stiffness, 0.0, 0.0])
    tendon.springlength = [spring.free_length, spring.free_length]
    tendon.wrap_site("anchor")
    tendon.wrap_site("hook")


def build(mechanism: Mechanism, step: float, tuning: dict):
    """Compiles the model; time constant and natural frequency of the pins scale with the step."""
    spec = mujoco.MjSpec()
    spec.compiler.boundmass = spec.compiler.boundinertia = 0.0
    spec.option.timestep = step
    spec.option.gravity = [0.0, -mechanism.gravity, 0.0]
    bodies = {-1: spec.worldbody}
    for i in range(len(mechanism.links)):
        add_link(bodies, mechanism, i)
    constant = tuning.get("pin_time_constant", 2.0)
    damping_ratio = 1.0 / (constant * tuning.get("pin_frequency", 0.5))
    gap_law = {"solref": [constant * step, damping_ratio], "solimp": [HARDEST, HARDEST, 0.001, 0.5, 2.0]}
    for pin in mechanism.pins:
        add_pin(spec, bodies, pin, gap_law)
    if mechanism.spring:
        add_spring(spec, bodies, mechanism.spring)
    model = spec.compile()
    model.opt.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{tuning['integrator']}")
    off = mujoco.mjtDisableBit
    model.opt.disableflags = int(
        off.mjDSBL_CONTACT | off.mjDSBL_SENSOR | off.mjDSBL_AUTORESET | off.mjDSBL_ISLAND | off.mjDSBL_REFSAFE
    )
    return model


def simulate(tuning: dict, problem: Problem, work: float, record: bool):
    """CPU seconds of the steps alone, and the states; 100 blocks of steps inside MuJoCo, or a single one."""
    mechanism = problem.mechanism
    blocks = steps_between_outputs(round(work)) if record else [round(work)]
    step = problem.end_time / round(work)
    model = build(mechanism, step, tuning)
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:] = mechanism.start_angles, mechanism.start_rates
    data.qfrc_applied[0] = mechanism.drive_torque
    angles, rates = np.empty((len(blocks), model.nq)), np.empty((len(blocks), model.nv))
    start = time.process_time()
    for k, steps in enumerate(blocks):
        mujoco.mj_step(model, data, nstep=steps)
        angles[k], rates[k] = data.qpos, data.qvel
    return time.process_time() - start, angles, rates


def family(least: float, most: float, **tuning) -> Family:
    details = ", ".join([tuning["integrator"], *(f"{k} {v}" for k, v in tuning.items() if k != "integrator")])
    return Family(details, partial(simulate, tuning), "steps", least, most)


def pinned_families(choices: list[tuple[float, float]], least: float) -> list[Family]:
    """RK4 with pins of several (time constant / step, natural frequency * step); semi-implicit Euler for the record."""
    pinned = [
        family(least, 6400, integrator="RK4", pin_time_constant=constant, pin_frequency=frequency)
        for constant, frequency in choices
    ]
    return [*pinned, family(1600, 6400, integrator="IMPLICITFAST")]


def families(problem: Problem) -> list[Family]:
    """The settings worth trying for each problem: nearly undamped stiff pins conserve energy best."""
    if problem.name == "A01":
        return [family(100, 6400, integrator=name) for name in ("RK4", "IMPLICITFAST", "EULER")]
    if problem.name == "A02":
        return pinned_families([(2.0, 0.5), (3.0, 2.2), (8.0, 2.2), (30.0, 2.2), (8.0, 2.5), (30.0, 2.5)], 100)
    return pinned_families([(2.0, 0.5), (2.5, 0.5), (3.0, 0.5), (4.0, 0.5), (2.0, 0.4), (3.0, 0.4)], 200)


if __name__ == "__main__":
    main(mujoco.__version__, families)
