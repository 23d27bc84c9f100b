"""The last row of a run that ends before its time: where an event, a failure or an interruption left it.

Without it the last output would lie up to an interval before the state in which the run ended.
"""

from __future__ import annotations

import numpy as np

from ..jit import kernel
from .steps import NEXT_OUTPUT, TIME, Loop, Record, record_state

ROWS = ("q", "v", "a", "multiplier", "energy", "contact", "grip", "value", "rate", "violation")


@kernel
def record_now(tables, work, loop, record):
    """Write an output row of the present state."""
    record_state(tables, loop.clock[TIME], loop.y, work, loop, record)


def with_last_row(tables, work, loop: Loop, record: Record) -> Record:
    """The record with a row of the present state behind its rows, unless there is one, or the state is none."""
    k, t = int(loop.count[NEXT_OUTPUT]), float(loop.clock[TIME])
    if (k and record.time[k - 1] >= t - 1e-14 * abs(t)) or not np.isfinite(loop.y).all():
        return record
    if k == len(record.time):
        record = with_another(record)
    record.time[k] = t
    record_now(tables, work, loop, record)
    if not all(np.isfinite(getattr(record, name)[k]).all() for name in ROWS):
        loop.count[NEXT_OUTPUT] = k
    return record


def with_another(record: Record) -> Record:
    """With room for one row more."""
    longer = {name: np.concatenate((rows := getattr(record, name), np.zeros_like(rows[:1]))) for name in ROWS}
    return record._replace(time=np.append(record.time, 0.0), **longer)
