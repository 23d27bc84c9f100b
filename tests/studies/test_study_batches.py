"""Small models are run with nothing made anew: equal to ordinary runs, and left alone where that cannot be."""

import numpy as np
import pytest

import tapespring as ts
from tapespring import fitting
from tapespring.reruns import Numbers, Reruns
from tapespring.reruns.batch import Batch
from tapespring.reruns.recipes import NoRecipe

SEATBELT = fitting.__path__[0] + "/studies/seatbelt_model.yaml"
PATHS = ["forces.pivot.stiffness[1]", "forces.pivot.damping[0]", "bodies.bob.at[2]"]


def batch(model, paths, share, names, **settings):
    stage = model.settings.changed(**settings).stage_list()[0]
    base = np.array(Numbers(model, paths).values)
    return Batch(model, paths, stage, base - share * abs(base), base + share * abs(base), names), stage, base


def test_a_batch_gives_what_runs_give():
    model = ts.load(SEATBELT)
    made, stage, base = batch(model, PATHS, 0.05, ["pivot.angle", "pivot.direction.x"], tolerance=1e-9)
    numbers, rng = Numbers(model, PATHS), np.random.default_rng(0)
    for _ in range(5):
        x = base * (1.0 + rng.uniform(-0.05, 0.05, 3))
        ours, theirs = made.run(x), Reruns().run(numbers.changed(x), stage, stage.output_times())
        assert ours["pivot.angle"].values == pytest.approx(theirs.channels()["pivot.angle"].values, abs=1e-10)
        direction = theirs.channels()["pivot.direction"].component("x").values
        assert ours["pivot.direction.x"].values == pytest.approx(direction, abs=1e-10)
        assert [e.name for e in ours.events] == [e.name for e in theirs.events()]
        assert [e.time for e in ours.events] == pytest.approx([e.time for e in theirs.events()], abs=1e-9)


def test_a_batch_forgets_the_run_before():
    made, _, base = batch(ts.load(SEATBELT), PATHS, 0.05, ["pivot.angle"], tolerance=1e-7)
    first = made.run(1.02 * base)["pivot.angle"].values.copy()
    made.run(0.97 * base)
    assert np.array_equal(made.run(1.02 * base)["pivot.angle"].values, first)


def test_numbers_out_of_range_are_left_to_others():
    made, _, base = batch(ts.load(SEATBELT), PATHS, 0.05, ["pivot.angle"], tolerance=1e-7)
    assert made.run(1.2 * base) is None


def pendulum(**more):
    bob = {"kind": "rigid", "at": [1, 0, 0], "mass": 1, "inertia": [0.1, 0.2, 0.3], "markers": {"eye": [0.1, 0.2, 0]}}
    return ts.Model.from_plain({
        "gravity": [0, -9.81, 0], "bodies": {"bob": bob},
        "joints": {"pin": {"kind": "revolute", "between": ["ground", "bob"], "at": [0, 0, 0], "axis": "z"}},
        "simulate": {"duration": 0.5, "solver": "ode", "outputs": 20}, **more,
    })  # fmt: skip


def test_mass_goes_in_with_its_inverse():
    made, stage, _ = batch(pendulum(), ["bodies.bob.mass"], 0.3, ["pin.angle"])
    found = made.run(np.array([1.2]))["pin.angle"].values
    fresh = Reruns().run(Numbers(pendulum(), ["bodies.bob.mass"]).changed([1.2]), stage, stage.output_times())
    assert found == pytest.approx(fresh.channels()["pin.angle"].values, rel=1e-10)


def test_channels_of_a_place_that_moves_in_its_body_are_not_taken_from_a_batch():
    with pytest.raises(NoRecipe, match=r"bob.eye.position.x depends on where something is drawn"):
        batch(pendulum(), ["bodies.bob.markers.eye.at[0]"], 0.3, ["bob.eye.position.x"])
    study = {"parameters": {"a": {"path": "bodies.bob.markers.eye.at[0]", "values": [0.1, 0.4]}},
             "sampling": {"kind": "grid"},
             "responses": {"x": {"channel": "bob.eye.position.x", "take": "max"}}}  # fmt: skip
    found = ts.study(study, pendulum(), workers=1)
    assert found["x"] == pytest.approx([np.hypot(1.1, 0.2), np.hypot(1.4, 0.2)], rel=1e-3)  # lifted to the horizon


def test_what_is_no_simple_function_is_built():
    tube = {"kind": "cylinder", "radius": 0.01, "length": 0.5}
    rod = {"kind": "rigid", "at": [1, 0, 0], "shape": tube, "density": 1000}
    model = pendulum(bodies={"bob": rod})
    with pytest.raises(NoRecipe, match="is no sum of the numbers and their inverses"):
        batch(model, ["bodies.bob.shape.length"], 0.3, ["pin.angle"])
    with pytest.raises(NoRecipe, match="only 'ode'"):
        batch(pendulum(), ["bodies.bob.mass"], 0.3, ["pin.angle"], solver="stiff")
