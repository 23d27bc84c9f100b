"""Errors of beams fall with the element's length as they should."""

import numpy as np
import pytest

from tapespring.bench.beam_bending import TIP_LOAD, elastica
from tapespring.bench.beam_space import TORSION, bend


def orders(errors, ratio=2.0):
    return np.log(np.array(errors[:-1]) / np.array(errors[1:])) / np.log(ratio)


def test_plane_bending_is_of_fourth_order():
    w, u, _ = TIP_LOAD[4.0]
    errors = []
    for elements in (4, 8, 16):
        r = elastica().set("bodies.beam.elements", elements).simulate(outputs=[0.4])
        x, y, _ = r["beam.end.position"].at(0.4)
        errors.append(np.hypot(x - 1 + u, y - w))
    assert orders(errors) == pytest.approx([4.0, 4.0], abs=0.4)


def test_bending_with_twist_is_of_second_order():
    """Where bending and torsional stiffness differ; where they agree, as with J = 1/6 here, it is of fourth."""
    for torsion, order in (("0.1406", 2.0), ("1/6", 4.0)):
        start = 100 * np.array([np.sin(np.pi / 4), 1 - np.cos(np.pi / 4), 0])
        reference = start + TORSION[torsion][1][600]
        tips = [bend(torsion, n)().simulate()["beam.end.position"].at(1.0) for n in (8, 16, 32)]
        errors = [np.linalg.norm(tip - reference) for tip in tips]
        assert orders(errors)[-1] == pytest.approx(order, abs=0.4)
