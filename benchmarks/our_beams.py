"""tapespring's side of the flexible problems: `solve(problem)` gives the CPU seconds of the solver and the error."""

from __future__ import annotations

import math

import beam_problems as bp
import numpy as np

REPEATS = 5


def section(EA, EI, GA, GJ, mass, inertia) -> dict:
    return {
        "kind": "general", "axial_stiffness": EA, "shear_stiffness": [GA, GA], "bending_stiffness": [EI, EI],
        "torsion_stiffness": GJ, "mass_per_length": mass, "rotary_inertia": list(inertia),
    }  # fmt: skip


def pendulum(elements: int):
    import tapespring as ts

    m = ts.Model(name="flexible pendulum", gravity=(0, 0, -bp.GRAVITY))
    rod = section(bp.EA, bp.EI, bp.GA, bp.GJ, bp.MASS, bp.INERTIA)
    m.beam("rod", path=[[0, 0, 0], [bp.LENGTH, 0, 0]], elements=elements, section=rod)
    m.spherical("pin", m.ground, "rod.start")
    m.settings = m.settings.changed(
        solver="implicit", duration=bp.DURATION, step=bp.STEP, tolerance=bp.NEWTON, dissipation=bp.RHO, planar="off",
        outputs=1,
    )  # fmt: skip
    return m


def roll_up():
    import tapespring as ts

    m = ts.Model(name="roll-up")
    strip = section(bp.ROLL_EA, bp.ROLL_EI, bp.ROLL_EA, bp.ROLL_EI, 1.0, (0, 0, 0))
    m.beam("beam", path=[[0, 0, 0], [bp.ROLL_LENGTH, 0, 0]], elements=bp.ROLL_ELEMENTS, section=strip)
    m.fixed("clamp", m.ground, "beam.start")
    m.load("roll", "beam.end", torque=(0, 0, f"{2.0 * math.pi * bp.ROLL_EI / bp.ROLL_LENGTH!r}*t"))
    m.settings = m.settings.changed(solver="quasi-static", duration=1, outputs=bp.ROLL_STEPS)
    return m


def strap():
    from tapespring.bench.strap import strap

    m = strap(elements=bp.STRAP_ELEMENTS, distances=((1.0 - bp.STRAP_SHORTENING) * bp.STRAP_LENGTH,))
    m.distributed_load("breath", "strap", force=(0, 0, 1e-6))  # the slight bow that the peer starts with
    return m


def error(problem: bp.BeamProblem, results) -> float:
    """Of a run with outputs."""
    if problem.name.startswith("flexible pendulum"):
        x, _, z = results["rod.end.position"].values[-1]
        return bp.tip_error(x, z)
    if problem.name.startswith("roll-up"):
        return float(np.linalg.norm(results["beam.end.position"].values[-1])) / bp.ROLL_LENGTH
    return abs(-float(results["push.force"].values[-1]) / bp.strap_force() - 1.0)


def model_of(problem: bp.BeamProblem):
    if problem.name.startswith("flexible pendulum"):
        return pendulum(problem.elements)
    return roll_up() if problem.name.startswith("roll-up") else strap()


def solve(problem: bp.BeamProblem) -> tuple[float, float]:
    """(CPU seconds, error): of the solver's loop, without building tables and naming results; best of several."""
    from tapespring.simulate import prepare
    from tapespring.solve.quasi_static import run_quasi_static
    from tapespring.solve.transient import run_transient

    model = model_of(problem)
    quality = error(problem, model.simulate())
    stage = model.settings.stage_list()[0]
    runner = run_quasi_static if stage.solver == "quasi-static" else run_transient
    times = []
    for _ in range(REPEATS):
        _, _, start = prepare(model, stage.duration, stage.planar != "off")
        times.append(runner(start, stage, [t for t in stage.output_times() if t > 0.0]).cpu_s)
    return min(times), quality
