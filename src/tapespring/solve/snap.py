"""A snap: from a place beyond which nothing is in balance, by inertia, to the next place at rest.

Loads and drives are held (`held`), and `implicit` moves the model with its own masses and dampers. Forces that have a
potential drive it; where they begin to hold it back it is stopped, as in dynamic relaxation with kinetic damping, and
begins anew from there. So of what was set free nothing is left to throw it over the next hill, and it comes to rest
without any damping being chosen. What stops take is the kinetic energy there is then; it stands in `energy.numerical`.
"""

from __future__ import annotations

import time as clock_of_day
from typing import TYPE_CHECKING

import numpy as np

from ..mechanics.pair_memory import LAST_RATE
from ..mechanics.tables import DISSIPATED, FRAME, N_POWERS, POINT
from . import alpha as al
from . import balance as bal
from . import status
from .balance import push
from .held import held_at
from .implicit_run import ImplicitStepper
from .initial import settle
from .legs import Leg, Snap
from .steps import FRESH, NUMERICAL, OLD_NUMERICAL, STEP, STEPS, TIME
from .transient import FLEXIBLE, Run, natural_step, new_run, take_events

if TYPE_CHECKING:
    from .search import Search
    from .static_run import StaticRun

PUSH = 1e-6  # model sizes or rad, along the motion that gives way
CLOSED = 1e-13  # of the model's size: violation of constraints left by the push
SETTLED = 1e-6  # of the most kinetic energy: what is left of it when the model may be at rest
AGAIN = 100.0  # times as much kinetic energy as when rest was last looked for: it has moved since
FIRST_STEP = 0.01  # of the natural one
SPAN = 1e6  # times what crossing the model takes
MOST_STEPS = 100_000
MOST_SNAPS = 100  # in one stage
DISSIPATION = 0.6  # spectral radius: what vibrates faster than the snap is not followed
IN_ROWS = ("time", "q", "v", "a", "multiplier", "contact", "grip", "value", "rate", "violation")
STRAIN, TAKEN = 2, slice(5, 9)  # accounts of a record; what is taken: dissipated, numerical, impacts, friction


class NoRestError(Exception):
    """The model did not come to rest."""


def follow_snap(search: Search, settings, earlier: list[StaticRun | Run], rows: int) -> bool:
    """Let inertia take the model from where a search found no way on to its next stable balance, and begin a new run
    there with room for so many rows; what was run until then is added to `earlier`. False: it does not come to rest."""
    search.write()
    before, last, start = search.end_run(status.DONE), search.kept(), search.start
    given = start.q, start.v, start.t
    try:
        if len(earlier) >= 2 * MOST_SNAPS:
            raise NoRestError(f"did so {MOST_SNAPS} times before")
        start.q, start.v, start.t = pushed(search), np.zeros(len(start.v)), search.time
        with held_at(start, start.t):
            moved = moved_to_rest(search, settings, float(before.record.energy[before.rows - 1, STRAIN]))
    except NoRestError as error:
        search.take_over(*last[:3])
        search.run.trouble = f"it snaps, and {error}; damp it, or go on with a dynamic stage"
        return False
    finally:
        start.q, start.v, start.t = given
    search.find_pairs()
    begin_in_balance(moved, before)
    moved.snap = Snap(*farthest(search, last[0]), float(moved.record.energy[1, TAKEN].sum()))
    earlier += [before, moved]
    search.begin_run(rows)
    search.accept()
    search.write()
    return True


def begin_in_balance(run: Run, before: StaticRun) -> None:
    """Let it begin with the last row before it, which knows nothing of the push; but for energies, so that the work of
    the push is that of loads and does not stand in the residual."""
    for name, values in run.record._asdict().items():
        if name in IN_ROWS:
            values[0] = getattr(before.record, name)[before.rows - 1]


def pushed(search: Search) -> np.ndarray:
    """The place the search snaps from, a little along the motion that gives way. If it is out of balance there, drives
    having gone on from the last balance, where the search is, everything else follows them as the path does."""
    t, lasts = search.beyond[2], 0.0
    if np.array_equal(search.beyond[0], search.at.q):
        lasts = t - search.time
    else:
        search.return_to(search.beyond)
    search.instabilities()
    at, motion = search.at, search.unstable_motion()
    slope, weighted = at.by_time[: len(motion)], motion * at.weight**2
    along = float(weighted @ slope / (weighted @ motion))
    push(search.tables, at, lasts * (slope - along * motion) + (PUSH if along >= 0.0 else -PUSH) * motion)
    at.clock[bal.TIME] = t
    q = at.q.copy()
    settle(search.tables, search.work, t, q, np.zeros(len(motion)), CLOSED * search.start.length, 20)
    return q


def moved_to_rest(search: Search, settings, strain: float) -> Run:
    """The motion of the start as it is held, two rows on record: its beginning and its end, where the search is but for
    a little. Impacts count by the strain energy there is, not by that of a motion that has hardly begun."""
    began, start, t = clock_of_day.process_time(), search.start, search.start.t
    crossing = start.length / start.speed  # longer steps than that have lost the motion
    told = settings.model_copy(
        update={
            "solver": "implicit", "tolerance": FLEXIBLE, "absolute_tolerance": None, "step": None,
            "max_step": crossing, "dissipation": DISSIPATION, "duration": SPAN * crossing,
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
    come_to_rest(search, run, step, t)
    run.record.time[1] = run.time
    step(run.loop, run.record, 0)
    take_events(run)
    run.events = [(t, which, value) for _, which, value in run.events]
    run.record.time[1], run.loop.clock[TIME], run.code = t, t, status.DONE
    run.cpu_s = clock_of_day.process_time() - began
    return run


def come_to_rest(search: Search, run: Run, step: ImplicitStepper, t: float) -> None:
    """Move, stopped wherever nothing drives any more, until the search finds a stable balance next to it. It looks for
    one when little of the kinetic energy is left, and again when half of that is, or after another rise and fall."""
    loop, scheme = run.loop, step.scheme
    last, most, tried, since, released = 0.0, 0.0, np.inf, 0.0, 0.0  # kinetic energies, and what was set free
    while loop.count[STEPS] < MOST_STEPS:
        run.code = step(loop, run.record, 1)
        if run.code == status.DONE:
            break
        if run.code != status.PAUSED:
            raise NoRestError(f"could not be followed ({status.WORDS[run.code]})")
        kinetic, before = float(scheme.options[al.KINETIC]), released
        most, since, released = max(most, kinetic), max(since, kinetic), kinetic + taken(run)
        small = kinetic <= SETTLED * most and kinetic < last and (kinetic <= 0.5 * tried or since > AGAIN * tried)
        last = kinetic
        if small or released < before:
            stop(run, step, kinetic)
            last = 0.0
        if small:
            tried, since = kinetic, 0.0
            if is_at_rest(search, run, step, t):
                return
    raise NoRestError(f"did not come to rest in {int(loop.count[STEPS])} steps")


def stop(run: Run, step: ImplicitStepper, kinetic: float) -> None:
    """Take the kinetic energy out; gaps of contacts do not change then."""
    loop = run.loop
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
