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
from ..mechanics.broad_phase import FULL
from ..mechanics.chains import SHARP
from ..mechanics.core import link_patches
from ..mechanics.dynamics import energies
from ..mechanics.linking import PATCHES, watch_near
from ..mechanics.motion import place_nodes, position_rates
from ..mechanics.pair_memory import BY_RATE
from ..mechanics.projection import copy
from ..mechanics.tables import (
    DRIVES,
    FRAME,
    LOADS,
    MOVING_POSE,
    MOVING_TWIST,
    N_POWERS,
    POINT,
    Tables,
    position_size,
    untouched,
    velocity_size,
)
from ..mechanics.touching import too_deep
from .chain_layout import Chains, new_chains
from .events import find_events, room_needed, start_loop
from .explicit_step import (
    BUDGET,
    CROWDED,
    EVALUATED,
    HELD_UNTIL,
    KINETIC,
    LONGEST,
    LOWEST,
    NUMERICAL_OWNED,
    SLIP,
    STEPS_LEFT,
    WORK,
    Leap,
    change_step,
    evaluate,
    kinetic_of,
    settle,
    sharpest,
    take_step,
)
from .leapfrog import momenta_before, place
from .ode import stop_at
from .patch_layout import new_patches
from .status import DONE, PAUSED, STEP_TOO_SMALL, STOPPED_BY_EVENT, TOO_DEEP, UNSTABLE
from .steps import (
    AS_INTEGRATED,
    END,
    FRESH,
    NEXT_OUTPUT,
    NUMERICAL,
    OLD_STEP,
    STEP,
    STEPS,
    TIME,
    outputs_due,
    pass_break,
    record_state,
    set_anchors,
    step_limits,
)
from .team import helper
from .trace import trace_state
from .works import elastic_slip

CHECK_EVERY, CHECK_CHAINS_EVERY = 64, 1024  # steps between looks at the energy
TOO_SHARP = -2  # returned where sections are turned too far for mechanics.chains
TOO_CROWDED = -3  # returned where there is no room for all pairs near each other
GROWN = 20.0  # kinetic and strain energy over all that was ever put in: unstable beyond


class Scheme(NamedTuple):
    """Three views of one motion, for Python to hold together."""

    leap: Leap  # the nodes treated one by one
    whole: Leap  # all nodes, the same arrays otherwise
    chains: Chains


def new_scheme(t: Tables, q: np.ndarray, step: float, threads: int = 1, fast: bool = True) -> Scheme:
    """step [s]: the longest; fast: with the pass of mechanics.chains."""
    nq, nv, zeros = position_size(t), velocity_size(t), np.zeros
    chains, loners = new_chains(t, q, threads, fast)
    patches = new_patches(t, fast)
    resisting, watched = nv if patches["ahead"][0] else 0, nq + nv + N_POWERS if len(t.watches) else 0
    one_by_one = np.setdiff1d(np.arange(len(t.nodes)), np.concatenate((chains.owned[:, 0], patches["owned"])))
    free = np.isin(t.nodes["kind"], (POINT, FRAME))
    nodes, total = one_by_one[free[one_by_one]], zeros(nv)
    a = zeros(nv) if len(t.watches) or len(chains.owned) else total
    whole = Leap(
        nodes=np.flatnonzero(free), placed=np.arange(len(t.nodes)), counted=nodes,
        prescribed=np.flatnonzero(np.isin(t.nodes["kind"], (MOVING_POSE, MOVING_TWIST))),
        row_nodes=np.unique(t.block_node),
        beams=np.arange(len(t.beams)), drags=np.arange(len(t.drags)),
        **patches, half=zeros(nv), drift=untouched(nv), a=a,
        total=total, applied=untouched(nv), resisting=zeros(resisting), lost=zeros((2, nv if len(t.contacts) else 0)),
        load=zeros((len(t.loads), 6)), power=zeros(N_POWERS + 1),
        rate=zeros((2, watched)), options=np.array([step, np.inf] + [0.0] * 9),
    )  # fmt: skip
    drags = np.flatnonzero(~np.isin(t.drags["node"], chains.owned[:, 0]))
    leap = whole._replace(nodes=nodes, placed=one_by_one, beams=loners, drags=drags)
    return Scheme(leap, whole, chains)


@device
def energy_of_kicks(tables, s, h):
    """What loads give to nodes at rest within the longest step: works of loads that have just begun lag behind."""
    total = 0.0
    for i in range(len(tables.loads)):
        mass = tables.nodes[tables.loads[i].node].mass
        if mass > 0.0:
            for k in range(3):
                total += 0.5 * (h * s.load[i, k]) ** 2 / mass
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
    put_in += energy_of_kicks(tables, s, s.options[LONGEST])
    return UNSTABLE if have > GROWN * put_in + 1e-300 else PAUSED


# -- the loop ---------------------------------------------------------------------------------------------------------


@device
def next_stop(loop, record):
    """Time of the next output or break."""
    t, until = loop.clock[TIME], step_limits(loop)[0]
    for k in range(loop.count[NEXT_OUTPUT], len(record.time)):
        if record.time[k] > t + 1e-12 * abs(t):
            return until if record.time[k] > until - 1e-12 * abs(until) else record.time[k]
    return until


@device
def begin(tables, work, loop, s, whole, chains, record):
    """First output, accelerations, and the energy there is; False if there is no room for pairs."""
    t = loop.clock[TIME]
    if len(work.pairs) > 0:
        work.contact_step[0], work.contact_step[1] = BY_RATE, 0.0
    place_nodes(tables, t, loop.q, loop.v, work)
    if not pairs_known(tables, work):
        return False
    s.options[SLIP] = elastic_slip(tables, work, work.pair_memory, 1)
    start_loop(tables, work, loop, record)
    set_off(tables, work, loop, s, whole, chains)
    if len(loop.out_a) >= 3:
        energies(tables, t, loop.q, loop.v, work, loop.out_a)
        s.options[BUDGET], s.options[LOWEST] = loop.out_a[0] + loop.out_a[2], loop.out_a[1]
    loop.count[FRESH] = 0
    loop.count[AS_INTEGRATED] = 1
    return True


@device
def set_off(tables, work, loop, s, whole, chains):
    """Accelerations at the present state, and momenta half a step before it."""
    t, h = loop.clock[TIME], s.options[LONGEST]
    loop.clock[OLD_STEP] = 0.0  # nothing has slipped since the last evaluation
    place(tables, t, loop, whole, work)
    evaluate(tables, t, loop, whole, chains, False, work)
    s.options[WORK], s.options[NUMERICAL_OWNED], s.options[STEPS_LEFT] = 0.0, 0.0, 0.0
    loop.clock[STEP] = h
    s.options[KINETIC] = kinetic_of(tables, loop.v, s) + loop.clock[NUMERICAL]
    momenta_before(tables, loop, whole, 0.0)
    change_step(tables, loop, s, chains, work, h)
    s.options[EVALUATED] = 1.0


@device
def pairs_known(tables, work):
    """Whether all pairs near each other are known; False if there is no room for them."""
    if len(tables.members) > 0:
        watch_near(tables, work)
        return work.near_moved[FULL] == 0.0
    return True


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
def visit(tables, work, loop, s, record, checked):
    """Output, and if so told a check, at the end of a step whose state is settled; a code."""
    while outputs_due(loop, record):
        record_state(tables, loop.clock[TIME], loop.y, work, loop, record)
    return trouble(tables, work, loop, s) if checked else PAUSED


@device
def step_length(loop, s, record):
    """(h, end of the step): equal steps to the next output."""
    t, stop = loop.clock[TIME], next_stop(loop, record)
    if s.options[STEPS_LEFT] == 0.0:
        longest = min(s.options[LONGEST], step_limits(loop)[1])
        s.options[STEPS_LEFT] = max(1.0, ceil((stop - t) / longest * (1.0 - 1e-9)))
        h = (stop - t) / s.options[STEPS_LEFT]
        if abs(h - loop.clock[STEP]) > 1e-9 * h:  # else the same but for rounding
            loop.clock[STEP] = h
    s.options[STEPS_LEFT] -= 1.0
    return loop.clock[STEP], stop if s.options[STEPS_LEFT] == 0.0 else t + loop.clock[STEP]


@device
def finish_step(tables, work, loop, s, whole, chains, record, h, checked, alone):
    """Settle the state, find events, write and check; a code. alone: the state before was left a step ago."""
    settle(tables, work, loop, s, whole, chains)
    if len(tables.watches) > 0:
        put_rates(tables, loop, s, int64(1))
        dense(loop, s, h)
        stop = find_events(tables, work, loop, record)
        if stop >= 0.0:
            stop_at(tables, work, loop, stop)
            return STOPPED_BY_EVENT
    code = visit(tables, work, loop, s, record, checked)
    trace_state(tables, work, loop, record, 0.0 if alone else -1.0)
    if code == PAUSED and too_deep(work):
        return TOO_DEEP
    if code == PAUSED and len(chains.ranges) > 0 and sharpest(chains) > SHARP:
        return TOO_SHARP
    return code


@device
def advance(tables, work, loop, s, whole, chains, record, max_steps):
    clock, count = loop.clock, loop.count
    if max_steps == 0:
        return PAUSED
    if count[FRESH] and not begin(tables, work, loop, s, whole, chains, record):
        return TOO_CROWDED
    watched, chained = len(tables.watches) > 0, len(chains.ranges) > 0
    # without the fast passes settling costs next to nothing, and every step leaves its state
    alone = not chained and len(s.owned) == 0 and len(record.step_time) > 0
    every = CHECK_CHAINS_EVERY if chained or len(s.owned) > 0 else CHECK_EVERY
    for i in range(max_steps):
        if s.options[CROWDED] == 0.0:
            if clock[END] - clock[TIME] <= 4e-16 * abs(clock[END]):  # the last output may lie a rounding before the end
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
        if not pairs_known(tables, work):
            s.options[CROWDED] = 1.0
            return TOO_CROWDED
        s.options[CROWDED] = 0.0
        h, t = clock[OLD_STEP], clock[TIME]
        at_break = t >= step_limits(loop)[0]
        due = outputs_due(loop, record) or t >= clock[END] or t >= s.options[HELD_UNTIL]
        sharp, full = chained and sharpest(chains) > SHARP, room_needed(loop, record)
        checked = watched or due or sharp or full or i == max_steps - 1 or count[STEPS] % every == 0
        if checked or at_break or alone:
            code = finish_step(tables, work, loop, s, whole, chains, record, h, checked, alone)
            if code != PAUSED:
                return code
        if at_break and pass_break(loop):
            set_off(tables, work, loop, s, whole, chains)
        if full:
            return PAUSED
        if len(tables.turning) > 0:
            place(tables, t, loop, s, work)
            set_anchors(tables, t, work)
    return PAUSED


@kernel
def run_kernel(tables, work, loop, leap, whole, chains, record, max_steps):
    return advance(tables, work, loop, leap, whole, chains, record, max_steps)


def run(tables, work, loop, scheme: Scheme, record, max_steps: int) -> int:
    """Advance until the end, a stopping event, trouble, or max_steps steps."""
    s = scheme.leap
    work.apart[0] = len(scheme.chains.ranges) == 0 and s.ahead[0] > 0  # the nodes of chains have no drift here
    if len(s.shells) + len(s.quads) + len(s.triangles) and not work.core[PATCHES]:
        link_patches(tables, work)
    with helper(tables, scheme.chains):
        return run_kernel(tables, work, loop, scheme.leap, scheme.whole, scheme.chains, record, max_steps)
