"""Modes of OUTPUT2 files: with pyNastran where a Python has it, and else with what it would hand over."""

import os
import subprocess
import sys

import numpy as np
import pytest
from bulk_files import STEEL, cantilever

import tapespring as ts
from tapespring.nastran import op2
from tapespring.reduction.reduce import reduced_with_report

WRITER = """
import sys, numpy as np
from pyNastran.op2.op2 import OP2
from pyNastran.op2.tables.oug.oug_eigenvectors import RealEigenvectorArray
given = np.load(sys.argv[1])
out = OP2(debug=None)
out.set_as_msc()
grids = np.column_stack([given["grids"], given["kinds"]]).astype("int32")
squares = given["squares"]
number = np.arange(1, len(squares) + 1, dtype="int32")
shapes = given["shapes"].astype("float32")
table = RealEigenvectorArray.add_modal_case(
    "OUGV1", grids, shapes, 1, number, squares.astype("float32"), np.sqrt(squares) / (2 * np.pi))
table.table_code = table.tCode = table.data_code["table_code"] = table.data_code["tCode"] = 7
out.eigenvectors[1] = table
out.write_op2(sys.argv[2], nastran_format="msc")
"""


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    """(folder with bulk data, body of its modes as the program finds them)."""
    folder = tmp_path_factory.mktemp("op2")
    (folder / "boom.bdf").write_text(cantilever(8))
    return folder, ts.reduce(folder / "boom.bdf", {"tip": "9"}, method="normal", modes=4)


def handed_over(body, **changes) -> dict:
    """What pyNastran would find in a file of these modes, in the order and the scale of the file."""
    grids = np.array([int(label.removeprefix("grid ")) for label in body.labels])
    shapes = 3.0 * body.shapes.transpose(2, 0, 1)
    found = {"grids": grids, "kinds": np.ones_like(grids), "shapes": shapes, "squares": np.diag(body.stiffness)}
    return found | {"reader": np.array("a test")} | changes


@pytest.fixture
def reading(own, monkeypatch):
    """Reduce what a reader hands over."""
    folder, body = own

    def reduce(**changes):
        def run(path, target):
            np.savez(target, **handed_over(body, **changes))

        monkeypatch.setattr(op2, "run_reader", run)
        (folder / "any.op2").write_bytes(b"")
        return reduced_with_report(folder / "any.op2", {"tip": "9"}, nodes=folder / "boom.bdf")

    return reduce


def assert_same(found, wanted, near):
    np.testing.assert_allclose(found.frequencies, wanted.frequencies, rtol=near)
    assert found.inertia.mass == pytest.approx(wanted.inertia.mass, rel=1e-12)
    np.testing.assert_allclose(found.inertia.modal, np.eye(wanted.count), atol=near)
    sign = np.sign(np.einsum("nci,nci->i", found.shapes, wanted.shapes))
    size = np.abs(wanted.frame("tip").translation).max()
    np.testing.assert_allclose(found.frame("tip").translation * sign, wanted.frame("tip").translation, atol=near * size)


def test_modes_come_back(own, reading):
    body, report = reading()
    assert_same(body, own[1], 1e-9)
    assert any("any.op2" in note for note in report.notes)
    assert body.source["modes"] == "any.op2"


def test_stiffness_is_that_of_the_file(own, reading):
    wanted = 1.1 * np.diag(own[1].stiffness)
    np.testing.assert_allclose(np.diag(reading(squares=wanted)[0].stiffness), wanted, rtol=1e-12)


def test_axes_of_displacements(own, monkeypatch):
    """Grids whose displacements are told along other axes (CD)."""
    folder, body = own
    cards = [f"GRID,{k + 1},,{k / 8:.6f},0.,0.,7" for k in range(9)]
    cards += [f"CBAR,{k + 1},10,{k + 1},{k + 2},1.,0.,0." for k in range(8)]  # in those axes too
    cards += ["PBARL,10,1,,BAR", "+,0.02,0.01", STEEL.strip(), "SPC1,1,123456,1"]
    cards += ["CORD2R,7,,0.,0.,0.,1.,0.,0.", "+,0.,1.,0."]  # its z along x, its x along y
    (folder / "turned.bdf").write_text("\n".join(cards) + "\n")
    shapes = handed_over(body)["shapes"][:, :, [1, 2, 0, 4, 5, 3]]
    monkeypatch.setattr(op2, "run_reader", lambda path, target: np.savez(target, **handed_over(body, shapes=shapes)))
    (folder / "turned.op2").write_bytes(b"")
    assert_same(ts.reduce(folder / "turned.op2", {"tip": "9"}, nodes=folder / "turned.bdf"), body, 1e-6)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"kinds": np.array([1] * 8 + [2])}, "point 9 is no grid but a scalar point"),
        ({"grids": np.arange(2, 11)}, "grid 1 of the bulk data has no displacements here"),
        ({"shapes": np.full((4, 9, 6), np.nan)}, "entries that are not numbers"),
        ({"shapes": np.ones((4, 9, 6))}, "its modes are not those of the bulk data"),
        ({"squares": np.array([-1.0, 2.0, 3.0, 4.0])}, "a mode that deforms has ω² = -1"),
    ],
)
def test_what_does_not_fit(reading, changes, words):
    with pytest.raises(ts.ModelError, match=words) as caught:
        reading(**changes)
    assert "any.op2" in str(caught.value)


def test_without_pynastran(own, monkeypatch):
    folder, _ = own
    (folder / "some.op2").write_bytes(b"")
    monkeypatch.delenv(op2.VARIABLE, raising=False)
    monkeypatch.setattr(op2, "find_spec", lambda name: None)
    with pytest.raises(ts.ModelError, match="OUTPUT2 files need pyNastran, apart from this program"):
        ts.reduce(folder / "some.op2", {"tip": "9"}, nodes=folder / "boom.bdf")
    with pytest.raises(ts.ModelError, match="modes have no masses"):
        ts.reduce(folder / "some.op2", {"tip": "9"})
    monkeypatch.setenv(op2.VARIABLE, str(folder / "python"))
    with pytest.raises(ts.ModelError, match="could not be run"):
        ts.reduce(folder / "some.op2", {"tip": "9"}, nodes=folder / "boom.bdf")


def test_a_python_without_it(own, monkeypatch):
    folder, _ = own
    (folder / "some.op2").write_bytes(b"")
    monkeypatch.setenv(op2.VARIABLE, sys.executable)
    if (
        subprocess.run([sys.executable, "-I", "-c", "import pyNastran"], capture_output=True, check=False).returncode
        == 0
    ):
        pytest.skip("this Python has pyNastran")
    with pytest.raises(ts.ModelError, match="has no pyNastran that works"):
        ts.reduce(folder / "some.op2", {"tip": "9"}, nodes=folder / "boom.bdf")


def test_only_normal_modes(own, monkeypatch):
    folder, body = own
    monkeypatch.setattr(op2, "run_reader", lambda path, target: np.savez(target, **handed_over(body)))
    (folder / "any.op2").write_bytes(b"")
    with pytest.raises(ts.ModelError, match="a file of modes has normal modes"):
        ts.reduce(folder / "any.op2", {"tip": "9"}, nodes=folder / "boom.bdf", method="rubin")


@pytest.mark.skipif(op2.VARIABLE not in os.environ, reason=f"{op2.VARIABLE} names no Python with pyNastran")
def test_files_by_pynastran(own):
    """Written by pyNastran in single precision, read back; cut off, of another version, and empty of modes."""
    folder, body = own
    np.savez(folder / "given.npz", **handed_over(body))
    (folder / "write.py").write_text(WRITER)
    command = [os.environ[op2.VARIABLE], folder / "write.py", folder / "given.npz", folder / "boom.op2"]
    subprocess.run(command, check=True, capture_output=True)
    found = ts.reduce(folder / "boom.op2", {"tip": "9"}, nodes=folder / "boom.bdf")
    assert_same(found, body, 1e-5)
    whole = (folder / "boom.op2").read_bytes()
    (folder / "cut.op2").write_bytes(whole[: len(whole) // 2])
    (folder / "strange.op2").write_bytes(whole.replace(b"OUGV1", b"OUGX9"))
    (folder / "text.op2").write_text("no such thing")
    for name, words in (("cut", "not understood"), ("strange", "not understood|no real eigenvectors"),
                        ("text", "not understood")):  # fmt: skip
        with pytest.raises(ts.ModelError, match=words) as caught:
            ts.reduce(folder / f"{name}.op2", {"tip": "9"}, nodes=folder / "boom.bdf")
        assert f"{name}.op2" in str(caught.value)
