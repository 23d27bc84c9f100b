"""Events within a step: where a watched measure, or its rate, passes its level.

A step may be long, so that a level is passed and passed back within it. Its dense output is looked at in PARTS parts.
In a part at whose ends the watched function has the same sign, first approaches its level and then goes away again, the
turning point is looked for, and both crossings with it.
"""

from __future__ import annotations

import numpy as np

from ..jit import device
from ..math.rotations import normalized
from ..mechanics.measures import counted, measure
from ..mechanics.motion import load_quaternion, place_node, place_nodes, store_quaternion
from ..mechanics.tables import GROUND, POINT
from .steps import (
    END,
    EVENTS,
    FASTEST_TURN,
    NEXT_OUTPUT,
    OLD_STEP,
    TIME,
    interpolate_part,
    outputs_due,
    pass_break,
    record_state,
    set_anchors,
    set_anchors_at_start,
    step_limits,
    write_outputs,
)
from .trace import trace_full

PARTS = 8  # of a step: the polynomials of dense output have at most six turning points
REACH = 2.0  # changes from one part to the next: farther from its level a function does not get there and back in one
NEARBY = 1e-3  # of a part: the slope of a rate is a difference over so much on both sides


@device
def watch_value(tables, work, i, t):
    """Event function minus its level; work must be placed."""
    watch = tables.watches[i]
    c, rate, _, _, _, _, _ = measure(tables, watch.measure, work)
    if watch.of_rate:
        return rate - watch.level
    return counted(tables, work, watch.measure, t, c) - watch.level


@device
def place_watched(tables, work, loop, i, t):
    """Place the two nodes of event i, and no others, within the last step."""
    m, nq = tables.measures[tables.watches[i].measure], len(loop.q)
    for side in range(2):
        n = m.a if side == 0 else m.b
        node = tables.nodes[n]
        if node.kind != GROUND:
            turns = node.kind != POINT
            interpolate_part(loop, t, loop.out, node.q, node.q + (7 if turns else 3))
            interpolate_part(loop, t, loop.out, nq + node.v, nq + node.v + (6 if turns else 3))
            if turns:
                store_quaternion(loop.out_q, node.q + 3, normalized(load_quaternion(loop.out_q, node.q + 3)))
            place_node(tables, n, t, loop.out_q, loop.out_v, work)


@device
def value_at(tables, work, loop, i, t):
    """Event function minus its level within the last step."""
    place_watched(tables, work, loop, i, t)
    return watch_value(tables, work, i, t)


@device
def slope_at(tables, work, loop, i, t):
    """Of the event function, whose nodes are placed there unless it is a rate; in size only as far as its sign goes."""
    if not tables.watches[i].of_rate:
        _, rate, _, _, _, _, _ = measure(tables, tables.watches[i].measure, work)
        return rate
    end, h = loop.clock[TIME], loop.clock[OLD_STEP]
    aside = NEARBY * h / PARTS
    low, high = max(t - aside, end - h), min(t + aside, end)
    return value_at(tables, work, loop, i, high) - value_at(tables, work, loop, i, low)


@device
def crosses(direction, before, after):
    if before == after or (before > 0.0 and after > 0.0) or (before < 0.0 and after < 0.0):
        return False
    if before == 0.0:
        return False  # counted when it was reached
    return direction == 0 or (direction > 0) == (after > before)


@device
def locate(tables, work, loop, i, low, high, f_low, f_high):
    """Time of the crossing between low and high, by the Illinois form of false position on the dense output."""
    for _ in range(60):
        t = high - f_high * (high - low) / (f_high - f_low)
        f = value_at(tables, work, loop, i, t)
        if f == 0.0 or abs(high - low) < 4e-16 * max(1.0, abs(t)):
            return t
        if (f > 0.0) != (f_high > 0.0):
            low, f_low = high, f_high
        else:
            f_low *= 0.5
        if abs(t - high) < 1e-15 * max(1.0, abs(t)):
            return t
        high, f_high = t, f
    return high


@device
def beyond(tables, work, loop, i, low, high, side):
    """A time between low and high at which event function i, of the sign `side` at both and coming nearer to its level
    before it goes away again, is on the other side of it; -1 if it turns before."""
    for _ in range(60):
        t = 0.5 * (low + high)
        if side * value_at(tables, work, loop, i, t) <= 0.0:
            return t
        if side * slope_at(tables, work, loop, i, t) < 0.0:  # where it was just looked at
            low = t
        else:
            high = t
        if high - low < 1e-14 * max(1.0, abs(high)):
            break
    return -1.0


@device
def note_crossing(tables, work, loop, record, i, low, high, f_low, f_high, stop):
    """Record event i between low and high if it crosses there its way; the earliest stopping time so far, or -1."""
    watch = tables.watches[i]
    if not crosses(watch.direction, f_low, f_high) or loop.count[EVENTS] >= len(record.event_time):
        return stop
    at = locate(tables, work, loop, i, low, high, f_low, f_high)
    record.event_time[loop.count[EVENTS]] = at
    record.event_watch[loop.count[EVENTS]] = i
    record.event_value[loop.count[EVENTS]] = 0.0
    loop.count[EVENTS] += 1
    return at if watch.stop and (stop < 0.0 or at < stop) else stop


@device
def find_event(tables, work, loop, record, i, stop):
    """Crossings of event function i in the last step, in their order; the earliest stopping time so far, or -1."""
    end, h = loop.clock[TIME], loop.clock[OLD_STEP]
    of_rate = tables.watches[i].of_rate
    low, f_low, change = end - h, loop.watched[i], np.inf
    if not of_rate:
        place_watched(tables, work, loop, i, low)
    slope_low = 0.0 if of_rate else slope_at(tables, work, loop, i, low)
    for k in range(1, PARTS + 1):
        high = end if k == PARTS else end - h + h * k / PARTS
        f_high = value_at(tables, work, loop, i, high)
        slope_high = 0.0 if of_rate else slope_at(tables, work, loop, i, high)
        change, before = abs(f_high - f_low), change
        near = min(abs(f_low), abs(f_high)) <= REACH * max(change, before)
        side = 1.0 if f_high > 0.0 else -1.0
        if of_rate and near and f_low * f_high > 0.0:
            slope_low, slope_high = slope_at(tables, work, loop, i, low), slope_at(tables, work, loop, i, high)
        turns = near and f_low * f_high > 0.0 and side * slope_low < 0.0 and side * slope_high > 0.0
        middle = beyond(tables, work, loop, i, low, high, side) if turns else -1.0
        if middle > 0.0:
            f = value_at(tables, work, loop, i, middle)
            stop = note_crossing(tables, work, loop, record, i, low, middle, f_low, f, stop)
            low, f_low = middle, f
        stop = note_crossing(tables, work, loop, record, i, low, high, f_low, f_high, stop)
        low, f_low, slope_low = high, f_high, slope_high
    loop.watched[i] = f_low
    return stop


@device
def find_events(tables, work, loop, record):
    """Record crossings of the last step; returns the earliest stopping time or -1. Nodes are then placed at its end."""
    stop = -1.0
    for i in range(len(tables.watches)):
        stop = find_event(tables, work, loop, record, i, stop)
    place_nodes(tables, loop.clock[TIME], loop.q, loop.v, work)
    return stop


@device
def room_needed(loop, record):
    """Whether Python is to take events, or to make room for states, before there is no more of it."""
    return 2 * loop.count[EVENTS] > len(record.event_time) or trace_full(loop, record)


@device
def start_loop(tables, work, loop, record):
    """First output and first values of the event functions; of those that ended the run before, which were marked by a
    number that is none, zero: which side of its level rounding has left one must not count it twice."""
    t = loop.clock[TIME]
    place_nodes(tables, t, loop.q, loop.v, work)
    set_anchors_at_start(tables, t, work)
    loop.clock[FASTEST_TURN] = np.inf  # that of no step yet
    for i in range(len(tables.watches)):
        stands_on_level = loop.watched[i] != loop.watched[i]
        loop.watched[i] = 0.0 if stands_on_level else watch_value(tables, work, i, t)
    if loop.count[NEXT_OUTPUT] < len(record.time) and record.time[loop.count[NEXT_OUTPUT]] <= t:
        record_state(tables, t, loop.y, work, loop, record)
    if step_limits(loop)[0] <= t < loop.clock[END]:  # a law jumps at the beginning
        pass_break(loop)


@device
def visit_step(tables, work, loop, record):
    """Events, outputs and counted turns of the step just taken, its dense output ready; the stopping time or -1."""
    t, stop = loop.clock[TIME], -1.0
    if len(tables.watches) > 0:
        stop = find_events(tables, work, loop, record)
    if outputs_due(loop, record):
        write_outputs(tables, work, loop, record, stop if stop >= 0.0 else t)
    if stop < 0.0 and len(tables.turning) > 0:
        place_nodes(tables, t, loop.q, loop.v, work)
        set_anchors(tables, t, work)
    return stop
