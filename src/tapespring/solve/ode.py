"""`ode`: order-8 explicit Runge-Kutta on the accelerations, with error control and projection on the constraints.

Every accepted step is brought back onto position and velocity constraints. Baumgarte's method is the same loop with its
terms in the accelerations instead of the projection.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..jit import device, kernel, small
from ..mechanics.contacts import CLOSED, OPEN
from ..mechanics.linking import accelerations, project
from ..mechanics.motion import place_nodes, position_rates
from ..mechanics.projection import copy, largest
from ..mechanics.tables import N_POWERS, Tables
from ..mechanics.touching import TOUCH, level_of, take_slip, too_deep
from . import dop853
from .contact_tasks import (
    ANY_CHANGE,
    BEGIN,
    CHANGE_OTHERS,
    FIND_PEAKS,
    FIRST_CHANGE,
    LOOK_AT_END,
    NOTE_FOUND,
    NOTE_STEP,
    STEP_THROUGH,
    SWITCH,
    ask_contacts,
    can_change,
    changes,
    note_start,
)
from .momentum import keep_together
from .singular import RELAXED, WEAK, passage, planned_step
from .status import DONE, JAMMED, NOT_FINITE, PAUSED, RESELECT, STEP_TOO_SMALL, STIFF, STOPPED_BY_EVENT, TOO_DEEP
from .steps import (
    ALLOWED,
    END,
    EVALUATIONS,
    EVENTS,
    FACTORIZATIONS,
    FRESH,
    IDLE,
    LAST_ERROR,
    MAX_STEP,
    NOMINAL,
    OLD_STEP,
    REJECTED,
    STEP,
    STEPS,
    STIFF_HINTS,
    TIME,
    find_events,
    interpolate,
    normalize_quaternions,
    note_violation,
    outputs_due,
    set_anchors,
    start_loop,
    write_outputs,
)


class RungeKutta(NamedTuple):
    """Coefficients and stages."""

    A: np.ndarray
    C: np.ndarray
    E3: np.ndarray
    E5: np.ndarray
    dense: np.ndarray
    K: np.ndarray  # (16, n), without columns for works where nothing does any
    stage: np.ndarray
    stage_q: np.ndarray
    stage_v: np.ndarray
    pivot: np.ndarray  # (16,) weakest pivot met at each stage
    steps: np.ndarray  # (2,) last steps before a change: while nothing touched, while something did
    options: np.ndarray  # projection (1/0), Baumgarte alpha, beta, stop when stiff (1/0), fixed step (0 = controlled),
    # how singular positions are passed, weakest pivot, whether contacts are stepped through (1/0)


# the stability limit is 6.1 on the negative real axis; controlled steps stay somewhat below it
STIFF_FROM = 4.0
# step control: proportional-integral, which foresees growing difficulty and rejects fewer steps
SAFETY, KI, KP = 0.9, 0.085, 0.05
PROJECT, ALPHA, BETA, STOP_IF_STIFF, FIXED_STEP, NEAR_SINGULAR, RESELECT_BELOW, THROUGH = range(8)
# values of NEAR_SINGULAR: stages are projected; the step was laid across a singular position
PROJECTING, STRADDLING = 1.0, 2.0


def does_work(t: Tables) -> bool:
    """Whether any power can differ from zero: else works need not be integrated."""
    return len(t.loads) + len(t.couplings) + len(t.bushings) + len(t.motions) + len(t.laws) > 0 or can_change(t)


def new_runge_kutta(t: Tables, nq: int, nv: int, options, slip: int = 0) -> RungeKutta:
    n = nq + nv + slip + N_POWERS
    columns = n if does_work(t) else nq + nv
    stage = np.zeros(n)
    return RungeKutta(
        A=dop853.A, C=dop853.C, E3=dop853.E3, E5=dop853.E5, dense=dop853.DENSE, K=np.zeros((16, columns)), stage=stage,
        stage_q=stage[:nq], stage_v=stage[nq : nq + nv], pivot=np.ones(16),
        steps=np.zeros(2), options=np.array(options, float),
    )  # fmt: skip


@small
def derivative(tables, t, y, work, rk, s, loop):
    """Stage s of K: rates of q, v and of the works.

    Off the constraints accelerations behave as violation / distance to the next singular position. Near one, stages are
    therefore projected before they are evaluated: the same motion, continued smoothly through the singular position.
    """
    nq, nv = len(loop.q), len(loop.v)
    q, v, k = y[:nq], y[nq : nq + nv], rk.K[s]
    slip = len(y) - nq - nv - N_POWERS
    if slip > 0:
        take_slip(tables, work, y, nq + nv)
    work.weakest[0] = 1.0
    if rk.options[NEAR_SINGULAR] > 0.0:
        copy(q, loop.out_q)
        copy(v, loop.out_v)
        q, v = loop.out_q, loop.out_v
        project(tables, t, q, v, work, 1e-14 * loop.scale[0])
    accelerations(tables, t, q, v, work, k[nq : nq + nv], rk.options[ALPHA], rk.options[BETA])
    position_rates(tables, q, v, k[:nq])
    for i in range(slip):
        k[nq + nv + i] = work.pair_rate[i // 3, i % 3]
    for i in range(len(k) - nq - nv - slip):
        k[nq + nv + slip + i] = work.power[i]
    rk.pivot[s] = work.weakest[0]
    loop.count[EVALUATIONS] += 1


@device
def combine(rk, s, h, y, out):
    """out = y + h sum_j A[s, j] K[j]"""
    n = rk.K.shape[1]
    for i in range(n):
        out[i] = y[i]
    for j in range(s):
        c = h * rk.A[s, j]
        if c != 0.0:
            for i in range(n):
                out[i] += c * rk.K[j, i]


@device
def error_norm(rk, loop, h):
    """Hairer's combination of the order-5 and order-3 estimates, in the largest component."""
    rtol, atol = loop.tolerance[0], loop.tolerance[1]
    e5, e3 = 0.0, 0.0
    for i in range(len(loop.y) - N_POWERS):
        s5, s3 = 0.0, 0.0
        for j in range(12):
            s5 += rk.E5[j] * rk.K[j, i]
            s3 += rk.E3[j] * rk.K[j, i]
        size = max(abs(loop.y[i]), abs(rk.stage[i]))
        weight = 1.0 / (atol * loop.scale[i] + rtol * size)
        s5, s3 = abs(s5) * weight, abs(s3) * weight
        if s5 > e5 or s5 != s5:  # what is not a number stays
            e5 = s5
        if s3 > e3 or s3 != s3:
            e3 = s3
    if e5 == 0.0 and e3 == 0.0:
        return 0.0
    return h * e5 * e5 / np.sqrt(e5 * e5 + 0.01 * e3 * e3)


@device
def first_step(rk, loop):
    """A step by the size of state and rates; K[0] must be known."""
    rtol, atol = loop.tolerance[0], loop.tolerance[1]
    ratio = 0.0
    for i in range(len(loop.y) - N_POWERS):
        rate = abs(rk.K[0, i]) / (loop.scale[i] + abs(loop.y[i]))
        ratio = max(ratio, rate)
    span = loop.clock[END] - loop.clock[TIME]
    if ratio == 0.0:
        return min(span, 1e-3 * span + 1e-6)
    return min(span, 0.3 * max(rtol, atol) ** 0.125 / ratio)


@device
def looks_stiff(rk, loop, h):
    """Hairer's test: the last two stages lie at the same time; how fast do rates change with the state there?"""
    num, den = 0.0, 0.0
    for i in range(len(loop.y) - N_POWERS):
        num += (rk.K[12, i] - rk.K[11, i]) ** 2
        den += (loop.y[i] - rk.stage[i]) ** 2
    return den > 0.0 and h * np.sqrt(num / den) > STIFF_FROM


@device
def make_dense(tables, work, loop, rk, t_old, h):
    """Three more stages and the seven polynomial terms of the dense output."""
    for s in range(13, 16):
        combine(rk, s, h, loop.y_old, rk.stage)
        derivative(tables, t_old + rk.C[s] * h, rk.stage, work, rk, s, loop)
    for i in range(rk.K.shape[1]):
        delta = loop.y[i] - loop.y_old[i]
        loop.F[0, i] = delta
        loop.F[1, i] = h * rk.K[0, i] - delta
        loop.F[2, i] = 2.0 * delta - h * (rk.K[12, i] + rk.K[0, i])
        for r in range(4):
            f = 0.0
            for j in range(16):
                f += rk.dense[r, j] * rk.K[j, i]
            loop.F[3 + r, i] = h * f


@device
def attempt(tables, work, loop, rk, t, h):
    """Stages 1-11 and the new state in rk.stage; its scaled error. loop.y is unchanged."""
    for s in range(1, 12):
        combine(rk, s, h, loop.y, rk.stage)
        derivative(tables, t + rk.C[s] * h, rk.stage, work, rk, s, loop)
    combine(rk, np.int64(12), h, loop.y, rk.stage)
    if rk.options[FIXED_STEP] > 0.0:
        return 0.0
    return error_norm(rk, loop, h)


@device
def accept(tables, work, loop, rk, t_new, h):
    """Take the step: project, evaluate the end, keep the old state for the dense output."""
    copy(loop.y, loop.y_old)
    copy(rk.stage, loop.y)
    normalize_quaternions(tables, loop.q)
    loop.clock[TIME] = t_new
    loop.clock[OLD_STEP] = h
    if rk.options[PROJECT] > 0.0 and len(tables.rows) > 0:
        project(tables, t_new, loop.q, loop.v, work, 1e-13 * loop.scale[0])
        note_violation(loop, work.found[0], work.found[1])
        loop.count[FACTORIZATIONS] += 1
    keep_together(tables, work, loop)
    if rk.options[STOP_IF_STIFF] > 0.0:
        combine(rk, np.int64(11), h, loop.y_old, rk.stage)
    end_rates(tables, work, loop, rk)
    if rk.options[PROJECT] == 0.0:
        note_violation(loop, largest(work.g), largest(work.g_rate))


@device
def weakest_stage(rk):
    least = rk.pivot[0]
    for s in range(1, 12):
        least = min(least, rk.pivot[s])
    return least


@device
def step_around(loop, rk, h, error):
    """Near a singular position: lay the step so that no stage falls on it. True if the step is to be tried again."""
    clock, mode = loop.clock, rk.options[NEAR_SINGULAR]
    if mode == STRADDLING:
        return False
    at = passage(rk)
    if clock[NOMINAL] == 0.0:
        clock[NOMINAL] = h
    room, nominal = at * h, max(clock[NOMINAL], h)
    if at <= 0.0 or room > 1.35 * nominal:  # behind or far ahead: projected stages are enough
        if mode == 0.0 and error > 1.0:
            rk.options[NEAR_SINGULAR] = PROJECTING
            return True
        return False
    if error <= 1.0 and (at < 0.8 or room - h > 0.35 * nominal):
        return False
    if mode == PROJECTING and room > 0.6 * nominal and error > 1.0:
        return False
    clock[STEP], straddles = planned_step(room, nominal)
    rk.options[NEAR_SINGULAR] = STRADDLING if straddles else PROJECTING
    return True


@device
def stop_at(tables, work, loop, t):
    """Go back to a time within the last step."""
    interpolate(loop, t, loop.out)
    copy(loop.out, loop.y)
    normalize_quaternions(tables, loop.q)
    loop.clock[TIME] = t


@device
def end_rates(tables, work, loop, rk):
    """Rates at the present state; a function of its own, for `derivative` becomes part of whoever calls it."""
    derivative(tables, loop.clock[TIME], loop.y, work, rk, np.int64(12), loop)


@device
def meet_change(tables, work, loop, rk, record, t, h):
    """If a contact changes within the step just taken, go back and step to that instant: (pair, what changes), or -1.
    Then contacts are evaluated at the end of the step, by the modes within it."""
    none = np.int64(-1)
    if ask_contacts(tables, work, loop, record, ANY_CHANGE, none, none) == 0.0:
        note_extremes(tables, work, loop, rk, record, t, h)
        return none, none
    make_dense(tables, work, loop, rk, t, h)
    at = ask_contacts(tables, work, loop, record, FIRST_CHANGE, none, none)
    pair, what = np.int64(loop.answer[1]), np.int64(loop.answer[2])
    if pair < 0:
        ask_contacts(tables, work, loop, record, LOOK_AT_END, none, none)
        ask_contacts(tables, work, loop, record, NOTE_STEP, none, none)
        return none, none
    go_back(tables, work, loop, t)
    if at - t <= 4e-16 * max(1.0, abs(t)):
        loop.clock[OLD_STEP] = 0.0
        end_rates(tables, work, loop, rk)
        return pair, what
    for tries in range(3):
        attempt(tables, work, loop, rk, t, at - t)
        accept(tables, work, loop, rk, at, at - t)
        if what != TOUCH or tries == 2:
            break
        # at this instant the margin is ± the gap, and its rate that of the gap
        late = work.pair_out[pair, 0] - level_of(tables, pair, work)
        late = late / work.pair_out[pair, 1] if work.pair_out[pair, 1] != 0.0 else 0.0
        if not abs(late) > 2e-16 * max(1.0, abs(at)) or not abs(late) < 0.1 * (at - t):
            break
        go_back(tables, work, loop, t)
        at -= late
    note_extremes(tables, work, loop, rk, record, t, at - t)
    return pair, what


@device
def note_extremes(tables, work, loop, rk, record, t, h):
    """Extremes of a step that is taken."""
    none = np.int64(-1)
    if ask_contacts(tables, work, loop, record, NOTE_STEP, none, none) > 0.0:
        make_dense(tables, work, loop, rk, t, h)
        ask_contacts(tables, work, loop, record, FIND_PEAKS, none, none)


@device
def go_back(tables, work, loop, t):
    """To the start of the last step."""
    copy(loop.y_old, loop.y)
    loop.clock[TIME] = t


@device
def change_contacts(tables, work, loop, rk, record, pair, what, h):
    """Change a mode at the present state, and those of pairs that change with it; rates anew; the next step by what
    served last time in the same situation."""
    rk.steps[closed(work)] = h
    end_rates(tables, work, loop, rk)
    ask_contacts(tables, work, loop, record, SWITCH, pair, what)
    end_rates(tables, work, loop, rk)
    if pair < len(tables.pairs) and work.pair_mode[pair, 0] == CLOSED:
        ask_contacts(tables, work, loop, record, NOTE_FOUND, pair, what)
    for _ in range(changes(tables) + 3):
        if ask_contacts(tables, work, loop, record, CHANGE_OTHERS, pair, what) == 0.0:
            break
        end_rates(tables, work, loop, rk)
    note_start(tables, work, loop)
    step = rk.steps[closed(work)]
    loop.clock[STEP] = step if step > 0.0 else h
    loop.clock[LAST_ERROR] = 1e-4


@device
def closed(work):
    """1 if anything touches."""
    for i in range(len(work.pair_mode)):
        if work.pair_mode[i, 0] != OPEN:
            return 1
    return 0


@kernel
def run(tables, work, loop, rk, record, max_steps):
    """Advance until the end, a stopping event, trouble, or max_steps steps."""
    clock, count = loop.clock, loop.count
    if max_steps == 0:
        return PAUSED
    if count[FRESH]:
        if changes(tables) > 0:
            ask_contacts(tables, work, loop, record, BEGIN, np.int64(-1), np.int64(rk.options[THROUGH]))
        start_loop(tables, work, loop, record)
        derivative(tables, clock[TIME], loop.y, work, rk, np.int64(0), loop)
        if work.grip_trouble[0] > 0.0:
            return JAMMED
        if len(tables.pairs) > 0:
            note_start(tables, work, loop)
        if clock[STEP] <= 0.0:
            clock[STEP] = first_step(rk, loop)
        count[FRESH] = 0
        clock[ALLOWED] = RELAXED
    for _ in range(max_steps):
        if 2 * count[EVENTS] > len(record.event_time):  # Python takes them
            return PAUSED
        t, end = clock[TIME], clock[END]
        if t >= end:
            return DONE
        h = min(clock[STEP], clock[MAX_STEP])
        if rk.options[FIXED_STEP] > 0.0:
            h = rk.options[FIXED_STEP]
        last = t + 1.0000001 * h >= end
        if last:
            h = end - t
        if h <= 4e-16 * max(abs(t), abs(end)):
            return STEP_TOO_SMALL
        work.grip_trouble[0] = 0.0
        error = attempt(tables, work, loop, rk, t, h)
        if work.grip_trouble[0] > 0.0:
            error = np.inf
        weakest = weakest_stage(rk)
        if weakest < rk.options[RESELECT_BELOW]:
            return RESELECT
        weak = weakest < WEAK and rk.options[PROJECT] > 0.0
        if weak and not last and step_around(loop, rk, h, error):
            count[REJECTED] += 1
            continue
        straddling = rk.options[NEAR_SINGULAR] == STRADDLING
        if straddling and error <= clock[ALLOWED]:
            error = min(error, 1.0)
            clock[ALLOWED] = RELAXED
        if not error <= 1.0:
            count[REJECTED] += 1
            if straddling:  # the audit will tell; standing still would tell nothing
                rk.options[NEAR_SINGULAR] = PROJECTING
                clock[ALLOWED] *= 100.0
            if not np.isfinite(error):
                clock[STEP] = 0.1 * h
                if clock[STEP] < 1e-12 * (end - 0.0):
                    return JAMMED if work.grip_trouble[0] > 0.0 else NOT_FINITE
            else:
                clock[STEP] = h * max(0.2, 0.9 * error ** (-0.125))
            continue
        t_new = end if last else t + h
        accept(tables, work, loop, rk, t_new, h)
        pair, what, whole = np.int64(-1), np.int64(0), h
        if rk.options[THROUGH] > 0.0:
            ask_contacts(tables, work, loop, record, STEP_THROUGH, pair, what)
        elif changes(tables) > 0:
            pair, what = meet_change(tables, work, loop, rk, record, t, h)
            if pair >= 0:
                t_new, h, last = clock[TIME], clock[OLD_STEP], False
                count[IDLE] = count[IDLE] + 1 if h <= 1e-14 * max(1.0, abs(t)) else 0
                if count[IDLE] > 100:
                    return STEP_TOO_SMALL
                if h <= 0.0:
                    change_contacts(tables, work, loop, rk, record, pair, what, whole)
                    copy(rk.K[12], rk.K[0])
                    continue
        count[STEPS] += 1
        if not np.isfinite(loop.y[0] + rk.K[12, len(loop.q)]):
            return NOT_FINITE
        if rk.options[STOP_IF_STIFF] > 0.0:
            count[STIFF_HINTS] = max(0, count[STIFF_HINTS] + (1 if looks_stiff(rk, loop, h) else -1))
        stop = -1.0
        if len(tables.watches) > 0 or outputs_due(loop, record):
            make_dense(tables, work, loop, rk, t, h)
            if len(tables.watches) > 0:
                stop = find_events(tables, work, loop, record)
            write_outputs(tables, work, loop, record, stop if stop >= 0.0 else t_new)
        if stop >= 0.0:
            stop_at(tables, work, loop, stop)
            return STOPPED_BY_EVENT
        if pair >= 0:
            change_contacts(tables, work, loop, rk, record, pair, what, whole)
        elif len(tables.pairs) > 0:
            note_start(tables, work, loop)
        if len(tables.pairs) > 0 and too_deep(work):
            return TOO_DEEP
        if len(tables.turning) > 0:
            place_nodes(tables, t_new, loop.q, loop.v, work)
            set_anchors(tables, t_new, work)
        copy(rk.K[12], rk.K[0])
        rk.pivot[0] = rk.pivot[12]
        factor = 6.0 if error == 0.0 else min(6.0, max(0.3, SAFETY * error**-KI * clock[LAST_ERROR] ** KP))
        clock[LAST_ERROR] = max(error, 1e-3)
        if straddling:
            clock[STEP] = clock[NOMINAL]
        elif not last and pair < 0:
            clock[STEP] = h * factor
        if not weak and rk.options[NEAR_SINGULAR] == 0.0:
            clock[NOMINAL] = clock[STEP]
        rk.options[NEAR_SINGULAR] = PROJECTING if weak and rk.options[NEAR_SINGULAR] > 0.0 else 0.0
        if count[STIFF_HINTS] >= 15 and rk.options[STOP_IF_STIFF] > 0.0:
            return STIFF
    return PAUSED
