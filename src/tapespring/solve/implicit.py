"""`implicit`: generalized-alpha on rotations, of order 2 (Bruels, Cardona, Arnold; Mech. Mach. Theory 48, 2012).

A step solves, for the accelerations a and the multipliers at its end,

    (1 - am) b + am b_n = (1 - af) a + af a_n           b: the accelerations the formulas use
    q = q_n o exp(h v_n + h^2 ((1/2 - beta) b_n + beta b)),    v = v_n + h ((1 - gamma) b_n + gamma b)
    M a + w x J w - f(t, q, v) + G' multiplier = 0,    g(t, q) = 0

Constraints hold at the level of positions; velocities are then projected. Fast vibrations are damped as the spectral
radius rho says (1: none, 0: within one step). What the damping takes is integrated from the scheme itself.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..jit import call_core, device, kernel
from ..math.rotations import normalized, quaternion_exp, quaternion_product
from ..math.vec3 import cross
from ..mechanics import tangent
from ..mechanics.dynamics import kinetic_energy
from ..mechanics.linking import RESIDUAL, TANGENT, accelerations, project
from ..mechanics.motion import load_quaternion, place_nodes, position_rates
from ..mechanics.projection import clear, copy, largest
from ..mechanics.tables import (
    DRIVES,
    FRAME,
    MOVING_TWIST,
    N_POWERS,
    POINT,
    Tables,
    Work,
    position_size,
    velocity_size,
)
from .kkt import any_kkt, kkt_factor, kkt_solve
from .ode import stop_at
from .status import DONE, NEWTON_FAILED, NOT_FINITE, PAUSED, STEP_TOO_SMALL, STOPPED_BY_EVENT
from .steps import (
    END,
    EVALUATIONS,
    FACTORIZATIONS,
    FRESH,
    ITERATIONS,
    MAX_STEP,
    NUMERICAL,
    OLD_STEP,
    REJECTED,
    STEP,
    STEPS,
    TIME,
    note_violation,
    start_loop,
    visit_step,
)

# -- the two large functions of implicit solvers, compiled once for all of them ----------------------------------------


@kernel
def residual_core(tables, work, t, q, v, a, multiplier, out):
    tangent.residual(tables, t, q, v, a, multiplier, work, out)


@kernel
def tangent_core(tables, work, t, q, v, multiplier, weight_mass, weight_rate, weight_place, kkt):
    tangent.add_tangent(tables, t, q, v, multiplier, work, weight_mass, weight_rate, weight_place, kkt)


@device
def residual(tables, t, q, v, a, multiplier, work, out):
    """See tangent.residual."""
    call_core(work.core[RESIDUAL], (tables, work, np.float64(t), q, v, a, multiplier, out))


@device
def add_tangent(tables, t, q, v, multiplier, work, weight_mass, weight_rate, weight_place, kkt):
    """See tangent.add_tangent."""
    mass, rate, place = np.float64(weight_mass), np.float64(weight_rate), np.float64(weight_place)
    call_core(work.core[TANGENT], (tables, work, np.float64(t), q, v, multiplier, mass, rate, place, kkt))


def link_implicit(tables: Tables, work: Work) -> None:
    """Give a work the core functions of implicit solvers."""
    vector = np.empty(0)
    work.core[RESIDUAL] = residual_core.address(tables, work, 0.0, *(vector,) * 5)
    work.core[TANGENT] = tangent_core.address(tables, work, 0.0, *(vector,) * 3, 0.0, 0.0, 0.0, any_kkt())


# -- the method -------------------------------------------------------------------------------------------------------

MAX_ITERATIONS = 10
MAX_HALVINGS = 30
# indices into Alpha.options
AM, AF, BETA, GAMMA, PROJECT, FIXED_STEP, FACTORED_FOR, STEP_OF_B, HALVINGS = range(9)


class Alpha(NamedTuple):
    """Accelerations at the start and end of the step, and Newton scratch."""

    b: np.ndarray  # accelerations the formulas use, at the start of the step
    b_new: np.ndarray
    a_old: np.ndarray
    a: np.ndarray
    multiplier: np.ndarray
    last_multiplier: np.ndarray  # at the last accepted step
    displacement: np.ndarray  # (nv,) of the step, rotation vectors in body axes
    trial: np.ndarray  # new state
    trial_q: np.ndarray
    trial_v: np.ndarray
    both: np.ndarray  # the two residuals below
    residual: np.ndarray
    row_residual: np.ndarray
    rate: np.ndarray  # (2, n) of the state at the start and end of the step
    options: np.ndarray


def new_alpha(
    t: Tables, work: Work, rho: float = 0.9, fixed_step: float = 0.0, project_velocities: bool = True
) -> Alpha:
    """rho: spectral radius at high frequencies, 0 to 1; fixed_step [s]: 0 for a step under error control."""
    link_implicit(t, work)
    nq, nv, nr = position_size(t), velocity_size(t), len(t.rows)
    n = nq + nv + N_POWERS
    am, af = (2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0)
    gamma = 0.5 + af - am
    options = [am, af, 0.25 * (gamma + 0.5) ** 2, gamma, float(project_velocities), fixed_step, 0.0, 0.0, 0.0]
    trial, both, zeros = np.zeros(n), np.zeros(nv + nr), np.zeros
    return Alpha(
        b=zeros(nv), b_new=zeros(nv), a_old=zeros(nv), a=zeros(nv), multiplier=zeros(nr), last_multiplier=zeros(nr),
        displacement=zeros(nv), trial=trial, trial_q=trial[:nq], trial_v=trial[nq : nq + nv], both=both,
        residual=both[:nv], row_residual=both[nv:], rate=zeros((2, n)), options=np.array(options),
    )  # fmt: skip


@device
def weight(loop, i, size):
    """One over the error allowed in component i."""
    return 1.0 / (loop.tolerance[1] * loop.scale[i] + loop.tolerance[0] * abs(size))


@device
def larger(a, b):
    """The larger one; a NaN wins."""
    return b if not b <= a else a


@device
def set_component(loop, s, i, value):
    """Put a component of the new state; its weighted change."""
    change = abs(value - s.trial[i]) * weight(loop, i, loop.y[i])
    s.trial[i] = value
    return change


@device
def move(tables, loop, s, h):
    """New state from the accelerations at its end; the largest weighted change."""
    nq, v = len(loop.q), loop.v
    am, af, beta, gamma = s.options[AM], s.options[AF], s.options[BETA], s.options[GAMMA]
    change = 0.0
    for n in range(len(tables.nodes)):
        node = tables.nodes[n]
        i, j = node.q, node.v
        if node.kind == POINT or node.kind == FRAME:
            for k in range(j, j + (3 if node.kind == POINT else 6)):
                s.b_new[k] = ((1.0 - af) * s.a[k] + af * s.a_old[k] - am * s.b[k]) / (1.0 - am)
                s.displacement[k] = h * v[k] + h * h * ((0.5 - beta) * s.b[k] + beta * s.b_new[k])
                new = v[k] + h * ((1.0 - gamma) * s.b[k] + gamma * s.b_new[k])
                change = larger(change, set_component(loop, s, nq + k, new))
        elif node.kind == MOVING_TWIST:
            for k in range(j, j + 6):
                s.displacement[k] = 0.5 * h * (v[k] + s.trial_v[k])
        else:
            continue
        for k in range(3):
            change = larger(change, set_component(loop, s, i + k, loop.y[i + k] + s.displacement[j + k]))
        if node.kind != POINT:
            turn = quaternion_exp((s.displacement[j + 3], s.displacement[j + 4], s.displacement[j + 5]))
            p = normalized(quaternion_product(load_quaternion(loop.q, i + 3), turn))
            for k in range(4):
                change = larger(change, set_component(loop, s, i + 3 + k, p[k]))
    return change


@device
def add_turn(tables, s, kkt):
    """The unknowns are turns z = T(d) dd of the end in its body axes: M da = M T^-1 z with T^-1 = 1 + (d x) / 2."""
    d = s.displacement
    for n in range(len(tables.nodes)):
        node = tables.nodes[n]
        if node.kind == FRAME:
            J, j = node.inertia, node.v + 3
            stride = kkt.node_at[n, 1]
            at = kkt.node_at[n, 0] + 3 * stride + 3
            for k in range(3):
                i, l = (k + 1) % 3, (k + 2) % 3
                kkt.values[at + l * stride + i] += 0.5 * J[l] * d[j + k]
                kkt.values[at + i * stride + l] -= 0.5 * J[i] * d[j + k]


@device
def correct_accelerations(tables, s):
    """a -= T^-1 z"""
    z, d = s.residual, s.displacement
    for n in range(len(tables.nodes)):
        node = tables.nodes[n]
        if node.kind != POINT and node.kind != FRAME:
            continue
        j = node.v
        for k in range(3):
            s.a[j + k] -= z[j + k]
        if node.kind == FRAME:
            turn = (z[j + 3], z[j + 4], z[j + 5])
            half = cross((0.5 * d[j + 3], 0.5 * d[j + 4], 0.5 * d[j + 5]), turn)
            for k in range(3):
                s.a[j + 3 + k] -= turn[k] + half[k]


@device
def guess(tables, loop, s, h, stay):
    """First accelerations: as before, or those that leave every node where it is.

    The former is good in slow motion; across many periods of a stiff spring it would throw nodes far away.
    """
    copy(loop.y, s.trial)
    copy(s.last_multiplier, s.multiplier)
    am, af, beta = s.options[AM], s.options[AF], s.options[BETA]
    for j in range(len(s.a)):
        s.a[j] = s.a_old[j]
    if not stay:
        return
    for n in range(len(tables.nodes)):
        node = tables.nodes[n]
        if node.kind != POINT and node.kind != FRAME:
            continue
        for k in range(node.v, node.v + (3 if node.kind == POINT else 6)):
            b_new = -(loop.v[k] / h + (0.5 - beta) * s.b[k]) / beta
            s.a[k] = ((1.0 - am) * b_new + am * s.b[k] - af * s.a_old[k]) / (1.0 - af)


@device
def newton(tables, t, loop, s, kkt, work, h, stay):
    """Solve the step: (converged, whether the factors were made at this step)."""
    by_a = h * h * s.options[BETA] * (1.0 - s.options[AF]) / (1.0 - s.options[AM])
    v_by_a = by_a * s.options[GAMMA] / (s.options[BETA] * h)
    fresh, before = False, -1.0
    guess(tables, loop, s, h, stay)
    for _ in range(2 if len(tables.motions) > 0 else 1):
        place_nodes(tables, t, s.trial_q, s.trial_v, work)
        move(tables, loop, s, h)
    for _ in range(MAX_ITERATIONS):
        residual(tables, t, s.trial_q, s.trial_v, s.a, s.multiplier, work, s.residual)
        loop.count[EVALUATIONS] += 1
        for r in range(len(s.multiplier)):
            s.row_residual[r] = work.g[r] / by_a
        if s.options[FACTORED_FOR] != h:
            clear(kkt.values)
            add_tangent(tables, t, s.trial_q, s.trial_v, s.multiplier, work, 1.0, v_by_a, by_a, kkt)
            add_turn(tables, s, kkt)
            kkt_factor(tables, work, kkt)
            s.options[FACTORED_FOR] = h
            loop.count[FACTORIZATIONS] += 1
            fresh = True
        kkt_solve(tables, work, kkt, s.both)
        correct_accelerations(tables, s)
        for r in range(len(s.multiplier)):
            s.multiplier[r] -= s.row_residual[r]
        change = move(tables, loop, s, h)
        loop.count[ITERATIONS] += 1
        if not np.isfinite(change):
            return False, fresh
        rate = change / before if before > 0.0 else -1.0
        if change < 1e-4 or (0.0 <= rate < 1.0 and rate / (1.0 - rate) * change < 1e-2):
            return True, fresh
        if rate >= 1.0:
            return change < 1.0, fresh  # within tolerance and as exact as rounding allows
        before = change
    return False, fresh


@device
def far_thrown(tables, loop, s, h):
    """Whether the last accelerations would carry a node through a good part of the model within the step."""
    for n in range(len(tables.nodes)):
        node = tables.nodes[n]
        if node.kind != POINT and node.kind != FRAME:
            continue
        for k in range(3 if node.kind == POINT else 6):
            size = loop.scale[node.q + k] if k < 3 else 1.0
            if h * h * abs(s.a_old[node.v + k]) > 0.05 * size:
                return True
    return False


@device
def solve_step(tables, t, loop, s, kkt, work, h):
    """Newton with the old factors; if that fails with new ones; if that fails from another first guess."""
    stay = far_thrown(tables, loop, s, h)
    converged, fresh = newton(tables, t, loop, s, kkt, work, h, stay)
    if not converged and not fresh:
        s.options[FACTORED_FOR] = 0.0
        converged, fresh = newton(tables, t, loop, s, kkt, work, h, stay)
    if not converged:
        s.options[FACTORED_FOR] = 0.0
        converged, fresh = newton(tables, t, loop, s, kkt, work, h, not stay)
    for r in range(len(s.multiplier)):
        work.power[DRIVES] += s.multiplier[r] * work.g_target[r]
    return converged


@device
def step_error(tables, loop, s, h):
    """Weighted error of the positions: their formula differs from Taylor's by (beta - 1/6) h^2 (a - a_old)."""
    factor = abs(s.options[BETA] - 1.0 / 6.0) * h * h
    error = 0.0
    for n in range(len(tables.nodes)):
        node = tables.nodes[n]
        if node.kind != POINT and node.kind != FRAME:
            continue
        i, j = node.q, node.v
        for k in range(3):
            error = larger(error, factor * abs(s.a[j + k] - s.a_old[j + k]) * weight(loop, i + k, s.trial[i + k]))
            if node.kind == FRAME:
                half_turn = 0.5 * factor * abs(s.a[j + 3 + k] - s.a_old[j + 3 + k])
                error = larger(error, half_turn * weight(loop, i + 3, 1.0))
    return error


@device
def virtual_work(tables, v, a, d):
    """Work of the total forces M a + w x J w on a displacement."""
    total = 0.0
    for n in range(len(tables.nodes)):
        node = tables.nodes[n]
        j = node.v
        if node.kind != POINT and node.kind != FRAME:
            continue
        total += node.mass * (a[j] * d[j] + a[j + 1] * d[j + 1] + a[j + 2] * d[j + 2])
        if node.kind == FRAME:
            J = node.inertia
            w = (v[j + 3], v[j + 4], v[j + 5])
            gyroscopic = cross(w, (J[0] * w[0], J[1] * w[1], J[2] * w[2]))
            for k in range(3):
                total += (J[k] * a[j + 3 + k] + gyroscopic[k]) * d[j + 3 + k]
    return total


@device
def note_dissipation(tables, loop, s, old_v):
    """Energy the scheme took in this step: work of the mean total forces less the gain of kinetic energy."""
    d = s.displacement
    done = 0.5 * (virtual_work(tables, old_v, s.a_old, d) + virtual_work(tables, loop.v, s.a, d))
    loop.clock[NUMERICAL] += done - (kinetic_energy(tables, loop.v) - kinetic_energy(tables, old_v))


@device
def put_rates(tables, q, v, a, power, out):
    nq, nv = len(q), len(v)
    position_rates(tables, q, v, out[:nq])
    copy(a, out[nq : nq + nv])
    for k in range(N_POWERS):
        out[nq + nv + k] = power[k]


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
def accept(tables, work, loop, s, t_new, h):
    """Take the step: works by the trapezoid rule, projection, dissipation, dense output."""
    nq, nv = len(loop.q), len(loop.v)
    put_rates(tables, s.trial_q, s.trial_v, s.a, work.power, s.rate[1])
    copy(loop.y, loop.y_old)
    for i in range(nq + nv):
        loop.y[i] = s.trial[i]
    for i in range(nq + nv, nq + nv + N_POWERS):
        loop.y[i] += 0.5 * h * (s.rate[0, i] + s.rate[1, i])
    loop.clock[TIME] = t_new
    loop.clock[OLD_STEP] = h
    if len(tables.rows) > 0 and s.options[PROJECT] > 0.0:
        project(tables, t_new, loop.q, loop.v, work, 1e-13 * loop.scale[0])
        note_violation(loop, work.found[0], work.found[1])
    position_rates(tables, loop.q, loop.v, s.rate[1, :nq])
    note_dissipation(tables, loop, s, loop.y_old[nq : nq + nv])
    hermite(loop, s.rate, h)
    copy(s.rate[1], s.rate[0])
    copy(s.a, s.a_old)
    copy(s.b_new, s.b)
    copy(s.multiplier, s.last_multiplier)
    s.options[STEP_OF_B] = h
    loop.count[STEPS] += 1


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
def start(tables, loop, s, work):
    """Accelerations at the start, and those the formulas use: b stands for a at the time t + (am - af) h."""
    t = loop.clock[TIME]
    accelerations(tables, t, loop.q, loop.v, work, s.a_old, 0.0, 0.0)
    copy(work.multiplier, s.last_multiplier)
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
    loop.count[EVALUATIONS] += 2


@device
def refer_to_step(s, h):
    """b lies ahead of a by a part of the step: keep that part when the step changes."""
    ratio = h / s.options[STEP_OF_B]
    if ratio != 1.0:
        for j in range(len(s.b)):
            s.b[j] = s.a_old[j] + ratio * (s.b[j] - s.a_old[j])
        s.options[STEP_OF_B] = h


@device
def choose_step(loop, s, h, error):
    """Longer or shorter for the next step; small changes are not worth new factors."""
    factor = 3.0 if error == 0.0 else min(3.0, max(0.3, 0.9 * error ** (-1.0 / 3.0)))
    if factor < 1.0 or factor > 1.2:
        loop.clock[STEP] = h * factor
    else:
        loop.clock[STEP] = h


@device
def advance(tables, work, loop, s, kkt, record, max_steps):
    clock, count = loop.clock, loop.count
    if count[FRESH]:
        start_loop(tables, work, loop, record)
        start(tables, loop, s, work)
        count[FRESH] = 0
    fixed = s.options[FIXED_STEP]
    for _ in range(max_steps):
        t, end = clock[TIME], clock[END]
        if t >= end:
            return DONE
        h = fixed * 0.5 ** s.options[HALVINGS] if fixed > 0.0 else min(clock[STEP], clock[MAX_STEP])
        last = t + 1.0000001 * h >= end
        if last:
            h = end - t
        if h <= 4e-16 * max(abs(t), abs(end)):
            return STEP_TOO_SMALL
        refer_to_step(s, h)
        t_new = end if last else t + h
        if not solve_step(tables, t_new, loop, s, kkt, work, h):
            count[REJECTED] += 1
            s.options[HALVINGS] += 1.0
            clock[STEP] = 0.5 * h
            if s.options[HALVINGS] > MAX_HALVINGS:
                return NEWTON_FAILED if np.isfinite(loop.y[0]) else NOT_FINITE
            continue
        error = step_error(tables, loop, s, h) if fixed == 0.0 else 0.0
        if not error <= 1.0:
            count[REJECTED] += 1
            clock[STEP] = h * max(0.3, 0.9 * error ** (-1.0 / 3.0))
            continue
        s.options[HALVINGS] = max(0.0, s.options[HALVINGS] - 1.0)
        accept(tables, work, loop, s, t_new, h)
        stop = visit_step(tables, work, loop, record)
        if stop >= 0.0:
            stop_at(tables, work, loop, stop)
            return STOPPED_BY_EVENT
        if not last and fixed == 0.0:
            choose_step(loop, s, h, error)
    return PAUSED


@kernel
def run(tables, work, loop, alpha, kkt, record, max_steps):
    """Advance until the end, a stopping event, trouble, or max_steps steps."""
    return advance(tables, work, loop, alpha, kkt, record, max_steps)
