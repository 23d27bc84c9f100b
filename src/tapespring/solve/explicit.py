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
from ..mechanics.chains import AHEAD, AHEAD_W, SHARP, V
from ..mechanics.drags import add_drag
from ..mechanics.dynamics import constrain_accelerations, energies, free_acceleration
from ..mechanics.forces import load_wrench, put_weight
from ..mechanics.motion import is_free, load_quaternion, place_nodes, position_rates, turned_back
from ..mechanics.projection import copy
from ..mechanics.tables import (
    DISSIPATED,
    DRIVES,
    FRAME,
    LOADS,
    N_POWERS,
    POINT,
    Tables,
    position_size,
    velocity_size,
)
from .chain_layout import Chains, new_chains
from .chain_moves import add_chain_forces, copy_neighbours, is_damped, put_held, put_owned, take_owned
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
from .status import DONE, PAUSED, STEP_TOO_SMALL, STOPPED_BY_EVENT, UNSTABLE
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
from .team import helper, sweep_all

CHECK_EVERY, CHECK_CHAINS_EVERY = 64, 1024  # steps between looks at the energy
TOO_SHARP = -2  # returned where sections are turned too far for mechanics.chains
GROWN = 20.0  # kinetic and strain energy over all that was ever put in: unstable beyond
# places in Leap.options
LONGEST, HELD_UNTIL, WORK, KINETIC, BUDGET, LOWEST, EVALUATED, NUMERICAL_OWNED, STEPS_LEFT = range(9)
# places in Leap.power, after those of Work.power
ALONG_ROWS = N_POWERS


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
    power: np.ndarray  # (4,) of Work.power at the last evaluation without loads, and of drives along constraints
    rate: np.ndarray  # (2, n) of the state at both ends
    options: np.ndarray


class Scheme(NamedTuple):
    """Three views of one motion, for Python to hold together."""

    leap: Leap  # the nodes treated one by one
    whole: Leap  # all nodes, the same arrays otherwise
    chains: Chains


def new_scheme(t: Tables, q: np.ndarray, step: float, threads: int = 1, fast: bool = True) -> Scheme:
    """step [s]: the longest; fast: with the pass of mechanics.chains."""
    nq, nv, zeros = position_size(t), velocity_size(t), np.zeros
    chains, loners = new_chains(t, q, threads, fast)
    one_by_one = np.setdiff1d(np.arange(len(t.nodes)), chains.owned[:, 0])
    free = np.isin(t.nodes["kind"], (POINT, FRAME))
    whole = Leap(
        nodes=np.flatnonzero(free), placed=np.arange(len(t.nodes)), row_nodes=np.unique(t.block_node),
        beams=np.arange(len(t.beams)), drags=np.arange(len(t.drags)), half=zeros(nv), drift=zeros(nv), a=zeros(nv),
        total=zeros(nv), applied=zeros(nv), load=zeros((len(t.loads), 6)), power=zeros(N_POWERS + 1),
        rate=zeros((2, nq + nv + N_POWERS)), options=np.array([step, np.inf] + [0.0] * 7),
    )  # fmt: skip
    drags = np.flatnonzero(np.isin(t.drags["node"], one_by_one))
    leap = whole._replace(nodes=one_by_one[free[one_by_one]], placed=one_by_one, beams=loners, drags=drags)
    return Scheme(leap, whole, chains)


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
def evaluate(tables, t, loop, s, chains, chained, work):
    """Accelerations, totals, loads and powers at the state; chained: with the forces the last pass found."""
    place(tables, t, loop, s, work)
    apply(tables, t, s, work)
    if chained:
        add_chain_forces(tables, chains, work, loop.clock[OLD_STEP])
        for k in range(len(chains.found)):
            work.power[DISSIPATED] += chains.found[k, 1]
    for i in range(len(s.placed)):
        free_acceleration(tables, s.placed[i], loop.v, work, s.a)
    along_rows = 0.0
    if len(tables.rows) > 0:
        along_rows = constrain_accelerations(tables, t, work, s.a, 0.0, 0.0)
    for k in range(N_POWERS):
        s.power[k] = work.power[k]
    s.power[DRIVES] += along_rows
    s.power[LOADS] -= keep_loads(tables, t, s, work)  # what is left: active laws
    s.power[ALONG_ROWS] = along_rows
    take_totals(tables, loop, s, work)
    loop.count[EVALUATIONS] += 1


# -- one step ---------------------------------------------------------------------------------------------------------


@device
def account(tables, loop, s, h):
    """Works over half the step h, with the forces of the last evaluation and the velocities of the drift."""
    for k in range(N_POWERS):
        loop.works[k] += 0.5 * h * s.power[k]
    loop.works[LOADS] += 0.5 * h * work_of_loads(tables, s)
    s.options[WORK] += 0.5 * h * (work_of(tables, s, s.applied) + s.power[ALONG_ROWS])


@device
def pass_chains(tables, chains, h):
    """Forces of all chains, and their own nodes a step on."""
    copy_neighbours(chains)
    sweep_all(tables, chains, h)


@device
def sharpest(chains):
    turn = 0.0
    for k in range(len(chains.ranges)):
        turn = max(turn, chains.found[k, 0])
    return turn


@device
def change_step(tables, loop, s, chains, work, h):
    """Momenta as if the last step had been h long, in the chains too; all nodes have been evaluated."""
    ago = 0.5 * (loop.clock[OLD_STEP] - h)
    for k in range(len(s.half)):
        s.half[k] += ago * s.total[k]
    s.options[NUMERICAL_OWNED] += 0.125 * (h * h - loop.clock[OLD_STEP] ** 2) * squares(tables, s, chains)
    loop.clock[OLD_STEP] = h
    if len(chains.ranges) > 0:
        place_nodes(tables, loop.clock[TIME], loop.q, loop.v, work)
        put_owned(tables, chains, loop.q, s.half, work, h)
        put_held(tables, chains, loop.q, work)


@device
def squares(tables, s, chains):
    """Sum of m a² and of moments' m J⁻¹ m over the nodes that chains move."""
    total = 0.0
    for i in range(len(chains.owned)):
        node = tables.nodes[chains.owned[i, 0]]
        J, v = node.inertia, node.v
        for k in range(3):
            total += node.mass * s.a[v + k] ** 2 + J[k] * s.a[v + 3 + k] ** 2
    return total


@device
def take_step(tables, work, loop, s, chains, t, h):
    """From the state, evaluated or not, to the next at time t."""
    chained = len(chains.ranges) > 0
    if h != loop.clock[OLD_STEP]:
        change_step(tables, loop, s, chains, work, h)
    if chained:
        pass_chains(tables, chains, h)
    if s.options[EVALUATED] == 0.0:
        evaluate(tables, loop.clock[TIME], loop, s, chains, chained, work)
        account(tables, loop, s, h)
    kick_and_drift(tables, loop, s, h)
    if len(tables.motions) > 0:
        drift_prescribed(tables, t, loop, work, h)
    if len(tables.rows) > 0:
        meet_constraints(tables, t, loop, s, work, h, 1e-14 * loop.scale[0])
    loop.clock[TIME] = t
    if len(tables.rows) > 0:
        note_violation(loop, work.found[0], 0.0)
    account(tables, loop, s, h)
    velocities_from(tables, loop, s, h)
    if chained:
        place(tables, t, loop, s, work)
        put_held(tables, chains, loop.q, work)
    s.options[EVALUATED] = 0.0
    loop.count[STEPS] += 1


@device
def settle(tables, work, loop, s, whole, chains):
    """State at the end of the last step: accelerations, velocities, and what the scheme took."""
    t, h = loop.clock[TIME], loop.clock[OLD_STEP]
    if s.options[EVALUATED] == 0.0:
        if len(chains.ranges) > 0:
            take_owned(tables, chains, loop.q, s.half)
            take_ahead(tables, chains, loop)
        evaluate(tables, t, loop, whole, chains, False, work)
        account(tables, loop, s, h)
        s.options[EVALUATED] = 1.0
    velocities_from(tables, loop, whole, h)
    if len(tables.rows) > 0:
        meet_rates(tables, t, loop, s, work)
        note_violation(loop, 0.0, work.found[1])
    owned = s.options[NUMERICAL_OWNED] - 0.125 * h * h * squares(tables, s, chains)
    loop.clock[NUMERICAL] = s.options[WORK] - kinetic_of(tables, loop.v, s) + s.options[KINETIC] + owned


@device
def take_ahead(tables, chains, loop):
    """Velocities foreseen by the pass, where there is damping; else those of half a step ago will do."""
    for i in range(len(chains.owned)):
        node = tables.nodes[chains.owned[i, 0]]
        row, l, j = chains.owned[i, 1], chains.owned[i, 2], node.v
        at, p = AHEAD if is_damped(chains) else V, load_quaternion(loop.q, node.q + 3)
        for k in range(3):
            loop.v[j + k] = chains.state[row, at + k, l]
        w = (0.0, 0.0, 0.0)
        if is_damped(chains):
            w = turned_back(
                p, (chains.state[row, AHEAD_W, l], chains.state[row, AHEAD_W + 1, l], chains.state[row, AHEAD_W + 2, l])
            )
        for k in range(3):
            loop.v[j + 3 + k] = w[k]


@device
def kinetic_of(tables, v, s):
    """Kinetic energy of the nodes treated one by one."""
    total = 0.0
    for i in range(len(s.nodes)):
        node = tables.nodes[s.nodes[i]]
        J, j = node.inertia, node.v
        for k in range(3):
            total += 0.5 * node.mass * v[j + k] ** 2
            if node.kind == FRAME:
                total += 0.5 * J[k] * v[j + 3 + k] ** 2
    return total


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
        return UNSTABLE
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
def begin(tables, work, loop, s, whole, chains, record):
    """First output, accelerations, and the energy there is."""
    start_loop(tables, work, loop, record)
    t, h = loop.clock[TIME], s.options[LONGEST]
    evaluate(tables, t, loop, whole, chains, False, work)
    if len(loop.out_a) >= 3:
        energies(tables, t, loop.q, loop.v, work, loop.out_a)
        s.options[BUDGET], s.options[LOWEST] = loop.out_a[0] + loop.out_a[2], loop.out_a[1]
    s.options[WORK], s.options[NUMERICAL_OWNED], s.options[STEPS_LEFT] = 0.0, 0.0, 0.0
    loop.clock[OLD_STEP], loop.clock[STEP] = 0.0, h
    s.options[KINETIC] = kinetic_of(tables, loop.v, s) + loop.clock[NUMERICAL]
    momenta_before(tables, loop, whole, 0.0)
    change_step(tables, loop, s, chains, work, h)
    s.options[EVALUATED] = 1.0
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
        s.rate[end, nq + nv + k] = s.power[k]


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
    if s.options[STEPS_LEFT] == 0.0:
        s.options[STEPS_LEFT] = max(1.0, ceil((stop - t) / s.options[LONGEST] * (1.0 - 1e-9)))
        h = (stop - t) / s.options[STEPS_LEFT]
        if abs(h - loop.clock[STEP]) > 1e-9 * h:  # else the same but for rounding
            loop.clock[STEP] = h
    s.options[STEPS_LEFT] -= 1.0
    return loop.clock[STEP], stop if s.options[STEPS_LEFT] == 0.0 else t + loop.clock[STEP]


@device
def finish_step(tables, work, loop, s, whole, chains, record, h):
    """Settle the state, find events, write and check; a code."""
    settle(tables, work, loop, s, whole, chains)
    if len(tables.watches) > 0:
        put_rates(tables, loop, s, int64(1))
        dense(loop, s, h)
        stop = find_events(tables, work, loop, record)
        if stop >= 0.0:
            stop_at(tables, work, loop, stop)
            return STOPPED_BY_EVENT
    code = visit(tables, work, loop, s, record)
    if code == PAUSED and len(chains.ranges) > 0 and sharpest(chains) > SHARP:
        return TOO_SHARP
    return code


@device
def advance(tables, work, loop, s, whole, chains, record, max_steps):
    clock, count = loop.clock, loop.count
    if max_steps == 0:
        return PAUSED
    if count[FRESH]:
        begin(tables, work, loop, s, whole, chains, record)
    watched, chained = len(tables.watches) > 0, len(chains.ranges) > 0
    every = CHECK_CHAINS_EVERY if chained else CHECK_EVERY
    for i in range(max_steps):
        if clock[TIME] >= clock[END]:
            return DONE
        if clock[TIME] >= s.options[HELD_UNTIL]:
            return PAUSED
        h, t = step_length(loop, s, record)
        if h <= 4e-16 * max(abs(t), abs(clock[END])):
            return STEP_TOO_SMALL
        if watched:
            copy(loop.y, loop.y_old)
            put_rates(tables, loop, s, int64(0))
        take_step(tables, work, loop, s, chains, t, h)
        due = outputs_due(loop, record) or t >= clock[END] or t >= s.options[HELD_UNTIL]
        sharp = chained and sharpest(chains) > SHARP
        if watched or due or sharp or i == max_steps - 1 or count[STEPS] % every == 0:
            code = finish_step(tables, work, loop, s, whole, chains, record, h)
            if code != PAUSED:
                return code
        if len(tables.turning) > 0:
            place(tables, t, loop, s, work)
            set_anchors(tables, t, work)
    return PAUSED


@kernel
def run_kernel(tables, work, loop, leap, whole, chains, record, max_steps):
    return advance(tables, work, loop, leap, whole, chains, record, max_steps)


def run(tables, work, loop, scheme: Scheme, record, max_steps: int) -> int:
    """Advance until the end, a stopping event, trouble, or max_steps steps."""
    with helper(tables, scheme.chains):
        return run_kernel(tables, work, loop, scheme.leap, scheme.whole, scheme.chains, record, max_steps)
