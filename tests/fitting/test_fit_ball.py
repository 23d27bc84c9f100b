"""The bouncing ball: heights tell the restitution, not the stiffness."""

from pathlib import Path

import closed_form_ball
import numpy as np
import pytest

import tapespring as ts
from tapespring import fitting
from tapespring.schema.source import Source, read_yaml

STUDIES = Path(fitting.__file__).parent / "studies"
STD_K, STD_B, STD_E = 0.3440006818879544, 0.1718294477927046, 5.1989607155753814e-05  # independent, start etc. free


@pytest.fixture(scope="module")
def found():
    return ts.fit(STUDIES / "ball.yaml", profiles=["k"])


def test_the_record_is_the_closed_form():
    t, z = np.loadtxt(STUDIES / "ball.csv", delimiter=",", skiprows=1).T
    times, heights = closed_form_ball.record()
    assert t == pytest.approx(times, abs=1e-12)
    assert z == pytest.approx(heights, abs=1e-9)


def test_the_model_follows_the_closed_form():
    times = np.arange(1001) / 500.0
    results = ts.load(STUDIES / "ball_model.yaml").simulate("2 s", outputs=tuple(times), tolerance=1e-10)
    assert np.abs(results["ball.position.z"].values - closed_form_ball.heights(times)).max() < 1e-9


def test_restitution_is_recovered(found):
    value, std = found.derived["restitution"]
    assert value == pytest.approx(0.7, abs=1e-4)
    assert std == pytest.approx(STD_E, rel=0.05)
    assert "restitution is fixed to ±0.0001" in found.statements


def test_stiffness_is_reported_as_unidentified(found):
    k = found.parameters.index("k")
    # relative to the truth, for the estimate itself is 1 standard deviation away: the cost is far from a parabola in k
    assert found.relative_std[k] == pytest.approx(STD_K, rel=0.25)
    assert any(s.startswith("k is not identified") for s in found.statements)
    (tied,) = [s for s in found.statements if "cannot be told apart" in s]
    assert "b/k^0.5," in tied
    assert abs(found.correlation[k, found.parameters.index("b")]) > 0.99999


def test_standard_deviations_at_the_truth():
    data = read_yaml(STUDIES / "ball.yaml").data
    truth = {"k": 3.303e7, "b": 1404.7786507, "height": 1.0, "release": 0.0, "floor": 0.0}
    for name, value in truth.items():
        data["parameters"][name]["guess"] = value
    matching = fitting.matching.Matching(fitting.study.FitFile(Source(data), STUDIES))
    x = matching.guess
    r = matching.residuals(x)
    matching.slopes(x, r)
    J = matching.central_slopes(x, r)
    std = np.sqrt(np.diag(np.linalg.inv(J.T @ J)))
    assert std[:2] == pytest.approx([STD_K, STD_B], rel=0.02)


def test_profile_of_the_stiffness_is_wide(found):
    (profile,) = found.profiles
    assert profile.growth.min() >= -0.01
    low, high = profile.interval
    assert low < 3.303e7 < high
    assert high / low > 2.0
