"""Contracts of flexible elements: forces derive from the energy, tangents from the forces, nothing depends on where the
whole is, and powers balance. Tolerances as in test_derivatives and test_invariance."""

import numpy as np
import pytest
from contract_evaluation import rotation
from element_models import Elements, bars, beams, drags

from tapespring.mechanics.tables import DISSIPATED, DRIVES, FRAME, POINT

H, NEAR, ROUNDING = 1e-5, 1e-8, 1e-12
TURN, SHIFT = rotation([1, -2, 3], 2.1), np.array([0.7, -1.3, 2.2])

ELASTIC = {
    "beams": lambda: beams(),
    "straight": lambda: beams(seed=1, turn=0.0),
    "much_bent": lambda: beams(seed=2, turn=2.3),
    "bars": lambda: bars(),
    "cords": lambda: bars(slack=True),
}
DAMPED = {
    "damped_beams": lambda: beams(damping=0.3),
    "damped_bent": lambda: beams(seed=3, damping=0.1, turn=2.0),
    "damped_bars": lambda: bars(damping=0.3),
    "damped_cords": lambda: bars(damping=0.05, slack=True),
    "drags": drags,
}
INTERNAL = {
    "beams": lambda: beams(damping=0.2, ground=False),
    "bars": lambda: bars(damping=0.2, ground=False),
    "cords": lambda: bars(damping=0.2, slack=True, ground=False),
}


@pytest.fixture(params=list(ELASTIC), scope="module")
def elastic(request):
    return Elements(ELASTIC[request.param]())


@pytest.fixture(params=list(ELASTIC | DAMPED), scope="module")
def model(request):
    return Elements((ELASTIC | DAMPED)[request.param]())


@pytest.fixture(params=list(INTERNAL), scope="module")
def internal(request):
    return Elements(INTERNAL[request.param]())


def random_state(model, size=0.3):
    return model.moved(model.system.q0, size * model.rng.normal(size=model.nv)), model.rng.normal(size=model.nv)


def assert_near(found, wanted, size=1.0, near=NEAR):
    size = max(1.0, size, np.abs(wanted).max(initial=0.0))
    assert np.abs(found - wanted).max(initial=0.0) <= near * size


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_force_is_minus_gradient_of_energy(elastic, seed):
    elastic.rng = np.random.default_rng(seed)
    q, _ = random_state(elastic)
    r, _ = elastic.at(q)
    slope = elastic.differences(lambda d: elastic.strain(elastic.moved(q, d)), H)[0]
    assert_near(r, slope, size=elastic.energy[2] * 1e-16 / H / NEAR)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_tangent_is_derivative_of_forces(model, seed):
    model.rng = np.random.default_rng(seed)
    q, v = random_state(model)
    r, D = model.at(q, v, (1, 0))
    _, K = model.at(q, v, (0, 1))
    size = np.abs(r).max()
    assert_near(D, model.differences(lambda d: model.at(q, v + d)[0], H), size)
    assert_near(K, model.differences(lambda d: model.at(model.moved(q, d), v)[0], H), size)
    _, whole = model.at(q, v, (3.0, 4.0))
    assert_near(whole, 3 * D + 4 * K, near=1e-14)


def test_elastic_tangent_is_symmetric_up_to_half_the_moments(elastic):
    q, _ = random_state(elastic)
    r, K = elastic.at(q, weights=(0, 1))
    half = np.zeros_like(K)
    for node in elastic.tables.nodes:
        if node["kind"] == FRAME:
            j = node["v"] + 3
            x, y, z = 0.5 * r[j : j + 3]
            half[j : j + 3, j : j + 3] = [[0, -z, y], [z, 0, -x], [-y, x, 0]]
    assert_near(K - half, (K - half).T, near=ROUNDING)


def test_powers_balance(model):
    """What the forces do on free nodes, what is stored and what is lost come from whoever moves the other nodes."""
    q, v = random_state(model)
    r, _ = model.at(q, v)
    power, h = model.work.power.copy(), 1e-6
    on_free = -r @ v

    def stored(s):
        model.t = 0.1 + s
        return model.strain(model.moved(q, s * v))[0]

    rate = (stored(h) - stored(-h)) / (2 * h)
    model.t = 0.1
    assert on_free + rate + power[DISSIPATED] == pytest.approx(power[DRIVES], abs=1e-7 * max(1.0, np.abs(power).max()))
    assert power[DISSIPATED] >= 0.0


def turned(model, vector):
    vector = vector.copy()
    for node in model.tables.nodes:
        if node["kind"] in (POINT, FRAME):
            vector[node["v"] : node["v"] + 3] = TURN @ vector[node["v"] : node["v"] + 3]
    return vector


def test_energy_and_forces_move_along(internal):
    q, v = random_state(internal)
    r, energy = internal.at(q, v)[0], internal.energy[2]
    moved, _ = internal.at(internal.rigidly_moved(q, TURN, SHIFT), turned(internal, v))
    assert internal.energy[2] == pytest.approx(energy, rel=ROUNDING, abs=ROUNDING)
    assert moved == pytest.approx(turned(internal, r), rel=ROUNDING, abs=ROUNDING * max(1, np.abs(r).max()))


def test_action_is_reaction(internal):
    q, v = random_state(internal)
    force, moment, size = internal.wrench(internal.at(q, v)[0])
    assert np.abs(force).max() <= ROUNDING * max(1.0, size)
    assert np.abs(moment).max() <= ROUNDING * max(1.0, size)
