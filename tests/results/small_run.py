"""A small run with everything in it."""

import numpy as np

from tapespring.results import Channel, EnergyAudit, Event, Results, Status, make_provenance

MODEL = "name: Simple pendulum\ngravity: [0, 0, -9.81]  # m/s², plain\n"


def make_run(times: int = 11) -> Results:
    time = np.linspace(0.0, 1.0, times)
    noise = np.random.default_rng(7)
    kinetic = 9.81 * np.sin(time) ** 2
    return Results(
        time,
        [
            Channel("bob.position", "m", noise.normal(size=(times, 3)), ("x", "y", "z"), "centre of the bob, Ø 3 mm"),
            Channel("bob.velocity", "m/s", lambda: np.outer(time, [1.0, 2.0, 3.0]), ("x", "y", "z")),
            Channel("bob.orientation", "1", noise.normal(size=(times, 4)), ("w", "x", "y", "z")),
            Channel("rod.tension", "N", np.where(time > 0.5, np.nan, 1 / 3)),
            Channel("strap.modes", "", noise.normal(size=(times, 2)), ("first", "second")),
        ],
        status=Status(True, "complete", "did all that was asked", 1.0),
        events=[
            Event("impact", 0.25, "bob meets the wall; größer", {"speed": np.float64(0.1), "point": np.zeros(3)}),
            Event("limit", 0.75),
        ],
        audit=EnergyAudit(time, kinetic, -kinetic + 1e-12 * time),
        violation={"position": 1.5e-12, "position_time": 0.5, "velocity": 2e-11, "velocity_time": 0.75},
        counters={"steps": np.int64(120), "rejected": 3, "evaluations": 5_000_000_000},
        timing={"wall_s": 0.25, "cpu_s": 0.2, "solver_cpu_s": 0.1, "compile_s": 17.25},
        provenance=make_provenance("Simple pendulum", MODEL, "ode", {"rtol": 1e-8, "scale": (1.0, np.inf)}),
        notes=["the step was limited by output", "zweite Notiz: ∞"],
    )
