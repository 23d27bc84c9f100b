"""A disk that is full when a command writes: a sentence and exit code 3, and nothing that was there is harmed."""

import errno
import os
from pathlib import Path

import numpy as np
import pytest

FIT = """\
model: pendulum.yaml
parameters: {mass: {path: forces.coil.stiffness, guess: 90 N/m}}
experiments:
  one: {data: data.csv, time: t, measured: [{channel: bob.position.x, column: x}]}
"""
SWEEP = """\
model: pendulum.yaml
parameters: {k: {path: forces.coil.stiffness, distribution: {kind: uniform, low: 80 N/m, high: 120 N/m}}}
sampling: {kind: latin_hypercube, samples: 4, seed: 3}
responses: {most: {channel: bob.position.x, take: max}}
"""
SPRING = """\
bodies: {bob: {kind: point_mass, mass: 1 kg, at: [1 m, 0, 0]}}
forces: {coil: {kind: spring, between: [ground, bob], stiffness: 100 N/m, free_length: 1.1 m}}
simulate: {duration: 0.5 s, outputs: 20}
"""
COMMANDS = {
    "run": ("run", "pendulum.yaml"),
    "run and report": ("run", "pendulum.yaml", "--report", "page.html"),
    "fit": ("fit", "fit.yaml"),
    "sweep": ("sweep", "sweep.yaml", "--workers", "1"),
}


@pytest.fixture
def files(folder):
    t = np.linspace(0.0, 0.5, 21)
    rows = "\n".join(f"{a},{1.1 - 0.1 * np.cos(10.0 * a)}" for a in t)
    for name, text in {
        "pendulum.yaml": SPRING, "fit.yaml": FIT, "sweep.yaml": SWEEP, "data.csv": f"t,x\n{rows}\n",
    }.items():  # fmt: skip
        (folder / name).write_text(text)
    return folder


@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_disk_is_told(files, tapespring, monkeypatch, command):
    assert tapespring(*COMMANDS[command]).exit_code == 0  # compiled, and there is something to harm
    before = {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        done = tapespring(*COMMANDS[command], *(["--afresh"] if command in ("fit", "sweep") else []))
    assert done.exit_code == 3
    assert "no space left" in done.output
    assert "Traceback" not in done.output
    assert not list(Path().rglob("*.part"))
    after = {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}
    assert {path: after[path] for path in before if path in after} == {p: before[p] for p in before if p in after}
    assert tapespring(*COMMANDS[command]).exit_code == 0  # with room again, the same command does
