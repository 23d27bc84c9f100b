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
    refused = tapespring("check", hanging)
    assert refused.exit_code == 2
    assert "duration" in refused.output
    done = tapespring("check", hanging, "--duration", "1 s")
    assert done.exit_code == 0
    assert "ok (1 body, 1 joint)" in done.stdout
    assert json.loads(tapespring("check", hanging, "--duration", "1 s", "--json").stdout)["counts"] == {
        "bodies": 1,
        "joints": 1,
    }


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


COLUMN = """
bodies:
  column:
    kind: beam
    path: [[0, 0, 0], [1 m, 0, 0]]
    elements: 8
    section: {kind: rectangle, width: 20 mm, thickness: 2 mm}
    material: {young: 70 GPa, poisson: 0.3, density: 2700 kg/m^3}
joints: {clamp: {kind: fixed, between: [ground, column.start]}}
forces: {press: {kind: load, on: column.end, force: ['-t', 0, 0]}}
simulate: {duration: 1 s, solver: quasi-static, outputs: 1}
"""
EULER = pi**2 / 4 * 70e9 * 0.02 * 0.002**3 / 12


@pytest.fixture
def column(tmp_path) -> Path:
    path = tmp_path / "column.yaml"
    path.write_text(COLUMN)
    return path


def test_buckling(column):
    found = json.loads(tapespring("buckling", column, "--count", 2, "--json").stdout)
    assert found["time_s"] == 0.0
    assert [b["about"] for b in found["buckling"]] == ["column moves along z"] * 2
    assert found["buckling"][0]["critical_time_s"] == pytest.approx(EULER, rel=1e-4)
    later = json.loads(tapespring("buckling", column, "--at", "1 s", "--json").stdout)
    assert later["time_s"] == 1.0
    assert later["buckling"][0]["critical_time_s"] == pytest.approx(EULER, rel=1e-4)
    assert "critical time [s]" in tapespring("buckling", column, "--at-end").stdout


def test_modes_of_loaded_and_spinning_models(column, tmp_path):
    unloaded = frequencies(column, "--count", 2)[0]
    at_end = frequencies(column, "--count", 2, "--at-end")[0]
    assert at_end / unloaded == pytest.approx(sqrt(1 - 1 / EULER), rel=3e-2)  # nearly
    assert frequencies(column, "--count", 2, "--at", "1 s")[0] == pytest.approx(at_end, rel=1e-6)
    tapespring("run", column, "--out", tmp_path / "column.nc", "-q")
    assert frequencies(column, "--count", 2, "--state", tmp_path / "column.nc")[0] == pytest.approx(at_end, rel=1e-6)
    assert frequencies(column, "--count", 2, "--spin", "z 100 rpm")[0] > unloaded
    assert "column moves along z" in tapespring("modes", column).stdout


def test_two_places_at_once_are_refused(column):
    done = tapespring("modes", column, "--at-end", "--at", "1 s")
    assert done.exit_code == 2
    assert "--at and --at-end" in done.stderr


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


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("tape_spring", "radius"),
        ("rectangle", "thickness"),
        ("simulate", "max_step"),
        ("stages", "at_rest"),
        ("hertz", "n"),
    ],
)
def test_parts_of_kinds_and_settings_are_told(name, words):
    done = tapespring("kinds", name)
    assert done.exit_code == 0
    assert words in done.stdout
    assert words in json.loads(tapespring("kinds", name, "--json").stdout)["fields"] or name == "hertz"


def test_a_name_of_several_parts_tells_all():
    told = json.loads(tapespring("kinds", "tube", "--json").stdout)
    assert {part["section"] for part in told} >= {"sections", "meshes"}
