"""Mistakes in model files are answered with lines that name the fault, exit code 2 and no traceback."""

import pytest
from typer.testing import CliRunner

from tapespring.cli import app

HEAD = "gravity: [0, 0, -9.81 m/s^2]\n"
BAR = "{kind: rigid, mass: 1 kg, inertia: [0.1, 0.1, 0.1], at: [1, 0, 0]}"
END = "simulate: {duration: 0.1 s}\n"


def bar(entry: str) -> str:
    return f"{HEAD}bodies:\n  bar: {entry}\n{END}"


def hinge(entry: str) -> str:
    return f"{HEAD}bodies:\n  bar: {BAR}\njoints:\n  hinge: {entry}\n{END}"


MISTAKES = {
    "negative mass": (bar(BAR.replace("1 kg", "-1 kg")), "bodies.bar.mass"),
    "NaN mass": (bar(BAR.replace("1 kg", ".nan")), "bodies.bar.mass"),
    "impossible inertia": (bar(BAR.replace("[0.1, 0.1, 0.1]", "[0.1, 0.1, 0.3]")), "triangle inequality"),
    "unknown field": (bar(BAR.replace("mass:", "mas:")), "did you mean 'mass'?"),
    "wrong unit": (bar(BAR.replace("1 kg", "1 m")), "bodies.bar.mass"),
    "dangling reference": (hinge("{kind: revolute, between: [ground, ber], axis: y}"), "'bar'"),
    "duplicate name": (
        hinge("{kind: spherical, between: [ground, bar]}").replace("hinge:", "bar:"),
        "given twice",
    ),
    "key written twice": (f"{HEAD}bodies:\n  bar: {BAR}\n  bar: {BAR}\n{END}", "bar"),
    "zero axis": (hinge("{kind: revolute, between: [ground, bar], at: [0, 0, 0], axis: [0, 0, 0]}"), "axis"),
    "zero-length rod": (hinge("{kind: distance, between: [{on: bar, at: [-1, 0, 0]}, ground]}"), "zero-length rod"),
    "massless free body": (bar("{kind: rigid, at: [1, 0, 0]}"), "massless body"),
    "unknown kind": (bar("{kind: rigit, mass: 1}"), "did you mean 'rigid'?"),
    "not YAML": ("bodies: {bar: [1, 2\n", "not YAML"),
    "not a mapping": ("- 1\n- 2\n", "the top level is a list"),
    "nothing in it": ("", "the file is empty"),
}


@pytest.mark.parametrize("command", ["check", "run"])
@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistake(mistake, command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text, words = MISTAKES[mistake]
    (tmp_path / "model.yaml").write_text(text)
    done = CliRunner().invoke(app, [command, "model.yaml"], catch_exceptions=False)
    assert done.exit_code == 2
    assert "model.yaml" in done.stderr
    assert words in done.stderr
    assert "Traceback" not in done.output
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("t,f\n0,0\n0.1,\n0.2,1\n", "row 3"),
        ("t,f\n0,0\n0.2,1\n0.1,2\n0.3,0\n", "not increasing at row 4"),
        ("t,f\n0,0\n0.1,many\n", "row 3"),
    ],
    ids=["gap", "unsorted time", "words"],
)
def test_table_file(rows, words, tmp_path):
    (tmp_path / "push.csv").write_text(rows)
    load = "{kind: load, on: bar, force: [{csv: push.csv, time: t, column: f}, 0, 0]}"
    (tmp_path / "model.yaml").write_text(f"bodies:\n  bar: {BAR}\nforces:\n  push: {load}\n{END}")
    done = CliRunner().invoke(app, ["check", str(tmp_path / "model.yaml")], catch_exceptions=False)
    assert done.exit_code == 2
    assert words in done.stderr
    assert "push.csv" in done.stderr


def test_all_mistakes_in_one_go(tmp_path):
    text = bar(BAR.replace("1 kg", "-1 kg").replace("at:", "att:"))
    (tmp_path / "model.yaml").write_text(text)
    done = CliRunner().invoke(app, ["check", str(tmp_path / "model.yaml")])
    assert len(done.stderr.strip().splitlines()) == 2


def test_no_such_file(tmp_path):
    (tmp_path / "pendulum.yaml").write_text(bar(BAR))
    done = CliRunner().invoke(app, ["run", str(tmp_path / "pendulun.yaml")])
    assert done.exit_code == 2
    assert "did you mean 'pendulum.yaml'?" in done.stderr


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("bodies.bar.mass", "write a path and a value"),
        ("bodies.ber.mass=1", "did you mean"),
        ("bodies.bar.mass=-1", "mass"),
    ],
)
def test_changes(change, words, tmp_path):
    (tmp_path / "model.yaml").write_text(bar(BAR))
    done = CliRunner().invoke(app, ["run", str(tmp_path / "model.yaml"), "--set", change])
    assert done.exit_code == 2
    assert words in done.stderr


@pytest.mark.parametrize("option", [("--solver", "magic"), ("--duration", "1 kg"), ("--duration", "-1 s")])
def test_settings(option, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model.yaml").write_text(bar(BAR))
    done = CliRunner().invoke(app, ["run", "model.yaml", *option], catch_exceptions=False)
    assert done.exit_code == 2
    assert "simulate." in done.stderr
