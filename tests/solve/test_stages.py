"""Stages one after the other, restart and checkpoints."""

import numpy as np
import pytest

from tapespring import Model
from tapespring.results import Results, ResultsFileError, State
from tapespring.schema.problems import ModelError


def swing(**settings):
    m = Model(name="swing", gravity=(0, 0, "-9.81 m/s^2"), **settings)
    bar = m.rigid("bar", at=(0.5, 0, 0), mass=1, inertia=[0.01, 0.1, 0.1])
    m.revolute("hinge", m.ground, bar, at=(0, 0, 0), axis="y")
    return m


def held(**settings):
    """A spring pulls a mass that a latch holds; the latch is taken away in the second stage."""
    m = Model(name="catapult", **settings)
    mass = m.point_mass("stone", mass=2, at=(1, 0, 0))
    m.point_on_line("rail", m.ground, mass, axis="x")
    m.spring("coil", m.ground, mass, stiffness=200, free_length=1.0)
    m.motion("push", "rail", value="-0.25*t")
    return m


def test_restart_goes_on_as_if_never_stopped():
    whole = swing().simulate("2 s", outputs=20)
    half = swing().simulate("1.2 s", outputs=12)
    rest = swing().simulate("2 s", outputs=20, restart=half)
    assert rest.time[0] == pytest.approx(1.2)
    assert rest.time[-1] == 2.0
    np.testing.assert_allclose(rest["bar.position"].final, whole["bar.position"].final, atol=1e-7)
    np.testing.assert_allclose(rest["hinge.angle"].final, whole["hinge.angle"].final, atol=1e-7)


def test_counted_turns_survive_a_restart():
    m = Model()
    wheel = m.rigid("wheel", mass=1, inertia=[1, 1, 2], angular_velocity=(0, 0, 10))
    m.revolute("axle", m.ground, wheel, at=(0, 0, 0), axis="z")
    half = m.simulate("1 s")
    rest = m.simulate("2 s", restart=half)
    assert rest["axle.angle"].final == pytest.approx(20.0, abs=1e-7)


def test_restart_from_a_file_and_from_a_checkpoint(tmp_path):
    half = swing().simulate("1.2 s", outputs=12)
    half.save(tmp_path / "half.nc")
    half.state.save(tmp_path / "kept.nc")
    read = Results.load(tmp_path / "half.nc").state
    np.testing.assert_array_equal(read.q, half.state.q)
    assert read.angles == half.state.angles
    for file in ("half.nc", "kept.nc"):
        rest = swing().simulate("1.5 s", outputs=15, restart=tmp_path / file)
        assert rest.time[0] == pytest.approx(1.2)
    with pytest.raises(ResultsFileError, match="checkpoint"):
        Results.load(tmp_path / "kept.nc")
    with pytest.raises(ResultsFileError, match="no results file"):
        State.load(tmp_path / "nothing.nc")


def test_restart_refused_for_another_model_and_after_the_end():
    done = swing().simulate("1 s")
    with pytest.raises(ModelError, match="nothing is left"):
        swing().simulate("1 s", restart=done)
    with pytest.raises(ModelError, match="other bodies"):
        held().simulate("2 s", restart=done)


def test_pressed_held_and_released():
    """Quasi-static compression by 0.25 m, then release: the mass leaves with v = x sqrt(k/m)."""
    m = held(
        stages=[
            {"name": "press", "solver": "quasi-static", "duration": 1, "outputs": 4},
            {"name": "release", "solver": "ode", "duration": 0.5, "without": ["push"], "outputs": 50},
        ]
    )
    r = m.simulate()
    assert r.status.complete
    assert r.time[0] == 0.0
    assert r.time[-1] == pytest.approx(1.5)
    press = r.time <= 1.0
    np.testing.assert_allclose(r["stone.position.x"].values[:5], [1, 0.9375, 0.875, 0.8125, 0.75], atol=1e-12)
    assert r["push.force"].at(0.75) == pytest.approx(-200 * 0.1875)
    assert np.isnan(r["push.force"].final)
    w = np.sqrt(200 / 2)
    after = r.time[~press] - 1.0
    np.testing.assert_allclose(r["stone.position.x"].values[~press], 1 - 0.25 * np.cos(w * after), atol=1e-8)
    assert r.audit.relative < 1e-7
    assert r.provenance["solver"] == "quasi-static, then ode"


def test_a_stage_can_be_restarted_from_its_beginning():
    stages = [
        {"name": "press", "solver": "quasi-static", "duration": 1},
        {"name": "release", "solver": "ode", "duration": 0.5, "without": ["push"]},
    ]
    pressed = held(stages=stages[:1]).simulate()
    both = held(stages=stages).simulate()
    second = held(stages=stages).simulate(restart=pressed)
    assert second.time[0] == 1.0
    np.testing.assert_allclose(second["stone.position"].final, both["stone.position"].final, atol=1e-12)


def test_unknown_names_and_missing_durations_are_told():
    with pytest.raises(ModelError, match=r"no joint, drive, force or event 'pusj'.*push"):
        held(stages=[{"duration": 1, "without": ["pusj"]}]).simulate()
    with pytest.raises(ModelError, match="needs a duration"):
        held(stages=[{"solver": "ode"}]).simulate()


def test_gravity_of_a_stage():
    m = Model(stages=[{"duration": 1}, {"duration": 1, "gravity": (0, 0, -2.0)}])
    m.point_mass("stone", mass=1, at=(0, 0, 0))
    r = m.simulate()
    assert r["stone.position.z"].final == pytest.approx(-1.0)
    assert r.audit.relative < 1e-9


CANNOT_BEGIN = {
    "joints that do not close": ({"without": []}, "the joints cannot be closed at t = 0.2 s"),
    "steps that are not stable": ({"solver": "explicit", "step": 9}, "simulate.step: a step of 9 s is longer than"),
}


@pytest.mark.parametrize("why", CANNOT_BEGIN)
def test_what_ran_before_a_stage_that_cannot_begin_is_kept(why, tmp_path):
    other, words = CANNOT_BEGIN[why]
    m = Model(name="torn")
    m.point_mass("bob", mass=1, at=(0, 1, 0))
    m.spring("coil", m.ground, "bob", stiffness=1e4, free_length=0.9)
    for name, x in (("right", 5), ("left", -5)):  # which no place is near to both of
        m.distance(name, {"on": "ground", "at": [x, 0, 0]}, "bob", length=0.1)
    stage = {"duration": 0.2, "without": ["right", "left"]}
    results = m.simulate(stages=[stage, stage | other])
    assert (results.status.complete, results.status.code) == (False, "stage refused")
    assert "stage 'stage 2' cannot begin: " in results.status.message
    assert words in results.status.message
    assert results.time[-1] == 0.2
    assert results.verdict.level == "bad"
    assert Results.load(results.save(tmp_path / "run.nc")).time[-1] == 0.2
    assert m.simulate(stages=[stage, stage], restart=results).status.complete


def test_a_balance_that_was_never_found_ends_where_its_stage_begins():
    """Not at t = 0, with a last balanced state that there is none of."""
    stages = [{"duration": 0.2}, {"solver": "quasi-static", "duration": 1}]
    m = Model(name="loose", stages=stages)
    m.rigid("bar", mass=1, inertia=[0.1, 0.1, 0.1])
    results = m.simulate()
    assert results.status.time == 0.2
    assert "what ran before is kept" in results.status.message
