"""States that a model cannot go on from are refused, and why; one of a model that has changed is noted."""

from dataclasses import replace

import numpy as np
import pytest

import tapespring as ts
from tapespring.results import State
from tapespring.schema.problems import ModelError


def swing(name="bar", mass=1.0, **settings):
    model = ts.Model(name="swing", gravity=(0, 0, "-9.81 m/s^2"), **settings)
    bar = model.rigid(name, at=(0.5, 0, 0), mass=mass, inertia=[0.01, 0.1, 0.1])
    model.revolute("hinge", model.ground, bar, at=(0, 0, 0), axis="y")
    return model


def two(first, second):
    model = ts.Model()
    for k, name in enumerate((first, second)):
        model.point_mass(name, at=(k, 0, 0), mass=1, velocity=(0, k, 0))
    return model


@pytest.fixture(scope="module")
def half():
    return swing().simulate("0.2 s").state


def refused(model, state, **settings):
    with pytest.raises(ModelError) as caught:
        model.simulate("1 s", restart=state, **settings)
    return str(caught.value)


def test_other_bodies_of_the_same_size(half):
    assert "other bodies ('bar': there rigid, here none)" in refused(swing("beam"), half)


def test_the_same_bodies_in_another_order():
    state = two("a", "b").simulate("0.1 s").state
    assert "the same ones in another order" in refused(two("b", "a"), state)


def test_another_mesh():
    def strap(elements):
        return ts.Model.from_plain({
            "bodies": {"strap": {
                "kind": "beam", "path": [[0, 0, 0], [1, 0, 0]], "elements": elements,
                "section": {"kind": "circle", "radius": 0.01},
                "material": {"young": 1e9, "poisson": 0.3, "density": 1000}}},
        })  # fmt: skip

    state = strap(2).simulate("1e-4 s", outputs=1).state
    assert "'strap': there beam of 3 nodes, here beam of 4 nodes" in refused(strap(3), state)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"time": float("nan")}, "not finite"),
        ({"q": np.full(7, np.nan)}, "not finite"),
        ({"v": np.array([0, 0, 0, 0, np.inf, 0.0])}, "not finite"),
        ({"q": np.zeros(7)}, "orientation of node 1"),
        ({"q": np.zeros(3)}, "other bodies or another mesh"),
        ({"v": np.zeros(3)}, "other bodies or another mesh"),
    ],
)
def test_damaged_numbers(half, change, told):
    assert told in refused(swing(), replace(half, **change))


def test_a_run_that_broke_down_is_told_from_its_file(half, tmp_path):
    broken = replace(half, q=np.where(np.arange(7) == 2, np.nan, half.q))
    assert "of a run that had broken down" in refused(swing(), broken.save(tmp_path / "state.nc"))


def test_a_model_that_was_changed_is_noted(half):
    same = swing(tolerance=1e-8).simulate("0.3 s", restart=half)
    assert not any(note.startswith("restart: ") for note in same.notes)
    changed = swing(mass=2.0).simulate("0.3 s", restart=half)
    assert changed.status.complete
    assert any("the state comes from a run of another model" in note for note in changed.notes)


def test_states_of_earlier_versions_know_no_bodies(half, tmp_path):
    old = State(half.time, half.q, half.v, half.angles)
    assert swing().simulate("0.3 s", restart=old.save(tmp_path / "old.nc")).status.complete
