"""Where commands write: never over what they read, and refused before they take their time if it cannot be."""

import errno
import os
from pathlib import Path

import pytest

import tapespring as ts
from tapespring import simulate
from tapespring.results import ResultsFileError, State
from tapespring.solve import transient

STUDY = """\
model: pendulum.yaml
parameters: {mass: {path: bodies.bob.mass, guess: 2 kg}}
experiments: {one: {data: data.csv, time: t, measured: [{channel: bob.position.x, column: x}]}}
"""
OVER = {
    "results over the model": ("run", "pendulum.yaml", "--out", "pendulum.yaml"),
    "results over the model by a link": ("run", "pendulum.yaml", "--out", "link.yaml"),
    "page over the model": ("run", "pendulum.yaml", "--report", "pendulum.yaml"),
    "page over the results": ("run", "pendulum.yaml", "--out", "new", "--report", "./new"),
    "page over the state": ("run", "pendulum.yaml", "--restart", "p.nc", "--report", "p.nc"),
    "checkpoint over the model": ("run", "pendulum.yaml", "--checkpoint", "pendulum.yaml"),
    "checkpoint over the results": ("run", "pendulum.yaml", "--out", "new", "--checkpoint", "new"),
    "page of a run over the run": ("report", "p.nc", "--out", "p.nc"),
    "page of a run that has its name": ("report", "page.html"),
    "table over the run": ("export", "run.csv", "run.csv"),
    "page of a fit over the study": ("fit", "fit.yaml", "--out", "fit.yaml"),
    "page of a fit over its numbers": ("fit", "fit.yaml", "--out", "fit.json"),
    "plot over the model": ("compare-solvers", "pendulum.yaml", "--out", "pendulum.yaml"),
    "reduced body over the model": ("reduce", "pendulum.yaml", "--interfaces", "bob", "-o", "pendulum.yaml"),
}
NOWHERE = {
    "run": ("run", "pendulum.yaml", "--out", "nowhere/p.nc"),
    "checkpoint": ("run", "pendulum.yaml", "--checkpoint", "nowhere/p.nc"),
    "page": ("run", "pendulum.yaml", "--report", "nowhere/p.html"),
    "plot": ("compare-solvers", "pendulum.yaml", "--out", "nowhere/p.svg"),
    "reduced body": ("reduce", "pendulum.yaml", "--interfaces", "bob", "-o", "nowhere/p.npz"),
}


@pytest.fixture
def files(folder, tapespring):
    (folder / "fit.yaml").write_text(STUDY)
    (folder / "data.csv").write_text("t,x\n" + "".join(f"{k / 10},{1 - k / 100}\n" for k in range(10)))
    assert tapespring("run", "pendulum.yaml", "--out", "p.nc").exit_code == 0
    for name in ("page.html", "run.csv"):
        (folder / name).write_bytes((folder / "p.nc").read_bytes())
    os.symlink("pendulum.yaml", folder / "link.yaml")
    return folder


def contents():
    return {path: path.read_bytes() for path in Path().iterdir() if path.is_file()}


@pytest.mark.parametrize("name", OVER)
def test_nothing_is_written_over_what_a_command_reads_or_writes(files, tapespring, name):
    before = contents()
    done = tapespring(*OVER[name])
    assert done.exit_code == 3
    assert "would be written over another file of this command" in done.output
    assert "give another path" in done.output
    assert contents() == before


@pytest.mark.parametrize("name", NOWHERE)
def test_places_that_cannot_be_written_are_refused_first(files, tapespring, name, monkeypatch):
    monkeypatch.setattr(ts.Model, "simulate", lambda *_, **__: pytest.fail("it ran"))
    if name == "checkpoint":
        monkeypatch.undo()
        monkeypatch.chdir(files)
        monkeypatch.setattr(simulate, "run_stages", lambda *_: pytest.fail("it ran"))
    done = tapespring(*NOWHERE[name])
    assert done.exit_code == 3
    assert "does not exist; create it or give another path" in done.output


@pytest.mark.parametrize("word", [".", "/", ""])
def test_folders_are_no_runs(files, tapespring, word):
    assert "no results file" in tapespring("report", word).output


def test_a_state_is_kept_while_a_run_goes_on(files, monkeypatch):
    monkeypatch.setattr(simulate, "KEEP_SECONDS", 0.0)
    monkeypatch.setattr(transient, "CHUNK_SECONDS", 1e-9)
    monkeypatch.setattr(transient, "FIRST_CHUNK", 1)
    model = ts.load("pendulum.yaml")
    whole = model.simulate(2.0, checkpoint="kept.nc")
    assert not whole.notes
    state = State.load("kept.nc")
    assert 0.0 < state.time <= 2.0
    rest = model.simulate(2.1, restart="kept.nc")
    assert rest.status.complete
    assert rest.time[0] >= state.time


def test_a_checkpoint_that_cannot_be_written_does_not_end_the_run(files, monkeypatch):
    def full(self, path):
        raise ResultsFileError(errno.ENOSPC, "no space left")

    monkeypatch.setattr(simulate, "KEEP_SECONDS", 0.0)
    monkeypatch.setattr(transient, "CHUNK_SECONDS", 1e-9)
    monkeypatch.setattr(transient, "FIRST_CHUNK", 1)
    monkeypatch.setattr(State, "save", full)
    run = ts.load("pendulum.yaml").simulate(2.0, checkpoint="kept.nc")
    assert run.status.complete
    assert [note for note in run.notes if "a checkpoint was not written at t = " in note and "no space left" in note]
    assert len(run.notes) == 1
