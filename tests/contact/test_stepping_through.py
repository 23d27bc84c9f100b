"""Many gentle contacts: `ode` steps through their changes instead of ending steps there."""

import numpy as np
import pytest

from tapespring import Model
from tapespring.simulate import prepare

G, HEIGHT, STIFFNESS = 9.81, 0.1, 1e6


def balls(count: int, law: dict) -> Model:
    m = Model(name="balls", gravity=[0, 0, -G])
    for k in range(count):
        shape = {"kind": "sphere", "radius": 0.1}
        m.rigid(f"ball{k}", at=[float(k), 0, 0.1 + HEIGHT], mass=1.0, shape=shape)
        m.contact(f"floor{k}", between=[{"kind": "half_space", "on": "ground", "normal": "z"}, f"ball{k}"], law=law)
    return m


def test_they_move_as_one_whose_impacts_are_met_exactly():
    law = {"kind": "hertz", "stiffness": STIFFNESS}
    times = tuple(0.005 * k for k in range(201))
    [one, many] = [balls(n, law).simulate("1 s", tolerance=1e-10, outputs=times) for n in (1, 24)]
    z = one["ball0.position.z"].values
    for k in (0, 23):
        np.testing.assert_allclose(many[f"ball{k}.position.z"].values, z, atol=1e-7)
    hits = [[e.time for e in r.events if e.name == "floor0.hit"] for r in (one, many)]
    assert hits[0][0] == pytest.approx(np.sqrt(2 * HEIGHT / G), abs=1e-9)
    np.testing.assert_allclose(hits[1], hits[0], atol=1e-6)
    assert np.abs(many["energy.residual"].values).max() < 1e-6


def test_a_film_is_three_dampers():
    """m v' = -c v across the axis of a wide bearing: v = v₀ exp(-c t/m)."""
    m = Model(name="film")
    m.point_mass("ball", mass=2.0, at=[0, 0, 0], velocity=[0.3, 0.2, 0.1])
    m.clearance_spherical(
        "socket", "ground", "ball", clearance=10.0, film=4.0, law={"kind": "linear", "stiffness": 100.0}
    )
    r = m.simulate("1 s")
    expected = np.array([0.3, 0.2, 0.1]) * np.exp(-2.0)
    np.testing.assert_allclose(r["ball.velocity"].values[-1], expected, atol=1e-8)
    lost = 0.5 * 2.0 * 0.14 * (1.0 - np.exp(-4.0))
    assert r["energy.dissipated"].values[-1] == pytest.approx(lost, rel=1e-7)


@pytest.mark.parametrize(("axis", "plane"), [("z", 2), ([0, 1, 1], None)])
def test_loose_pins_are_planar_if_they_are_about_the_normal(axis, plane):
    m = Model(name="arm")
    m.rigid("arm", at=[0.5, 0, 0], mass=1.0, inertia=[0.1, 0.2, 0.2])
    m.planar("flat", "ground", "arm", axis="z")
    m.clearance_revolute("pin", "ground", "arm", at=[0, 0, 0], axis=axis, clearance=1e-3, law={
        "kind": "linear", "stiffness": 1e5})  # fmt: skip
    system = prepare(m)[2].system
    assert system.plane == plane
    assert len(system.tables.rows) == (0 if plane == 2 else 3)
