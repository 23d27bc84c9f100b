"""`tapespring new` and `tapespring examples`."""

import tomllib
from pathlib import Path

import pytest

from tapespring.cli.starting import examples, starters
from tapespring.cli.starting import folder as examples_folder
from tapespring.model import Model

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("about", starters())
def test_starters_are_models_and_say_how_to_go_on(folder, tapespring, about):
    done = tapespring("new", "mine.yaml", "--about", about)
    assert done.exit_code == 0
    assert "tapespring run mine.yaml --report mine.html" in done.output
    assert "tapespring run mine.yaml" in (folder / "mine.yaml").read_text()
    assert tapespring("check", "mine.yaml").exit_code == 0


def test_the_first_starter_runs_and_strikes_what_its_comments_offer(folder, tapespring):
    tapespring("new", "mine.yaml")
    text = (folder / "mine.yaml").read_text()
    assert tapespring("run", "mine.yaml").exit_code == 0
    wall = text.replace("# contacts", "contacts").replace("#   wall", "  wall").replace("#     ", "    ")
    (folder / "wall.yaml").write_text(wall)
    bar = Model.from_file(folder / "wall.yaml").simulate("1 s")
    assert bar.contacts["wall"]["touches"] >= 1


def test_nothing_is_overwritten(folder, tapespring):
    (folder / "mine.yaml").write_text("kept")
    assert tapespring("new", "mine.yaml").exit_code == 3
    assert (folder / "mine.yaml").read_text() == "kept"
    assert tapespring("examples", "pendulum").exit_code == 3  # pendulum.yaml is there


def test_unknown_names_are_answered_with_near_ones(folder, tapespring):
    assert tapespring("new", "mine.yaml", "--about", "stap").exit_code == 2
    assert not (folder / "mine.yaml").exists()
    asked = tapespring("examples", "slidercrank")
    assert asked.exit_code == 2
    assert "slider_crank" in asked.output


def test_examples_are_listed_with_what_they_are_and_copied(folder, tapespring):
    listed = tapespring("examples").output
    for name in examples():
        assert name in listed
    assert "Tape-spring hinge" in listed
    assert tapespring("examples", "jpl/bump", "-o", "new/mine.yaml").exit_code == 0
    assert tapespring("check", "new/mine.yaml").exit_code == 0


def test_every_folder_of_examples_is_installed():
    given = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["data-files"]
    for file in examples().values():
        place = file.parent.relative_to(ROOT).as_posix()
        assert f"{place}/*{file.suffix}" in given[f"share/tapespring/{place}"]
    assert examples_folder() == ROOT / "examples"
