"""The seatbelt regression: the optimum of an independent study from everywhere, and its standard deviations.

Reference values were found by another program (another integrator, another least-squares code) on the same record.
"""

from pathlib import Path

import numpy as np
import pytest

import tapespring as ts
from tapespring import fitting
from tapespring.fitting.matching import Matching
from tapespring.fitting.study import FitFile
from tapespring.schema.source import read_yaml

STUDIES = Path(fitting.__file__).parent / "studies"
BEST = {
    "k0": 0.02331094505827436, "k1": 5.392264824451478, "k4": 1000.3039202893389, "b0": 0.00019827675946766025,
    "b1": 0.013211185946126528, "l": 0.026210510852484416,
}  # fmt: skip
COST = 1.874873765498911e-05  # Eq. 47
TRUE = {"k0": 0.0172, "k1": 5.62, "k4": 910.0, "b0": 0.000201, "b1": 0.0127, "l": 0.0263}
STD = {
    "k0": 0.17223401361833945, "k1": 0.017134250962929358, "k4": 0.1290585496985223, "b0": 0.09931566407758706,
    "b1": 0.05620095232761593, "l": 0.007771303093225743,
}  # fmt: skip
LEVEL = {
    ("k0", "k1"): -0.7357621137462288, ("k0", "k4"): 0.7442852121079956, ("l", "k4"): 0.8422169186457961,
    ("b0", "b1"): -0.7342712096470367,
}  # fmt: skip


def study(**changes) -> dict:
    return read_yaml(STUDIES / "seatbelt.yaml").data | changes


def with_noise_stated(column: str) -> dict:
    data = study()
    (measured,) = data["experiments"]["stop"]["measured"]
    measured |= {"column": column, "noise": "0.005 rad"}
    return data


@pytest.fixture(scope="module")
def found():
    return ts.fit(STUDIES / "seatbelt.yaml")


def test_the_published_guess_leads_to_the_optimum(found):
    assert found.converged
    assert found.solutions <= 60
    assert found.integrals[0] == pytest.approx(COST, rel=1e-7)
    for name, value in BEST.items():
        assert found[name] == pytest.approx(value, rel=2e-4)  # a thousandth of a standard deviation for most


def test_the_source_of_the_cost_is_equation_47():
    """The cost at the reference's optimum, with the weights 10 and 1 and the trapezoidal rule in each interval."""
    matching = Matching(FitFile.read(STUDIES / "seatbelt.yaml"))
    (predicted,) = matching.predicted(np.array(list(BEST.values())))
    (record,) = matching.records
    assert record.integral(predicted - record.values) == pytest.approx(COST, rel=1e-7)


def test_standard_deviations_are_those_of_the_weighted_estimate():
    """On data without noise, so that the optimum is the truth, with the noise that is stated."""
    found = ts.fit(with_noise_stated("angle_without_noise"), folder=STUDIES)
    for name, value in TRUE.items():
        assert found[name] == pytest.approx(value, rel=1e-4)
    for k, name in enumerate(found.parameters):
        assert found.relative_std[k] == pytest.approx(STD[name], rel=0.01)


def test_correlations_with_noise_stated():
    data = with_noise_stated("angle_without_noise")
    del data["experiments"]["stop"]["measured"][0]["weights"]
    found = ts.fit(data, folder=STUDIES)
    for (a, b), wanted in LEVEL.items():
        i, j = found.parameters.index(a), found.parameters.index(b)
        assert found.correlation[i, j] == pytest.approx(wanted, abs=0.01)


def test_what_the_data_fix_is_said_in_words(found):
    assert any(s.startswith("l is fixed to ±0.0004 m") or s.startswith("l is fixed to ±0.00039 m")
               for s in found.statements)  # fmt: skip
    assert any("k0 is fixed only to" in s for s in found.statements)


def test_a_wrong_mass_cannot_be_seen_and_is_said_so(found):
    """Stiffness and damping are per mass in these equations: 10 % more mass is 10 % more of them."""
    (said,) = [w for w in found.warnings if "bodies.bob.mass" in w]
    assert "cannot tell" in said
    heavier = study()
    heavier["experiments"]["stop"]["sets"] = {"bodies.bob.mass": 0.032 * 1.1}
    other = ts.fit(heavier, folder=STUDIES)
    assert other.cost == pytest.approx(found.cost, rel=1e-6)
    for name in ("k0", "k1", "k4", "b0", "b1"):
        assert other[name] == pytest.approx(1.1 * found[name], rel=2e-3)


@pytest.mark.slow
def test_24_random_starts_all_lead_to_the_optimum():
    data = study(search={"starts": 25, "spread": 5, "solutions": 60})
    found = ts.fit(data, folder=STUDIES)
    assert [s["status"] for s in found.starts] == ["converged"] * 25
    assert max(s["solutions"] for s in found.starts) <= 60
    for start in found.starts:
        assert start["values"] == pytest.approx(list(BEST.values()), rel=1e-3)
    assert not any("optima" in w for w in found.warnings)


def test_simplex_finds_the_same_place_with_many_more_solutions():
    near = study(search={"method": "simplex", "solutions": 2500, "accuracy": 1e-7})
    for name, value in BEST.items():
        near["parameters"][name]["guess"] = value * 1.1
    found = ts.fit(near, folder=STUDIES)
    assert found.solutions > 200
    assert found.integrals[0] == pytest.approx(COST, rel=1e-6)
