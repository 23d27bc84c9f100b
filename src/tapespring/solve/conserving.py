"""`conserving`: energy and momenta kept to rounding over any number of steps, order 2, fixed step.

Unknown are the displacements (dx, theta) of the step, theta by Cayley's map in body axes:

    v + v_old = 2 dx / h,    w + w_old = 2 theta / h,    R = R_old cay(theta)
    m (v - v_old) / h = f,    (R J w - R_old J w_old) / h = m,    g(q) = 0

Forces and constraint gradients are taken at the mean of both placements, (x + x_old) / 2 and (R + R_old) / 2. The mean
matrix is no rotation, and that is the point: R - R_old = theta x mean R, so a measure at most quadratic in (x, R)
changes in the step by exactly its mean gradient times the displacement. Lengths and angles get their gradient scaled to
do the same, and springs the force (U - U_old) / (c - c_old). Bushings act at the mean: of order 2, but not exact.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..jit import device, kernel
from ..math.rotations import normalized, quaternion_cayley, quaternion_product, rotate, rotate_back
from ..math.vec3 import add_to3, axpy, dot, load3, scale, sub
from ..mechanics.bushings import add_bushings
from ..mechanics.constraints import put_block
from ..mechanics.forces import add_gravity, add_loads, coupling_force, power_from_prescribed
from ..mechanics.laws import potential
from ..mechanics.linking import accelerations, time_law
from ..mechanics.measures import counted, measure, measure_value
from ..mechanics.motion import is_free, load_quaternion, place_nodes, store_quaternion
from ..mechanics.projection import clear, copy, largest
from ..mechanics.tables import (
    ANGLE,
    DISSIPATED,
    DRIVES,
    FRAME,
    GROUND,
    LENGTH,
    LOADS,
    MOVING_TWIST,
    N_POWERS,
    POINT,
    Tables,
    Work,
    position_size,
    velocity_size,
)
from .equations import add_tangent, larger, link_implicit, put_rates
from .events import room_needed, start_loop, visit_step
from .kkt import kkt_factor, kkt_solve
from .ode import stop_at
from .status import DONE, NEWTON_FAILED, PAUSED, STEP_TOO_SMALL, STOPPED_BY_EVENT
from .steps import (
    AS_INTEGRATED,
    END,
    EVALUATIONS,
    FACTORIZATIONS,
    FRESH,
    ITERATIONS,
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

MAX_ITERATIONS = 30
MAX_HALVINGS = 12
NEARLY_EQUAL = 1e-5  # changes of a coordinate below this give no reliable difference quotient
# indices into Conserving.options
FIXED_STEP, EXACT, HALVINGS = range(3)


class Conserving(NamedTuple):
    """Displacements of the step, placements at its start, and Newton scratch."""

    d: np.ndarray  # (nv,) dx, theta
    v: np.ndarray  # (nv,) at the end
    q: np.ndarray  # (nq,) at the end
    multiplier: np.ndarray
    x_old: np.ndarray  # (nodes, 3)
    R_old: np.ndarray  # (nodes, 3, 3)
    c_old: np.ndarray  # (measures,)
    c: np.ndarray
    both: np.ndarray
    residual: np.ndarray
    row_residual: np.ndarray
    rate: np.ndarray  # (2, n) at both ends
    options: np.ndarray


def new_conserving(t: Tables, work: Work, fixed_step: float, exact: float = 1e-14) -> Conserving:
    """fixed_step [s]; exact: part of the natural sizes to which displacements are iterated."""
    link_implicit(t, work)
    nq, nv, nr, nodes = position_size(t), velocity_size(t), len(t.rows), len(t.nodes)
    both, zeros = np.zeros(nv + nr), np.zeros
    return Conserving(
        d=zeros(nv), v=zeros(nv), q=zeros(nq), multiplier=zeros(nr), x_old=zeros((nodes, 3)),
        R_old=zeros((nodes, 3, 3)), c_old=zeros(len(t.measures)), c=zeros(len(t.measures)), both=both,
        residual=both[:nv], row_residual=both[nv:], rate=zeros((2, nq + nv + N_POWERS)),
        options=np.array([fixed_step, exact, 0.0]),
    )  # fmt: skip


# -- placements -------------------------------------------------------------------------------------------------------


@device
def read_measures(tables, t, work, out):
    """Values of all measures where work is placed."""
    for i in range(len(tables.measures)):
        out[i] = counted(tables, work, i, t, measure_value(tables, i, work))


@device
def keep_start(tables, t, loop, s, work):
    """Remember placements and measures at the start of the step; first guess of the displacements."""
    h = loop.clock[STEP]
    place_nodes(tables, t, loop.q, loop.v, work)
    read_measures(tables, t, work, s.c_old)
    for n in range(len(tables.nodes)):
        for i in range(3):
            s.x_old[n, i] = work.x[n, i]
            for k in range(3):
                s.R_old[n, i, k] = work.R[n, i, k]
    for j in range(len(s.d)):
        s.d[j] = h * loop.v[j]


@device
def cayley_vector(p, r):
    """theta with r = p cay(theta)"""
    u = quaternion_product((p[0], -p[1], -p[2], -p[3]), r)
    return (2.0 * u[1] / u[0], 2.0 * u[2] / u[0], 2.0 * u[3] / u[0])


@device
def move(tables, t, loop, s, work):
    """State at the end from the displacements; prescribed nodes the other way round."""
    h = loop.clock[STEP]
    copy(loop.q, s.q)
    for n in range(len(tables.nodes)):
        node = tables.nodes[n]
        if node.kind == GROUND:
            continue
        i, j = node.q, node.v
        if is_free(tables, n):
            for k in range(j, j + (3 if node.kind == POINT else 6)):
                s.v[k] = 2.0 * s.d[k] / h - loop.v[k]
        elif node.kind == MOVING_TWIST:
            for k in range(j, j + 6):
                s.d[k] = 0.5 * h * (s.v[k] + loop.v[k])
        for k in range(3):
            s.q[i + k] = loop.q[i + k] + s.d[j + k]
        if node.kind != POINT:
            turn = quaternion_cayley((s.d[j + 3], s.d[j + 4], s.d[j + 5]))
            p = quaternion_product(load_quaternion(loop.q, i + 3), turn)
            store_quaternion(s.q, i + 3, normalized(p))
    place_nodes(tables, t, s.q, s.v, work)
    for n in range(len(tables.nodes)):
        node = tables.nodes[n]
        if node.kind != GROUND and not is_free(tables, n):
            theta = cayley_vector(load_quaternion(loop.q, node.q + 3), load_quaternion(s.q, node.q + 3))
            for k in range(3):
                s.d[node.v + k] = s.q[node.q + k] - loop.q[node.q + k]
                s.d[node.v + 3 + k] = theta[k]


@device
def place_means(tables, s, work, h):
    """work <- mean placements, and displacements over h as velocities."""
    for n in range(len(tables.nodes)):
        node = tables.nodes[n]
        if node.kind == GROUND:
            continue
        j = node.v
        for k in range(3):
            work.x[n, k] = 0.5 * (work.x[n, k] + s.x_old[n, k])
            work.v[n, k] = s.d[j + k] / h
        if node.kind != POINT:
            turn = rotate(s.R_old, n, (s.d[j + 3], s.d[j + 4], s.d[j + 5]))
            for k in range(3):
                work.w[n, k] = turn[k] / h
                for i in range(3):
                    work.R[n, i, k] = 0.5 * (work.R[n, i, k] + s.R_old[n, i, k])


# -- forces -----------------------------------------------------------------------------------------------------------


@device
def mean_gradient(tables, i, s, work, h):
    """(rate, na, ta, nb, tb) of measure i over the step: the rate times h is exactly its change."""
    c, rate, _, na, ta, nb, tb = measure(tables, i, work)
    kind, factor = tables.measures[i].kind, 1.0
    change = s.c[i] - s.c_old[i]
    if kind == LENGTH:
        factor = 2.0 * c / (s.c[i] + s.c_old[i])
    elif kind == ANGLE and abs(change) > NEARLY_EQUAL:
        factor = change / (h * rate)
    return factor * rate, scale(factor, na), scale(factor, ta), scale(factor, nb), scale(factor, tb)


@device
def push(tables, i, work, f, na, ta, nb, tb):
    """A force f along measure i."""
    m = tables.measures[i]
    add_to3(work.force, m.a, f, na)
    add_to3(work.moment, m.a, f, ta)
    add_to3(work.force, m.b, f, nb)
    add_to3(work.moment, m.b, f, tb)


@device
def elastic_force(tables, i, s, at_mean):
    """Energy gained over change of coordinate."""
    coupling = tables.couplings[i]
    c, c_old = s.c[coupling.measure], s.c_old[coupling.measure]
    if coupling.elastic < 0 or abs(c - c_old) < NEARLY_EQUAL * (abs(c) + abs(coupling.free)):
        return at_mean
    law, free = coupling.elastic, coupling.free
    return (potential(tables, law, c - free) - potential(tables, law, c_old - free)) / (c - c_old)


@device
def add_mean_couplings(tables, t, s, work, h):
    for i in range(len(tables.couplings)):
        which = tables.couplings[i].measure
        rate, na, ta, nb, tb = mean_gradient(tables, which, s, work, h)
        middle = 0.5 * (s.c[which] + s.c_old[which])
        elastic, damping, active, _, _ = coupling_force(tables, i, t, middle, rate, work)
        f = active - elastic_force(tables, i, s, elastic) - damping
        push(tables, which, work, f, na, ta, nb, tb)
        work.power[DISSIPATED] += damping * rate
        work.power[LOADS] += active * rate
        work.power[DRIVES] += power_from_prescribed(tables, work, which, f, na, ta, nb, tb)


@device
def speed_of_free(tables, i, work, na, ta, nb, tb):
    """Part of a measure's rate that its free nodes make."""
    m = tables.measures[i]
    rate = 0.0
    if is_free(tables, m.a):
        rate += dot(na, load3(work.v, m.a)) + dot(ta, load3(work.w, m.a))
    if is_free(tables, m.b):
        rate += dot(nb, load3(work.v, m.b)) + dot(tb, load3(work.w, m.b))
    return rate


@device
def add_mean_rows(tables, t, s, work, h):
    """Constraint forces and the blocks of G at the mean; g at the end."""
    for r in range(len(tables.rows)):
        row = tables.rows[r]
        target, _, _ = time_law(tables, row.law, t, work)
        work.g[r] = -row.constant - target
        for p in range(row.first, row.last):
            term = tables.terms[p]
            m = tables.measures[term.measure]
            work.g[r] += term.weight * s.c[term.measure]
            _, na, ta, nb, tb = mean_gradient(tables, term.measure, s, work, h)
            f = -term.weight * s.multiplier[r]
            push(tables, term.measure, work, f, na, ta, nb, tb)
            work.power[DRIVES] += f * speed_of_free(tables, term.measure, work, na, ta, nb, tb)
            if term.block_a >= 0:
                put_block(work.G, term.block_a, term.weight, na, rotate_back(work.R, m.a, ta))
            if term.block_b >= 0:
                put_block(work.G, term.block_b, term.weight, nb, rotate_back(work.R, m.b, tb))


@device
def balance(tables, t, loop, s, work):
    """Residuals of the momentum balances (moments in the body axes of the end) and of the constraints."""
    h = loop.clock[STEP]
    read_measures(tables, t, work, s.c)
    place_means(tables, s, work, h)
    for k in range(len(work.power)):
        work.power[k] = 0.0
    add_gravity(tables, work)
    add_loads(tables, t - 0.5 * h, work)
    add_mean_couplings(tables, t - 0.5 * h, s, work, h)
    add_bushings(tables, work)
    add_mean_rows(tables, t, s, work, h)
    for n in range(len(tables.nodes)):
        node = tables.nodes[n]
        if not is_free(tables, n):
            continue
        j = node.v
        for k in range(3):
            s.residual[j + k] = node.mass * (s.v[j + k] - loop.v[j + k]) / h - work.force[n, k]
        if node.kind == FRAME:
            J = node.inertia
            before = (J[0] * loop.v[j + 3] / h, J[1] * loop.v[j + 4] / h, J[2] * loop.v[j + 5] / h)
            pull = axpy(1.0, load3(work.moment, n), rotate(s.R_old, n, before))
            # R = 2 mean R - R_old
            body = sub(scale(2.0, rotate_back(work.R, n, pull)), rotate_back(s.R_old, n, pull))
            for k in range(3):
                s.residual[j + 3 + k] = J[k] * s.v[j + 3 + k] / h - body[k]
    copy(work.g, s.row_residual)
    loop.count[EVALUATIONS] += 1


# -- the loop ---------------------------------------------------------------------------------------------------------


@device
def factor(tables, t, loop, s, kkt, work):
    h = loop.clock[STEP]
    clear(kkt.values)
    add_tangent(tables, t - 0.5 * h, s.q, s.v, s.multiplier, work, 2.0 / (h * h), 1.0 / h, 0.5, kkt)
    kkt_factor(tables, work, kkt)
    loop.count[FACTORIZATIONS] += 1


@device
def correct(tables, loop, s):
    """Displacements less the solution; the largest part of its natural size."""
    change = 0.0
    for n in range(len(tables.nodes)):
        node = tables.nodes[n]
        if not is_free(tables, n):
            continue
        j = node.v
        for k in range(3 if node.kind == POINT else 6):
            s.d[j + k] -= s.residual[j + k]
            size = loop.scale[node.q + k] if k < 3 else 1.0
            change = larger(change, abs(s.residual[j + k]) / size)
    for r in range(len(s.multiplier)):
        s.multiplier[r] -= s.row_residual[r]
    return change


@device
def newton(tables, t, loop, s, kkt, work):
    before = -1.0
    for k in range(MAX_ITERATIONS):
        move(tables, t, loop, s, work)
        balance(tables, t, loop, s, work)
        if k == 0:
            factor(tables, t, loop, s, kkt, work)
        kkt_solve(tables, work, kkt, s.both)
        change = correct(tables, loop, s)
        loop.count[ITERATIONS] += 1
        if not np.isfinite(change):
            return False
        rate = change / before if before > 0.0 else 1.0
        if change < s.options[EXACT] or (rate < 1.0 and change * rate / (1.0 - rate) < 0.01 * s.options[EXACT]):
            return True
        if k > 2 and rate > 0.9:
            return change < 1e-11  # as exact as rounding allows
        before = change
    return False


@device
def accept(tables, work, loop, s, t_new, h, dense):
    """Take the step; accelerations at its ends only if the dense output is wanted."""
    nq, nv = len(loop.q), len(loop.v)
    move(tables, t_new, loop, s, work)
    balance(tables, t_new, loop, s, work)
    copy(loop.y, loop.y_old)
    copy(s.q, loop.q)
    copy(s.v, loop.v)
    for k in range(N_POWERS):
        loop.works[k] += h * work.power[k]
    loop.clock[TIME] = t_new
    loop.clock[OLD_STEP] = h
    note_violation(loop, largest(work.g), 0.0)
    if dense:
        for end in range(2):
            y = loop.y if end == 1 else loop.y_old
            accelerations(tables, t_new if end == 1 else t_new - h, y[:nq], y[nq : nq + nv], work, s.residual, 0.0, 0.0)
            put_rates(tables, y[:nq], y[nq : nq + nv], s.residual, work.power, s.rate[end])
        hermite(loop, s.rate, h)
    loop.count[STEPS] += 1


@device
def advance(tables, work, loop, s, kkt, record, max_steps):
    clock, count = loop.clock, loop.count
    if count[FRESH]:
        start_loop(tables, work, loop, record)
        accelerations(tables, clock[TIME], loop.q, loop.v, work, s.d, 0.0, 0.0)
        copy(work.multiplier, s.multiplier)
        count[FRESH] = 0
        count[AS_INTEGRATED] = 1
        trace_state(tables, work, loop, record, 0.0)
    for _ in range(max_steps):
        if room_needed(loop, record):
            return PAUSED
        t, end = clock[TIME], clock[END]
        if t >= end:
            return DONE
        until, longest = step_limits(loop)
        h = min(longest, s.options[FIXED_STEP] * 0.5 ** s.options[HALVINGS])
        last = t + 1.0000001 * h >= until
        if last:
            h = until - t
        if h <= 4e-16 * max(abs(t), abs(end)):
            return STEP_TOO_SMALL
        clock[STEP] = h
        t_new = until if last else t + h
        keep_start(tables, t, loop, s, work)
        if not newton(tables, t_new, loop, s, kkt, work):
            count[REJECTED] += 1
            s.options[HALVINGS] += 1.0
            if s.options[HALVINGS] > MAX_HALVINGS:
                return NEWTON_FAILED
            for r in range(len(s.multiplier)):
                s.multiplier[r] = 0.0
            continue
        s.options[HALVINGS] = max(0.0, s.options[HALVINGS] - 1.0)
        clock[TIME] = t_new
        dense = len(tables.watches) > 0 or outputs_due(loop, record)
        clock[TIME] = t
        accept(tables, work, loop, s, t_new, h, dense)
        stop = visit_step(tables, work, loop, record)
        if stop >= 0.0:
            stop_at(tables, work, loop, stop)
        trace_state(tables, work, loop, record, 0.0)
        if stop >= 0.0:
            return STOPPED_BY_EVENT
        if last:
            pass_break(loop)
            trace_state(tables, work, loop, record, -1.0)
    return PAUSED


@kernel
def run(tables, work, loop, conserving, kkt, record, max_steps):
    """Advance until the end, a stopping event, trouble, or max_steps steps."""
    return advance(tables, work, loop, conserving, kkt, record, max_steps)
