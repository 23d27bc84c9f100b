"""The pendulum of ellipsoids that strikes a plane: evaluations per second and CPU time to the same end state.

.venv/bin/python benchmarks/pendulum.py [--peers python]

MuJoCo and Drake run the law of the problem; Drake and OpenSim also laws of their own, and we Drake's. Except for the
law of the problem, ends are compared with the most accurate run of the same program. A setting counts if all more
accurate ones that were tried reach the error too.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

import pendulum_problem as problem

from tapespring.bench.contact_double_pendulum import double_pendulum

HERE = Path(__file__).parent
PEERS = ("mujoco", "drake", "opensim")
TOLERANCES = (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10)
REPEATS = 5


def our_model(law: str):
    model = double_pendulum()
    if law == "Drake's":
        damping = problem.STIFFNESS * problem.DRAKE_DAMPING
        given = {"kind": "nonlinear", "stiffness": problem.STIFFNESS, "damping": damping, "n": 1, "p": 1, "q": 1}
        for body in ("upper", "lower"):
            model = model.set(f"contacts.floor_{body}.law", given)
    return model


def our_runs(law: str) -> dict:
    """Time in the solver, best of some."""
    model, runs = our_model(law), []
    for tolerance in TOLERANCES:
        settings = {"tolerance": tolerance, "absolute_tolerance": 0.01 * tolerance, "outputs": 1}
        found = min((model.simulate(**settings) for _ in range(REPEATS)), key=lambda run: run.timing["solver_cpu_s"])
        runs.append({
            "work": f"tolerance {tolerance:g}", "cpu_s": found.timing["solver_cpu_s"],
            "end": found["lower.position"].values[-1].tolist(), "evaluations": found.counters["evaluations"],
        })  # fmt: skip
    return {"name": "ode", "law": law, "runs": runs}


def peer_runs(python: str, peer: str) -> dict | None:
    command = [python, str(HERE / "peers" / f"run_{peer}_pendulum.py")]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=True)
        return json.loads(done.stdout.strip().splitlines()[-1])
    except (OSError, subprocess.SubprocessError, ValueError, IndexError) as reason:
        print(f"{peer}: {reason}", file=sys.stderr)
        return None


def cheapest(family: dict, limit: float) -> dict | None:
    """Of the runs from which on all reach the error."""
    runs = family["runs"]
    known = family["law"] == "the same"
    reference = problem.END if known else runs[-1]["end"]
    judged = runs if known else runs[:-1]
    passed = [problem.error(run["end"], reference) < limit for run in judged]
    good = [run for k, run in enumerate(judged) if all(passed[k:])]
    return min(good, key=lambda run: run["cpu_s"]) if good else None


def told(program: str, family: dict) -> str:
    rate = max(run["evaluations"] / run["cpu_s"] for run in family["runs"])
    words = [f"{program:18s} {family['name']:30s} law: {family['law']:9s} {1e-3 * rate:6.0f} k evaluations/s"]
    for limit in problem.ERRORS:
        run = cheapest(family, limit)
        reached = "not reached" if run is None else f"{1e3 * run['cpu_s']:.1f} ms ({run['work']})"
        words.append(f"{limit:g} m: {reached}")
    return "; ".join(words)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", default=str(HERE.parent / ".venv-peers" / "bin" / "python"), help="their Python")
    options = parser.parse_args()
    for law in ("the same", "Drake's"):
        print(told("tapespring", our_runs(law)), flush=True)
    for peer in PEERS:
        found = peer_runs(options.peers, peer)
        for family in found["families"] if found else ():
            print(told(f"{peer} {found['version']}", family), flush=True)


if __name__ == "__main__":
    main()
