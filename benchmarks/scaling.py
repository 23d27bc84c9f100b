"""Cost against size. Evaluations of the accelerations: A02 with 10 to 1000 four-bars; linear means a constant ratio.
Implicit steps of beams: a hanging chain of 16 to 4096 elements, and square lattices of beams of 40 to 4140.

.venv/bin/python benchmarks/scaling.py
"""

from __future__ import annotations

import time

import numpy as np

WINDOWS = (10, 40, 100, 400, 1000)
STEPS = 6
CHAINS = (16, 64, 256, 1024, 4096)
CELLS = (4, 8, 16, 32, 45)
SOFT = {
    "kind": "general", "axial_stiffness": 1260, "shear_stiffness": [1260, 1260], "bending_stiffness": [8.505e-3] * 2,
    "torsion_stiffness": 5.519e-3, "mass_per_length": 9.972, "rotary_inertia": [1.3462e-4, 6.731e-5, 6.731e-5],
}  # fmt: skip


def microseconds_per_evaluation(windows: int) -> tuple[int, float]:
    """(bodies, µs per evaluation) over a few steps of the explicit loop."""
    from tapespring.bench.four_bars import four_bars
    from tapespring.simulate import prepare
    from tapespring.solve import ode, runge_kutta
    from tapespring.solve.steps import EVALUATIONS, new_loop, new_record
    from tapespring.solve.transient import state_scale

    assembler, _, start = prepare(four_bars(windows))
    t = start.system.tables
    best = np.inf
    for _ in range(3):
        scale = state_scale(t, start.length, start.speed)
        loop = new_loop(t, start.q, start.v, 0.0, 10.0, scale, (1e-8, 1e-10))
        rk = runge_kutta.new_runge_kutta(t, len(start.q), len(start.v), [1, 0, 0, 0, 0, 0, 0])
        record = new_record(t, [10.0], len(assembler.rows))
        began = time.process_time_ns()
        ode.run(t, start.work, loop, rk, record, STEPS)
        best = min(best, (time.process_time_ns() - began) * 1e-3 / loop.count[EVALUATIONS])
    return len(t.nodes) - 1, best


def swinging_chain(elements: int):
    """A rod of elements as those of the flexible pendulum, pinned at one end, falls."""
    import tapespring as ts

    m = ts.Model(name="chain", gravity=(0, 0, -9.81))
    m.beam("rod", path=[[0, 0, 0], [0.01875 * elements, 0, 0]], elements=elements, section=SOFT)
    m.spherical("pin", m.ground, "rod.start")
    return m


def microseconds_per_step(prepared, steps: int = 40) -> tuple[int, float, float]:
    """(elements, µs per step, iterations per step) of the implicit loop with a fixed step of 1 ms."""
    from tapespring.solve import implicit
    from tapespring.solve.alpha import factor_cost, new_alpha
    from tapespring.solve.kkt import new_kkt
    from tapespring.solve.steps import ITERATIONS, STEPS, new_loop, new_record
    from tapespring.solve.transient import state_scale

    assembler, start = prepared
    t = start.system.tables
    kkt = new_kkt(t, 0)
    best = np.inf
    for _ in range(3):
        scale = state_scale(t, start.length, start.speed)
        loop = new_loop(t, start.q, start.v, 0.0, 10.0, scale, (1e-8, 1e-10))
        alpha = new_alpha(t, start.work, 0.8, 1e-3, factor_cost=factor_cost(kkt))
        record = new_record(t, [10.0], len(assembler.rows))
        began = time.process_time_ns()
        implicit.run(t, start.work, loop, alpha, kkt, record, steps)
        best = min(best, (time.process_time_ns() - began) * 1e-3 / loop.count[STEPS])
    return len(t.beams), best, loop.count[ITERATIONS] / loop.count[STEPS]


def prepared_chain(elements: int):
    from tapespring.simulate import prepare

    assembler, _, start = prepare(swinging_chain(elements), planar=False)
    return assembler, start


def prepared_lattice(cells: int):
    """Nodes and elements through the assembler: a model file of a net would be long."""
    from tapespring.build.assembler import Assembler, BeamDraft, NodeDraft
    from tapespring.build.catalogue import Catalogue
    from tapespring.mechanics.tables import ALONG_WORLD, FRAME
    from tapespring.solve.initial import consistent_start

    assembler, side = Assembler((0.0, 0.0, -9.81)), 0.05
    assembler.may_be_planar = False
    number = {}
    for i in range(cells + 1):
        for j in range(cells + 1):
            x = np.array([side * i, side * j, 0.0])
            number[i, j] = assembler.node(NodeDraft(FRAME, f"{i},{j}", x, np.eye(3), 1e-3, 1e-7 * np.eye(3)))
    compliance = np.diag([1e-3, 1e-3, 1e-3, 1e2, 1e2, 1e2])
    turned = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    for (i, j), a in number.items():
        for di, dj, axes in ((1, 0, np.eye(3)), (0, 1, turned)):
            b = number.get((i + di, j + dj))
            if b is not None:
                ends = assembler.nodes[a].x, assembler.nodes[b].x
                assembler.beams.append(BeamDraft(a, b, *ends, axes, axes, side, compliance))
    for corner in ((0, 0), (cells, 0)):
        p = assembler.nodes[number[corner]].x
        for e in np.eye(3):
            assembler.constrain(assembler.measure(ALONG_WORLD, 0, number[corner], p, p, e1=e), "pin", "corner")
    return assembler, consistent_start(assembler, Catalogue())


def beams() -> None:
    for name, sizes, ready in (("chain", CHAINS, prepared_chain), ("lattice", CELLS, prepared_lattice)):
        print(f"\n{name:>10} {'elements':>9} {'us/step':>10} {'iterations':>11} {'us per element':>15} {'exponent':>9}")
        before = None
        for size in sizes:
            count, cost, iterations = microseconds_per_step(ready(size))
            exponent = np.log(cost / before[1]) / np.log(count / before[0]) if before else np.nan
            print(
                f"{size:>10} {count:>9} {cost:>10.1f} {iterations:>11.2f} {cost / count:>15.3f} {exponent:>9.2f}",
                flush=True,
            )
            before = count, cost


def main() -> None:
    print(f"{'four-bars':>10} {'bodies':>8} {'us/evaluation':>14} {'us per body':>12}")
    for windows in WINDOWS:
        bodies, cost = microseconds_per_evaluation(windows)
        print(f"{windows:>10} {bodies:>8} {cost:>14.2f} {cost / bodies:>12.4f}", flush=True)
    beams()


if __name__ == "__main__":
    main()
