"""A run between its outputs: channels at the ends of steps and within them, evaluated when they are asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from .build.catalogue import Catalogue
from .channels import History, make_channels
from .results import Channel
from .results.audit import ACCOUNTS
from .results.extremes import FIELD, POINTS, SHARES, Steps, at_rows
from .solve.initial import Start, linked_work
from .solve.retrace import fill_rows
from .solve.runge_kutta import new_runge_kutta
from .solve.steps import AS_INTEGRATED, Record, new_loop, new_record
from .solve.trace import COLUMNS, LENGTH, STAGES

ENDS = np.zeros(0)
TURNED_BOTH_WAYS = ".orientation"  # a quaternion's sign follows from the rows before
AT_ONCE = 1e-9  # of a run: increments this short are where loads jump
ENERGIES = "energy.accounts"  # all of them, as a channel


def aligned(quaternions: np.ndarray, begins: np.ndarray) -> np.ndarray:
    """Those (steps, points, 4) within steps with the signs that follow from the ones (steps, 4) they begin with."""
    before = np.concatenate((begins[:, None], quaternions[:, :-1]), axis=1)
    return quaternions * np.cumprod(np.where((quaternions * before).sum(axis=2) < 0.0, -1.0, 1.0), axis=1)[..., None]


class Rows:
    """Channels of one record after the other."""

    def __init__(self, start: Start, catalogue: Catalogue):
        self.record: Record | None = None
        self.history = History(start, catalogue, None, 0)
        self.channels = {channel.name: channel for channel in make_channels(self.history)}
        self.channels[ENERGIES] = Channel(ENERGIES, "J", lambda: self.history.record.energy, tuple(ACCOUNTS))

    def show(self, record: Record) -> None:
        self.record, self.history.record, self.history.n = record, record, len(record.time)
        self.history.forget()
        self.found: dict[str, np.ndarray] = {}

    def values(self, name: str) -> np.ndarray:
        """(rows, k) of a channel; what is not of all nodes or elements is kept."""
        if name in self.found:
            return self.found[name]
        values = np.asarray(self.channels[name].source(), float).reshape(self.history.n, -1)
        if values.shape[1] <= FIELD:
            self.found[name] = values
        return values


@dataclass(eq=False)
class StepRows:
    """States that a run left between its outputs (see solve.trace), as rows of channels."""

    start: Start
    catalogue: Catalogue
    record: Record
    first: int  # of its states
    last: int
    as_integrated: bool = False
    corrections: tuple[float, float] = (0.0, 0.0)  # of Baumgarte's method
    _looked: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))  # steps that were looked into last

    @property
    def time(self) -> np.ndarray:
        return self.record.step_time[self.first : self.last]

    def look_at(self, first: int, last: int) -> None:
        """Other states of the same record, of a run whose numbers are in the tables now."""
        self.first, self.last, self._looked = first, last, np.zeros(0, np.int64)
        self._ends.record = None
        for name in ("length", "exact"):
            self.__dict__.pop(name, None)

    @cached_property
    def length(self) -> np.ndarray:
        """Of the step that begins at each state; 0 at the last."""
        length = self.record.step_state[self.first : self.last, LENGTH].copy()
        length[-1:] = 0.0
        return length

    @cached_property
    def exact(self) -> np.ndarray:
        by_stages = self.record.step_state[self.first : self.last, STAGES] > 0.0
        return by_stages & (self.length > 0.0)

    @cached_property
    def _scratch(self):
        tables, work = self.start.system.tables, linked_work(self.start.system)
        size = self.record.step_state.shape[1] - COLUMNS
        nq, nv = len(self.start.q), len(self.start.v)
        loop = new_loop(tables, self.start.q, self.start.v, 0.0, 1.0, np.ones(size), (1.0, 1.0))
        loop.count[AS_INTEGRATED] = self.as_integrated
        options = [0.0, *self.corrections, 0.0, 1.0, 0.0, 0.0, 0.0]  # a given step, so that no error is looked for
        rk = new_runge_kutta(tables, nq, nv, options, 0)._replace(
            K=np.zeros((16, size)), stage=(stage := np.zeros(size)), stage_q=stage[:nq], stage_v=stage[nq : nq + nv],
            last=np.zeros(size),
        )  # fmt: skip
        return tables, work, loop, rk

    def rows(self, states: np.ndarray, shares: np.ndarray = ENDS) -> Record:
        """At states, or at shares of the steps that begin with them."""
        tables, work, loop, rk = self._scratch
        model_rows = len(self.start.system.drafts.rows)
        out = new_record(tables, np.zeros(len(states) * max(1, len(shares))), model_rows)
        fill_rows(tables, work, loop, rk, self.record, out, states + self.first, shares)
        return out

    @cached_property
    def _ends(self) -> Rows:
        return Rows(self.start, self.catalogue)

    @cached_property
    def _within(self) -> Rows:
        return Rows(self.start, self.catalogue)

    def at_ends(self, name: str) -> np.ndarray:
        """(states, k) of a channel."""
        if self._ends.record is None:
            self._ends.show(self.rows(np.arange(self.last - self.first)))
        return self._ends.values(name)

    def look_into(self, states: np.ndarray) -> None:
        """Evaluate the steps that begin with these states, in order, for all channels."""
        self._looked = states
        self._within.show(self.rows(states, SHARES))

    def inside(self, name: str, states: np.ndarray) -> np.ndarray:
        """(steps, POINTS, k) of a channel within the steps that begin with these states."""
        if not np.isin(states, self._looked).all():
            self.look_into(np.unique(states))
        values = self._within.values(name).reshape(len(self._looked), POINTS, -1)[np.searchsorted(self._looked, states)]
        return aligned(values, self.at_ends(name)[states]) if name.endswith(TURNED_BOTH_WAYS) else values

    def of(self, name: str) -> Steps:
        """One channel."""
        return Steps(
            self.time,
            self.length,
            self.exact,
            lambda: self.at_ends(name),
            lambda states: self.inside(name, states),
            self,
        )


class PlaceRows:
    """Balanced places that a quasi-static run left between its outputs (see solve.places), as rows of channels."""

    def __init__(self, start: Start, catalogue: Catalogue, record: Record, count: int):
        self.time = record.time[:count]
        self._rows = Rows(start, catalogue)
        self._rows.show(Record(*(a[:count] for a in record)))

    def of(self, name: str) -> Steps:
        """One channel; extremes beside long increments hang on them, unless they are where the run begins or ends."""
        exact = np.append(np.diff(self.time) <= AT_ONCE * (self.time[-1] - self.time[0]), True)
        exact[[0, -2]] = True
        return at_rows(self.time, lambda: self._rows.values(name))._replace(exact=exact)
