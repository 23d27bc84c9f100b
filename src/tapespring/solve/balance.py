"""Balance of forces at rest by Newton's method, at a given time or a given way along the path of equilibria.

    r = -f(t, q) + G' multiplier = 0,    g(t, q) = 0,    and either t given or  direction . (travel, t - t0) = way

Full corrections first: members much stiffer along than across are stretched by a large turn, and the next correction
takes that back, so that forces and energy may well grow on the way; only if none is shorter than all before for a while
has it failed. Then corrections may be damped by Deuflhard's natural test: with the same factors, the next one has to be
shorter. Near the end, while corrections shrink fast, the factors are kept, and those made at a balanced place serve for
its stability, for the path's tangent there and for the first correction of the next increment.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy import int64

from ..jit import device, kernel
from ..mechanics import tables as tb
from ..mechanics.constraints import evaluate_rows
from ..mechanics.forces import apply_forces
from ..mechanics.linking import accept_contacts, accept_grips, begin_contacts, begin_stepped_grips, press_grips
from ..mechanics.mixed import foresee_stress
from ..mechanics.motion import place_nodes
from ..mechanics.pair_memory import BY_PLACE
from ..mechanics.projection import clear, copy, retract
from ..mechanics.tangent import out_of_balance
from .augmented import augment
from .equations import add_tangent, link_implicit
from .kkt import kkt_factor, kkt_solve, unstable_motions
from .steps import set_anchors

MOST_ITERATIONS = 30
PATIENCE = 4  # corrections in a row, none of them the smallest so far: Newton's method has lost its way
LONGEST = 1.5  # rad or model sizes in one correction
SHORTEST = 1e-3  # a step damped more than this has failed
FAST = 0.1  # corrections that shrink by this keep their factors
NEAR = 1e-3  # corrections below this may be made with old factors
STEADY = 1e-6  # of the reactions: changes of forces below this leave the factors as they are
ROUNDING = 1e-7  # corrections below this that no longer shrink are rounding

# what `find_balance` returns
BALANCED, NOT_BALANCED, SINGULAR = 0, 1, 2
# places in Balance.clock
TIME, START, WAY, DIFFERENCE, TOLERANCE, LAST_CORRECTION, UNBALANCED, FORCES = range(8)
# places in Balance.count
ITERATIONS, FACTORIZATIONS, EVALUATIONS, BORDERED, AT_HAND, UNSTABLE, TURNS_FREELY = range(7)
# count[AT_HAND]: what has been made at the present place, or too near to it to make a difference
NOTHING, FACTORS, SLOPE = 0, 1, 2


class Balance(NamedTuple):
    """A place, the corrections on the way to it, and scratch."""

    q: np.ndarray
    multiplier: np.ndarray
    old_q: np.ndarray  # before the correction at hand
    old_multiplier: np.ndarray
    travel: np.ndarray  # (nv,) sum of corrections of this increment
    free: np.ndarray  # (nv,) a motion that nothing resists, if it TURNS_FREELY
    old_travel: np.ndarray
    step: np.ndarray  # (nv + rows,) correction
    following: np.ndarray  # (nv + rows,) the next one, by the same factors
    by_time: np.ndarray  # (nv + rows,) change of the place per second of time
    direction: np.ndarray  # (nv + 1,) of the path, when bordered
    weight: np.ndarray  # (nv,) one over the size of a displacement
    rest: np.ndarray  # (nv,) zeros: velocities and accelerations
    speed: np.ndarray  # (nv,) scratch for velocities of prescribed nodes
    left: np.ndarray  # (nv,) scratch
    clock: np.ndarray
    count: np.ndarray  # type: ignore[assignment]  # a tuple's own count() is not used


def new_balance(t: tb.Tables, work: tb.Work, q, multiplier, length: float, tolerance: float) -> Balance:
    link_implicit(t, work)
    nv, nr = tb.velocity_size(t), len(t.rows)
    weight = np.ones(nv)
    weight[t.nodes["v"][t.nodes["kind"] != tb.GROUND][:, None] + np.arange(3)] = 1.0 / length
    zeros = np.zeros
    clock = zeros(8)
    clock[TOLERANCE], clock[DIFFERENCE] = tolerance, 1e-6
    return Balance(
        q=np.array(q, float), multiplier=np.array(multiplier, float), old_q=np.array(q, float),
        old_multiplier=zeros(nr), travel=zeros(nv), free=zeros(nv), old_travel=zeros(nv),
        step=zeros(nv + nr), following=zeros(nv + nr), by_time=zeros(nv + nr), direction=zeros(nv + 1),
        weight=weight, rest=zeros(nv), speed=zeros(nv), left=zeros(nv), clock=clock, count=zeros(8, np.int64),
    )  # fmt: skip


@device
def weigh(tables, t, s, work, out):
    """out <- (r, g) at the present place, nothing moving; notes the size of the forces and of what is left of them."""
    place_nodes(tables, t, s.q, s.speed, work)
    for n in range(len(tables.nodes)):
        for k in range(3):
            work.v[n, k] = 0.0
            work.w[n, k] = 0.0
    if len(tables.grips) > 0:
        press_grips(tables, work, s.multiplier)
    apply_forces(tables, t, work)
    evaluate_rows(tables, t, work)
    out_of_balance(tables, s.rest, s.rest, s.multiplier, work, s.left)
    nv = len(s.left)
    size, left = 0.0, 0.0
    for n in range(len(tables.nodes)):
        for k in range(3):
            size = max(size, abs(work.force[n, k]))
    for i in range(nv):
        out[i] = s.left[i]
        left = max(left, abs(s.left[i])) if abs(s.left[i]) < 1e300 else np.inf
    for r in range(len(s.multiplier)):
        out[nv + r] = work.g[r]
        size = max(size, abs(s.multiplier[r]))
    s.clock[FORCES] = max(s.clock[FORCES], size)
    s.clock[UNBALANCED] = left
    s.count[EVALUATIONS] += 1


@device
def size_of(s, d):
    """Largest weighted displacement of a correction."""
    big = 0.0
    for i in range(len(s.weight)):
        e = abs(d[i]) * s.weight[i]
        if not e <= big:
            big = e
    return big


@device
def leave_out_free_turn(s, d):
    """A displacement without its part along s.free, which rounding alone determines."""
    if s.count[TURNS_FREELY] == 0:
        return
    along, size = 0.0, 0.0
    for i in range(len(s.weight)):
        w = s.weight[i] * s.free[i]
        along += w * s.weight[i] * d[i]
        size += w * w
    for i in range(len(s.weight)):
        d[i] -= along / size * s.free[i]


@device
def follow_time(tables, s, kkt, work):
    """by_time <- how the place changes with time: -K^-1 dr/dt, by a central difference in t, and factors made here."""
    t, h, p, e = s.clock[TIME], s.clock[DIFFERENCE], s.by_time, s.following
    weigh(tables, t + h, s, work, p)
    weigh(tables, t - h, s, work, e)
    for i in range(len(p)):
        p[i] = -(p[i] - e[i]) / (2.0 * h)
    weigh(tables, t, s, work, e)
    kkt_solve(tables, work, kkt, p)
    leave_out_free_turn(s, p)
    s.count[AT_HAND] = SLOPE


@device
def factor(tables, s, kkt, work):
    """Factors at the present place, which `weigh` has just been at. The pivot of a motion that nothing resists may
    vanish: corrections leave it out."""
    clear(kkt.values)
    add_tangent(tables, s.clock[TIME], s.q, s.rest, s.multiplier, work, 0.0, 0.0, 1.0, kkt)
    status = kkt_factor(tables, work, kkt)
    if s.count[TURNS_FREELY] and kkt.status[0] == 1:
        status = 0
    s.count[FACTORIZATIONS] += 1
    s.count[AT_HAND] = FACTORS if status == 0 else NOTHING
    if status == 0 and s.count[BORDERED]:
        follow_time(tables, s, kkt, work)
    return status


@device
def is_at_hand(s):
    """Whether all that a correction needs has been made at the present place."""
    return s.count[AT_HAND] == SLOPE or (s.count[AT_HAND] == FACTORS and not s.count[BORDERED])


@device
def forces_stay(s):
    """Whether the correction s.step of a place that has just been weighed hardly changes any force. A place may stay
    while its stress changes, if it is stiff, and its tangent with the stress."""
    nv, change, most = len(s.weight), s.clock[UNBALANCED], 0.0
    for r in range(len(s.multiplier)):
        change = max(change, abs(s.step[nv + r]))
        most = max(most, abs(s.multiplier[r]))
    return change <= STEADY * most


@device
def correct(tables, s, kkt, work, d):
    """d: (r, g) -> the correction there by the present factors; returns its part in time."""
    kkt_solve(tables, work, kkt, d)
    leave_out_free_turn(s, d)
    for i in range(len(d)):
        d[i] = -d[i]
    if not s.count[BORDERED]:
        return 0.0
    nv, u = len(s.weight), s.direction
    miss = u[nv] * (s.clock[TIME] - s.clock[START]) - s.clock[WAY]
    slope = u[nv]
    for i in range(nv):
        miss += u[i] * (s.travel[i] + d[i])
        slope += u[i] * s.by_time[i]
    dt = -miss / slope
    for i in range(len(d)):
        d[i] += dt * s.by_time[i]
    return dt


@device
def keep(s):
    copy(s.q, s.old_q)
    copy(s.multiplier, s.old_multiplier)
    copy(s.travel, s.old_travel)


@device
def move(tables, s, d, part, t, dt):
    """From the kept place by a part of a correction; t: time there."""
    nv = len(s.weight)
    copy(s.old_q, s.q)
    for i in range(nv):
        s.left[i] = part * d[i]
        s.travel[i] = s.old_travel[i] + part * d[i]
    retract(tables, s.q, s.left)
    for r in range(len(s.multiplier)):
        s.multiplier[r] = s.old_multiplier[r] + part * d[nv + r]
    s.clock[TIME] = t + part * dt
    s.count[AT_HAND] = NOTHING


@device
def damped_part(tables, s, kkt, work, dt, size, part):
    """Move by as much of s.step as the natural test allows; the part, or -1 if that is next to nothing."""
    t = s.clock[TIME]
    keep(s)
    while part > SHORTEST:
        move(tables, s, s.step, part, t, dt)
        weigh(tables, s.clock[TIME], s, work, s.following)
        correct(tables, s, kkt, work, s.following)
        if size_of(s, s.following) <= (1.0 - 0.25 * part) * size:
            s.count[ITERATIONS] += 1
            return part
        part *= 0.5
    return -1.0


@device
def take(tables, s, work, d, part, dt):
    """Move by a part of a correction and weigh there."""
    keep(s)
    move(tables, s, d, part, s.clock[TIME], dt)
    s.count[ITERATIONS] += 1


@device
def with_same_factors(tables, s, kkt, work, size):
    """Corrections by the factors at hand while they shrink fast; the size of the last one, not yet taken if it is
    larger than the tolerance."""
    while True:
        weigh(tables, s.clock[TIME], s, work, s.following)
        dt = correct(tables, s, kkt, work, s.following)
        following = size_of(s, s.following)
        if not following < FAST * size:
            return following
        take(tables, s, work, s.following, 1.0, dt)
        if following <= s.clock[TOLERANCE]:
            return following
        size = following


@device
def newton(tables, s, kkt, work, damped):
    """Full corrections, but none longer than LONGEST; damped: as the natural test allows."""
    work.mixed[0] = 0
    refinements = kkt.refinements[0]
    status = corrections(tables, s, kkt, work, damped)
    work.mixed[0] = 0
    kkt.refinements[0] = refinements
    return status


@device
def corrections(tables, s, kkt, work, damped):
    tolerance, before, smallest, astray = s.clock[TOLERANCE], 1e300, 1e300, 0
    refinements = kkt.refinements[0]
    for k in range(MOST_ITERATIONS):
        # a large correction is followed by another one, which sees to the rounding of both
        kkt.refinements[0] = 0 if k > 0 and before > NEAR else refinements
        weigh(tables, s.clock[TIME], s, work, s.step)
        if not is_at_hand(s) and factor(tables, s, kkt, work) != 0:
            return int64(SINGULAR)
        dt = correct(tables, s, kkt, work, s.step)
        size = size_of(s, s.step)
        if not size < 1e6:
            return int64(NOT_BALANCED)
        s.clock[LAST_CORRECTION] = size
        part, steady = min(1.0, LONGEST / size), forces_stay(s)
        if len(tables.beams) + len(tables.cells) > 0 and not damped:
            foresee_stress(tables, work, s.step, part)
            work.mixed[0] = 1
        if damped and size > tolerance:
            part = damped_part(tables, s, kkt, work, dt, size, part)
            if part < 0.0:
                return int64(NOT_BALANCED)
        else:
            take(tables, s, work, s.step, part, dt)
        if size <= tolerance or (size < ROUNDING and size > 0.5 * before):
            weigh(tables, s.clock[TIME], s, work, s.step)
            if steady:
                s.count[AT_HAND] = SLOPE if s.count[BORDERED] else FACTORS
            return int64(BALANCED)
        before = size
        astray = 0 if size < smallest else astray + 1
        smallest = min(size, smallest)
        if astray > PATIENCE and not damped:
            return int64(NOT_BALANCED)
        if part == 1.0 and size < NEAR:
            work.mixed[0] = 0
            kkt.refinements[0] = refinements
            before = with_same_factors(tables, s, kkt, work, size)
            if before <= tolerance:
                weigh(tables, s.clock[TIME], s, work, s.step)
                s.clock[LAST_CORRECTION] = before
                return int64(BALANCED)
    return int64(NOT_BALANCED)


@kernel
def find_balance(tables, work, kkt, balance, damped):
    """Newton from the present place; the status. On failure the place is left where the iteration stopped."""
    return newton(tables, balance, kkt, work, damped)


@kernel
def path_tangent(tables, work, kkt, s):
    """s.by_time <- change of the place with time, s.count[UNSTABLE] <- the number of motions in which it is unstable;
    by factors made here. Returns the status."""
    status = int64(0)
    if s.count[AT_HAND] == NOTHING:
        weigh(tables, s.clock[TIME], s, work, s.following)
        status = int64(factor(tables, s, kkt, work))
    if s.count[AT_HAND] == FACTORS:
        follow_time(tables, s, kkt, work)
    s.count[UNSTABLE] = unstable_motions(kkt)
    return status


@kernel
def accept_place(tables, work, s):
    """Count turns at a balanced place; contacts remember it."""
    weigh(tables, s.clock[TIME], s, work, s.following)
    set_anchors(tables, s.clock[TIME], work)
    work.contact_step[0] = BY_PLACE
    if len(tables.pairs) > 0:
        accept_contacts(tables, work)
    if len(tables.grips) > 0:
        work.contact_step[0] = BY_PLACE
        accept_grips(tables, s.clock[TIME], work, s.multiplier)
    clear(s.travel)


@kernel
def begin_place(tables, work, s):
    """Count turns at the present place; contacts and joints that remember nothing yet remember it."""
    weigh(tables, s.clock[TIME], s, work, s.following)
    set_anchors(tables, s.clock[TIME], work)
    work.contact_step[0] = BY_PLACE
    if len(tables.pairs) > 0:
        begin_contacts(tables, work)
    if len(tables.grips) > 0:
        begin_stepped_grips(tables, s.clock[TIME], work, s.multiplier)


@kernel
def augment_place(tables, work, s, before):
    """See augmented.augment, at a balanced place."""
    weigh(tables, s.clock[TIME], s, work, s.following)
    worst = augment(tables, work, 1e300, before)
    if worst > 1.0:
        s.count[AT_HAND] = NOTHING
    return worst


@kernel
def solve_here(tables, work, kkt, rhs):
    """rhs <- the solution by the factors at hand."""
    kkt_solve(tables, work, kkt, rhs)


@kernel
def push(tables, balance, d):
    """Displace the present place."""
    retract(tables, balance.q, d)
    balance.count[AT_HAND] = NOTHING
