"""Implicit, explicit and automatic solution of the dynamic problems among the benchmarks of deployable structures.

.venv/bin/python benchmarks/deployables.py

Result, CPU time in the solver and steps of each, phase by phase; `auto` says itself what it took and why.
"""

from __future__ import annotations

from tapespring.bench.case import MODELS
from tapespring.bench.jpl_pendulum import first_peak, rotation
from tapespring.model import Model

SOLVERS = ("implicit", "explicit", "auto")
SHORT = 10.0  # s: what is shorter is run twice, for the first run loads kernels


def pendulum(solver: str) -> Model:
    model = Model.from_file(MODELS / "jpl" / "pendulum.yaml")
    return model.set("simulate", {"duration": 0.25, "outputs": 2500, "solver": solver})


def bloom(solver: str) -> Model:
    """Straps let go from the stowed state, with gravity."""
    model = Model.from_file(MODELS / "jpl" / "straps.yaml")
    stow = {"name": "stow", "solver": "quasi-static", "duration": 8, "outputs": 1}
    release = {
        "name": "bloom", "solver": solver, "duration": 0.5, "outputs": 100, "without": ["left_push", "right_push"],
    }  # fmt: skip
    if solver != "explicit":
        release["tolerance"] = 1e-5
    return model.set("simulate", {"stages": [stow, release]})


def cart(results) -> float:
    return 1e3 * results["right_cart.position.x"].final


def told(results, value: str) -> str:
    """A row of the table."""
    phases = [f"{p['solver']} {p['steps']} steps, {p['cpu_s']:.2f} s" for p in results.phases]
    why = "; ".join(p["why"] for p in results.phases if p["why"])
    return f"{value} | {' / '.join(phases)} | {results.status.code}{': ' + why if why else ''}"


def main() -> None:
    problems = {
        "1. pendulum strikes a bar, 0.25 s": (pendulum, lambda r: f"{rotation(r):.3f} deg, {first_peak(r):.2f} N"),
        "3. straps stowed and let go, 0.5 s": (bloom, lambda r: f"right cart at {cart(r):.3f} mm"),
    }
    print("problem | solver | result | phases: steps, CPU in the solver | ended")
    for title, (build, value) in problems.items():
        for solver in SOLVERS:
            results = build(solver).simulate()
            if results.timing["solver_cpu_s"] < SHORT:
                results = build(solver).simulate()  # kernels loaded
            print(f"{title} | {solver} | {told(results, value(results))}", flush=True)


if __name__ == "__main__":
    main()
