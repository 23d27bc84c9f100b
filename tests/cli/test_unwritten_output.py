"""Output that cannot be written: a sentence and an exit code, no traceback, and devices stay what they are."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tapespring.cli import app

FULL = Path("/dev/full")
full = pytest.mark.skipif(not FULL.is_char_device(), reason="needs a device that is always full")
MODEL = "bodies: {bob: {kind: point_mass, mass: 1 kg, at: [1 m, 0, 0]}}\nsimulate: {duration: 1 s}\n"


def asked(*words, cwd, **streams):
    command = [sys.executable, "-m", "tapespring", *words]
    return subprocess.run(command, cwd=cwd, text=True, check=False, timeout=100, **streams)


@full
@pytest.mark.parametrize("words", [("kinds",), ("kinds", "--json"), ("check", "m.yaml"), ("schema",)])
def test_standard_output_on_a_full_disk(tmp_path, words):
    (tmp_path / "m.yaml").write_text(MODEL)
    with FULL.open("w") as out:
        done = asked(*words, cwd=tmp_path, stdout=out, stderr=subprocess.PIPE)
    assert done.returncode == 3
    assert done.stderr.startswith("cannot write the output: No space left on device; send it elsewhere")
    assert len(done.stderr.splitlines()) == 1


@full
def test_mistakes_that_cannot_be_told(tmp_path):
    with FULL.open("w") as out:
        assert asked("check", "nothing.yaml", cwd=tmp_path, stderr=out).returncode == 2


@pytest.mark.parametrize("words", [("schema", "--out"), ("new",), ("run", "m.yaml", "--out")])
def test_pipes_and_devices_are_left_as_they_are(tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.yaml").write_text(MODEL)
    os.mkfifo("pipe.yaml")
    found = CliRunner().invoke(app, [*words, "pipe.yaml"])
    assert found.exit_code in (2, 3), found.output
    assert "pipe.yaml" in found.output
    assert stat.S_ISFIFO(os.stat("pipe.yaml").st_mode)
