"""Matrices from files: Matrix Market, NumPy, OUTPUT4 as text and binary, DMIG; and the command line."""

import json
import struct

import numpy as np
import pytest
from bulk_files import cantilever, free
from scipy.io import mmwrite
from typer.testing import CliRunner

import tapespring as ts
from tapespring.bench.hermite import hermite_beam
from tapespring.cli import app
from tapespring.nastran.op4 import read_op4
from tapespring.schema.problems import ModelError

BEAM = hermite_beam(10.0, 0.3, 1.0, 6, {})
M, K = BEAM.mass.toarray(), BEAM.stiffness.toarray()
HELD = ts.reduce(hermite_beam(10.0, 0.3, 1.0, 6, {0.0: "y rz"}), method="normal", modes=3).frequencies
NODES = "number,x,y,z\n" + "".join(f"{k + 1},{k / 6!r},0,0\n" for k in range(7))


def text_op4(name: str, A: np.ndarray, sparse: bool) -> str:
    """As NASTRAN writes it, five entries per line of 16 columns."""

    def values(v) -> str:
        words = [f"{x:16.9E}" for x in v]
        return "".join("".join(words[k : k + 5]) + "\n" for k in range(0, len(words), 5))

    n = len(A)
    out = f"{n:8d}{n:8d}{6:8d}{2:8d}{name:<8}1P,5E16.9\n"
    for j in range(n):
        rows = np.flatnonzero(A[:, j])
        first, last = rows[0], rows[-1] + 1
        if sparse:
            words = 2 * (last - first)
            out += f"{j + 1:8d}{0:8d}{words + 1:8d}\n{first + 1 + 65536 * (words + 1):12d}\n"
        else:
            out += f"{j + 1:8d}{first + 1:8d}{2 * (last - first):8d}\n"
        out += values(A[first:last, j])
    return out + f"{n + 1:8d}{1:8d}{1:8d}\n" + values([1.0])


def binary_op4(name: str, A: np.ndarray, sparse: bool) -> bytes:
    def record(data: bytes) -> bytes:
        return struct.pack("<i", len(data)) + data + struct.pack("<i", len(data))

    n = len(A)
    out = record(struct.pack("<4i", n, -n if sparse else n, 6, 2) + name.ljust(8).encode())
    for j in range(n):
        rows = np.flatnonzero(A[:, j])
        first, values = int(rows[0]), A[rows[0] : rows[-1] + 1, j]
        words = 2 * len(values)
        if sparse:
            head = struct.pack("<5i", j + 1, 0, words + 2, words + 1, first + 1)
        else:
            head = struct.pack("<3i", j + 1, first + 1, words)
        out += record(head + values.astype("<f8").tobytes())
    return out + record(struct.pack("<3i", n + 1, 1, 2) + np.ones(1).tobytes())


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("kind", ["text", "binary"])
def test_output4(tmp_path, kind, sparse):
    path = tmp_path / "a.op4"
    if kind == "text":
        path.write_text(text_op4("MAA", M, sparse) + text_op4("KAA", K, sparse))
    else:
        path.write_bytes(binary_op4("MAA", M, sparse) + binary_op4("KAA", K, sparse))
    found = read_op4(path)
    np.testing.assert_allclose(found["KAA"].toarray(), K, rtol=1e-9)
    (tmp_path / "nodes.csv").write_text(NODES)
    body = ts.reduce(path, nodes=tmp_path / "nodes.csv", components="y rz", held="1", method="normal", modes=3)
    np.testing.assert_allclose(body.frequencies, HELD, rtol=1e-7)


def test_output4_that_is_none(tmp_path):
    (tmp_path / "a.op4").write_text("hello\n")
    with pytest.raises(ModelError, match="no OUTPUT4 file"):
        read_op4(tmp_path / "a.op4")


def test_matrix_market(tmp_path):
    mmwrite(tmp_path / "k.mtx", BEAM.stiffness)
    mmwrite(tmp_path / "m.mtx", BEAM.mass)
    (tmp_path / "nodes.txt").write_text(NODES)
    options = {"nodes": tmp_path / "nodes.txt", "components": "y rz", "held": "1", "method": "normal", "modes": 3}
    body = ts.reduce(tmp_path / "k.mtx", mass=tmp_path / "m.mtx", **options)
    np.testing.assert_allclose(body.frequencies, HELD, rtol=1e-9)
    with pytest.raises(ModelError, match="name the file of the mass matrix"):
        ts.reduce(tmp_path / "k.mtx", **options)
    with pytest.raises(ModelError, match="7 nodes with 3 components have 21 freedoms, not 14"):
        ts.reduce(tmp_path / "k.mtx", mass=tmp_path / "m.mtx", **(options | {"components": "x y rz"}))


@pytest.mark.parametrize("sparse", [False, True])
def test_numpy_archive(tmp_path, sparse):
    data = {"mass": M, "stiffness": K}
    if sparse:
        data = {f"{name}/{part}": getattr(A, part) for name, A in (("mass", BEAM.mass), ("stiffness", BEAM.stiffness))
                for part in ("data", "indices", "indptr")}  # fmt: skip
    np.savez(tmp_path / "a.npz", positions=BEAM.positions, components=["y", "rz"], held=[0, 1], **data)
    body = ts.reduce(tmp_path / "a.npz", method="normal", modes=3)
    np.testing.assert_allclose(body.frequencies, HELD, rtol=1e-9)


def test_dmig(tmp_path):
    """Upper triangles, by grid and component, with the grids in the same file."""
    text = "".join(free("GRID", k + 1, "", k / 6, 0.0, 0.0) for k in range(7))
    names = [(k // 2 + 1, 2 if k % 2 == 0 else 6) for k in range(14)]
    for name, A in (("MAAX", M), ("KAAX", K)):
        text += free("DMIG", name, 0, 6, 2, 0)
        for j in range(14):
            entries = [(*names[i], repr(float(A[i, j])), "") for i in range(j + 1) if A[i, j] != 0.0]
            text += free("DMIG", name, *names[j], "", *(word for entry in entries for word in entry))
    (tmp_path / "a.pch").write_text(text)
    body = ts.reduce(tmp_path / "a.pch", held="1", method="normal", modes=3)
    np.testing.assert_allclose(body.frequencies, HELD, rtol=1e-9)


# -- the command line -------------------------------------------------------------------------------------------------
def test_command_line(tmp_path):
    (tmp_path / "a.bdf").write_text(cantilever(6))
    out = tmp_path / "body.npz"
    result = CliRunner().invoke(app, ["reduce", str(tmp_path / "a.bdf"), "--interfaces", "tip=7,mid=4", "--modes", "4",
                                      "-o", str(out)])  # fmt: skip
    assert result.exit_code == 0, result.output
    for words in ("1.57 kg", "effective mass", "static error under unit loads on 'tip'", "suffice for",
                  "Impacts and gaps need 6 modes"):  # fmt: skip
        assert words in result.output
    assert list(ts.Reduced.load(out).frames) == ["tip", "mid"]


def test_command_line_json_and_refusals(tmp_path):
    (tmp_path / "a.bdf").write_text(cantilever(6))
    path = str(tmp_path / "a.bdf")
    result = CliRunner().invoke(app, ["reduce", path, "--below", "200 Hz", "--method", "normal", "--json"])
    data = json.loads(result.output)
    assert data["mass_kg"] == pytest.approx(1.57)
    assert max(data["normal_hz"]) < 200.0
    for options, words in (
        (["--interfaces", "tip=99"], "there is no '99'"),
        (["--modes", "3", "--below", "1 Hz"], "give one"),
        (["--held", "3"], "held"),
    ):
        result = CliRunner().invoke(app, ["reduce", path, *options])
        assert result.exit_code == 2
        assert words in result.output
