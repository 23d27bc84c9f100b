"""`explicit`: central differences with lumped masses, fixed step, order 2; for waves, snaps and very many elements.

solve.leapfrog tells the scheme. Steps are equal between two outputs and every output lies at the end of a step, so that
what is written is what was integrated. Works of loads are those of the mean force on the displacement of each step:
what the motion received exactly, however fast it vibrates. The scheme takes

    numerical = sum of h (f + f_next)/2 · v+  -  gain of kinetic energy

for all applied forces f. For springs and small rotations this is (h²/8) (sum m a² at the start - now): it does not grow
while the step is stable (solve.stable_step).
"""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

import numpy as np
from numpy import int64

from ..jit import device, kernel
from ..math.vec3 import dot, load3
from ..mechanics import linking
from ..mechanics.bars import add_bar
from ..mechanics.beams import add_beam
from ..mechanics.drags import add_drag
from ..mechanics.dynamics import constrain_accelerations, energies, free_acceleration, kinetic_energy
from ..mechanics.forces import load_wrench, put_weight
from ..mechanics.motion import is_free, place_nodes, position_rates
from ..mechanics.projection import copy
from ..mechanics.tables import DRIVES, FRAME, LOADS, N_POWERS, POINT, Tables, position_size, velocity_size
from .leapfrog import (
    drift_prescribed,
    kick_and_drift,
    meet_constraints,
    meet_rates,
    momenta_before,
    place,
    take_totals,
    velocities_from,
    work_of,
    work_of_loads,
)
from .ode import stop_at
from .status import DONE, NOT_FINITE, PAUSED, STEP_TOO_SMALL, STOPPED_BY_EVENT, UNSTABLE
from .steps import (
    AS_INTEGRATED,
    END,
    EVALUATIONS,
    FRESH,
    NEXT_OUTPUT,
    NUMERICAL,
    OLD_STEP,
    STEP,
    STEPS,
    TIME,
    find_events,
    note_violation,
    outputs_due,
    record_state,
    set_anchors,
    start_loop,
)

CHECK_EVERY = 64  # steps between looks at the energy
GROWN = 20.0  # kinetic and strain energy over all that was ever put in: unstable beyond
# places in Leap.options
LONGEST, HELD_UNTIL, WORK, KINETIC, BUDGET, LOWEST = range(6)
# places in Leap.power, after those of Work.power
ALONG_ROWS, OF_LOADS = N_POWERS, N_POWERS + 1


class Leap(NamedTuple):
    """Momenta between the steps and what the last evaluation found."""

    nodes: np.ndarray  # free nodes treated one by one
    placed: np.ndarray  # these and the prescribed ones and the ground
    row_nodes: np.ndarray  # nodes with constraints
    beams: np.ndarray  # elements treated one by one
    drags: np.ndarray
    half: np.ndarray  # (nv,) velocities and world angular momenta half a step before the last kick
    drift: np.ndarray  # (nv,) velocities and world angular velocities of the step
    a: np.ndarray  # (nv,) accelerations, body axes
    total: np.ndarray  # (nv,) accelerations and world moments with reactions
    applied: np.ndarray  # (nv,) forces and world moments without
    load: np.ndarray  # (loads, 6) forces and moments
    power: np.ndarray  # (2, 5) at the start and the end of the step
    rate: np.ndarray  # (2, n) of the state at both ends
    options: np.ndarray


def new_leap(t: Tables, step: float) -> Leap:
    """step [s]: the longest."""
    nq, nv, zeros = position_size(t), velocity_size(t), np.zeros
    free = np.isin(t.nodes["kind"], (POINT, FRAME))
    return Leap(
        nodes=np.flatnonzero(free), placed=np.arange(len(t.nodes)), row_nodes=np.unique(t.block_node),
        beams=np.arange(len(t.beams)), drags=np.arange(len(t.drags)), half=zeros(nv), drift=zeros(nv), a=zeros(nv),
        total=zeros(nv), applied=zeros(nv), load=zeros((len(t.loads), 6)), power=zeros((2, N_POWERS + 2)),
        rate=zeros((2, nq + nv + N_POWERS)), options=np.array([step, np.inf, 0.0, 0.0, 0.0, 0.0]),
    )  # fmt: skip


# -- forces -----------------------------------------------------------------------------------------------------------


@device
def apply(tables, t, s, work):
    """Forces on the placed nodes."""
    for k in range(N_POWERS):
        work.power[k] = 0.0
    for i in range(len(s.placed)):
        put_weight(tables, s.placed[i], work)
    if len(tables.loads) + len(tables.couplings) + len(tables.bushings) > 0:
        linking.add_model_forces(tables, t, work)
    for i in range(len(s.beams)):
        add_beam(tables, s.beams[i], work)
    for i in range(len(tables.bars)):
        add_bar(tables, i, work)
    for i in range(len(s.drags)):
        add_drag(tables, s.drags[i], work)


@device
def keep_loads(tables, t, s, work):
    """s.load <- loads now; the power they have at the foreseen velocities."""
    total = 0.0
    for i in range(len(tables.loads)):
        n = tables.loads[i].node
        force, moment = load_wrench(tables, i, t, work)
        for k in range(3):
            s.load[i, k] = force[k]
            s.load[i, 3 + k] = moment[k]
        if is_free(tables, n):
            total += dot(force, load3(work.v, n)) + dot(moment, load3(work.w, n))
    return total


@device
def evaluate(tables, t, loop, s, work):
    """Accelerations, totals, loads and powers at the state."""
    place(tables, t, loop, s, work)
    apply(tables, t, s, work)
    for i in range(len(s.placed)):
        free_acceleration(tables, s.placed[i], loop.v, work, s.a)
    along_rows = 0.0
    if len(tables.rows) > 0:
        along_rows = constrain_accelerations(tables, t, work, s.a, 0.0, 0.0)
    for k in range(N_POWERS):
        s.power[1, k] = work.power[k]
    s.power[1, DRIVES] += along_rows
    s.power[1, LOADS] -= keep_loads(tables, t, s, work)  # what is left: active laws
    s.power[1, ALONG_ROWS] = along_rows
    take_totals(tables, loop, s, work)
    loop.count[EVALUATIONS] += 1


# -- one step ---------------------------------------------------------------------------------------------------------


@device
def change_step(loop, s, h):
    """Momenta as if the last step had been h long."""
    ago = 0.5 * (loop.clock[OLD_STEP] - h)
    if ago != 0.0:
        for k in range(len(s.half)):
            s.half[k] += ago * s.total[k]


@device
def take_step(tables, work, loop, s, t, h):
    """To time t, one step on; works are put in full at its end."""
    change_step(loop, s, h)
    kick_and_drift(tables, loop, s, h)
    if len(tables.motions) > 0:
        drift_prescribed(tables, t, loop, work, h)
    if len(tables.rows) > 0:
        meet_constraints(tables, t, loop, s, work, h, 1e-14 * loop.scale[0])
        note_violation(loop, work.found[0], 0.0)
    done, by_loads = work_of(tables, s, s.applied), work_of_loads(tables, s)
    for k in range(N_POWERS + 2):
        s.power[0, k] = s.power[1, k]
    velocities_from(tables, loop, s, h)
    evaluate(tables, t, loop, s, work)
    done += work_of(tables, s, s.applied)
    by_loads += work_of_loads(tables, s)
    for k in range(N_POWERS):
        loop.works[k] += 0.5 * h * (s.power[0, k] + s.power[1, k])
    loop.works[LOADS] += 0.5 * h * by_loads
    s.options[WORK] += 0.5 * h * (done + s.power[0, ALONG_ROWS] + s.power[1, ALONG_ROWS])
    loop.clock[TIME] = t
    loop.clock[OLD_STEP] = h
    loop.count[STEPS] += 1


@device
def settle(tables, work, loop, s):
    """State at the end of the last step: velocities, and what the scheme took."""
    velocities_from(tables, loop, s, loop.clock[OLD_STEP])
    if len(tables.rows) > 0:
        meet_rates(tables, loop.clock[TIME], loop, s, work)
        note_violation(loop, 0.0, work.found[1])
    loop.clock[NUMERICAL] = s.options[WORK] - kinetic_energy(tables, loop.v) + s.options[KINETIC]


@device
def trouble(tables, work, loop, s):
    """Whether there is far more energy than was ever put in."""
    t = loop.clock[TIME]
    place_nodes(tables, t, loop.q, loop.v, work)
    e = loop.out_a
    if len(e) < 3:
        return PAUSED
    energies(tables, t, loop.q, loop.v, work, e)
    have = e[0] + e[2]
    if not np.isfinite(have):
        return NOT_FINITE
    put_in = s.options[BUDGET] + abs(loop.works[LOADS]) + abs(loop.works[DRIVES]) + max(0.0, s.options[LOWEST] - e[1])
    return UNSTABLE if have > GROWN * put_in + 1e-300 else PAUSED


# -- the loop ---------------------------------------------------------------------------------------------------------


@device
def next_stop(loop, record):
    """Time of the next output, or the end."""
    t = loop.clock[TIME]
    for k in range(loop.count[NEXT_OUTPUT], len(record.time)):
        if record.time[k] > t + 1e-12 * abs(t):
            return min(record.time[k], loop.clock[END])
    return loop.clock[END]


@device
def begin(tables, work, loop, s, record):
    """First output, accelerations, and the energy there is."""
    start_loop(tables, work, loop, record)
    evaluate(tables, loop.clock[TIME], loop, s, work)
    loop.clock[OLD_STEP] = s.options[LONGEST]
    momenta_before(tables, loop, s, s.options[LONGEST])
    if len(loop.out_a) >= 3:
        energies(tables, loop.clock[TIME], loop.q, loop.v, work, loop.out_a)
        s.options[BUDGET], s.options[LOWEST] = loop.out_a[0] + loop.out_a[2], loop.out_a[1]
    s.options[KINETIC] = kinetic_energy(tables, loop.v) + loop.clock[NUMERICAL]
    loop.count[FRESH] = 0
    loop.count[AS_INTEGRATED] = 1


@device
def put_rates(tables, loop, s, end):
    """Rates of the state at one end of the step, for the dense output."""
    nq, nv = len(loop.q), len(loop.v)
    position_rates(tables, loop.q, loop.v, s.rate[end, :nq])
    for k in range(nv):
        s.rate[end, nq + k] = s.a[k]
    for k in range(N_POWERS):
        s.rate[end, nq + nv + k] = s.power[1, k]


@device
def dense(loop, s, h):
    """Cubic from the states and rates at both ends."""
    for i in range(len(loop.y)):
        delta = loop.y[i] - loop.y_old[i]
        loop.F[0, i] = delta
        loop.F[1, i] = h * s.rate[0, i] - delta
        loop.F[2, i] = 2.0 * delta - h * (s.rate[0, i] + s.rate[1, i])
        for k in range(3, 7):
            loop.F[k, i] = 0.0


@device
def visit(tables, work, loop, s, record):
    """Output and check at the end of a step whose state is settled; a code."""
    while outputs_due(loop, record):
        copy(loop.y, loop.out)
        t = loop.clock[TIME]
        record_state(tables, t, loop.out_q, loop.out_v, loop.works, loop.out_a, work, loop, record)
    return trouble(tables, work, loop, s)


@device
def step_length(loop, s, record):
    """(h, end of the step): equal steps to the next output."""
    t, stop = loop.clock[TIME], next_stop(loop, record)
    count = max(1.0, ceil((stop - t) / s.options[LONGEST] * (1.0 - 1e-9)))
    h = (stop - t) / count
    if abs(h - loop.clock[STEP]) < 1e-9 * h:
        h = loop.clock[STEP]  # the same but for rounding
    return h, stop if count == 1.0 else t + h


@device
def advance(tables, work, loop, s, record, max_steps):
    clock, count = loop.clock, loop.count
    if max_steps == 0:
        return PAUSED
    if count[FRESH]:
        begin(tables, work, loop, s, record)
    watched = len(tables.watches) > 0
    for i in range(max_steps):
        if clock[TIME] >= clock[END]:
            return DONE
        if clock[TIME] >= s.options[HELD_UNTIL]:
            return PAUSED
        h, t = step_length(loop, s, record)
        if h <= 4e-16 * max(abs(t), abs(clock[END])):
            return STEP_TOO_SMALL
        clock[STEP] = h
        if watched:
            copy(loop.y, loop.y_old)
            put_rates(tables, loop, s, int64(0))
        take_step(tables, work, loop, s, t, h)
        due = outputs_due(loop, record) or t >= clock[END]
        last = i == max_steps - 1 or t >= s.options[HELD_UNTIL]
        if watched or due or last or count[STEPS] % CHECK_EVERY == 0:
            settle(tables, work, loop, s)
            if watched:
                put_rates(tables, loop, s, int64(1))
                dense(loop, s, h)
                stop = find_events(tables, work, loop, record)
                if stop >= 0.0:
                    stop_at(tables, work, loop, stop)
                    return STOPPED_BY_EVENT
            code = visit(tables, work, loop, s, record)
            if code != PAUSED:
                return code
        if len(tables.turning) > 0:
            place(tables, t, loop, s, work)
            set_anchors(tables, t, work)
    return PAUSED


@kernel
def run(tables, work, loop, leap, record, max_steps):
    """Advance until the end, a stopping event, trouble, or max_steps steps."""
    return advance(tables, work, loop, leap, record, max_steps)
