"""Dense LU against numpy, and the system of implicit steps: by blocks as dense, with redundant rows, in the plane."""

import numpy as np
import pytest
from contract_evaluation import Evaluation
from contract_models import BASE, EVERY
from numpy import uintp

from tapespring.jit import kernel
from tapespring.linear.dense import lu_factor, lu_solve
from tapespring.mechanics.projection import clear
from tapespring.mechanics.tangent import add_tangent, residual
from tapespring.solve.kkt import dense_matrix, kkt_factor, kkt_solve, new_kkt


@kernel
def solve_dense(A, pivots, b):
    n, zero = uintp(len(b)), uintp(0)
    weak, first = lu_factor(A, zero, n, n, pivots, zero)
    lu_solve(A, zero, n, n, pivots, zero, b)
    return 1 + first if weak > 0 else 0


@kernel
def solve_step(tables, work, kkt, q, v, zero, multiplier, out, weights, rhs):
    residual(tables, 0.0, q, v, zero, multiplier, work, out)
    clear(kkt.values)
    add_tangent(tables, 0.0, q, v, multiplier, work, weights[0], weights[1], weights[2], kkt)
    status = kkt_factor(tables, work, kkt)
    kkt_solve(tables, work, kkt, rhs)
    return status


def solved(model, weights, rhs, dense=None):
    kkt, x = new_kkt(model.tables, dense=dense), rhs.copy()
    v, l = np.zeros(model.nv), np.zeros(model.nr)
    status = solve_step(
        model.tables, model.work, kkt, model.system.q0.copy(), v, v.copy(), l, v.copy(), np.array(weights, float), x
    )
    assert status == 0
    return kkt, x


@pytest.mark.parametrize("n", [1, 2, 7, 60])
def test_lu(n):
    rng = np.random.default_rng(n)
    A, b = rng.normal(size=(n, n)), rng.normal(size=n)
    x, F = b.copy(), A.flatten()
    assert solve_dense(F, np.zeros(n, np.uintp), x) == 0
    assert x == pytest.approx(np.linalg.solve(A, b), rel=1e-10)


def test_lu_names_the_singular_column():
    A = np.array([[1.0, 2.0, 3.0], [2.0, 4.0, 1.0], [0.0, 0.0, 5.0]])
    assert solve_dense(A.flatten(), np.zeros(3, np.uintp), np.ones(3)) == 2
    assert solve_dense(np.full(4, np.nan), np.zeros(2, np.uintp), np.ones(2)) == 1


@pytest.mark.parametrize("name", list(EVERY))
def test_blocks_as_dense(name):
    model = Evaluation(EVERY[name])
    rhs = model.rng.normal(size=model.nv + model.nr)
    (dense, x), (blocks, y) = (solved(model, (1.0, 0.1, 0.01), rhs, choice) for choice in (True, False))
    assert dense_matrix(blocks) == pytest.approx(dense_matrix(dense), rel=1e-14, abs=1e-13)
    assert y == pytest.approx(x, rel=1e-9, abs=1e-9 * np.abs(x).max(initial=0.0))


def doubly_hinged():
    hinge = {"kind": "revolute", "between": ["ground", "door"], "axis": "z"}
    return Evaluation({
        "name": "door", "bodies": {"door": BASE}, "simulate": {"duration": 1},
        "joints": {"low": hinge | {"at": [0, 0, 0]}, "high": hinge | {"at": [0, 0, 1]}},
    })  # fmt: skip


def test_redundant_rows_share_the_load():
    """Ten rows for five freedoms: accelerations are those of five independent rows, to 1e-8 (shift 1e-10, refined)."""
    model = doubly_hinged()
    force = model.rng.normal(size=model.nv)
    _, x = solved(model, (1, 0, 0), np.concatenate((force, np.zeros(model.nr))))
    G = model.rows(model.system.q0)[3]
    M = model.at(model.system.q0, weights=(1, 0, 0))[1]
    _, sizes, V = np.linalg.svd(G)
    N = V[np.sum(sizes > 1e-10) :].T
    assert N.shape[1] == 1
    expected = N @ np.linalg.solve(N.T @ M @ N, N.T @ force)
    assert x[: model.nv] == pytest.approx(expected, rel=1e-8, abs=1e-8)
    assert M @ x[: model.nv] + G.T @ x[model.nv :] == pytest.approx(force, abs=1e-8)


def test_plane_is_held_in_statics():
    """A planar spring without mass terms: no stiffness across the plane, and no motion either."""
    model = Evaluation({
        "name": "sprung", "bodies": {"p": {"kind": "point_mass", "mass": 1, "at": [1, 0, 0]}},
        "forces": {
            "along": {"kind": "spring", "between": ["ground", "p"], "stiffness": 10, "free_length": 1},
            "beside": {"kind": "spring", "between": [{"on": "ground", "at": [1, 0, 1]}, "p"], "stiffness": 5},
        },
        "simulate": {"duration": 1},
    })  # fmt: skip
    assert model.system.plane == 1
    kkt, x = solved(model, (0, 0, 1), np.array([1.0, 2.0, 3.0]))
    assert kkt.active.tolist() == [1, 0, 1]
    assert x == pytest.approx([0.1, 0.0, 0.6], rel=1e-12)
