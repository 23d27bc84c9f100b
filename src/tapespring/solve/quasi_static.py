"""`quasi-static`: a sequence of balanced places, along time or along the path of equilibria.

Along time, increments end at the output times and are cut where Newton's method fails. Along the path, time itself is
an unknown (loads and drives are functions of it), so that the path is followed through limit points where no balanced
place lies ahead in time: each increment goes a given way along the tangent and is corrected at right angles to it.
Where a run along time follows snaps, inertia takes it to the next balanced place (`snap`) and it goes on from there.
"""

from __future__ import annotations

import time as clock_of_day
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ..linear.multigrid import NotConvergedError
from ..mechanics.pair_memory import STEADY
from ..mechanics.tables import FRAME, POINT, SEGMENT, is_augmented
from ..mechanics.touching import TOO_DEEP
from . import augmented, status
from . import balance as bal
from .balance import Balance, accept_place, augment_place, find_balance, new_balance, path_tangent, push, solve_here
from .equilibrium import find_equilibrium
from .free_motion import moves_most, words_of_free_motion
from .initial import Start
from .kkt import Kkt, new_kkt, sparse_matrix
from .legs import Leg
from .multigrid import chosen_system
from .near_pairs import NearPairs
from .progress import progress_words
from .static_run import StaticRun, record_place
from .steps import new_record

if TYPE_CHECKING:
    from .transient import Run

EASY = 5  # factorizations: an increment that needs no more may grow
CUT = 0.25  # of an increment that Newton's method has failed at
ONWARD = 1e-3  # of an increment that became unstable: what a place on another branch is to be ahead of its start
SMALLEST = 1e-7  # of the duration, or of the first way along the path
FIRST_WAY = 0.02  # model sizes, or rad
LONGEST_WAY = 1.0
TURN, GENTLE = 0.9, 0.97  # cosines of the path's turn within an increment: too much, and so little that it may grow
NEARBY = 0.02  # model sizes or rad: an increment this short is never a snap
MOST_PLACES = 2000  # along a path
FULL_LOAD = 1.0
SUBSPACE = 4
FREE = 30.0  # times as compliant as any other: a motion that nothing resists, but for rounding
WAYS_ASIDE = (0.1, 0.02, 0.3, 0.004)  # model sizes or rad, along the unstable motion onto another branch


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
        self.span = float(settings.duration)
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
        for memory in (self.work.pair_mode, self.work.pair_memory, self.work.contact_peak, self.work.grip_memory):
            memory[:] = 0
        accept_place(self.tables, self.work, self.at)  # slip is counted from the start as given

    def words(self, before: tuple) -> str:
        """Of progress."""
        return progress_words(self.time, self.time - before[2], self.run.record, self.run.rows)

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
            accept_place(self.tables, self.work, self.at)
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
        self.run.trouble = self.free_motion() or found.message
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

    def onto_stable_branch(self, stable: tuple, goal: float) -> bool:
        """From an unstable place, whose factors are at hand, to a near stable one on the branch that begins between
        `stable` and here: a given way along the unstable motion, at whatever time before the goal it is balanced.
        `stable` may lie on that branch already, and is not to be found again. False: none found."""
        here, motion, at = self.kept(), self.unstable_motion(), self.at
        several, before = at.count[bal.UNSTABLE] > 1, self.any_way
        self.any_way = before or bool(several)
        earliest = stable[2] + ONWARD * (here[2] - stable[2])
        along = motion * at.weight**2 / np.sum((motion * at.weight) ** 2)
        for way in (*WAYS_ASIDE, *(-w for w in WAYS_ASIDE)):
            self.return_to(here)
            at.count[bal.BORDERED] = 1
            at.clock[bal.START], at.clock[bal.WAY] = here[2], way
            at.direction[:-1], at.direction[-1] = along, 0.0
            push(self.tables, at, way * motion)
            at.travel[:] = way * motion
            if self._solved(insist=True) and earliest <= self.time <= goal and self.instabilities() == 0:
                n = moves_most(self.tables, motion * at.weight)
                which = "the stable branch" if not several else "one of several branches: it could go either way"
                self.run.notes.append(
                    f"quasi-static: between t = {stable[2]:.6g} and {here[2]:.6g} s the balance becomes unstable near "
                    f"'{self.system.drafts.nodes[n].label}' (it buckles); the run went on along {which}"
                )
                return True
        self.return_to(here)
        self.any_way = before
        return False

    # -- along time -------------------------------------------------------------------------------------------------
    def along_time(self, times, end: float, progress) -> bool:
        """Increments to every output time and the end; False where none can be made."""
        due = [t for t in times if t > self.time]
        begin, step = self.time, (due[0] if due else end) - self.time
        unstable, pace = self.instabilities(), self.pace()
        watched, lost = self.has_potential and unstable == 0, False
        while self.time < end:
            goal = due[0] if due else end
            t, here = min(goal, self.time + min(step, self.longest, self.farthest_ahead())), self.kept()
            if goal - t < 1e-9 * self.span:
                t = goal
            solved = self.balanced_at(t, insist=self.near is not None)
            found = solved and self.is_near((t - here[2]) * pace) and not (self.near and self.near.gone() > 1.0)
            effort, unstable = self.effort, self.instabilities() if found else 0
            if watched and unstable > 1 and t - here[2] > 4.0 * SMALLEST * self.span:
                found = False  # cut the increment until one motion at a time becomes unstable
            branched = found and watched and unstable > 0 and not lost and self.onto_stable_branch(here, goal)
            lost = lost or (found and watched and unstable > 0 and not branched)
            snaps_from = (here[0], here[1], t, here[3])  # out of balance, unless it is an unstable place
            if lost and unstable > 0 and self.follows:
                found, snaps_from = False, self.kept()  # cut the increment until it snaps from the first such place
            if not found:
                self.return_to(here)
                self.run.rejected += 1
                step = (0.5 if solved else CUT) * (t - here[2])
                if unstable > 1:  # of many motions that became unstable on the way, the first did so early on
                    step = max((t - here[2]) / unstable, 2.0 * SMALLEST * self.span)
                if step < SMALLEST * self.span:
                    self.beyond = snaps_from
                    return False
                continue
            pace = self.pace()
            if watched and unstable > 0 and not branched:
                watched = False
                self.run.notes.append(
                    f"quasi-static: by t = {t:.6g} s the balance is unstable, and no stable branch was found near; "
                    "what follows would not be seen in reality; 'snaps: follow' lets the model go where it would"
                )
            self.accept()
            if self.time == goal:
                if due:
                    due.pop(0)
                    self.write()
                step = max(step, (due[0] if due else end) - self.time) if effort <= EASY else step
            elif effort <= EASY:
                step *= 2.0
            if progress is not None:
                progress((self.time - begin) / (end - begin), self.words(here))
        return True

    def pace(self) -> float:
        """Largest weighted displacement per second along the path, by the tangent at hand."""
        return float(np.abs(self.at.by_time[: len(self.at.weight)] * self.at.weight).max())

    def farthest_ahead(self) -> float:
        """Time in which nothing goes farther than pairs near each other allow, by the tangent at hand."""
        if self.near is None:
            return np.inf
        free = self.tables.nodes["v"][np.isin(self.tables.nodes["kind"], (POINT, FRAME))]
        speed = np.linalg.norm(self.at.by_time[free[:, None] + np.arange(3)], axis=1).max()
        left = max(0.8 - self.near.gone(), 0.1) * self.near.allowed
        return float(left / speed) if speed > 0.0 else np.inf

    def is_near(self, expected: float) -> bool:
        """Whether the way of this increment is about what the path's tangent foretold: else it snapped to another
        part of the path, which is for a dynamic solver to find. Up to a limit point it is at most twice."""
        return bool(np.abs(self.at.travel * self.at.weight).max() <= max(3.0 * expected, NEARBY))

    # -- along the path ---------------------------------------------------------------------------------------------
    def path_direction(self, last) -> np.ndarray | None:
        """Unit tangent of the path here in weighted displacements and time, onwards from `last`; None: no factors."""
        if self.tangent() != 0:
            return None
        # time counts like a displacement of one model size over the whole span
        slope = np.concatenate((self.at.by_time[: len(self.at.weight)] * self.at.weight, [1.0 / self.span]))
        slope /= np.linalg.norm(slope)
        return -slope if last is not None and slope @ last < 0.0 else slope

    def along_path(self, end: float, way: float, progress) -> bool:
        """Increments along the path of equilibria until time reaches the end (or goes back below the start)."""
        at, begin, total, first = self.at, self.time, 0.0, way
        slope = self.path_direction(None)
        while self.run.rows < len(self.run.record.time):
            if slope is None:
                return False
            here, ahead = self.kept(), slope[-1] * self.span
            at.direction[:-1], at.direction[-1] = slope[:-1] * at.weight, slope[-1] / self.span
            if ahead > 0.0 and here[2] + way * ahead > end:
                if self.balanced_at(end, insist=False) and np.linalg.norm(at.travel * at.weight) <= 2.0 * way:
                    gone = np.append(at.travel * at.weight, (end - here[2]) / self.span)
                    self.accept()
                    self.write(total + float(np.linalg.norm(gone)))
                    return True
                self.return_to(here)
            found = self.bordered(way)
            gone = np.append(at.travel * at.weight, (self.time - here[2]) / self.span)
            after = self.path_direction(gone) if found else None
            # a sharp turn, or a place far aside of the tangent, may mean that a piece of the path was left out
            astray = after is not None and min(after @ slope, way / np.linalg.norm(gone)) < TURN
            if after is None or (astray and way > SMALLEST * first):
                self.return_to(here)
                self.run.rejected += 1
                way *= 0.5
                if way < SMALLEST * first:
                    return False
                continue
            slope, turned = after, after @ slope
            total += way
            effort = self.effort
            self.accept()
            self.write(total)
            if progress is not None:
                progress(max(0.0, min(1.0, (self.time - begin) / (end - begin))), self.words(here))
            if self.time >= end or self.time < begin - self.span:
                return True
            if effort <= EASY and turned > GENTLE:
                way = min(LONGEST_WAY, 1.5 * way)
        self.run.notes.append(f"quasi-static: stopped after {MOST_PLACES} places along the path")
        return True

    def bordered(self, way: float) -> bool:
        """Move a given way along the tangent, then onto the path."""
        at = self.at
        at.count[bal.BORDERED] = 1
        at.clock[bal.START], at.clock[bal.WAY] = self.time, way
        at.travel[:] = 0.0
        return self._solved(insist=False)


def run_quasi_static(start: Start, settings, times, progress=None, keep=None) -> StaticRun:
    """Balanced places from the start on, for settings.duration. Where snaps were followed, this is what came after the
    last one."""
    from .snap import follow_snap

    t = start.t
    end = t + float(settings.duration)
    path = settings.control == "path"
    search = Search(start, settings, MOST_PLACES if path else len(times) + 2, t)
    search.load_kernels()
    search.keep = keep
    search.follows = settings.snaps == "follow"
    search.began = clock_of_day.process_time()
    code = status.NO_BALANCE
    earlier: list[StaticRun | Run] = []
    try:
        done = search.settle() or search.sink()
        if done:
            search.accept()
            if path or (len(times) and times[0] <= t):
                search.write(0.0 if path else None)
            done = search.along_path(end, FIRST_WAY, progress) if path else search.along_time(times, end, progress)
            while not done and search.follows and follow_snap(search, settings, earlier, len(times) + 2):
                done = search.along_time(times, end, progress)
        if not done:
            search.explain()
        code = status.DONE if done else status.NO_BALANCE
    except TooDeepError as error:
        code, search.run.trouble = status.TOO_DEEP, str(error)
    except KeyboardInterrupt:
        search.run.interrupted = True
    run = search.end_run(code)
    run.earlier = earlier
    return run
