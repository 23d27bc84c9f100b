"""Balance of forces at rest by Newton's method, at a given time or a given way along the path of equilibria.

    r = -f(t, q) + G' multiplier = 0,    g(t, q) = 0,    and either t given or  direction . (travel, t - t0) = way

Steps are damped by Deuflhard's natural test: with the same factors, the next correction has to be shorter than this
one. Unlike the size of the forces it does not care that beams are much stiffer along than across. While the corrections
shrink fast the factors are kept.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import int64

from ..jit import device, kernel
from ..mechanics import tables as tb
from ..mechanics.constraints import evaluate_rows
from ..mechanics.forces import apply_forces
from ..mechanics.motion import place_nodes
from ..mechanics.projection import clear, copy, retract
from ..mechanics.tangent import clear_matrix, out_of_balance
from ..reference import by_reference
from .implicit import add_tangent, link_implicit
from .kkt import kkt_factor, kkt_solve
from .steps import set_anchors

MOST_ITERATIONS = 40
LONGEST = 1.0  # rad, or model sizes times 1, in one correction
SHORTEST = 1e-3  # a step damped more than this has failed
FAST = 0.1  # corrections that shrink by this keep their factors

# what `find_balance` returns
BALANCED, NOT_BALANCED, SINGULAR = 0, 1, 2
# places in Balance.clock
TIME, START, WAY, DIFFERENCE, TOLERANCE, LAST_CORRECTION, UNBALANCED, FORCES = range(8)
# places in Balance.count
ITERATIONS, FACTORIZATIONS, EVALUATIONS, BORDERED, PERTURBED = range(5)


class Balance(NamedTuple):
    """A place, the corrections on the way to it, and scratch."""

    q: np.ndarray
    multiplier: np.ndarray
    old_q: np.ndarray  # before the correction at hand
    old_multiplier: np.ndarray
    travel: np.ndarray  # (nv,) sum of corrections of this increment
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
    for node in t.nodes:
        if node["kind"] != tb.GROUND:
            weight[node["v"] : node["v"] + 3] = 1.0 / length
    zeros = np.zeros
    clock = zeros(8)
    clock[TOLERANCE], clock[DIFFERENCE] = tolerance, 1e-6
    return Balance(
        q=np.array(q, float), multiplier=np.array(multiplier, float), old_q=np.array(q, float),
        old_multiplier=zeros(nr), travel=zeros(nv), old_travel=zeros(nv), step=zeros(nv + nr),
        following=zeros(nv + nr), by_time=zeros(nv + nr), direction=zeros(nv + 1), weight=weight, rest=zeros(nv),
        speed=zeros(nv), left=zeros(nv), clock=clock, count=zeros(8, np.int64),
    )  # fmt: skip


@device
def weigh(tables, t, s, work, out):
    """out <- (r, g) at the present place, nothing moving; notes the size of the forces and of what is left of them."""
    place_nodes(tables, t, s.q, s.speed, work)
    for n in range(len(tables.nodes)):
        for k in range(3):
            work.v[n, k] = 0.0
            work.w[n, k] = 0.0
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
def size_of(s, d, dt):
    """Largest weighted displacement of a correction."""
    big = 0.0
    for i in range(len(s.weight)):
        e = abs(d[i]) * s.weight[i]
        if not e <= big:
            big = e
    return big


@device
def follow_time(tables, s, kkt, work):
    """by_time <- how the place changes with time: -K^-1 dr/dt, by a central difference in t."""
    t, h, p, e = s.clock[TIME], s.clock[DIFFERENCE], s.by_time, s.following
    weigh(tables, t + h, s, work, p)
    weigh(tables, t - h, s, work, e)
    for i in range(len(p)):
        p[i] = -(p[i] - e[i]) / (2.0 * h)
    weigh(tables, t, s, work, e)
    kkt_solve(tables, work, kkt, p)


@device
def factor(tables, s, kkt, work):
    """Factors at the present place, which `weigh` has just been at."""
    clear_matrix(kkt.matrix)
    add_tangent(tables, s.clock[TIME], s.q, s.rest, s.multiplier, work, 0.0, 0.0, 1.0, kkt.matrix)
    status = kkt_factor(tables, work, kkt)
    s.count[FACTORIZATIONS] += 1
    if status == 0 and s.count[BORDERED]:
        follow_time(tables, s, kkt, work)
    return status


@device
def correct(tables, s, kkt, work, d):
    """d: (r, g) -> the correction there by the present factors; returns its part in time."""
    kkt_solve(tables, work, kkt, d)
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


@device
def damped_step(tables, s, kkt, work, dt, size):
    """Move by as much of s.step as the natural test allows; (part, size and time part of the next correction)."""
    t = s.clock[TIME]
    part = min(1.0, LONGEST / size)
    keep(s)
    while True:
        move(tables, s, s.step, part, t, dt)
        weigh(tables, s.clock[TIME], s, work, s.following)
        next_dt = correct(tables, s, kkt, work, s.following)
        next_size = size_of(s, s.following, next_dt)
        if next_size <= (1.0 - 0.25 * part) * size:
            return part, next_size, next_dt
        bend = 0.0
        for i in range(len(s.weight)):
            e = abs(s.following[i] - (1.0 - part) * s.step[i]) * s.weight[i]
            bend = max(bend, e) if e < 1e300 else 1e300
        part = min(0.5 * part, 0.5 * size * part * part / bend) if bend > 0.0 else 0.5 * part
        if not part > SHORTEST:
            return -1.0, next_size, next_dt


@device
def newton(tables, s, kkt, work):
    tolerance = s.clock[TOLERANCE]
    for _ in range(MOST_ITERATIONS):
        weigh(tables, s.clock[TIME], s, work, s.step)
        if factor(tables, s, kkt, work) != 0:
            return int64(SINGULAR)
        dt = correct(tables, s, kkt, work, s.step)
        size = size_of(s, s.step, dt)
        s.count[ITERATIONS] += 1
        if not np.isfinite(size):
            return int64(NOT_BALANCED)
        if size <= tolerance:
            keep(s)
            move(tables, s, s.step, 1.0, s.clock[TIME], dt)
            weigh(tables, s.clock[TIME], s, work, s.step)
            s.clock[LAST_CORRECTION] = size
            return int64(BALANCED)
        part, next_size, next_dt = damped_step(tables, s, kkt, work, dt, size)
        if part < 0.0:
            return int64(NOT_BALANCED)
        while part == 1.0 and next_size < FAST * size:
            keep(s)
            move(tables, s, s.following, 1.0, s.clock[TIME], next_dt)
            weigh(tables, s.clock[TIME], s, work, s.following)
            s.count[ITERATIONS] += 1
            if next_size <= tolerance:
                s.clock[LAST_CORRECTION] = next_size
                return int64(BALANCED)
            size = next_size
            next_dt = correct(tables, s, kkt, work, s.following)
            next_size = size_of(s, s.following, next_dt)
        if part == 1.0 and next_size >= 0.5 * size and size < 1e3 * tolerance and size < 1e-6:
            s.clock[LAST_CORRECTION] = size
            return int64(BALANCED)  # as exact as rounding allows
    return int64(NOT_BALANCED)


@kernel
def find_balance(tables, work, kkt, balance):
    """Newton from the present place; (status). On failure the place is left where the iteration stopped."""
    return newton(by_reference(tables), by_reference(balance), by_reference(kkt), by_reference(work))


@kernel
def path_tangent(tables, work, kkt, balance):
    """balance.by_time <- change of the place with time, by factors made here; returns the status."""
    tables, work, kkt, s = by_reference(tables), by_reference(work), by_reference(kkt), by_reference(balance)
    weigh(tables, s.clock[TIME], s, work, s.following)
    clear_matrix(kkt.matrix)
    add_tangent(tables, s.clock[TIME], s.q, s.rest, s.multiplier, work, 0.0, 0.0, 1.0, kkt.matrix)
    status = kkt_factor(tables, work, kkt)
    if status == 0:
        follow_time(tables, s, kkt, work)
    return status


@kernel
def accept_place(tables, work, balance):
    """Count turns at a balanced place."""
    tables, work, s = by_reference(tables), by_reference(work), by_reference(balance)
    weigh(tables, s.clock[TIME], s, work, s.following)
    set_anchors(tables, s.clock[TIME], work)
    clear(s.travel)
