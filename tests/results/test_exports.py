"""Runs for other programs: CSV read by NumPy, VTK read by meshio."""

import re

import numpy as np
import pytest
from drawn_exports import exported_run

from tapespring.results import ResultsFileError


def test_csv_holds_every_number_to_the_last_digit(tmp_path):
    run = exported_run()
    path = run.to_csv(tmp_path / "run.csv", ["bar.position", "rope.tension"])
    head = path.read_text().splitlines()[0]
    assert (
        head
        == "time [s],bar.position.x [m],bar.position.y [m],bar.position.z [m],rope.tension.N0 [N],rope.tension.N1 [N]"
    )
    table = np.genfromtxt(path, delimiter=",", skip_header=1)
    assert np.array_equal(table[:, 0], run.time)
    assert np.array_equal(table[:, 1:4], run["bar.position"].values)
    assert np.array_equal(table[:, 4:], run["rope.tension"].values, equal_nan=True)


def test_vtk_holds_all_kinds_of_parts_where_they_are(tmp_path):
    meshio = pytest.importorskip("meshio")
    run = exported_run()
    path = run.to_vtk(tmp_path / "run.pvd")
    listed = re.findall(r'timestep="(.*?)" file="(.*?)"', path.read_text())
    assert [float(time) for time, _ in listed] == run.time.tolist()
    row = 2
    grid = meshio.read(path.parent / listed[row][1])
    kinds = {block.type: len(block.data) for block in grid.cells}
    assert kinds == {"quad": 6 + 1, "line": 2, "hexahedron": 1, "vertex": 1}
    sheet = run["sheet.positions"].values[row].reshape(-1, 3)
    rope, cube = (run[f"{name}.positions"].values[row].reshape(-1, 3) for name in ("rope", "cube"))
    bar = grid.points[:8]
    assert grid.points[8:] == pytest.approx(np.concatenate((sheet, rope, cube, run["bob.position"].values[row][None])))
    # a quarter turn about z: what lay along x lies along y
    assert np.ptp(bar, axis=0) == pytest.approx([0.1, 1.0, 0.2])
    assert bar.mean(axis=0) == pytest.approx(run["bar.position"].values[row])
    moved = grid.point_data["displacement"]
    assert moved[8:12] == pytest.approx(sheet - run["sheet.positions"].values[0].reshape(-1, 3), abs=1e-6)


def test_vtk_holds_what_elements_carry_and_nothing_elsewhere(tmp_path):
    meshio = pytest.importorskip("meshio")
    run = exported_run()
    path = run.to_vtk(tmp_path / "run.pvd")
    grid = meshio.read(path.parent / "run" / "run_000001.vtu")
    tension = dict(zip((block.type for block in grid.cells), grid.cell_data["tension"], strict=False))
    assert tension["line"].ravel() == pytest.approx(run["rope.tension"].values[1], nan_ok=True)
    assert np.isnan(tension["hexahedron"]).all()
    stress = {block.type: values for block, values in zip(grid.cells, grid.cell_data["stress"], strict=True)}
    assert stress["hexahedron"].ravel() == pytest.approx(run["cube.stress"].values[1])
    assert "<!-- part 1: sheet -->" in path.read_text()


def test_without_geometry_vtk_is_refused(tmp_path):
    run = exported_run()
    run._scene = {}
    with pytest.raises(ResultsFileError, match="no geometry"):
        run.to_vtk(tmp_path / "run.pvd")


def test_movie_holds_frames_of_the_whole_run(tmp_path):
    pytest.importorskip("matplotlib")
    image = pytest.importorskip("PIL.Image")
    run = exported_run()
    path = run.to_movie(tmp_path / "run.gif")
    with image.open(path) as movie:
        first = np.array(movie.convert("RGB"), int)
        movie.seek(movie.n_frames - 1)
        last = np.array(movie.convert("RGB"), int)
        assert movie.n_frames == len(run.time)
    assert len(np.unique(first.reshape(-1, 3), axis=0)) > 20  # bodies in their colours, shaded
    assert np.abs(first - last).sum(axis=2).astype(bool).mean() > 0.01  # that moved
    assert [file.name for file in tmp_path.iterdir()] == ["run.gif"]


def test_movie_at_a_given_speed(tmp_path):
    from tapespring.results.movie import RATE, frame_rows

    time = np.linspace(0.0, 2.0, 201)
    rows = frame_rows(time, 0.5)
    assert len(rows) == 4 * RATE
    assert time[rows] == pytest.approx(np.linspace(0.0, 2.0, 4 * RATE), abs=0.006)
    assert (rows[0], rows[-1]) == (0, 200)


def test_movie_without_ffmpeg_says_what_does_without(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ResultsFileError, match="ffmpeg"):
        exported_run().to_movie(tmp_path / "run.mp4")
