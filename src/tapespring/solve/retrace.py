"""Rows like those of outputs, at traced states and within the steps between them (see trace)."""

from __future__ import annotations

import numpy as np

from ..jit import device, kernel
from ..mechanics.dynamics import energies
from ..mechanics.linking import accelerations
from ..mechanics.motion import place_nodes
from ..mechanics.projection import copy
from ..mechanics.tables import MEMORY
from ..mechanics.touching import IMPULSE, keeps_slip, take_slip
from .runge_kutta import attempt_stages, dense_of_stages, more_stages, rates_at
from .steps import (
    NEXT_OUTPUT,
    NUMERICAL,
    OLD_NUMERICAL,
    OLD_STEP,
    TIME,
    hermite,
    interpolate,
    normalize_quaternions,
    record_state,
    take_accounts,
)
from .trace import COLUMNS, GRIP_MEMORY, LENGTH, REMEMBERED, SCHEME, STAGES


@device
def take_memory(tables, work, row):
    """What was kept by trace.keep_memory."""
    work.anchor_time[0] = row[0]
    at = 1
    for i in range(len(tables.turning)):
        work.anchor[tables.turning[i], 0], work.anchor[tables.turning[i], 1] = row[at], row[at + 1]
        at += 2
    if len(tables.pairs) + len(tables.grips) == 0:
        return
    for k in range(4):
        work.contact_step[k] = row[at + k]
    for k in range(6):
        work.rigid_scale[k] = row[at + 4 + k]
    work.rigid_closed[0] = np.int64(row[at + 10])
    at += 11
    for i in range(len(tables.pairs)):
        work.pair_mode[i, 0], work.pair_mode[i, 1] = np.int64(row[at]), np.int64(row[at + 1])
        work.pair_side[i] = row[at + 2]
        copy(row[at + 3 : at + 3 + MEMORY], work.pair_memory[i])
        at += 3 + MEMORY
    for g in range(len(tables.grips)):
        work.grip_mode[g], work.grip_normal[g] = np.int64(row[at]), row[at + 1]
        copy(row[at + 2 : at + 2 + GRIP_MEMORY], work.grip_memory[g])
        at += 2 + GRIP_MEMORY
    for c in range(len(tables.contacts)):
        work.contact_peak[c, IMPULSE] = row[at + c]


@device
def put_state(tables, work, loop, record, k):
    """Go to traced state k."""
    n = len(loop.y)
    copy(record.step_state[k, :n], loop.y)
    loop.clock[TIME], loop.clock[OLD_STEP] = record.step_time[k], 0.0
    loop.clock[NUMERICAL] = record.step_state[k, n + COLUMNS + SCHEME]
    loop.clock[OLD_NUMERICAL] = loop.clock[NUMERICAL]
    take_memory(tables, work, record.step_memory[np.int64(record.step_state[k, n + COLUMNS + REMEMBERED])])
    place_nodes(tables, loop.clock[TIME], loop.q, loop.v, work)
    if len(tables.pairs) > 0:
        for n in range(len(tables.nodes)):
            for i in range(3):
                work.x_last[n, i] = work.x[n, i]
                for j in range(3):
                    work.R_last[n, i, j] = work.R[n, i, j]


@device
def energies_at(tables, work, loop, record, k, out):
    """Accounts of traced state k."""
    put_state(tables, work, loop, record, k)
    t = loop.clock[TIME]
    if len(tables.pairs) + len(tables.grips) > 0:  # which tell their energy when they tell their forces
        if keeps_slip(loop):
            take_slip(tables, work, loop.y, len(loop.q) + len(loop.v))
        accelerations(tables, t, loop.q, loop.v, work, loop.out_a, 0.0, 0.0)
    energies(tables, t, loop.q, loop.v, work, out)
    take_accounts(loop.works, loop.clock[NUMERICAL], out)


@device
def take_again(tables, work, loop, rk, record, k):
    """The step that begins with traced state k, for its dense output."""
    n, first, last = len(loop.y), np.int64(0), np.int64(12)
    t, h = record.step_time[k], record.step_state[k, n + COLUMNS + LENGTH]
    put_state(tables, work, loop, record, k)
    rates_at(tables, t, loop.y, work, rk, first, loop)
    by_stages = record.step_state[k, n + COLUMNS + STAGES] > 0.0
    if by_stages:
        attempt_stages(tables, work, loop, rk, t, h)
    copy(loop.y, loop.y_old)
    copy(record.step_state[k + 1, :n], loop.y)
    loop.clock[TIME], loop.clock[OLD_STEP] = t + h, h
    loop.clock[NUMERICAL] = record.step_state[k + 1, n + COLUMNS + SCHEME]
    rates_at(tables, t + h, loop.y, work, rk, last, loop)
    if by_stages:
        more_stages(tables, work, loop, rk, t, h)
        dense_of_stages(loop, rk, h)
    else:
        hermite(loop, rk.K[0:13:12], h)


@kernel
def fill_rows(tables, work, loop, rk, record, out, steps, shares):
    """Rows of `out`: of each step that begins with a traced state, its parts at these shares; without shares, the
    states themselves."""
    loop.count[NEXT_OUTPUT] = 0
    for i in range(len(steps)):
        k = steps[i]
        if len(shares) == 0:
            put_state(tables, work, loop, record, k)
            out.time[loop.count[NEXT_OUTPUT]] = loop.clock[TIME]
            record_state(tables, loop.clock[TIME], loop.y, work, loop, out)
            continue
        take_again(tables, work, loop, rk, record, k)
        for j in range(len(shares)):
            t = loop.clock[TIME] - (1.0 - shares[j]) * loop.clock[OLD_STEP]
            out.time[loop.count[NEXT_OUTPUT]] = t
            interpolate(loop, t, loop.out)
            normalize_quaternions(tables, loop.out_q)
            record_state(tables, t, loop.out, work, loop, out)
