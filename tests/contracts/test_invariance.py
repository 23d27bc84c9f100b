"""Contracts of every kind that acts between bodies: nothing changes when the whole is moved, and what one body gets the
other gives. Both are identities, so only rounding (1e-16 times some hundred operations) may show: 1e-12."""

import numpy as np
import pytest
from contract_evaluation import Evaluation, is_place, rotation
from contract_models import WITHOUT_PRESCRIBED

from tapespring.mechanics.tables import ALONG_WORLD, FRAME

ROUNDING = 1e-12
TURN, SHIFT = rotation([1, -2, 3], 2.1), np.array([0.7, -1.3, 2.2])


@pytest.fixture(params=list(WITHOUT_PRESCRIBED), scope="module")
def pair(request):
    """A model without ground, gravity, loads and drag: only what its parts do to each other, but for inertia."""
    data = {key: value for key, value in WITHOUT_PRESCRIBED[request.param].items() if key != "gravity"}
    model = Evaluation(data)
    left_out = {name: getattr(model.tables, name)[:0] for name in ("loads", "drags", "modal", "modal_rows")}
    model.tables = model.tables._replace(**left_out)
    return model


def internal_forces(model, q, v):
    """Generalized forces of springs, bushings and joint torques, without the gyroscopic term."""
    r, _ = model.at(q, v)
    for node in model.tables.nodes:
        if node["kind"] == FRAME:
            j = node["v"] + 3
            w, J = v[j : j + 3], node["inertia"]
            r[j : j + 3] -= np.cross(w, J * w)
    return -r


def turned(model, vector):
    """World components of a generalized vector turned with the model; body components stay."""
    vector = vector.copy()
    for node in model.tables.nodes:
        if is_place(node):
            vector[node["v"] : node["v"] + 3] = TURN @ vector[node["v"] : node["v"] + 3]
    return vector


def test_energy_and_forces_move_along(pair):
    q, v, _, _ = pair.random_state()
    force, energy = internal_forces(pair, q, v), pair.energy[0]
    moved_force = internal_forces(pair, pair.rigidly_moved(q, TURN, SHIFT), turned(pair, v))
    assert pair.energy[0] == pytest.approx(energy, rel=ROUNDING, abs=ROUNDING)
    assert moved_force == pytest.approx(turned(pair, force), rel=ROUNDING, abs=ROUNDING * max(1, np.abs(force).max()))


def test_rows_do_not_change(pair):
    """Rows along world axes turn as vectors do: the length of the gap they close is what stays."""
    q = pair.random_state()[0]
    g, moved = pair.rows(q)[0], pair.rows(pair.rigidly_moved(q, TURN, SHIFT))[0]
    gap = {}
    for r, row in enumerate(pair.tables.rows):
        m = pair.tables.measures[pair.tables.terms[row["first"]]["measure"]]
        if m["kind"] == ALONG_WORLD and is_place(pair.tables.nodes[m["b"]]):
            key = (m["a"], m["b"], *m["sa"], *m["sb"])
            gap.setdefault(key, []).append(r)
        else:
            assert moved[r] == pytest.approx(g[r], abs=ROUNDING)
    for rows in gap.values():
        assert len(rows) == 3
        assert np.linalg.norm(moved[rows]) == pytest.approx(np.linalg.norm(g[rows]), abs=ROUNDING)


def test_internal_forces_cancel(pair):
    q, v, _, _ = pair.random_state()
    force, moment, size = pair.wrench(internal_forces(pair, q, v))
    assert np.abs(force).max() <= ROUNDING * max(1.0, size)
    assert np.abs(moment).max() <= ROUNDING * max(1.0, size)


def test_reactions_cancel(pair):
    """At a placement that closes the joints: across an open gap the reactions of a joint have an arm."""
    q = pair.rigidly_moved(pair.system.q0, TURN, SHIFT)
    pair.t = 0.0
    g, _, _, G = pair.rows(q)
    for r in range(pair.nr):
        force, moment, size = pair.wrench(G[r])
        assert np.abs(force).max() <= ROUNDING * max(1.0, size)
        row = pair.tables.rows[r]
        m = pair.tables.measures[pair.tables.terms[row["first"]]["measure"]]
        if m["kind"] != ALONG_WORLD or abs(g[r]) < ROUNDING:
            assert np.abs(moment).max() <= ROUNDING * max(1.0, size)
