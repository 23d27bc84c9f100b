"""Cost of flexible elements: forces, energy, and tangent of a chain of 1000 beams, and of 1000 bars.

.venv/bin/python benchmarks/elements.py
"""

from __future__ import annotations

import time
from typing import NamedTuple

import numpy as np

from tapespring.build.assembler import Assembler, BarDraft, BeamDraft, NodeDraft
from tapespring.jit import kernel
from tapespring.mechanics import linking
from tapespring.mechanics.core import link
from tapespring.mechanics.motion import place_nodes
from tapespring.mechanics.tables import FRAME, new_work

COUNT, REPEATS = 1000, 40


class Blocks(NamedTuple):
    """What the tangent is written to: a block tridiagonal matrix, 6 by 18 for each node."""

    values: np.ndarray
    beam_at: np.ndarray
    bar_at: np.ndarray
    node_at: np.ndarray


@kernel
def place(tables, work, q, v):
    place_nodes(tables, 0.0, q, v, work)


@kernel
def forces(tables, work, times):
    for _ in range(times):
        linking.add_elements(tables, work)


@kernel
def energy(tables, work, times):
    total = 0.0
    for _ in range(times):
        total += linking.elements_energy(tables, work)
    return total


@kernel
def tangent(tables, work, blocks, times):
    for _ in range(times):
        linking.add_elements_tangent(tables, work, 0.5, 1.0, blocks)


def chain(kind: str, damping: float) -> tuple[Assembler, Blocks]:
    """Nodes along a helix, an element between each two."""
    assembler = Assembler((0, 0, 0))
    section = np.diag([1e-7, 1e-7, 1e-7, 1e-3, 1e-3, 1e-3])
    for k in range(COUNT + 1):
        a = 0.05 * k
        R = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
        x = np.array([np.sin(a), 1 - np.cos(a), 0.02 * k])
        assembler.node(NodeDraft(FRAME, f"{k}", x, R, 1.0, 1e-3 * np.eye(3)))
    at = np.zeros((COUNT, 2, 2, 2), np.int64)
    for k in range(COUNT):
        n, m = assembler.nodes[k + 1], assembler.nodes[k + 2]
        if kind == "beam":
            assembler.beams.append(BeamDraft(k + 1, k + 2, n.x, m.x, n.R, m.R, 0.05, section, damping))
        else:
            assembler.bars.append(BarDraft(k + 1, k + 2, n.x, m.x, 0.05, 1e4, damping))
        for i in range(2):
            for j in range(2):
                at[k, i, j] = (k + i) * 108 + (1 + j - i) * 6, 18
    node_at = np.array([(108 * k + 6, 18) for k in range(COUNT + 2)], np.int64)
    none = np.zeros((0, 2, 2, 2), np.int64)
    beams, bars = (at, none) if kind == "beam" else (none, at)
    return assembler, Blocks(np.zeros(108 * (COUNT + 2)), beams, bars, node_at)


def microseconds(run, *arguments) -> float:
    """Best of a few, per element."""
    run(*arguments, 1)
    best = np.inf
    for _ in range(25):
        began = time.process_time()
        run(*arguments, REPEATS)
        best = min(best, time.process_time() - began)
    return best * 1e6 / (REPEATS * COUNT)


def main() -> None:
    print(f"{'µs per element':<18} {'forces':>8} {'energy':>8} {'tangent':>8} {'forces + tangent':>17}")
    for kind in ("beam", "bar"):
        for damping in (0.0, 0.01):
            assembler, blocks = chain(kind, damping)
            system = assembler.finish()
            work = link(system.tables, new_work(system.tables))
            place(system.tables, work, system.q0, system.v0)
            f = microseconds(forces, system.tables, work)
            e = microseconds(energy, system.tables, work)
            k = microseconds(tangent, system.tables, work, blocks)
            name = kind + (", damped" if damping else "")
            print(f"{name:<18} {f:>8.3f} {e:>8.3f} {k:>8.3f} {f + k:>17.3f}", flush=True)


if __name__ == "__main__":
    main()
