"""Increments along the path of equilibria, through limit points where no balanced place lies ahead in time.

No increment is longer than `max_step` in time. Where time turns within one, the way to the turn is found by regula
falsi (Illinois) on the slope of time along the path, and the balanced place there is recorded too.
"""

from __future__ import annotations

import numpy as np

from . import balance as bal
from .legs import Limit
from .search import EASY, Search

SMALLEST = 1e-7  # of the first way along the path
FIRST_WAY = 0.02  # model sizes, or rad
LONGEST_WAY = 1.0
TURN, GENTLE = 0.9, 0.97  # cosines of the path's turn within an increment: too much, and so little that it may grow
MOST_PLACES = 2000  # along a path
LOCATED = 1e-6  # of an increment: how far a limit point may be off; its time is off by the square of that
MOST_TRIALS = 40


def path_direction(search: Search, last) -> np.ndarray | None:
    """Unit tangent of the path here in weighted displacements and time, onwards from `last`; None: no factors."""
    if search.tangent() != 0:
        return None
    # time counts like a displacement of one model size over the whole span
    slope = np.concatenate((search.at.by_time[: len(search.at.weight)] * search.at.weight, [1.0 / search.span]))
    slope /= np.linalg.norm(slope)
    return -slope if last is not None and slope @ last < 0.0 else slope


def along_path(search: Search, end: float, way: float, progress) -> bool:
    """Increments along the path of equilibria until time reaches the end (or goes back below the start)."""
    at, begin, total, first = search.at, search.time, 0.0, way
    slope = path_direction(search, None)
    while search.run.rows < len(search.run.record.time):
        if slope is None:
            return False
        here, ahead = search.kept(), slope[-1] * search.span
        way = min(way, search.longest / max(abs(ahead), SMALLEST * search.span))
        at.direction[:-1], at.direction[-1] = slope[:-1] * at.weight, slope[-1] / search.span
        if ahead > 0.0 and here[2] + way * ahead > end:
            if search.balanced_at(end, insist=False) and np.linalg.norm(at.travel * at.weight) <= 2.0 * way:
                gone = np.append(at.travel * at.weight, (end - here[2]) / search.span)
                search.accept()
                search.write(total + float(np.linalg.norm(gone)))
                return True
            search.return_to(here)
        found = bordered(search, way)
        gone = np.append(at.travel * at.weight, (search.time - here[2]) / search.span)
        after = path_direction(search, gone) if found else None
        # a sharp turn, or a place far aside of the tangent, may mean that a piece of the path was left out
        astray = after is not None and min(after @ slope, way / np.linalg.norm(gone)) < TURN
        if after is None or (astray and way > SMALLEST * first):
            search.return_to(here)
            search.run.rejected += 1
            way *= 0.5
            if way < SMALLEST * first:
                return False
            continue
        effort = search.effort
        if slope[-1] * after[-1] < 0.0:
            there = search.kept()
            write_limit_point(search, here, (slope, after), way, total)
            search.return_to(there)
        slope, turned = after, after @ slope
        total += way
        search.accept()
        search.write(total)
        if progress is not None:
            progress(max(0.0, min(1.0, (search.time - begin) / (end - begin))), search.words(search.time - here[2]))
        if search.time >= end or search.time < begin - search.span:
            return True
        if effort <= EASY and turned > GENTLE:
            way = min(LONGEST_WAY, 1.5 * way)
    search.run.trouble = (
        f"the path was followed over {MOST_PLACES} places, as many as are kept, and the end was not reached; give a "
        "shorter duration, or a longer 'max_step' if you gave one"
    )
    return False


def write_limit_point(search: Search, here: tuple, slopes: tuple, way: float, total: float) -> None:
    """Find the place between `here` and a way further on at which time turns, and record it; nothing is accepted."""
    before, after = slopes
    low, high, of_low, of_high = 0.0, way, before[-1], after[-1]
    for _ in range(MOST_TRIALS):
        trial = (low * of_high - high * of_low) / (of_high - of_low)
        search.return_to(here)
        if not bordered(search, trial):
            return
        turn = search.time
        gone = np.append(search.at.travel * search.at.weight, (turn - here[2]) / search.span)
        slope = path_direction(search, gone)
        if slope is None or abs(slope[-1]) < LOCATED * abs(before[-1] - after[-1]):
            break
        if slope[-1] * of_high > 0.0:
            high, of_high, of_low = trial, slope[-1], 0.5 * of_low
        else:
            low, of_low, of_high = trial, slope[-1], 0.5 * of_high
    if search.run.rows < len(search.run.record.time) - 1:
        search.run.limits.append(Limit(search.run.rows, turn, bool(before[-1] > 0.0)))
        search.write(total + trial)


def bordered(search: Search, way: float) -> bool:
    """Move a given way along the tangent, then onto the path."""
    at = search.at
    at.count[bal.BORDERED] = 1
    at.clock[bal.START], at.clock[bal.WAY] = search.time, way
    at.travel[:] = 0.0
    return search._solved(insist=False)
