"""The mesh of a built body in a file, and back."""

import numpy as np
import pytest
from typer.testing import CliRunner

from tapespring import Model, ModelError
from tapespring.cli import app

MODEL = """
name: Two sheets
bodies:
  sail:
    kind: membrane
    mesh: {kind: plate, length: 1 m, width: 0.5 m, divisions: [4, 2], origin: [0, 0, 2 m]}
    thickness: 50 um
    material: {young: 3 GPa, poisson: 0.34, density: 1420 kg/m^3}
    tension: [10 N/m, 10 N/m]
  panel:
    kind: shell
    mesh: {kind: strip, length: 0.2 m, width: 50 mm, divisions: [2, 1]}
    thickness: 1 mm
    material: {young: 70 GPa, poisson: 0.33, density: 2700 kg/m^3}
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "sheets.yaml"
    path.write_text(MODEL)
    return path


@pytest.mark.parametrize("suffix", ["vtu", "inp"])
def test_a_written_body_is_the_same_when_read_again(file, tmp_path, suffix):
    pytest.importorskip("meshio")
    out = tmp_path / f"sail.{suffix}"
    done = CliRunner().invoke(app, ["mesh", str(file), "--body", "sail", "-o", str(out)])
    assert done.exit_code == 0, done.output
    from tapespring.questions import meshes

    built = meshes(Model.from_file(file))["sail"]
    again = Model(name="again", folder=tmp_path)
    again.membrane(
        "sail",
        mesh={"kind": "file", "file": out.name},
        thickness="50 um",
        material={"young": "3 GPa", "poisson": 0.34, "density": "1420 kg/m^3"},
    )
    read = meshes(again)["sail"]
    np.testing.assert_allclose(read.points, built.points, atol=1e-15)
    np.testing.assert_array_equal(read.cells["quad"], built.cells["quad"])
    for name, nodes in built.groups.items():
        np.testing.assert_array_equal(np.sort(read.groups[name]), np.sort(nodes))


def test_meshes_are_listed(file):
    done = CliRunner().invoke(app, ["mesh", str(file)])
    assert done.exit_code == 0
    assert "sail: 15 nodes, 8 quad" in done.output
    assert "left (3)" in done.output


def test_one_of_several_has_to_be_named(file, tmp_path):
    with pytest.raises(ModelError, match="bodies with a mesh: 'sail', 'panel'"):
        Model.from_file(file).write_mesh(tmp_path / "a.vtu")
    with pytest.raises(ModelError, match=r"\.vtu, \.vtk, \.msh or \.inp"):
        Model.from_file(file).write_mesh(tmp_path / "a.stl", "panel")
