"""Balanced places along time and along the path of equilibria, against closed forms."""

import numpy as np
import pytest

from tapespring import Model
from tapespring.schema.problems import ModelError


def truss(**settings):
    """Two springs in a shallow roof, pressed down at the ridge: snaps through."""
    m = Model(name="roof", **settings)
    ridge = m.point_mass("ridge", mass=1, at=(1, 0, 0.2))
    m.point_on_line("guide", m.ground.at(1, 0, 0), ridge, axis="z")
    for name, x in (("left", 0), ("right", 2)):
        m.spring(name, m.ground.at(x, 0, 0), ridge, stiffness=1000, free_length=float(np.hypot(1, 0.2)))
    m.load("press", ridge, force=(0, 0, "-10*t"))
    return m


def roof_force(z):
    """Load that holds the ridge at height z."""
    length = np.hypot(1, z)
    return -2 * 1000 * (length - np.hypot(1, 0.2)) * z / length


def test_pendulum_pushed_aside():
    """tan(angle) = F/mg at every load."""
    m = Model(gravity=(0, 0, -10))
    bob = m.point_mass("bob", mass=1, at=(0, 0, -1))
    m.distance("rod", m.ground, bob)
    m.load("wind", bob, force=("20*t", 0, 0))
    r = m.simulate("1 s", solver="quasi-static", outputs=8)
    x, _, z = r["bob.position"].values.T
    np.testing.assert_allclose(np.arctan2(x, -z), np.arctan(2 * r.time), atol=1e-10)
    np.testing.assert_allclose(np.linalg.norm(r["rod.force"].values, axis=1), 10 * np.hypot(1, 2 * r.time), rtol=1e-9)
    assert r.audit is None
    assert r.violation["imbalance"] < 1e-9


def test_snap_stops_along_time_with_advice_and_keeps_the_last_state():
    r = truss().simulate("1 s", solver="quasi-static")
    assert not r.status.complete
    assert "control: path" in r.status.message
    z = np.linspace(0, 0.2, 2001)
    limit = roof_force(z).max() / 10
    assert r.status.time <= limit
    assert r.state.time == pytest.approx(limit, rel=1e-3)
    assert len(r.time) > 3


def test_path_goes_through_limit_points():
    r = truss().simulate("1 s", solver="quasi-static", control="path")
    assert r.status.complete
    load, z = 10 * r["path.time"].values, r["ridge.position.z"].values
    np.testing.assert_allclose(load, roof_force(z), atol=1e-8)
    assert load.min() < -1.0
    assert load[-1] == pytest.approx(10.0)
    assert np.all(np.diff(r.time) > 0)


def test_limit_points_are_located_and_listed():
    """dF/dz = 0 of the roof, by the closed form: (1 + z²)^(3/2) = √1.04, so z = ±√(1.04^(1/3) - 1)."""
    r = truss().simulate("1 s", solver="quasi-static", control="path")
    z = np.sqrt(1.04 ** (1 / 3) - 1)
    found = [event for event in r.events if event.name == "limit point"]
    assert [event.values["load_time"] for event in found] == pytest.approx(
        [roof_force(z) / 10, roof_force(-z) / 10], rel=1e-9
    )
    assert ["largest" in event.about for event in found] == [True, False]
    for event, height in zip(found, (z, -z), strict=True):
        assert r["ridge.position.z"].at(event.time) == pytest.approx(height, abs=1e-6)
    assert r["path.time"].values.min() == pytest.approx(roof_force(-z) / 10, rel=1e-9)


def test_max_step_holds_along_a_path():
    r = truss().simulate("1 s", solver="quasi-static", control="path", max_step="10 ms")
    assert np.abs(np.diff(r["path.time"].values)).max() <= 0.011
    assert len(r.time) > len(truss().simulate("1 s", solver="quasi-static", control="path").time)


def test_a_path_too_long_to_be_kept_is_not_complete():
    r = truss().simulate("1 s", solver="quasi-static", control="path", max_step="0.4 ms")
    assert not r.status.complete
    assert "2000 places" in r.status.message


def test_free_motion_is_named():
    m = Model()
    bar = m.rigid("bar", at=(0.5, 0, 0), mass=1, inertia=[0.01, 0.1, 0.1])
    m.revolute("hinge", m.ground, bar, at=(0, 0, 0), axis="y")
    with pytest.raises(ModelError, match=r"'bar'.*(turn about|move along)"):
        m.simulate("1 s", solver="quasi-static")


def test_weight_of_the_start_is_carried():
    m = Model(gravity=(0, 0, -10))
    mass = m.point_mass("mass", mass=1, at=(0, 0, 0))
    m.spring("coil", m.ground.at(0, 0, 1), mass, stiffness=100, free_length=1)
    m.spring("x", m.ground.at(3, 0, 0), mass, stiffness=1, free_length=1)
    m.spring("y", m.ground.at(-3, 0, 0), mass, stiffness=1, free_length=1)
    r = m.simulate("1 s", solver="quasi-static", outputs=2)
    assert r["mass.position.z"].values[0] < -0.09
    np.testing.assert_allclose(r["mass.position"].values[0], r["mass.position"].values[-1], atol=1e-12)


def test_a_start_that_is_not_balanced_is_not_called_an_equilibrium(monkeypatch):
    """A model may sink to rest where Newton's method does not find a balance."""
    m = Model(gravity=(0, 0, -10))
    mass = m.point_mass("mass", mass=1, at=(0, 0, 0))
    for k, place in enumerate(((0, 0, 2), (3, 0, 0), (-3, 1, 0))):
        m.spring(f"coil{k}", m.ground.at(*place), mass, stiffness=100, free_length=1)
    monkeypatch.setattr("tapespring.solve.search.Search.balanced_at", lambda *_, **__: False)
    with pytest.raises(ModelError, match=r"no balanced start: .*does not balance it there.*dynamic stage") as refusal:
        m.simulate("1 s", solver="quasi-static")
    assert "stable equilibrium" not in str(refusal.value)
