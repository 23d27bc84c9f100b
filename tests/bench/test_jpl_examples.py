"""Examples of the deployable-structure benchmarks are sound; they are run by the cases and by hand."""

import runpy
from pathlib import Path

import pytest

import tapespring as ts
from tapespring.bench.jpl_bump import HEIGHT, LENGTH, SIDE, YOUNG, force_on_top

FOLDER = Path(__file__).parents[2] / "examples" / "jpl"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.yaml")), ids=lambda path: path.stem)
def test_model_files(path):
    ts.load(path).check()


def test_cords_run_along_the_outer_edges_of_the_fabric():
    fabric = runpy.run_path(str(FOLDER / "fabric.py"))["fabric"]
    with_cord, without = fabric(cord=True), fabric(cord=False)
    with_cord.check()
    cords = set(with_cord.section("bodies")) - set(without.section("bodies"))
    assert cords == {f"{half}_{hem}" for half in ("upper", "lower") for hem in ("hem_1", "hem_2")}
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
