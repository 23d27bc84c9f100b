"""Friction of joints by their own reactions: its change with every multiplier stands beside G'."""

import numpy as np
import pytest
from contract_evaluation import Evaluation
from contract_models import BALL_JOINT, HINGE, SHAFT, model

from tapespring.solve.kkt import dense_matrix

H = 1e-6
MODELS = {
    "pin": HINGE | {"friction": {"coefficient": 0.02, "radius": 0.3, "stiffness": 8, "damping": 0.7}},
    "journal": HINGE | {"friction": {"coefficient": 0.02, "radius": 0.3, "length": 0.4, "stiffness": 8}},
    "shaft": SHAFT | {"friction": {"coefficient": 0.05, "radius": 0.7, "length": 0.4, "stiffness": 9, "damping": 0.4}},
    "ball": BALL_JOINT | {"friction": {"coefficient": 0.02, "radius": 0.3, "stiffness": 8, "damping": 0.7}},
    "guide": SHAFT | {"kind": "prismatic", "friction": {"coefficient": 0.05, "length": 0.4, "stiffness": 9}},
}


@pytest.mark.parametrize("name", list(MODELS))
def test_columns_of_multipliers(name):
    """Central differences err by H² times a third derivative and rounding over H: about 1e-9."""
    m = Evaluation(model(name, joints={"joint": MODELS[name]}), seed=3)
    q, v, a, l = m.random_state()
    G = m.rows(q)[3]
    m.at(q, v, a, l, (0, 0, 1))
    beside = dense_matrix(m.kkt, held=0.0)[: m.nv, m.nv :]
    found = np.zeros_like(beside)
    for r in range(m.nr):
        step = np.zeros(m.nr)
        step[r] = H
        found[:, r] = (m.at(q, v, a, l + step)[0] - m.at(q, v, a, l - step)[0]) / (2 * H) - G[r]
    assert np.abs(beside).max() > 1e-3
    assert beside == pytest.approx(found, abs=1e-8)
