"""One step of generalized-alpha: prediction, Newton's method with factors kept over many steps, error.

With the accelerations a at its end as unknowns a step's displacement d and velocity are linear in them,

    b = b0 + a (1 - af)/(1 - am),    d = d0 + by_a a,    v = v0 + v_by_a a,    by_a = h² beta (1 - af)/(1 - am)

and Newton's corrections are turns of the end in its body axes, z = T(d) dd, with M da = M T⁻¹ z.

Convergence. Iterations end when the error estimated to remain in a, from the rate at which corrections shrink, is
below `tolerance` times the largest acceleration of its kind (of points, of turns). With a fixed step that is
Settings.tolerance; under error control it is enough that positions are exact to a hundredth of the step's error.

Factors are kept until the iterations they cost in excess of fresh ones have cost as much as new factors would.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..jit import device
from ..math.rotations import normalized, quaternion_exp, quaternion_product
from ..math.vec3 import cross
from ..mechanics.motion import load_quaternion, place_nodes, store_quaternion
from ..mechanics.projection import clear, copy
from ..mechanics.tables import (
    FRAME,
    MOVING_TWIST,
    N_POWERS,
    POINT,
    Tables,
    Work,
    is_augmented,
    position_size,
    velocity_size,
)
from .equations import add_tangent, larger, link_implicit, residual, weight
from .kkt import kkt_factor, kkt_solve
from .steps import EVALUATIONS, FACTORIZATIONS, ITERATIONS, LAST_ERROR, STEP

MAX_ITERATIONS = 12
TOLERANCES = 1e-13, 1e-6  # least and largest of Newton's method
ROUNDING = 1e-14  # of the model's length, or radians: corrections below this are rounding
POSITIONS = 0.001  # of the error allowed in a step, in Newton's method
FAR = 1.0  # of the model's length, or radians: further than this no step goes but by its velocity
# indices into Alpha.options
(
    AM, AF, BETA, GAMMA, PROJECT, FIXED_STEP, FACTORED_FOR, STEP_OF_B, HALVINGS, ORDER, EQUAL, RATE, EXCESS, BEST,
    FACTOR_COST, KINETIC, DRIVEN, BEGIN, LIVELY, AUGMENTS, CONTINUES,
) = range(21)  # fmt: skip


class Alpha(NamedTuple):
    """Accelerations at the start and end of the step, those of earlier steps, and scratch."""

    b: np.ndarray  # accelerations the formulas use, at the start of the step
    b_new: np.ndarray  # at its end; b0 during Newton's method
    d0: np.ndarray
    v0: np.ndarray
    a_old: np.ndarray
    a: np.ndarray
    a_past: np.ndarray  # (2, nv) one and two steps before a_old
    multiplier: np.ndarray
    last_multiplier: np.ndarray  # at the last accepted step
    past_multiplier: np.ndarray  # and the one before
    displacement: np.ndarray  # (nv,) of the step, rotation vectors in body axes
    trial: np.ndarray  # new state
    trial_q: np.ndarray
    trial_v: np.ndarray
    middle: np.ndarray  # state on the way
    middle_q: np.ndarray
    middle_v: np.ndarray
    both: np.ndarray  # the two residuals below
    residual: np.ndarray
    row_residual: np.ndarray
    rate: np.ndarray  # (2, n) of the state at the start and end of the step
    power: np.ndarray  # (2, N_POWERS) of loads, drives and dampers at its start and end
    options: np.ndarray


def new_alpha(
    t: Tables,
    work: Work,
    rho: float = 0.9,
    fixed_step: float = 0.0,
    project_velocities: bool | None = None,
    factor_cost: float = 3.0,
) -> Alpha:
    """rho: spectral radius at high frequencies, 0 to 1; fixed_step [s]: 0 for a step under error control; velocities
    are projected onto the constraints if told, or where the scheme does not damp their errors (rho = 1); factor_cost:
    of new factors, in iterations."""
    link_implicit(t, work)
    nq, nv, nr = position_size(t), velocity_size(t), len(t.rows)
    n = nq + nv + N_POWERS
    am, af = (2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0)
    gamma = 0.5 + af - am
    options = np.zeros(21)
    options[[AM, AF, BETA, GAMMA]] = am, af, 0.25 * (gamma + 0.5) ** 2, gamma
    options[PROJECT] = rho > 0.99 if project_velocities is None else project_velocities
    options[FIXED_STEP], options[FACTOR_COST] = fixed_step, factor_cost
    options[AUGMENTS] = is_augmented(t)
    options[DRIVEN] = len(t.motions) > 0 or bool((t.rows["law"] >= 0).any())
    trial, middle, both, zeros = np.zeros(n), np.zeros(n), np.zeros(nv + nr), np.zeros
    return Alpha(
        b=zeros(nv), b_new=zeros(nv), d0=zeros(nv), v0=zeros(nv), a_old=zeros(nv), a=zeros(nv), a_past=zeros((2, nv)),
        multiplier=zeros(nr), last_multiplier=zeros(nr), past_multiplier=zeros(nr), displacement=zeros(nv),
        trial=trial, trial_q=trial[:nq], trial_v=trial[nq : nq + nv], middle=middle, middle_q=middle[:nq],
        middle_v=middle[nq : nq + nv], both=both, residual=both[:nv], row_residual=both[nv:], rate=zeros((2, n)),
        power=zeros((2, N_POWERS)), options=options,
    )  # fmt: skip


# -- history ----------------------------------------------------------------------------------------------------------
HISTORY = "b", "a_old", "a_past", "last_multiplier", "past_multiplier", "power"
OF_STEPS = AM, AF, STEP_OF_B, ORDER, EQUAL, KINETIC, LIVELY
OF_CHOICE = STEP, LAST_ERROR  # in Loop.clock


def history_of(s: Alpha, loop) -> np.ndarray:
    """What is known of earlier steps: with it another run goes on as if this one had not ended."""
    numbers = s.options[list(OF_STEPS)], loop.clock[list(OF_CHOICE)]
    return np.concatenate([*numbers, *(getattr(s, name).ravel() for name in HISTORY)])


def put_history(s: Alpha, loop, history: np.ndarray) -> None:
    """Go on from there, unless it is of another system or scheme."""
    arrays = [getattr(s, name) for name in HISTORY]
    sizes = [len(OF_STEPS), len(OF_CHOICE), *(a.size for a in arrays)]
    if len(history) != sum(sizes) or not np.array_equal(history[:2], s.options[[AM, AF]]):
        return
    of_steps, of_choice, *parts = np.split(history, np.cumsum(sizes)[:-1])
    s.options[list(OF_STEPS)], loop.clock[list(OF_CHOICE)], s.options[CONTINUES] = of_steps, of_choice, 1.0
    for array, part in zip(arrays, parts, strict=True):
        array[...] = part.reshape(array.shape)


# -- formulas ---------------------------------------------------------------------------------------------------------
def factor_cost(kkt) -> float:
    """Cost of a tangent and its factors in iterations of Newton's method, from the work to factor and to solve: three
    for a chain of beams, more for lattices."""
    size, width = np.diff(kkt.pivot_first.astype(float)), kkt.panel_width.astype(float)
    to_factor = (size**3 / 1.5 + 2.0 * size**2 * width + 2.0 * size * width**2).sum()
    to_solve = (2.0 * size**2 + 4.0 * size * width).sum()
    return 1.5 + 0.3 * float(to_factor / max(to_solve, 1.0))


@device
def slopes(s, h):
    """(by_a, v_by_a): change of displacements and velocities with a."""
    ratio = (1.0 - s.options[AF]) / (1.0 - s.options[AM])
    return h * h * s.options[BETA] * ratio, h * s.options[GAMMA] * ratio


@device
def prepare(loop, s, h):
    """The parts of the formulas that do not depend on a."""
    am, af, beta, gamma = s.options[AM], s.options[AF], s.options[BETA], s.options[GAMMA]
    r, b, v = 1.0 / (1.0 - am), s.b, loop.v
    for k in range(len(b)):
        b0 = r * (af * s.a_old[k] - am * b[k])
        s.b_new[k] = b0
        s.d0[k] = h * v[k] + h * h * ((0.5 - beta) * b[k] + beta * b0)
        s.v0[k] = v[k] + h * ((1.0 - gamma) * b[k] + gamma * b0)


@device
def put_node(tables, n, loop, s, by_a, v_by_a):
    """Displacement and new state of a free node from its accelerations."""
    node = tables.nodes[n]
    j = node.v
    for k in range(j, j + (3 if node.kind == POINT else 6)):
        s.displacement[k] = s.d0[k] + by_a * s.a[k]
        s.trial_v[k] = s.v0[k] + v_by_a * s.a[k]
    put_place(tables, n, loop.q, s.displacement, s.trial_q)


@device
def put_place(tables, n, q, d, out):
    """out <- q of node n moved by d."""
    node = tables.nodes[n]
    i, j = node.q, node.v
    for k in range(3):
        out[i + k] = q[i + k] + d[j + k]
    if node.kind != POINT:
        turn = quaternion_exp((d[j + 3], d[j + 4], d[j + 5]))
        store_quaternion(out, i + 3, normalized(quaternion_product(load_quaternion(q, i + 3), turn)))


@device
def move(tables, loop, s, h):
    """New state from the accelerations at its end."""
    by_a, v_by_a = slopes(s, h)
    for n in range(len(tables.nodes)):
        node = tables.nodes[n]
        if node.kind == POINT or node.kind == FRAME:
            put_node(tables, n, loop, s, by_a, v_by_a)
        elif node.kind == MOVING_TWIST:
            for k in range(node.v, node.v + 6):
                s.displacement[k] = 0.5 * h * (loop.v[k] + s.trial_v[k])
            put_place(tables, n, loop.q, s.displacement, s.trial_q)


@device
def correct(tables, loop, s, h):
    """a -= T⁻¹ z, T⁻¹ = 1 + (d x) / 2, and the new state: largest (correction, acceleration) of points, of turns."""
    by_a, v_by_a = slopes(s, h)
    z, d, a = s.residual, s.displacement, s.a
    moved, turned, fast, spinning = 0.0, 0.0, 0.0, 0.0
    for n in range(len(tables.nodes)):
        node = tables.nodes[n]
        if node.kind != POINT and node.kind != FRAME:
            continue
        j = node.v
        for k in range(j, j + 3):
            a[k] -= z[k]
            moved, fast = larger(moved, abs(z[k])), larger(fast, abs(a[k]))
        if node.kind == FRAME:
            turn = (z[j + 3], z[j + 4], z[j + 5])
            half = cross((0.5 * d[j + 3], 0.5 * d[j + 4], 0.5 * d[j + 5]), turn)
            for k in range(3):
                a[j + 3 + k] -= turn[k] + half[k]
                turned, spinning = larger(turned, abs(turn[k])), larger(spinning, abs(a[j + 3 + k]))
        put_node(tables, n, loop, s, by_a, v_by_a)
    if len(tables.motions) > 0:
        move(tables, loop, s, h)
    return moved, fast, turned, spinning


@device
def add_turn(tables, s, kkt):
    """M T⁻¹ in place of M."""
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


# -- prediction -------------------------------------------------------------------------------------------------------
@device
def predict(s, h, stay):
    """First accelerations: extrapolated from past steps by a polynomial of the degree that did best last time, or
    those that leave every node where it is.

    The former is good in slow motion; across many periods of a stiff spring it would throw nodes far away.
    """
    past, more = s.a_past[0], s.a_past[1]
    order = min(s.options[ORDER], s.options[EQUAL])
    by_a, _ = slopes(s, h)
    for j in range(len(s.a)):
        if stay:
            s.a[j] = -s.d0[j] / by_a
        elif order == 0.0:
            s.a[j] = s.a_old[j]
        elif order == 1.0:
            s.a[j] = 2.0 * s.a_old[j] - past[j]
        else:
            s.a[j] = 3.0 * (s.a_old[j] - past[j]) + more[j]
    for r in range(len(s.multiplier)):
        s.multiplier[r] = s.last_multiplier[r]
        if order > 0.0 and not stay:
            s.multiplier[r] += s.last_multiplier[r] - s.past_multiplier[r]


@device
def remember(tables, s, h):
    """Shift the history by an accepted step, and choose the degree that would have predicted it best."""
    past, more = s.a_past[0], s.a_past[1]
    constant, linear, quadratic = 0.0, 0.0, 0.0
    for n in range(len(tables.nodes)):
        node = tables.nodes[n]
        if node.kind != POINT and node.kind != FRAME:
            continue
        for k in range(3 if node.kind == POINT else 6):
            j = node.v + k
            m = node.mass if k < 3 else node.inertia[k - 3]
            e = s.a[j] - s.a_old[j]
            constant += m * e * e
            e -= s.a_old[j] - past[j]
            linear += m * e * e
            e -= s.a_old[j] - 2.0 * past[j] + more[j]
            quadratic += m * e * e
    equal = s.options[EQUAL] if h == s.options[STEP_OF_B] else 0.0
    s.options[ORDER] = 0.0
    if equal >= 1.0 and linear < constant:
        s.options[ORDER] = 1.0
    if equal >= 2.0 and quadratic < min(linear, constant):
        s.options[ORDER] = 2.0
    s.options[EQUAL] = min(equal + 1.0, 2.0)
    for j in range(len(past)):
        more[j] = past[j]
        past[j] = s.a_old[j]
    copy(s.last_multiplier, s.past_multiplier)
    copy(s.multiplier, s.last_multiplier)
    copy(s.a, s.a_old)


# -- Newton's method --------------------------------------------------------------------------------------------------
@device
def factor(tables, t, loop, s, kkt, work, h):
    by_a, v_by_a = slopes(s, h)
    clear(kkt.values)
    add_tangent(tables, t, s.trial_q, s.trial_v, s.multiplier, work, 1.0, v_by_a, by_a, kkt)
    add_turn(tables, s, kkt)
    kkt_factor(tables, work, kkt)
    s.options[FACTORED_FOR] = h
    s.options[RATE] = -1.0
    s.options[EXCESS] = 0.0
    s.options[BEST] = -1.0
    loop.count[FACTORIZATIONS] += 1


@device
def largest_error(loop, s, by_a, fast, spinning):
    """Errors allowed in accelerations of points and of turns; see the head of this file."""
    tolerance = min(max(loop.tolerance[0], TOLERANCES[0]), TOLERANCES[1])
    length = loop.scale[0]
    of_points = max(tolerance * fast, ROUNDING * length / by_a)
    of_turns = max(tolerance * spinning, ROUNDING / by_a)
    if s.options[FIXED_STEP] == 0.0:
        allowed = POSITIONS * (loop.tolerance[0] + loop.tolerance[1]) / by_a
        of_points, of_turns = max(of_points, allowed * length), max(of_turns, allowed)
    return of_points, of_turns


@device
def newton(tables, t, loop, s, kkt, work, h, stay, full):
    """Solve the step; whether that converged. full: new factors at every iteration."""
    by_a, _ = slopes(s, h)
    before = -1.0
    copy(loop.y, s.trial)
    predict(s, h, stay)
    if len(tables.motions) > 0:
        place_nodes(tables, t, s.trial_q, s.trial_v, work)
        move(tables, loop, s, h)
        place_nodes(tables, t, s.trial_q, s.trial_v, work)
    move(tables, loop, s, h)
    for i in range(MAX_ITERATIONS):
        residual(tables, t, s.trial_q, s.trial_v, s.a, s.multiplier, work, s.residual)
        loop.count[EVALUATIONS] += 1
        for r in range(len(s.multiplier)):
            s.row_residual[r] = work.g[r] / by_a
        if full or s.options[FACTORED_FOR] != h:
            factor(tables, t, loop, s, kkt, work, h)
        kkt_solve(tables, work, kkt, s.both)
        moved, fast, turned, spinning = correct(tables, loop, s, h)
        for r in range(len(s.multiplier)):
            s.multiplier[r] -= s.row_residual[r]
        loop.count[ITERATIONS] += 1
        of_points, of_turns = largest_error(loop, s, by_a, fast, spinning)
        size = larger(moved / of_points, turned / of_turns)
        if not size < 1e300:
            return False
        rate = foreseen_rate(s, size, before)
        if size < 1e-3 or (rate < 1.0 and rate / (1.0 - rate) * size < 1.0):
            note_cost(s, i + 1)
            return True
        if before > 0.0 and size >= before:
            return size < 10.0  # as exact as rounding allows
        if before > 0.0 and not full and size * rate ** (MAX_ITERATIONS - 1 - i) > 1.0:
            return False  # too slow
        before = size
    return False


@device
def foreseen_rate(s, size, before):
    """How much the next correction would be smaller: measured, or from earlier steps with a margin that grows."""
    if before > 0.0:
        s.options[RATE] = size / before
        return s.options[RATE]
    s.options[RATE] *= 1.5
    return max(10.0 * s.options[RATE], 1e-3) if s.options[RATE] > 0.0 else 1.0


@device
def note_cost(s, iterations):
    """Give factors up when what they cost in excess of the best they did is the cost of new ones."""
    if s.options[BEST] < 0.0:
        s.options[BEST] = iterations
    s.options[EXCESS] += max(0.0, iterations - s.options[BEST])
    if s.options[EXCESS] >= s.options[FACTOR_COST]:
        s.options[FACTORED_FOR] = 0.0


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
def strayed(tables, loop, s, h):
    """Whether a node went far, and not where its velocity led: to another solution than the one that was meant."""
    for n in range(len(tables.nodes)):
        node = tables.nodes[n]
        if node.kind != POINT and node.kind != FRAME:
            continue
        for k in range(3 if node.kind == POINT else 6):
            size = loop.scale[node.q + k] if k < 3 else 1.0
            d = s.displacement[node.v + k]
            if min(abs(d), abs(d - h * loop.v[node.v + k])) > FAR * size:
                return True
    return False


@device
def solve_step(tables, t, loop, s, kkt, work, h):
    """Newton with the old factors; if that fails with new ones at every iteration; then from another first guess."""
    stay = far_thrown(tables, loop, s, h)
    prepare(loop, s, h)
    converged = newton(tables, t, loop, s, kkt, work, h, stay, False)
    if not converged:
        converged = newton(tables, t, loop, s, kkt, work, h, stay, True)
    if not converged:
        converged = newton(tables, t, loop, s, kkt, work, h, not stay, True)
    return converged and not strayed(tables, loop, s, h)


# -- error ------------------------------------------------------------------------------------------------------------
@device
def step_error(tables, work, loop, s, kkt, h):
    """Weighted error of the positions: their formula differs from Taylor's by (beta - 1/6) h² (a - a_old).

    Of modes much faster than the step, which the scheme damps and nobody wants resolved, this is no measure. The
    step's own factors take them out: e = (M + by_a K)⁻¹ M (a - a_old), which leaves slow modes as they are.
    """
    e = s.residual
    for n in range(len(tables.nodes)):
        node = tables.nodes[n]
        if node.kind != POINT and node.kind != FRAME:
            continue
        for k in range(3 if node.kind == POINT else 6):
            m = node.mass if k < 3 else node.inertia[k - 3]
            e[node.v + k] = m * (s.a[node.v + k] - s.a_old[node.v + k])
    clear(s.row_residual)
    kkt_solve(tables, work, kkt, s.both)
    factor = abs(s.options[BETA] - 1.0 / 6.0) * h * h
    error = 0.0
    for n in range(len(tables.nodes)):
        node = tables.nodes[n]
        if node.kind != POINT and node.kind != FRAME:
            continue
        i, j = node.q, node.v
        for k in range(3):
            error = larger(error, factor * abs(e[j + k]) * weight(loop, i + k, s.trial[i + k]))
            if node.kind == FRAME:
                error = larger(error, 0.5 * factor * abs(e[j + 3 + k]) * weight(loop, i + 3, 1.0))
    return error
