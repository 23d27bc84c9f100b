"""Studies that come with the package: they read, and what they find agrees with closed forms."""

from pathlib import Path

import numpy as np
import pytest

import tapespring as ts
from tapespring import fitting
from tapespring.bench.strap import THICKNESS, E, exact_force
from tapespring.schema.source import read_yaml
from tapespring.studies.asked import Asked
from tapespring.studies.file import SweepFile
from tapespring.studies.plan import Plan
from tapespring.studies.trial import Trial

FOLDER = Path(__file__).parents[2] / "examples" / "studies"
FITTED = Path(fitting.__path__[0]) / "studies" / "seatbelt_model.yaml"
ALLOWED = {"allow_python": True, "allow_outside": True}  # for the mast and for the pendulum, as documented
STUDIES = ["mast_clearance", "pendulum_bar", "seatbelt", "strap_stowing"]


def changed(name, **entries):
    return ts.study(read_yaml(FOLDER / f"{name}.yaml").data | entries, folder=FOLDER, workers=1, **ALLOWED)


@pytest.mark.parametrize("name", STUDIES)
def test_they_read(name):
    Asked(Trial(Plan(SweepFile.read(FOLDER / f"{name}.yaml", **ALLOWED))))


def test_the_seatbelt_is_the_one_that_was_fitted():
    assert (FOLDER / "seatbelt_model.yaml").read_text() == FITTED.read_text()


def test_a_stowed_strap_is_an_elastica():
    """Force at 0.3 m between pivots, proportional to E t³, for a strap that is almost straight."""
    rows = [["0.17 mm", "41.8 GPa", "0.1 mm"], ["0.19 mm", "45 GPa", "0.1 mm"]]
    found = changed("strap_stowing", sampling={"kind": "list", "rows": rows})
    exact = exact_force(0.3) * found["young"] / E * (found["thickness"] / THICKNESS) ** 3
    assert -found["halfway"] == pytest.approx(exact, rel=3e-3)


def test_the_scatter_of_locking_is_that_of_the_fit():
    """To first order its variance is g'Cg, with the covariance C that the fit found."""
    found = changed("seatbelt", sampling={"kind": "sobol", "samples": 512})
    assert not found.samples.failed.any()
    plan = Plan(SweepFile.read(FOLDER / "seatbelt.yaml"))
    trial, middle, size = Trial(plan), plan.from_unit(np.full((1, 6), 0.5))[0], 0.02
    sigma = np.array([s(0.5 + 0.3413447460685429) / s(0.5) for s in plan.scatters]) - 1.0
    slopes = []
    for k in range(6):
        ends = []
        for sign in (1.0, -1.0):
            row = middle.copy()
            row[k] *= 1.0 + sign * size
            ends.append(trial.run(row, 0).values[0])
        slopes.append((ends[0] - ends[1]) / (2.0 * size))
    correlation = plan.mixing @ plan.mixing.T
    by_slopes = np.sqrt(np.array(slopes) * sigma @ correlation @ (sigma * np.array(slopes)))
    assert found.answers.of[""]["lock"]["std"]["value"] == pytest.approx(by_slopes, rel=0.12)
    assert found.answers.of[""]["lock"]["mean"]["value"] == pytest.approx(0.02308, abs=5e-5)


def test_a_looser_mast_is_further_off():
    found = changed("mast_clearance", sampling={"kind": "list", "rows": [[1, "0.05 mm"], [1, "0.3 mm"]]})
    assert not found.samples.failed.any()
    assert found["moving"][1] > 2.0 * found["moving"][0]
    assert found["moving"][0] > 0.05e-3  # play shows as it is
