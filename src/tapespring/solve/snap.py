"""A snap: from a place beyond which nothing is in balance, by inertia, to the next place at rest.

Loads and drives are held (`held`), and `implicit` moves the model with its own masses and dampers. Forces that have a
potential drive it; where they begin to hold it back it is stopped, as in dynamic relaxation with kinetic damping, and
begins anew from there. So of what was set free nothing is left to throw it over the next hill, and it comes to rest
without any damping being chosen. What stops take is the kinetic energy there is then; it stands in `energy.numerical`.
"""

from __future__ import annotations

import time as clock_of_day
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..mechanics.pair_memory import LAST_RATE
from ..mechanics.tables import DISSIPATED, FRAME, LOADS, N_POWERS, POINT
from . import alpha as al
from . import balance as bal
from . import status
from .balance import push
from .chord import energy_here
from .held import held_at
from .implicit_run import ImplicitStepper
from .initial import Start, settle
from .legs import Leg, Snap
from .steps import FRESH, NUMERICAL, OLD_NUMERICAL, STEP, STEPS, TIME, WORST_G_TIME, WORST_RATE_TIME
from .transient import FLEXIBLE, Run, natural_step, new_run, take_events

if TYPE_CHECKING:
    from .search import Search
    from .static_run import StaticRun

PUSH = 1e-6  # model sizes or rad, along the motion that gives way
FURTHER, FARTHEST = 10.0, 1e-3  # times the push before, and the most: where it gives way so slowly that nothing is seen
PATIENCE = 1000  # steps until then
CLOSED = 1e-13  # of the model's size: violation of constraints left by the push
SETTLED = 1e-6  # of the most kinetic energy: what is left of it when the model may be at rest
AGAIN = 100.0  # times as much kinetic energy as when rest was last looked for: it has moved since
ROUNDING = 1e-13  # of the energy there is: less is not known to be set free
SEEN = 1e-9  # of the strain energy: less says nothing yet of where it goes
OF_FORCES = 1e-3  # of the forces in it times its size: energy of a model that stores none, as an upright strut
TELL = 0.5  # s between words of progress
FIRST_STEP = 0.01  # of the natural one, or of the last one before a stop
LONGEST = 0.25  # of what crossing the model takes: longer steps have lost the motion
SPAN = 1e6  # times what crossing the model takes
MOST_SNAPS = 100  # in one stage
DISSIPATION = 0.6  # spectral radius: what vibrates faster than the snap is not followed
IN_ROWS = ("time", "q", "v", "a", "multiplier", "contact", "grip", "value", "rate", "violation")
STRAIN, TAKEN = 2, slice(5, 9)  # accounts of a record; what is taken: dissipated, numerical, impacts, friction


NEVER = "did not come to rest in {} steps"


class NoRestError(Exception):
    """The model did not come to rest."""


def follow_snap(search: Search, settings, earlier: list[StaticRun | Run], rows: int, progress=None) -> bool:
    """Let inertia take the model from where a search found no way on to its next stable balance, and begin a new run
    there with room for so many rows; what was run until then is added to `earlier`. False: it does not come to rest."""
    search.write()
    before, last, start = search.end_run(status.DONE), search.kept(), search.start
    given, strain = (start.q, start.v, start.t, start.speed), float(before.record.energy[before.rows - 1, STRAIN])
    try:
        if len(earlier) >= 2 * MOST_SNAPS:
            raise NoRestError(f"did so {MOST_SNAPS} times before")
        start.q, motion = pushed(search)
        start.v, start.t, start.speed = np.zeros(len(start.v)), search.time, speed_of(start, strain)
        with held_at(start, start.t):
            moved, stopped = moved_to_rest(search, settings, strain, motion, progress)
    except NoRestError as error:
        search.take_over(*last[:3])
        search.run.trouble = f"it snaps, and {error}; damp it, or go on with a dynamic stage"
        return False
    finally:
        start.q, start.v, start.t, start.speed = given
    search.find_pairs()
    begin_in_balance(moved, before)
    moved.snap = Snap(*farthest(search, last[0]), float(moved.record.energy[1, TAKEN].sum()), stopped)
    earlier += [before, moved]
    search.begin_run(rows)
    search.accept()
    search.write()
    return True


def speed_of(start: Start, strain: float) -> float:
    """What the energy stored and the weight would give to the model as a whole: accelerations at the start of a run say
    nothing of a snap, least of all with dampers that a drive sets in motion [m/s]."""
    nodes, weight = start.system.tables.nodes, float(np.linalg.norm(start.system.tables.gravity))
    mass = float(nodes["mass"][np.isin(nodes["kind"], (POINT, FRAME))].sum())
    return float(np.sqrt(2.0 * (strain / (mass or 1.0) + weight * start.length))) or start.speed


def begin_in_balance(run: Run, before: StaticRun) -> None:
    """Let it begin with the last row before it, which knows nothing of the push; but for energies, so that the work of
    the push is that of loads and does not stand in the residual."""
    for name, values in run.record._asdict().items():
        if name in IN_ROWS:
            values[0] = getattr(before.record, name)[before.rows - 1]


def pushed(search: Search) -> tuple[np.ndarray, np.ndarray]:
    """(the place the search snaps from, a little along the motion that gives way; that motion). If it is out of balance
    there, drives having gone on from the last balance, where the search is, everything else follows them as the path
    does."""
    t, lasts = search.beyond[2], 0.0
    if np.array_equal(search.beyond[0], search.at.q):
        lasts = t - search.time
    else:
        search.return_to(search.beyond)
    search.instabilities()
    at, motion = search.at, search.unstable_motion()
    slope, weighted = at.by_time[: len(motion)], motion * at.weight**2
    along = float(weighted @ slope / (weighted @ motion))
    onward = motion if along >= 0.0 else -motion
    at.clock[bal.TIME] = t
    return moved_by(search, lasts * (slope - along * motion) + PUSH * onward), onward


def moved_by(search: Search, displacement: np.ndarray) -> np.ndarray:
    """The place of the search after a displacement, constraints held."""
    push(search.tables, search.at, displacement)
    q = search.at.q.copy()
    settle(search.tables, search.work, search.time, q, np.zeros(len(displacement)), CLOSED * search.start.length, 20)
    return q


def moved_to_rest(search: Search, settings, strain: float, motion: np.ndarray, progress) -> tuple[Run, float]:
    """(the motion of the start as it is held, two rows on record: its beginning and its end, where the search is but
    for a little; energy that stops and the scheme took). Impacts count by the strain energy there is, not by that of a
    motion that has hardly begun."""
    began, start, t = clock_of_day.process_time(), search.start, search.start.t
    crossing = start.length / start.speed
    told = settings.model_copy(
        update={
            "solver": "implicit", "tolerance": FLEXIBLE, "absolute_tolerance": None, "step": None,
            "max_step": LONGEST * crossing, "dissipation": DISSIPATION, "duration": SPAN * crossing,
        }
    )  # fmt: skip
    if search.near is not None:
        start.system.tables.near[0] = search.near.given
    step = ImplicitStepper(start, told)
    step.scheme.options[al.LIVELY] = strain
    run = new_run(start, told, [t, np.inf], [])
    run.loop.clock[STEP] = FIRST_STEP * natural_step(start)
    run.legs = [Leg(run.solver, t, "the structure snaps; loads and drives are held")]
    step(run.loop, run.record, 0)
    energy = max(strain, OF_FORCES * float(search.at.clock[bal.FORCES]) * start.length)
    descent = Descent(search, run, step, motion, strain, energy)
    come_to_rest(descent, settings.snap_steps, progress)
    run.record.time[1] = run.time
    step(run.loop, run.record, 0)
    take_events(run)
    run.events = [(t, which, value) for _, which, value in run.events]
    run.record.time[1], run.loop.clock[[TIME, WORST_G_TIME, WORST_RATE_TIME]], run.code = t, t, status.DONE
    run.cpu_s = clock_of_day.process_time() - began
    return run, max(descent.stopped, float(run.loop.clock[NUMERICAL]))


@dataclass
class Descent:
    """The motion of a snap: kinetic energies, what was set free, and how far it was pushed."""

    search: Search
    run: Run
    step: ImplicitStepper
    motion: np.ndarray  # that gives way, of weighted size one
    strain: float  # energy where it began [J]
    energy: float  # that rounding is of
    steps: int = 0
    stopped: float = 0.0  # energy that stops took
    pushed: float = PUSH
    still: int = 0  # steps in which nothing was seen to be set free
    kinetic: float = 0.0
    most: float = 0.0
    tried: float = np.inf  # kinetic energy when rest was last looked for
    since: float = 0.0  # the most kinetic energy since then
    free: float = 0.0  # kinetic energy and what was taken
    freed: float = 0.0  # the most of that since it was last stopped

    def go_on(self) -> bool:
        """Take a step, and stop where nothing drives any more; whether it may be at rest."""
        self.run.code = self.step(self.run.loop, self.run.record, 1)
        if self.run.code != status.PAUSED:
            why = f"could not be followed ({status.WORDS[self.run.code]})"
            raise NoRestError(NEVER.format(self.steps) if self.run.code == status.DONE else why)
        last, self.kinetic = self.kinetic, float(self.step.scheme.options[al.KINETIC])
        self.steps, self.free = int(self.run.loop.count[STEPS]), self.kinetic + taken(self.run)
        self.most, self.since = max(self.most, self.kinetic), max(self.since, self.kinetic)
        self.freed = max(self.freed, self.free)
        moved = self.kinetic <= 0.5 * self.tried or self.since > AGAIN * self.tried
        slow = self.kinetic <= SETTLED * self.most and self.kinetic < last and moved
        if slow:
            self.tried, self.since = self.kinetic, 0.0
        if slow or self.free < self.freed - ROUNDING * self.energy:
            self.stop()
        self.still = self.still + 1 if self.free <= SEEN * self.strain else 0
        if self.still > PATIENCE and self.pushed < FARTHEST:
            self.push_further()
        return slow

    def stop(self) -> None:
        """Take the kinetic energy out."""
        kinetic = float(self.step.scheme.options[al.KINETIC])
        stop(self.run, self.step, kinetic, FIRST_STEP * natural_step(self.search.start))
        self.stopped, self.kinetic, self.freed = self.stopped + kinetic, 0.0, self.free

    def push_further(self) -> None:
        """Where it gives way so slowly that steps do not see it, as just beyond a fork. What is stored then is the work
        of loads."""
        self.pushed, self.still = FURTHER * self.pushed, 0
        at, loop = self.search.at, self.run.loop
        at.q[:] = loop.q
        before = stored(self.search)
        at.q[:] = loop.q[:] = moved_by(self.search, self.pushed * self.motion)
        loop.works[LOADS] += stored(self.search) - before
        self.stop()

    def words(self, t: float) -> str:
        """Of progress."""
        energy = f"{self.free:.1e} J set free, {self.kinetic:.1e} J moving"
        return f"following a snap at t = {t:.4g} s: step {self.steps}, {energy}"


def stored(search: Search) -> float:
    """Potential energy where the search is [J]."""
    out = np.zeros(3)
    energy_here(search.tables, search.work, search.at, out)
    return float(out[1] + out[2])


def come_to_rest(descent: Descent, most_steps: int, progress) -> None:
    """Move, stopped wherever nothing drives any more, until the search finds a stable balance next to it. It looks for
    one when little of the kinetic energy is left, and again when half of that is, or after another rise and fall."""
    search, t, told = descent.search, descent.search.start.t, clock_of_day.monotonic()
    while descent.steps < most_steps:
        if descent.go_on() and is_at_rest(search, descent.run, descent.step, t):
            return
        if progress is not None and clock_of_day.monotonic() - told > TELL:
            told = clock_of_day.monotonic()
            progress(search.done(t), descent.words(t))
    raise NoRestError(f"{NEVER.format(descent.steps)} ('snap_steps')")


def stop(run: Run, step: ImplicitStepper, kinetic: float, least: float) -> None:
    """Take the kinetic energy out; gaps of contacts do not change then. The next step, a short one, begins without
    accelerations: forces alone would give those of vibrations far faster than it, which dampers make grow from one stop
    to the next. It is not shorter than `least` for that."""
    loop, s = run.loop, step.scheme
    for array in (s.b, s.a_old, s.a_past, s.power):
        array[:] = 0.0
    s.options[al.CONTINUES], s.options[al.EQUAL], s.options[al.KINETIC] = 1.0, 0.0, 0.0
    loop.clock[STEP] = min(loop.clock[STEP], max(FIRST_STEP * loop.clock[STEP], least))
    step.work.pair_memory[:, LAST_RATE] = 0.0
    loop.clock[NUMERICAL] += kinetic
    loop.clock[OLD_NUMERICAL] = loop.clock[NUMERICAL]
    loop.v[:], loop.count[FRESH] = 0.0, 1


def taken(run: Run) -> float:
    """Energy that dampers, contacts, friction and the scheme took so far [J]."""
    return float(run.loop.works[DISSIPATED:N_POWERS].sum() + run.loop.clock[NUMERICAL])


def is_at_rest(search: Search, run: Run, step: ImplicitStepper, t: float) -> bool:
    """Whether a stable balance is next to where the motion was stopped; the search is there then."""
    search.take_over(run.loop.q, step.scheme.last_multiplier, t)
    found = search.balanced_at(t) and search.is_near(0.0)
    found = found and (not search.has_potential or search.instabilities() == 0)
    if step.near is not None:
        step.near.find()
        step.renew_system()
        step.scheme.options[al.FACTORED_FOR] = 0.0
    return found


def farthest(search: Search, q: np.ndarray) -> tuple[str, float]:
    """What went farthest from a place q to here, and how far [m]."""
    nodes = search.tables.nodes
    free = np.flatnonzero(np.isin(nodes["kind"], (POINT, FRAME)))
    way = np.linalg.norm((search.at.q - q)[nodes["q"][free][:, None] + np.arange(3)], axis=1)
    k = int(np.argmax(way))
    return search.system.drafts.nodes[free[k]].label, float(way[k])
