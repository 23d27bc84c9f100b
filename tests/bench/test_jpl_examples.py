"""Examples of the deployable-structure benchmarks are sound; they are run by the cases and by hand."""

import runpy
from pathlib import Path

import numpy as np
import pytest

import tapespring as ts
from tapespring.bench.fabric_models import DIVISIONS, TIES, sheet
from tapespring.bench.jpl_bump import HEIGHT, LENGTH, SIDE, YOUNG, force_on_top

FOLDER = Path(__file__).parents[2] / "examples" / "jpl"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.yaml")), ids=lambda path: path.stem)
def test_model_files(path):
    ts.load(path)


def test_cords_run_along_the_outer_edges_of_the_fabric():
    fabric = runpy.run_path(str(FOLDER / "fabric.py"))["fabric"]
    with_cord, without = fabric(cord=True), fabric(cord=False)
    cords = set(with_cord.section("bodies")) - set(without.section("bodies"))
    assert cords == {"hem_AC", "hem_BC", "hem_AD", "hem_BD"}
    from tapespring.build.builder import build

    _, catalogue = build(with_cord)
    for name in cords:
        assert catalogue.bodies[name].line.length == pytest.approx(0.432, rel=1e-4)


def test_elastica_on_the_flat_top_is_the_recorded_one():
    assert force_on_top(0.2) == pytest.approx(3.638, abs=5e-4)
    flat = closed_force_on_top()
    assert force_on_top(0.0) == pytest.approx(flat, rel=2e-3)  # 0.7 mm on 25 mm: nearly small


def closed_force_on_top():
    """Without friction and for small deflections, 3 E I h / L³."""
    return 3.0 * YOUNG * SIDE**4 / 12.0 * HEIGHT / LENGTH**3


def test_the_fabric_is_one_piece_that_fills_both_triangles():
    mesh, attached = sheet()
    points, triangles = np.array(mesh["nodes"]), np.array(mesh["triangles"])
    assert len(np.unique(points.round(9), axis=0)) == len(points)  # sewn along AB
    a, b, c = (points[triangles[:, k]] for k in range(3))
    areas = 0.5 * np.cross(b - a, c - a)[:, 2]
    assert areas.min() > 0.0  # all seen from the same side
    assert areas.sum() == pytest.approx(0.432 * 0.3741, rel=1e-12)
    ends = np.sort(triangles[:, [[0, 1], [0, 2], [1, 2]]].reshape(-1, 2), axis=1)
    count = np.unique(ends, axis=0, return_counts=True)[1]
    assert (count == 1).sum() == 4 * DIVISIONS  # its hems
    tied = {name: points[mesh["groups"][name]] for name in attached}
    assert {len(places) for name, places in tied.items() if len(name) == 2} == {TIES - 1}
    assert sum(map(len, tied.values())) == 5 * (TIES - 1) + 4
    assert len(mesh["groups"]["off_AB"]) == len(points) - DIVISIONS - 1
