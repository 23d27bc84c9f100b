"""Critical loads against closed forms."""

import numpy as np
import pytest

from tapespring import Model
from tapespring.schema.problems import ModelError

SECTION = {
    "kind": "general", "axial_stiffness": 1e8, "bending_stiffness": [1.0, 3.0], "torsion_stiffness": 1.0,
    "mass_per_length": 1.0,
}  # fmt: skip
EULER = np.pi**2 / 4


def column(elements=16, force=("-t", 0, 0), **options):
    m = Model("column")
    m.beam("column", path=[[0, 0, 0], [1, 0, 0]], elements=elements, section=SECTION)
    m.fixed("clamp", m.ground, "column.start")
    m.load("press", "column.end", force=list(force), **options)
    return m


def test_euler():
    """In both planes, and the second mode; with elements of fourth order."""
    found = column().buckling(4)
    assert found.time == 0.0
    assert found.critical_times == pytest.approx(EULER * np.array([1, 3, 9, 25]), rel=3e-3)
    assert found.critical_times[0] == pytest.approx(EULER, rel=2e-6)
    assert found.describe(0) == "column moves along z"
    move, _ = found.shape_of("column")
    x = np.linspace(0, 1, 17)
    shape = move[:, 2, 0] / move[-1, 2, 0]
    np.testing.assert_allclose(shape, 1 - np.cos(np.pi * x / 2), atol=1e-4)


def test_large_model():
    assert column(200).buckling(2).critical_times == pytest.approx(EULER * np.array([1, 3]), rel=1e-5)


def test_about_a_loaded_place_and_of_a_state():
    half = column().buckling(1, at=EULER / 2)
    assert half.time == EULER / 2
    assert half.critical_times[0] == pytest.approx(EULER, rel=2e-6)
    results = column().simulate(f"{EULER / 3} s", solver="quasi-static", outputs=1)
    assert column().buckling(1, state=results).critical_times[0] == pytest.approx(EULER, rel=2e-6)


def test_loads_that_do_not_start_at_zero():
    """2 N from the start, and 0.1 N/s."""
    found = column(force=("-2 - 0.1*t", 0, 0)).buckling(1)
    assert found.critical_times[0] == pytest.approx((EULER - 2) * 10, rel=2e-5)


def test_drives_are_loads_too():
    """A clamped column shortened by a drive: strain π² 4 EI/(EA L²)."""
    m = Model("shortened")
    m.beam("column", path=[[0, 0, 0], [1, 0, 0]], elements=20, section=SECTION | {"axial_stiffness": 1e5})
    m.fixed("clamp", m.ground, "column.start")
    m.prismatic("slide", m.ground, "column.end", at=(1, 0, 0), axis="x")
    m.motion("press", "slide", value="-1e-3*t")
    assert m.buckling(1).critical_times[0] == pytest.approx(4 * np.pi**2 / 1e5 / 1e-3, rel=2e-3)


def test_links_and_springs():
    """Two rigid links with a torsion spring at the hinge: P = 4 k/L, with reactions of joints alone."""
    m = Model("links")
    first = m.rigid("first", at=(0.25, 0, 0), mass=1, inertia=[1, 1, 1])
    second = m.rigid("second", at=(0.75, 0, 0), mass=1, inertia=[1, 1, 1])
    m.revolute("foot", m.ground, first, at=(0, 0, 0), axis="y")
    m.revolute("knee", first, second, at=(0.5, 0, 0), axis="y")
    m.point_on_line("head", m.ground.at(1, 0, 0), second.at(0.25, 0, 0), axis="x")
    m.torsion_spring("coil", joint="knee", stiffness=3.0)
    m.load("press", second, force=["-t", 0, 0])
    found = m.buckling(1)
    # the load acts at the middle of the second link, which carries none beyond it
    assert len(found.critical_times) == 1
    m = m.set("forces.press", {"kind": "load", "on": {"on": "second", "at": [0.25, 0, 0]}, "force": ["-t", 0, 0]})
    assert m.buckling(1).critical_times[0] == pytest.approx(4 * 3.0 / 1.0, rel=1e-8)


def test_tension_buckles_nothing_and_follower_loads_flutter_instead():
    mesh = 12 * 16**2  # a load of 12 EI/h², with h the length of an element, buckles elements of themselves
    times = column(force=("t", 0, 0)).buckling(1).critical_times
    assert len(times) == 0 or times[0] > mesh
    assert len(column(axes="body").buckling(1).critical_times) == 0


def test_no_load_no_buckling():
    assert len(column(force=(0, 0, 0)).buckling(2).critical_times) == 0


def test_a_loose_model_is_named():
    m = Model("loose")
    m.beam("column", path=[[0, 0, 0], [1, 0, 0]], elements=8, section=SECTION)
    m.spherical("foot", m.ground, "column.start")
    m.point_on_line("head", m.ground.at(1, 0, 0), "column.end", axis="x")
    m.load("press", "column.end", force=["-t", 0, 0])
    with pytest.raises(ModelError, match=r"buckling: nothing resists that 'column\[\d\]' should turn about"):
        m.buckling()
