"""Snaps followed by quasi-static runs, against closed forms of where they lead and what they set free."""

from copy import copy
from dataclasses import replace

import numpy as np
import pytest
from scipy.interpolate import CubicSpline
from scipy.optimize import brentq, minimize_scalar

from tapespring import Model
from tapespring.bench.frames import LEE_LOAD, lee_frame
from tapespring.bench.variant_bloom import stowed_freely
from tapespring.results.trust import judge
from tapespring.schema.problems import ModelError
from tapespring.simulate import prepare
from tapespring.solve import snap as snap_module
from tapespring.solve.held import held_at
from tapespring.solve.initial import evaluate

STIFFNESS, HEIGHT = 1000.0, 0.2
DRAWN = float(np.hypot(1.0, HEIGHT))
FOLLOW = {"solver": "quasi-static", "snaps": "follow"}


def roof(damping=0.0, ball=False):
    """Two springs in a shallow roof; the ridge, which may be a ball, moves up and down."""
    m = Model(name="roof")
    if ball:
        ridge = m.rigid("ridge", mass=1, at=(1, 0, HEIGHT), shape={"kind": "sphere", "radius": 0.02})
        m.prismatic("guide", m.ground, ridge, at=(1, 0, HEIGHT), axis="z")
    else:
        ridge = m.point_mass("ridge", mass=1, at=(1, 0, HEIGHT))
        m.point_on_line("guide", m.ground.at(1, 0, 0), ridge, axis="z")
    for name, x in (("left", 0), ("right", 2)):
        m.spring(name, m.ground.at(x, 0, 0), ridge, stiffness=STIFFNESS, free_length=DRAWN)
    if damping:
        m.spring("damper", m.ground.at(1, 0, 5), ridge, stiffness=0, damping=damping, free_length=5 - HEIGHT)
    return m, ridge


def pressed(damping=0.0):
    m, ridge = roof(damping)
    m.load("press", ridge, force=(0, 0, "-10*t"))
    return m


def roof_force(z):
    """Load that holds the ridge at height z."""
    length = np.hypot(1.0, z)
    return -2.0 * STIFFNESS * (length - DRAWN) * z / length


def roof_energy(z):
    return STIFFNESS * (np.hypot(1.0, z) - DRAWN) ** 2


def highest(f, low, high):
    return float(minimize_scalar(lambda z: -f(z), bounds=(low, high), method="bounded", options={"xatol": 1e-12}).x)


def snaps_of(results):
    return [event for event in results.events if event.name == "snap"]


def check_books(results, part=1e-6):
    """Of one snap: what it set free was taken out, and the books close."""
    audit, (snap,) = results.audit, snaps_of(results)
    taken = audit.dissipated + audit.numerical + audit.impacts + audit.friction
    assert audit.relative < part
    assert taken[0] == 0.0
    assert taken[-1] == pytest.approx(snap.values["set_free"], rel=1e-9)
    assert np.all(audit.kinetic < part * audit.exchanged)


@pytest.fixture(scope="module")
def pressed_roof():
    return pressed().simulate("1 s", outputs=20, **FOLLOW)


def test_roof_snaps_through_at_its_limit_load(pressed_roof):
    r, top = pressed_roof, highest(roof_force, 0.0, HEIGHT)
    limit = roof_force(top)
    after = brentq(lambda z: roof_force(z) - limit, -1.0, -HEIGHT)
    assert r.status.complete
    (snap,) = snaps_of(r)
    assert 10.0 * snap.time == pytest.approx(limit, rel=1e-5)
    assert snap.values["moves_most"] == "ridge"
    assert snap.values["way"] == pytest.approx(top - after, rel=1e-3)  # at the top the place is the root of the load
    free = roof_energy(top) - roof_energy(after) + limit * (top - after)
    assert snap.values["set_free"] == pytest.approx(free, rel=1e-5)
    check_books(r)


def test_every_row_but_the_end_of_the_motion_is_in_balance(pressed_roof):
    """Before and after it, and forces have no peak that no load explains."""
    r, z = pressed_roof, pressed_roof["ridge.position.z"].values
    rows = np.flatnonzero(r.time == snaps_of(r)[0].time)
    assert len(rows) == 2  # where the motion ended and where it is in balance, next to each other
    assert abs(np.diff(z[rows])[0]) < 1e-3 * HEIGHT
    balanced = np.delete(np.arange(len(z)), rows[0])
    np.testing.assert_allclose(roof_force(z[balanced]), 10.0 * r.time[balanced], atol=1e-5)
    assert np.all(np.diff(r.time) >= 0.0)
    asked = np.linspace(0.0, 1.0, 21)
    np.testing.assert_allclose(np.intersect1d(np.round(r.time, 12), np.round(asked, 12)), asked, atol=1e-12)


def test_phases_tell_what_ran(pressed_roof):
    solvers = [phase["solver"] for phase in pressed_roof.phases]
    assert solvers == ["quasi-static", "implicit", "quasi-static"]
    assert "snaps" in pressed_roof.phases[1]["why"]
    assert pressed_roof.phases[1]["begin"] == pressed_roof.phases[1]["end"]
    assert pressed_roof.counters["steps"] == sum(phase["steps"] for phase in pressed_roof.phases)
    assert "snap at 0.301" in pressed_roof.summary()


def test_damper_takes_what_is_set_free_and_the_end_is_the_same(pressed_roof):
    """A strong one, with which the ridge creeps: its work is what the closed form says, not the scheme's."""
    r = pressed(damping=300.0).simulate("1 s", outputs=20, **FOLLOW)
    check_books(r, 1e-4)
    free = snaps_of(pressed_roof)[0].values["set_free"]
    assert snaps_of(r)[0].values["set_free"] == pytest.approx(free, rel=1e-4)
    assert r.audit.dissipated[-1] == pytest.approx(free, rel=1e-3)
    assert r["ridge.position.z"].final == pytest.approx(pressed_roof["ridge.position.z"].final, rel=1e-9)


def test_roof_pressed_by_a_driven_spring():
    """The drive is held while it snaps, and does no work: what is set free is what both springs lose."""
    soft = 10.0
    m, ridge = roof()
    hand = m.rigid("hand", at=(1, 0, 1.2), mass=1, inertia=[1, 1, 1])
    m.prismatic("rail", m.ground, hand, at=(1, 0, 1.2), axis="z")
    m.motion("push", "rail", value="-0.5*t")
    m.spring("spring", hand, ridge, stiffness=soft, free_length=1.0)
    r = m.simulate("1 s", outputs=20, **FOLLOW)

    def distance(z):  # of the drive, for balance at height z
        return HEIGHT - z + roof_force(z) / soft

    top = highest(distance, 0.0, HEIGHT)
    after = brentq(lambda z: distance(z) - distance(top), -1.0, -0.6 * HEIGHT)
    (snap,) = snaps_of(r)
    assert 0.5 * snap.time == pytest.approx(distance(top), rel=1e-5)

    def energy(z):
        return roof_energy(z) + roof_force(z) ** 2 / (2.0 * soft)

    assert snap.values["set_free"] == pytest.approx(energy(top) - energy(after), rel=1e-5)
    check_books(r)
    row = np.flatnonzero(r.time == snap.time)[-1]
    assert r["ridge.position.z"].values[row] == pytest.approx(after, rel=1e-5)
    assert r["hand.position.z"].values[row] == pytest.approx(1.2 - 0.5 * snap.time, rel=1e-9)


def strut(load="1500*t"):
    """A rigid strut held upright by a level spring, pressed from above; V = k L² sin²θ / 2 - P L (1 - cos θ):
    stable upright up to P = k L, and hanging; all other balance is unstable."""
    m = Model(name="strut")
    tip = m.point_mass("tip", mass=1, at=(0, 0, 1))
    m.distance("rod", m.ground, tip)
    carriage = m.rigid("carriage", at=(0, 0, 0), mass=0.1, inertia=[1, 1, 1])
    m.prismatic("rail", m.ground, carriage, axis="x")
    m.point_on_line("slot", carriage.at(0, 0, 0), tip, axis="z")
    m.spring("level", m.ground.at(-5, 0, 0), carriage, stiffness=STIFFNESS, free_length=5)
    m.load("press", tip, force=(0, 0, f"-({load})"))
    return m


def test_strut_topples_where_it_becomes_unstable():
    r = strut().simulate("1 s", outputs=10, **FOLLOW)
    assert r.status.complete
    (snap,) = snaps_of(r)
    assert 1500.0 * snap.time == pytest.approx(STIFFNESS, rel=1e-5)
    assert snap.values["set_free"] == pytest.approx(2.0 * STIFFNESS, rel=1e-4)  # 2 P L
    check_books(r)
    np.testing.assert_allclose(r["tip.position"].final, (0.0, 0.0, -1.0), atol=1e-6)
    upright = r.time < snap.time
    np.testing.assert_allclose(r["tip.position.z"].values[upright], 1.0, atol=1e-6)


def test_lees_frame_snaps_to_where_its_path_of_equilibria_leads():
    """Published limit load; the path through unstable states ends in the same place, and the work that loads would have
    done along it less what the snap has them do is what it sets free."""
    r = lee_frame().simulate(control="time", outputs=40, **FOLLOW)
    (snap,) = snaps_of(r)
    assert LEE_LOAD * snap.time == pytest.approx(18.7e3, rel=0.03)
    check_books(r)
    path = lee_frame().simulate()
    np.testing.assert_allclose(r["frame.load.position"].final, path["frame.load.position"].final, rtol=1e-6, atol=1e-5)
    way, strain = path.time, path["frame.strain_energy"].values
    curves = LEE_LOAD * path["path.time"].values, -path["frame.load.position.z"].values, strain
    load, down, energy = (CubicSpline(way, values) for values in curves)
    turns = [w for w in load.derivative().roots(extrapolate=False) if abs(load(w)) > 0.1 * LEE_LOAD]
    before = turns[0]
    after = max(load.solve(load(before), extrapolate=False))
    free = energy(before) - energy(after) + load(before) * (down(after) - down(before))
    assert snap.values["set_free"] == pytest.approx(free, rel=2e-3)


def roof_over_a_strap(**contact):
    """The ridge falls onto a strap."""
    m, _ = roof(ball=True)
    m.beam(
        "strap", path=[[0.81, 0, -0.15], [1.21, 0, -0.15]], elements=20, up="z",
        section={"kind": "rectangle", "width": 0.02, "thickness": 0.002},
        material={"young": 70e9, "poisson": 0.3, "density": 2700},
    )  # fmt: skip
    m.fixed("one", m.ground, "strap.start")
    m.fixed("other", m.ground, "strap.end")
    m.load("press", "ridge", force=(0, 0, "-10*t"))
    touch = {"kind": "contact", "law": {"kind": "linear", "stiffness": 1e5}, **contact}
    return Model.from_plain(m.to_plain() | {"contacts": {"touch": touch}})


def test_snap_ends_on_what_is_in_the_way():
    """With pairs written down, and with pairs that are found as they come near."""
    few, many = (
        roof_over_a_strap(**{word: ["strap", "ridge"]}).simulate("1 s", outputs=20, **FOLLOW)
        for word in ("between", "among")
    )
    for r in (few, many):
        assert r.status.complete
        assert len(snaps_of(r)) == 1
        assert r.audit.relative < 1e-4
    z, carried = few["ridge.position.z"].final, abs(few["touch.force.z"].final)
    assert carried > 1.0
    assert roof_force(z) + carried == pytest.approx(10.0, rel=1e-8)  # the roof and the strap carry the load
    assert many["ridge.position.z"].final == pytest.approx(z, rel=1e-8)
    assert many["touch.normal"].final == pytest.approx(few["touch.normal"].final, rel=1e-6)


def test_friction_elsewhere_does_not_notice():
    """A block that sticks is pulled in proportion to time before, during and after the snap."""
    m = pressed()
    block = m.rigid("block", at=(0, 3, 0.0999), mass=1, shape={"kind": "sphere", "radius": 0.1})
    sledge = m.rigid("sledge", at=(0, 3, 0.0999), mass=1, inertia=[1, 1, 1])
    m.prismatic("rail", m.ground, sledge, at=(0, 3, 0.0999), axis="x")
    m.prismatic("slot", sledge, block, at=(0, 3, 0.0999), axis="z")
    m.load("weight", block, force=(0, 0, -10))
    m.load("pull", block, force=("3*t", 0, 0))
    floor = {"kind": "half_space", "on": "ground", "normal": "z"}
    m.contact("rub", between=[floor, "block"], law={"kind": "linear", "stiffness": 1e5}, friction=0.5)
    r = m.simulate("1 s", outputs=20, **FOLLOW)
    assert len(snaps_of(r)) == 1
    x = r["block.position.x"].values
    assert x[-1] > 0.0
    np.testing.assert_allclose(x, x[-1] * r.time, rtol=1e-3, atol=1e-5 * x[-1])


@pytest.mark.slow
def test_straps_snap_to_either_side_alike():
    """Drawn the other way round they go the other way, with the same loads and the same energy."""
    one = stowed_freely(gravity=False)
    counts = [one.section("bodies")[f"{side}_strap"].elements for side in ("left", "right")]
    other = one.set("bodies.left_strap.elements", counts[1]).set("bodies.right_strap.elements", counts[0])
    first, second = one.simulate(), other.simulate()
    apart = [r["middle_cart.position.x"].at(7.0) for r in (first, second)]
    assert abs(apart[0]) == pytest.approx(50e-3 - 12.7e-3, abs=1e-6)  # against a cart
    assert abs(apart[0]) == pytest.approx(abs(apart[1]), rel=1e-6)
    pushes = [abs(r["right_push.force"].at(7.5)) for r in (first, second)]
    assert pushes[0] == pytest.approx(pushes[1], rel=1e-5)
    free = [sum(snap.values["set_free"] for snap in snaps_of(r)) for r in (first, second)]
    assert free[0] == pytest.approx(free[1], rel=5e-3)


def test_without_being_told_a_snap_ends_the_run_and_the_option_is_named():
    r = pressed().simulate("1 s", solver="quasi-static")
    assert not r.status.complete
    assert "snaps: follow" in r.status.message
    toppled = strut().simulate("1 s", solver="quasi-static")
    assert any("snaps: follow" in finding.words for finding in toppled.verdict.findings)


def test_what_never_comes_to_rest_is_said():
    """A spring that gives way for good."""
    m = Model()
    mass = m.point_mass("mass", mass=1, at=(0, 0, 0))
    m.point_on_line("guide", m.ground, mass, axis="x")
    m.spring("weak", m.ground.at(-1, 0, 0), mass, force="tanh(10*x)", free_length=1)
    m.load("pull", mass, force=("2*t", 0, 0))
    r = m.simulate("1 s", **FOLLOW)
    assert not r.status.complete
    assert "did not come to rest" in r.status.message
    assert r.status.time == pytest.approx(0.5, rel=1e-3)


def arch():
    """Shallow, of beams with damping by stiffness, pressed in its middle by a spring whose end is driven from the first
    instant on: as the run begins dampers throw light nodes about, and nothing of that is left where it snaps."""
    m = Model(name="arch")
    path = [[x, 0, 0.05 * (1 - (2 * x - 1) ** 2)] for x in np.linspace(0, 1, 9)]
    m.beam(
        "arch", path=path, elements=8, up="z", section={"kind": "rectangle", "width": 0.02, "thickness": 0.004},
        material={"young": 70e9, "poisson": 0.3, "density": 2700}, damping={"stiffness": 2e-5},
        markers={"top": 0.5},
    )  # fmt: skip
    m.fixed("left", m.ground, "arch.start")
    m.fixed("right", m.ground, "arch.end")
    hand = m.rigid("hand", at=(0.5, 0, 0.2), mass=1, inertia=[1, 1, 1])
    m.prismatic("rail", m.ground, hand, at=(0.5, 0, 0.2), axis="z")
    m.motion("push", "rail", value="-0.4*t")
    m.spring("spring", hand, "arch.top", stiffness=2000.0, free_length=0.15)
    return m


def test_an_arch_with_dampers_that_a_drive_sets_in_motion_snaps_in_bounded_effort():
    """However fast the run begins, steps of the snap suit the snap, and stops make no vibration grow."""
    r = arch().simulate("1 s", outputs=10, **FOLLOW)
    assert r.status.complete
    assert snaps_of(r)
    followed = [phase["steps"] for phase in r.phases if phase["solver"] == "implicit"]
    assert max(followed) < 5000
    assert r.audit.relative < 1e-6
    assert r.audit.numerical.min() > -1e-6 * r.audit.exchanged  # stops take, and the scheme invents nothing
    assert r["arch.top.position.z"].final < -0.02
    assert r.verdict.level == "good"


def test_progress_never_stands_still(monkeypatch):
    """While a snap is followed it says so, and what is done never becomes less."""
    monkeypatch.setattr(snap_module, "TELL", 0.0)
    said = []
    pressed().simulate("1 s", outputs=20, progress=lambda done, words: said.append((done, words)), **FOLLOW)
    followed = [words for _, words in said if "following a snap at t = 0.3019 s: step" in words]
    assert len(followed) > 100
    assert "J set free" in followed[-1]
    assert np.all(np.diff([done for done, _ in said]) >= 0.0)
    assert said[-1][0] == pytest.approx(1.0)


def test_a_snap_takes_no_more_steps_than_it_may():
    r = pressed().simulate("1 s", outputs=20, snap_steps=100, **FOLLOW)
    assert not r.status.complete
    assert "did not come to rest in 100 steps ('snap_steps')" in r.status.message
    assert r.status.time == pytest.approx(0.3019, abs=1e-4)
    balanced = r["ridge.position.z"].values
    np.testing.assert_allclose(roof_force(balanced), 10.0 * r.time, atol=1e-5)  # rows so far are kept
    assert len(balanced) >= 7


def test_stops_are_no_fault_of_the_scheme(pressed_roof):
    """What was taken on purpose is told with the snap; a scheme that takes more, or adds, is still found out."""
    assert pressed_roof.verdict.level == "good"
    (snap,) = snaps_of(pressed_roof)
    assert snap.values["stopped"] == pytest.approx(snap.values["set_free"], rel=1e-9)
    told = dict(snap.values)
    for wrong in (0.5 * told["stopped"], 2.0 * told["stopped"]):
        other = copy(pressed_roof)
        other.events = [replace(snap, values=told | {"stopped": wrong})]
        assert any(f.title == "Numerical damping" and f.level == "bad" for f in judge(other).findings)


def test_held_laws_see_one_instant():
    """Of loads, drives, frames told where they are or how fast, and forces written as formulas or in Python."""
    m = Model()
    mass = m.point_mass("mass", mass=2, at=(0, 0, 0))
    m.load("push", mass, force=("3*t", {"table": {"x": [0, 1], "y": [0, 5]}}, 0))
    m.spring("formula", m.ground.at(0, 0, -1), mass, force="7*t*x", free_length=0)
    m.spring("own", m.ground.at(-1, 0, 0), mass, force=lambda t, x, v: 2.0 * t * x, free_length=0)
    m.moving_frame("shaker", at=(0, 0, 3), position=("t^2", 0, 0))
    m.moving_frame("belt", at=(0, 0, 4), velocity=("4*t", 0, 0))
    _, _, start = prepare(m, duration=1.0)
    tables, q, v = start.system.tables, start.q.copy(), start.v.copy()
    a, b = np.zeros((2, len(v)))
    evaluate(tables, start.work, 0.5, q, v, a)
    with held_at(start, 0.5):
        places, speeds = start.q.copy(), start.v.copy()
        evaluate(start.system.tables, start.work, 0.9, places, speeds, b)
    at = tables.nodes["v"][tables.nodes["kind"] == 1][0]
    np.testing.assert_allclose(a[at : at + 3], (0.25, 1.25, -1.75), rtol=1e-12)
    np.testing.assert_allclose(b[at : at + 3], a[at : at + 3], rtol=1e-12)
    assert np.all(speeds == 0.0)  # of both frames
    assert places[tables.nodes["q"][tables.nodes["kind"] == 3][0]] == 0.25
    evaluate(start.system.tables, start.work, 0.9, start.q.copy(), start.v.copy(), b)
    assert b[at] == pytest.approx(0.45)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"solver": "implicit", "snaps": "follow"}, "moves through snaps by itself.*solver: quasi-static"),
        ({**FOLLOW, "control": "path"}, "leave out one of 'control' and 'snaps'"),
        ({"solver": "quasi-static", "snaps": "maybe"}, "choose among stop, follow"),
        (
            {"stages": [{"solver": "ode", "duration": 1, "snaps": "follow"}]},
            "moves through snaps by itself",
        ),
    ],
)
def test_bad_settings_are_answered(settings, words):
    with pytest.raises(ModelError, match=words):
        pressed().simulate(**{"duration": "1 s"} | settings)


def test_said_for_all_stages_it_is_for_quasi_static_ones():
    stages = [{"solver": "quasi-static", "duration": 0.5}, {"solver": "implicit", "duration": 0.1}]
    r = pressed().simulate(snaps="follow", stages=stages)
    assert r.status.complete
    assert len(snaps_of(r)) == 1
    assert r.audit.relative < 1e-4


def test_augmented_contact_is_refused():
    m = pressed()
    m.contact("stop", "ridge", m.ground, law={"kind": "augmented_lagrangian", "stiffness": 1e5, "depth": "1 um"})
    with pytest.raises(ModelError, match="augmented, which following snaps does not know"):
        m.simulate("1 s", **FOLLOW)
