"""The parametrised mast and the solar wing of the examples."""

import runpy
from pathlib import Path

import numpy as np
import pytest

import tapespring as ts

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def example():
    return runpy.run_path(str(EXAMPLES / "mast" / "mast.py"))


def test_ideal_pins_follow_the_closed_form(example):
    results = example["mast"](6, clearance=0.0, tolerance=1e-8).simulate()
    assert np.abs(example["deviation"](results, 6, "rigid")).max() < 1e-8


def test_loose_pins_of_four_bays_agree_with_an_independent_integration(example):
    """Tip after 1 s, SciPy's DOP853 on planar equations."""
    results = example["mast"](4, duration=1.0, tolerance=1e-10).simulate()
    np.testing.assert_allclose(example["tip"](results, 4, "rigid")[-1], (2.5672259211, 0.3871978008), atol=1e-7)


def test_a_beam_and_its_modes_move_the_mast_alike(example):
    off = {}
    for bars in ("beam", "modal"):
        results = example["mast"](1, bars, outputs=50).simulate()
        off[bars] = example["deviation"](results, 1, bars)
    size = np.abs(off["beam"]).max()
    assert size > 1e-4
    assert np.abs(off["beam"] - off["modal"]).max() < 0.05 * size


def test_the_wing_latches_in_step_and_stays_loose_within_its_play():
    results = ts.load(EXAMPLES / "solar_wing.yaml").simulate()
    latched = [event.time for event in results.events if event.name.endswith(".latched")]
    assert len(latched) == 4
    assert np.ptp(latched) < 1e-9  # cable loops keep the hinges in step
    assert results.audit.grade == "excellent"
    assert results["root.angle"].values[-1] == pytest.approx(-np.pi / 2, abs=1e-3)
    tip = results["panel4.tip.position"].values[-1, :2]
    assert 0.0 < np.linalg.norm(tip - (4.0, 0.0)) < 3 * 2e-4 + 4e-3
    after = results["root.angle.rate"].values[results.time > latched[0] + 5.0]
    assert np.abs(after).max() < 1e-3
