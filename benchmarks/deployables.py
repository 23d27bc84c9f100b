"""Implicit, explicit and automatic solution of the dynamic problems among the benchmarks of deployable structures.

.venv/bin/python benchmarks/deployables.py

Result, CPU time in the solver and steps of each, kernels loaded before; `auto` says itself what it took.
"""

from __future__ import annotations

from tapespring.bench.case import MODELS
from tapespring.bench.jpl_pendulum import first_peak, rotation
from tapespring.model import Model

SOLVERS = ("implicit", "explicit", "auto")


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


def main() -> None:
    problems = {
        "pendulum strikes a bar, 0.25 s": (pendulum, lambda r: f"{rotation(r):.3f} deg, {first_peak(r):.2f} N"),
        "straps let go, 0.5 s": (bloom, lambda r: f"right cart at {cart(r):.3f} mm"),
    }
    for title, (build, told) in problems.items():
        print(title)
        for solver in SOLVERS:
            build(solver).simulate()
            results = build(solver).simulate()
            cpu, steps = results.timing["solver_cpu_s"], results.counters["steps"]
            said = next((note for note in results.notes if note.startswith("auto:")), "")
            print(
                f"  {solver:<9} {told(results)}, {cpu:.3f} s CPU, {steps} steps, {results.status.code} {said}",
                flush=True,
            )


if __name__ == "__main__":
    main()
