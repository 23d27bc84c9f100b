"""A model run again with other numbers gives, to the last bit, what a first run gives."""

from pathlib import Path

import numpy as np
import pytest

import tapespring as ts
from tapespring import fitting
from tapespring.kinds.registry import kinds
from tapespring.reruns import Numbers, Reruns
from tapespring.schema.problems import PathError, RunFailed

STUDIES = Path(fitting.__file__).parent / "studies"
HINGE = {
    "gravity": [0, -9.81, 0],
    "bodies": {"bar": {"kind": "rigid", "at": [0.5, 0, 0], "mass": 2, "inertia": [0.01, 0.2, 0.2]}},
    "joints": {"hinge": {"kind": "revolute", "between": ["ground", "bar"], "at": [0, 0, 0], "axis": "z"}},
    "forces": {"wire": {"kind": "torsion_spring", "joint": "hinge", "stiffness": 3, "damping": 0.1}},
    "simulate": {"duration": 2},
}
STARTED = HINGE | {"joints": {"hinge": HINGE["joints"]["hinge"] | {"initial": {"angle": "40 deg", "rate": 1}}}}
MODELS = {
    "planar hinge": (HINGE, ["forces.wire.stiffness", "bodies.bar.mass", "gravity[1]"], "hinge.angle"),
    "hinge with a start": (STARTED, ["forces.wire.damping", "joints.hinge.initial.angle"], "hinge.angle"),
    "bushing": (kinds()["bushing"].example, ["bodies.engine.mass"], "engine.position.z"),
    "universal": (kinds()["universal"].example, ["bodies.bar.mass", "bodies.bar.inertia[0]"], "cross.angle1"),
    "shaken pendulum": (kinds()["moving_frame"].example, ["bodies.bob.at[2]"], "bob.position.x"),
}


def last_bit(model, paths, channel, factors):
    """Compare reruns with first runs."""
    numbers, reruns = Numbers(model, paths), Reruns()
    stage = model.settings.changed(tolerance=1e-8, outputs=20).stage_list()[0]
    times, seen = stage.output_times(), []
    for factor in factors:
        changed = numbers.changed(factor * np.array(numbers.values))
        (again,) = reruns.channels(changed, stage, times, [channel])
        (fresh,) = Reruns().channels(changed, stage, times, [channel])
        assert np.array_equal(again, fresh)
        seen.append(again)
    assert not np.array_equal(seen[0], seen[1])


@pytest.mark.parametrize("name", MODELS)
def test_reruns_equal_first_runs(name):
    plain, paths, channel = MODELS[name]
    last_bit(ts.Model.from_plain(plain), paths, channel, (1.0, 1.1, 0.9, 1.1))


def test_contacts_are_forgotten_between_runs():
    model = ts.load(STUDIES / "ball_model.yaml")
    model.settings = model.settings.changed(duration=1.0)
    last_bit(model, ["contacts.floor.law.stiffness", "contacts.floor.law.damping"], "ball.position.z", (1.0, 0.5, 2.0))


def test_changed_numbers_are_those_of_set():
    model = ts.Model.from_plain(HINGE)
    numbers = Numbers(model, ["forces.wire.stiffness", "bodies.bar.inertia[2]"])
    assert numbers.values == [3.0, 0.2]
    changed = numbers.changed([5.0, 0.205])
    assert changed == model.set("forces.wire.stiffness", 5.0).set("bodies.bar.inertia", [0.01, 0.2, 0.205])
    assert model == ts.Model.from_plain(HINGE)


def test_numbers_out_of_range_are_a_failed_run():
    from tapespring.fitting.runner import ModelRunner

    runner = ModelRunner(ts.Model.from_plain(HINGE), {}, ["bodies.bar.mass"])
    with pytest.raises(RunFailed, match="mass must be positive"):
        runner.channels([-1.0], np.array([0.0, 1.0]), ["hinge.angle"])


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("bodies.bar.mas", "nothing is written at bodies.bar.mas; did you mean 'mass'"),
        ("bodies.bar.at[3]", "it has 3 items"),
        ("bodies", "there is no '' under 'bodies'"),
        ("bodys.bar.mass", "a path begins with one of gravity, bodies"),
        ("bodies.bar.mass.x", "bodies.bar.mass is a single value"),
        ("joints.hinge.kind", "not a number"),
    ],
)
def test_paths_that_lead_nowhere(path, words):
    with pytest.raises(PathError) as error:
        Numbers(ts.Model.from_plain(HINGE), [path])
    assert words in str(error.value)
