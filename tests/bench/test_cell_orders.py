"""Errors of membranes, shells and solids fall with the size of elements as they should: with its square; a little
slower where a corner of the support is singular, and faster where slender solids bend as beams do."""

from math import log2

import numpy as np
import pytest

from tapespring.bench.beam_bending import TIP_LOAD
from tapespring.bench.obstacle_course import cook, middle_of_edge
from tapespring.bench.shell_strips import LENGTH, as_body, on_circle, rolled, sheared


def error(results, u, w, time):
    x, _, z = results["shell.end_left.position"].at(time) - results["shell.end_left.position"].values[0]
    return np.hypot(x + u, z - w)


@pytest.mark.parametrize("triangles", [False, True])
def test_shells_under_an_end_shear(triangles):
    w, u, _ = TIP_LOAD[4.0]
    errors = [error(sheared(n, triangles).simulate(), 10 * u, 10 * w, 1.0) for n in (4, 8, 16)]
    assert log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.5)
    assert log2(errors[1] / errors[2]) == pytest.approx(2.0, abs=0.4)


@pytest.mark.parametrize("triangles", [False, True])
def test_shells_rolled_up(triangles):
    u, w = on_circle(0.5)
    errors = [
        error(rolled(n, triangles).simulate(duration=0.5, outputs=[0, 0.25, 0.5]), u, w, 0.5) for n in (8, 16, 32)
    ]
    assert log2(errors[1] / errors[2]) == pytest.approx(2.0, abs=0.3)


@pytest.mark.parametrize(
    ("kind", "triangles", "order"),
    [("membrane", False, 1.8), ("membrane", True, 1.3), ("shell", False, 1.8), ("solid", False, 1.8)],
)
def test_panels_in_their_plane(kind, triangles, order):
    """Triangles of constant strain are so stiff here that these meshes are not yet where the error is of one order."""
    found = []
    for n in (4, 8, 16):
        model = cook(kind, n)
        found.append(
            middle_of_edge((model.set("bodies.panel.mesh.triangles", True) if triangles else model).simulate())
        )
    assert log2((found[1] - found[0]) / (found[2] - found[1])) == pytest.approx(order, abs=0.3)


@pytest.mark.parametrize(("kind", "order"), [("solid", 3.5), ("tetrahedra", 3.7)])
def test_solids_bent_far(kind, order):
    ends = []
    for n in (8, 16, 32):
        model = as_body(kind).set("bodies.strip.mesh.divisions", [n, 1, 1])
        results = model.simulate(outputs=[0, 0.4], duration=0.4)
        places = results["strip.positions"].values.reshape(2, -1, 3)
        end = np.abs(places[0, :, 0] - LENGTH) < 1e-9
        ends.append((places[1, end] - places[0, end]).mean(axis=0)[2])
    assert ends[2] == pytest.approx(TIP_LOAD[4.0][0], rel=5e-4)
    assert log2((ends[1] - ends[0]) / (ends[2] - ends[1])) == pytest.approx(order, abs=0.5)
