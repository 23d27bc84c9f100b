"""Order-8 explicit Runge-Kutta on the accelerations (Dormand and Prince): stages, error, dense output."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..jit import device, small
from ..mechanics.linking import accelerations, project
from ..mechanics.motion import position_rates
from ..mechanics.projection import copy
from ..mechanics.tables import N_POWERS, Tables
from ..mechanics.touching import take_slip
from . import dop853
from .contact_tasks import can_change
from .plane_layout import new_plane
from .steps import END, EVALUATIONS, TIME


class RungeKutta(NamedTuple):
    """Coefficients and stages."""

    A: np.ndarray
    C: np.ndarray
    E3: np.ndarray
    E5: np.ndarray
    dense: np.ndarray
    K: np.ndarray  # (16, n), without columns for works where nothing does any
    stage: np.ndarray
    stage_q: np.ndarray
    stage_v: np.ndarray
    last: np.ndarray  # state of stage 11, at the end of the step
    pivot: np.ndarray  # (16,) weakest pivot met at each stage
    steps: np.ndarray  # (2,) last steps before a change: while nothing touched, while something did
    damped: np.ndarray  # (5,) see damped_steps
    options: np.ndarray  # projection (1/0), Baumgarte alpha, beta, stop when stiff (1/0), fixed step (0 = controlled),
    # how singular positions are passed, weakest pivot, whether contacts are stepped through (1/0)
    # of models in a plane that go through mechanics.plane_lanes, else empty
    axes: np.ndarray  # (3,) of the plane, and its normal
    told: np.ndarray  # slots of bodies that move as they are told
    body: np.ndarray  # (blocks, 4, 4) constants of bodies
    rows: np.ndarray  # (2 (slots and ground), 4) placement and motion
    push: np.ndarray  # (slots and ground, 4) force and moment
    pins: np.ndarray  # (blocks, N_PIN, 4) constants
    pin_sides: np.ndarray  # (8 blocks,) slots of the first sides of four pins, then of the second ones
    pin_found: np.ndarray  # (blocks, 3, 4)
    block_y: np.ndarray  # (blocks and works, 7, 4) state at the start of a step
    block_last: np.ndarray  # at stage 11
    block_new: np.ndarray  # at its end
    block_scale: np.ndarray  # natural size of each number
    place: np.ndarray  # where numbers of these stand in a state by nodes
    in_blocks: np.ndarray  # and where in blocks
    block_K: np.ndarray  # (16 times these, 7, 4)
    source: np.ndarray  # (16,) first blocks of the stages that one is made of
    share: np.ndarray  # (16,) of each of them


# the stability limit is 6.1 on the negative real axis; controlled steps stay somewhat below it
STIFF_FROM = 4.0
FIRST_HINTS = 5.0  # steps in a row at that limit before anything is done about it
# indices into options
PROJECT, ALPHA, BETA, STOP_IF_STIFF, FIXED_STEP, NEAR_SINGULAR, RESELECT_BELOW, THROUGH = range(8)


def does_work(t: Tables) -> bool:
    """Whether any power can differ from zero: else works need not be integrated."""
    moved = (t.loads, t.couplings, t.bushings, t.motions, t.laws, t.drags, t.pressures)
    damped = any(np.any(elements["damping"] > 0.0) for elements in (t.beams, t.bars, t.cells))
    return any(len(table) for table in moved) or damped or can_change(t)


def new_runge_kutta(t: Tables, nq: int, nv: int, options, slip: int = 0, pairs: np.ndarray | None = None) -> RungeKutta:
    """Pairs of the work: to go through mechanics.plane_lanes where that can be, with copies of what tables hold."""
    n = nq + nv + slip + N_POWERS
    columns = n if does_work(t) else nq + nv
    stage = np.zeros(n)
    options = np.array([*options, 0.0][: THROUGH + 1], float)
    return RungeKutta(
        A=dop853.A, C=dop853.C, E3=dop853.E3, E5=dop853.E5, dense=dop853.DENSE, K=np.zeros((16, columns)), stage=stage,
        stage_q=stage[:nq], stage_v=stage[nq : nq + nv], last=np.zeros(n), pivot=np.ones(16),
        steps=np.zeros(2), damped=np.array([0.0, FIRST_HINTS, 0.0, 0.0, 0.0]),
        options=options, **new_plane(t, pairs if options[THROUGH] > 0.0 else None),
    )  # fmt: skip


@small
def derivative(tables, t, y, work, rk, s, loop):
    """Stage s of K: rates of q, v and of the works.

    Off the constraints accelerations behave as violation / distance to the next singular position. Near one, stages are
    therefore projected before they are evaluated: the same motion, continued smoothly through the singular position.
    """
    nq, nv = len(loop.q), len(loop.v)
    q, v, k = y[:nq], y[nq : nq + nv], rk.K[s]
    slip = len(y) - nq - nv - N_POWERS
    if slip > 0:
        take_slip(tables, work, y, nq + nv)
    work.weakest[0] = 1.0
    if rk.options[NEAR_SINGULAR] > 0.0:
        copy(q, loop.out_q)
        copy(v, loop.out_v)
        q, v = loop.out_q, loop.out_v
        project(tables, t, q, v, work, 1e-14 * loop.scale[0])
    accelerations(tables, t, q, v, work, k[nq : nq + nv], rk.options[ALPHA], rk.options[BETA])
    position_rates(tables, q, v, k[:nq])
    for i in range(slip):
        k[nq + nv + i] = work.pair_rate[i // 3, i % 3]
    for i in range(len(k) - nq - nv - slip):
        k[nq + nv + slip + i] = work.power[i]
    rk.pivot[s] = work.weakest[0]
    loop.count[EVALUATIONS] += 1


@device
def rates_at(tables, t, y, work, rk, s, loop):
    """`derivative` as a function of its own, for that becomes part of whoever calls it."""
    derivative(tables, t, y, work, rk, s, loop)


@device
def combine(rk, s, h, y, out):
    """out = y + h sum_j A[s, j] K[j]"""
    n = rk.K.shape[1]
    for i in range(n):
        out[i] = y[i]
    for j in range(s):
        c = h * rk.A[s, j]
        if c != 0.0:
            for i in range(n):
                out[i] += c * rk.K[j, i]


@device
def error_norm(rk, loop, h):
    """Hairer's combination of the order-5 and order-3 estimates, in the largest component."""
    rtol, atol = loop.tolerance[0], loop.tolerance[1]
    e5, e3 = 0.0, 0.0
    for i in range(len(loop.y) - N_POWERS):
        s5, s3 = 0.0, 0.0
        for j in range(12):
            s5 += rk.E5[j] * rk.K[j, i]
            s3 += rk.E3[j] * rk.K[j, i]
        size = max(abs(loop.y[i]), abs(rk.stage[i]))
        weight = 1.0 / (atol * loop.scale[i] + rtol * size)
        s5, s3 = abs(s5) * weight, abs(s3) * weight
        if s5 > e5 or s5 != s5:  # what is not a number stays
            e5 = s5
        if s3 > e3 or s3 != s3:
            e3 = s3
    if e5 == 0.0 and e3 == e3:
        return 0.0
    part = 0.1 * e3 / e5  # squares of tiny estimates would be zero
    return h * e5 / np.sqrt(1.0 + part * part)


@device
def first_step(rk, loop):
    """A step by the size of state and rates; K[0] must be known."""
    rtol, atol = loop.tolerance[0], loop.tolerance[1]
    ratio = 0.0
    for i in range(len(loop.y) - N_POWERS):
        rate = abs(rk.K[0, i]) / (loop.scale[i] + abs(loop.y[i]))
        ratio = max(ratio, rate)
    span = loop.clock[END] - loop.clock[TIME]
    if ratio == 0.0:
        return min(span, 1e-3 * span + 1e-6)
    return min(span, 0.3 * max(rtol, atol) ** 0.125 / ratio)


@device
def rate_of_change(rk, loop):
    """How fast rates change with the state: Hairer's test, for the last two stages lie at the same time."""
    num, den = 0.0, 0.0
    for i in range(len(loop.y) - N_POWERS):
        num += (rk.K[12, i] - rk.K[11, i]) ** 2
        den += (loop.y[i] - rk.last[i]) ** 2
    return np.sqrt(num / den) if den > 0.0 else 0.0


@device
def more_stages(tables, work, loop, rk, t_old, h):
    """Three of them, for the dense output."""
    for s in range(13, 16):
        combine(rk, s, h, loop.y_old, rk.stage)
        derivative(tables, t_old + rk.C[s] * h, rk.stage, work, rk, s, loop)


@device
def dense_of_stages(loop, rk, h):
    """The seven polynomial terms of the dense output, from all stages."""
    for i in range(rk.K.shape[1]):
        delta = loop.y[i] - loop.y_old[i]
        loop.F[0, i] = delta
        loop.F[1, i] = h * rk.K[0, i] - delta
        loop.F[2, i] = 2.0 * delta - h * (rk.K[12, i] + rk.K[0, i])
        for r in range(4):
            f = 0.0
            for j in range(16):
                f += rk.dense[r, j] * rk.K[j, i]
            loop.F[3 + r, i] = h * f


@device
def attempt_stages(tables, work, loop, rk, t, h):
    """Stages 1-11 and the new state in rk.stage; its scaled error. loop.y is unchanged."""
    for s in range(1, 12):
        combine(rk, s, h, loop.y, rk.stage)
        derivative(tables, t + rk.C[s] * h, rk.stage, work, rk, s, loop)
    copy(rk.stage, rk.last)
    combine(rk, np.int64(12), h, loop.y, rk.stage)
    if rk.options[FIXED_STEP] > 0.0:
        return 0.0
    return error_norm(rk, loop, h)
