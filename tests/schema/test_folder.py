"""What a file may reach: nothing outside its folder, nothing that is no file, no code, unless its reader says so."""

import os
from pathlib import Path

import pytest

from tapespring.schema.folder import Folder, NotAllowedError, trusted


@pytest.fixture
def place(tmp_path):
    (tmp_path / "model" / "data").mkdir(parents=True)
    (tmp_path / "model" / "data" / "inside.csv").write_text("t,x\n0,1\n1,2\n")
    (tmp_path / "model" / "again.csv").symlink_to("data/inside.csv")
    (tmp_path / "secret.csv").write_text("t,x\n0,1\n1,2\n")
    (tmp_path / "model" / "link.csv").symlink_to("../secret.csv")
    (tmp_path / "model" / "up").symlink_to("..")
    (tmp_path / "model-of-others").mkdir()
    (tmp_path / "model-of-others" / "a.csv").write_text("")
    return tmp_path / "model"


@pytest.mark.parametrize("name", ["data/inside.csv", "data/../data/inside.csv", "again.csv", "not_there.csv"])
def test_files_below_the_folder(place, name):
    assert Folder(place).file(name) == place / name


def test_a_folder_that_is_reached_by_a_link(place):
    (place.parent / "other").symlink_to("model")
    assert Folder(place.parent / "other").file("data/inside.csv").is_file()


OUTSIDE = ["../secret.csv", "link.csv", "up/secret.csv", "/etc/passwd", "..", "../model-of-others/a.csv", "/dev/zero"]


@pytest.mark.parametrize("name", OUTSIDE)
def test_files_outside(place, name):
    with pytest.raises(NotAllowedError, match=r"outside the folder .*copy it there, or.* --allow-outside"):
        Folder(place).file(name)
    with pytest.raises(NotAllowedError, match="outside"):
        Folder(place).file(str(Path(place, name)))


@pytest.mark.parametrize("name", ["../secret.csv", "link.csv", "up/secret.csv"])
def test_files_outside_if_allowed(place, name):
    assert Folder(place, allow_outside=True).file(name).read_text().startswith("t,x")
    assert trusted(place).file(name).is_file()


@pytest.mark.parametrize("folder", [Folder, trusted])
def test_pipes_and_devices_are_no_files(place, folder):
    os.mkfifo(place / "pipe.csv")
    with pytest.raises(NotAllowedError, match=r"'pipe.csv' is a pipe or a device, not a file; copy"):
        folder(place).file("pipe.csv")
    with pytest.raises(NotAllowedError, match="pipe or a device"):
        trusted(place).file("/dev/zero")


def test_code(place):
    trusted(place).check_python("laws:spring")
    with pytest.raises(NotAllowedError, match=r"'laws:spring' is Python code.* --allow-python"):
        Folder(place).check_python("laws:spring")
