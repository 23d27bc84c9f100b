"""Contacts by momentum within the steps of `ode`: what changes at an instant goes on record, energy lost to its books.

The mechanics is that of mechanics.rigid_contacts (closed pairs) and rigid_changes (impacts, opening, sticking); models
without such contacts never load it.
"""

from numpy import int64

from ..jit import device
from ..mechanics.linking import bring_together, change_rigid
from ..mechanics.pair_memory import CLOSED, KNOWN, OPEN, STICKS
from ..mechanics.tables import MOMENTUM
from ..mechanics.touching import (
    HIT,
    JAM,
    ROUNDING,
    SEPARATION,
    SIZE,
    SLIP,
    SLOWEST,
    SPEED,
    STANDS,
    STICK,
    TURNING,
)
from .reports import report
from .steps import TIME

SLOW = 1e-6  # of the model's speed: slower slip keeps to its way
UNSEEN = 10.0  # times the tolerance: slip that is slower may be an error of steps, and its way too
ROUNDINGS = 4 * 2.0**-52  # of a distance: what is left of a difference of places


@device
def is_rigid(tables, work, i):
    """Whether pair i is by momentum."""
    return tables.contacts[work.pairs[i].contact].law == MOMENTUM


@device
def change_momentum(tables, work, loop, record, pair, what):
    """A pair comes to an end of its mode, or, with pair -1, the motion begins: velocities may jump."""
    t = loop.clock[TIME]
    stopped = change_rigid(tables, t, loop.q, loop.v, loop.works, work, pair, what)
    for i in range(len(tables.pairs)):
        if is_rigid(tables, work, i):
            report_change(work, loop, record, t, i, pair, stopped)


@device
def report_change(work, loop, record, t, i, pair, stopped):
    before, now, impulse = work.rigid_before[i], work.pair_mode[i], work.rigid_impulse[i]
    if i == stopped:
        report(loop, record, t, i, int64(JAM), impulse)
    elif before[0] == OPEN and (impulse > 0.0 or (i == pair and now[0] == CLOSED)):
        report(loop, record, t, i, int64(HIT), impulse)
    if before[0] == CLOSED and now[0] == OPEN:
        report(loop, record, t, i, int64(SEPARATION), 0.0)
    elif before[0] == CLOSED and before[1] != now[1]:
        report(loop, record, t, i, int64(STICK if now[1] == STICKS else SLIP), 0.0)


@device
def begin_momentum(tables, work, loop, record):
    """Pairs that touch at the start; those that go on as they were stay as they are."""
    length, speed, exact = loop.scale[0], loop.scale[len(loop.q)], max(loop.tolerance[0], loop.tolerance[1])
    work.rigid_scale[SIZE], work.rigid_scale[SPEED] = length, speed
    work.rigid_scale[SLOWEST] = max(STANDS, UNSEEN * exact) * speed
    work.rigid_scale[TURNING] = max(SLOW, 10.0 * UNSEEN * exact) * speed
    find_rounding(tables, work)
    known = True
    for i in range(len(tables.pairs)):
        if is_rigid(tables, work, i):
            known = known and work.pair_memory[i, KNOWN] > 0.0
            work.pair_memory[i, KNOWN] = 1.0
    if known:
        bring_together(tables, loop.clock[TIME], loop.q, loop.v, work)
    else:
        change_momentum(tables, work, loop, record, int64(-1), int64(0))


@device
def find_rounding(tables, work):
    """How exactly places of surfaces are known, which is the less the further from the origin they are."""
    far = 0.0
    for k in range(len(tables.spots)):
        spot = tables.spots[k]
        for j in range(3):
            far = max(far, abs(work.x[spot.node, j]) + abs(spot.arm[j]))
    work.rigid_scale[ROUNDING] = ROUNDINGS * far


@device
def keep_together(tables, work, loop):
    """Closed pairs at the end of a step: gaps, rates and what sticks."""
    if work.rigid_scale[SPEED] > 0.0:
        find_rounding(tables, work)
    if work.rigid_closed[0] > 0:
        bring_together(tables, loop.clock[TIME], loop.q, loop.v, work)
