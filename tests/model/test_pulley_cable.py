"""Cables over pulleys: tension, tackles, winches."""

import numpy as np
import pytest

from tapespring import Model, ModelError

G = 9.81


def tower(*heights) -> Model:
    m = Model(name="tower", gravity=[0, 0, -G])
    for k, mass in enumerate(heights):
        m.point_mass(f"load{k}", mass=mass, at=[float(k), 0, -2.0])
    return m


def test_atwoods_machine():
    """a = g (m₁ - m₀)/(m₁ + m₀), T = 2 g m₀ m₁/(m₀ + m₁)"""
    m = tower(1.0, 3.0)
    above = [{"on": "ground", "at": [float(k), 0, 0]} for k in (0, 1)]
    m.pulley_cable("rope", through=["load0", *above, "load1"])
    r = m.simulate("0.5 s")
    np.testing.assert_allclose(r["load0.acceleration.z"].values, G * 2.0 / 4.0, rtol=1e-9)
    np.testing.assert_allclose(r["rope.tension"].values, 2 * G * 3.0 / 4.0, rtol=1e-9)


def test_a_tackle_divides_the_force_and_the_way():
    """Six parts carry the load: three bights of two; the free end goes six times as far."""
    m = tower(8.0, 2.0)
    above, side = {"on": "ground", "at": [0, 0, 0]}, {"on": "ground", "at": [1.0, 0, 0]}
    m.pulley_cable("rope", through=["load1", side, above, "load0", above, "load0", above, "load0", above])
    m.load("push", on="load1", force=[0, 0, -0.5])
    r = m.simulate("0.4 s")
    fall, rise = (r[f"load{k}.position.z"].values + 2.0 for k in (1, 0))
    parts = 6
    np.testing.assert_allclose(-fall, parts * rise, atol=1e-9)
    # parts T - m₀ g = m₀ a, m₁ g + 0.5 - T = m₁ parts a
    a = (parts * (2.0 * G + 0.5) - 8.0 * G) / (8.0 + parts**2 * 2.0)
    np.testing.assert_allclose(r["rope.tension"].values, 8.0 * (G + a) / parts, rtol=1e-9)


def test_it_is_paid_out_as_told():
    m = tower(1.0)
    m.pulley_cable("rope", through=["load0", {"on": "ground", "at": [0, 0, 0]}], paid_out="-0.5*t^2")
    r = m.simulate("1 s")
    np.testing.assert_allclose(r["load0.position.z"].values, -2.0 + 0.5 * r["load0.position.z"].time ** 2, atol=1e-8)
    np.testing.assert_allclose(r["rope.tension"].values, G + 1.0, rtol=1e-8)


def test_a_winch_reels_it_in():
    """Torque M on a drum of inertia J: (J/r² + m) a = M/r - m g."""
    m = tower(1.0)
    m.rigid("drum", at=[1.0, 0, 0], mass=1.0, inertia=[0.01, 0.02, 0.01])
    m.revolute("shaft", "ground", "drum", at=[1.0, 0, 0], axis="y")
    m.joint_torque("motor", joint="shaft", value=2.0)
    m.pulley_cable("rope", through=["load0", {"on": "ground", "at": [0, 0, 0]}], winch="shaft", radius="0.1 m")
    r = m.simulate("0.5 s")
    a = (2.0 / 0.1 - G) / (0.02 / 0.01 + 1.0)
    np.testing.assert_allclose(r["load0.position.z"].values, -2.0 + 0.5 * a * r["rope.tension"].time ** 2, atol=1e-8)
    np.testing.assert_allclose(r["rope.tension"].values, G + a, rtol=1e-8)


def test_a_cable_that_would_have_to_push_is_told():
    m = tower(1.0)
    m.pulley_cable("rope", through=["load0", {"on": "ground", "at": [0, 0, 0]}], paid_out="8*t^2")
    r = m.simulate("0.5 s")
    assert any(d.title == "Pulley cable 'rope'" and "below zero from t = 0 s" in d.words for d in r.verdict.doubts)
    m = tower(1.0)
    m.pulley_cable("rope", through=["load0", {"on": "ground", "at": [0, 0, 0]}], paid_out="4*t^2")
    assert not any("rope" in note for note in m.simulate("0.5 s").notes)


def test_mistakes_are_told():
    m = tower(1.0)
    m.pulley_cable("rope", through=["ground", {"on": "ground", "at": [0, 0, 1.0]}])
    with pytest.raises(ModelError, match="lead the cable to another one"):
        m.check("1 s")
    m = tower(1.0)
    m.rigid("drum", at=[1.0, 0, 0], mass=1.0, inertia=[0.01, 0.02, 0.01])
    m.revolute("shaft", "ground", "drum", at=[1.0, 0, 0], axis="y")
    m.pulley_cable("rope", through=["ground", "load0"], winch="shaft")
    with pytest.raises(ModelError, match="radius of the drum"):
        m.check("1 s")


# -- a cable that stretches -------------------------------------------------------------------------------------------
K, MASS, ROPE = 2000.0, 1.0, 0.03
HEAVY = MASS + ROPE / 3.0  # what moves with the load


def hanging(speed: float = 0.0, **more) -> Model:
    """A load in balance on a cable led over a pulley to the ground."""
    m = Model(name="hanging", gravity=[0, 0, -G])
    m.point_mass("load", mass=MASS, at=[0, 0, -2.0], velocity=[0, 0, speed])
    places = ["load", {"on": "ground", "at": [0, 0, 0]}, {"on": "ground", "at": [1.0, 0, -1.0]}]
    m.pulley_cable("rope", through=places, stiffness=K, mass=ROPE, pretension=MASS * G, **more)
    return m


def test_a_load_swings_on_its_stretch():
    r = hanging(speed=-0.1).simulate("0.5 s")
    omega = np.sqrt(K / HEAVY)
    t = r["rope.stretch"].time
    np.testing.assert_allclose(
        r["rope.stretch"].values, MASS * G / K + 0.1 / omega * np.sin(omega * t), atol=1e-9, rtol=0
    )
    np.testing.assert_allclose(r["load.position.z"].values, -2.0 - 0.1 / omega * np.sin(omega * t), atol=1e-9)
    tension = MASS * G + 0.1 / omega * np.sin(omega * t) * (K - ROPE / 3.0 * omega**2)
    np.testing.assert_allclose(r["rope.tension"].values, tension, rtol=1e-6)


@pytest.mark.parametrize("solver", ["ode", "implicit"])
def test_a_load_thrown_up_flies_while_the_cable_is_loose(solver):
    """In balance, then a swing to no stretch, free flight against m g/(m + M/3), and taut again as fast as before."""
    speed, omega, pull = 1.0, np.sqrt(K / HEAVY), MASS * G / HEAVY
    m = hanging(speed=speed)
    for name, direction in (("loose", "falling"), ("taut", "rising")):
        m.event(name, watch="rope.stretch", level=0.0, direction=direction)
    r = m.simulate("0.4 s", solver=solver)
    loose = np.arcsin(MASS * G / K * omega / speed) / omega
    leaves = speed * np.cos(omega * loose)
    times: dict[str, float] = {}
    for event in r.events:
        times.setdefault(event.name, event.time)
    near = 1e-8 if solver == "ode" else 1e-5
    assert times["loose"] == pytest.approx(loose, abs=near)
    assert times["taut"] == pytest.approx(loose + 2.0 * leaves / pull, abs=near)
    between = (r["rope.stretch"].time > times["loose"]) & (r["rope.stretch"].time < times["taut"])
    assert between.sum() > 20
    np.testing.assert_allclose(r["rope.tension"].values[between], ROPE / 3.0 * pull, atol=1e-3)
    assert r.audit.relative < (1e-7 if solver == "ode" else 1e-4)
    assert not any("rope" in note for note in r.notes)


def test_damping_never_makes_it_push():
    r = hanging(speed=1.0, damping="40 N s/m").simulate("2 s")
    stretch, rate, tension = r["rope.stretch"].values, r["rope.stretch.rate"].values, r["rope.tension"].values
    assert stretch.min() < 0.0
    assert tension.min() > -ROPE / 3.0 * (G + K * stretch.max() / HEAVY)  # its own inertia alone
    assert abs(rate[-1]) < 1e-3
    assert stretch[-1] == pytest.approx(MASS * G / K, rel=1e-3)


def test_it_hangs_still_in_balance():
    r = hanging(paid_out="0.1*t").simulate("1 s", solver="quasi-static")
    np.testing.assert_allclose(r["rope.tension"].values, MASS * G, rtol=1e-9)
    np.testing.assert_allclose(r["load.position.z"].values, -2.0 - 0.1 * r["rope.tension"].time, atol=1e-9)


def test_what_belongs_to_stretch_is_told():
    for fields, words in (({"mass": 1}, "give 'stiffness' too"), ({"stiffness": 1e3}, "needs 'mass'")):
        m = tower(1.0)
        with pytest.raises(ModelError, match=words):
            m.pulley_cable("rope", through=["load0", {"on": "ground", "at": [0, 0, 0]}], **fields)
