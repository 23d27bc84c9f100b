"""Quasi-static runs stay on their branch however coarse their increments; where the branch ends they say so."""

import numpy as np
import pytest
from scipy.optimize import brentq, minimize_scalar

from tapespring import Model


def four_bar(outputs):
    """Elastic links in a parallelogram; one hinge is 5 degrees out of line, so that it is stiff where all links come to
    lie in line, and swings back there instead of going through."""
    m = Model(name="four-bar")
    steel = {"young": 207e9, "poisson": 0.3, "density": 7800}
    corners = [(0, 0, 0), (0, 0.12, 0), (0.24, 0.12, 0), (0.24, 0, 0)]
    for k, (name, thick, elements) in enumerate((("ab", 0.016, 4), ("bc", 0.016, 8), ("cd", 0.008, 4))):
        section = {"kind": "rectangle", "width": thick, "thickness": thick}
        m.beam(name, path=[corners[k], corners[k + 1]], section=section, material=steel, elements=elements)
    off = np.radians(5.0)
    m.revolute("A", "ground", "ab.start", at=corners[0], axis="z")
    m.revolute("B", "ab.end", "bc.start", at=corners[1], axis="z")
    m.revolute("C", "bc.end", "cd.start", at=corners[2], axis=(np.sin(off), 0, np.cos(off)))
    m.revolute("D", "ground", "cd.end", at=corners[3], axis="z")
    m.motion("crank", "A", rate=0.6)
    return m.simulate("12 s", solver="quasi-static", outputs=outputs)


def test_mechanism_stays_in_its_assembly():
    """Near its change points it has two ways to go on, next to each other. Increments of a two-hundredth of a turn lead
    along the one that is continuous; so must all others."""
    fine = four_bar(800)["D.angle"]
    assert np.abs(np.diff(fine.values)).max() < 0.05
    for outputs in (10, 14, 16, 20, 28, 33, 42, 54, 60, 100, 150, 200):
        coarse = four_bar(outputs)
        assert coarse.status.complete
        assert coarse["D.angle"].final == pytest.approx(fine.final, abs=1e-6)


def wound_rods(elements, outputs):
    """Two rods side by side, stretched and then wound round each other by one turn."""
    m = Model(name="wound rods")
    turn = {"axis": "z", "angle": "if(t<1,0,2*pi*0.25*(t-1))"}
    m.moving_frame("head", at=[0, 0, 5], position=[0, 0, "0.049647222609834*min(t,1)"], attitude=turn)
    for name, x in (("a", 0.0095), ("b", -0.0095)):
        m.beam(
            name, path=[[x, 0, 0], [x, 0, 5]], elements=elements,
            section={"kind": "circle", "radius": 0.01, "shear_factor": 0.75},
            material={"young": 1e9, "shear": 5e8, "density": 1000},
        )  # fmt: skip
        m.fixed(f"foot_{name}", "ground", f"{name}.start")
        m.spherical(f"top_{name}", "head", f"{name}.end", at=[x, 0, 5])
    law = {"kind": "linear", "stiffness": 46845.2798 / 2 * 5 / elements}
    m.contact("touch", between=["a", "b"], law=law, overlap="keep", lines="nodes")
    return m.simulate("5 s", solver="quasi-static", outputs=outputs)


@pytest.mark.parametrize("elements", [32, 128])
def test_rods_do_not_pass_through_each_other(elements):
    """Tension T along helices of radius r presses them together with T r (turn per length)^2 per length, which grows
    with the square of the turn; a rod on the other side of the other one would be pressed less."""
    r = wound_rods(elements, 20)
    assert r.status.complete
    force, turn = r["touch.normal"].values[5:], r.time[5:] - 1.0
    assert np.all(np.diff(force) > 0.0)
    slope, _ = np.polyfit(turn**2, force, 1)
    np.testing.assert_allclose(np.diff(force) / np.diff(turn**2), slope, rtol=0.05)


HEIGHT, STIFFNESS = 0.004, 1e6
DRAWN = float(np.hypot(1.0, HEIGHT))


def roof_force(z):
    """Load that holds the ridge of a roof at height z."""
    length = np.hypot(1.0, z)
    return -2.0 * STIFFNESS * (length - DRAWN) * z / length


@pytest.mark.parametrize("outputs", [3, 20, 111])
def test_a_little_snap_is_an_event_with_its_energy(outputs):
    """Of a roof so shallow that what lies beyond is next to it."""
    top = minimize_scalar(lambda z: -roof_force(z), bounds=(0.0, HEIGHT), method="bounded", options={"xatol": 1e-14}).x
    limit = roof_force(top)
    after = brentq(lambda z: roof_force(z) - limit, -3 * HEIGHT, -HEIGHT)
    m = Model(name="little roof")
    ridge = m.point_mass("ridge", mass=1, at=(1, 0, HEIGHT))
    m.point_on_line("guide", m.ground.at(1, 0, 0), ridge, axis="z")
    for name, x in (("left", 0), ("right", 2)):
        m.spring(name, m.ground.at(x, 0, 0), ridge, stiffness=STIFFNESS, free_length=DRAWN)
    m.load("press", ridge, force=(0, 0, f"-{2 * limit}*t"))
    stopped = m.simulate("1 s", solver="quasi-static", outputs=outputs)
    assert not stopped.status.complete
    assert stopped.status.time == pytest.approx(0.5, abs=1e-6)
    r = m.simulate("1 s", solver="quasi-static", outputs=outputs, snaps="follow")
    assert r.status.complete
    (snap,) = [event for event in r.events if event.name == "snap"]
    assert snap.time == pytest.approx(0.5, abs=1e-6)
    stored = STIFFNESS * ((np.hypot(1.0, top) - DRAWN) ** 2 - (np.hypot(1.0, after) - DRAWN) ** 2)
    assert snap.values["set_free"] == pytest.approx(stored + limit * (top - after), rel=1e-3)


@pytest.mark.parametrize("outputs", [3, 20, 111])
def test_what_breaks_is_a_jump_with_its_energy(outputs):
    """One of two springs side by side lets go; the other one takes the load F over, and of the work F dx its energy
    takes all but k dx^2 / 2."""
    kept, breaks, gap = 1000.0, 500.0, 0.01
    m = Model(name="two springs")
    mass = m.point_mass("mass", mass=1, at=(0, 0, 0))
    m.point_on_line("guide", m.ground, mass, axis="x")
    m.spring("strong", m.ground.at(-1, 0, 0), mass, stiffness=kept, free_length=1)
    m.spring("weak", m.ground.at(-1, 0, 0), mass, force=f"if(x<{gap}, {breaks}*x, 0)", free_length=1)
    load = (kept + breaks) * gap
    m.load("pull", mass, force=(f"{load / 0.45}*t", 0, 0))
    r = m.simulate("1 s", solver="quasi-static", outputs=outputs)
    assert r.status.complete
    (jump,) = [event for event in r.events if event.name == "jump"]
    assert jump.time == pytest.approx(0.45, abs=2e-5)
    way = load / kept - gap
    assert jump.values["moves_most"] == "mass"
    assert jump.values["way"] == pytest.approx(way, rel=1e-3)
    assert jump.values["set_free"] == pytest.approx(kept * way**2 / 2, rel=1e-2)
    assert f"jump at {jump.time:.6g}" in r.summary()
