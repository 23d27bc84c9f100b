"""A membrane tied to beams at single points."""

import numpy as np
import pytest

from tapespring import Model

YOUNG, RADIUS, LENGTH, PULL = 200e9, 0.01, 1.0, 0.1


def test_two_cantilevers_share_the_pull_of_a_sheet():
    """By symmetry each tip gets half of it, and bends by F L³ / 3 E I. The pull is weak, for the sheet also pushes its
    lower corners, and a thrust changes how stiff a boom is in bending, in proportion to the pull."""
    m = Model(name="sheet between two booms")
    steel = {"young": YOUNG, "poisson": 0.3, "density": 7800}
    for name, x in (("left", -LENGTH), ("right", 1.0 + LENGTH)):
        m.beam(name, path=[[x, 0, 0], [np.clip(x, 0.0, 1.0), 0, 0]], section={"kind": "circle", "radius": RADIUS},
               material=steel, elements=4)  # fmt: skip
        m.fixed(f"{name}_root", "ground", f"{name}.start")
    mesh = {"kind": "plate", "length": 1.0, "width": 1.0, "divisions": [4, 4]}
    m.membrane("sheet", mesh=mesh, thickness="1 mm", material=steel, tension=[1.0, 1.0],
               attach={"bottom_left": "left", "bottom_right": "right"})  # fmt: skip
    m.support("flat", "sheet", hold=["z"])
    m.spread_load("pull", "sheet.top", force=[0, f"{PULL}*t", 0])
    r = m.simulate("1 s", solver="quasi-static", outputs=[0.0, 1.0])
    assert r.status.complete
    bent = 0.5 * PULL * LENGTH**3 / (3.0 * YOUNG * np.pi * RADIUS**4 / 4.0)
    for name in ("left", "right"):
        moved = np.diff(r[f"{name}.end.position.y"].values)[0]
        assert moved == pytest.approx(bent, rel=2e-3)
        force = np.diff(r[f"{name}_root.force"].values, axis=0)[0]
        assert force[1] == pytest.approx(-0.5 * PULL, rel=1e-6)
