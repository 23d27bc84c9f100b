"""Mismatch of model and data is flagged; the optimum itself may look fine."""

import numpy as np
import pytest

import tapespring as ts

MODEL = """
name: Mass on a spring
bodies:
  block: {kind: rigid, mass: 2 kg, inertia: [1, 1, 1]}
joints:
  rail: {kind: prismatic, between: [ground, block], at: [0, 0, 0], axis: x}
forces:
  coil: {kind: spring, between: [{on: ground, at: [-1, 0, 0]}, block], stiffness: 50 N/m, damping: 1.5 N s/m,
         free_length: 0.8 m}
simulate: {duration: 4 s, solver: ode}
"""
K, C, M, X = 50.0, 1.5, 2.0, -0.2
NOISE = 1e-3


def motion(t: np.ndarray) -> np.ndarray:
    """Closed form of the damped oscillation from rest at 0 about X."""
    a = C / (2.0 * M)
    w = np.sqrt(K / M - a * a)
    return X - X * np.exp(-a * t) * (np.cos(w * t) + a / w * np.sin(w * t))


@pytest.fixture
def bench(tmp_path):
    """A function that writes a record and fits."""
    (tmp_path / "model.yaml").write_text(MODEL)
    t = np.arange(401) * 0.01
    noise = NOISE * np.random.default_rng(3).standard_normal(len(t))

    def run(changed=lambda x: x, **more):
        rows = "\n".join(f"{a:.4f},{b:.9f}" for a, b in zip(t, changed(motion(t) + noise), strict=True))
        (tmp_path / "data.csv").write_text(f"t,x\n{rows}\n")
        study = {
            "model": "model.yaml",
            "parameters": {"c": {"path": "forces.coil.damping", "guess": "1 N s/m"}},
            "experiments": {"pull": {"data": "data.csv", "time": "t", "measured": [
                {"channel": "rail.position", "column": "x", "unit": "m", "noise": "1 mm"}]}},
        } | more  # fmt: skip
        return ts.fit(study, folder=tmp_path)

    return run


def test_a_right_model_is_not_doubted(bench):
    found = bench()
    assert found["c"] == pytest.approx(C, abs=4 * found.std[0])
    assert found.warnings == []


def test_a_mass_wrong_by_10_percent_is_named(bench):
    pull = {"sets": {"bodies.block.mass": 2.2}}
    experiments = {"pull": {"data": "data.csv", "time": "t", **pull, "measured": [
        {"channel": "rail.position", "column": "x", "unit": "m", "noise": "1 mm"}]}}  # fmt: skip
    found = bench(experiments=experiments, assumed=["bodies.block.mass"])
    assert any("times the noise" in w for w in found.warnings)
    assert any("follow a pattern" in w for w in found.warnings)
    (asked,) = [w for w in found.warnings if "the data ask for bodies.block.mass" in w]
    assert "-" in asked


def test_an_offset_of_the_sensor_is_named(bench):
    found = bench(lambda x: x + 0.01)
    (said,) = [w for w in found.warnings if "an offset of 0.0" in w]
    assert "check the sensor" in said


def test_clipped_data_are_named(bench):
    found = bench(lambda x: np.maximum(x, -0.33))
    (said,) = [w for w in found.warnings if "clipped" in w]
    assert "exactly -0.33" in said


def test_an_offset_that_is_a_parameter_is_found(bench):
    parameters = {"c": {"path": "forces.coil.damping", "guess": "1 N s/m"},
                  "zero": {"guess": "0 m", "scale": "linear", "typical": "1 mm"}}  # fmt: skip
    experiments = {"pull": {"data": "data.csv", "time": "t", "measured": [
        {"channel": "rail.position", "column": "x", "unit": "m", "noise": "1 mm", "offset": "zero"}]}}  # fmt: skip
    found = bench(lambda x: x + 0.01, parameters=parameters, experiments=experiments)
    assert found["zero"] == pytest.approx(0.01, abs=4 * found.std[1])
    assert found.std[1] == pytest.approx(NOISE / np.sqrt(401), rel=0.1)
    assert found.warnings == []


def test_two_experiments_tell_more_than_one(bench, tmp_path):
    """A second pull, of twice the length by another free length of the spring, halves the doubt."""
    t = np.arange(401) * 0.01
    softer = motion(t) * 2.0  # as from a rest position twice as far away
    rows = "\n".join(f"{a:.4f},{b:.9f}" for a, b in zip(t, softer, strict=True))
    (tmp_path / "far.csv").write_text(f"t,x\n{rows}\n")
    measured = [{"channel": "rail.position", "column": "x", "unit": "m", "noise": "1 mm"}]
    experiments = {
        "near": {"data": "data.csv", "time": "t", "measured": measured},
        "far": {"data": "far.csv", "time": "t", "measured": measured, "sets": {"forces.coil.free_length": "60 cm"}},
    }
    found = bench(experiments=experiments)
    assert found["c"] == pytest.approx(C, abs=4 * found.std[0])
    assert found.std[0] < 0.6 * bench().std[0]  # twice the motion is twice the signal
    assert [r.experiment for r in found.records] == ["near", "far"]


def test_an_optimum_on_a_bound_is_told(bench):
    bounded = {"c": {"path": "forces.coil.damping", "guess": "1 N s/m", "bounds": ["0.1 N s/m", "1.2 N s/m"]}}
    found = bench(parameters=bounded)
    assert found["c"] == pytest.approx(1.2, rel=1e-12)
    assert any("sits on its bound 1.2" in w for w in found.warnings)


def test_a_prior_pulls_as_its_std_says(bench):
    """Two estimates of one number combine by their inverse variances."""
    free = bench()
    sigma, mean, std = free.std[0], 1.6, 0.02
    prior = {"c": {"path": "forces.coil.damping", "guess": "1.5 N s/m", "scale": "linear",
                   "prior": {"mean": f"{mean} N s/m", "std": f"{std} N s/m"}}}  # fmt: skip
    found = bench(parameters=prior)
    weight = sigma**-2 / (sigma**-2 + std**-2)
    assert found["c"] == pytest.approx(weight * free["c"] + (1 - weight) * mean, abs=2e-4)
    assert found.std[0] == pytest.approx((sigma**-2 + std**-2) ** -0.5, rel=0.02)


def test_several_optima_are_told(bench):
    """Stiffness from a position sampled every 2 s alone: other frequencies fit the samples about as badly."""
    wide = {"k": {"path": "forces.coil.stiffness", "guess": "50 N/m"}, "c": {"path": "forces.coil.damping", "guess": 1}}
    weights = [{"from": f"{a} s", "to": f"{a + 0.02} s", "weight": 1} for a in (0.5, 2.0, 3.5)]
    experiments = {"pull": {"data": "data.csv", "time": "t", "measured": [
        {"channel": "rail.position", "column": "x", "unit": "m", "noise": "1 mm", "weights": weights}]}}  # fmt: skip
    found = bench(parameters=wide, experiments=experiments, search={"starts": 12, "spread": 6, "processes": 1})
    assert any("several optima" in w for w in found.warnings)
    assert found["k"] == pytest.approx(K, rel=0.05)


def test_an_interrupted_fit_goes_on(bench, tmp_path, monkeypatch):
    """Ctrl-C after the third solution; the second call begins where the first stopped."""
    from tapespring.fitting import search
    from tapespring.fitting.matching import Matching

    whole = bench()
    calls = []

    def stop(at):
        calls.append(at.solutions)
        if len(calls) == 2:
            raise KeyboardInterrupt

    study = {
        "model": "model.yaml",
        "parameters": {"c": {"path": "forces.coil.damping", "guess": "0.1 N s/m"}},
        "experiments": {"pull": {"data": "data.csv", "time": "t", "measured": [
            {"channel": "rail.position", "column": "x", "unit": "m", "noise": "1 mm"}]}},
    }  # fmt: skip
    with pytest.raises(KeyboardInterrupt):
        ts.fit(study, folder=tmp_path, keep=tmp_path / "kept", progress=lambda f, text: stop_when(calls))
    kept = search.Keeper(tmp_path / "kept", search.fingerprint(Matching(_file(study, tmp_path)))).load(0)
    assert 1 < kept.solutions < 10
    assert not kept.done
    again = ts.fit(study, folder=tmp_path, keep=tmp_path / "kept")
    assert again["c"] == pytest.approx(whole["c"], rel=1e-5)
    assert again.solutions > kept.solutions


def stop_when(calls: list) -> None:
    calls.append(1)
    if len(calls) == 2:
        raise KeyboardInterrupt


def _file(study, folder):
    from tapespring.fitting.study import FitFile
    from tapespring.schema.source import Source

    return FitFile(Source(study), folder)
