"""Samples: distributions, designs, and that each depends on its seed and index alone."""

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from tapespring.schema.source import Source
from tapespring.studies.file import SweepFile
from tapespring.studies.plan import Plan


def plan(parameters, folder=Path(), **more):
    data = {"model": "none", "parameters": parameters, "responses": {"y": {"value": "y"}}} | more
    return Plan(SweepFile(Source(data), folder))


def scattered(distribution, count=4000):
    made = plan({"a": {"distribution": distribution}}, sampling={"kind": "random", "samples": count, "seed": 2})
    return made.rows(np.arange(count))[:, 0]


@pytest.mark.parametrize(
    ("written", "exact"),
    [
        ({"kind": "uniform", "low": "1 mm", "high": "3 mm"}, stats.uniform(1e-3, 2e-3)),
        ({"kind": "normal", "mean": 5, "std": 2}, stats.norm(5, 2)),
        ({"kind": "normal", "mean": 0, "std": 1, "low": 0}, stats.truncnorm(0, np.inf)),
        ({"kind": "triangular", "low": 0, "mode": 1, "high": 4}, stats.triang(0.25, 0, 4)),
        ({"kind": "lognormal", "mean": 2, "std": 1}, stats.lognorm(np.sqrt(np.log(1.25)), 0, 2 / np.sqrt(1.25))),
    ],
)
def test_distributions_are_theirs(written, exact):
    values = scattered(written)
    assert stats.kstest(values, exact.cdf).pvalue > 1e-3
    assert values.mean() == pytest.approx(exact.mean(), abs=4 * exact.std() / np.sqrt(len(values)))


def test_a_table_has_its_probabilities():
    values = scattered({"kind": "table", "values": [3, 1, 2], "probabilities": [0.2, 0.5, 0.3]})
    assert [np.mean(values == v) for v in (3, 1, 2)] == pytest.approx([0.2, 0.5, 0.3], abs=0.03)


@pytest.mark.parametrize("kind", ["random", "sobol", "latin_hypercube", "saltelli", "morris"])
def test_a_sample_depends_on_seed_and_index_alone(kind):
    uniform = {"distribution": {"kind": "uniform", "low": 0, "high": 1}}
    made = plan({"a": uniform, "b": uniform}, sampling={"kind": kind, "samples": 64, "seed": 5})
    whole = made.rows(np.arange(made.count))
    assert np.array_equal(made.rows([7, 3, 50]), whole[[7, 3, 50]])
    other = plan({"a": uniform, "b": uniform}, sampling={"kind": kind, "samples": 64, "seed": 6})
    assert not np.array_equal(other.rows([3]), whole[[3]])


def test_more_samples_keep_the_first_ones():
    uniform = {"a": {"distribution": {"kind": "uniform", "low": 0, "high": 1}}}
    for kind in ("random", "sobol"):
        few, many = (plan(uniform, sampling={"kind": kind, "samples": n}) for n in (10, 9000))
        assert np.array_equal(few.rows(range(10)), many.rows(range(9000))[:10])
        assert few.mark() == many.mark()
    few, many = (plan(uniform, sampling={"kind": "latin_hypercube", "samples": n}) for n in (10, 20))
    assert few.mark() != many.mark()


def test_a_latin_hypercube_has_one_sample_per_slice():
    uniform = {"distribution": {"kind": "uniform", "low": 0, "high": 1}}
    made = plan({"a": uniform, "b": uniform}, sampling={"kind": "latin_hypercube", "samples": 50})
    rows = made.rows(np.arange(50))
    for column in rows.T:
        assert sorted((50 * column).astype(int)) == list(range(50))


def test_a_grid_goes_through_all_values():
    made = plan({"a": {"values": [1, 2]}, "b": {"values": ["3 mm", "4 mm", "5 mm"]}}, sampling={"kind": "grid"})
    assert made.count == 6
    expected = [[a, b] for a in (1.0, 2.0) for b in (0.003, 0.004, 0.005)]
    assert made.rows(range(6)).tolist() == expected


def test_correlated_parameters():
    normal, uniform = {"kind": "normal", "mean": 1, "std": 2}, {"kind": "uniform", "low": 0, "high": 1}
    made = plan(
        {"a": {"distribution": normal}, "b": {"distribution": uniform}},
        correlations=[{"between": ["a", "b"], "value": 0.8}], sampling={"kind": "random", "samples": 20000},
    )  # fmt: skip
    a, b = made.rows(np.arange(20000)).T
    assert stats.kstest(b, stats.uniform().cdf).pvalue > 1e-3
    # Spearman's rho of a Gaussian copula: 6/π asin(r/2)
    assert stats.spearmanr(a, b)[0] == pytest.approx(6.0 / np.pi * np.arcsin(0.4), abs=0.01)
