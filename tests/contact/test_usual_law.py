"""Contacts without a law: what is found from materials, sizes and speeds, and what is asked for."""

import numpy as np
import pytest

import tapespring as ts

G = 9.81
FLOOR = {"kind": "half_space", "on": "ground", "normal": "z"}


def test_rigid_ball_takes_up_its_fall_at_a_hundredth_of_its_radius():
    """k = m v²/δ² with v² = 2 g times the model's size, at least the height of the fall."""
    m = ts.Model("ball", gravity=(0, 0, -G))
    m.rigid("ball", at=(0, 0, 1.0), mass=2.0, shape={"kind": "sphere", "radius": 0.1})
    m.contact("floor", between=[FLOOR, "ball"])
    r = m.simulate(duration=1.0)
    size = np.linalg.norm([0.2, 0.2, 1.2])  # of the centres, and a diameter each way
    stiffness = 2.0 * 2.0 * G * size / 1e-3**2
    (note,) = (n for n in r.notes if "no law was given" in n)
    assert note.startswith("contact 'floor': no law was given: linear with")
    assert f"{stiffness:.4g} N/m" in note
    assert r.contacts["floor"]["deepest"] < 1e-3
    assert r.contacts["floor"]["strongest"] == pytest.approx(stiffness * r.contacts["floor"]["deepest"], rel=1e-9)
    assert r.contacts["floor"]["restitution"] == pytest.approx(1.0, rel=1e-9)


def test_rod_on_a_rigid_floor_is_hertzian():
    """K = 4/3 E/(1 - ν²) √R of the rod, as the floor is rigid."""
    m = ts.Model("rod", gravity=(0, 0, 0))
    section, material = {"kind": "circle", "radius": 2e-3}, {"young": "70 GPa", "poisson": 0.3, "density": 2700}
    path = {"kind": "polyline", "points": [[0, 0, 0.01], [0.1, 0, 0.01]]}
    m.beam("rod", path=path, elements=2, section=section, material=material)
    m.contact("floor", between=[FLOOR, "rod"])
    r = m.simulate(duration=1e-5, solver="implicit", step=1e-6)
    stiffness = 4 / 3 * 70e9 / (1 - 0.3**2) * np.sqrt(2e-3)
    assert any(f"Hertz's with {stiffness:.4g} N/m^1.5" in n for n in r.notes)


def test_two_materials_join_their_compliances():
    m = ts.Model("rods", gravity=(0, 0, -G))
    section = {"kind": "circle", "radius": 2e-3}
    one, other = ({"young": E, "poisson": nu, "density": 2700} for E, nu in ((70e9, 0.3), (3e9, 0.4)))
    m.beam("a", path=[[0, 0, 0], [0.1, 0, 0]], elements=2, section=section, material=one)
    m.beam("b", path=[[0.03, -0.05, 0.01], [0.03, 0.05, 0.01]], elements=2, section=section, material=other)
    m.contact("touch", between=["a", "b"])
    r = m.simulate(duration=1e-5, solver="implicit", step=1e-6)
    joined = 1 / ((1 - 0.3**2) / 70e9 + (1 - 0.4**2) / 3e9)
    assert any(f"Hertz's with {4 / 3 * joined * np.sqrt(1e-3):.4g} N/m^1.5" in n for n in r.notes)


def test_loose_joint_without_a_law():
    m = ts.Model("loose", gravity=(0, -G, 0))
    m.rigid("bar", at=(0.5, 0, 0), mass=1.0, inertia=(0.01, 0.1, 0.1))
    m.planar("flat", "ground", "bar", axis="z")
    m.clearance_revolute("pin", "ground", "bar", at=(0, 0, 0), axis="z", clearance="0.5 mm", radius="5 mm")
    r = m.simulate(duration=0.2)
    assert r.status.complete
    assert any("clearance_revolute 'pin': no law was given: linear" in n for n in r.notes)
    assert r.contacts["pin"]["deepest"] < 0.01 * 0.5e-3


def test_nothing_to_go_by_is_refused():
    point = ts.Model("point", gravity=(0, 0, -G))
    point.point_mass("point", at=(0, 0, 1), mass=1.0)
    point.contact("floor", between=[FLOOR, "point"])
    with pytest.raises(ts.ModelError, match="no size to find a stiffness by; give a 'law'"):
        point.simulate(duration=0.1)
    still = ts.Model("still")
    still.rigid("ball", at=(0, 0, 1.0), mass=2.0, shape={"kind": "sphere", "radius": 0.1})
    still.contact("floor", between=[FLOOR, "ball"])
    with pytest.raises(ts.ModelError, match="nothing falls or moves at the start"):
        still.simulate(duration=0.1)
