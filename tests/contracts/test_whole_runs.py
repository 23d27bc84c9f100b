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
    energy = max((np.abs(c.values - c.values[0]).max() for n, c in results.channels.items() if n.startswith("energy.")), default=0.0)
    energy = max(energy, results["energy.kinetic"].values.max() if "energy.kinetic" in results else 0.0)
    return {n: energy if n.startswith("energy.") else np.nanmax(np.abs(c.values), initial=0.0) for n, c in results.channels.items()}


def differences(before, after, **how):
    sizes, found = sizes_of(before), {}
    for name, x, y in pairs_of(before, after, **how):
        assert np.array_equal(np.isnan(x), np.isnan(y)), name
        found[name] = np.nanmax(np.abs(x - y), initial=0.0) / max(sizes[name], FLOOR)
    return found


def events_of(results, names=None):
    return sorted((event.time, event.name.partition(".")[2]) for event in results.events)
