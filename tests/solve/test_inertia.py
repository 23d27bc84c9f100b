"""Negative eigenvalues are counted, and instabilities that come several at a time are seen."""

import numpy as np
import pytest
from numpy import int64, uintp
from scipy.optimize import brentq
from scipy.special import ellipe, ellipk

from tapespring import Model
from tapespring.jit import kernel
from tapespring.linear.dense import lu_factor
from tapespring.linear.inertia import is_symmetric, negative_eigenvalues, put_together


@kernel
def factored_and_counted(F, size, pivots, A, scratch):
    n = uintp(size)
    lu_factor(F, uintp(0), n, n, pivots, uintp(0))
    put_together(F, uintp(0), n, pivots, uintp(0), A)
    for i in range(len(A)):
        scratch[i] = A[i]
    return negative_eigenvalues(scratch, n) if is_symmetric(A, n) else int64(-1)


def counted(matrix: np.ndarray) -> tuple[int, np.ndarray]:
    n = len(matrix)
    A = np.zeros(n * n)
    found = factored_and_counted(matrix.ravel().copy(), n, np.zeros(n, np.uintp), A, A.copy())
    return found, A.reshape(n, n)


@pytest.mark.parametrize("n", [1, 2, 3, 6, 12, 45])
@pytest.mark.parametrize("seed", range(5))
def test_as_many_as_there_are(n, seed):
    rng = np.random.default_rng(seed)
    vectors, _ = np.linalg.qr(rng.standard_normal((n, n)))
    values = rng.choice([-1.0, 1.0], n) * 10.0 ** rng.uniform(-6.0, 2.0, n)
    matrix = (vectors * values) @ vectors.T
    matrix = 0.5 * (matrix + matrix.T)
    found, again = counted(matrix)
    np.testing.assert_allclose(again, matrix, atol=1e-12 * np.abs(matrix).max())
    assert found == (values < 0.0).sum()


def test_constraints_without_a_diagonal():
    """[A G'; G 0] with A positive has as many negative eigenvalues as rows."""
    rng = np.random.default_rng(7)
    G, B = rng.standard_normal((4, 9)), rng.standard_normal((9, 9))
    assert counted(np.block([[B @ B.T + 0.1 * np.eye(9), G.T], [G, np.zeros((4, 4))]]))[0] == 4


def test_what_is_not_symmetric_is_known():
    assert counted(np.array([[2.0, 1.0], [0.5, 1.0]]))[0] == -1


def bent_column(load: float) -> tuple[float, float]:
    """(height, deflection) of the end of a cantilever column of unit length under `load` times its critical load: k
    with K(k) = π/2 √load, height 2 E/K - 1, deflection 2 k/K."""
    k = brentq(lambda k: ellipk(k * k) - 0.5 * np.pi * np.sqrt(load), 1e-6, 1.0 - 1e-9)
    K, E = ellipk(k * k), ellipe(k * k)
    return 2.0 * E / K - 1.0, 2.0 * k / K


@pytest.mark.parametrize("elements", [4, 16, 40])
def test_a_round_column_buckles_and_does_not_care_which_way(elements):
    """Two motions become unstable at once, and bent it can turn about its axis without any force."""
    bending = 70e9 * 0.25 * np.pi * 0.005**4
    m = Model(name="round column")
    m.beam(
        "c", path=[[0, 0, 0], [0, 0, 1.0]], section={"kind": "circle", "radius": "5 mm"},
        material={"young": "70 GPa", "poisson": 0.3, "density": 2700}, elements=elements,
    )  # fmt: skip
    m.fixed("root", "ground", "c.start", at=[0, 0, 0])
    critical = np.pi**2 * bending / 4.0
    m.load("push", on="c.end", force=[0, 0, f"-{2.0 * critical}*t"])
    r = m.simulate(1.0, solver="quasi-static", outputs=20)
    assert r.status.complete
    assert [note for note in r.notes if "one of several branches" in note]
    assert len(r.notes) == 1
    place, t = r["c.end.position"].values, r["c.end.position"].time
    assert np.hypot(*place[t < 0.499, :2].T).max() < 1e-12
    near = 1e-2 if elements == 4 else 1e-3
    for row in np.flatnonzero(t > 0.51):
        height, aside = bent_column(2.0 * t[row])
        assert place[row, 2] == pytest.approx(height, abs=near)
        assert np.hypot(*place[row, :2]) == pytest.approx(aside, abs=near)
