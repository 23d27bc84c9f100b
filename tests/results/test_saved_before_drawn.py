"""A run is on disk before it is drawn, and nothing that happens while it is drawn takes it away."""

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import h5py
import numpy as np
import pytest
from typer.testing import CliRunner

from tapespring.cli import app
from tapespring.results import Channel, Results, ResultsFileError, Status

SCENE = {"gravity": [0.0, 0.0, -9.81], "parts": [{"kind": "point", "name": "a", "mass": 1.0, "radius": None}]}


def drawn_by(draw) -> Results:
    position = Channel("a.position", "m", np.ones((3, 3)), ("x", "y", "z"))
    return Results([0.0, 1.0, 2.0], [position], status=Status(True, "complete", time=2.0), scene=draw)


def fails():
    raise ZeroDivisionError("no such shape")


def test_a_drawing_that_fails_is_a_note(tmp_path):
    run = drawn_by(fails)
    back = Results.load(run.save(tmp_path / "run.nc"))
    assert back["a.position"].values.tolist() == run["a.position"].values.tolist()
    assert back.scene == run.scene == {}
    assert any("could not be drawn (ZeroDivisionError: no such shape)" in note for note in run.notes)
    assert "a.position" in run.report(tmp_path / "run.html").read_text()


def test_the_file_is_whole_while_it_is_drawn(tmp_path):
    path, seen = tmp_path / "run.nc", []

    def draw():
        seen.append(Results.load(path)["a.position"].values.tolist())
        return SCENE

    run = drawn_by(draw)
    run.save(path)
    assert seen == [run["a.position"].values.tolist()]
    assert Results.load(path).scene == SCENE
    assert os.listdir(tmp_path) == ["run.nc"]


def test_a_drawing_added_later_is_as_one_written_at_once(tmp_path):
    """The same variables with the same dimensions, so that netCDF readers see no difference."""
    later, at_once = drawn_by(lambda: SCENE), drawn_by(SCENE)

    def described(path):
        with h5py.File(path, "r") as h5:
            return {
                name: (item.shape, item.is_scale, {k: v for k, v in item.attrs.items() if k.startswith("_Netcdf4")})
                for name, item in h5.items()
            }

    told = repr(described(later.save(tmp_path / "later.nc")))
    assert told == repr(described(at_once.save(tmp_path / "at_once.nc")))


def test_ctrl_c_while_it_is_drawn_keeps_the_run_and_says_where(tmp_path):
    def draw():
        raise KeyboardInterrupt

    run = drawn_by(draw)
    with pytest.raises(KeyboardInterrupt, match=r"the results are in '.*run.nc', without a drawing"):
        run.save(tmp_path / "run.nc")
    assert Results.load(tmp_path / "run.nc").names() == ["a.position"]
    assert not run.is_drawn


def test_a_disk_that_is_full_by_then_keeps_the_run(tmp_path, monkeypatch):
    def draw():
        def full(*_):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "write", full)
        return SCENE

    run = drawn_by(draw)
    run.save(tmp_path / "run.nc")
    monkeypatch.undo()
    assert Results.load(tmp_path / "run.nc").scene == {}
    assert any("holds no drawing of the model" in note and "no space left" in note for note in run.notes)
    assert os.listdir(tmp_path) == ["run.nc"]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_a_process_killed_while_it_draws_leaves_the_run(tmp_path):
    script = f"""
        import os, signal
        from tapespring.results import Results, Status
        run = Results([0.0], status=Status(True, "complete"), scene=lambda: os.kill(os.getpid(), signal.SIGKILL))
        run.save({str(tmp_path / "run.nc")!r})
    """
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], env=environment, check=False)
    assert done.returncode == -signal.SIGKILL
    assert Results.load(tmp_path / "run.nc").status.complete
    assert os.listdir(tmp_path) == ["run.nc"]


MODEL = "bodies: {bob: {kind: point_mass, mass: 1 kg, at: [1 m, 0, 0]}}\nsimulate: {duration: 1 s}\n"


@pytest.mark.parametrize(
    ("trouble", "told"),
    [
        (ValueError("a bug"), "could not be drawn: ValueError: a bug"),
        (ResultsFileError("cannot write it: the disk is full"), "could not be drawn: cannot write it"),
    ],
)
def test_a_page_that_fails_leaves_results_and_summary(tmp_path, monkeypatch, trouble, told):
    def fail(*_):
        raise trouble

    monkeypatch.chdir(tmp_path)
    Path("bob.yaml").write_text(MODEL)
    monkeypatch.setattr(Results, "report", fail)
    done = CliRunner().invoke(app, ["run", "bob.yaml", "--report", "bob.html"], catch_exceptions=False)
    assert done.exit_code == 3
    assert "complete at t = 1 s" in done.output
    assert told in done.output
    assert Results.load("out/bob.nc").status.complete
