"""A place in balance that moves along: what quasi-static runs, snaps, buckling and settled starts have in common.

It balances by Newton's method (`balance`), directly or by multigrid, keeps pairs near each other up to date, and tells
whether it is stable and which motion gives way.
"""

from __future__ import annotations

import time as clock_of_day
from collections.abc import Callable

import numpy as np

from ..linear.multigrid import NotConvergedError
from ..mechanics.pair_memory import STEADY
from ..mechanics.tables import SEGMENT, is_augmented
from ..mechanics.touching import TOO_DEEP
from . import augmented, status
from . import balance as bal
from .balance import (
    Balance,
    accept_place,
    augment_place,
    begin_place,
    find_balance,
    new_balance,
    path_tangent,
    solve_here,
)
from .equilibrium import find_equilibrium
from .free_motion import words_of_free_motion
from .initial import REMEMBERED, Start
from .kkt import Kkt, new_kkt, sparse_matrix
from .legs import Leg
from .multigrid import chosen_system
from .near_pairs import NearPairs
from .places import Places
from .progress import progress_words
from .static_run import StaticRun, record_place
from .steps import new_record

EASY = 5  # factorizations: an increment that needs no more may grow
NEARBY = 0.02  # model sizes or rad: an increment this short is never a snap
FULL_LOAD = 1.0
NOT_BALANCED_THERE = (
    "the model sinks to a place at rest, but Newton's method does not balance it there: forces may change too abruptly "
    "near it (contacts, friction, laws with corners); begin in a balanced place, smooth the laws, or begin with a "
    "dynamic stage"
)
SUBSPACE = 4
FREE = 30.0  # times as compliant as any other: a motion that nothing resists, but for rounding


class TooDeepError(Exception):
    """Surfaces are deeper in each other than their contact allows."""


class Search:
    """A place in balance that moves along; all that is needed to move it."""

    def __init__(self, start: Start, settings, rows: int, t: float):
        self.start, self.system, self.work = start, start.system, start.work
        self.tables = start.system.tables
        self.near = NearPairs(start) if len(self.tables.members) else None
        if self.near is not None:
            self.tables, self.work = self.near.tables, self.near.work
        self.augmented = is_augmented(self.tables)
        surfaces = self.tables.surfaces
        self.any_way = False  # whether it has buckled where it could have gone any way, as a round column can
        self.straps = bool(((surfaces["kind"] == SEGMENT) & (surfaces["size"][:, 0] > 0.0)).any())
        self.multigrid, note = chosen_system(self.tables, self.work, "direct" if self.near else settings.linear_solver)
        self.kkt: Kkt = self.multigrid.kkt if self.multigrid else new_kkt(self.tables)
        multiplier = np.zeros(len(self.tables.rows))
        self.at: Balance = new_balance(self.tables, self.work, start.q, multiplier, start.length, settings.tolerance)
        self.at.clock[bal.TIME] = t
        self.span, self.given_time = float(settings.duration), t
        self.longest = settings.max_step or self.span  # increment of time
        self.keep: Callable[[StaticRun], None] | None = None
        self.at.clock[bal.DIFFERENCE] = 1e-6 * self.span
        self.follows = False  # whether to find out where it snaps from, instead of going on unstable
        self.beyond = self.kept()  # where it snaps from
        # loads that follow their body have no potential: pivots say nothing about stability
        self.has_potential = not np.any(self.tables.loads["follows"])
        self.begin_run(rows)
        if note:
            self.run.notes.append(f"quasi-static: {note}")

    def begin_run(self, rows: int) -> None:
        """Keep what follows for itself."""
        self.run = StaticRun(new_record(self.tables, np.zeros(rows), len(self.system.drafts.rows)))
        self.run.legs = [Leg(self.run.solver, self.time)]
        self.at.count[[bal.ITERATIONS, bal.FACTORIZATIONS, bal.EVALUATIONS]] = 0
        self.began = clock_of_day.process_time()

    def end_run(self, code: int) -> StaticRun:
        self.run.code, self.run.count = code, self.at.count.copy()
        self.run.cpu_s = clock_of_day.process_time() - self.began
        return self.run

    @property
    def time(self) -> float:
        return float(self.at.clock[bal.TIME])

    def load_kernels(self) -> None:
        """Load or compile what every increment calls, which is not the solver's time."""
        here, tolerance = self.kept(), self.at.clock[bal.TOLERANCE]
        begin_place(self.tables, self.work, self.at)  # slip is counted from the start as given
        remembered = {name: getattr(self.work, name).copy() for name in REMEMBERED}
        self.at.clock[bal.TOLERANCE] = np.inf
        if self.multigrid is not None:
            self.multigrid.idle = True
        find_balance(self.tables, self.work, self.kkt, self.at, False)
        path_tangent(self.tables, self.work, self.kkt, self.at)
        accept_place(self.tables, self.work, self.at)
        record_place(self.tables, self.work, self.at, self.run.record, 0)
        self.at.clock[bal.TOLERANCE], self.at.clock[bal.FORCES] = tolerance, 0.0
        self.at.count[:] = 0
        self.return_to(here)
        if self.multigrid is not None:
            self.multigrid.idle = False
        for name, values in remembered.items():
            getattr(self.work, name)[:] = values
        self.run.record.contact[0] = 0.0  # to which rows of pairs are added

    def done(self, t: float) -> float:
        """Part of the duration."""
        return (t - self.given_time) / self.span

    def words(self, increment: float) -> str:
        """Of progress."""
        return progress_words(self.time, increment, self.run.record, self.run.rows, audited=False)

    # -- one place --------------------------------------------------------------------------------------------------
    def kept(self) -> tuple:
        return self.at.q.copy(), self.at.multiplier.copy(), self.time, self.work.anchor.copy()

    def return_to(self, kept: tuple) -> None:
        self.at.q[:], self.at.multiplier[:], self.at.clock[bal.TIME], self.work.anchor[:] = kept
        self.at.travel[:] = 0.0
        self.at.count[bal.AT_HAND] = bal.NOTHING

    def take_over(self, q, multiplier, t: float) -> None:
        """Be where another solver got to."""
        self.return_to((q, multiplier, t, self.work.anchor.copy()))
        self.find_pairs()

    def find_pairs(self) -> None:
        """Those near each other where nodes are placed, if pairs are found as they come near."""
        if self.near is None:
            return
        self.near.find()
        self.tables, self.work, self.kkt = self.near.tables, self.near.work, new_kkt(self.near.tables)
        self.at.count[bal.AT_HAND] = bal.NOTHING

    def balanced_at(self, t: float, insist: bool = True) -> bool:
        """Move to the balanced place at time t, if Newton's method finds it from here."""
        self.at.clock[bal.TIME] = t
        self.at.travel[:] = 0.0
        self.at.count[bal.BORDERED] = 0
        return self._solved(insist)

    def _solved(self, insist: bool) -> bool:
        """Insist: with damped corrections if full ones fail. An increment that can be cut is better cut, but for one in
        which surfaces come to touch, however short."""
        before = self.at.count[bal.FACTORIZATIONS]
        here = self.kept() if insist else None
        self.code = self._newton(False)
        if here is not None and self.code == bal.NOT_BALANCED:
            self.return_to(here)
            self.code = self._newton(True)
        if self.augmented and self.code == bal.BALANCED:
            self.code = self._without_depth()
        self.effort = int(self.at.count[bal.FACTORIZATIONS] - before)
        return self.code == bal.BALANCED

    def _without_depth(self) -> int:
        """Balance again until no augmented contact is deeper than it may be; the status."""
        before = np.inf
        for _ in range(augmented.MOST):
            before = augment_place(self.tables, self.work, self.at, before)
            if before <= 1.0:
                return bal.BALANCED
            code = self._newton(False)
            if code != bal.BALANCED:
                return code
        return bal.NOT_BALANCED

    def _newton(self, damped: bool) -> int:
        here = self.kept() if self.multigrid else None
        code = find_balance(self.tables, self.work, self.kkt, self.at, damped)
        if here is not None and self.gave_up():
            self.return_to(here)
            code = find_balance(self.tables, self.work, self.kkt, self.at, damped)
        return code

    def gave_up(self) -> bool:
        """Whether multigrid failed; it is not used again."""
        failure = self.multigrid.failure if self.multigrid else None
        if failure is None:
            return False
        if not isinstance(failure, NotConvergedError):
            raise failure
        self.run.notes.append(f"quasi-static: multigrid gave up at t = {self.time:.6g} s ({failure}); solved directly")
        self.eliminate()
        return True

    def eliminate(self) -> None:
        """From here on by a direct solver; nothing is at hand."""
        if self.multigrid is not None:
            self.multigrid, self.kkt = None, new_kkt(self.tables)
        self.at.count[bal.AT_HAND] = bal.NOTHING

    def tangent(self) -> int:
        """The path's tangent here; its status."""
        code = path_tangent(self.tables, self.work, self.kkt, self.at)
        return path_tangent(self.tables, self.work, self.kkt, self.at) if self.gave_up() else code

    def accept(self) -> None:
        accept_place(self.tables, self.work, self.at)
        if self.near is not None and self.near.are_due():
            self.find_pairs()
            begin_place(self.tables, self.work, self.at)
            self.at.count[bal.AT_HAND] = bal.NOTHING
        self.run.increments += 1
        forces = self.at.clock[bal.FORCES]
        if forces > 0.0:
            self.run.worst_imbalance = max(self.run.worst_imbalance, self.at.clock[bal.UNBALANCED] / forces)
        self.run.worst_violation = max(self.run.worst_violation, np.abs(self.work.g).max(initial=0.0))
        self.run.at, self.run.time = (self.at.q.copy(), np.zeros(len(self.at.rest))), self.time
        if (self.work.contact_peak[:, TOO_DEEP] > 0.0).any():
            raise TooDeepError(status.ADVICE[status.TOO_DEEP])
        if self.keep is not None:
            self.keep(self.run)

    def keep_place(self) -> None:
        """For extremes between outputs."""
        if self.run.places is None:
            self.run.places = Places(self.tables, len(self.system.drafts.rows))
        self.run.places.keep(self.tables, self.work, self.at, self.time)

    def write(self, way: float | None = None) -> None:
        """A row of the record."""
        k = self.run.rows
        self.run.record.time[k] = self.time
        if way is not None:
            self.run.way.append(way)
        record_place(self.tables, self.work, self.at, self.run.record, k)
        self.run.rows = k + 1

    # -- the first place --------------------------------------------------------------------------------------------
    def settle(self) -> bool:
        """Balance at the start: at once, or with weight and loads put on little by little."""
        kept = self.kept()
        if self.balanced_at(kept[2]):
            return True
        self.return_to(kept)
        gravity, shares = self.tables.gravity.copy(), self.tables.loads["share"].copy()
        part, step = 0.0, 0.25
        try:
            while part < FULL_LOAD:
                here, trial = self.kept(), min(FULL_LOAD, part + step)
                self.tables.gravity[:], self.tables.loads["share"] = trial * gravity, trial * shares
                if self.balanced_at(kept[2]):
                    part, step = trial, (1.5 if self.effort < EASY else 1.0) * step
                else:
                    self.return_to(here)
                    step *= 0.5
                    if step < 1e-4:
                        return False
        finally:
            self.tables.gravity[:], self.tables.loads["share"] = gravity, shares
        self.run.notes.append("quasi-static: weight and loads of the start were put on little by little")
        return True

    def sink(self) -> bool:
        """Balance at the start by following the forces downhill: for mechanisms and slack cords."""
        t, q = self.time, self.start.q
        found = find_equilibrium(self.system, q, t)
        self.return_to((found.q, found.multiplier, t, self.work.anchor.copy()))
        if found.converged and self.balanced_at(t):
            self.run.notes.append("quasi-static: the start was found by letting the model sink to rest")
            return True
        self.return_to((q, np.zeros(len(self.tables.rows)), t, self.work.anchor.copy()))
        self.run.trouble = self.free_motion() or (NOT_BALANCED_THERE if found.converged else found.message)
        return False

    # -- what went wrong --------------------------------------------------------------------------------------------
    def free_motion(self) -> str:
        """In words: the motion that nothing resists at the present place; empty if there is none."""
        self.eliminate()
        path_tangent(self.tables, self.work, self.kkt, self.at)
        return words_of_free_motion(self.system, sparse_matrix(self.kkt), self.at.weight)

    def explain(self) -> None:
        """Why no increment can be made."""
        self.run.trouble = self.run.trouble or self.free_motion() or (
            "no balanced state was found further on, however small the increment: the load may be more than the "
            "structure carries, or it is about to snap; use 'snaps: follow' to let it move to its next balanced state, "
            "or 'control: path' to go along unstable ones, or a dynamic stage"
        )  # fmt: skip

    # -- branches ---------------------------------------------------------------------------------------------------
    def instabilities(self) -> int:
        """Number of motions in which the present place is unstable; 0: stable."""
        self.tangent()
        if self.multigrid is not None:
            self.multigrid.check()
            if self.gave_up():
                self.tangent()
        if self.at.count[bal.UNSTABLE] > 0 and self.straps:
            self.look_without_kinks()
        if self.any_way:
            self.find_free_turn()
        return int(self.at.count[bal.UNSTABLE])

    def look_without_kinks(self) -> None:
        """The tangent as if nodes of straps were no edges: node on node is as unstable as knife on knife, though the
        straps are smooth."""
        self.at.count[bal.AT_HAND] = bal.NOTHING
        self.work.contact_step[STEADY] = 1.0
        self.tangent()
        self.work.contact_step[STEADY] = 0.0

    def soft_motions(self) -> tuple[np.ndarray, np.ndarray]:
        """(compliances, unstable ones first, weighted motions in columns) of the softest: subspace iteration with the
        factors at hand."""
        Y = np.random.default_rng(1).standard_normal((len(self.at.weight), SUBSPACE))
        for _ in range(8):
            Y, _ = np.linalg.qr(Y)
            Z = np.column_stack([self._yielding(y) for y in Y.T])
            Y, before = Z, Y
        values, shapes = np.linalg.eigh(0.5 * (before.T @ Y + Y.T @ before))
        return values, before @ shapes

    def unstable_motion(self) -> np.ndarray:
        """The displacement that gives way here, of weighted size one."""
        values, motions = self.soft_motions()
        x = self.kkt.active * motions[:, 0 if values[0] < 0.0 else -1] / self.at.weight
        return x / np.abs(x * self.at.weight).max()

    def find_free_turn(self) -> None:
        """A bent round column can turn about its axis without any force. Whether that counts as stable is a matter of
        rounding: it is left out, here and from corrections."""
        values, motions = self.soft_motions()
        order = np.argsort(np.abs(values))
        turns = abs(values[order[-1]]) > FREE * abs(values[order[-2]])
        self.at.count[bal.TURNS_FREELY] = turns
        if turns:
            self.at.free[:] = motions[:, order[-1]] / self.at.weight
            self.at.count[bal.UNSTABLE] = np.sum(values[order[:-1]] < 0.0)

    def _yielding(self, y) -> np.ndarray:
        """Weighted displacement under a weighted force."""
        rhs = np.concatenate((y * self.at.weight, np.zeros(len(self.tables.rows))))
        solve_here(self.tables, self.work, self.kkt, rhs)
        return rhs[: len(y)] * self.at.weight

    def is_near(self, expected: float) -> bool:
        """Whether the way of this increment is about what the path's tangent foretold: else it snapped to another
        part of the path, which is for a dynamic solver to find. Up to a limit point it is at most twice."""
        return bool(np.abs(self.at.travel * self.at.weight).max() <= max(3.0 * expected, NEARBY))
