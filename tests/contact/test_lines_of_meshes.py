"""Lines of nodes of a mesh that touch, and rods on boxes."""

import numpy as np
import pytest

import tapespring as ts

G = 9.81
LAW = {"kind": "linear", "stiffness": 1e4}
STRIP = {"kind": "strip", "length": 0.4, "width": 0.02, "divisions": [8, 2]}
STEEL = {"young": "200 GPa", "poisson": 0.3, "density": 7800}


def strip_under_a_ball(**surface):
    """A rigid ball pressed 1 mm deep onto the middle of a strip, between two of its nodes, 5 mm beside the line."""
    m = ts.Model("strip")
    m.shell("strip", mesh=STRIP, thickness="1 mm", material=STEEL)
    m.support("held", "strip")
    m.rigid("ball", at=(0.125, 0.005, 0.0495), mass=1.0, inertia=[1, 1, 1])
    line = {"kind": "rod", "on": "strip.middle", "radius": 0.5e-3, **surface}
    m.contact("touch", between=[line, {"kind": "sphere", "on": "ball", "radius": 0.05}], law=LAW, overlap="keep")
    return m.simulate("1 us", solver="implicit", outputs=1)


def test_a_strap_of_nodes_is_flat_across_its_width():
    r = strip_under_a_ball(width="20 mm")
    assert r["touch.gap"].values[0] == pytest.approx(-1e-3, rel=1e-9)
    assert r["touch.force"].values[0] == pytest.approx([0.0, 0.0, 10.0], rel=1e-9, abs=1e-9)


def test_a_round_line_of_nodes():
    r = strip_under_a_ball()
    apart = np.array([0.005, 0.0495])
    depth = 0.0505 - np.linalg.norm(apart)
    assert r["touch.gap"].values[0] == pytest.approx(-depth, rel=1e-9)
    force = r["touch.force"].values[0]
    assert force[0] == pytest.approx(0.0, abs=1e-12)
    assert force[1:] == pytest.approx(1e4 * depth * apart / np.linalg.norm(apart), rel=1e-9)


def test_lines_that_are_none_are_told():
    with pytest.raises(ts.ModelError, match=r"say which line of its nodes, such as 'strip\.left'"):
        strip_under_a_ball(on="strip")
    with pytest.raises(ts.ModelError, match="do not lie along a line of edges"):
        strip_under_a_ball(on="strip.start_left")


def test_a_rod_lies_on_a_box_with_its_ends():
    """Sunk in as deep as half its weight at each end needs, it stays."""
    k = 1e5
    m = ts.Model("beam on a box", gravity=(0, 0, -G))
    m.rigid("rod", at=(0, 0, 0.06 - G / (2 * k)), mass=1.0, inertia=[0.01, 0.01, 0.01])
    rod = {"kind": "capsule", "on": "rod", "at": (-0.1, 0, 0), "to": (0.1, 0, 0), "radius": 0.01}
    table = {"kind": "box", "on": "ground", "size": (0.4, 0.2, 0.1)}
    m.contact("touch", between=[table, rod], law={"kind": "linear", "stiffness": k})
    r = m.simulate("0.1 s")
    assert r["touch.normal"].values == pytest.approx(G, rel=1e-6)
    assert r["rod.position.z"].final == pytest.approx(0.06 - G / (2 * k), abs=1e-9)
