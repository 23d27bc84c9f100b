"""Order-8 steps of bodies in a plane on loose pins: runge_kutta with its numbers in blocks of four bodies.

`ode` asks for these through an address, so that other models never compile them. A step begins where `rates` has left
the state and its rates, and ends with the new state in rk.stage, so that everything around it is that of any model; the
stages between, most of the time of a run, never see nodes or pairs. Outputs evaluate these one by one.
"""

from math import sqrt

import numpy as np
from numpy import float64, int64, uintp

from ..jit import call_core, device, from_numba, kernel, small
from ..mechanics.linking import PLANE_STEPS, prescribe
from ..mechanics.plane_lanes import (
    CLOSING,
    DEPTH,
    FORCE,
    N_STATE,
    accelerate_block,
    add_pins,
    place_block,
    place_told,
    power_of_told,
    put_powers,
    state_of,
)
from ..mechanics.projection import copy
from .steps import EVALUATIONS

load4, same, store4, larger4, lane, sum4 = from_numba(
    ".math.lanes", "load4", "same", "store4", "larger4", "lane", "sum4"
)

ATTEMPT, RATES, MORE_STAGES, LAST_RATES = range(4)
END, LAST = 12, 11  # stages at the end of a step
BLOCK = 4 * N_STATE  # numbers of a block


@device
def is_flat(rk):
    """Whether a model goes this way."""
    return len(rk.body) > 0


@device
def ask_plane(tables, work, loop, rk, task, t, h):
    """See `plane_steps`; its answer."""
    call_core(work.core[PLANE_STEPS], (tables, work, loop, rk, int64(task), float64(t), float64(h)))
    return loop.answer[0]


# -- between a state by nodes and one by blocks -----------------------------------------------------------------------
@device
def take(rk, y, blocks, first):
    """Blocks from first on <- a state, or rates. Lanes of a block follow one another, as blocks do."""
    begin = uintp(first * BLOCK)
    for i in range(len(rk.place)):
        blocks[0, 0, begin + rk.in_blocks[i]] = y[rk.place[i]]


@device
def give(rk, blocks, first, y):
    """The other way round; what does not move stays."""
    begin = uintp(first * BLOCK)
    for i in range(len(rk.place)):
        y[rk.place[i]] = blocks[0, 0, begin + rk.in_blocks[i]]


# -- stages -----------------------------------------------------------------------------------------------------------
@device
def choose_sources(rk, s, h):
    """Stages that stage s is made of, and their shares; how many."""
    count = 0
    for j in range(s):
        if rk.A[s, j] != 0.0:
            rk.source[count] = j * len(rk.block_y)
            rk.share[count] = h * rk.A[s, j]
            count += 1
    return count


@small
def more(sum7, c, rate):
    """sum + c rate of seven numbers."""
    return (
        sum7[0] + c * rate[0], sum7[1] + c * rate[1], sum7[2] + c * rate[2], sum7[3] + c * rate[3],
        sum7[4] + c * rate[4], sum7[5] + c * rate[5], sum7[6] + c * rate[6],
    )  # fmt: skip


@small
def combined(rk, i, count):
    """y + h sum_j A[s, j] K[j] of block i."""
    state = state_of(rk.block_y, i)
    for m in range(count):
        state = more(state, rk.share[m], state_of(rk.block_K, rk.source[m] + i))
    return state


@device
def combine_all(rk, s, h, out):
    """Every block, works too."""
    count = choose_sources(rk, s, h)
    for i in range(len(rk.block_y)):
        state = combined(rk, i, count)
        for k in range(N_STATE):
            store4(out, i, k, state[k])


@device
def evaluate(tables, work, loop, rk, s, count, t, q, v):
    """K[s] of the state that `count` sources make; bodies that move as they are told are told so in q and v."""
    bodies, first = len(rk.body), s * len(rk.block_y)
    for i in range(bodies):
        place_block(rk, i, combined(rk, i, count), rk.block_K, first + i)
    for m in range(len(rk.told)):
        slot = rk.told[m]
        prescribe(tables, slot + 1, t, q, v, work)
        place_told(rk, tables, slot + 1, slot, q, v, rk.block_K, first + slot // 4)
    by_films, by_impacts = add_pins(rk)
    for i in range(bodies):
        accelerate_block(rk, i, rk.block_K, first + i)
    by_drives = 0.0
    for m in range(len(rk.told)):
        slot = rk.told[m]
        by_drives += power_of_told(rk, work, slot + 1, slot, rk.block_K, first + slot // 4)
    put_powers(rk.block_K, first + bodies, by_films, by_impacts, by_drives)
    loop.count[EVALUATIONS] += 1


@small
def size4(a):
    return larger4(a, -a)


@device
def error_of_blocks(rk, loop, h):
    """runge_kutta.error_norm."""
    rtol, atol = loop.tolerance[0], loop.tolerance[1]
    none, n = same(0.0), len(rk.block_y)
    worst5, worst3, total = none, none, none
    for i in range(len(rk.body)):
        s5, s3 = (none, none, none, none, none, none, none), (none, none, none, none, none, none, none)
        for j in range(12):
            if rk.E3[j] != 0.0:
                rate = state_of(rk.block_K, j * n + i)
                s5, s3 = more(s5, rk.E5[j], rate), more(s3, rk.E3[j], rate)
        old, new, scale = state_of(rk.block_y, i), state_of(rk.block_new, i), state_of(rk.block_scale, i)
        for k in range(N_STATE):
            part = 1.0 / (atol * scale[k] + rtol * larger4(size4(old[k]), size4(new[k])))
            e5, e3 = size4(s5[k]) * part, size4(s3[k]) * part
            worst5, worst3, total = larger4(e5, worst5), larger4(e3, worst3), total + e5
    if not np.isfinite(sum4(total)):
        return np.nan
    e5, e3 = largest_lane(worst5), largest_lane(worst3)
    return h * e5 / sqrt(1.0 + (0.1 * e3 / e5) ** 2) if e5 > 0.0 else 0.0


@small
def largest_lane(a):
    return max(max(lane(a, 0), lane(a, 1)), max(lane(a, 2), lane(a, 3)))


@device
def begin(rk):
    """K[0] <- rates at loop.y, which `rates` found last."""
    end = END * len(rk.block_y)
    for i in range(len(rk.block_y)):
        for k in range(N_STATE):
            store4(rk.block_K, i, k, load4(rk.block_K, end + i, k))


@device
def attempt(tables, work, loop, rk, t, h):
    """runge_kutta.attempt_stages: the new state in rk.stage; its error."""
    begin(rk)
    copy(loop.y, rk.stage)
    for s in range(1, LAST + 1):
        count = choose_sources(rk, s, h)
        evaluate(tables, work, loop, rk, s, count, t + rk.C[s] * h, rk.stage_q, rk.stage_v)
    combine_all(rk, LAST, h, rk.block_last)
    combine_all(rk, END, h, rk.block_new)
    give(rk, rk.block_new, 0, rk.stage)
    return error_of_blocks(rk, loop, h)


@device
def rates(tables, work, loop, rk, t):
    """K[12] at loop.y, and what contacts look like there; runge_kutta.rate_of_change."""
    take(rk, loop.y, rk.block_y, 0)
    evaluate(tables, work, loop, rk, END, 0, t, loop.q, loop.v)
    give(rk, rk.block_K, END * len(rk.block_y), rk.K[END])
    for i in range(len(tables.pairs)):
        found, l = rk.pin_found[i >> 2], i & 3
        work.pair_out[i, 0], work.pair_out[i, 1] = -found[DEPTH, l], -found[CLOSING, l]
        work.pair_out[i, 2] = found[FORCE, l]
    return rate_of_change(rk)


@device
def rate_of_change(rk):
    """How fast rates change with the state, from the last two stages."""
    n, none = len(rk.block_y), same(0.0)
    of_rates, of_state = none, none
    for i in range(len(rk.body)):
        for k in range(N_STATE):
            change = load4(rk.block_K, END * n + i, k) - load4(rk.block_K, LAST * n + i, k)
            apart = load4(rk.block_y, i, k) - load4(rk.block_last, i, k)
            of_rates, of_state = of_rates + change * change, of_state + apart * apart
    apart = sum4(of_state)
    return sqrt(sum4(of_rates) / apart) if apart > 0.0 else 0.0


@device
def more_stages(tables, work, loop, rk, t_old, h):
    """Stages for the dense output, and all of K by nodes."""
    take(rk, loop.y_old, rk.block_y, 0)
    for s in range(13, 16):
        count = choose_sources(rk, s, h)
        evaluate(tables, work, loop, rk, s, count, t_old + rk.C[s] * h, rk.stage_q, rk.stage_v)
    for s in range(16):
        give(rk, rk.block_K, s * len(rk.block_y), rk.K[s])
    take(rk, loop.y, rk.block_y, 0)


@kernel
def plane_steps(tables, work, loop, rk, task, t, h):
    """All of this for a loop that calls it through its address."""
    if task == ATTEMPT:
        loop.answer[0] = attempt(tables, work, loop, rk, t, h)
    elif task == RATES:
        loop.answer[0] = rates(tables, work, loop, rk, t)
    elif task == MORE_STAGES:
        more_stages(tables, work, loop, rk, t, h)
    elif task == LAST_RATES:
        give(rk, rk.block_K, LAST * len(rk.block_y), rk.K[LAST])


def link_plane(tables, work, loop, rk) -> None:
    """Give a work these steps, and the blocks the sizes of their numbers."""
    if not work.core[PLANE_STEPS]:
        work.core[PLANE_STEPS] = plane_steps.address(tables, work, loop, rk, 0, 0.0, 0.0)
    rk.block_scale.ravel()[rk.in_blocks] = loop.scale[rk.place]
