"""What a run is said to be worth."""

import numpy as np
import pytest
from drawn_runs import everything

from tapespring.results import EnergyAudit, Status
from tapespring.results.trust import findings


def level_of(results, title):
    return next(f.level for f in findings(results) if f.title.startswith(title))


def test_a_sound_run_is_good_and_says_what_was_not_checked():
    verdict = everything().verdict
    found = verdict.findings
    assert verdict.level == "good"
    assert {f.level for f in found} == {"good", "open"}
    assert [f.title for f in found if f.level == "open"] == ["Refinement"]


def test_energy_from_nowhere_is_bad_and_stands_first():
    verdict = everything(bad=True).verdict
    found = verdict.findings
    assert found[0].level == "bad"
    assert found[0].title == "Energy balance"
    assert verdict.level == "bad"
    assert verdict.sentence == "Do not trust these numbers: look at energy balance."


@pytest.mark.parametrize(("taken", "level"), [(1e-4, "good"), (0.05, "fair"), (0.5, "bad")])
def test_numerical_damping_by_its_share_of_what_is_exchanged(taken, level):
    run = everything()
    t = run.time
    run.audit = EnergyAudit(t, 10.0 - (10.0 + taken * 10.0) * t / 2.0, 10.0 * t / 2.0, numerical=taken * 10.0 * t / 2.0)
    assert level_of(run, "Energy balance") == "good"
    assert level_of(run, "Numerical damping") == level


@pytest.mark.parametrize(("drift", "level"), [(1e-9, "good"), (1e-4, "fair"), (0.1, "bad"), (np.nan, "bad")])
def test_joints_by_their_drift_over_the_size_of_the_model(drift, level):
    run = everything()
    run.violation = {"position": drift}
    assert level_of(run, "Joints") == level


def test_contacts_that_were_complained_of_or_gone_through():
    run = everything()
    assert level_of(run, "Contact 'floor'") == "good"
    run.notes.append("contact 'floor': a touch lasts 2.0 steps only; shorten the step")
    assert level_of(run, "Contact 'floor'") == "fair"
    run.contacts["floor"]["depth_by_feature"] = 1.5
    assert level_of(run, "Contact 'floor'") == "bad"


def test_a_run_that_did_not_end_or_is_not_finite_is_bad():
    run = everything()
    run.status = Status(False, "diverged", "t = 1 s: the step became too small", 1.0)
    assert level_of(run, "Completion") == "bad"
    run["bob.position"].values[-1] = np.nan
    assert level_of(run, "Motion") == "bad"


def test_without_an_audit_nobody_looked():
    run = everything()
    run.audit = None
    assert level_of(run, "Energy balance") == "open"
    assert run.verdict.level == "good"


@pytest.mark.parametrize(("share", "level"), [(1e-3, "good"), (0.1, "fair"), (0.9, "bad")])
def test_a_refined_run_says_how_much_a_finer_one_differs(share, level):
    run = everything()
    entry = {"unit": "N", "largest": 50.0, "of_largest": 1.0, "rms": 50.0 * share, "error": 2.0, "time": 0.5}
    rounding = entry | {"largest": 1e-12, "rms": 1e-12}
    run.errors = {"floor.normal": entry, "floor.friction": rounding}
    assert level_of(run, "Refinement") == level
    words = next(f.words for f in findings(run) if f.title == "Refinement")
    assert "floor.normal" in words
    assert "floor.friction" not in words
