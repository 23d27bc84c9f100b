"""Archives of arrays from strangers: what they say they hold is in them, or they are refused before it is made."""

import io
import zipfile

import numpy as np
import pytest

from tapespring.modal.file import load
from tapespring.reduction.sources import structure_from
from tapespring.results.archives import read_arrays
from tapespring.schema.problems import ModelError


def npy(shape, kind="<f8", data=b"") -> bytes:
    """An array that says it is of this shape."""
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, {"descr": kind, "fortran_order": False, "shape": shape})
    return file.getvalue() + data


def archive(path, **entries: bytes):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in entries.items():
            made.writestr(f"{name}.npy", content)
    return path


def test_what_numpy_writes_is_read(tmp_path):
    arrays = {"a": np.arange(6.0).reshape(2, 3), "b": np.array("text"), "c": np.zeros((0, 3)), "d": np.ones(5, "i4")}
    for write in (np.savez, np.savez_compressed):
        write(tmp_path / "a.npz", **arrays)
        found = read_arrays(tmp_path / "a.npz")
        assert list(found) == list(arrays)
        assert all(
            np.array_equal(found[name], arrays[name]) and found[name].dtype == arrays[name].dtype for name in found
        )


HOSTILE = {
    "an array of 89 GiB in nothing": lambda path: archive(path, about=npy((12 * 10**9,))),
    "an array that is shorter": lambda path: archive(path, about=npy((4,), data=bytes(8))),
    "objects": lambda path: archive(path, about=npy((1,), "|O", b"cos\nsystem\n(S'touch /tmp/ran'\ntR.")),
    "no array": lambda path: archive(path, about=b"nothing"),
    "a name that is none": lambda path: archive(path, other=npy((1,), data=bytes(8))),
    "no archive": lambda path: path.write_bytes(b"PK\3\4 and no more"),
    "nothing": lambda path: path.write_bytes(b""),
    "wrong JSON": lambda path: np.savez(path, about=np.array('{"format": "tapespring reduced body", "version": 1}')),
    "a list for a mapping": lambda path: np.savez(path, about=np.array("[1, 2]")),
}


@pytest.mark.parametrize("way", HOSTILE)
def test_others_are_refused_in_a_sentence(tmp_path, way):
    path = tmp_path / "body.npz"
    HOSTILE[way](path)
    for read in (load, structure_from):
        with pytest.raises(ModelError) as error:
            read(path)
        assert str(error.value).startswith(str(path))
        assert "\n" not in str(error.value)


def test_an_archive_that_unfolds(tmp_path, monkeypatch):
    monkeypatch.setattr("tapespring.results.archives.UNFOLDED", 1_000_000)
    path = archive(tmp_path / "a.npz", about=npy((1_000_000,), data=bytes(8_000_000)))
    assert path.stat().st_size < 20_000
    with pytest.raises(ValueError, match="unfold to more than"):
        read_arrays(path)
