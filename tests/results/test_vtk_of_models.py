"""VTK files of models, read by meshio: every kind of element is there, whole, and moves as its channels say."""

import re

import numpy as np
import pytest

from tapespring.model import Model

meshio = pytest.importorskip("meshio")

MATERIAL = {"young": "1 GPa", "poisson": 0.3, "density": "1000 kg/m^3"}
STEEL = {"section": {"kind": "circle", "radius": "2 mm"}, "material": MATERIAL}
PLATE = {"kind": "plate", "length": "0.2 m", "width": "0.1 m", "divisions": [2, 3]}
BOX = {"kind": "box", "length": "0.2 m", "width": "0.1 m", "height": "0.1 m", "divisions": [2, 1, 1]}
FALLING = {
    "boom": {"kind": "beam", "path": [[0, 0, 0], ["1 m", 0, 0]], "elements": 4, **STEEL},
    "rope": {"kind": "cable", "path": [[0, "1 m", 0], ["1 m", "1 m", 0]], "elements": 3, **STEEL},
    "film": {"kind": "membrane", "mesh": PLATE | {"triangles": True}, "thickness": "1 mm", "material": MATERIAL},
    "panel": {"kind": "shell", "mesh": PLATE, "thickness": "1 mm", "material": MATERIAL},
    "brick": {"kind": "solid", "mesh": BOX, "material": MATERIAL},
    "wedge": {"kind": "solid", "mesh": BOX | {"elements": "tetra10"}, "material": MATERIAL},
    "crate": {"kind": "rigid", "mass": "1 kg", "shape": {"kind": "box", "size": [0.1, 0.2, 0.3]}, "at": [0, 3, 0],
              "angular_velocity": ["90 deg/s", 0, 0]},
    "bob": {"kind": "point_mass", "mass": "1 kg", "at": [0, 4, 0]},
}  # fmt: skip


@pytest.fixture(scope="module")
def run():
    model = {"name": "All fall", "gravity": [0, 0, "-10 m/s^2"], "bodies": FALLING}
    return Model.from_plain(model).simulate("0.1 s", outputs=2)


@pytest.fixture(scope="module")
def grids(run, tmp_path_factory):
    path = run.to_vtk(tmp_path_factory.mktemp("vtk") / "fall.pvd")
    return [meshio.read(path.parent / name) for name in re.findall(r'file="(.*?)"', path.read_text())]


def test_every_element_is_there(run, grids):
    assert len(grids) == len(run.time) == 3
    for grid in grids:
        counts: dict[str, int] = {}
        for block in grid.cells:
            counts[block.type] = counts.get(block.type, 0) + len(block.data)
        tetrahedra = len(run["wedge.energy_density"].components)
        expected = {"line": 4 + 3, "triangle": 12, "quad": 6 + 6, "hexahedron": 2, "tetra10": tetrahedra, "vertex": 1}
        assert counts == expected


def test_solids_have_their_volume(grids):
    """Which they have only if corners stand in VTK's order."""
    for grid in (grids[0], grids[-1]):
        volume = dict.fromkeys(("hexahedron", "tetra10"), 0.0)
        for block in grid.cells:
            if block.type in volume:
                x = grid.points[block.data]
                a, b, c = (1, 3, 4) if block.type == "hexahedron" else (1, 2, 3)
                boxes = np.einsum("ei,ei->e", np.cross(x[:, a] - x[:, 0], x[:, b] - x[:, 0]), x[:, c] - x[:, 0])
                volume[block.type] += boxes.sum() / (1.0 if block.type == "hexahedron" else 6.0)
                if block.type == "tetra10":
                    ends = ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3))
                    middles = np.stack([0.5 * (x[:, i] + x[:, j]) for i, j in ends], axis=1)
                    assert x[:, 4:] == pytest.approx(middles, abs=1e-9)
        assert volume == pytest.approx({"hexahedron": 2e-3, "tetra10": 2e-3}, rel=1e-6)


def test_all_points_fall_alike(run, grids):
    """By g t²/2; those of the crate turn as well."""
    fallen = -5.0 * run.time[-1] ** 2
    moved = grids[-1].point_data["displacement"]
    still = np.isclose(np.abs(moved - [0.0, 0.0, fallen]).max(axis=1), 0.0, atol=1e-6)
    assert np.count_nonzero(~still) == 8
    crate = grids[-1].points[~still]
    angle = np.radians(90.0) * run.time[-1]
    assert crate.mean(axis=0) == pytest.approx([0.0, 3.0, fallen], abs=1e-6)
    assert np.ptp(crate[:, 1]) == pytest.approx(0.2 * np.cos(angle) + 0.3 * np.sin(angle), rel=1e-6)
