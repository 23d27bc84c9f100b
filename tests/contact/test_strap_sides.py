"""Which side of a strap a point is on: none beside it, and that of its line where its sections are bent."""

import numpy as np
import pytest

from tapespring import Model

STRAP = {
    "section": {"kind": "rectangle", "width": "10 mm", "thickness": "0.2 mm"},
    "material": {"young": "40 GPa", "poisson": 0.3, "density": "2600 kg/m^3"},
}
RADIUS, K, MARGIN = 0.5e-3, 1.0, 0.6e-3  # forces begin at a gap of 0.6 mm


def near(path, at, position, **given) -> Model:
    """A small ball that is led along beside a strap held at both ends."""
    m = Model(name="ball near a strap", gravity=(0, 0, 0))
    m.beam("strap", path=path, **STRAP, **given)
    for end in ("start", "end"):
        m.fixed(f"at_{end}", between=["ground", f"strap.{end}"])
    m.moving_frame("finger", at=at, position=position)
    ball = {"kind": "sphere", "on": "finger", "radius": RADIUS}
    strap = {"kind": "rod", "on": "strap", "radius": "0.1 mm", "width": "10 mm"}
    law = {"kind": "nonlinear", "n": 1, "stiffness": K, "margin": MARGIN}
    m.contact("touch", between=[[strap], [ball]], law=law, lines="nodes")
    return m


@pytest.mark.parametrize("solver", ["explicit", "implicit"])
def test_a_point_goes_round_the_edge_of_a_strap(solver):
    """Down beside it, where it is pushed aside by the cushion alone, and then below it."""
    ramp = "min(max({} - t, 0)/0.01, 1)"
    path = [0, f"0.006*{ramp.format(0.02)}", f"0.006*{ramp.format(0.01)} - 0.003"]
    m = near([[-0.05, 0, 0], [0.05, 0, 0]], [0.013, 0, 0], path, up="z", elements=2)
    run = m.simulate("21 ms", outputs=42, solver=solver, **({"step": 1e-4} if solver == "implicit" else {}))
    assert run["touch.normal"].max() == pytest.approx(K * (MARGIN - (1e-3 - RADIUS - 0.1e-3)), rel=1e-3)
    assert run["touch.normal"].final == 0.0


@pytest.mark.parametrize("height", [1e-3, -1e-3])
def test_a_bent_strap_has_the_sides_of_its_lines(height):
    """Of an arc of four elements, sections at the nodes lean against the lines between them by a fifth."""
    angle, radius = 1.6, 0.05
    arc = {"kind": "arc", "through": [[radius * np.sin(a), 0, radius * np.cos(a)] for a in (-angle / 2, 0, angle / 2)]}
    ends = [np.array([radius * np.sin(a), 0, radius * np.cos(a)]) for a in (0.0, angle / 4)]
    out = np.array([np.sin(angle / 8), 0, np.cos(angle / 8)])
    at = 0.1 * ends[0] + 0.9 * ends[1] + height * out
    m = near(arc, at.tolist(), [0, 0, 0], up="z", elements=4)
    run = m.simulate("0.1 ms", outputs=4, solver="explicit")
    assert run["touch.gap"].values == pytest.approx(1e-3 - RADIUS - 0.1e-3, abs=1e-6)
    assert run["touch.normal"].values == pytest.approx(K * (MARGIN - 0.4e-3), rel=1e-2)
