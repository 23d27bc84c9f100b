"""Statistics, sensitivities, polynomials and rare events against closed forms."""

from math import pi

import closed_forms
import numpy as np
import pytest
from scipy.stats import norm

import tapespring as ts
from tapespring.studies.rare import subset_simulation
from tapespring.studies.sampling import Morris, Saltelli
from tapespring.studies.sensitivity import morris_effects, sobol_indices
from tapespring.studies.statistics import described, mean_of, probability_of, quantile_of, std_of
from tapespring.studies.surrogate import fitted

ANGLE = {"distribution": {"kind": "uniform", "low": -pi, "high": pi}}
STANDARD = {"distribution": {"kind": "normal", "mean": 0, "std": 1}}


def ishigami(u):
    x = pi * (2.0 * u - 1.0)
    return np.sin(x[:, 0]) + 7.0 * np.sin(x[:, 1]) ** 2 + 0.1 * x[:, 2] ** 4 * np.sin(x[:, 0])


def test_sobol_indices_of_ishigami_lie_within_their_confidence():
    asked = {"x1": ANGLE, "x2": ANGLE, "x3": ANGLE}
    study = {"parameters": asked, "responses": {"y": {"value": "y"}},
             "sampling": {"kind": "saltelli", "samples": 1024, "seed": 1}}  # fmt: skip
    found = ts.study(study, closed_forms.ishigami, workers=1).answers.of[""]["y"]
    for name, exact in (("first", closed_forms.FIRST), ("total", closed_forms.TOTAL)):
        for index, value in zip(found["sobol"][name], exact, strict=True):
            assert index["low"] <= value <= index["high"]
            assert index["high"] - index["low"] < 0.2
    assert found["surrogate"]["total"] == pytest.approx(closed_forms.TOTAL, abs=0.02)
    assert found["mean"]["low"] < 3.5 < found["mean"]["high"]


def test_confidence_of_sobol_indices_is_what_it_says():
    """Of many independent studies, about 95 % of intervals hold the exact index."""
    hits = []
    for seed in range(40):
        design = Saltelli(3, 256, seed)
        found = sobol_indices(ishigami(design.rows(np.arange(design.count))), 3, 0.95, seed)
        for name, exact in (("first", closed_forms.FIRST), ("total", closed_forms.TOTAL)):
            hits += [i["low"] <= e <= i["high"] for i, e in zip(found[name], exact, strict=True)]
    assert np.mean(hits) > 0.9


def test_elementary_effects_of_a_linear_function():
    design = Morris(2, 10, 4)
    u = design.rows(np.arange(design.count))
    found = morris_effects(3.0 * u[:, 0] - 5.0 * u[:, 1], design, 0.95)
    assert [m["value"] for m in found["size"]] == pytest.approx([1.5, 2.5])
    assert found["mean"] == pytest.approx([1.5, -2.5])
    assert found["spread"] == pytest.approx([0.0, 0.0], abs=1e-12)


@pytest.mark.parametrize("statistic", ["mean", "std", "quantile", "probability"])
def test_intervals_hold_as_often_as_they_say(statistic):
    rng, hits = np.random.default_rng(5), []
    exact = {"mean": 2.0, "std": 3.0, "quantile": 2.0 + 3.0 * norm.ppf(0.9), "probability": float(norm.sf(1.5))}
    for _ in range(400):
        y = np.sort(2.0 + 3.0 * rng.standard_normal(200))
        bad = int((y > 2.0 + 3.0 * 1.5).sum())
        found = {
            "mean": lambda y=y: mean_of(y, 0.95), "std": lambda y=y: std_of(y, 0.95),
            "quantile": lambda y=y: quantile_of(y, 0.9, 0.95),
            "probability": lambda bad=bad: probability_of(bad, 200, 0.95),
        }[statistic]()  # fmt: skip
        hits.append(found["low"] <= exact[statistic] <= found["high"])
    assert 0.92 <= np.mean(hits) <= 0.995


def test_what_has_no_value_violates_its_limit():
    found = described(np.array([1.0, 2.0, 3.0, np.nan]), (-np.inf, 2.5), (0.5,), 0.95)
    assert found["violation"]["count"] == 2
    assert found["valued"] == 3
    assert found["margin"]["worst"] == -0.5
    assert probability_of(0, 30, 0.95)["high"] == pytest.approx(1.0 - 0.025 ** (1 / 30))


def test_a_polynomial_finds_a_polynomial():
    u = np.random.default_rng(0).random((60, 2))
    z = norm.ppf(u[:, 1])
    made = fitted(u, (2.0 * u[:, 0] - 1.0) ** 2 + 0.5 * z**3, np.array([True, False]))
    assert made.error < 1e-8
    assert made.mean == pytest.approx(1.0 / 3.0)
    assert made.variance == pytest.approx(4.0 / 45.0 + 0.25 * 15.0)
    v = np.array([[0.3, 0.9]])
    assert made(v)[0] == pytest.approx(0.16 + 0.5 * norm.ppf(0.9) ** 3)


def test_the_error_of_a_polynomial_is_that_of_samples_it_has_not_seen():
    rng = np.random.default_rng(1)
    u = rng.random((200, 1))
    made = fitted(u, (u[:, 0] > 0.5).astype(float), np.array([True]))
    v = rng.random((4000, 1))
    fresh = np.sqrt(np.mean((made(v) - (v[:, 0] > 0.5)) ** 2)) / 0.5
    assert made.error == pytest.approx(fresh, rel=0.2)


def test_a_normal_tail_of_1e_4_lies_within_its_interval():
    level = float(norm.isf(1e-4))
    study = {"parameters": {"a": STANDARD, "b": STANDARD},
             "responses": {"y": {"value": "y", "limit": {"max": level}}},
             "sampling": {"kind": "subset", "samples": 1000, "response": "y", "seed": 3}}  # fmt: skip
    found = ts.study(study, closed_forms.tail, workers=1)
    assert found.rare["low"] < 1e-4 < found.rare["high"]
    assert found.rare["high"] < 4.0 * found.rare["low"]
    assert len(found.samples) < 6000


def test_intervals_of_rare_events_hold_as_often_as_they_say():
    level, hits, found = float(norm.isf(1e-4)), [], []
    for seed in range(60):
        rare = subset_simulation(lambda _, z: level - z.sum(axis=1) / 2.0, 4, 1000, 10, seed)
        low, high = rare.interval(0.95)
        hits.append(low <= 1e-4 <= high)
        found.append(rare.probability)
    assert np.mean(hits) > 0.85
    assert np.mean(found) == pytest.approx(1e-4, rel=0.2)


def test_a_limit_out_of_reach_is_told():
    rare = subset_simulation(lambda _, z: 100.0 - z[:, 0], 1, 100, 3, 0)
    assert not rare.reached
    assert rare.probability == pytest.approx(1e-3, rel=0.5)
