"""`tapespring run`: what it prints, saves and leaves with."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tapespring import Results


def test_run_prints_a_summary_and_saves(folder, tapespring):
    done = tapespring("run", "pendulum.yaml")
    assert done.exit_code == 0
    assert "Pendulum: complete at t = 1 s" in done.stdout
    assert "verdict     Nothing was found that speaks against these numbers." in done.stdout
    assert "saved       out/pendulum.nc" in done.stdout
    saved = Results.load(folder / "out" / "pendulum.nc")
    assert saved["bob.position"].at(1.0)[0] == pytest.approx(-0.986291751132, abs=1e-6)


def test_run_elsewhere_changed_and_as_json(folder, tapespring):
    done = tapespring(
        "run", "pendulum.yaml", "--out", "here.nc", "--set", "bodies.bob.mass=2 kg", "--set", "gravity=[0, 0, -5]",
        "--duration", "0.5 s", "--solver", "ode", "--json",
    )  # fmt: skip
    assert done.exit_code == 0
    told = json.loads(done.stdout)
    assert told["complete"]
    assert told["time"] == 0.5
    assert told["out"] == "here.nc"
    assert told["verdict"]["level"] == "good"
    assert "2.0 kg" in Results.load("here.nc").provenance["model_text"]
    assert not Path("out").exists()


def test_quiet_says_nothing(folder, tapespring):
    done = tapespring("run", "pendulum.yaml", "--quiet")
    assert (done.exit_code, done.output) == (0, "")
    assert Path("out/pendulum.nc").exists()


def test_a_run_that_cannot_go_on_leaves_with_1(folder, tapespring):
    """A spring that pushes ever harder: x grows without bound in finite time."""
    text = """
bodies: {a: {kind: point_mass, mass: 1, at: [1, 0, 0]}}
forces: {push: {kind: spring, between: [ground, a], force: '-50*x^3 - 1', free_length: 0.5 m}}
simulate: {duration: 100 s}
"""
    (folder / "away.yaml").write_text(text)
    done = tapespring("run", "away.yaml")
    assert done.exit_code == 1
    assert "NOT COMPLETE" in done.stdout
    assert Path("out/away.nc").exists()


def test_a_place_that_cannot_be_written_is_told_before_the_run(folder, tapespring):
    (folder / "plain").write_text("a file")
    done = tapespring("run", "pendulum.yaml", "--out", "plain/run.nc")
    assert done.exit_code == 3
    assert "is a file, not a folder" in done.output
    assert "Traceback" not in done.output
    (folder / "out").write_text("in the way")
    assert tapespring("run", "pendulum.yaml").exit_code == 3
    assert tapespring("run", "pendulum.yaml", "--out", "nowhere/run.nc").exit_code == 3
    assert (folder / "plain").read_text() == "a file"


def test_the_command_itself(folder):
    done = subprocess.run(
        [sys.executable, "-m", "tapespring", "run", "pendulum.yaml"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "complete at t = 1 s" in done.stdout


def test_help_imports_nothing_heavy():
    code = """
import sys
from tapespring.cli import main
sys.argv = ["tapespring", "--help"]
try:
    main()
except SystemExit:
    pass
print(sorted({"numba", "numpy", "scipy", "h5py", "pydantic", "yaml"} & set(sys.modules)))
"""
    environment = os.environ | {"COLUMNS": "100"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout.splitlines()[-1] == "[]"
    for command in ("run", "check", "modes", "equilibrium", "bench", "kinds", "schema"):
        assert f" {command} " in done.stdout
