"""Model and study files from strangers: no command runs their code or opens files elsewhere, unless it is told to."""

import json
import os
from pathlib import Path

import numpy as np
import pytest
import yaml
from typer.testing import CliRunner

import tapespring as ts
from tapespring.cli import app
from tapespring.schema.folder import Folder

MARK = "it ran"
CODE = f"""\
from pathlib import Path

Path(__file__).with_name("{MARK}").touch()


def law(*numbers):
    return 0.0


def model(**numbers):
    return {{"y": 0.0}}
"""
BOB = {"bob": {"kind": "point_mass", "mass": "1 kg", "at": ["1 m", 0, 0]}}
DECK = """\
GRID,1,,0.,0.,0.
GRID,2,,1.,0.,0.
CBAR,1,1,1,2,0.,1.,0.
PBAR,1,1,1.-4,4.-8,2.-8,4.-8
MAT1,1,7.+10,,0.33,2700.
"""
INP = "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 1, 1, 0\n4, 0, 1, 0\n*ELEMENT, TYPE=S4\n1, 1, 2, 3, 4\n"


def load(force):
    return {"bodies": BOB, "forces": {"f": {"kind": "load", "on": "bob", "force": [force, 0, 0]}}}


def shell(file):
    body = {"kind": "shell", "mesh": {"kind": "file", "file": file}, "thickness": "1 mm",
            "material": {"young": "70 GPa", "poisson": 0.3, "density": 2700}}  # fmt: skip
    return {"bodies": {"plate": body}}


def nastran(file):
    return {"bodies": {"boom": {"kind": "nastran", "file": file}}}


def modal(**fields):
    return {"bodies": {"boom": {"kind": "modal", **fields}}}


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder to read models in, with what they should not reach beside it."""
    here, other = tmp_path / "here", tmp_path / "other"
    here.mkdir()
    other.mkdir()
    (here / "laws.py").write_text(CODE)
    (other / "wave.csv").write_text("t,x\n0,0\n1,1\n2,4\n3,9\n")
    (other / "deck.bdf").write_text(DECK)
    (other / "plate.inp").write_text(INP)
    (other / "model.yaml").write_text(yaml.dump(load(1.0)))
    (other / "fit.json").write_text(json.dumps({"parameters": {"m": {}}, "correlation": [[1]]}))
    (here / "deck.bdf").write_text("INCLUDE '../other/deck.bdf'\n")
    (here / "plate.inp").write_text("*INCLUDE, INPUT=../other/plate.inp\n")
    monkeypatch.chdir(here)
    return here


OUTSIDE = {
    "table": load({"csv": "../other/wave.csv", "time": "t", "column": "x"}),
    "table by a whole path": load({"csv": "/etc/passwd"}),
    "mesh": shell("../other/plate.inp"),
    "mesh that includes": shell("plate.inp"),
    "bulk data": nastran("../other/deck.bdf"),
    "bulk data that include": nastran("deck.bdf"),
    "reduced body": modal(file="../other/boom.npz"),
    "bulk data to reduce": modal(of="../other/deck.bdf", interfaces=["2"]),
    "bulk data to reduce that include": modal(of="deck.bdf", interfaces=["2"]),
    "model to reduce": modal(of="../other/model.yaml", interfaces=["bob"]),
    "model in the model": modal(of=shell("../other/plate.inp"), interfaces=["plate.n1"]),
}
ASKED = [
    "run", "check", "modes", "buckling", "equilibrium", "reduce", "mesh", "compare-solvers",
]  # fmt: skip


def asked(command, file="model.yaml", *more):
    return CliRunner().invoke(app, [command, file, *more])


def write(data, name="model.yaml"):
    Path(name).write_text(yaml.dump(data | {"simulate": {"duration": "1 s"}}))


@pytest.mark.parametrize("name", OUTSIDE)
def test_files_outside_the_folder(place, name):
    write(OUTSIDE[name])
    found = asked("check")
    assert found.exit_code == 2, found.output
    assert "model.yaml:" in found.output
    assert "outside the folder" in found.output
    assert "--allow-outside" in found.output
    assert "--allow-outside" not in asked("check", "model.yaml", "--allow-outside").output


def test_a_pipe_is_not_waited_for(place):
    os.mkfifo(place / "wave.csv")
    write(load({"csv": "wave.csv"}))
    found = asked("check")
    assert found.exit_code == 2
    assert "'wave.csv' is a pipe or a device" in found.output


@pytest.mark.parametrize("command", ASKED)
def test_no_command_runs_code_or_reads_elsewhere(place, command):
    write({"bodies": BOB, "forces": load({"python": "laws:law"})["forces"] | {
        "g": {"kind": "load", "on": "bob", "force": [{"csv": "../other/wave.csv"}, 0, 0]}}})  # fmt: skip
    found = asked(command)
    assert found.exit_code == 2, found.output
    assert "'laws:law' is Python code" in found.output
    assert "'../other/wave.csv' is outside" in found.output
    assert not (place / MARK).exists()


def test_code_runs_if_allowed(place):
    write(load({"python": "laws:law"}))
    assert asked("check", "model.yaml", "--allow-python").exit_code == 0
    assert (place / MARK).exists()


STUDIES = {
    "model": ({"model": "laws.py:model"}, "is Python code"),
    "response": ({"responses": {"y": {"function": "laws.py:law"}}}, "is Python code"),
    "model's law": ({"model": "law.yaml"}, "is Python code"),
    "model elsewhere": ({"model": "../other/model.yaml"}, "outside the folder"),
    "samples": ({"sampling": {"kind": "list", "file": "../other/wave.csv"}}, "outside the folder"),
    "table": (
        {"parameters": {"m": {"path": "bodies.bob.mass",
                              "distribution": {"kind": "table", "file": "/etc/passwd", "column": "x"}}}},
        "outside the folder",
    ),
    "fit": (
        {"parameters": {"m": {"path": "bodies.bob.mass",
                              "distribution": {"kind": "fitted", "file": "../other/fit.json"}}}},
        "outside the folder",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", STUDIES)
def test_studies(place, name):
    write(load(1.0))
    write(load({"python": "laws:law"}), "law.yaml")
    uniform = {"kind": "uniform", "low": "1 kg", "high": "2 kg"}
    study = {"model": "model.yaml", "parameters": {"m": {"path": "bodies.bob.mass", "distribution": uniform}},
             "sampling": {"kind": "random", "samples": 2},
             "responses": {"y": {"channel": "bob.position.x"}}}  # fmt: skip
    Path("study.yaml").write_text(yaml.dump(study | STUDIES[name][0]))
    found = asked("sweep", "study.yaml")
    assert found.exit_code == 2, found.output
    assert STUDIES[name][1] in found.output
    assert not (place / MARK).exists()


FITS = {
    "model": ({"model": "laws.py:model"}, "is Python code"),
    "model elsewhere": ({"model": "../other/model.yaml"}, "outside the folder"),
    "data": ({}, "outside the folder"),
}


@pytest.mark.parametrize("name", FITS)
def test_fits(place, name):
    write(load(1.0))
    data = "../other/wave.csv" if name == "data" else "wave.csv"
    (place / "wave.csv").write_text("t,x\n0,1\n1,2\n2,3\n")
    study = {"model": "model.yaml", "parameters": {"m": {"path": "bodies.bob.mass", "guess": "1 kg"}},
             "experiments": {"e": {"data": data, "time": "t",
                                   "measured": [{"channel": "bob.position.x", "column": "x"}]}}}  # fmt: skip
    Path("study.yaml").write_text(yaml.dump(study | FITS[name][0]))
    found = asked("fit", "study.yaml")
    assert found.exit_code == 2, found.output
    assert FITS[name][1] in found.output
    assert not (place / MARK).exists()


def test_a_deck_that_includes(place):
    """Bulk data named by the user himself may still include files of others."""
    found = asked("reduce", "deck.bdf", "--interfaces", "2")
    assert found.exit_code == 2
    assert "deck.bdf:1: INCLUDE: " in found.output
    assert "--allow-outside" in found.output
    assert asked("reduce", "deck.bdf", "--interfaces", "2", "--allow-outside").exit_code == 0


def test_in_python(place):
    """Files and plain data ask; what Python code builds does not."""
    write(load({"python": "laws:law"}))
    for read in (lambda **k: ts.load("model.yaml", **k), lambda **k: ts.Model.load("model.yaml", **k),
                 lambda **k: ts.Model.from_plain(load({"python": "laws:law"}), **k)):  # fmt: skip
        with pytest.raises(ts.ModelError, match="allow_python=True"):
            read()
        assert not (place / MARK).exists()
    assert isinstance(ts.load("model.yaml", allow_python=True).folder, Folder)
    built = ts.Model("built here", folder=place)
    bob = built.point_mass("bob", mass=1.0)
    built.add("load", "f", bob, force=(lambda t: np.sin(t), 0, 0))
    built.add("load", "g", bob, force=({"python": "laws:law"}, {"csv": "../other/wave.csv"}, 0))
    built.check(1.0)  # raises nothing


def test_a_changed_model_keeps_what_is_allowed(place):
    write(load(1.0))
    model = ts.load("model.yaml")
    with pytest.raises(ts.ModelError, match="--allow-python"):
        model.set("forces.f.force[0]", {"python": "laws:law"})
    found = asked("run", "model.yaml", "--set", "forces.f.force[0]={python: 'laws:law'}")
    assert found.exit_code == 2
    assert not (place / MARK).exists()
