"""Prescribed motions that jump: of drives, supports and moving frames, in place or in velocity.

No force moves a mass in no time. What a solver makes of such an instant depends on its step, so whatever is found here
says "do not trust". In quasi-static runs, where nothing has a velocity, only places that jump are found.

A law of pieces is compared on both sides of its knots; knots so near each other that only a sampled jump or kink has
put them there count as one. A formula is looked at just before and just after each of its corners, from two distances:
what is smooth differs less from nearer by.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .mechanics import tables as tb
from .results.trust import Finding
from .schema.programs import Program, evaluate
from .solve.timeline.corners import corners_of_formula, formula_of

PIECES = (tb.PIECEWISE, tb.TIMED)
ONE_KNOT = 1e-8  # of the span: knots nearer to each other are one
BESIDE = 1e-5  # of the span: how far beside its corners a formula is looked at
NEARER = 0.125  # of that
STAYS = 0.6  # of a difference, from so much nearer: a jump
REACHED = 1e-6  # of the span: jumps that a run stopped so shortly before
SMALL = 1e-7  # of the largest value or slope: smaller jumps are rounding


class Motion(NamedTuple):
    """A law of time that something follows."""

    title: str
    law: int
    unit: str  # of its values
    is_velocity: bool


class Jump(NamedTuple):
    time: float  # [s]
    size: float  # in units of the law, or per second
    of_slope: bool


def drive_warnings(part: Any) -> list[Finding]:
    """A finding for each prescribed motion that jumped in a stage, or where it failed."""
    tables, begin = part.start.system.tables, part.start.t
    end = max(part.begin + part.stage.duration, part.run.time)
    found = []
    for motion in prescribed_motions(tables, part.start.system.drafts):
        jumps = jumps_of(tables, motion.law, begin, end)
        jumps = [j for j in jumps if j.time <= part.run.time + REACHED * (end - begin) and matters(j, motion, part)]
        if jumps:
            found.append(Finding("bad", motion.title, words_of(motion, jumps)))
    return found


def matters(jump: Jump, motion: Motion, part: Any) -> bool:
    """Jumps of accelerations do not, nor do any but of places where nothing has a velocity."""
    return (
        not jump.of_slope and not motion.is_velocity if part.is_static else not (jump.of_slope and motion.is_velocity)
    )


def words_of(motion: Motion, jumps: list[Jump]) -> str:
    """The worst kind of jump, its first instant, how many more there are, and the remedy."""
    of_slope = all(jump.of_slope for jump in jumps)
    first = next(jump for jump in jumps if jump.of_slope == of_slope)
    velocity = of_slope or motion.is_velocity
    unit = f"{motion.unit}/s" if of_slope else motion.unit
    more = f" (and at {len(jumps) - 1} more times)" if len(jumps) > 1 else ""
    return (
        f"The prescribed {'velocity' if velocity else 'motion'} jumps by {abs(first.size):.3g} {unit} at t = "
        f"{first.time:.6g} s{more}. No force does that, and what the run made of it depends on its step: spread the "
        "change over the time it takes in reality, such as with step((t - t1)/dt) or a smooth table."
    )


def prescribed_motions(tables: tb.Tables, drafts: Any) -> list[Motion]:
    """All of them; laws that are constant are left out."""
    found = []
    for row in drafts.rows:
        if row.law >= 0:
            angle = drafts.measures[row.terms[0][0]].kind in (tb.ANGLE, tb.COSINE)
            found.append(Motion(f"Motion of '{row.owner}'", int(row.law), "rad" if angle else "m", False))
    for draft, node in zip(drafts.nodes, tables.nodes, strict=True):
        if node["kind"] not in (tb.MOVING_POSE, tb.MOVING_TWIST):
            continue
        motion, by_velocity = tables.motions[node["motion"]], node["kind"] == tb.MOVING_TWIST
        title, per = f"Motion of '{draft.label}'", "/s" if by_velocity else ""
        turns = motion["spin_law"] if by_velocity else motion["turn_law"]
        found += [Motion(title, int(law), f"m{per}", by_velocity) for law in motion["law"]]
        found += [Motion(title, int(law), f"rad{per}", by_velocity) for law in turns]
    return [m for m in found if m.law >= 0 and tables.laws[m.law]["kind"] in (*PIECES, tb.EXPRESSION)]


def jumps_of(tables: tb.Tables, i: int, begin: float, end: float) -> list[Jump]:
    """Of a law, strictly between two times, in order."""
    law = tables.laws[i]
    of_kind = jumps_between_pieces if law["kind"] in PIECES else jumps_at_corners
    near = 1e-9 * (end - begin)
    return [jump for jump in of_kind(tables, law, begin, end) if begin + near < jump.time < end - near]


def jumps_between_pieces(tables: tb.Tables, law: Any, begin: float, end: float) -> list[Jump]:
    """From the polynomials on both sides of each knot, or of each cluster of knots."""
    first, count, degree = int(law["first"]), int(law["count"]), int(law["degree"])
    knots = tables.numbers[first : first + count + 1]
    block = tables.numbers[first + count + 1 :][: count * (degree + 2)].reshape(count, degree + 2)
    powers, order = np.arange(degree + 1), np.arange(1, degree + 1)
    width, pieces = np.diff(knots)[:, None], block[:, : degree + 1]
    at_end = (pieces * width**powers).sum(axis=1), (pieces[:, 1:] * order * width ** (order - 1)).sum(axis=1)
    at_start = pieces[:, 0], pieces[:, 1] if degree else np.zeros(count)
    wide = np.flatnonzero(width[:, 0] > ONE_KNOT * (end - begin))
    before, after = wide[:-1], wide[1:]  # neighbours, but for what is too narrow between them
    chord = (at_end[0] - at_start[0]) / width[:, 0]  # a table that halts at its points has no slope there but rounding
    found = []
    for of_slope in (False, True):
        step = at_start[of_slope][after] - at_end[of_slope][before]
        sizes = at_start[of_slope], at_end[of_slope], *([chord] if of_slope else [])
        size = max(np.abs(each[wide]).max(initial=0.0) for each in sizes)
        found += [
            Jump(float(knots[after[k]]), float(step[k]), of_slope) for k in np.flatnonzero(np.abs(step) > SMALL * size)
        ]
    return sorted(found)


def jumps_at_corners(tables: tb.Tables, law: Any, begin: float, end: float) -> list[Jump]:
    """From values of the formula beside its corners."""
    first, count, operands = int(law["first"]), int(law["count"]), int(law["address"])
    codes, values = tables.codes[first : first + count], tables.numbers[operands : operands + count]
    program = Program(tuple(map(int, codes)), tuple(map(float, values)))
    corners = sorted({corner.time for corner in corners_of_formula(formula_of(tables, law), begin, end, True)[0]})
    gaps = np.diff([begin, *corners, end])
    size = max((abs(evaluate(program, (t, 0.0, 0.0))) for t in np.linspace(begin, end, 101)), default=0.0)
    found = []
    for corner, room in zip(corners, np.minimum(gaps[:-1], gaps[1:]), strict=True):
        if not room > 0.0:
            continue
        far = min(BESIDE * (end - begin), 0.1 * float(room))
        (step, kink), (near_step, near_kink) = (differences(program, corner, d) for d in (far, NEARER * far))
        if abs(near_step) > max(STAYS * abs(step), SMALL * size):
            found.append(Jump(corner, near_step, False))
        elif abs(near_kink) > max(STAYS * abs(kink), SMALL * size / (end - begin)):
            found.append(Jump(corner, near_kink, True))
    return found


def differences(program: Program, t: float, d: float) -> tuple[float, float]:
    """(change of the value, change of the slope) from before to after t, seen from a distance d and twice that."""
    before2, before, after, after2 = (evaluate(program, (t + k * d, 0.0, 0.0)) for k in (-2.0, -1.0, 1.0, 2.0))
    return after - before, ((after2 - after) - (before - before2)) / d
