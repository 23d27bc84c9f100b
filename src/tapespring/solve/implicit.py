"""`implicit`: generalized-alpha on rotations, of order 2 (Bruels, Cardona, Arnold; Mech. Mach. Theory 48, 2012).

A step solves, for the accelerations a and the multipliers at its end,

    (1 - am) b + am b_n = (1 - af) a + af a_n           b: the accelerations the formulas use
    q = q_n o exp(h v_n + h^2 ((1/2 - beta) b_n + beta b)),    v = v_n + h ((1 - gamma) b_n + gamma b)
    M a + w x J w - f(t, q, v) + G' multiplier = 0,    g(t, q) = 0

Constraints hold at the level of positions. Fast vibrations are damped as the spectral radius rho says (1: none, 0:
within one step). What the damping takes is integrated from the scheme itself (`works`). Where laws
of time jump or bend (`timeline`), the accelerations are found anew.
"""

from __future__ import annotations

import numpy as np

from ..jit import device, kernel
from ..mechanics.dynamics import kinetic_energy
from ..mechanics.grips import PRESSED
from ..mechanics.linking import (
    accelerations,
    accept_contacts,
    accept_grips,
    begin_contacts,
    begin_stepped_grips,
    project,
)
from ..mechanics.motion import place_nodes
from ..mechanics.pair_memory import BY_PLACE
from ..mechanics.projection import copy, largest
from ..mechanics.tables import DISSIPATED, DRIVES, N_POWERS
from ..mechanics.touching import too_deep
from .alpha import (
    AF,
    AM,
    BEGIN,
    CONTINUES,
    EQUAL,
    FACTORED_FOR,
    FIXED_STEP,
    HALVINGS,
    KINETIC,
    LIVELY,
    PROJECT,
    RATE,
    STEP_OF_B,
    Alpha,
    new_alpha,
    remember,
    step_error,
)
from .augmented import solve_loaded_step
from .equations import add_tangent, larger, link_implicit, put_rates, residual
from .events import room_needed, start_loop, visit_step
from .impact_error import impact_error
from .near_pairs import DUE, part_gone
from .ode import stop_at
from .status import DONE, NEWTON_FAILED, NOT_FINITE, PAUSED, STEP_TOO_SMALL, STOPPED_BY_EVENT, TOO_DEEP
from .steps import (
    END,
    EVALUATIONS,
    FRESH,
    LAST_ERROR,
    MAX_STEP,
    NEXT_OUTPUT,
    OLD_STEP,
    REJECTED,
    STEP,
    STEPS,
    TIME,
    hermite,
    note_violation,
    outputs_due,
    pass_break,
    step_limits,
)
from .trace import trace_state
from .works import note_works

__all__ = ["Alpha", "add_tangent", "link_implicit", "new_alpha", "residual", "run"]

MAX_HALVINGS = 30
FADING = 0.8  # of an error, per step, in the choice of steps
PAIRS_DUE = -2  # returned where pairs are to be found anew


@device
def accept(tables, work, loop, s, t, h):
    """Take the step to time t."""
    nq, nv = len(loop.q), len(loop.v)
    copy(loop.y, loop.y_old)
    for i in range(nq + nv):
        loop.y[i] = s.trial[i]
    loop.clock[TIME] = t
    loop.clock[OLD_STEP] = h
    for k in range(N_POWERS):
        s.power[1, k] = work.power[k]
    for r in range(len(s.multiplier)):
        s.power[1, DRIVES] += s.multiplier[r] * work.g_target[r]
    if len(tables.rows) > 0:  # g before the last correction, which leaves about `rate` of it
        note_violation(loop, min(1.0, s.options[RATE]) * largest(work.g), largest(work.g_rate))
    if s.options[PROJECT] > 0.0 and len(tables.rows) > 0:
        project(tables, t, loop.q, loop.v, work, 1e300)
    note_works(tables, work, loop, s, t, h)


@device
def shift(tables, loop, s, record, h):
    """Dense output where an event or output asks for it; the end of the step becomes the start of the next."""
    nv = len(loop.v)
    if len(tables.watches) > 0 or outputs_due(loop, record):
        nq, y = len(loop.q), loop.y_old
        put_rates(tables, y[:nq], y[nq : nq + nv], s.a_old, s.power[0], s.rate[0])
        put_rates(tables, loop.q, loop.v, s.a, s.power[1], s.rate[1])
        keep_growing(loop, s.rate, nq + nv + DISSIPATED, h)
        hermite(loop, s.rate, h)
    ratio = (1.0 - s.options[AF]) / (1.0 - s.options[AM])
    for j in range(nv):
        s.b[j] = s.b_new[j] + ratio * s.a[j]
    for k in range(N_POWERS):
        s.power[0, k] = s.power[1, k]
    remember(tables, s, h)
    s.options[STEP_OF_B] = h
    loop.count[STEPS] += 1


@device
def keep_growing(loop, rate, i, h):
    """Rates at both ends between which what only grows does not fall: at most three times the mean one (Fritsch and
    Carlson 1980). In steps that are long for a vibration, its ends say little of what lies between."""
    most = 3.0 * (loop.y[i] - loop.y_old[i]) / h
    for end in range(2):
        rate[end, i] = min(max(rate[end, i], min(most, 0.0)), max(most, 0.0))


@device
def first_step(loop, s):
    """A step by the size of state and rates."""
    ratio = 0.0
    for i in range(len(loop.y) - N_POWERS):
        ratio = max(ratio, abs(s.rate[0, i]) / (loop.scale[i] + abs(loop.y[i])))
    span = loop.clock[END] - loop.clock[TIME]
    guess = 0.3 * max(loop.tolerance[0], loop.tolerance[1]) ** (1.0 / 3.0)
    return min(span, guess / ratio) if ratio > 0.0 else min(span, 1e-3 * span + 1e-6)


@device
def start(tables, loop, s, work, t):
    """Accelerations at the start, and those the formulas use: b stands for a at the time t + (am - af) h."""
    accelerations(tables, t, loop.q, loop.v, work, s.a_old, 0.0, 0.0)
    copy(work.multiplier, s.last_multiplier)
    for k in range(N_POWERS):
        s.power[0, k] = work.power[k]
    s.options[KINETIC] = kinetic_energy(tables, loop.q, loop.v, work)
    put_rates(tables, loop.q, loop.v, s.a_old, work.power, s.rate[0])
    if s.options[FIXED_STEP] > 0.0:
        loop.clock[STEP] = s.options[FIXED_STEP]
    elif loop.clock[STEP] <= 0.0:
        loop.clock[STEP] = first_step(loop, s)
    h = min(loop.clock[STEP], loop.clock[MAX_STEP])
    little = 1e-3 * h
    for i in range(len(loop.y)):
        s.trial[i] = loop.y[i] + little * s.rate[0, i]
    accelerations(tables, t + little, s.trial_q, s.trial_v, work, s.b, 0.0, 0.0)
    steep = 0.0
    for j in range(len(s.b)):
        steep = max(steep, abs(s.b[j] - s.a_old[j]) * h / little)
    smooth = steep <= largest(s.a_old)
    for j in range(len(s.b)):
        change = (s.b[j] - s.a_old[j]) * h / little if smooth else 0.0
        s.b[j] = s.a_old[j] + (s.options[AM] - s.options[AF]) * change
    s.options[STEP_OF_B] = h
    s.options[FACTORED_FOR] = 0.0
    s.options[EQUAL] = 0.0
    loop.count[EVALUATIONS] += 2


@device
def refer_to_step(s, h):
    """b lies ahead of a by a part of the step: keep that part when the step changes."""
    ratio = h / s.options[STEP_OF_B]
    if ratio != 1.0:
        for j in range(len(s.b)):
            s.b[j] = s.a_old[j] + ratio * (s.b[j] - s.a_old[j])
        s.options[STEP_OF_B] = h
        s.options[EQUAL] = 0.0


@device
def error_of_step(tables, work, loop, s, kkt, h):
    """Of positions, and of impacts that carry more than the tolerance of the most kinetic energy so far."""
    error = step_error(tables, work, loop, s, kkt, h)
    if len(tables.pairs) > 0:
        s.options[LIVELY] = max(s.options[LIVELY], s.options[KINETIC])
        error = larger(error, impact_error(tables, work, loop.tolerance[0] * s.options[LIVELY], h))
    return error


@device
def choose_step(loop, s, h, error):
    """Longer or shorter for the next step, by the worst of the last few errors: a step that changes needs new factors
    and costs accuracy."""
    worst = max(error, FADING * loop.clock[LAST_ERROR])
    loop.clock[LAST_ERROR] = worst
    factor = min(2.0, max(0.3, 0.9 * worst ** (-1.0 / 3.0)))
    if factor > 1.0 and (factor < 1.3 or s.options[EQUAL] < 2.0):
        factor = 1.0
    if factor != 1.0:
        loop.clock[STEP] = h * factor
        loop.clock[LAST_ERROR] *= factor**3
    else:
        loop.clock[STEP] = h


@device
def fixed_step(s, t):
    """The step as told, halved where Newton's method failed; after a halved step or a corner back to whole steps."""
    whole, past = s.options[FIXED_STEP], t - s.options[BEGIN]
    left = whole * (np.floor(past / whole + 1e-6) + 1.0) - past
    h = whole * 0.5 ** s.options[HALVINGS]
    return left if left < 0.9999999 * h else h


@device
def meet_output(loop, record, t, h):
    """The next output time if it is t but for rounding."""
    k = loop.count[NEXT_OUTPUT]
    return record.time[k] if k < len(record.time) and abs(record.time[k] - t) < 1e-9 * h else t


@device
def put_contacts(tables, work, loop):
    """Contacts remember the present state."""
    place_nodes(tables, loop.clock[TIME], loop.q, loop.v, work)
    accept_contacts(tables, work)


@device
def put_grips(tables, work, loop, s):
    """Joints with friction remember the present state."""
    place_nodes(tables, loop.clock[TIME], loop.q, loop.v, work)
    accept_grips(tables, loop.clock[TIME], work, s.multiplier)


@device
def advance(tables, work, loop, s, kkt, record, max_steps):
    clock, count = loop.clock, loop.count
    work.contact_step[0] = BY_PLACE
    if len(tables.pairs) > 0 and (count[FRESH] or len(tables.members) > 0):  # some pairs may be new
        place_nodes(tables, clock[TIME], loop.q, loop.v, work)
        begin_contacts(tables, work)
    if count[FRESH]:
        if len(tables.grips) > 0:
            place_nodes(tables, clock[TIME], loop.q, loop.v, work)
            begin_stepped_grips(tables, clock[TIME], work, s.multiplier)
        start_loop(tables, work, loop, record)
        if s.options[CONTINUES] > 0.0:
            s.options[CONTINUES] = 0.0
        else:
            start(tables, loop, s, work, clock[TIME])
        for g in range(len(tables.grips)):
            work.grip_memory[g, PRESSED] = work.grip_normal[g]
        s.options[BEGIN] = clock[TIME]
        count[FRESH] = 0
        trace_state(tables, work, loop, record, 0.0)
    fixed = s.options[FIXED_STEP]
    for _ in range(max_steps):
        if room_needed(loop, record):
            return PAUSED
        t, end = clock[TIME], clock[END]
        if t >= end:
            return DONE
        until, longest = step_limits(loop)
        h = min(longest, fixed_step(s, t) if fixed > 0.0 else min(clock[STEP], clock[MAX_STEP]))
        last = t + 1.0000001 * h >= until
        if last:
            h = until - t
        if h <= 4e-16 * max(abs(t), abs(end)):
            return STEP_TOO_SMALL
        refer_to_step(s, h)
        work.contact_step[1] = h
        t_new = until if last else meet_output(loop, record, t + h, h)
        if not solve_loaded_step(tables, t_new, loop, s, kkt, work, h):
            count[REJECTED] += 1
            s.options[HALVINGS] += 1.0
            clock[STEP] = 0.5 * h
            if s.options[HALVINGS] > MAX_HALVINGS:
                return NEWTON_FAILED if np.isfinite(loop.y[0]) else NOT_FINITE
            continue
        error = error_of_step(tables, work, loop, s, kkt, h) if fixed == 0.0 else 0.0
        if not error <= 1.0:
            count[REJECTED] += 1
            clock[STEP] = h * max(0.3, 0.8 * error ** (-1.0 / 3.0))
            clock[LAST_ERROR] = 0.5
            continue
        if len(tables.members) > 0 and part_gone(tables, work) > 1.0:
            count[REJECTED] += 1
            s.options[HALVINGS] += 1.0
            clock[STEP] = 0.5 * h
            continue
        s.options[HALVINGS] = max(0.0, s.options[HALVINGS] - 1.0)
        accept(tables, work, loop, s, t_new, h)
        shift(tables, loop, s, record, h)
        stop = visit_step(tables, work, loop, record)
        if stop >= 0.0:
            stop_at(tables, work, loop, stop)
        if len(tables.pairs) > 0:
            put_contacts(tables, work, loop)
        if len(tables.grips) > 0:
            put_grips(tables, work, loop, s)
        trace_state(tables, work, loop, record, 0.0)
        if stop >= 0.0:
            return STOPPED_BY_EVENT
        if len(tables.pairs) > 0 and too_deep(work):
            return TOO_DEEP
        if last and pass_break(loop):
            start(tables, loop, s, work, clock[TIME])
        elif not last and fixed == 0.0:
            choose_step(loop, s, h, error)
        if last:
            trace_state(tables, work, loop, record, -1.0)
        if len(tables.members) > 0 and part_gone(tables, work) > DUE:
            return PAIRS_DUE
    return PAUSED


@kernel
def run(tables, work, loop, alpha, kkt, record, max_steps):
    """Advance until the end, a stopping event, trouble, or max_steps steps."""
    return advance(tables, work, loop, alpha, kkt, record, max_steps)
