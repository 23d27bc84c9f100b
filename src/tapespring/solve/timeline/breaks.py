"""Where steps of a run have to end, and how long they may be until then.

A break is a row of four numbers: steps end at BEFORE and go on from AFTER, are no longer than LONGEST on the way there,
and ANEW says that what a loop remembers of laws is void behind it. The two times differ where a law jumps: by some
roundings, so that no step ever sees both sides. The last break is the end of the run.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ...mechanics import tables as tb
from ..steps import AFTER, ANEW, BEFORE, LONGEST
from .corners import (
    Corner,
    corners_of_formula,
    corners_of_pieces,
    formula_of,
    laws_of_motion,
    laws_that_know_time,
    pieces_of,
)
from .ranges import Formula
from .resolution import Pieces, Window, alike, windows_of

MOST = 200  # corners of one law: with more it is a record of data, which steps only have to resolve
SAMPLES = 1 << 16  # of a formula whose range cannot be followed
ASIDE = 8.0 * np.finfo(float).eps  # of a time: how far from a jump steps end and begin
NEAR = 1e-12  # of the span: breaks this near are one
INSIDE = 1e-11  # of the span: how far from corners a law is looked at between them


class Course(NamedTuple):
    """What one law does."""

    corners: tuple[Corner, ...]
    windows: tuple[Window, ...]
    unseen: float = 0.0  # pulses shorter than this may have been missed


def breaks_of(tables: tb.Tables, begin: float, end: float) -> tuple[np.ndarray, list[str]]:
    """(breaks of a run, notes)"""
    moving, courses, notes = laws_of_motion(tables), [], []
    for i in laws_that_know_time(tables):
        course = course_of(tables, i, begin, end, i in moving)
        if course is not None:
            courses.append(course)
    unseen = max((course.unseen for course in courses), default=0.0)
    if unseen:
        notes.append(
            f"a formula of time changes too often to be followed as a whole: pulses in it shorter than {unseen:.2g} s "
            "may be missed; give a shorter 'max_step' if there are any"
        )
    return rows_of(courses, begin, end), notes


def course_of(tables: tb.Tables, i: int, begin: float, end: float, moves: bool) -> Course | None:
    law = tables.laws[i]
    if law["kind"] == tb.PYTHON and law["count"]:  # its course as at the start, see kinds.laws.of_force
        law = tables.laws[int(law["first"])]
    if law["kind"] in (tb.PIECEWISE, tb.TIMED):
        pieces = pieces_of(tables, law)
        return of_pieces(pieces.knots.tobytes(), pieces.coefficients.tobytes(), int(law["count"]), begin, end, moves)
    if law["kind"] == tb.EXPRESSION:
        formula = formula_of(tables, law)
        return of_formula(formula.codes, formula.operands, begin, end, moves)
    return None


@lru_cache(maxsize=256)
def of_pieces(knots: bytes, coefficients: bytes, count: int, begin: float, end: float, moves: bool) -> Course:
    pieces = Pieces(np.frombuffer(knots), np.frombuffer(coefficients).reshape(count, -1))
    corners = [c for c in corners_of_pieces(pieces, moves) if begin <= c.time <= end]
    if len(corners) > MOST:
        corners = [c for c in corners if c.jumps]
    return Course(tuple(corners), *between(pieces, corners, begin, end))


@lru_cache(maxsize=256)
def of_formula(codes: tuple, operands: tuple, begin: float, end: float, moves: bool) -> Course:
    formula = Formula(codes, operands)
    corners, all_of_them = corners_of_formula(formula, begin, end, moves)
    windows, unseen = between(formula, corners, begin, end)
    if unseen or not all_of_them:
        t = np.linspace(begin, end, SAMPLES + 1)
        sampled = Pieces.through(t, np.nan_to_num(formula.values(t), nan=0.0, posinf=0.0, neginf=0.0))
        windows, unseen = between(sampled, corners, begin, end)[0], (end - begin) / SAMPLES
    return Course(tuple(corners), windows, unseen)


def between(function, corners: list[Corner], begin: float, end: float) -> tuple[tuple[Window, ...], float]:
    """(windows between corners, see windows_of)"""
    aside = INSIDE * (end - begin)
    edges = sorted({begin, end, *(c.time for c in corners)})
    segments = {(a + aside, b - aside): (a, b) for a, b in pairwise(edges) if b - a > 4.0 * aside}
    if not segments:
        return (), 0.0
    windows, unseen = windows_of(function, list(segments))
    begins = {inner[0]: outer[0] for inner, outer in segments.items()}
    ends = {inner[1]: outer[1] for inner, outer in segments.items()}
    return tuple(Window(begins.get(w.begin, w.begin), ends.get(w.end, w.end), w.longest) for w in windows), unseen


def rows_of(courses: list[Course], begin: float, end: float) -> np.ndarray:
    """The breaks of all laws together."""
    near = NEAR * (end - begin)
    corners = merged(courses, begin, end, near)
    times = np.array([c.time for c in corners])
    edges = {w.begin for c in courses for w in c.windows} | {w.end for c in courses for w in c.windows}
    free = [e for e in edges if begin + near < e < end - near and not (np.abs(times - e) <= near).any()]
    inside = [c.time for c in corners if begin < c.time < end]
    edges_in_order = np.array(sorted([begin, *free, *inside, end]))
    longest = longest_steps(courses, edges_in_order)
    found, known = [], {c.time: c for c in corners}
    if begin in known:
        found.append(row(known[begin], begin, end, np.inf))
    least, most = np.inf, 0.0  # of intervals since the last break
    for k in range(len(longest)):
        edge = float(edges_in_order[k + 1])
        least, most = min(least, longest[k]), max(most, longest[k])
        corner = known.get(edge)
        if corner is None and k + 1 < len(longest) and alike(min(least, longest[k + 1]), max(most, longest[k + 1])):
            continue
        found.append(row(corner or Corner(edge, False), begin, end, least, anew=corner is not None))
        least, most = np.inf, 0.0
    return np.array(found)


def merged(courses: list[Course], begin: float, end: float, near: float) -> list[Corner]:
    """Corners in order, those near each other as one; at the begin and end of the run only jumps."""
    often = {id(c): len(c.corners) > MOST for c in courses}
    every = sorted(corner for c in courses for corner in c.corners if corner.jumps or not often[id(c)])
    found: list[Corner] = []
    for time, jumps in every:
        at = begin if time - begin <= near else end if end - time <= near else time
        if found and at - found[-1].time <= near:
            found[-1] = Corner(found[-1].time, found[-1].jumps or jumps)
        elif begin - near <= time <= end + near:
            found.append(Corner(at, jumps))
    return [c for c in found if c.jumps or begin < c.time < end]


def longest_steps(courses: list[Course], edges: np.ndarray) -> np.ndarray:
    """(intervals between edges,) by the law that allows least."""
    middle = 0.5 * (edges[:-1] + edges[1:])
    longest = np.full(len(middle), np.inf)
    for course in courses:
        if course.windows:
            begins = np.array([w.begin for w in course.windows])
            which = np.clip(np.searchsorted(begins, middle, side="right") - 1, 0, len(begins) - 1)
            longest = np.minimum(longest, np.array([w.longest for w in course.windows])[which])
    return longest


def row(corner: Corner, begin: float, end: float, longest: float, anew: bool = True) -> np.ndarray:
    aside = ASIDE * max(abs(corner.time), 1e-3 * (end - begin)) if corner.jumps else 0.0
    out = np.zeros(4)
    out[[BEFORE, AFTER]] = max(begin, corner.time - aside), min(end, corner.time + aside)
    out[LONGEST], out[ANEW] = longest, anew
    return out
