"""Contacts in motion and at rest: friction, rods, joints with clearance, what is refused and what is warned of."""

import numpy as np
import pytest

import tapespring as ts

FLOOR = {"kind": "half_space", "on": "ground", "normal": "z"}
G = 9.81


def rolling(solver, **settings):
    """A ball of 1 kg and 0.1 m thrown along a floor at 2 m/s, sunk in as at rest."""
    k = 1e6
    m = ts.Model("roll", gravity=(0, 0, -G))
    shape = {"kind": "sphere", "radius": 0.1}
    m.rigid("ball", at=(0, 0, 0.1 - G / k), mass=1.0, shape=shape, velocity=(2, 0, 0))
    m.contact("floor", between=[FLOOR, "ball"], law={"kind": "linear", "stiffness": k}, friction=0.2)
    return m.simulate(duration=0.5, solver=solver, **settings)


def test_ball_slips_then_rolls():
    """It rolls from t = 2 v/(7 μ g) on at 5 v/7; a ball sunk in by 1e-4 of its radius about that much
    earlier or later."""
    r = rolling("ode")
    (stick,) = (e.time for e in r.events if e.name == "floor.stick")
    assert stick == pytest.approx(2 * 2 / (7 * 0.2 * G), rel=2e-4)
    assert r["ball.velocity.x"].final == pytest.approx(10 / 7, rel=1e-3)  # swings on its elastic slip
    assert r.audit.friction[-1] == pytest.approx(0.5 * 4 - 0.7 * (10 / 7) ** 2, rel=3e-4)
    assert r.audit.relative < 1e-9


def test_implicit_steps_agree():
    times = tuple(0.025 * k for k in range(21))
    a, b = rolling("ode", outputs=times), rolling("implicit", step=1e-4, outputs=times)
    assert b["ball.velocity.x"].values == pytest.approx(a["ball.velocity.x"].values, abs=2e-3)
    assert b.audit.relative < 1e-3


@pytest.mark.parametrize(("degrees", "slides"), [(16.6, False), (16.8, True)])
def test_block_on_an_incline(degrees, slides):
    """tan α = 0.3 at 16.699°."""
    a, mu, k = np.radians(degrees), 0.3, 1e6
    m = ts.Model("incline", gravity=(G * np.sin(a), 0, -G * np.cos(a)))
    m.rigid("block", at=(0, 0, 0.05 - G * np.cos(a) / 4 / k), mass=1.0, shape={"kind": "box", "size": (0.2, 0.2, 0.1)})
    law = {"kind": "spring_dashpot", "stiffness": k, "damping": 200.0}
    m.contact("floor", between=[FLOOR, "block"], law=law, friction={"coefficient": mu, "damping": 200.0})
    r = m.simulate(duration=1.0)
    x, v = r["block.position.x"].values, r["block.velocity.x"].values
    if slides:
        half = len(v) // 2
        slope = (v[-1] - v[half]) / (r.time[-1] - r.time[half])
        assert slope == pytest.approx(G * (np.sin(a) - mu * np.cos(a)), rel=1e-3)
    else:
        assert abs(x[-1] - x[len(x) // 2]) < 1e-9
    assert r.audit.relative < 1e-8


def test_stack_at_rest_does_not_creep():
    m = ts.Model("stack", gravity=(0, 0, -G))
    law = {"kind": "spring_dashpot", "stiffness": 1e5, "damping": 300.0}
    below = FLOOR
    for i in range(3):
        name = f"ball{i}"
        m.rigid(name, at=(0, 0, 0.1 + 0.2 * i), mass=1.0, shape={"kind": "sphere", "radius": 0.1})
        m.contact(f"on{i}", between=[below, name], law=law, friction={"coefficient": 0.4, "damping": 100.0})
        below = name
    r = m.simulate(duration=10.0, outputs=100)
    z = np.array([r[f"ball{i}.position.z"].values for i in range(3)])
    assert np.ptp(z[:, 50:], axis=1).max() < 1e-9
    assert z[0, -1] == pytest.approx(0.1 - 3 * G / 1e5, abs=1e-9)
    assert np.abs(r["ball2.position.x"].values).max() < 1e-12


def test_no_short_hop_is_skipped_and_outputs_do_not_matter():
    """A bouncing ball whose hops get far shorter than a step of free flight."""

    def run(outputs):
        m = ts.Model("hops", gravity=(0, 0, -G))
        m.rigid("ball", at=(0, 0, 0.2), mass=1.0, shape={"kind": "sphere", "radius": 0.1})
        m.contact("floor", between=[FLOOR, "ball"], law={"kind": "linear", "stiffness": 1e6, "restitution": 0.5})
        return m.simulate(duration=0.6, solver="ode", outputs=outputs)

    few, many = run(1), run(500)
    hits = [e.time for e in few.events if e.name == "floor.hit"]
    assert len(hits) >= 5
    assert hits == [e.time for e in many.events if e.name == "floor.hit"]
    flights = np.diff(hits)
    assert flights[1:4] / flights[:3] == pytest.approx(0.5, abs=0.03)  # contact takes time too


def test_rod_slides_over_a_bar_from_element_to_element():
    """A cantilever pushed onto a crossing bar: the bar's force is that of a beam with a point load, wherever it is."""

    def tip(elements):
        m = ts.Model("rod over bar", gravity=(0, 0, 0))
        section, material = {"kind": "circle", "radius": 2e-3}, {"young": "70 GPa", "poisson": 0.3, "density": 2700}
        m.beam("rod", path={"kind": "polyline", "points": [[0, 0, 0], [0.4, 0, 0]]}, elements=elements, section=section,
               material=material)  # fmt: skip
        m.fixed("root", "ground", "rod.start")
        m.moving_frame("bar", at=(0.301, 0, -5e-3), position=[0, 0, "0.01*t"])
        bar = {"kind": "capsule", "on": "bar", "at": (0, -0.1, 0), "to": (0, 0.1, 0), "radius": 3e-3}
        m.contact("touch", between=[bar, "rod"], law={"kind": "linear", "stiffness": 1e6})
        r = m.simulate(duration=1.0, solver="quasi-static", outputs=10)
        return r["touch.force.z"].final

    # w = F a³/3EI with w = 10 mm less the flattening F/k, small against it
    EI, a = 70e9 * np.pi * 2e-3**4 / 4, 0.301
    force = 0.01 / (a**3 / (3 * EI) + 1e-6)
    assert tip(16) == pytest.approx(force, rel=5e-3)
    assert tip(13) == pytest.approx(tip(16), rel=5e-3)


def test_warnings_of_poor_parameters():
    def notes(law):
        m = ts.Model("ball", gravity=(0, 0, -G))
        m.rigid("ball", at=(0, 0, 1.0), mass=1.0, shape={"kind": "sphere", "radius": 0.1})
        m.contact("floor", between=[FLOOR, "ball"], law=law)
        return " ".join(m.simulate(duration=0.6).notes)

    assert "90 % of their smallest size" in notes({"kind": "hertz", "stiffness": 1e4})
    words = notes({"kind": "spring_dashpot", "stiffness": 3.303e7, "damping": 2.157e4})
    assert "overdamped" in words
    assert "jumps to 9.06e+04 N" in words
    assert "contact 'floor'" not in notes({"kind": "nonlinear", "stiffness": 3.009e7, "damping": 3e4})
    words = notes({"kind": "spring_dashpot", "stiffness": 3.303e7, "damping": 2.157e4, "adhesive": True})
    assert "have not parted: overdamped" in words
    assert "it is adhesive" in words
    soft = notes({"kind": "spring_dashpot", "stiffness": 3.303e7, "damping": 500.0, "adhesive": True})
    assert "overdamped" not in soft


def test_warnings_of_the_published_double_pendulum():
    """Its dashpot jumps and leaves hardly any rebound."""
    from tapespring.bench.contact_double_pendulum import double_pendulum

    r = double_pendulum().simulate(tolerance=1e-6, absolute_tolerance=1e-8, outputs=1)
    upper, lower = ([words for words in r.notes if f"'floor_{body}'" in words] for body in ("upper", "lower"))
    assert not upper  # never touches
    jump, dead = lower
    assert "the force jumps to 4.55e+04 N at first touch" in jump  # 2.157e4 N s/m at 2.1093 m/s
    assert "overdamped" in dead


def test_deeper_than_allowed_is_an_error():
    m = ts.Model("ball", gravity=(0, 0, -G))
    m.rigid("ball", at=(0, 0, 1.0), mass=1.0, shape={"kind": "sphere", "radius": 0.1})
    law = {"kind": "hertz", "stiffness": 1e4, "max_depth": "20 mm"}
    m.contact("floor", between=[FLOOR, "ball"], law=law)
    r = m.simulate(duration=1.0)
    assert r.status.code == "contact too deep"
    assert 0.4283 < r.status.time < 0.45


BALLS = {
    "a": {"kind": "rigid", "mass": 1, "shape": {"kind": "sphere", "radius": 0.1}},
    "b": {"kind": "rigid", "at": [0.15, 0, 0], "mass": 1, "shape": {"kind": "sphere", "radius": 0.1}},
}
LINEAR = {"kind": "linear", "stiffness": "1e5 N/m"}


def balls(**more):
    contact = {"kind": "contact", "between": ["a", "b"], "law": LINEAR} | more
    return {"name": "balls", "bodies": BALLS, "contacts": {"touch": contact}, "simulate": {"duration": 0.01}}


def test_overlap_is_refused_with_pair_and_depth():
    with pytest.raises(ts.ModelError, match=r"'a' and 'b' are 0.05 m within each other at the start"):
        ts.Model.from_plain(balls()).simulate()


def test_overlap_relaxed_or_kept():
    relaxed = ts.Model.from_plain(balls(overlap="relax")).simulate()
    assert np.abs(relaxed["touch.normal"].values).max() == 0.0
    kept = ts.Model.from_plain(balls(overlap="keep")).simulate()
    assert kept["touch.normal"].values[0] == pytest.approx(0.05 * 1e5)


@pytest.mark.parametrize(("change", "words"), [
    ({"law": {"kind": "linear", "stiffness": "-1e5 N/m"}}, r"the stiffness must be positive"),
    ({"law": LINEAR | {"restitution": 1.2}}, r"at most 1"),
    ({"law": LINEAR | {"restitution": -0.1}}, r"zero or positive"),
    ({"between": ["a", "c"]}, r"unknown body 'c'"),
    ({"between": ["a", "ground"]}, r"ground has no surface"),
    ({"between": [{"kind": "capsule", "on": "a", "to": [1, 0, 0]}, {"kind": "sphere", "on": "b", "radius": 0}]},
     r"have no thickness"),
    ({"friction": {"static": 0.1, "kinetic": 0.3}}, r"static 0.1 must not be below kinetic 0.3"),
    ({"law": {"kind": "hertz"}}, r"give either 'stiffness' or 'materials'"),
    ({"law": {"kind": "hertz", "stiffness": "1e5 N/m"}}, r"a contact stiffness is wanted"),
])  # fmt: skip
def test_what_is_refused(change, words):
    with pytest.raises(ts.ModelError, match=words):
        ts.Model.from_plain(balls(**change))


@pytest.mark.parametrize("solver", ["stiff", "conserving"])
def test_solvers_that_know_no_contacts_say_so(solver):
    with pytest.raises(ts.ModelError, match="knows no contacts"):
        ts.Model.from_plain(balls(overlap="keep")).simulate(solver=solver)


@pytest.mark.parametrize(("law", "mu"), [
    ({"kind": "linear", "stiffness": 1e5}, 3.0), ({"kind": "hertz", "stiffness": 1e7, "restitution": 0.7}, 0.3),
    ({"kind": "spring_dashpot", "stiffness": 1e5, "damping": 50.0}, 0.5),
])  # fmt: skip
def test_spinning_ball_bounces(law, mu):
    """Friction never gives energy, also where a contact sticks from the first touch on."""
    m = ts.Model("spin", gravity=(0, 0, -G))
    shape = {"kind": "sphere", "radius": 0.1}
    m.rigid("ball", at=(0, 0, 0.3), mass=1.0, shape=shape, velocity=(1, 0, 0), angular_velocity=(0, 5, 0))
    m.contact("floor", between=[FLOOR, "ball"], law=law, friction=mu)
    r = m.simulate(duration=0.5, solver="ode")
    assert r.status.complete
    assert r.audit.friction[-1] >= 0.0
    assert r.audit.relative < 1e-8


@pytest.mark.parametrize("solver", ["explicit", "ode"])
def test_overlap_among_many_names_the_bodies(solver):
    model = balls(between=None, among=["a", "b"])
    model["contacts"]["touch"].pop("between")
    model["simulate"]["solver"] = solver
    with pytest.raises(ts.ModelError, match=r"'a' and 'b' are 0.05 m within each other at the start"):
        ts.Model.from_plain(model).simulate()


@pytest.mark.parametrize("solver", ["ode", "implicit", "explicit"])
@pytest.mark.parametrize("friction", [0.2, {"coefficient": 0.2, "slip_speed": "1 mm/s"}], ids=["sticking", "smoothed"])
def test_friction_on_what_moves_as_it_is_told(solver, friction):
    """A body held on a belt: friction takes what the drive gives, its force times the way of the belt."""
    m = ts.Model("belt", gravity=(0, 0, -10))
    m.rigid("ball", at=(0, 0, 0.1), mass=1.0, inertia=[1e-3] * 3)
    m.prismatic("guide", "ground", "ball", axis="z")
    m.moving_frame("belt", at=(0, 0, 0), position=["0.1*t", 0, 0])
    sides = [{"kind": "half_space", "on": "belt", "normal": "z"}, {"kind": "sphere", "on": "ball", "radius": 0.1}]
    m.contact("touch", between=sides, law={"kind": "linear", "stiffness": 1e5}, friction=friction)
    r = m.simulate(duration=0.05, outputs=100, solver=solver, **({"step": 1e-5} if solver == "implicit" else {}))
    rubbed = 0.2 * r["touch.normal"].integral(0.0, 0.05) * 0.1
    assert r.audit.friction[-1] == pytest.approx(rubbed, rel=0.02)  # it sticks for a moment at first
    assert r.audit.relative < 1e-7
