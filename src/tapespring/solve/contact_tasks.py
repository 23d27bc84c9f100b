"""What a loop asks of contacts within its steps, through an address (see solve.impacts, which answers)."""

import numpy as np
from numpy import int64

from ..jit import call_core, device
from ..mechanics.linking import CONTACT_EVENTS
from ..mechanics.tables import FRICTIONLESS, POWER, STEPPED, Tables

BEGIN, ANY_CHANGE, FIRST_CHANGE, SWITCH, CHANGE_OTHERS, NOTE_FOUND, NOTE_STEP, FIND_PEAKS, LOOK_AT_END = range(9)
STEP_THROUGH = 9
MANY = 24  # pairs, from which on gentle laws are stepped through


@device
def ask_contacts(tables, work, loop, record, task, pair, what):
    """Answers stand in loop.answer, the first of which is returned."""
    arguments = (tables, work, loop, record, int64(task), int64(pair), int64(what))
    call_core(work.core[CONTACT_EVENTS], arguments)
    return loop.answer[0]


def can_change(t: Tables) -> bool:
    """Whether anything touches, sticks or slips by modes."""
    return len(t.pairs) + len(t.grips) > 0


def goes_through(t: Tables) -> bool:
    """Whether steps need not end where contacts change: with many of them, whose forces all begin and end gently. Then
    error control sees to it, and events are placed by gaps and their rates at the ends of steps."""
    c = t.contacts
    damped = (c["damping"] > 0.0) & (c["depth_power"] < 1.0) & (c["law"] == POWER)
    gentle = np.isin(c["law"], (POWER, STEPPED)) & (c["exponent"] >= 1.5) & ~damped & (c["adhesive"] == 0)
    return len(t.pairs) >= MANY and len(t.grips) == 0 and bool((gentle & (c["friction"] == FRICTIONLESS)).all())


@device
def changes(tables):
    """Pairs that may touch and joints that may stick, which follow them."""
    return len(tables.pairs) + len(tables.grips)


@device
def note_start(tables, work, loop):
    """Gap and its rate at the start of a step, out of the last evaluation."""
    for i in range(len(tables.pairs)):
        loop.touching[i, 0] = work.pair_out[i, 0]
        loop.touching[i, 1] = work.pair_out[i, 1]
