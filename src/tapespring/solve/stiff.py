"""`stiff`: backward differentiation of order 1 to 5 with variable step, for systems with very fast damped motions.

The formulas are those of Shampine and Reichelt (SIAM J. Sci. Comput. 18, 1997): numerical differentiation formulas on
the backward differences D of the state. A step solves

    v = past_v + c a,    q = past_q + c q'(q, v),    M a + w x J w - f + G' multiplier = 0,    g'(q, v) = 0

for a and the multipliers by simplified Newton iterations; the turn of a quaternion has a closed form. Constraints are
held at the level of velocities: as accurate as accelerations, with fewer iterations, and steadier near singular
positions. Every accepted step is brought back onto the position constraints. The correction shifts the whole history:
only differences enter the next step, so the formulas keep their order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..jit import device, kernel
from ..math.rotations import quaternion_product
from ..mechanics.linking import accelerations, project
from ..mechanics.motion import load_quaternion, place_nodes, position_rates
from ..mechanics.projection import clear, copy
from ..mechanics.tables import (
    DRIVES,
    GROUND,
    MOVING_POSE,
    MOVING_TWIST,
    N_POWERS,
    POINT,
    Tables,
    Work,
    position_size,
    velocity_size,
)
from .equations import add_tangent, larger, link_implicit, residual, weight
from .events import room_needed, start_loop, visit_step
from .kkt import kkt_factor, kkt_solve
from .ode import stop_at
from .status import DONE, NEWTON_FAILED, NOT_FINITE, PAUSED, STEP_TOO_SMALL, STOPPED_BY_EVENT
from .steps import (
    END,
    EQUAL_STEPS,
    EVALUATIONS,
    FACTORIZATIONS,
    FRESH,
    ITERATIONS,
    MAX_STEP,
    OLD_STEP,
    ORDER,
    REJECTED,
    STEP,
    STEPS,
    TIME,
    normalize_quaternions,
    note_violation,
    pass_break,
    step_limits,
)
from .trace import trace_state

HIGHEST = 5
MAX_ITERATIONS = 5
KAPPA = np.array([0.0, -0.1850, -1.0 / 9.0, -0.0823, -0.0415, 0.0, 0.0])
GAMMA = np.array([0.0, 1.0, 3.0 / 2.0, 11.0 / 6.0, 25.0 / 12.0, 137.0 / 60.0, 0.0])

# indices into Stiff.options
HIGHEST_ORDER, FACTORED_FOR = range(2)


class Stiff(NamedTuple):
    """Formulas, history and Newton scratch."""

    gamma: np.ndarray  # by order
    alpha: np.ndarray
    error_constant: np.ndarray
    D: np.ndarray  # (HIGHEST + 3, n) backward differences of y
    past: np.ndarray  # part of the new state known beforehand
    predicted: np.ndarray
    trial: np.ndarray  # new state
    trial_q: np.ndarray
    trial_v: np.ndarray
    a: np.ndarray
    multiplier: np.ndarray
    last_multiplier: np.ndarray  # at the last accepted step
    both: np.ndarray  # the two residuals below
    residual: np.ndarray
    row_residual: np.ndarray
    change: np.ndarray  # (3, HIGHEST + 1, HIGHEST + 1) scratch of a change of step
    column: np.ndarray
    options: np.ndarray  # highest order, c of the factors


def new_stiff(t: Tables, work: Work, highest_order: int = HIGHEST) -> Stiff:
    link_implicit(t, work)
    nq, nv, nr = position_size(t), velocity_size(t), len(t.rows)
    n = nq + nv + N_POWERS
    trial, both = np.zeros(n), np.zeros(nv + nr)
    order = np.arange(len(GAMMA))
    return Stiff(
        gamma=GAMMA, alpha=(1.0 - KAPPA) * GAMMA, error_constant=KAPPA * GAMMA + 1.0 / (order + 1),
        D=np.zeros((HIGHEST + 3, n)), past=np.zeros(n), predicted=np.zeros(n), trial=trial, trial_q=trial[:nq],
        trial_v=trial[nq : nq + nv], a=np.zeros(nv), multiplier=np.zeros(nr), last_multiplier=np.zeros(nr), both=both,
        residual=both[:nv], row_residual=both[nv:], change=np.zeros((3, HIGHEST + 1, HIGHEST + 1)),
        column=np.zeros(HIGHEST + 1), options=np.array([float(highest_order), 0.0]),
    )  # fmt: skip


# -- backward differences ---------------------------------------------------------------------------------------------


@device
def difference_matrix(order, factor, out):
    """How backward differences combine values at steps of `factor` times the length."""
    for j in range(order + 1):
        out[0, j] = 1.0
    for i in range(1, order + 1):
        out[i, 0] = 0.0
        for j in range(1, order + 1):
            out[i, j] = out[i - 1, j] * (i - 1 - factor * j) / i


@device
def change_step(loop, s, factor):
    """Differences for a step of `factor` times the length: the same polynomial on other points."""
    order = loop.count[ORDER]
    R, U, RU = s.change[0], s.change[1], s.change[2]
    difference_matrix(order, factor, R)
    difference_matrix(order, 1.0, U)
    for i in range(order + 1):
        for j in range(order + 1):
            total = 0.0
            for k in range(order + 1):
                total += R[i, k] * U[k, j]
            RU[i, j] = total
    D, column = s.D, s.column
    for i in range(D.shape[1]):
        for k in range(order + 1):
            total = 0.0
            for j in range(order + 1):
                total += RU[j, k] * D[j, i]
            column[k] = total
        for k in range(order + 1):
            D[k, i] = column[k]
    loop.clock[STEP] *= factor
    loop.count[EQUAL_STEPS] = 0


@device
def predict(loop, s):
    """The polynomial continued, and the part of the formula that only the past decides."""
    order = loop.count[ORDER]
    D, gamma = s.D, s.gamma
    for i in range(D.shape[1]):
        ahead, known = D[0, i], 0.0
        for k in range(1, order + 1):
            ahead += D[k, i]
            known += gamma[k] * D[k, i]
        s.predicted[i] = ahead
        s.past[i] = ahead - known / s.alpha[order]


@device
def update_differences(loop, s):
    order = loop.count[ORDER]
    D = s.D
    for i in range(D.shape[1]):
        d = s.trial[i] - s.predicted[i]
        D[order + 2, i] = d - D[order + 1, i]
        D[order + 1, i] = d
        for k in range(order, -1, -1):
            D[k, i] += D[k + 1, i]


@device
def make_dense(loop, s):
    """The polynomial of the differences, in the form of steps.interpolate (s^2 = s - s r)."""
    D, F, order = s.D, loop.F, loop.count[ORDER]
    for i in range(D.shape[1]):
        d2 = D[2, i] / 2.0 if order > 1 else 0.0
        d3 = D[3, i] / 6.0 if order > 2 else 0.0
        d4 = D[4, i] / 24.0 if order > 3 else 0.0
        d5 = D[5, i] / 120.0 if order > 4 else 0.0
        F[0, i] = loop.y[i] - loop.y_old[i]
        F[1, i] = -d2 - d3 - 2.0 * d4 - 6.0 * d5
        F[2, i] = -d3 - 4.0 * d4 - 18.0 * d5
        F[3, i] = d4 + 7.0 * d5
        F[4, i] = d5
        F[5, i] = 0.0
        F[6, i] = 0.0


# -- one step ---------------------------------------------------------------------------------------------------------


@device
def set_component(loop, s, i, value):
    """Put a component of the new state; its weighted change."""
    change = abs(value - s.trial[i]) * weight(loop, i, s.predicted[i])
    s.trial[i] = value
    return change


@device
def move(tables, loop, s, c):
    """New state from its accelerations; the largest weighted change."""
    nq = len(loop.q)
    change = 0.0
    for n in range(len(tables.nodes)):
        node = tables.nodes[n]
        if node.kind == GROUND or node.kind == MOVING_POSE:
            continue
        i, j = node.q, node.v
        last = 3 if node.kind == POINT else 6
        if node.kind != MOVING_TWIST:
            for k in range(last):
                change = larger(change, set_component(loop, s, nq + j + k, s.past[nq + j + k] + c * s.a[j + k]))
        for k in range(3):
            change = larger(change, set_component(loop, s, i + k, s.past[i + k] + c * s.trial[nq + j + k]))
        if node.kind != POINT:
            # p = past + c p w / 2, hence p (1 - c w / 2) = past
            half = (0.5 * c * s.trial[nq + j + 3], 0.5 * c * s.trial[nq + j + 4], 0.5 * c * s.trial[nq + j + 5])
            p = quaternion_product(load_quaternion(s.past, i + 3), (1.0, half[0], half[1], half[2]))
            r = 1.0 / (1.0 + half[0] * half[0] + half[1] * half[1] + half[2] * half[2])
            for k in range(4):
                change = larger(change, set_component(loop, s, i + 3 + k, r * p[k]))
    return change


@device
def start_iteration(tables, loop, s, t, c, work):
    """First guess: the predicted velocities; nodes that move by a given twist are settled here."""
    nq = len(loop.q)
    copy(s.predicted, s.trial)
    for j in range(len(s.a)):
        s.a[j] = (s.predicted[nq + j] - s.past[nq + j]) / c
    move(tables, loop, s, c)
    if len(tables.motions) > 0:
        for _ in range(3):  # angular velocity, then attitude and velocity, then place
            place_nodes(tables, t, s.trial_q, s.trial_v, work)
            move(tables, loop, s, c)


@device
def error_of(loop, s, row, factor):
    """Weighted size of a row of differences."""
    error = 0.0
    for i in range(len(loop.y) - N_POWERS):
        error = larger(error, abs(factor * s.D[row, i]) * weight(loop, i, loop.y[i]))
    return error


@device
def step_error(loop, s):
    factor = s.error_constant[loop.count[ORDER]]
    error = 0.0
    for i in range(len(loop.y) - N_POWERS):
        error = larger(error, abs(factor * (s.trial[i] - s.predicted[i])) * weight(loop, i, s.trial[i]))
    return error


@device
def balance(tables, t, loop, s, work, c):
    """Residuals of the equations of motion and of the constraints' rates (as accelerations) at the new state."""
    residual(tables, t, s.trial_q, s.trial_v, s.a, s.multiplier, work, s.residual)
    for r in range(len(s.row_residual)):
        s.row_residual[r] = work.g_rate[r] / c
    loop.count[EVALUATIONS] += 1


@device
def factor(tables, t, loop, s, kkt, work, c):
    """Factors of [M + c D + c^2 K, G'; G, 0] at the new state, where work is placed."""
    clear(kkt.values)
    add_tangent(tables, t, s.trial_q, s.trial_v, s.multiplier, work, 1.0, c, c * c, kkt)
    kkt_factor(tables, work, kkt)
    s.options[FACTORED_FOR] = c
    loop.count[FACTORIZATIONS] += 1


@device
def newton(tables, t, loop, s, kkt, work, c):
    """Solve the step from its first guess: (converged, whether the factors were made at this step)."""
    tolerance = max(1e-14 / loop.tolerance[0], min(0.03, np.sqrt(loop.tolerance[0])))
    fresh = False
    start_iteration(tables, loop, s, t, c, work)
    before = -1.0
    for k in range(MAX_ITERATIONS):
        balance(tables, t, loop, s, work, c)
        if s.options[FACTORED_FOR] != c:
            factor(tables, t, loop, s, kkt, work, c)
            fresh = True
        kkt_solve(tables, work, kkt, s.both)
        for j in range(len(s.a)):
            s.a[j] -= s.residual[j]
        for r in range(len(s.multiplier)):
            s.multiplier[r] -= s.row_residual[r]
        change = move(tables, loop, s, c)
        loop.count[ITERATIONS] += 1
        if not np.isfinite(change):
            return False, fresh
        rate = change / before if before > 0.0 else -1.0
        if change < 1e-3 * tolerance or (0.0 <= rate < 1.0 and rate / (1.0 - rate) * change < tolerance):
            return True, fresh
        if rate >= 1.0 or (rate > 0.0 and rate ** (MAX_ITERATIONS - 1 - k) / (1.0 - rate) * change > tolerance):
            return False, fresh
        before = change
    return False, fresh


@device
def solve_step(tables, t, loop, s, kkt, work, c):
    """Newton with the old factors and, if that fails, with new ones."""
    nq, nv = len(loop.q), len(loop.v)
    copy(s.last_multiplier, s.multiplier)
    converged, fresh = newton(tables, t, loop, s, kkt, work, c)
    if not converged and not fresh:
        s.options[FACTORED_FOR] = 0.0
        copy(s.last_multiplier, s.multiplier)
        converged, fresh = newton(tables, t, loop, s, kkt, work, c)
    for r in range(len(s.multiplier)):
        work.power[DRIVES] += s.multiplier[r] * work.g_target[r]
    for k in range(N_POWERS):
        s.trial[nq + nv + k] = s.past[nq + nv + k] + c * work.power[k]
    return converged


# -- the loop ---------------------------------------------------------------------------------------------------------


@device
def rates(tables, t, q, v, loop, s, work, out):
    nq, nv = len(loop.q), len(loop.v)
    accelerations(tables, t, q, v, work, out[nq : nq + nv], 0.0, 0.0)
    position_rates(tables, q, v, out[:nq])
    for k in range(N_POWERS):
        out[nq + nv + k] = work.power[k]
    loop.count[EVALUATIONS] += 1


@device
def first_step(tables, loop, s, work):
    """Hairer's first step for order 1, from the rates here and a little ahead; D[1] holds the rates."""
    t, span = loop.clock[TIME], loop.clock[END] - loop.clock[TIME]
    size, speed, bend = 0.0, 0.0, 0.0
    n = len(loop.y) - N_POWERS
    for i in range(n):
        size = max(size, max(abs(loop.y[i]), loop.scale[i]) * weight(loop, i, loop.y[i]))
        speed = max(speed, abs(s.D[1, i]) * weight(loop, i, loop.y[i]))
    h = min(1e-3 * span, 0.01 * size / speed if speed > 1e-10 * size else 1e-6 * span)
    for i in range(len(loop.y)):
        s.trial[i] = loop.y[i] + h * s.D[1, i]
    rates(tables, t + h, s.trial_q, s.trial_v, loop, s, work, s.past)
    for i in range(n):
        bend = max(bend, abs(s.past[i] - s.D[1, i]) / h * weight(loop, i, loop.y[i]))
    if max(speed, bend) <= 0.0:
        return min(span, 100.0 * h)
    return min(span, min(100.0 * h, np.sqrt(0.01 / max(speed, bend)) if bend > 0.0 else 100.0 * h))


@device
def start(tables, loop, s, work):
    """Order 1 from the present state; a given clock[STEP] is used as the first step."""
    rates(tables, loop.clock[TIME], loop.q, loop.v, loop, s, work, s.D[1])  # puts velocities that are given, too
    copy(loop.y, s.D[0])
    copy(work.multiplier, s.last_multiplier)
    if loop.clock[STEP] <= 0.0:
        loop.clock[STEP] = min(loop.clock[MAX_STEP], first_step(tables, loop, s, work))
    for i in range(len(loop.y)):
        s.D[1, i] *= loop.clock[STEP]
        for k in range(2, s.D.shape[0]):
            s.D[k, i] = 0.0
    loop.count[ORDER] = 1
    loop.count[EQUAL_STEPS] = 0
    s.options[FACTORED_FOR] = 0.0


@device
def accept(tables, work, loop, s, t_new, h):
    """Take the step and bring it onto the constraints."""
    copy(loop.y, loop.y_old)
    update_differences(loop, s)
    copy(s.D[0], loop.y)
    normalize_quaternions(tables, loop.q)
    loop.clock[TIME] = t_new
    loop.clock[OLD_STEP] = h
    if len(tables.rows) > 0:
        project(tables, t_new, loop.q, loop.v, work, 1e-13 * loop.scale[0])
        note_violation(loop, work.found[0], work.found[1])
    make_dense(loop, s)
    copy(loop.y, s.D[0])
    copy(s.multiplier, s.last_multiplier)
    loop.count[STEPS] += 1
    loop.count[EQUAL_STEPS] += 1


@device
def power_factor(error, order):
    return 10.0 if error == 0.0 else error ** (-1.0 / (order + 1.0))


@device
def select_order(loop, s, error, safety):
    """After order + 1 equal steps: the order that allows the longest step, and that step."""
    order = loop.count[ORDER]
    if loop.count[EQUAL_STEPS] < order + 1:
        return
    here = power_factor(error, order)
    lower = power_factor(error_of(loop, s, order, s.error_constant[order - 1]), order - 1) if order > 1 else 0.0
    higher = 0.0
    if order < s.options[HIGHEST_ORDER]:
        higher = power_factor(error_of(loop, s, order + 2, s.error_constant[order + 1]), order + 1)
    best = max(here, max(lower, higher))
    if best == lower and lower > here:
        loop.count[ORDER] = order - 1
    elif best == higher and higher > here:
        loop.count[ORDER] = order + 1
    change_step(loop, s, min(10.0, safety * best))


@device
def advance(tables, work, loop, s, kkt, record, max_steps):
    clock, count = loop.clock, loop.count
    if count[FRESH]:
        start_loop(tables, work, loop, record)
        start(tables, loop, s, work)
        count[FRESH] = 0
        trace_state(tables, work, loop, record, 0.0)
    for _ in range(max_steps):
        if room_needed(loop, record):
            return PAUSED
        t, end = clock[TIME], clock[END]
        if t >= end:
            return DONE
        until, longest = step_limits(loop)
        longest = min(longest, min(clock[MAX_STEP], until - t))
        last = min(clock[STEP], longest) * 1.0000001 >= until - t
        if clock[STEP] > longest or last:
            change_step(loop, s, longest / clock[STEP])
        h = clock[STEP]
        if h <= 4e-16 * max(abs(t), abs(end)):
            return STEP_TOO_SMALL
        t_new = until if last else t + h
        c = h / s.alpha[count[ORDER]]
        predict(loop, s)
        before = count[ITERATIONS]
        if not solve_step(tables, t_new, loop, s, kkt, work, c):
            count[REJECTED] += 1
            change_step(loop, s, 0.5)
            if clock[STEP] < 1e-13 * max(abs(t), abs(end)):
                return NEWTON_FAILED if np.isfinite(loop.y[0]) else NOT_FINITE
            continue
        safety = 0.9 * (2.0 * MAX_ITERATIONS + 1.0) / (2.0 * MAX_ITERATIONS + count[ITERATIONS] - before)
        error = step_error(loop, s)
        if not error <= 1.0:
            count[REJECTED] += 1
            change_step(loop, s, max(0.2, safety * power_factor(error, count[ORDER])))
            continue
        accept(tables, work, loop, s, t_new, h)
        stop = visit_step(tables, work, loop, record)
        if stop >= 0.0:
            stop_at(tables, work, loop, stop)
        trace_state(tables, work, loop, record, 0.0)
        if stop >= 0.0:
            return STOPPED_BY_EVENT
        if not last:
            select_order(loop, s, error, safety)
        elif pass_break(loop):
            clock[STEP] = 0.0
            start(tables, loop, s, work)
        if last:
            trace_state(tables, work, loop, record, -1.0)
    return PAUSED


@kernel
def run(tables, work, loop, stiff, kkt, record, max_steps):
    """Advance until the end, a stopping event, trouble, or max_steps steps."""
    return advance(tables, work, loop, stiff, kkt, record, max_steps)
