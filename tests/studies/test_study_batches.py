"""Small models are run with nothing made anew: equal to ordinary runs, and left alone where that cannot be."""

from concurrent.futures import ThreadPoolExecutor

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


def run_one(made, x):
    """(channels by name, events) of one sample, or None."""
    block = made.run(np.atleast_2d(x))
    return ({n: v[0] for n, v in block.channels.items()}, block.events[0]) if block.done[0] else None


def test_a_batch_gives_what_runs_give():
    model = ts.load(SEATBELT)
    made, stage, base = batch(model, PATHS, 0.05, ["pivot.angle", "pivot.direction.x"], tolerance=1e-9)
    numbers, rng = Numbers(model, PATHS), np.random.default_rng(0)
    for x in base * (1.0 + rng.uniform(-0.05, 0.05, (5, 3))):
        (ours, events), theirs = run_one(made, x), Reruns().run(numbers.changed(x), stage, stage.output_times())
        assert ours["pivot.angle"] == pytest.approx(theirs.channels()["pivot.angle"].values, abs=1e-10)
        direction = theirs.channels()["pivot.direction"].component("x").values
        assert ours["pivot.direction.x"] == pytest.approx(direction, abs=1e-10)
        assert [e.name for e in events] == [e.name for e in theirs.events()]
        assert [e.time for e in events] == pytest.approx([e.time for e in theirs.events()], abs=1e-9)


def test_a_sample_is_the_same_in_any_block_and_thread():
    """To the last bit, whatever ran before it and beside it."""
    made, _, base = batch(ts.load(SEATBELT), PATHS, 0.05, ["pivot.angle", "pivot.direction.x"], tolerance=1e-7)
    x = base * (1.0 + np.random.default_rng(1).uniform(-0.05, 0.05, (40, 3)))
    whole = made.run(x)
    with ThreadPoolExecutor(3) as crew:
        parts = list(crew.map(made.run, [x[5:], x[20:21], x[::-1]]))
    for part, which in zip(parts, (slice(5, None), slice(20, 21), slice(None, None, -1)), strict=True):
        assert part.events == whole.events[which]
        for name, values in part.channels.items():
            assert np.array_equal(values, whole.channels[name][which])


def test_numbers_out_of_range_are_left_to_others():
    made, _, base = batch(ts.load(SEATBELT), PATHS, 0.05, ["pivot.angle"], tolerance=1e-7)
    assert made.run(np.array([base, 1.2 * base, 0.98 * base])).done.tolist() == [True, False, True]


def test_more_events_than_there_is_room_for(monkeypatch):
    """The block goes on where it ended, and a sample that alone has too many is left to others."""
    monkeypatch.setattr("tapespring.reruns.lane.MOST", 16)
    swings = pendulum(events={"low": {"watch": "pin.angle", "level": -1.5}}, simulate=LONG)
    made, _stage, base = batch(swings, ["bodies.bob.mass"], 0.3, ["pin.angle"])
    x = base * np.linspace(0.8, 1.2, 16)[:, None]
    free = made.run(x)
    assert all(free.done)
    assert 10 < len(free.events[0]) < 20
    lane = made.free[0]
    for room, all_done in ((80, True), (8, False)):
        small = {n: getattr(lane.record, n)[:room] for n in ("event_time", "event_watch", "event_value")}
        lane.record = lane.record._replace(**small)
        found = made.run(x)
        assert found.done.all() == all_done
        assert found.events == (free.events if all_done else [[]] * 16)


def pendulum(**more):
    bob = {"kind": "rigid", "at": [1, 0, 0], "mass": 1, "inertia": [0.1, 0.2, 0.3], "markers": {"eye": [0.1, 0.2, 0]}}
    return ts.Model.from_plain({
        "gravity": [0, -9.81, 0], "bodies": {"bob": bob},
        "joints": {"pin": {"kind": "revolute", "between": ["ground", "bob"], "at": [0, 0, 0], "axis": "z"}},
        "simulate": {"duration": 0.5, "solver": "ode", "outputs": 20}, **more,
    })  # fmt: skip


LONG = {"duration": 20, "solver": "ode", "tolerance": 1e-6, "outputs": 5}


def test_mass_goes_in_with_its_inverse():
    """Reactions are computed from tables, which have to be those of each sample."""
    made, stage, _ = batch(pendulum(), ["bodies.bob.mass"], 0.3, ["pin.angle", "pin.force.y"])
    found = made.run(np.array([[1.2], [0.8]]))
    for k, mass in enumerate((1.2, 0.8)):
        fresh = Reruns().run(Numbers(pendulum(), ["bodies.bob.mass"]).changed([mass]), stage, stage.output_times())
        assert found.channels["pin.angle"][k] == pytest.approx(fresh.channels()["pin.angle"].values, rel=1e-10)
        force = fresh.channels()["pin.force"].component("y").values
        assert found.channels["pin.force.y"][k] == pytest.approx(force, rel=1e-10)


BALL = """
gravity: [0, 0, -9.81]
bodies:
  ball: {kind: rigid, at: [0, 0, 0.3], mass: 0.1, inertia: [1e-5, 1e-5, 1e-5], angular_velocity: [0, 20, 0]}
contacts:
  floor:
    kind: contact
    between: [{kind: half_space, on: ground, normal: z}, {kind: sphere, on: ball, radius: 0.02}]
    law: {kind: hertz, stiffness: 1e6 N/m^1.5, restitution: 0.7}
    friction: {coefficient: 0.3, slip_speed: 1 mm/s}
simulate: {duration: 1 s, solver: ode, tolerance: 1e-10, outputs: 100}  # the last bounces magnify errors 1e5 times
"""


def test_contacts_are_run_in_batches_too():
    model = ts.Model.from_text(BALL)
    paths = ["contacts.floor.friction.coefficient", "bodies.ball.mass"]
    names = ["ball.position.x", "floor.normal", "floor.gap"]
    made, stage, base = batch(model, paths, 0.2, names)
    x = base * np.array([[0.9, 1.1], [1.1, 1.05]])
    found, numbers = made.run(x), Numbers(model, paths)
    for k in range(2):
        theirs = Reruns().run(numbers.changed(x[k]), stage, stage.output_times())
        for name in names[:1]:
            path = theirs.channels()["ball.position"].component("x").values
            assert found.channels[name][k] == pytest.approx(path, abs=1e-9)
        normal = theirs.channels()["floor.normal"].values
        assert found.channels["floor.normal"][k] == pytest.approx(normal, rel=1e-6, abs=1e-6 * normal.max())
        assert [e.name for e in found.events[k]] == [e.name for e in theirs.events()]
        assert [e.time for e in found.events[k]] == pytest.approx([e.time for e in theirs.events()], abs=1e-9)
    assert "floor.hit" in [e.name for e in found.events[0]]


def test_surfaces_within_each_other_are_left_to_others():
    """Who says so by name."""
    model = ts.Model.from_text(BALL)
    made, _, base = batch(model, ["bodies.ball.at[2]"], 0.94, ["ball.position.x"])
    assert made.run(np.array([base, 0.062 * base])).done.tolist() == [True, False]


def test_channels_of_a_place_that_moves_in_its_body_are_not_taken_from_a_batch():
    with pytest.raises(NoRecipe, match=r"bob.eye.position.x depends on where something is drawn"):
        batch(pendulum(), ["bodies.bob.markers.eye.at[0]"], 0.3, ["bob.eye.position.x"])
    study = {"parameters": {"a": {"path": "bodies.bob.markers.eye.at[0]", "values": [0.1, 0.4]}},
             "sampling": {"kind": "grid"},
             "responses": {"x": {"channel": "bob.eye.position.x", "take": "max"}}}  # fmt: skip
    found = ts.study(study, pendulum(), workers=1)
    assert found["x"] == pytest.approx([np.hypot(1.1, 0.2), np.hypot(1.4, 0.2)], rel=1e-3)  # lifted to the horizon


def test_powers_of_a_number():
    """Mass and inertia of a ball go with r³ and r⁵."""
    model = pendulum(bodies={"bob": {"kind": "rigid", "at": [1, 0, 0], "density": 7800,
                                     "shape": {"kind": "sphere", "radius": 0.1}}})  # fmt: skip
    path = ["bodies.bob.shape.radius"]
    made, stage, _ = batch(model, path, 0.3, ["pin.angle", "pin.force.y"])
    found = made.run(np.array([[0.08]]))
    fresh = Reruns().run(Numbers(model, path).changed([0.08]), stage, stage.output_times()).channels()
    assert found.channels["pin.angle"][0] == pytest.approx(fresh["pin.angle"].values, rel=1e-9)
    assert found.channels["pin.force.y"][0] == pytest.approx(fresh["pin.force"].component("y").values, rel=1e-9)


def test_what_is_no_simple_function_is_built():
    tube = {"kind": "cylinder", "radius": 0.01, "length": 0.5}
    rod = {"kind": "rigid", "at": [1, 0, 0], "shape": tube, "density": 1000}
    model = pendulum(bodies={"bob": rod})
    with pytest.raises(NoRecipe, match="is neither a sum of the numbers and their inverses nor a product"):
        batch(model, ["bodies.bob.shape.length"], 0.3, ["pin.angle"])
    with pytest.raises(NoRecipe, match="only 'ode'"):
        batch(pendulum(), ["bodies.bob.mass"], 0.3, ["pin.angle"], solver="stiff")


def test_extremes_of_a_batch_are_those_of_runs_whatever_the_outputs():
    model = ts.load(SEATBELT)
    base = np.array(Numbers(model, PATHS).values)
    x = base * (1.0 + np.random.default_rng(2).uniform(-0.05, 0.05, (6, 3)))
    found = {}
    for outputs in (7, 30):
        stage = model.settings.changed(tolerance=1e-9, outputs=outputs).stage_list()[0]
        made = Batch(model, PATHS, stage, 0.95 * base, 1.05 * base, ["pivot.angle", "pivot.direction.x"])
        made.take = lambda seen: [seen["pivot.angle"].max(), seen["pivot.direction.x"].peak()]
        block = made.run(x)
        assert block.done.all()
        found[outputs] = block.taken
    assert found[7] == pytest.approx(found[30], rel=1e-7)
    for numbers, (angle, across) in zip(x, found[7], strict=True):
        run = Reruns().run(Numbers(model, PATHS).changed(numbers), stage, stage.output_times())
        seen = {name: channel.bind(run.times()) for name, channel in run.channels().items()}
        assert angle == pytest.approx(seen["pivot.angle"].max(), rel=1e-7)
        assert across == pytest.approx(seen["pivot.direction"].peak()[0], rel=1e-7)
