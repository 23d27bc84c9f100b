"""Systems by blocks give what dense ones give, and cost what their pattern says."""

import numpy as np
import pytest
from block_models import long_chain

from tapespring.jit import kernel
from tapespring.mechanics import tables as tb
from tapespring.mechanics.projection import clear
from tapespring.simulate import prepare
from tapespring.solve import conserving, equilibrium, implicit, steps, stiff
from tapespring.solve.equations import add_tangent, link_implicit, residual
from tapespring.solve.kkt import SWEEPS, dense_matrix, kkt_factor, kkt_solve, new_kkt, sparse_matrix
from tapespring.solve.status import DONE
from tapespring.solve.transient import state_scale


@kernel
def solve_step(tables, work, kkt, q, v, a, multiplier, out, weights, rhs):
    residual(tables, 0.1, q, v, a, multiplier, work, out)
    clear(kkt.values)
    add_tangent(tables, 0.1, q, v, multiplier, work, weights[0], weights[1], weights[2], kkt)
    status = kkt_factor(tables, work, kkt)
    kkt_solve(tables, work, kkt, rhs)
    return status


@kernel
def factor_only(tables, work, kkt):
    return kkt_factor(tables, work, kkt)


@kernel
def solve_only(tables, work, kkt, rhs):
    kkt_solve(tables, work, kkt, rhs)


@pytest.fixture(scope="module", params=[False, True], ids=["in space", "in the plane"])
def start(request):
    _, _, start = prepare(long_chain(planar=request.param))
    assert (start.system.plane is not None) == request.param
    return start


def frames_with_beams(count, pairs):
    """Tables of frames of which only is known which are joined."""
    from tapespring.build.assembler import Assembler, NodeDraft

    assembler = Assembler((0.0, 0.0, 0.0))
    assembler.may_be_planar = False
    for i in range(count):
        assembler.node(NodeDraft(tb.FRAME, f"n{i}", np.zeros(3), np.eye(3), 1.0, np.eye(3)))
    beams = np.zeros(len(pairs), tb.Beam)
    beams["a"], beams["b"] = np.array(pairs).T
    return assembler.finish().tables._replace(beams=beams)


def chain(count):
    return [(i, i + 1) for i in range(1, count)]


def lattice(side):
    along = [(1 + i * side + j, 2 + i * side + j) for i in range(side) for j in range(side - 1)]
    return along + [(1 + i * side + j, 1 + (i + 1) * side + j) for i in range(side - 1) for j in range(side)]


def randomly_filled(kkt, rng):
    """Unsymmetric blocks, dominated by the diagonals of the nodes."""
    kkt.values[:] = rng.normal(size=len(kkt.values))
    for at, stride in kkt.node_at[kkt.node_at[:, 0] >= 0]:
        kkt.values[at + np.arange(6) * (stride + 1)] += 20.0


# -- one system -------------------------------------------------------------------------------------------------------
def test_scale():
    """Ruiz's iteration on the columns."""
    tables = frames_with_beams(7, chain(7))
    kkt, rng = new_kkt(tables, dense=False), np.random.default_rng(2)
    randomly_filled(kkt, rng)
    kkt.values[:] *= 10.0 ** rng.uniform(-3, 3, len(kkt.values))
    A, d = np.abs(dense_matrix(kkt)), np.ones(len(kkt.unknown))
    for _ in range(SWEEPS):
        d = np.sqrt(d / (d[:, None] * A).max(axis=0))
    assert factor_only(tables, tb.new_work(tables), kkt) == 0
    np.testing.assert_allclose(kkt.scale, d[kkt.unknown.astype(int)], rtol=1e-13)


@pytest.mark.parametrize("weights", [(1.0, 1e-3, 1e-6), (1.0, 0.1, 0.01), (0.0, 0.0, 1.0)], ids=str)
def test_same_solution(start, weights):
    tables, work, rng = start.system.tables, start.work, np.random.default_rng(5)
    link_implicit(tables, work)
    nv, nr = len(start.v), len(tables.rows)
    v, a, l = rng.normal(size=nv), rng.normal(size=nv), rng.normal(size=nr)
    rhs = rng.normal(size=nv + nr)
    found = []
    for dense in (True, False):
        kkt, x = new_kkt(tables, 3, dense), rhs.copy()
        q, w = start.q.copy(), v.copy()
        assert solve_step(tables, work, kkt, q, w, a, l, np.zeros(nv), np.array(weights), x) == 0
        found.append((x, dense_matrix(kkt)))
    assert found[1][1] == pytest.approx(found[0][1], rel=1e-14, abs=1e-12)
    size = np.abs(found[0][0]).max()
    assert found[1][0] == pytest.approx(found[0][0], rel=1e-9, abs=1e-9 * size)
    held = np.concatenate((kkt.active == 0, np.zeros(nr, bool)))
    assert np.all(found[1][0][held] == 0.0)


@pytest.mark.parametrize(
    ("count", "pairs"),
    [(1, [(1, 1)]), (5, chain(5)), (40, [*chain(40), (1, 40)]), (49, lattice(7)), (361, lattice(19))],
)
def test_random_systems(count, pairs):
    rng = np.random.default_rng(count)
    tables = frames_with_beams(count, pairs)
    kkt, work = new_kkt(tables, 0, dense=False), tb.new_work(tables)
    randomly_filled(kkt, rng)
    A, rhs = sparse_matrix(kkt), rng.normal(size=6 * count)
    x = rhs.copy()
    assert factor_only(tables, work, kkt) == 0
    solve_only(tables, work, kkt, x)
    assert A @ x == pytest.approx(rhs, abs=1e-12)


def test_free_motion_is_named():
    """Nothing holds the last node: its six pivots vanish, and the others are solved as if they were alone."""
    tables = frames_with_beams(20, chain(19))
    kkt, work = new_kkt(tables, 0, dense=False), tb.new_work(tables)
    randomly_filled(kkt, np.random.default_rng(0))
    at, stride = kkt.node_at[20]
    kkt.values[at + np.arange(6)[:, None] * stride + np.arange(6)] = 0.0
    A, x = sparse_matrix(kkt), np.ones(120)
    status = factor_only(tables, work, kkt)
    assert kkt.status[0] == 6
    assert 114 <= status - 1 == kkt.status[1] < 120
    solve_only(tables, work, kkt, x)
    assert (A @ x)[:114] == pytest.approx(1.0, abs=1e-12)


def test_size_chooses_the_storage():
    assert len(new_kkt(frames_with_beams(10, chain(10))).diagonal_at) == 1
    assert len(new_kkt(frames_with_beams(40, chain(40))).diagonal_at) > 30


def test_chains_cost_linear():
    """Three blocks per node, no fill: two panels and a diagonal block."""
    for count in (10, 100, 1000):
        kkt = new_kkt(frames_with_beams(count, chain(count)), 0, dense=False)
        assert len(kkt.factors) == 36 * (3 * count - 2)
    ring = new_kkt(frames_with_beams(100, [*chain(100), (1, 100)]), 0, dense=False)
    assert len(ring.factors) < 36 * 5 * 100


def test_lattices_fill_little():
    """Minimum degree: n log n blocks."""
    stored = [len(new_kkt(frames_with_beams(n * n, lattice(n)), 0, dense=False).factors) / n / n for n in (8, 16, 32)]
    assert stored[2] - stored[1] < 36 * 9
    assert stored[1] - stored[0] < 36 * 9


# -- whole solvers ----------------------------------------------------------------------------------------------------
def run(start, loop_of, dense, rtol):
    t = start.system.tables
    work = start.work
    scale = state_scale(t, start.length, start.speed)
    loop = steps.new_loop(t, start.q, start.v, 0.0, 0.05, scale, (rtol, 0.01 * rtol))
    record = steps.new_record(t, np.linspace(0.0, 0.05, 3), len(start.system.drafts.rows))
    module, scheme = loop_of(t, work)
    assert module.run(t, work, loop, scheme, new_kkt(t, 2, dense), record, 100_000) == DONE
    return record


LOOPS = {
    "implicit": (lambda t, w: (implicit, implicit.new_alpha(t, w, fixed_step=0.001)), 1e-8),
    "stiff": (lambda t, w: (stiff, stiff.new_stiff(t, w)), 1e-8),
    "conserving": (lambda t, w: (conserving, conserving.new_conserving(t, w, 0.001)), 1e-10),
}


@pytest.mark.parametrize("name", list(LOOPS))
def test_same_motion(start, name):
    """The same steps are taken, and Newton's method ends at the same place within its tolerance."""
    loop_of, rtol = LOOPS[name]
    dense, blocks = (run(start, loop_of, choice, rtol) for choice in (True, False))
    assert blocks.q == pytest.approx(dense.q, abs=1e-9)
    assert blocks.v == pytest.approx(dense.v, abs=1e-9 * max(1.0, np.abs(dense.v).max()))


def test_same_equilibrium(start, monkeypatch):
    """Both ways lead to the same rest; forces balance to 1e-10, and soft hinges magnify what is left."""
    found = []
    for dense in (True, False):
        monkeypatch.setattr(equilibrium, "new_kkt", lambda t, dense=dense: new_kkt(t, 2, dense))
        found.append(equilibrium.find_equilibrium(start.system, start.q))
        assert found[-1].converged, found[-1].message
    assert found[1].q == pytest.approx(found[0].q, abs=1e-6)
