"""check, modes, equilibrium, bench, kinds and schema."""

import json
from math import pi, sqrt
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tapespring.bench import registry
from tapespring.cli import app
from tapespring.kinds.registry import kinds

HANGING = """
gravity: [0, 0, -9.81 m/s^2]
bodies: {bob: {kind: point_mass, mass: 1 kg, at: [0, 0, -2 m]}}
joints: {rod: {kind: distance, between: [ground, bob]}}
simulate: {planar: 'off'}
"""


def tapespring(*words):
    return CliRunner().invoke(app, [str(word) for word in words], catch_exceptions=False)


@pytest.fixture
def hanging(tmp_path) -> Path:
    path = tmp_path / "hanging.yaml"
    path.write_text(HANGING)
    return path


def test_check(hanging):
    done = tapespring("check", hanging)
    assert done.exit_code == 0
    assert "ok (1 bodies, 1 joints)" in done.stdout
    assert json.loads(tapespring("check", hanging, "--json").stdout)["counts"] == {"bodies": 1, "joints": 1}


def frequencies(*words):
    return [mode["frequency_hz"] for mode in json.loads(tapespring("modes", *words, "--json").stdout)["modes"]]


def test_modes(hanging):
    assert frequencies(hanging)[0] == pytest.approx(sqrt(9.81 / 2) / (2 * pi), rel=1e-6)
    assert len(frequencies(hanging, "--count", 1)) == 1
    assert "frequency [Hz]" in tapespring("modes", hanging).stdout


def test_modes_of_a_model_that_is_not_at_rest_say_so(hanging, tmp_path):
    path = tmp_path / "swinging.yaml"
    path.write_text(HANGING.replace("[0, 0, -2 m]", "[2 m, 0, 0]"))
    assert "--at-equilibrium" in tapespring("modes", path).stdout
    assert "not at rest" not in tapespring("modes", hanging).stdout
    assert "not at rest" not in tapespring("modes", path, "--at-equilibrium").stdout


def test_modes_out_of_the_plane(hanging):
    assert len(frequencies(hanging)) == 2


def test_equilibrium(tmp_path):
    path = tmp_path / "swinging.yaml"
    path.write_text(HANGING.replace("[0, 0, -2 m]", "[2 m, 0, 0]"))
    told = json.loads(tapespring("equilibrium", path, "--json").stdout)
    assert told["found"]
    assert told["centres_m"]["bob"] == pytest.approx([0, 0, -2], abs=1e-6)
    assert "bob" in tapespring("equilibrium", path).stdout


def test_bench_lists_all_cases():
    assert json.loads(tapespring("bench", "--list", "--json").stdout) == list(registry())
    assert "a03" in tapespring("bench", "--list").stdout


def test_bench_compares():
    done = tapespring("bench", "a01", "double_pendulum")
    assert done.exit_code == 0
    assert "a01: ok, 7 of 7 within tolerance" in done.stdout
    assert "reference [R]" in done.stdout
    (outcome,) = json.loads(tapespring("bench", "a01", "--json").stdout)
    assert outcome["case"] == "a01"
    assert outcome["ok"]


def test_bench_out_of_tolerance_leaves_with_1(monkeypatch):
    from dataclasses import replace

    case = registry()["a01"]
    wrong = [replace(quantity, reference=quantity.reference + 1.0) for quantity in case.quantities()]
    monkeypatch.setitem(registry(), "a01", replace(case, quantities=lambda: wrong))
    done = tapespring("bench", "a01")
    assert done.exit_code == 1
    assert "OUT OF TOLERANCE, 0 of 7" in done.stdout


def test_bench_unknown_case():
    done = tapespring("bench", "a1")
    assert done.exit_code == 2
    assert "did you mean 'a01'?" in done.stderr
    assert tapespring("bench").exit_code == 2


def test_kinds_lists_all():
    told = json.loads(tapespring("kinds", "--json").stdout)
    assert {row["kind"] for row in told} == set(kinds())
    text = tapespring("kinds").stdout
    assert all(name in text for name in kinds())


@pytest.mark.parametrize("name", kinds())
def test_kind_in_full(name):
    done = tapespring("kinds", name)
    assert done.exit_code == 0
    assert "Example:" in done.stdout
    told = json.loads(tapespring("kinds", name, "--json").stdout)
    assert told["fields"]
    assert told["section"]


def test_unknown_kind():
    done = tapespring("kinds", "revolut")
    assert done.exit_code == 2
    assert "did you mean 'revolute'?" in done.stderr


def test_schema(tmp_path):
    assert json.loads(tapespring("schema").stdout)["title"] == "tapespring model"
    assert tapespring("schema", "--out", tmp_path / "s.json").exit_code == 0
    assert json.loads((tmp_path / "s.json").read_text())["type"] == "object"
    (tmp_path / "plain").write_text("a file")
    assert tapespring("schema", "--out", tmp_path / "plain" / "s.json").exit_code == 3
