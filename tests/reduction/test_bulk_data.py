"""NASTRAN bulk data: masses and frequencies against closed forms, the program's own models and NASTRAN itself."""

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from bulk_files import STEEL, cantilever, free, large, mesh_cards, small

import tapespring as ts
from tapespring.reduction.reduce import reduced_with_report
from tapespring.reduction.sources import structure_from

E, NU, RHO = 2.1e11, 0.3, 7850.0
MATERIAL = {"young": E, "poisson": NU, "density": RHO}


def written(tmp_path: Path, text: str, name: str = "model.bdf") -> Path:
    path = tmp_path / name
    path.write_text(text)
    return path


def test_slender_cantilever_to_four_digits(tmp_path):
    """2 mm thick: shear and rotary inertia play no part."""
    text = cantilever(40, "PARAM,COUPMASS,1\n").replace("+,0.02,0.01", "+,0.003,0.002")
    body = ts.reduce(written(tmp_path, text), method="normal", modes=2)
    assert body.inertia.mass == pytest.approx(0.003 * 0.002 * RHO, rel=1e-12)
    exact = 1.875104068711961**2 * np.sqrt(E / 12 / RHO) * np.array([0.002, 0.003]) / (2 * np.pi)
    np.testing.assert_allclose(body.frequencies, exact, rtol=1e-5)


def test_bars_equal_own_beams(tmp_path):
    body = ts.reduce(written(tmp_path, cantilever(10)), {"tip": "11"}, modes=3)
    m = ts.Model()
    m.beam("b", path=[[0, 0, 0], [1, 0, 0]], section={"kind": "rectangle", "width": 0.01, "thickness": 0.02},
           material=MATERIAL, elements=10)  # fmt: skip
    m.fixed("clamp", m.ground, "b.start")
    np.testing.assert_allclose(body.frequencies, ts.reduce(m, {"tip": "b.end"}, modes=3).frequencies, rtol=1e-8)


@pytest.mark.parametrize("kind", ["quad", "triangle", "hexahedron"])
def test_meshes_equal_own_bodies(tmp_path, kind):
    m = ts.Model()
    if kind == "hexahedron":
        mesh = {"kind": "box", "length": 0.3, "width": 0.1, "height": 0.05, "divisions": [4, 2, 1]}
        m.solid("s", mesh=mesh, material=MATERIAL)
    else:
        mesh = {"kind": "plate", "length": 0.3, "width": 0.1, "divisions": [4, 2], "triangles": kind == "triangle"}
        m.shell("s", mesh=mesh, thickness=0.004, material=MATERIAL)
    own = structure_from(m)
    path = written(tmp_path, mesh_cards(own.drawing.points, own.drawing.cells, 0.004))
    found = ts.reduce(path, method="normal", modes=6)
    wanted = ts.reduce(own, method="normal", modes=6)
    assert found.inertia.mass == pytest.approx(wanted.inertia.mass, rel=1e-9)
    np.testing.assert_allclose(found.frequencies, wanted.frequencies, rtol=1e-6)
    assert set(found.picture.cells) == {kind}


def test_ten_node_tetrahedron_has_its_volume(tmp_path):
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])
    edges = [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)]
    points = np.vstack((corners, [(corners[a] + corners[b]) / 2 for a, b in edges]))
    path = written(tmp_path, mesh_cards(points, {"tetra10": np.arange(10)[None]}, 0.0))
    assert ts.reduce(path, method="normal", modes=3).inertia.mass == pytest.approx(RHO / 6, rel=1e-9)


def test_rods_and_point_masses(tmp_path):
    """A mass on two rods at right angles, held in the plane: both frequencies by hand."""
    text = (
        free("GRID", 1, "", 0.0, 0.0, 0.0, "", 3) + free("GRID", 2, "", -1.0, 0.0, 0.0, "", 123)
        + free("GRID", 3, "", 0.0, -2.0, 0.0, "", 123) + "CROD,1,1,1,2\nCROD,2,1,1,3\nPROD,1,1,1.-4\n"
        + "CONM2,9,1,,50.\n" + STEEL
    )  # fmt: skip
    body = ts.reduce(written(tmp_path, text), method="normal", modes=2)
    mass = 50.0 + 0.5 * RHO * 1e-4 * 3.0
    exact = np.sqrt(E * 1e-4 / np.array([2.0, 1.0]) / mass) / (2 * np.pi)
    np.testing.assert_allclose(body.frequencies, exact, rtol=1e-9)


def test_rigid_tie_with_an_offset_mass(tmp_path):
    """Grid 4 hangs on grid 3 by a rigid tie: mass, centre and inertia of all together."""
    tie = free("GRID", 4, "", 1.0, 0.0, 0.5) + "RBE2,50,3,123456,4\n" + small(
        "CONM2", 60, 4, "", "2.", "0.1", "0.", "0.", "", "0.01", "", "0.02", "", "", "0.03"
    )  # fmt: skip
    body = ts.reduce(written(tmp_path, cantilever(2, tie)), {"hook": "4"}, modes=2)
    beam = 0.02 * 0.01 * RHO
    assert body.inertia.mass == pytest.approx(beam + 2.0, rel=1e-12)
    np.testing.assert_allclose(body.inertia.first, beam * np.array([0.5, 0, 0]) + 2.0 * np.array([1.1, 0, 0.5]))
    section = beam * np.array([0.01**2 + 0.02**2, 0.02**2, 0.01**2]) / 12
    lumps = beam * (0.5 * 0.25 + 0.25)  # at 0.5 and 1 m
    own = [2 * 0.25 + 0.01, 2 * (1.1**2 + 0.25) + 0.02 + lumps, 2 * 1.1**2 + 0.03 + lumps]
    np.testing.assert_allclose(np.diag(body.inertia.second), section + own, rtol=1e-9)
    np.testing.assert_allclose(body.frame("hook").position, [1.0, 0.0, 0.5])


def test_coordinate_systems(tmp_path):
    """The cantilever drawn and held in a cylinder's coordinates, about an axis elsewhere."""
    systems = free("CORD2R", 3, 0, 1.0, 2.0, 3.0, 1.0, 2.0, 4.0, 1.0, 3.0, 3.0)
    systems += free("CORD2C", 7, 3, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0)
    text = systems + "".join(free("GRID", k + 1, 7, k / 4, 30.0, 0.0, 7) for k in range(5))
    text += "".join(free("CBAR", k + 1, 10, k + 1, k + 2, 0.0, 1.0, 0.0) for k in range(4))
    text += "PBARL,10,1,,BAR\n+,0.02,0.01\n" + STEEL + "SPC,1,1,123456\n"
    straight = cantilever(4)
    found = ts.reduce(written(tmp_path, text), method="normal", modes=5)
    wanted = ts.reduce(written(tmp_path, straight, "b.bdf"), method="normal", modes=5)
    np.testing.assert_allclose(found.frequencies, wanted.frequencies, rtol=1e-8)
    axis = np.array([-np.sin(np.pi / 6), np.cos(np.pi / 6), 0.0])  # x of the first system is the world's y
    np.testing.assert_allclose(found.positions[-1], np.array([1, 2, 3]) + axis, atol=1e-12)


def test_supports_along_turned_axes(tmp_path):
    """Grids that may only move along an axis at 45 degrees: a rod's mass on a slope."""
    text = free("CORD2R", 5, 0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0)
    text += free("GRID", 1, "", 0.0, 0.0, 0.0, "", 123) + free("GRID", 2, "", 1.0, 0.0, 0.0, 5, 23)
    text += "CROD,1,1,1,2\nPROD,1,1,1.-4\nCONM2,3,2,,10.\n" + STEEL
    body = ts.reduce(written(tmp_path, text), method="normal", modes=1)
    mass = 10.0 + 0.5 * RHO * 1e-4
    assert body.frequencies[0] == pytest.approx(np.sqrt(0.5 * E * 1e-4 / mass) / (2 * np.pi), rel=1e-9)


def test_millimetres_and_tonnes(tmp_path):
    text = cantilever(5)
    for k in range(6):
        text = text.replace(f"{k / 5:.6f}", f"{1000 * k / 5:8.3f}")
    text = text.replace("+,0.02,0.01", "+,20.,10.").replace("2.1+11", "2.1+5").replace("7850.", "7.85-9")
    found = ts.reduce(written(tmp_path, text), method="normal", modes=3, length_unit="mm", mass_unit="t")
    wanted = ts.reduce(written(tmp_path, cantilever(5), "b.bdf"), method="normal", modes=3)
    np.testing.assert_allclose(found.frequencies, wanted.frequencies, rtol=1e-6)
    assert found.inertia.mass == pytest.approx(wanted.inertia.mass, rel=1e-9)


def test_include_case_control_and_what_is_beside(tmp_path):
    written(tmp_path, cantilever(3).replace("SPC1,1,", "SPC1,8,") + "SPC1,9,123,4\n", "inner.bdf")
    head = "SOL 103\nCEND\nSPC = 8\nBEGIN BULK\nINCLUDE 'inner.bdf'\nFORCE,1,4,,1.,0.,0.,1.\nENDDATA\nnonsense"
    body, report = reduced_with_report(written(tmp_path, head), method="normal", modes=1)
    assert body.held
    assert [note.rpartition("model.bdf:")[2] for note in report.notes] == [
        "6: 1 × FORCE: not used: it changes neither mass nor stiffness"
    ]


def test_a_body_of_a_model(tmp_path):
    """The same file as a flexible body among others: hangs from a joint at grid 1, by its marker."""
    written(tmp_path, cantilever(3).replace("SPC1,1,123456,1\n", ""))
    m = ts.Model(gravity=(0, 0, -9.81), folder=tmp_path)
    m.nastran("boom", file="model.bdf")
    m.revolute("hinge", m.ground, "boom.g1", axis=[0, 1, 0])
    results = m.simulate("20 ms")
    assert results.status.complete
    fall = results["boom.g4.position"].values[-1, 2]
    inertia = (1 / 9 + 4 / 9) / 3 + 1 / 6  # of lumps at thirds, over m L²
    assert fall == pytest.approx(-0.5 * 0.5 / inertia * 9.81 * 0.02**2, rel=0.03)  # and it bends a little


def test_a_structure_that_nastran_has_solved():
    """A truss of 117 bars from the tests of pyYeti, with the mass and frequencies that NASTRAN printed for it."""
    found = find_spec("pyyeti")
    folder = Path(found.origin).parent / "tests/nas2cam_extseout" if found and found.origin else None
    if folder is None or not (folder / "full.dat").is_file():
        pytest.skip("needs the test data of the package pyyeti")
    body = ts.reduce(folder / "full.dat", method="normal", modes=12)
    assert body.inertia.mass == pytest.approx(3.345436, rel=1e-6)
    np.testing.assert_allclose(body.inertia.centre, [633.3702, 150.0, 150.0], rtol=1e-6)
    printed = [1.698800, 1.767487, 1.857720, 3.419612, 7.024210, 7.025409, 10.72361, 10.98255, 13.86678, 14.38990,
               14.65085, 15.19276]  # fmt: skip
    np.testing.assert_allclose(body.frequencies, printed, rtol=1e-4)


def test_large_fields_are_read(tmp_path):
    text = cantilever(1, large("CONM2", 7, 2, "", "0.123456789012")) + "$ a comment\n"
    assert ts.reduce(written(tmp_path, text), method="normal", modes=1).inertia.mass == pytest.approx(
        0.02 * 0.01 * RHO + 0.123456789012, rel=1e-12
    )
