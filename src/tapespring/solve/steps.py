"""What every time loop shares: the moving state, dense output, recording at chosen times, counted turns."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..jit import device
from ..math.rotations import normalized, rotate
from ..mechanics.dynamics import energies
from ..mechanics.linking import accelerations, project, refine_reactions
from ..mechanics.measures import counted, measure
from ..mechanics.motion import load_quaternion, store_quaternion
from ..mechanics.pair_memory import STICKS
from ..mechanics.projection import copy, largest
from ..mechanics.tables import GROUND, LATCH, N_POWERS, POINT, Tables, position_size, velocity_size
from ..mechanics.touching import N_CONTACT, keeps_slip, sum_contact, take_slip

# indices into Loop.clock
(
    TIME,
    STEP,
    END,
    LAST_ERROR,
    MAX_STEP,
    NUMERICAL,
    WORST_G,
    WORST_G_TIME,
    WORST_RATE,
    WORST_RATE_TIME,
    OLD_STEP,
    NOMINAL,
    ALLOWED,
    OLD_NUMERICAL,
    FASTEST_TURN,
) = range(15)
# indices into Loop.count
(
    STEPS,
    REJECTED,
    EVALUATIONS,
    FACTORIZATIONS,
    ITERATIONS,
    NEXT_OUTPUT,
    EVENTS,
    STIFF_HINTS,
    FRESH,
    ORDER,
    EQUAL_STEPS,
) = range(11)
IDLE = 12  # changes of contacts since time went on
NEXT_BREAK = 13
TRACED, TRACE_EVERY = 14, 15  # states kept between outputs (see trace); steps left out after each
AS_INTEGRATED = 11  # 1: outputs at the end of a step are not projected (for loops that conserve energy without it)
N_CLOCK, N_COUNT = 16, 16
# columns of Loop.breaks, see timeline.breaks
BEFORE, AFTER, LONGEST, ANEW = range(4)
EVENT_CAPACITY = 4096
BOTH_SIDES = 3.5  # two nodes turn against each other, each by the square root of three of its largest component at most
SLOWED = 0.5  # of the fastest turn since turns were last counted: nodes that turn slower have slowed down


class Loop(NamedTuple):
    """State of a time loop between chunks: exactly what a pause or a restart needs, and its scratch."""

    y: np.ndarray  # q, v, elastic slip of contacts (in `ode` alone), works
    q: np.ndarray  # views of y
    v: np.ndarray
    works: np.ndarray
    y_old: np.ndarray  # start of the current step
    F: np.ndarray  # (7, n) dense output
    out: np.ndarray  # interpolated state; these three empty in loops without states within steps
    out_q: np.ndarray
    out_v: np.ndarray
    out_a: np.ndarray  # (nv,) scratch, or of three numbers
    scale: np.ndarray  # natural size of each component of y, or the model's length alone
    tolerance: np.ndarray  # (relative, absolute)
    clock: np.ndarray
    count: np.ndarray  # type: ignore[assignment]  # a tuple's own count() is not used
    watched: np.ndarray  # (watches,) value of each event function at the start of the step; at first not a number of
    # those that ended the run before
    breaks: np.ndarray  # (at least one, 4) where steps end and how long they may be, see timeline.breaks
    answer: np.ndarray  # (3,) of contacts, see contact_tasks
    touching: np.ndarray  # (pairs, then joints with friction, 4) gap and its rate at the start of a step, changes that
    # may be in it, when it last touched or parted


class Record(NamedTuple):
    """What is kept at the output times."""

    time: np.ndarray
    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    multiplier: np.ndarray  # (outputs, rows of the model)
    energy: np.ndarray  # kinetic, gravity, strain, works of loads and drives, dissipated, numerical, impacts, friction
    contact: np.ndarray  # (outputs, contacts, N_CONTACT), see mechanics.touching.sum_contact
    grip: np.ndarray  # (outputs, joints with friction, 4) friction along coordinates, force that presses; 1 of a
    # latch that is closed
    value: np.ndarray  # tracked measures
    rate: np.ndarray
    violation: np.ndarray  # largest |g|, |g'|
    event_time: np.ndarray
    event_watch: np.ndarray
    event_value: np.ndarray  # impulse of a hit
    step_time: np.ndarray  # (states,) at the ends of steps, see trace
    step_state: np.ndarray
    step_memory: np.ndarray


def new_loop(t: Tables, q, v, t_start, t_end, scale, tolerance, within: bool = True, breaks=None) -> Loop:
    """within: states within steps are asked for; not so, and with one number as scale, nothing is kept for them.
    breaks: the end alone unless given."""
    nq, nv = position_size(t), velocity_size(t)
    n = len(scale) if len(scale) > 1 else nq + nv + N_POWERS
    if n < nq + nv + N_POWERS:
        raise ValueError(f"{n} sizes for {nq} positions, {nv} velocities and {N_POWERS} works")
    y, between = np.zeros(n), n if within else 0
    out = np.zeros(between)
    y[:nq], y[nq : nq + nv] = q, v
    clock, count = np.zeros(N_CLOCK), np.zeros(N_COUNT, np.int64)
    clock[TIME], clock[END], clock[MAX_STEP], clock[LAST_ERROR] = t_start, t_end, t_end - t_start, 1e-4
    count[FRESH] = 1
    if breaks is None:
        breaks = np.array([[t_end, t_end, np.inf, 0.0]])
    return Loop(
        y=y, q=y[:nq], v=y[nq : nq + nv], works=y[n - N_POWERS :], y_old=np.zeros(between),
        F=np.zeros((7, between)), out=out, out_q=out[:nq], out_v=out[nq : nq + nv], 
        out_a=np.zeros(nv if within else 3), scale=scale,
        tolerance=np.array(tolerance, float), clock=clock, count=count, watched=np.zeros(len(t.watches)),
        breaks=breaks, answer=np.zeros(3), touching=np.full((len(t.pairs) + len(t.grips), 4), -np.inf),
    )  # fmt: skip


def new_record(t: Tables, times, model_rows: int) -> Record:
    n, nq, nv, nr, nm = len(times), position_size(t), velocity_size(t), model_rows, len(t.tracked)
    zeros = np.zeros
    return Record(
        time=np.array(times, float), q=zeros((n, nq)), v=zeros((n, nv)), a=zeros((n, nv)), multiplier=zeros((n, nr)),
        energy=zeros((n, 9)), contact=zeros((n, len(t.contacts), N_CONTACT)),
        grip=zeros((n, len(t.grips), 4)),
        value=zeros((n, nm)), rate=zeros((n, nm)), violation=zeros((n, 2)),
        event_time=zeros(EVENT_CAPACITY), event_watch=zeros(EVENT_CAPACITY, np.int64),
        event_value=zeros(EVENT_CAPACITY), step_time=zeros(0), step_state=zeros((0, 0)), step_memory=zeros((0, 0)),
    )  # fmt: skip


@device
def step_limits(loop):
    """(where the step has to end at the latest, the longest it may be)"""
    k = loop.count[NEXT_BREAK]
    return loop.breaks[k, BEFORE], loop.breaks[k, LONGEST]


@device
def pass_break(loop):
    """Go on behind the break just reached; whether to begin anew there."""
    k = loop.count[NEXT_BREAK]
    loop.clock[TIME] = loop.breaks[k, AFTER]
    if k + 1 == len(loop.breaks):
        return False
    loop.count[NEXT_BREAK] = k + 1
    return loop.breaks[k, ANEW] > 0.0


@device
def normalize_quaternions(tables, q):
    for n in range(len(tables.nodes)):
        node = tables.nodes[n]
        if node.kind != GROUND and node.kind != POINT:
            store_quaternion(q, node.q + 3, normalized(load_quaternion(q, node.q + 3)))


@device
def hermite(loop, rate, h):
    """Cubic dense output from the states and rates at both ends."""
    for i in range(len(loop.y)):
        delta = loop.y[i] - loop.y_old[i]
        loop.F[0, i] = delta
        loop.F[1, i] = h * rate[0, i] - delta
        loop.F[2, i] = 2.0 * delta - h * (rate[0, i] + rate[1, i])
        for k in range(3, 7):
            loop.F[k, i] = 0.0


@device
def interpolate(loop, t, out):
    """State within the last step, from loop.y_old and loop.F."""
    interpolate_part(loop, t, out, 0, len(out))


@device
def interpolate_part(loop, t, out, first, last):
    """Its components from first on, before last."""
    h = loop.clock[OLD_STEP]
    s = 1.0 - (loop.clock[TIME] - t) / h
    for i in range(first, last):
        r = 1.0 - s
        f = loop.F[6, i] * s
        f = (f + loop.F[5, i]) * r
        f = (f + loop.F[4, i]) * s
        f = (f + loop.F[3, i]) * r
        f = (f + loop.F[2, i]) * s
        f = (f + loop.F[1, i]) * r
        out[i] = loop.y_old[i] + (f + loop.F[0, i]) * s


@device
def take_accounts(works, numerical, row):
    """Works and what the scheme took, beside the energies of a row."""
    for i in range(3):
        row[3 + i] = works[i]
    row[6] = numerical
    for i in range(3, N_POWERS):
        row[4 + i] = works[i]


@device
def record_state(tables, t, y, work, loop, record):
    """Write one output row, of a state like loop.y."""
    k, nq, nv = loop.count[NEXT_OUTPUT], len(loop.q), len(loop.v)
    q, v, a, works = record.q[k], record.v[k], record.a[k], y[len(y) - N_POWERS :]
    copy(y[:nq], q)
    copy(y[nq : nq + nv], v)
    at_step = abs(t - loop.clock[TIME]) <= 1e-6 * loop.clock[OLD_STEP]
    if len(tables.rows) > 0 and not (loop.count[AS_INTEGRATED] and at_step):
        project(tables, t, q, v, work, 0.0)
    if keeps_slip(loop):
        take_slip(tables, work, y, nq + nv)
    accelerations(tables, t, q, v, work, a, 0.0, 0.0)
    refine_reactions(tables, v, work, a)
    loop.count[EVALUATIONS] += 1
    for r in range(len(work.multiplier)):
        record.multiplier[k, tables.row_draft[r]] = work.multiplier[r]
    energies(tables, t, q, v, work, record.energy[k])
    for i in range(work.pair_count[0]):
        sum_contact(tables, i, work, record.contact[k])
    for g in range(len(tables.grips)):
        record_grip(tables, g, work, record.grip[k, g])
    clock = loop.clock
    part = (clock[TIME] - t) / clock[OLD_STEP] if clock[OLD_STEP] > 0.0 else 0.0
    take_accounts(works, clock[NUMERICAL] - part * (clock[NUMERICAL] - clock[OLD_NUMERICAL]), record.energy[k])
    for i in range(len(tables.tracked)):
        j = tables.tracked[i]
        c, rate, _, _, _, _, _ = measure(tables, j, work)
        record.value[k, i] = counted(tables, work, j, t, c)
        record.rate[k, i] = rate
    record.violation[k, 0] = largest(work.g)
    record.violation[k, 1] = largest(work.g_rate)
    loop.count[NEXT_OUTPUT] += 1


@device
def record_grip(tables, g, work, row):
    """Friction along the coordinates of a joint (of a ball in world axes), and what presses."""
    out = (work.grip_out[g, 0], work.grip_out[g, 1], work.grip_out[g, 2])
    if tables.grips[g].ball:
        out = rotate(work.R, tables.grips[g].a, out)
    else:
        s = tables.grips[g].scale
        out = (s[0] * out[0], s[1] * out[1], s[2] * out[2])
    row[0], row[1], row[2] = out[0], out[1], out[2]
    row[3] = work.grip_normal[g]
    if tables.grips[g].friction == LATCH:
        row[3] = 1.0 if work.grip_mode[g] == STICKS else 0.0


@device
def set_anchors(tables, t, work):
    """Count whole turns: remember every angle at an accepted state, where work is placed."""
    for i in range(len(tables.turning)):
        j = tables.turning[i]
        c, rate, _, _, _, _, _ = measure(tables, j, work)
        c = counted(tables, work, j, t, c)
        work.anchor[j, 0] = c
        work.anchor[j, 1] = rate
    work.anchor_time[0] = t


@device
def has_turned(tables, work, loop, anew):
    """Whether turns have to be counted: angles may have changed by as much as one since they last were, by the fastest
    node since; or rates are not those of then, by which angles are expected (counted): nodes have slowed down, or,
    `anew`, what acts on them has changed."""
    fastest = 0.0
    for n in range(len(tables.nodes)):
        node = tables.nodes[n]
        if node.kind != GROUND and node.kind != POINT:
            for k in range(node.v + 3, node.v + 6):
                fastest = max(fastest, abs(loop.v[k]))
    slower = fastest < SLOWED * loop.clock[FASTEST_TURN]
    since = max(fastest, loop.clock[FASTEST_TURN])
    if not (anew or slower or BOTH_SIDES * since * (loop.clock[TIME] - work.anchor_time[0]) >= 1.0):
        loop.clock[FASTEST_TURN] = since
        return False
    loop.clock[FASTEST_TURN] = fastest
    return True


@device
def set_anchors_at_start(tables, t, work):
    """Keep the turns counted so far; the rate is that of the start."""
    work.anchor_time[0] = t
    set_anchors(tables, t, work)


@device
def outputs_due(loop, record):
    k = loop.count[NEXT_OUTPUT]
    return k < len(record.time) and record.time[k] <= loop.clock[TIME] + 1e-14 * abs(loop.clock[TIME])


@device
def write_outputs(tables, work, loop, record, until):
    """Rows for all output times up to `until`, within the last step."""
    while loop.count[NEXT_OUTPUT] < len(record.time):
        t = record.time[loop.count[NEXT_OUTPUT]]
        if t > until + 1e-14 * abs(until):
            break
        t_in = min(t, loop.clock[TIME])
        interpolate(loop, t_in, loop.out)
        normalize_quaternions(tables, loop.out_q)
        record_state(tables, t_in, loop.out, work, loop, record)


@device
def note_violation(loop, g, g_rate):
    t = loop.clock[TIME]
    if not g <= loop.clock[WORST_G]:
        loop.clock[WORST_G] = g
        loop.clock[WORST_G_TIME] = t
    if not g_rate <= loop.clock[WORST_RATE]:
        loop.clock[WORST_RATE] = g_rate
        loop.clock[WORST_RATE_TIME] = t
