"""A folder with a model in it, and the command line."""

import pytest
from typer.testing import CliRunner

from tapespring.cli import app

PENDULUM = """\
name: Pendulum
gravity: [0, 0, -9.81 m/s^2]
bodies:
  bob: {kind: point_mass, mass: 1 kg, at: [1 m, 0, 0]}
joints:
  rod: {kind: distance, between: [ground, bob]}
simulate: {duration: 1 s}
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The present one, with pendulum.yaml."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pendulum.yaml").write_text(PENDULUM)
    return tmp_path


@pytest.fixture
def tapespring():
    """Call the command line with these words."""
    return lambda *words: CliRunner().invoke(app, [str(word) for word in words], catch_exceptions=False)
