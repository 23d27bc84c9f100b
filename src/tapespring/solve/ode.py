"""`ode`: order-8 explicit Runge-Kutta on the accelerations, with error control and projection on the constraints.

Every accepted step is brought back onto position and velocity constraints. Baumgarte's method is the same loop with its
terms in the accelerations instead of the projection.
"""

from __future__ import annotations

import numpy as np

from ..jit import device, kernel
from ..mechanics.linking import project
from ..mechanics.motion import place_nodes
from ..mechanics.pair_memory import CLOSED, OPEN
from ..mechanics.projection import copy, largest
from ..mechanics.touching import TOUCH, level_of, too_deep
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
    changes,
    note_start,
)
from .damped_steps import (
    DAMPED_FROM,
    HINTS_NEEDED,
    attempt_damped,
    is_damped,
    leave_damped,
    longest_step,
    review_damped,
    try_damped,
)
from .events import find_events, room_needed, start_loop
from .momentum import keep_together
from .plane_steps import ATTEMPT, LAST_RATES, MORE_STAGES, RATES, ask_plane, is_flat
from .runge_kutta import (
    FIXED_STEP,
    NEAR_SINGULAR,
    PROJECT,
    RESELECT_BELOW,
    STIFF_FROM,
    STOP_IF_STIFF,
    THROUGH,
    attempt_stages,
    dense_of_stages,
    derivative,
    first_step,
    more_stages,
    rate_of_change,
    rates_at,
)
from .singular import RELAXED, WEAK, passage, planned_step
from .status import DONE, JAMMED, NOT_FINITE, PAUSED, RESELECT, STEP_TOO_SMALL, STIFF, STOPPED_BY_EVENT, TOO_DEEP
from .steps import (
    ALLOWED,
    END,
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
    has_turned,
    hermite,
    interpolate,
    normalize_quaternions,
    note_violation,
    outputs_due,
    pass_break,
    set_anchors,
    step_limits,
    write_outputs,
)
from .trace import trace_state

# step control: proportional-integral, which foresees growing difficulty and rejects fewer steps
SAFETY, KI, KP = 0.9, 0.085, 0.05
MOST_IDLE = 100  # changes of contacts one after the other at one instant
# values of NEAR_SINGULAR: stages are projected; the step was laid across a singular position
PROJECTING, STRADDLING = 1.0, 2.0


@device
def attempt(tables, work, loop, rk, t, h):
    """The new state in rk.stage; its scaled error. loop.y is unchanged."""
    if is_damped(rk):
        return attempt_damped(tables, work, loop, rk, t, h)
    if is_flat(rk):
        return ask_plane(tables, work, loop, rk, ATTEMPT, t, h)
    return attempt_stages(tables, work, loop, rk, t, h)


@device
def try_step(tables, work, loop, rk, t, h):
    """The same, where a step in which joints find no friction has an infinite error."""
    work.grip_trouble[0] = 0.0
    error = attempt(tables, work, loop, rk, t, h)
    return np.inf if work.grip_trouble[0] > 0.0 else error


@device
def make_dense(tables, work, loop, rk, t_old, h):
    """The polynomial of the step just taken."""
    if is_damped(rk):
        hermite(loop, rk.K[0:13:12], h)
        return
    if is_flat(rk):
        ask_plane(tables, work, loop, rk, MORE_STAGES, t_old, h)
    else:
        more_stages(tables, work, loop, rk, t_old, h)
    dense_of_stages(loop, rk, h)


@device
def looks_for_stiffness(tables, rk):
    return not is_damped(rk) and (rk.options[STOP_IF_STIFF] > 0.0 or may_be_damped(tables, rk))


@device
def may_be_damped(tables, rk):
    """Contacts may hold steps to the limit of stability long after anything moves."""
    return changes(tables) > 0 and rk.options[FIXED_STEP] == 0.0


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
    end_rates(tables, work, loop, rk)
    if looks_for_stiffness(tables, rk):
        limit, hints = DAMPED_FROM if may_be_damped(tables, rk) else STIFF_FROM, loop.count[STIFF_HINTS]
        change = loop.answer[0] if is_flat(rk) else rate_of_change(rk, loop)
        loop.count[STIFF_HINTS] = max(0, hints + (1 if h * change > limit else -1))
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
    """Rates at the present state."""
    if is_flat(rk):
        ask_plane(tables, work, loop, rk, RATES, loop.clock[TIME], 0.0)
    else:
        rates_at(tables, loop.clock[TIME], loop.y, work, rk, np.int64(12), loop)


@device
def meet_change(tables, work, loop, rk, record, t, h):
    """If a contact changes within the step just taken, go back and step to that instant: (pair, what changes, error of
    the step), pair -1 if none does. Then contacts are evaluated at the end of the step, by the modes within it.

    What lies before a change may be hard where the whole step, most of it beyond, was easy (slip turns ever faster as
    it ends, and goes on smoothly after an end that was passed over): if the error is above 1 the step is back at its
    start.
    """
    none = np.int64(-1)
    if ask_contacts(tables, work, loop, record, ANY_CHANGE, none, none) == 0.0:
        note_extremes(tables, work, loop, rk, record, t, h)
        return none, none, 0.0
    make_dense(tables, work, loop, rk, t, h)
    at = ask_contacts(tables, work, loop, record, FIRST_CHANGE, none, none)
    pair, what = np.int64(loop.answer[1]), np.int64(loop.answer[2])
    if pair < 0:
        ask_contacts(tables, work, loop, record, LOOK_AT_END, none, none)
        ask_contacts(tables, work, loop, record, NOTE_STEP, none, none)
        return none, none, 0.0
    go_back(tables, work, loop, t)
    if at - t <= 4e-16 * max(1.0, abs(t)):
        loop.clock[OLD_STEP] = 0.0
        end_rates(tables, work, loop, rk)
        return pair, what, 0.0
    for tries in range(3):
        error = try_step(tables, work, loop, rk, t, at - t)
        if not error <= 1.0 and rk.options[NEAR_SINGULAR] != STRADDLING:
            loop.clock[OLD_STEP] = at - t
            return pair, what, error
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
    return pair, what, 0.0


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
    if is_damped(rk):
        leave_damped(loop, rk)
    else:
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


@device
def growth(loop, rk, error):
    """Of the next step over this one."""
    if error == 0.0:
        factor = 6.0
    elif is_damped(rk):
        factor = min(6.0, max(0.3, 0.8 * error ** (-1.0 / 3.0)))
    else:
        factor = min(6.0, max(0.3, SAFETY * error**-KI * loop.clock[LAST_ERROR] ** KP))
    loop.clock[LAST_ERROR] = max(error, 1e-3)
    return factor


@device
def shorter(rk, h, error):
    """The step to try after one with such an error."""
    if not np.isfinite(error):
        return 0.1 * h
    return h * max(0.2, 0.9 * error ** (-1.0 / 3.0 if is_damped(rk) else -0.125))


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
        if is_flat(rk):
            end_rates(tables, work, loop, rk)
        if work.grip_trouble[0] > 0.0:
            return JAMMED
        if len(tables.pairs) > 0:
            note_start(tables, work, loop)
        if clock[STEP] <= 0.0:
            clock[STEP] = first_step(rk, loop)
        count[FRESH] = 0
        clock[ALLOWED] = RELAXED
        trace_state(tables, work, loop, record, 1.0)
    for _ in range(max_steps):
        if room_needed(loop, record):
            return PAUSED
        t, end = clock[TIME], clock[END]
        if t >= end:
            return DONE
        until, longest = step_limits(loop)
        h = min(clock[STEP], clock[MAX_STEP])
        if is_damped(rk):
            h = min(h, longest_step(rk))
        if rk.options[FIXED_STEP] > 0.0:
            h = rk.options[FIXED_STEP]
        h = min(h, longest)
        last = t + 1.0000001 * h >= until
        if last:
            h = until - t
        if h <= 4e-16 * max(abs(t), abs(end)):
            return STEP_TOO_SMALL
        error = try_step(tables, work, loop, rk, t, h)
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
            clock[STEP] = shorter(rk, h, error)
            if not np.isfinite(error) and clock[STEP] < 1e-12 * end:
                return JAMMED if work.grip_trouble[0] > 0.0 else NOT_FINITE
            continue
        t_new = until if last else t + h
        accept(tables, work, loop, rk, t_new, h)
        pair, what, whole = np.int64(-1), np.int64(0), h
        if rk.options[THROUGH] > 0.0:
            ask_contacts(tables, work, loop, record, STEP_THROUGH, pair, what)
        elif changes(tables) > 0:
            pair, what, error_there = meet_change(tables, work, loop, rk, record, t, h)
            if not error_there <= 1.0:
                count[REJECTED] += 1
                clock[STEP] = shorter(rk, clock[OLD_STEP], error_there)
                continue
            if pair >= 0:
                t_new, h, last = clock[TIME], clock[OLD_STEP], False
                count[IDLE] = count[IDLE] + 1 if h <= 1e-14 * max(1.0, abs(t)) else 0
                if count[IDLE] > MOST_IDLE + 3 * changes(tables):  # each may touch, hold and slide in an instant
                    return STEP_TOO_SMALL
                if h <= 0.0:
                    change_contacts(tables, work, loop, rk, record, pair, what, whole)
                    copy(rk.K[12], rk.K[0])
                    trace_state(tables, work, loop, record, 1.0)
                    continue
        count[STEPS] += 1
        if not np.isfinite(loop.y[0] + rk.K[12, len(loop.q)]):
            return NOT_FINITE
        stop, stages = -1.0, 0.0 if is_damped(rk) else 1.0
        if len(tables.watches) > 0 or outputs_due(loop, record):
            make_dense(tables, work, loop, rk, t, h)
            if len(tables.watches) > 0:
                stop = find_events(tables, work, loop, record)
            write_outputs(tables, work, loop, record, stop if stop >= 0.0 else t_new)
        if stop >= 0.0:
            stop_at(tables, work, loop, stop)
            trace_state(tables, work, loop, record, stages)
            return STOPPED_BY_EVENT
        if last or pair >= 0:  # forces may jump
            trace_state(tables, work, loop, record, stages)
            stages = -1.0
        if last and pass_break(loop):
            end_rates(tables, work, loop, rk)
        if pair >= 0:
            change_contacts(tables, work, loop, rk, record, pair, what, whole)
        elif len(tables.pairs) > 0:
            note_start(tables, work, loop)
        if len(tables.pairs) > 0 and too_deep(work):
            return TOO_DEEP
        if len(tables.turning) > 0 and has_turned(tables, work, loop, pair >= 0 or last):
            place_nodes(tables, t_new, loop.q, loop.v, work)
            set_anchors(tables, t_new, work)
        trace_state(tables, work, loop, record, stages)
        copy(rk.K[12], rk.K[0])
        rk.pivot[0] = rk.pivot[12]
        factor = growth(loop, rk, error)
        if straddling:
            clock[STEP] = clock[NOMINAL]
        elif not last and pair < 0:
            clock[STEP] = h * factor
        if not weak and rk.options[NEAR_SINGULAR] == 0.0:
            clock[NOMINAL] = clock[STEP]
        rk.options[NEAR_SINGULAR] = PROJECTING if weak and rk.options[NEAR_SINGULAR] > 0.0 else 0.0
        if is_damped(rk):
            clock[STEP] = review_damped(tables, work, loop, rk, h, clock[STEP])
        elif may_be_damped(tables, rk) and pair < 0 and not weak and count[STIFF_HINTS] >= rk.damped[HINTS_NEEDED]:
            if is_flat(rk):
                ask_plane(tables, work, loop, rk, LAST_RATES, t_new, h)
            try_damped(tables, work, loop, rk, h)
        if count[STIFF_HINTS] >= 15 and rk.options[STOP_IF_STIFF] > 0.0:
            return STIFF
    return PAUSED
