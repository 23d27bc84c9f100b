"""Every published problem within its tolerances, and the form in which comparisons are given."""

import json

import pytest

from tapespring.bench import UnknownCaseError, find_case, registry, run_case
from tapespring.bench.case import MARKS

KEYS = {"name", "value", "unit", "reference", "source", "mark", "tolerance", "ok", "run"}

LONG = {
    "jpl_fabric", "modes_gap_impact", "pinched_cylinder", "pinched_semicylinder", "pinched_semicylinder_layers",
    "variant_bloom", "variant_bump", "variant_fabric", "variant_fabric_cord",
    "variant_pendulum", "variant_shell_straps",
}  # half a minute and more  # fmt: skip
EVERY = [pytest.param(name, marks=pytest.mark.slow) if name in LONG else name for name in registry()]


@pytest.mark.parametrize("name", EVERY)
def test_case_is_within_tolerance(name):
    outcome = run_case(name)
    assert list(outcome) == ["case", "ok", "cpu_s", "quantities", "runs"]
    assert outcome["case"] == name
    assert outcome["cpu_s"] >= 0.0
    json.dumps(outcome)
    assert all(set(quantity) == KEYS for quantity in outcome["quantities"])
    out = [f"{q['name']}: {q['value']} for {q['reference']}" for q in outcome["quantities"] if not q["ok"]]
    assert not out
    assert outcome["ok"]


@pytest.mark.parametrize("name", registry())
def test_references_say_where_they_come_from(name):
    quantities = list(find_case(name).quantities())
    assert quantities
    assert len({quantity.name for quantity in quantities}) == len(quantities)
    for quantity in quantities:
        assert quantity.mark in MARKS
        assert quantity.source
        assert quantity.tolerance > 0.0
        assert quantity.run in find_case(name).models


@pytest.mark.parametrize("name", registry())
def test_models_are_sound_and_can_be_written(name):
    for build in find_case(name).models.values():
        model = build()
        assert type(model).from_text(model.to_yaml()) == model


def test_wrong_physics_is_out_of_tolerance(monkeypatch):
    """The comparison can fail: a pendulum under another gravity is not A01."""
    from dataclasses import replace

    case = find_case("a01")
    heavier = replace(case, models={"": lambda: case.models[""]().set("gravity", [0, -9.82, 0])})
    monkeypatch.setitem(registry(), "a01", heavier)
    outcome = run_case("a01")
    assert not outcome["ok"]
    assert not any(q["ok"] for q in outcome["quantities"] if q["name"].startswith("x at 10"))


def test_a_run_that_ends_early_is_no_success(monkeypatch):
    from dataclasses import replace

    case = find_case("a01")
    stop = {"watch": "bob.position.x", "stop": True}
    short = replace(case, models={"": lambda: case.models[""]().set("events.lowest", stop)})
    monkeypatch.setitem(registry(), "a01", short)
    outcome = run_case("a01")
    assert not outcome["ok"]
    assert outcome["quantities"][0]["value"] is None


def test_progress_runs_from_0_to_1_over_all_models():
    told = []
    run_case("joints_adams", progress=lambda fraction, text: told.append(fraction))
    assert told == sorted(told)
    assert told[-1] == pytest.approx(1.0)


def test_unknown_case_is_answered_with_a_suggestion():
    with pytest.raises(UnknownCaseError, match=r"no benchmark case 'a1'; did you mean 'a01'\?"):
        run_case("a1")
