"""Mistakes in a study are told with their line before anything runs."""

import pytest

import tapespring as ts
from tapespring.studies import trial

CASES = {
    "unknown path": (
        ("forces.coil.stiffness,", "forces.coil.stifness,"),
        "study.yaml:4: parameters.k.path: nothing is written at forces.coil.stifness; did you mean 'stiffness'?",
    ),
    "unknown part": (
        ("bodies.block.mass", "bodies.blok.mass"),
        "study.yaml:5: parameters.mass.path: there is no 'blok' under 'bodies'; did you mean 'block'?",
    ),
    "impossible distribution": (
        ("low: 80 N/m, high: 120 N/m", "low: 120 N/m, high: 80 N/m"),
        "study.yaml:4: parameters.k.distribution: low = 120 is not below high = 80",
    ),
    "negative spread": (("std: 20 g", "std: -20 g"), "parameters.mass.distribution: the std -0.02 must be positive"),
    "two dimensions": (("std: 20 g", "std: 20 mm"), "'20 mm' is not of the dimension of kg"),
    "no unit": (("std: 20 g", "std: 0.02"), "0.02 has no unit, but another number has; write '0.02 kg'"),
    "another dimension than the model's": (
        ("low: 80 N/m, high: 120 N/m", "low: 80 mm, high: 120 mm"),
        "study.yaml:4: parameters.k: the model does not take numbers in m at forces.coil.stiffness: '100 m' is a",
    ),
    "an end that the model refuses": (
        ("kind: normal, mean: 1 kg, std: 20 g", "kind: uniform, low: -1 kg, high: 1 kg"),
        "study.yaml:5: parameters.mass: the model does not take -1 kg at bodies.block.mass: ",
    ),
    "no number": (("max: 1.25 m", "max: abc"), "responses.most.limit: 'abc' is not a number"),
    "a time after the end": (
        ("take: max", "take: at, at: 7 s"),
        "study.yaml:8: responses.most.at: 7 s is longer than the run, 0.5 s",
    ),
    "a window longer than the run": (("take: max", "take: max, smooth: 1 s"), "responses.most.smooth: 1 s is longer"),
    "an empty part of the run": (
        ("take: max", "take: max, since: 0.3 s, until: 0.1 s"),
        "responses.most.since: since 0.3 s is not before 0.1 s",
    ),
    "an event that a variant leaves out": (
        ("sampling:", "variants: {nominal: {}, blind: {without: [back]}}\nsampling:"),
        "responses.turned.event: there is no event 'back'",
    ),
    "a variant in another dimension": (
        ("sampling:", "variants: {soft: {sets: {forces.coil.free_length: 1 kg}}}\nsampling:"),
        "study.yaml:6: variants.soft.sets.forces.coil.free_length: '1 kg' is a mass",
    ),
    "no model": (("model: model.yaml", "model: modle.yaml"), "study.yaml:2: model: no file 'modle.yaml' here; did you"),
    "unknown distribution": (("kind: normal", "kind: gauss"), "study.yaml:5: parameters.mass.distribution.kind"),
    "unknown channel": (
        ("block.position.x", "block.position.q"),
        "study.yaml:8: responses.most.channel: unknown channel 'block.position.q'; did you mean 'block.position.",
    ),
    "whole vector": (
        ("channel: block.position.x", "channel: block.position"),
        "unknown channel 'block.position'; choose one of its components, such as block.position.x",
    ),
    "unknown event": (("event: back", "event: bak"), "responses.turned.event: there is no event 'bak'; did you mean"),
    "limit of another dimension": (("max: 1.25 m", "max: 1.25 s"), "responses.most.limit: '1.25 s' is not of the"),
    "contradicting limit": (
        ("limit: {max: 1.25 m}", "limit: {max: 1.25 m, min: 2 m}"),
        "responses.most.limit: min 2 is not below max 1.25",
    ),
    "budget": (
        ("samples: 40, seed: 3}", "samples: 40, seed: 3}\nbudget: 39"),
        "study.yaml:6: sampling: this asks for 40 runs, and the budget is 39",
    ),
    "misspelt field": (("responses:", "respones:"), "respones: unknown field; did you mean 'responses'?"),
    "grid of distributions": (("kind: latin_hypercube", "kind: grid"), "a grid needs 'values' of every parameter"),
    "subset without a limit": (
        ("kind: latin_hypercube, samples: 40", "kind: subset, samples: 100"),
        "subset simulation needs 'response', one with a limit: most, turned",
    ),
    "unknown correlation": (
        ("sampling:", "correlations: [{between: [k, m], value: 0.5}]\nsampling:"),
        "correlations[0]: there is no parameter 'm'",
    ),
    "unknown variant": (
        ("sampling:", "variants: {cut: {without: [coyl]}}\nsampling:"),
        "variants.cut.without[0]: there is no joint, drive, force, contact or event 'coyl'; did you mean 'coil'?",
    ),
    "unknown solver": (("model: model.yaml", "model: model.yaml\nsimulate: {solver: best}"), "study.yaml:3: simulate"),
    "no function": (("model: model.yaml", "model: closed_forms.py:ishigamy"), "did you mean 'ishigami'?"),
    "function that fails": (
        ("model: model.yaml", "model: closed_forms.py:broken"),
        "study.yaml:2: model: the function fails at the medians of its parameters: KeyError: 'nothing'",
    ),
    "taken name": (("  turned:", "  sample:"), "responses.sample: the name 'sample' is taken; choose another"),
    "no fit": (
        ("distribution: {kind: normal, mean: 1 kg, std: 20 g}", "distribution: {kind: fitted, file: a.fit.json}"),
        "`tapespring fit` writes it",
    ),
}


@pytest.mark.parametrize(
    "written",
    [
        "[]", "3", "nothing", "[" * 100_000, '{"parameters": 1, "correlation": 2}', '{"parameters": {"mass": 1}}',
        '{"parameters": {"mass": {"value": "x", "std": 1, "relative_std": 1, "unit": "kg"}}, "correlation": [[1]]}',
        '{"parameters": {"mass": {"value": 1, "std": 1, "relative_std": 1, "unit": 5}}, "correlation": [[1]]}',
        '{"parameters": {"mass": {"value": 1, "std": 1, "relative_std": 1, "unit": "kg"}}, "correlation": [1]}',
    ],
)  # fmt: skip
def test_what_is_no_fit(written, folder):
    (folder / "a.fit.json").write_text(written)
    (old, new), _ = CASES["no fit"]
    (folder / "study.yaml").write_text((folder / "study.yaml").read_text().replace(old, new))
    with pytest.raises(ts.ModelError, match=r"study.yaml:5: .*is not what `tapespring fit` writes; run the fit again"):
        ts.study("study.yaml", workers=1)


@pytest.mark.parametrize("name", CASES)
def test_mistakes_are_told_before_anything_runs(name, folder, monkeypatch):
    for method in ("run", "run_all"):
        monkeypatch.setattr(trial.Trial, method, lambda *_: pytest.fail("it ran"))
    (old, new), words = CASES[name]
    text = (folder / "study.yaml").read_text()
    assert old in text
    (folder / "study.yaml").write_text(text.replace(old, new))
    with pytest.raises(ts.ModelError) as error:
        ts.study("study.yaml", workers=1, allow_python=True)
    assert words in str(error.value)


def test_correlations_that_cannot_be():
    pairs = [(["a", "b"], 0.9), (["b", "c"], 0.9), (["a", "c"], -0.9)]
    uniform = {"distribution": {"kind": "uniform", "low": 0, "high": 1}}
    study = {"parameters": dict.fromkeys("abc", uniform), "responses": {"y": {"value": "y"}},
             "correlations": [{"between": between, "value": value} for between, value in pairs]}  # fmt: skip
    with pytest.raises(ts.ModelError, match="correlations: no numbers are correlated like this"):
        ts.study(study, lambda a, b, c: {"y": a + b + c}, workers=1)


def test_more_grid_points_than_the_budget(folder, monkeypatch):
    for name in ("run", "run_all"):
        monkeypatch.setattr(trial.Trial, name, lambda *_: pytest.fail("it ran"))
    many = list(range(2000))
    study = {"parameters": {"a": {"values": many}, "b": {"values": many}}, "sampling": {"kind": "grid"},
             "responses": {"y": {"value": "y"}}}  # fmt: skip
    with pytest.raises(ts.ModelError, match="this asks for 4000000 runs, and the budget is 100000"):
        ts.study(study, lambda a, b: {"y": a + b}, workers=1)
