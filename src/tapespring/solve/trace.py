"""States from which steps began, and what contacts and joints remembered there: what happens between outputs can be
looked at later, with the same mechanics that writes outputs, by whoever asks for it.

A loop only copies a state after each step (`trace_state`). What follows from it (accelerations, reactions, contact
forces) is evaluated when an extreme or a response is asked for, at the ends of steps or within them (see retrace).
Where something changes at an instant (a contact closes, velocities jump) there are two states at the same time: the
end of the step before, with what held then, and the beginning of the next.
"""

from __future__ import annotations

import numpy as np

from ..jit import device
from ..mechanics.projection import copy
from ..mechanics.tables import MEMORY, Tables
from ..mechanics.touching import IMPULSE
from .steps import NUMERICAL, STEPS, TIME, TRACE_EVERY, TRACED, Record

# columns of Record.step_state behind the state
SCHEME, LENGTH, STAGES = -3, -2, -1  # taken out by the scheme so far [J]; of the step that begins here; 1: by stages
COLUMNS = 3
AT_ONCE = 4  # states that one step may leave, at most
GRIP_MEMORY = 21


def trace_room(t: Tables) -> int:
    """Numbers that are remembered with a state."""
    touching = len(t.pairs) * (MEMORY + 3) + len(t.grips) * (GRIP_MEMORY + 2)
    return 1 + 2 * len(t.turning) + (11 + touching + len(t.contacts) if touching else 0)


def with_room(record: Record, rows: int) -> Record:
    """The record with room for so many states; those it has are kept."""
    names = ("step_time", "step_state", "step_memory")
    grown = {name: np.empty((rows, *getattr(record, name).shape[1:])) for name in names}
    for name, states in grown.items():
        states[: len(record.step_time)] = getattr(record, name)
    return record._replace(**grown)


@device
def trace_full(loop, record):
    """Whether Python is to make room for states."""
    return len(record.step_time) > 0 and loop.count[TRACED] + AT_ONCE > len(record.step_time)


@device
def trace_state(tables, work, loop, record, stages):
    """Keep the present state, the end of a step and the beginning of the next. stages: 1 if the step was by those of
    Runge and Kutta, 0 if by another scheme, -1 if there were several since the last state."""
    k, n = loop.count[TRACED], len(loop.y)
    if k >= len(record.step_time) or loop.count[STEPS] % (loop.count[TRACE_EVERY] + 1) != 0:
        return
    t = loop.clock[TIME]
    if k > 0 and loop.count[TRACE_EVERY] == 0 and stages >= 0.0:
        record.step_state[k - 1, n + COLUMNS + LENGTH] = t - record.step_time[k - 1]
        record.step_state[k - 1, n + COLUMNS + STAGES] = stages
    record.step_time[k] = t
    copy(loop.y, record.step_state[k, :n])
    record.step_state[k, n + COLUMNS + SCHEME] = loop.clock[NUMERICAL]
    record.step_state[k, n + COLUMNS + LENGTH] = 0.0
    keep_memory(tables, work, record.step_memory[k])
    loop.count[TRACED] = k + 1


@device
def keep_memory(tables, work, row):
    """What evaluations need besides the state: counted turns, modes and memories of pairs and
    joints, impulses so far."""
    row[0] = work.anchor_time[0]
    at = 1
    for i in range(len(tables.turning)):
        row[at], row[at + 1] = work.anchor[tables.turning[i], 0], work.anchor[tables.turning[i], 1]
        at += 2
    if len(tables.pairs) + len(tables.grips) == 0:
        return
    for k in range(4):
        row[at + k] = work.contact_step[k]
    for k in range(6):
        row[at + 4 + k] = work.rigid_scale[k]
    row[at + 10] = work.rigid_closed[0]
    at += 11
    for i in range(len(tables.pairs)):
        row[at], row[at + 1], row[at + 2] = work.pair_mode[i, 0], work.pair_mode[i, 1], work.pair_side[i]
        copy(work.pair_memory[i], row[at + 3 : at + 3 + MEMORY])
        at += 3 + MEMORY
    for g in range(len(tables.grips)):
        row[at], row[at + 1] = work.grip_mode[g], work.grip_normal[g]
        copy(work.grip_memory[g], row[at + 2 : at + 2 + GRIP_MEMORY])
        at += 2 + GRIP_MEMORY
    for c in range(len(tables.contacts)):
        row[at + c] = work.contact_peak[c, IMPULSE]
