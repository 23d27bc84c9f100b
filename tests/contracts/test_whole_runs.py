"""Contracts of whole runs, for every kind and every solver that takes it: nothing hangs on where the world's origin is,
how its axes lie, what things are called and in which order they are written, nor on where a run is cut in two.

Solvers with a fixed step do the same arithmetic in all of these but for rounding, those that choose their steps differ by
what their tolerance lets them: NEAR. What a solver refuses it refuses however it is written.
"""

import numpy as np
import pytest
from contract_evaluation import rotation
from contract_models import EXAMPLES
from moved_models import Motion, moved, renamed, speaks_of_axes, unknown_fields
from scipy.spatial.transform import Rotation

from tapespring import Model
from tapespring.schema.problems import ModelError

SOLVERS = ["ode", "baumgarte", "stiff", "implicit", "conserving", "explicit", "quasi-static"]
SHIFT = Motion(shift=(1.0, 2.0, 3.0))
TURN = Motion(rotation([1, -2, 3], 2.1))
CYCLE = Motion([[0, 0, 1], [1, 0, 0], [0, 1, 0]])  # x becomes y, y z and z x
PLACES = ("position", "positions", "point", "centre_of_mass")
FROM_THE_ORIGIN = ("energy.gravity", "energy.stored")
#: sheets and solids vibrate so fast that a fiftieth of their time is enough for solvers of small steps
MESHED, SMALL_STEPS, SHORTER = ("membrane", "shell", "solid"), ("ode", "baumgarte", "stiff"), 0.02
FLOOR = 1e-3  # SI: models are of the size of one
NEAR = dict.fromkeys(SOLVERS, 1e-6)


def settings_of(data, solver):
    """Four outputs, and a fixed step where there may be one."""
    duration = Model.from_plain(data).settings.duration
    if solver in SMALL_STEPS and any(body["kind"] in MESHED for body in data["bodies"].values()):
        duration *= SHORTER
    step = {"step": duration / 256} if solver in ("implicit", "conserving") else {}
    return {"duration": duration, "solver": solver, "outputs": 4} | step


def run(data, settings, **more):
    """Results, or the words of a refusal."""
    try:
        return Model.from_plain(data).simulate(**settings, **more)
    except ModelError as refusal:
        return str(refusal)


_KEPT = {}


def plain_run(kind, solver):
    """Of the example as it is written; skipped where the solver does not take it."""
    if (kind, solver) not in _KEPT:
        _KEPT[kind, solver] = run(EXAMPLES[kind], settings_of(EXAMPLES[kind], solver))
    found = _KEPT[kind, solver]
    if isinstance(found, str):
        pytest.skip(f"refused: {found}")
    return found


def vectors(values, R):
    """Triples of components turned."""
    return (values.reshape(len(values), -1, 3) @ R.T).reshape(values.shape)


def turns_since_start(quaternions):
    """Rotation vectors."""
    axes = Rotation.from_quat(quaternions, scalar_first=True)
    return (axes * axes[0].inv()).as_rotvec()


def pairs_of(before, after, motion=None, names=None):
    """(name, values expected, values found) of every channel; vectors that are told in axes of their own stay."""
    motion = motion or Motion()
    for name, channel in before.channels.items():
        first, dot, rest = name.partition(".")
        x, y = channel.values, after[(names or {}).get(first, first) + dot + rest].values
        if name in FROM_THE_ORIGIN:
            x, y = x - x[0], y - y[0]
        elif name.endswith(".orientation"):
            x, y = vectors(turns_since_start(x), motion.R), turns_since_start(y)
        elif name.split(".")[-1] in PLACES:
            x = vectors(x, motion.R) + np.tile(motion.d, x.shape[1] // 3)
        elif name == "system.angular_momentum":
            momentum = vectors(before["system.momentum"].values, motion.R)
            x = vectors(x, motion.R) + np.cross(motion.d, momentum)
        elif "world axes" in channel.about:
            x = vectors(x, motion.R)
        yield name, x, y


def sizes_of(results):
    """What differences count against: of an energy all of it, of others their largest value."""
    energy = max(
        (np.abs(c.values - c.values[0]).max() for n, c in results.channels.items() if n.startswith("energy.")),
        default=0.0,
    )
    energy = max(energy, results["energy.kinetic"].values.max() if "energy.kinetic" in results else 0.0)
    return {
        n: energy if n.startswith("energy.") else np.nanmax(np.abs(c.values), initial=0.0)
        for n, c in results.channels.items()
    }


def differences(before, after, **how):
    sizes, found = sizes_of(before), {}
    for name, x, y in pairs_of(before, after, **how):
        assert np.array_equal(np.isnan(x), np.isnan(y)), name
        found[name] = np.nanmax(np.abs(x - y), initial=0.0) / max(sizes[name], FLOOR)
    return found


def events_of(results, names=None):
    return sorted((event.time, event.name.partition(".")[2]) for event in results.events)


def test_every_field_in_space_says_how_it_moves():
    assert not unknown_fields()


class Case:
    """One kind with one solver: the run as written, and how far another may be from it."""

    def __init__(self, kind, solver):
        self.data, self.solver, self.plain = EXAMPLES[kind], solver, plain_run(kind, solver)
        self.settings = settings_of(self.data, solver)

    def assert_same(self, data, allowed=None, names=None, motion=None):
        other = run(data, self.settings)
        assert not isinstance(other, str), other
        assert other.status.code == self.plain.status.code
        assert other.verdict.grade == self.plain.verdict.grade
        found = differences(self.plain, other, motion=motion, names=names)
        worst = max(found, key=found.get)
        assert found[worst] <= NEAR[self.solver], worst
        named = {new: old for old, new in (names or {}).items()}
        assert_same_events(self.plain, other, self.settings["duration"], named)


def assert_same_events(before, after, duration, names):
    """Of the same names in the same order at the same times."""
    after = [
        (event.time, ".".join((names.get(part, part) for part in event.name.split(".")))) for event in after.events
    ]
    before = [(event.time, event.name) for event in before.events]
    assert [name for _, name in sorted(after)] == [name for _, name in sorted(before)]
    times = [[time for time, _ in sorted(events)] for events in (before, after)]
    assert times[1] == pytest.approx(times[0], abs=1e-6 * duration)


@pytest.fixture(scope="module", params=[(kind, solver) for kind in EXAMPLES for solver in SOLVERS], ids="-".join)
def case(request):
    return Case(*request.param)


def test_elsewhere(case):
    case.assert_same(moved(case.data, SHIFT), motion=SHIFT)


def test_turned(case):
    turn = CYCLE if speaks_of_axes(case.data) else TURN
    case.assert_same(moved(case.data, turn), motion=turn)


def test_renamed_and_in_reverse_order(case):
    data, names = renamed(case.data)
    case.assert_same(data, names=names)
