"""Small rigid models run in blocks of samples by one compiled loop: neither model, tables, work nor records made anew.

For `ode`. Whoever asks falls back to `Reruns` for numbers this cannot do, or does not end.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..build.builder import build
from ..channels import History, make_channels
from ..mechanics.linking import CONTACT_EVENTS
from ..model import Model
from ..results import Channel
from ..simulate import prepare
from ..solve import ode, status
from ..solve.contact_tasks import can_change, goes_through
from ..solve.initial import Start, free_parts, linked_work, model_size
from ..solve.runge_kutta import RungeKutta, new_runge_kutta
from ..solve.samples import ROOM, Samples, fill_tables, run_samples
from ..solve.steps import Loop, Record, new_record
from ..solve.transient import is_flexible, new_run, slip_size, state_scale
from ..stages import contact_event
from .memory import in_one_piece
from .paths import Numbers
from .recipes import NoRecipe, Recipe
from .runs import Reruns, values_of

NEAR = 1e-7  # of the size of a channel: what is not rounding
LARGEST = 1 << 25  # bytes that outputs of a block may take
MOST = 512  # samples of a block


class Moment(NamedTuple):
    """An event, as far as responses look at it."""

    name: str
    time: float


@dataclass
class Block:
    """Runs of some samples, in so far as responses look at them."""

    done: np.ndarray  # (samples,) whether it ran to its end; what else is told of others means nothing
    time: np.ndarray  # (outputs,)
    channels: dict[str, np.ndarray]  # (samples, outputs), by the names asked for
    events: list[list[Moment]]


class Batch:
    """A model whose numbers at some paths lie between low and high. Raises NoRecipe where this way is not open.

    Threads may run blocks at the same time, each in a lane of its own.
    """

    def __init__(self, model: Model, paths: list[str], stage, low: np.ndarray, high: np.ndarray, names: list[str]):
        if stage.solver != "ode":
            raise NoRecipe("only 'ode' is run like this")
        self.numbers, self.stage, self.names = Numbers(model, paths), stage, names
        assembler, self.catalogue, self.start = prepare(
            self.numbers.changed(0.5 * (low + high)), stage.duration, stage.planar != "off"
        )
        if is_flexible(self.start.system.tables) or assembler.crowds:
            raise NoRecipe("flexible parts, or contacts among many")
        if self.catalogue.initial or self.start.superfluous:
            raise NoRecipe("a start that has to be searched for")
        if any(contact.overlap == "relax" for contact in self.catalogue.contacts.values()):
            raise NoRecipe("gaps are counted from where surfaces are at the start")
        self.length = model_size(assembler)
        self.recipe = Recipe(self._built, low, high)
        if "axes" in self.recipe.places or "pairs" in self.recipe.places:
            raise NoRecipe("principal axes turn, or pairs change")
        self.free: list[Lane] = []
        self._compare(low, high)

    def _compare(self, low: np.ndarray, high: np.ndarray) -> None:
        """Channels that look at where things are drawn see the model this began with. Raises NoRecipe if that shows."""
        near = max(NEAR, 100.0 * self.stage.tolerance)
        points = np.array([low + share * (high - low) for share in (0.0, 0.37, 1.0)])
        ours = self.run(points)
        if not ours.done.any():
            raise NoRecipe("it does not reach the end")
        for k in np.flatnonzero(ours.done):
            theirs = Reruns().run(self.numbers.changed(points[k]), self.stage, self.stage.output_times())
            if theirs.run.code != status.DONE:
                raise NoRecipe("it reaches the end where others do not")
            found = theirs.channels()
            for name in self.names:
                a, b = ours.channels[name][k], values_of(found, name)
                known = np.isfinite(b)
                if not np.array_equal(np.isfinite(a), known):
                    raise NoRecipe(f"{name} is not known at the same times")
                if not np.abs(a - b)[known].max(initial=0.0) <= near * np.abs(b[known]).max(initial=0.0):
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

    @cached_property
    def checks_overlaps(self) -> bool:
        """What then has to be refused, others do."""
        return any(contact.overlap == "refuse" for contact in self.catalogue.contacts.values())

    def run(self, x: np.ndarray) -> Block:
        """Runs with numbers (samples, numbers); some may be left to others: their numbers are out of range, or
        something asks for more care."""
        lane = self.free.pop() if self.free else Lane(self)
        try:
            return self._run(lane, x)
        finally:
            self.free.append(lane)

    def _run(self, lane: Lane, x: np.ndarray) -> Block:
        inside = np.flatnonzero(self.recipe.holds(x))
        time = np.array(self.stage.output_times(), float)
        whole = Block(
            np.zeros(len(x), bool), time, {n: np.full((len(x), len(time)), np.nan) for n in self.names}, [[]] * len(x)
        )
        for first in range(0, len(inside), lane.most):
            which = inside[first : first + lane.most]
            lane.run(x[which])
            whole.done[which] = lane.samples.code[: len(which)] == status.DONE
            for name, values in lane.channels(len(which)).items():
                whole.channels[name][which] = values
            for sample, events in zip(which, lane.events, strict=True):
                whole.events[sample] = events
        return whole


class Lane:
    """Tables, work, loop and record of one thread."""

    def __init__(self, batch: Batch):
        self.batch = batch
        self.events: list[list[Moment]] = []
        self.columns: list[str] | None = None
        self.named: dict[int, str] = {}
        self.time = np.array(batch.stage.output_times(), float)
        self.rows = len(self.time) + 1
        self._place_tables()
        self._place_state()
        self._make_samples()
        self.history = History(self.begun, batch.catalogue, self.record, len(self.record.time))
        self.made = self._asked()

    def _place_tables(self) -> None:
        """Those that change in one piece of memory, with what else is drawn."""
        batch, system = self.batch, self.batch.start.system
        arrays = system.tables._asdict() | {"q0": system.q0, "v0": system.v0, "size": np.array([batch.length])}
        names = list(dict.fromkeys(("q0", "v0", "size", *batch.recipe.places)))
        memory, moved = in_one_piece([arrays[name] for name in names])
        there = dict(zip(names, moved, strict=True))
        begins = {name: (array.ctypes.data - memory.ctypes.data) // 8 for name, array in there.items()}
        self.q0, self.v0, self.size = (there.pop(name) for name in ("q0", "v0", "size"))
        self.tables = system.tables._replace(**there)
        self.filling = batch.recipe.filling(memory.view(np.float64), begins)
        own = type(system)(
            self.tables, self.q0, self.v0, system.kept, system.axes, system.plane, system.drafts, system.rows
        )
        self.begun = Start(own, linked_work(own), self.q0, self.v0, batch.length, 1.0, own)

    def _place_state(self) -> None:
        """Work and loop, which every sample finds as they were at first."""
        t, stage, slip = self.tables, self.batch.stage, slip_size(self.tables, "ode")
        options = [True, 0.0, 0.0, False, stage.step or 0.0, 0, 0.1 * self.begun.weakest, goes_through(t)]
        rk = new_runge_kutta(t, len(self.q0), len(self.v0), options, slip)
        loop, work = new_run(self.begun, stage, self.time, []).loop, self.begun.work
        self.record = self._new_record()
        if can_change(t):
            from ..solve.impacts import contact_events

            work.core[CONTACT_EVENTS] = contact_events.address(t, work, loop, self.record, 0, 0, 0)
        changing = ("K", "stage", "stage_q", "stage_v", "pivot", "steps", "damped", "options")
        memory, moved = in_one_piece([*work, *loop, *(getattr(rk, name) for name in changing)])
        self.memory = memory
        self.work = type(work)(*moved[: len(work)])
        self.loop = Loop(*moved[len(work) : len(work) + len(loop)])
        self.rk: RungeKutta = rk._replace(**dict(zip(changing, moved[len(work) + len(loop) :], strict=True)))

    def _new_record(self) -> Record:
        one = new_record(self.tables, [*self.time, np.inf], len(self.batch.start.system.drafts.rows))
        size = sum(a.nbytes for name, a in one._asdict().items() if not name.startswith("event"))
        self.most = int(np.clip(LARGEST // size, 1, MOST))
        many = new_record(self.tables, np.tile(one.time, self.most), one.multiplier.shape[1])
        room = max(2 * ROOM * self.most, len(one.event_time))
        return many._replace(
            event_time=np.zeros(room), event_watch=np.zeros(room, np.int64), event_value=np.zeros(room)
        )

    def _make_samples(self) -> None:
        t = self.tables
        length, speed = 4.0, 10.0
        scale = state_scale(t, length, speed, slip_size(t, "ode"))
        moves, turns = free_parts(t)
        self.samples = Samples(
            number=np.zeros((self.most, len(self.batch.recipe.low))), code=np.zeros(self.most, np.int64),
            events=np.zeros(self.most + 1, np.int64), memory=self.memory, first=self.memory.copy(),
            q0=self.q0, v0=self.v0, length=self.size, q=np.zeros(len(self.q0)), v=np.zeros(len(self.v0)),
            moves=moves.reshape(-1), turns=turns.reshape(-1),
            like_length=np.flatnonzero(scale == length), like_speed=np.flatnonzero(scale == speed),
            like_rate=np.flatnonzero(scale == speed / length),
            apart=np.array([self.batch.checks_overlaps], np.int64),
        )  # fmt: skip

    def run(self, x: np.ndarray) -> None:
        """A block of at most so many samples as there is room for."""
        samples, end = self._part(len(x)), 0
        samples.number[:], self.events = x, []
        packs = (self.tables, self.work, self.loop, self.rk, self.record)
        address = ode.run.address(*packs, 0)
        while end < len(x):
            begin = end
            samples.events[begin] = 0
            end = int(run_samples(*packs, self.filling, samples, address, begin, self.rows))
            self._take_events(samples, begin, end)

    def _part(self, count: int) -> Samples:
        s = self.samples
        return s._replace(number=s.number[:count], code=s.code[:count], events=s.events[: count + 1])

    def _take_events(self, samples: Samples, begin: int, end: int) -> None:
        record = self.record
        for s in range(begin, end):
            here = slice(samples.events[s], samples.events[s + 1])
            found = zip(record.event_watch[here].tolist(), record.event_time[here].tolist(), strict=True)
            self.events.append(sorted((Moment(self._name(i), t) for i, t in found), key=lambda event: event.time))

    def _name(self, watch: int) -> str:
        if watch not in self.named:
            catalogue = self.batch.catalogue
            changed = contact_event(0.0, -1 - watch, 0.0, self.tables, catalogue) if watch < 0 else None
            self.named[watch] = changed.name if changed else list(catalogue.events.values())[watch].name
        return self.named[watch]

    # -- channels ---------------------------------------------------------------------------------------------------
    def _asked(self) -> dict[str, Channel]:
        found = {channel.name: channel for channel in make_channels(self.history)}
        return {n: found[n] if n in found else found[n.rpartition(".")[0]] for n in self.batch.names}

    def channels(self, count: int) -> dict[str, np.ndarray]:
        """(samples, outputs) of the block that was run."""
        if self.columns is None:
            self.columns = self._columns()
        history, found = self.history, {}
        history.n, history.record = len(self.record.time), self.record
        for name in self.columns:
            found[name] = self._values(name).reshape(self.most, self.rows)[:count, :-1]
        others = [name for name in self.made if name not in self.columns]
        return found | (self._one_by_one(others, count) if others else {})

    def _columns(self) -> list[str]:
        """Channels that stand in the record as they are."""
        self._look_at(0)
        with np.errstate(all="ignore"):
            values = {name: self._values(name) for name in self.made}
        return [n for n, v in values.items() if any(np.may_share_memory(v, column) for column in self.record)]

    def _one_by_one(self, names: list[str], count: int) -> dict[str, np.ndarray]:
        """Channels that are computed, some from the tables, which then have to be those of the sample."""
        found = {name: np.full((count, len(self.time)), np.nan) for name in names}
        for s in np.flatnonzero(self.samples.code[:count] == status.DONE).tolist():
            fill_tables(self.filling, self.samples, s)
            self._look_at(s)
            for name in names:
                found[name][s] = self._values(name)
        return found

    def _look_at(self, s: int) -> None:
        self.history.forget()
        self.history.n, self.history.record = len(self.time), self._record_of(s)

    def _record_of(self, s: int) -> Record:
        here = slice(s * self.rows, (s + 1) * self.rows - 1)
        return Record(*(a if name.startswith("event") else a[here] for name, a in self.record._asdict().items()))

    def _values(self, name: str) -> np.ndarray:
        """One column, as the name says."""
        channel = self.made[name]
        values = np.asarray(channel.source())
        return values if name == channel.name else values[:, list(channel.components).index(name.rpartition(".")[2])]
