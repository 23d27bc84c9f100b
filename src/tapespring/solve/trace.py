"""States from which steps began, and what contacts and joints remembered there: what happens between outputs can be
looked at later, with the same mechanics that writes outputs, by whoever asks for it.

A loop only copies a state after each step (`trace_state`). What follows from it (accelerations, reactions, contact
forces) is evaluated when an extreme or a response is asked for, at the ends of steps or within them (see retrace).
Where something changes at an instant (a contact closes, velocities jump) there are two states at the same time: the
end of the step before, with what held then, and the beginning of the next.

What is remembered is mostly much and seldom changes, so that states share it: it is written behind what was remembered
last, and counts as new only if it differs.
"""

from __future__ import annotations

import numpy as np

from ..jit import device
from ..mechanics.projection import copy
from ..mechanics.tables import MEMORY, Tables
from ..mechanics.touching import IMPULSE
from .steps import NUMERICAL, STEPS, TIME, TRACE_EVERY, TRACED, Record

# columns of Record.step_state behind the state
# taken out by the scheme so far [J]; length of the step that begins here; 1: by stages; row of Record.step_memory
SCHEME, LENGTH, STAGES, REMEMBERED = -4, -3, -2, -1
COLUMNS = 4
AT_ONCE = 4  # states that one step may leave, at most
GRIP_MEMORY = 21
FIRST_STATES, FEWEST_STATES = 2048, 64  # there is room for at first, and worth keeping
GROWTH = 4  # of the room: a loop takes 0.1 ms to begin with a new record
STATE_BYTES = 1 << 26  # that states may take


def trace_room(t: Tables) -> int:
    """Numbers that are remembered with a state."""
    touching = len(t.pairs) * (MEMORY + 3) + len(t.grips) * (GRIP_MEMORY + 2)
    return 1 + 2 * len(t.turning) + (11 + touching + len(t.contacts) if touching else 0)


def memories(record: Record, states: int) -> int:
    """Rows of step_memory that so many states have filled."""
    return int(record.step_state[states - 1, REMEMBERED]) + 1 if states else 0


def most_states(record: Record, states: int = 0) -> int:
    """As many as there may be, if they go on to share what they remember as the ones that are there."""
    share = memories(record, states) / states if states else 1.0
    return int(STATE_BYTES / (8 * (1 + record.step_state.shape[1] + share * record.step_memory.shape[1])))


def with_room(record: Record, rows: int, states: int = 0) -> Record:
    """The record with room for so many states; those it has are kept."""
    filled = {"step_time": states, "step_state": states, "step_memory": memories(record, states)}
    grown = {name: np.empty((rows, *getattr(record, name).shape[1:])) for name in filled}
    for name, rows_there in filled.items():
        grown[name][:rows_there] = getattr(record, name)[:rows_there]
    return record._replace(**grown)


def without_states(t: Tables, record: Record, size: int) -> Record:
    """For states of such a size."""
    return record._replace(step_state=np.empty((0, size + COLUMNS)), step_memory=np.empty((0, trace_room(t))))


def ready_to_trace(t: Tables, record: Record, size: int) -> Record:
    """With room for states of such a size, unless contacts find new pairs on the way or states are large."""
    record = without_states(t, record, size)
    most = most_states(record)
    if len(t.members) or most < FEWEST_STATES:
        return record
    return with_room(record, min(FIRST_STATES, most))


def is_full(record: Record, loop) -> bool:
    """Whether a step may find no room."""
    return 0 < len(record.step_time) < loop.count[TRACED] + AT_ONCE


def with_more_room(record: Record, loop) -> Record:
    """For many more states; where that would be too much memory, every other one is kept."""
    if not is_full(record, loop):
        return record
    count, states = loop.count, int(loop.count[TRACED])
    most = most_states(record, states)
    if most > 2 * len(record.step_time):
        return with_room(record, min(GROWTH * len(record.step_time), most), states)
    kept = slice(0, states, 2)
    count[TRACED], count[TRACE_EVERY] = (states + 1) // 2, 2 * count[TRACE_EVERY] + 1
    now = slice(0, int(count[TRACED]))
    rows, places = np.unique(record.step_state[kept, REMEMBERED].astype(np.int64), return_inverse=True)
    record.step_time[now], record.step_state[now] = record.step_time[kept].copy(), record.step_state[kept].copy()
    record.step_memory[: len(rows)], record.step_state[now, REMEMBERED] = record.step_memory[rows], places
    record.step_state[now, LENGTH] = 0.0  # what lies between is not known any more
    return record


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
    at = np.int64(record.step_state[k - 1, n + COLUMNS + REMEMBERED]) + 1 if k > 0 else 0
    keep_memory(tables, work, record.step_memory[at])
    if k > 0 and are_equal(record.step_memory[at], record.step_memory[at - 1]):
        at -= 1
    record.step_state[k, n + COLUMNS + REMEMBERED] = at
    loop.count[TRACED] = k + 1


@device
def are_equal(a, b):
    """Number by number."""
    n = len(a)
    i = 0
    while i < n and a[i] == b[i]:
        i += 1
    return i == n


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
