"""Speed of the explicit solver: element-steps per second of a free, bent boom of 100 to 100 000 beam elements.

.venv/bin/python benchmarks/explicit.py [--damped]

Best of many short runs in time on the clock, so that other programs disturb as little as possible.
"""

from __future__ import annotations

import sys
import time

import numpy as np

from tapespring.build.assembler import Assembler, BeamDraft, DragDraft, NodeDraft
from tapespring.mechanics.core import link
from tapespring.mechanics.tables import FRAME, new_work
from tapespring.solve import explicit
from tapespring.solve.steps import new_loop, new_record

SIZES = (100, 1000, 10_000, 100_000)
BY_PASS, ONE_BY_ONE = 10_000_000, 400_000  # element-steps in a run: its end, one by one, counts little
LENGTH, RADIUS = 0.01, 1.0  # [m] of an element, of the arc it lies on


def boom(count: int, damped: bool):
    """A steel strip 10 mm x 1 mm along an arc that winds up in steps, spinning slowly."""
    assembler = Assembler((0.0, 0.0, -9.81))
    area, width, thin = 1e-5, 0.01, 0.001
    bend, edge = width * thin**3 / 12, thin * width**3 / 12
    compliance = np.diag(
        1.0 / np.array([210e9 * area, 70e9 * area, 70e9 * area, 80e9 * 4 * bend, 210e9 * bend, 210e9 * edge])
    )
    mass = 7800.0 * area * LENGTH
    for k in range(count + 1):
        a = k * LENGTH / RADIUS
        R = np.array([[np.cos(a), 0, np.sin(a)], [0, 1, 0], [-np.sin(a), 0, np.cos(a)]])
        x = np.array([RADIUS * np.sin(a), 0.001 * k, RADIUS * np.cos(a)])
        inertia = R @ np.diag([mass * LENGTH**2 / 12] * 3) @ R.T
        assembler.node(NodeDraft(FRAME, f"{k}", x, R, mass, inertia))
    for k in range(count):
        n, m = assembler.nodes[k + 1], assembler.nodes[k + 2]
        beta = 1e-9 if damped else 0.0
        assembler.beams.append(BeamDraft(k + 1, k + 2, n.x, m.x, n.R, m.R, LENGTH, compliance, beta))
        if damped:
            assembler.drags.append(DragDraft(k + 1, mass, n.inertia))
    return assembler.finish()


def rate(system, threads: int, fast: bool = True) -> float:
    """Element-steps per second."""
    t, count = system.tables, len(system.tables.beams)
    h = 1e-7
    work = link(t, new_work(t))
    loop = new_loop(t, system.q0, system.v0, 0.0, 1.0, np.ones(len(system.q0) + len(system.v0) + 3), (1e-9, 1e-11))
    record = new_record(t, [0.0], len(system.drafts.rows))
    scheme = explicit.new_scheme(t, system.q0, h, threads, fast)
    steps = max(20, (BY_PASS if fast else ONE_BY_ONE) // count)
    explicit.run(t, work, loop, scheme, record, 2)
    best = np.inf
    for _ in range(12):
        began = time.perf_counter()
        explicit.run(t, work, loop, scheme, record, steps)
        best = min(best, time.perf_counter() - began)
    return steps * count / best


def main() -> None:
    damped = "--damped" in sys.argv
    print(f"{'elements':>9} {'one by one':>11} {'1 thread':>10} {'2 threads':>10}   million element-steps per second")
    for count in SIZES:
        system = boom(count, damped)
        rates = [rate(system, 1, fast=False), rate(system, 1), rate(system, 2)]
        print(f"{count:>9} {rates[0] / 1e6:>11.2f} {rates[1] / 1e6:>10.1f} {rates[2] / 1e6:>10.1f}", flush=True)


if __name__ == "__main__":
    main()
