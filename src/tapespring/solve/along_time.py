"""Increments of time from one balanced place to the next.

They end at the output times and where functions of time bend or jump, and resolve what these do in parts of the run
(`timeline`; what goes on over all of it is for outputs and `max_step` to resolve). They are cut where Newton's method
fails, where several motions become unstable at once, and where the path's tangents do not explain where they led
(`chord`): that would be another branch. What is left of such an increment when it is too short to be cut is a jump, an
event with its energy. Where loads or drives themselves jump, there is no way to stay on.
"""

from __future__ import annotations

import numpy as np

from ..mechanics.tables import FRAME, POINT
from .branches import onto_stable_branch
from .chord import Chords
from .search import EASY, Search
from .steps import AFTER, BEFORE, LONGEST
from .timeline.breaks import breaks_of
from .timeline.resolution import PARTS

CUT = 0.25  # of an increment that Newton's method has failed at
SMALLEST = 1e-7  # of the duration
SHORT = 1e-5  # of the duration: an increment that leads elsewhere and is no longer than this is a jump
WHOLE = 0.99 / PARTS  # of the run: increments that resolve laws that do nothing in less than all of it
SHRINKS = 0.85  # of what half an increment leaves unexplained: less at corners and forks, where it goes with its root


def along_time(search: Search, times, end: float, progress) -> bool:
    """Increments to every output time, every break and the end; False where none can be made."""
    due = [t for t in times if t > search.time]
    breaks, said = breaks_of(search.tables, search.time, end)
    breaks[breaks[:, LONGEST] > WHOLE * (end - search.time), LONGEST] = np.inf
    search.run.notes += said
    search.keep_place()
    k = 0  # of the next break
    step = (due[0] if due else end) - search.time
    unstable, pace = search.instabilities(), pace_of(search)
    watched, lost, chords, cut = search.has_potential and unstable == 0, False, Chords(search), np.inf
    while search.time < end:
        jumps = breaks[k, BEFORE] <= search.time  # else it would be behind
        goal = min(due[0] if due else end, breaks[k, AFTER if jumps else BEFORE])
        longest = min(step, search.longest, breaks[k, LONGEST], farthest_ahead(search))
        t, here = min(goal, search.time + longest), search.kept()
        if goal - t < 1e-9 * search.span:
            t = goal
        solved = search.balanced_at(t, insist=jumps or search.near is not None)
        stays = jumps or (search.is_near((t - here[2]) * pace) and not (search.near and search.near.gone() > 1.0))
        found = solved and stays
        effort, unstable = search.effort, search.instabilities() if found else 0
        there = chords.here() if found else chords.begin
        astray = found and not jumps and chords.unexplained(there) > 1.0
        short, left = t - here[2] <= SHORT * search.span, chords.left(there) if astray else 0.0
        found = found and (short or not astray)
        if watched and unstable > 1 and t - here[2] > 4.0 * SMALLEST * search.span:
            found = False  # cut the increment until one motion at a time becomes unstable
        branched = found and watched and unstable > 0 and not lost and onto_stable_branch(search, here, goal)
        lost = lost or (found and watched and unstable > 0 and not branched)
        snaps_from = (here[0], here[1], t, here[3])  # out of balance, unless it is an unstable place
        if lost and unstable > 0 and search.follows:
            found, snaps_from = False, search.kept()  # cut the increment until it snaps from the first such place
        if not found:
            cut = left if astray else cut
            search.return_to(here)
            search.run.rejected += 1
            step = (0.5 if solved else CUT) * (t - here[2])
            if unstable > 1:  # of many motions that became unstable on the way, the first did so early on
                step = max((t - here[2]) / unstable, 2.0 * SMALLEST * search.span)
            if step < SMALLEST * search.span:
                search.beyond = snaps_from
                return False
            if progress is not None:
                progress(search.done(search.time), search.words(step))
            continue
        if astray and not branched and left > SHRINKS * cut:
            search.run.jumps.append(chords.jump(here))
        chords.go_on(chords.here() if branched else there)
        pace = pace_of(search)
        if watched and unstable > 0 and not branched:
            watched = False
            search.run.unstable_from = t
        search.accept()
        search.keep_place()
        while k < len(breaks) - 1 and breaks[k, AFTER] <= search.time:
            k += 1
        if search.time == goal:
            if due and search.time == due[0]:
                due.pop(0)
                search.write()
            step = max(step, (due[0] if due else end) - search.time) if effort <= EASY else step
        elif effort <= EASY:
            step *= 2.0
        if progress is not None:
            progress(search.done(search.time), search.words(t - here[2]))
    return True


def pace_of(search: Search) -> float:
    """Largest weighted displacement per second along the path, by the tangent at hand."""
    return float(np.abs(search.at.by_time[: len(search.at.weight)] * search.at.weight).max())


def farthest_ahead(search: Search) -> float:
    """Time in which nothing goes farther than pairs near each other allow, by the tangent at hand."""
    if search.near is None:
        return np.inf
    free = search.tables.nodes["v"][np.isin(search.tables.nodes["kind"], (POINT, FRAME))]
    speed = np.linalg.norm(search.at.by_time[free[:, None] + np.arange(3)], axis=1).max()
    left = max(0.8 - search.near.gone(), 0.1) * search.near.allowed
    return float(left / speed) if speed > 0.0 else np.inf
