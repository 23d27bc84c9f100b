"""Small rigid models run one after the other with nothing made anew: neither model, tables, work arrays nor records.

For `ode` and models without contacts. Whoever asks falls back to `Reruns` for numbers this cannot do, or does not end.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..build.builder import build
from ..channels import History, make_channels
from ..model import Model
from ..results import Channel
from ..simulate import prepare
from ..solve import ode, status
from ..solve.contact_tasks import can_change
from ..solve.initial import CLOSED, Start, model_size, model_speed, settle
from ..solve.runge_kutta import new_runge_kutta
from ..solve.transient import advance, is_flexible, new_run, slip_size, state_scale, take_events
from .paths import Numbers
from .recipes import NoRecipe, Recipe, flat_floats
from .runs import Reruns, values_of

NEAR = 1e-7  # of the size of a channel: what is not rounding


class Moment(NamedTuple):
    """An event, as far as responses look at it."""

    name: str
    time: float


@dataclass
class Seen:
    """A run in so far as responses look at it."""

    channels: dict[str, Channel]
    time: np.ndarray
    events: list

    def __getitem__(self, name: str) -> Channel:
        if name in self.channels:
            return self.channels[name].bind(self.time)
        owner, _, part = name.rpartition(".")
        return self.channels[owner].bind(self.time).component(part)


class Batch:
    """A model whose numbers at some paths lie between low and high. Raises NoRecipe where this way is not open."""

    def __init__(self, model: Model, paths: list[str], stage, low: np.ndarray, high: np.ndarray, names: list[str]):
        if stage.solver != "ode":
            raise NoRecipe("only 'ode' is run like this")
        self.numbers, self.stage, self.names = Numbers(model, paths), stage, names
        assembler, self.catalogue, self.start = prepare(
            self.numbers.changed(0.5 * (low + high)), stage.duration, stage.planar != "off"
        )
        t = self.start.system.tables
        if can_change(t) or is_flexible(t) or self.catalogue.initial or self.start.superfluous or assembler.crowds:
            raise NoRecipe("contacts, flexible parts or a start that has to be searched for")
        self.recipe = Recipe(self._built, low, high)
        if "axes" in self.recipe.places:
            raise NoRecipe("principal axes turn")
        self.q0, self.v0, self.size = self.start.system.q0, self.start.system.v0, np.zeros(1)
        self.size[0] = model_size(assembler)
        arrays = t._asdict() | {"q0": self.q0, "v0": self.v0, "size": self.size}
        self.arrays = {name: flat_floats(arrays[name]) for name in self.recipe.places}
        self._make_once()
        self._compare(low, high)

    def _compare(self, low: np.ndarray, high: np.ndarray) -> None:
        """Channels that look at where things are drawn see the model this began with. Raises NoRecipe if that shows."""
        near = max(NEAR, 100.0 * self.stage.tolerance)
        for share in (0.0, 0.37, 1.0):
            x = low + share * (high - low)
            ours = self.run(x)
            theirs = Reruns().run(self.numbers.changed(x), self.stage, self.stage.output_times())
            if ours is None or theirs.run.code != status.DONE:
                raise NoRecipe("it does not reach the end everywhere")
            found = theirs.channels()
            for name in self.names:
                a, b = ours[name].values, values_of(found, name)
                if not np.abs(a - b).max() <= near * np.abs(b).max():
                    raise NoRecipe(f"{name} depends on where something is drawn")

    def _built(self, x: np.ndarray) -> dict[str, np.ndarray]:
        """Everything that is made of a model before it runs."""
        assembler, _ = build(self.numbers.changed(x), duration=self.stage.duration)
        assembler.may_be_planar = self.stage.planar != "off"
        for coupling in assembler.couplings:
            assembler.track(coupling[0])
        system = assembler.finish()
        if system.plane != self.start.system.plane:
            raise NoRecipe("the plane changes")
        size = np.array([model_size(assembler)])
        return system.tables._asdict() | {"q0": system.q0, "v0": system.v0, "axes": system.axes, "size": size}

    def _make_once(self) -> None:
        t, start = self.start.system.tables, self.start
        options = [True, 0.0, 0.0, False, self.stage.step or 0.0, 0, 0.1 * start.weakest]
        self.rk = new_runge_kutta(t, start.work.pairs, len(start.q), len(start.v), options, slip_size(t, "ode"))
        self.begun = self._began()
        self.run_ = new_run(self.begun, self.stage, self.stage.output_times(), [])
        self.of_work = [(a, a.copy()) for a in start.work if isinstance(a, np.ndarray) and a.size]
        loop = (*self.run_.loop, self.rk.K, self.rk.stage, self.rk.pivot, self.rk.steps, self.rk.damped)
        self.of_loop = [(a, a.copy()) for a in loop if a.size]
        self.scratch = [np.zeros(len(start.q)), np.zeros(len(start.v)), np.zeros(len(start.q)), np.zeros(len(start.v))]
        self.like_length, self.like_speed, self.like_rate = sizes_of(t)
        rows = len(self.run_.record.time)
        self.history = History(self.begun, self.catalogue, self.run_.record, rows)
        owners = {name for n in self.names for name in (n, n.rpartition(".")[0])}
        made = [c for c in make_channels(self.history) if c.name in owners]
        self.events = [event.name for event in self.catalogue.events.values()]
        self.made = [(c.name, c.unit, c.source, c.components) for c in made]

    def _began(self) -> Start:
        return Start(self.start.system, self.start.work, self.q0, self.v0, float(self.size[0]), 1.0, self.start.system)

    def run(self, x: np.ndarray) -> Seen | None:
        """One run to its end, or None: the numbers are out of range, or something asks for more care."""
        if not self.recipe.holds(x):
            return None
        self.recipe.fill(x, self.arrays)
        restore(self.of_work)
        restore(self.of_loop)
        if not self._settled():
            return None
        run = self.run_
        run.code, run.events = status.PAUSED, []
        advance(run, self._step, None, None)
        take_events(run)
        if run.code != status.DONE:
            return None
        self.history.forget()
        channels = {name: Channel(name, unit, source, parts) for name, unit, source, parts in self.made}
        return Seen(channels, run.record.time, [Moment(self.events[i], t) for t, i, _ in sorted(run.events)])

    def _step(self, loop, record, n: int) -> int:
        return ode.run(self.tables, self.start.work, loop, self.rk, record, n)

    @property
    def tables(self):
        return self.start.system.tables

    def _settled(self) -> bool:
        """A consistent start in the loop, as `Reruns` finds it."""
        work, t, length = self.start.work, self.tables, float(self.size[0])
        q, v, spare_q, spare_v = self.scratch
        q[:], v[:], spare_v[:] = self.q0, self.v0, self.v0
        if not settle(t, work, 0.0, q, spare_v, 1e-13 * length, 100) <= CLOSED * length:
            return False
        for _ in range(2):
            spare_q[:] = q
            settle(t, work, 0.0, spare_q, v, 1e-13 * length, 1)
        speed = model_speed(self.start.system, work, q, v, length, 0.0)
        if work.dropped[0]:
            return False
        restore(self.of_work)
        loop = self.run_.loop
        loop.q[:], loop.v[:] = q, v
        loop.scale[self.like_length], loop.scale[self.like_speed] = length, speed
        loop.scale[self.like_rate] = speed / length
        return True


def sizes_of(t) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Which components of a state are measured by a length, by a speed, by an angular speed."""
    length, speed = 4.0, 10.0
    scale = state_scale(t, length, speed, slip_size(t, "ode"))
    return scale == length, scale == speed, scale == speed / length


def restore(kept: list[tuple[np.ndarray, np.ndarray]]) -> None:
    """Arrays as they were at first."""
    for array, as_first in kept:
        array[...] = as_first
