"""Settings that a solver does not look at are told, if somebody wrote them."""

import numpy as np
import pytest

from tapespring import Model
from tapespring.schema.idle_settings import TAKEN_BY, idle_notes

OTHER = {
    "tolerance": 1e-4, "absolute_tolerance": 1e-5, "step": "3 ms", "max_step": "1.3 ms", "dissipation": 0.3,
    "baumgarte": {"alpha": 300, "beta": 300}, "control": "path", "linear_solver": "multigrid", "mass_scaling": "1 us",
    "threads": 2,
}  # fmt: skip


def swinging():
    m = Model(name="Two masses", gravity=(0, 0, -9.81))
    m.point_mass("bob", mass=1.0, at=(1, 0, 0))
    m.spring("rod", m.ground, "bob", stiffness=1e3, free_length=0.99, damping=1.0)
    m.point_mass("end", mass=1.0, at=(2, 0, 0))
    m.distance("link", "bob", "end")
    return m


def motion(**settings):
    results = swinging().simulate("50 ms", outputs=5, **settings)
    return np.append(results["bob.position"].values, results.counters["steps"]), results.notes


@pytest.mark.parametrize("solver", ["ode", "baumgarte", "stiff", "implicit", "conserving"])
@pytest.mark.parametrize("fixed", [{}, {"step": "2 ms"}])
def test_what_changes_nothing_is_told_and_what_changes_something_is_not(solver, fixed):
    before, _ = motion(solver=solver, **fixed)
    for field, value in OTHER.items():
        after, notes = motion(**({"solver": solver, **fixed} | {field: value}))
        told = any(note.startswith(f"'{field}' has no effect") for note in notes)
        assert told == np.array_equal(after, before), (field, notes)


def test_nothing_is_said_of_what_nobody_wrote():
    for solver in ("ode", "baumgarte", "stiff", "implicit", "conserving", "quasi-static", "explicit"):
        assert idle_notes(Model(solver=solver, duration="1 s").settings) == []


def test_a_default_that_was_written_counts_as_written():
    assert idle_notes(Model(solver="ode", threads=1).settings) == [
        "'threads' has no effect: it is for explicit, and ode runs the model"
    ]
    _, notes = motion(solver="implicit", tolerance=1e-9)
    assert not any("tolerance of 1e-06" in note for note in notes)


def test_check_tells_too():
    model = swinging()
    model.settings = model.settings.changed(duration="1 s", solver="ode", mass_scaling="1 us", dissipation=0.5)
    assert [note.split(":")[0] for note in model.check()] == [
        "'dissipation' has no effect", "'mass_scaling' has no effect"
    ]  # fmt: skip


def test_auto_is_not_blamed_for_what_it_might_choose_but_for_what_it_chose():
    assert idle_notes(Model(dissipation=0.5).settings) == []
    assert len(idle_notes(Model(mass_scaling="1 us").settings)) == 1
    _, notes = motion(dissipation=0.5)
    assert "'dissipation' has no effect: it is for implicit, and ode runs the model" in notes


def test_what_is_said_for_all_stages_is_for_those_it_suits():
    stages = [{"name": "slow", "solver": "quasi-static", "duration": "1 s"}, {"solver": "implicit", "duration": "1 s"}]
    assert idle_notes(Model(dissipation=0.5, stages=stages).settings) == []
    assert len(idle_notes(Model(threads=2, stages=stages).settings)) == 1
    stages[0]["dissipation"] = 0.5
    assert idle_notes(Model(stages=stages).settings) == [
        "stage 'slow': 'dissipation' has no effect: it is for implicit, and quasi-static runs the model"
    ]


def test_how_far_snaps_are_followed_is_idle_where_they_are_not():
    notes = idle_notes(Model(solver="quasi-static", snap_steps=300).settings)
    assert notes == ["'snap_steps' has no effect: snaps are not followed; give 'snaps: follow'"]
    assert idle_notes(Model(solver="quasi-static", snap_steps=300, snaps="follow").settings) == []


@pytest.mark.parametrize("solver", ["ode", "implicit"])
def test_a_path_that_nobody_follows_leaves_no_channel(solver):
    """It is told to be idle, and then nothing may come of it."""
    before, after = (swinging().simulate("50 ms", solver=solver, **more) for more in ({}, {"control": "path"}))
    assert list(after.channels) == list(before.channels)


def test_along_a_path_outputs_are_told_to_be_idle():
    notes = idle_notes(Model(solver="quasi-static", control="path", outputs=50).settings)
    assert len(notes) == 1
    assert notes[0].startswith("'outputs' has no effect: along a path a row is written for every increment")
    assert idle_notes(Model(solver="quasi-static", outputs=50).settings) == []


def test_every_setting_of_a_method_is_known():
    everywhere = {"duration", "solver", "outputs", "planar", "stages", "function_samples"}
    assert set(type(Model().settings).model_fields) == everywhere | set(TAKEN_BY)
