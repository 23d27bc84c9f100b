"""Speed of the explicit solver: element-steps per second of 100 to 100 000 elements: a free, bent boom of beams, a free
panel of shells, a sheet of membranes, a block of solids (one by one only: they have no fast pass).

.venv/bin/python benchmarks/explicit.py [--damped] [beams] [shells] [membranes] [triangles] [solids]
.venv/bin/python benchmarks/explicit.py --memory [shells] ...      peak memory of a short run of 100 000 elements, as
the system counts it (twice in a row: the first may have to compile)

Best of many short runs in time on the clock, so that other programs disturb as little as possible.
"""

from __future__ import annotations

import resource
import sys
import time

import numpy as np

from tapespring import Model
from tapespring.build.assembler import Assembler, BeamDraft, DragDraft, NodeDraft
from tapespring.mechanics.core import link
from tapespring.mechanics.tables import FRAME, N_POWERS, new_work
from tapespring.simulate import prepare
from tapespring.solve import explicit
from tapespring.solve.steps import new_loop, new_record

KINDS = ["beams", "shells", "membranes", "triangles", "solids"]
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


def sheet(kind: str, count: int, damped: bool) -> Model:
    """A free panel or sheet of about `count` elements of 10 mm, spinning slowly."""
    side = round(np.sqrt(count / 2 if kind == "triangles" else count))
    mesh = {"kind": "plate", "length": 0.01 * side, "width": 0.01 * side, "divisions": [side, side]}
    if kind == "triangles":
        mesh["triangles"] = True
    m = Model(name=kind, gravity=(0, 0, -9.81))
    given = {
        "mesh": mesh, "thickness": "1 mm", "material": {"young": "70 GPa", "poisson": 0.3, "density": "2700 kg/m^3"},
        "angular_velocity": [0, 0, 1.0],
    }  # fmt: skip
    if damped:
        given["damping"] = {"stiffness": "1e-9 s", "mass": 1.0}
    (m.shell if kind == "shells" else m.membrane)("panel", **given)
    return m


def block(count: int, damped: bool) -> Model:
    """A free cube of about `count` hexahedra of 10 mm, spinning slowly."""
    n = round(count ** (1.0 / 3.0))
    m = Model(name="solids", gravity=(0, 0, -9.81))
    mesh = {"kind": "box", "length": 0.01 * n, "width": 0.01 * n, "height": 0.01 * n, "divisions": [n, n, n]}
    damping = {"damping": {"stiffness": "1e-9 s", "mass": 1.0}} if damped else {}
    material = {"young": "70 GPa", "poisson": 0.3, "density": "2700 kg/m^3"}
    m.solid("block", mesh=mesh, material=material, angular_velocity=[0, 0, 1.0], **damping)
    return m


def flexible(kind: str, count: int, damped: bool) -> Model:
    return block(count, damped) if kind == "solids" else sheet(kind, count, damped)


def rate(system, threads: int, fast: bool = True) -> float:
    """Element-steps per second."""
    t, count = system.tables, len(system.tables.beams) + len(system.tables.cells)
    h = 1e-7
    work = link(t, new_work(t))
    loop = new_loop(
        t, system.q0, system.v0, 0.0, 1.0, np.ones(len(system.q0) + len(system.v0) + N_POWERS), (1e-9, 1e-11)
    )
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


def peak() -> float:
    """Memory the process has had at most [MB]."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0


def memory(kind: str) -> None:
    """Of a whole run of 100 000 elements with three states written; only in a process that has compiled nothing."""
    flexible(kind, 27, False).simulate("0.1 ms", solver="explicit", outputs=2)  # all that is imported and loaded
    before, began = peak(), time.perf_counter()
    run = flexible(kind, SIZES[-1], False).simulate("50 us", solver="explicit", outputs=2)
    took = time.perf_counter() - began
    print(
        f"{kind}: {peak():.0f} MB at most, {peak() - before:.0f} MB over the {before:.0f} MB of a small run; "
        f"{run.counters['steps']} steps, {took:.1f} s in all, {run.timing['prepare_s']:.1f} s of them to build"
    )


def main() -> None:
    damped = "--damped" in sys.argv
    kinds = [a for a in sys.argv[1:] if not a.startswith("-")] or KINDS
    if "--memory" in sys.argv:
        for kind in kinds:
            memory(kind)
        return
    for kind in kinds:
        print(f"{kind:>9} {'one by one':>11} {'1 thread':>10} {'2 threads':>10}   million element-steps per second")
        for count in SIZES:
            system = boom(count, damped) if kind == "beams" else prepare(flexible(kind, count, damped))[2].system
            rates = [rate(system, 1, fast=False), rate(system, 1)] + ([rate(system, 2)] if kind == "beams" else [])
            count = len(system.tables.beams) + len(system.tables.cells)
            print(f"{count:>9} " + " ".join(f"{r / 1e6:>10.2f}" for r in rates), flush=True)


if __name__ == "__main__":
    main()
