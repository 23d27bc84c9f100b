"""Cost of factoring and solving the system of an implicit step: chains and lattices of frames joined by beams, by
blocks and by scipy's SuperLU.

.venv/bin/python benchmarks/linear.py
"""

from __future__ import annotations

import time

import numpy as np
from scipy.sparse.linalg import splu

from tapespring.build.assembler import Assembler, NodeDraft
from tapespring.jit import kernel
from tapespring.mechanics import tables as tb
from tapespring.solve.kkt import Kkt, kkt_factor, kkt_solve, new_kkt, sparse_matrix

SIZES = (16, 64, 256, 1024, 4096)


@kernel
def factor(tables, work, kkt):
    return kkt_factor(tables, work, kkt)


@kernel
def solve(tables, work, kkt, rhs):
    kkt_solve(tables, work, kkt, rhs)


def frames_with_beams(count: int, pairs: list[tuple[int, int]]) -> tb.Tables:
    """Tables that know only which nodes (1, 2, ...) are joined."""
    assembler = Assembler((0.0, 0.0, 0.0))
    assembler.may_be_planar = False
    for i in range(count):
        assembler.node(NodeDraft(tb.FRAME, f"n{i}", np.zeros(3), np.eye(3), 1.0, np.eye(3)))
    beams = np.zeros(len(pairs), tb.Beam)
    beams["a"], beams["b"] = np.array(pairs).T
    return assembler.finish().tables._replace(beams=beams)


def chain(count: int) -> list[tuple[int, int]]:
    return [(i, i + 1) for i in range(1, count)]


def lattice(count: int) -> list[tuple[int, int]]:
    side = round(count**0.5)
    return [(1 + i * side + j, 2 + i * side + j) for i in range(side) for j in range(side - 1)] + [
        (1 + i * side + j, 1 + i * side + side + j) for i in range(side - 1) for j in range(side)
    ]


def fill(kkt: Kkt, seed: int = 0) -> None:
    """A random stiffness for every beam and a little mass for every node."""
    rng = np.random.default_rng(seed)
    block = np.arange(6)
    kkt.values[:] = 0.0
    for at, stride in kkt.node_at[kkt.node_at[:, 0] >= 0]:
        kkt.values[at + block * (stride + 1)] += 0.1
    for places in kkt.beam_at:
        root = rng.normal(size=(12, 12))
        K = root @ root.T
        for r in range(2):
            for c in range(2):
                at, stride = places[r, c]
                kkt.values[at + block[:, None] * stride + block] += K[6 * r : 6 * r + 6, 6 * c : 6 * c + 6]


def best(action, repeats: int = 5) -> float:
    """Milliseconds of the fastest of several runs."""
    found = np.inf
    for _ in range(repeats):
        began = time.perf_counter()
        action()
        found = min(found, 1e3 * (time.perf_counter() - began))
    return found


def row(name: str, count: int, pairs: list[tuple[int, int]]) -> None:
    tables = frames_with_beams(count, pairs)
    work = tb.new_work(tables)
    began = time.perf_counter()
    kkt = new_kkt(tables, 0, dense=False)
    layout_ms = 1e3 * (time.perf_counter() - began)
    fill(kkt)
    rhs = np.random.default_rng(1).normal(size=len(kkt.unknown))
    x = rhs.copy()
    factor_ms = best(lambda: factor(tables, work, kkt))
    solve(tables, work, kkt, x)
    A = sparse_matrix(kkt)
    error = np.abs(A @ x - rhs).max() / np.abs(rhs).max()
    solve_ms = best(lambda: solve(tables, work, kkt, rhs.copy()))
    superlu_ms = best(lambda: splu(A, permc_spec="MMD_AT_PLUS_A", options={"SymmetricMode": True}).solve(rhs), 2)
    print(
        f"{name:>8} {count:>6} {layout_ms:>10.1f} {factor_ms:>10.3f} {solve_ms:>9.3f} {1e3 * factor_ms / count:>11.2f} "
        f"{1e3 * solve_ms / count:>10.2f} {len(kkt.factors) / 36 / count:>12.1f} {error:>9.1e} {superlu_ms:>11.2f}"
    )


def main() -> None:
    print(
        f"{'':>8} {'nodes':>6} {'layout ms':>10} {'factor ms':>10} {'solve ms':>9} {'factor us/n':>11} "
        f"{'solve us/n':>10} {'blocks/node':>12} {'residual':>9} {'SuperLU ms':>11}"
    )
    for name, pairs in (("chain", chain), ("lattice", lattice)):
        for count in SIZES:
            row(name, count, pairs(count))


if __name__ == "__main__":
    main()
