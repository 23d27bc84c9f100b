"""Samples and searches on disk belong to what they were made from: every file that is named, and the version."""

import json
from pathlib import Path

import numpy as np
import pytest
from spring_study import MODEL, STUDY
from typer.testing import CliRunner

import tapespring as ts
from tapespring.cli import app
from tapespring.fitting import keeping
from tapespring.fitting.matching import Matching
from tapespring.fitting.study import FitFile
from tapespring.results import ResultsFileError
from tapespring.schema.named_files import named_files
from tapespring.studies import plan
from tapespring.studies.file import SweepFile
from tapespring.studies.plan import Plan

FORCE = "t,f\n0,0\n1,1\n"
WITH_FILES = MODEL.replace("events:", "  push: {kind: load, on: block, force: [{csv: push.csv}, 0, 0]}\nevents:")


@pytest.fixture
def named(folder):
    """A model that names a table."""
    (folder / "model.yaml").write_text(WITH_FILES)
    (folder / "push.csv").write_text(FORCE)
    (folder / "study.yaml").write_text(STUDY.replace("samples: 40", "samples: 4"))
    return folder


def command(*words):
    return CliRunner().invoke(app, ["sweep", "study.yaml", "--workers", "1", *words], catch_exceptions=False)


def test_a_table_that_has_changed_is_noticed(named):
    first = command("--json")
    assert first.exit_code == 0, first.output
    assert json.loads(command("--json").stdout)["ran"] == 0
    (named / "push.csv").write_text(FORCE.replace("1,1", "1,50"))
    again = command()
    assert again.exit_code == 3
    assert "holds samples of another study, or of this one before it, its model, a file named" in again.output
    fresh = json.loads(command("--afresh", "--json").stdout)
    assert fresh["ran"] == 4
    assert fresh["answers"][""]["most"]["mean"] != json.loads(first.stdout)["answers"][""]["most"]["mean"]


def mark():
    return Plan(SweepFile.read("study.yaml")).mark()


def test_the_mark_holds_the_version(named, monkeypatch):
    before = mark()
    monkeypatch.setattr(plan, "VERSION", "99.0")
    assert mark() != before


def test_a_function_that_has_changed_is_noticed(named):
    study = {
        "parameters": {"a": {"distribution": {"kind": "uniform", "low": 0, "high": 1}}},
        "sampling": {"kind": "sobol", "samples": 4, "seed": 1}, "responses": {"y": {"value": "y"}},
    }  # fmt: skip

    def make(factor):
        namespace = {}
        exec(f"def form(a):\n    return {{'y': {factor} * a}}", namespace)
        return namespace["form"]

    ts.study(study, make(2), keep="kept", workers=1)
    with pytest.raises(ResultsFileError, match="another study"):
        ts.study(study, make(3), keep="kept", workers=1)


DATA = {
    "forces": {"a": {"force": [{"csv": "tables/push.csv"}, 0]}, "b": {"value": {"python": "laws.springs:pull"}}},
    "bodies": {
        "sail": {"mesh": {"kind": "file", "file": "sail.msh"}},
        "boom": {"file": "boom.bdf"},
        "arm": {"of": "other.yaml"},
        "hub": {"at": "ground", "note": "not.here"},
    },
}
FILES = {
    "tables/push.csv": FORCE,
    "laws/springs.py": "import shared\nfrom helper import one\n\ndef pull(x):\n    return one\n",
    "laws/helper.py": "one = 1.0\n",
    "laws/shared.py": "two = 2.0\n",
    "sail.msh": "nodes",
    "boom.bdf": "INCLUDE 'more.dat'\nBEGIN BULK\n",
    "more.dat": "GRID,1\n",
    "other.yaml": "forces: {c: {value: {csv: deep.csv}}}\n",
    "deep.csv": FORCE,
    "not_named.csv": FORCE,
}


@pytest.fixture
def many(tmp_path):
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return tmp_path


def test_every_file_is_found_wherever_it_is_named(many):
    found = {path.relative_to(many).as_posix() for path in named_files(DATA, many).values()}
    assert found == set(FILES) - {"not_named.csv"}


@pytest.mark.parametrize("name", FILES)
def test_a_model_is_another_one_when_a_file_changes(many, name):
    model = ts.Model(folder=many)
    model.load("push", model.point_mass("bob", at=(1, 0, 0), mass=1), force=({"csv": "tables/push.csv"}, 0, 0))
    model.description = "other.yaml"  # a text that is the name of a file
    before = model.hash()
    (many / name).write_text(FILES[name] + " ")
    assert (model.hash() != before) == (name in ("tables/push.csv", "other.yaml", "deep.csv"))


FIT = """\
model: model.yaml
parameters: {k: {path: forces.coil.stiffness, guess: 90 N/m}}
experiments:
  one: {data: data.csv, time: t, measured: [{channel: block.position.x, column: x}]}
"""


def test_a_search_begins_anew_when_a_file_changes(named):
    t = np.linspace(0.0, 0.5, 21)
    rows = "\n".join(f"{a},{1.1 - 0.1 * np.cos(10.0 * a)}" for a in t)
    Path("data.csv").write_text(f"t,x\n{rows}\n")
    Path("fit.yaml").write_text(FIT)

    def fingerprint():
        return keeping.fingerprint(Matching(FitFile.read("fit.yaml")))

    before = fingerprint()
    assert fingerprint() == before
    (named / "push.csv").write_text(FORCE.replace("1,1", "1,2"))
    changed = fingerprint()
    assert changed != before
    given = Matching(FitFile.read("fit.yaml"), ts.load("model.yaml").set("bodies.block.mass", "2 kg"))
    assert keeping.fingerprint(given) != changed


@pytest.mark.parametrize("damage", ["cut", "empty", "changed", "text"])
def test_a_damaged_piece_is_told_in_a_sentence(named, damage):
    command()
    piece = next(Path("out/study.sweep/pieces").glob("*.npz"))
    content = piece.read_bytes()
    at = content.index(b"values.npy") + 200
    flipped = content[:at] + bytes([content[at] ^ 64]) + content[at + 1 :]
    piece.write_bytes({"cut": content[:-50], "empty": b"", "changed": flipped, "text": b"hello"}[damage])
    done = command()
    assert done.exit_code == 3
    assert f"{piece.name}' is damaged" in done.output
    assert "delete it, and the same command runs its samples again" in done.output
    piece.unlink()
    assert command().exit_code == 0


@pytest.mark.parametrize("written", ["", "[]", "{}", "[" * 100_000])
def test_a_damaged_mark_is_another_study(named, written):
    command()
    Path("out/study.sweep/study.json").write_text(written)
    done = command()
    assert done.exit_code == 3
    assert "give --afresh to begin anew, or --out for another folder" in done.output
    assert command("--afresh").exit_code == 0
