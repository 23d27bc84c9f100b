"""Tables, work, loop and record of one thread that runs blocks of samples (see batch)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..channels import History, make_channels
from ..mechanics.linking import CONTACT_EVENTS
from ..results import Channel
from ..solve import ode, status
from ..solve.contact_tasks import can_change, goes_through
from ..solve.initial import Start, free_parts, linked_work
from ..solve.runge_kutta import RungeKutta, new_runge_kutta
from ..solve.samples import AUDITED, ROOM, Samples, fill_tables, run_samples
from ..solve.steps import Loop, Record, new_record
from ..solve.trace import with_room, without_states
from ..solve.transient import new_run, slip_size, state_scale
from ..stages import contact_event
from ..step_rows import StepRows
from .memory import in_one_piece

if TYPE_CHECKING:
    from .batch import Batch

LARGEST = 1 << 25  # bytes that outputs of a block may take
MOST = 512  # samples of a block


class Moment(NamedTuple):
    """An event, as far as responses look at it."""

    name: str
    time: float


@dataclass(frozen=True)
class Sampled:
    """A sample that was run to its end, as far as responses look at it."""

    channels: dict[str, Channel]  # by the names asked for
    events: list[Moment]

    def __getitem__(self, name: str) -> Channel:
        return self.channels[name]


class Lane:
    """Tables, work, loop and record of one thread."""

    def __init__(self, batch: Batch):
        self.batch = batch
        self.events: list[list[Moment]] = []
        self.taken: dict[int, list[float]] = {}
        self.columns: list[str] | None = None
        self.named: dict[int, str] = {}
        self.time = np.array(batch.stage.output_times(), float)
        self.rows = len(self.time) + 1
        self._place_tables()
        self._place_state()
        self._make_samples()
        self.history = History(self.begun, batch.catalogue, self.record, len(self.record.time))
        self.made = self._asked()
        self.between = StepRows(self.begun, batch.catalogue, self.record, 0, 0)

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
        rk = new_runge_kutta(t, len(self.q0), len(self.v0), options, slip)  # no copies of tables that are filled anew
        loop, work = new_run(self.begun, stage, self.time, []).loop, self.begun.work
        self.record = self._new_record()
        if can_change(t):
            from ..solve.impacts import contact_events

            work.core[CONTACT_EVENTS] = contact_events.address(t, work, loop, self.record, 0, 0, 0)
        changing = ("K", "stage", "stage_q", "stage_v", "last", "pivot", "steps", "damped", "options")
        memory, moved = in_one_piece([*work, *loop, *(getattr(rk, name) for name in changing)])
        self.memory = memory
        self.work = type(work)(*moved[: len(work)])
        self.loop = Loop(*moved[len(work) : len(work) + len(loop)])
        self.rk: RungeKutta = rk._replace(**dict(zip(changing, moved[len(work) + len(loop) :], strict=True)))

    def _new_record(self) -> Record:
        one = new_record(self.tables, [*self.time, np.inf], len(self.batch.start.system.drafts.rows))
        size = sum(a.nbytes for name, a in one._asdict().items() if not name.startswith(("event", "step")))
        self.most = int(np.clip(LARGEST // size, 1, MOST))
        many = new_record(self.tables, np.tile(one.time, self.most), one.multiplier.shape[1])
        room = max(2 * ROOM * self.most, len(one.event_time))
        many = many._replace(
            event_time=np.zeros(room), event_watch=np.zeros(room, np.int64), event_value=np.zeros(room)
        )
        return self._traced(many)

    def _traced(self, record: Record) -> Record:
        """With room for states between outputs."""
        size = len(state_scale(self.tables, 1.0, 1.0, slip_size(self.tables, "ode")))
        record = without_states(self.tables, record, size)
        return with_room(record, LARGEST // (8 * (1 + record.step_state.shape[1] + record.step_memory.shape[1])))

    def _make_samples(self) -> None:
        t = self.tables
        length, speed = 4.0, 10.0
        scale = state_scale(t, length, speed, slip_size(t, "ode"))
        moves, turns = free_parts(t)
        self.samples = Samples(
            number=np.zeros((self.most, len(self.batch.recipe.low))), code=np.zeros(self.most, np.int64),
            events=np.zeros(self.most + 1, np.int64), states=np.zeros(self.most + 1, np.int64),
            energy=np.zeros((self.most, AUDITED, 9)),
            memory=self.memory, first=self.memory.copy(),
            q0=self.q0, v0=self.v0, length=self.size, q=np.zeros(len(self.q0)), v=np.zeros(len(self.v0)),
            moves=moves.reshape(-1), turns=turns.reshape(-1),
            like_length=np.flatnonzero(scale == length), like_speed=np.flatnonzero(scale == speed),
            like_rate=np.flatnonzero(scale == speed / length),
            apart=np.array([self.batch.checks_overlaps], np.int64),
        )  # fmt: skip

    def run(self, x: np.ndarray) -> None:
        """A block of at most so many samples as there is room for."""
        samples, end = self._part(len(x)), 0
        samples.number[:], self.events, self.taken = x, [], {}
        packs = (self.tables, self.work, self.loop, self.rk, self.record)
        address = ode.run.address(*packs, 0)
        while end < len(x):
            begin = end
            samples.events[begin], samples.states[begin] = 0, 0
            end = int(run_samples(*packs, self.filling, samples, address, begin, self.rows))
            self._take_events(samples, begin, end)
            if self.batch.take is not None:
                self._take(samples, begin, end)

    def _part(self, count: int) -> Samples:
        s = self.samples
        return s._replace(
            number=s.number[:count],
            code=s.code[:count],
            events=s.events[: count + 1],
            states=s.states[: count + 1],
            energy=s.energy[:count],
        )

    def _take(self, samples: Samples, begin: int, end: int) -> None:
        """What is asked of each sample, while tables can be filled for it and its states are there."""
        assert self.batch.take is not None
        for s in range(begin, end):
            if samples.code[s] == status.DONE:
                fill_tables(self.filling, self.samples, s)
                self._look_at(s)
                self.between.look_at(int(samples.states[s]), int(samples.states[s + 1]))
                channels = {name: self._channel(name) for name in self.made}
                self.taken[s] = self.batch.take(Sampled(channels, self.events[s]))

    def _channel(self, name: str) -> Channel:
        """One that was asked for, of the sample that is looked at."""
        whole = self.made[name]
        channel = Channel(
            whole.name, whole.unit, whole.source(), whole.components, time=self.time,
            steps=lambda: [self.between.of(whole.name)],
        )  # fmt: skip
        return channel if name == whole.name else channel.component(name.rpartition(".")[2])

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
        apart = ("event", "step")
        return Record(*(a if name.startswith(apart) else a[here] for name, a in self.record._asdict().items()))

    def _values(self, name: str) -> np.ndarray:
        """One column, as the name says."""
        channel = self.made[name]
        values = np.asarray(channel.source())
        return values if name == channel.name else values[:, list(channel.components).index(name.rpartition(".")[2])]
