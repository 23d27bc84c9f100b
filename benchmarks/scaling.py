"""Cost per evaluation of the accelerations against size: A02 with 10 to 1000 four-bars. Linear means a constant ratio.

.venv/bin/python benchmarks/scaling.py
"""

from __future__ import annotations

import time

import numpy as np

WINDOWS = (10, 40, 100, 400, 1000)
STEPS = 6


def microseconds_per_evaluation(windows: int) -> tuple[int, float]:
    """(bodies, µs per evaluation) over a few steps of the explicit loop."""
    from tapespring.bench.four_bars import four_bars
    from tapespring.simulate import prepare
    from tapespring.solve import ode
    from tapespring.solve.steps import EVALUATIONS, new_loop, new_record
    from tapespring.solve.transient import state_scale

    assembler, _, start = prepare(four_bars(windows))
    t = start.system.tables
    best = np.inf
    for _ in range(3):
        scale = state_scale(t, start.length, start.speed)
        loop = new_loop(t, start.q, start.v, 0.0, 10.0, scale, (1e-8, 1e-10))
        rk = ode.new_runge_kutta(t, len(start.q), len(start.v), [1, 0, 0, 0, 0, 0, 0])
        record = new_record(t, [10.0], len(assembler.rows))
        began = time.process_time_ns()
        ode.run(t, start.work, loop, rk, record, STEPS)
        best = min(best, (time.process_time_ns() - began) * 1e-3 / loop.count[EVALUATIONS])
    return len(t.nodes) - 1, best


def main() -> None:
    print(f"{'four-bars':>10} {'bodies':>8} {'us/evaluation':>14} {'us per body':>12}")
    for windows in WINDOWS:
        bodies, cost = microseconds_per_evaluation(windows)
        print(f"{windows:>10} {bodies:>8} {cost:>14.2f} {cost / bodies:>12.4f}", flush=True)


if __name__ == "__main__":
    main()
