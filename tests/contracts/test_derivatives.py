"""Contracts of every kind: gradients, rates, forces and tangents are the derivatives of what they derive from.

Central differences with h = 1e-5 carry an error of h² times a third derivative (1e-10 of quantities of order one) and
of rounding / h (1e-11 of the function's size). NEAR = 1e-8 of the size leaves room for stiff and fast models.
"""

import numpy as np
import pytest
from contract_evaluation import Evaluation
from contract_models import EVERY

from tapespring.mechanics.tables import OWN_LAW

H = 1e-5
NEAR = 1e-8


@pytest.fixture(params=list(EVERY), scope="module")
def model(request):
    return Evaluation(EVERY[request.param])


@pytest.fixture(params=list(EVERY), scope="module")
def conservative(request):
    return Evaluation(EVERY[request.param], conservative=True)


def assert_near(found, wanted, size=1.0, near=NEAR):
    size = max(1.0, size, np.abs(wanted).max(initial=0.0))
    assert np.abs(found - wanted).max(initial=0.0) <= near * size


def test_rows_are_gradients(model):
    q = model.random_state()[0]
    G = model.rows(q)[3]
    differences = model.differences(lambda d: model.rows(model.moved(q, d))[0], H)
    assert_near(G, differences)


def test_rates_and_accelerations_of_rows(model):
    """g' and g'' = G a + rhs along a motion of constant body accelerations, against differences in time.

    The path is correct to the third order in h, so the differences are to the second: 1e-8 for h = 1e-4, times the
    third derivative, some tens at these speeds.
    """
    if model.integrates_placement:
        pytest.skip("the placement of a frame moved by its velocities is not a function of time")
    q, v, a, _ = model.random_state()
    h = 1e-4

    def along(s):
        return model.rows(model.moved(q, s * v + 0.5 * s * s * a), v + s * a, model.t + s)

    after, before = along(h), along(-h)
    _, rate, rhs, G = model.rows(q, v)
    assert_near(rate, (after[0] - before[0]) / (2 * h), near=1e-6)
    assert_near(G @ a + rhs, (after[1] - before[1]) / (2 * h), near=1e-6)


def test_force_is_minus_gradient_of_energy(conservative):
    model = conservative
    if np.any(model.tables.contacts["law"] == OWN_LAW):
        pytest.skip("a law of one's own stores no energy that the engine knows of")
    q, _, _, _ = model.random_state()
    force = -model.at(q)[0]
    energy = model.total_energy(q)
    slope = model.differences(lambda d: np.array([model.total_energy(model.moved(q, d))]), H)[0]
    # rounding of the energy itself, divided by h
    assert_near(force, -slope, size=abs(energy) * 1e-16 / H / NEAR)


@pytest.mark.parametrize("seed", [1, 2])
def test_tangent_is_derivative_of_residual(model, seed):
    model.rng = np.random.default_rng(seed)
    q, v, a, l = model.random_state()
    r, M = model.at(q, v, a, l, (1, 0, 0))
    _, D = model.at(q, v, a, l, (0, 1, 0))
    _, K = model.at(q, v, a, l, (0, 0, 1))
    size = np.abs(r).max()
    assert_near(M, model.differences(lambda d: model.at(q, v, a + d, l)[0], H), size)
    assert_near(D, model.differences(lambda d: model.at(q, v + d, a, l)[0], H), size)
    assert_near(K, model.differences(lambda d: model.at(model.moved(q, d), v, a, l)[0], H), size)
    _, whole = model.at(q, v, a, l, (2.0, 3.0, 4.0))
    assert_near(whole, 2 * M + 3 * D + 4 * K, near=1e-14)


def test_tangent_of_conservative_forces_is_symmetric_at_rest_in_balance(conservative):
    """In body axes the tangent is symmetric up to half the moments left over; forces balance when a takes them up."""
    model = conservative
    q, _, _, l = model.random_state()
    r, K = model.at(q, multiplier=l, weights=(0, 0, 1))
    half = np.zeros_like(K)
    for node in model.tables.nodes:
        if node["kind"] == 2:
            j = node["v"] + 3
            x, y, z = 0.5 * r[j : j + 3]
            half[j : j + 3, j : j + 3] = [[0, -z, y], [z, 0, -x], [-y, x, 0]]
    assert_near(K - half, (K - half).T, near=1e-12)
