"""Runs tapespring and the installed peers on the same problems to the same error, and compares their CPU times.

    .venv/bin/python benchmarks/peers.py            # a table, with settings, versions and the errors reached
    .venv/bin/python benchmarks/peers.py --json     # [{"problem", "error", "ours_cpu_s", "peers", "ratio_to_best"}]

Every peer searches for its own cheapest settings (benchmarks/peers/scan.py) in a process of .venv-peers, which
`make peers` creates. A peer that is missing or does not reach the error is null and does not count.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")}
os.environ.update(ONE_THREAD)  # before numpy is imported, also for our own run

import our_beams  # noqa: E402
import our_shells  # noqa: E402
import ours  # noqa: E402
from beam_problems import BeamProblem, beam_problems  # noqa: E402
from problems import Problem, problems  # noqa: E402
from shell_problems import ShellProblem, shell_problems  # noqa: E402

HERE = Path(__file__).resolve().parent
PEER_PYTHON = HERE.parent / ".venv-peers" / "bin" / "python"
RIGID = ("exudyn", "mujoco", "pinocchio")
PEERS = (*RIGID, "calculix")
AnyProblem = Problem | BeamProblem | ShellProblem


def peer_result(peer: str, problem: AnyProblem, verbose: bool) -> dict | None:
    """What the peer's script found, or None when the peer is not installed."""
    if not PEER_PYTHON.exists():
        print("no .venv-peers: run `make peers` first", file=sys.stderr)
        return None
    family = "_beams" if isinstance(problem, BeamProblem) else "_shells" if isinstance(problem, ShellProblem) else ""
    script = f"run_{peer}{family}.py"
    environment = {**os.environ, "PYTHONPATH": str(HERE)}
    with tempfile.TemporaryDirectory() as scratch:  # MuJoCo drops its warnings into the working directory
        done = subprocess.run(
            [PEER_PYTHON, HERE / "peers" / script, problem.name],
            stdout=subprocess.PIPE,
            stderr=None if verbose else subprocess.PIPE,
            text=True,
            env=environment,
            cwd=scratch,
        )
    if done.returncode:
        reason = (done.stderr or "").strip().splitlines()[-1:] or ["see above"]
        print(f"{peer} failed on {problem.name}: {reason[0]}", file=sys.stderr)
        return None
    return json.loads(done.stdout.strip().splitlines()[-1])


def our_result(problem: AnyProblem) -> dict | None:
    """Our CPU time and error, or None while tapespring cannot run the problem."""
    try:
        if isinstance(problem, BeamProblem):
            cpu_s, error = our_beams.solve(problem)
        elif isinstance(problem, ShellProblem):
            cpu_s, error = our_shells.solve(problem)
        else:
            cpu_s, error = ours.solve(problem, problem.error_limit)
    except (ImportError, NotImplementedError) as reason:
        print(f"tapespring on {problem.name}: {reason}", file=sys.stderr)
        return None
    return {"version": ours.version(), "cpu_s": cpu_s, "error": error, "passed": error < problem.error_limit}


def counted_time(result: dict | None) -> float | None:
    return result["cpu_s"] if result and result["passed"] else None


def compare(problem: AnyProblem, peers: tuple[str, ...], verbose: bool) -> tuple[dict, dict]:
    """The row for --json and all that was found, by program."""
    able = problem.peers if isinstance(problem, BeamProblem | ShellProblem) else RIGID
    peers = tuple(peer for peer in peers if peer in able)
    found = {"tapespring": our_result(problem)}
    found |= {peer: peer_result(peer, problem, verbose) for peer in peers}
    ours_cpu_s = counted_time(found["tapespring"])
    peer_times = {peer: counted_time(found[peer]) for peer in peers}
    best = min((t for t in peer_times.values() if t is not None), default=None)
    row = {
        "problem": problem.name,
        "error": problem.error_limit,
        "ours_cpu_s": ours_cpu_s,
        "peers": peer_times,
        "ratio_to_best": best / ours_cpu_s if best and ours_cpu_s else None,
    }
    return row, found


def print_table(problem: AnyProblem, row: dict, found: dict, all_families: bool) -> None:
    print(f"\n{problem.name}: {problem.error_means} < {problem.error_limit:g}")
    for name, result in found.items():
        if result is None:
            print(f"  {name:11s} {'-':>12s}")
            continue
        program = f"{name} {result['version']}"
        time_text = f"{result['cpu_s'] * 1e3:10.3f} ms" if result["passed"] else "  not reached"
        second = f", {result['second_means']} {result['second']:.1e}" if "second" in result else ""
        print(f"  {program:18s} {time_text}  error {result['error']:.1e}{second}")
        print(f"  {'':18s} {result.get('settings', '')}")
        for line in result.get("families", []) if all_families else []:
            print(f"  {'':20s} {line}")
    ratio = row["ratio_to_best"]
    print(f"  best peer / ours: {'-' if ratio is None else f'{ratio:.2f}'}")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print only the JSON array")
    parser.add_argument(
        "--problem",
        action="append",
        choices=[*problems(), *beam_problems(), *shell_problems()],
        help="only this one; may be repeated",
    )
    parser.add_argument("--peer", action="append", choices=PEERS, help="only this one; may be repeated")
    parser.add_argument("--families", action="store_true", help="also how every tried formulation fared")
    parser.add_argument("--verbose", action="store_true", help="show every run of the search on stderr")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    rows = []
    for name, problem in {**problems(), **beam_problems(), **shell_problems()}.items():
        if options.problem and name not in options.problem:
            continue
        row, found = compare(problem, tuple(options.peer or PEERS), options.verbose)
        rows.append(row)
        if not options.json:
            print_table(problem, row, found, options.families)
    if options.json:
        print(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
