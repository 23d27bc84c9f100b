"""Contacts within the steps of `ode`: modes are held during a step, which ends where one of them changes.

Every law is smooth as long as its mode lasts, so that a step keeps its order up to the instant of change. That instant
is bracketed on the dense output, also where a pair touches and parts within one step, and then stepped to exactly.
Where there are many gentle contacts steps go through their changes instead (contact_tasks.goes_through).
"""

from numpy import inf, int64

from ..jit import device, kernel
from ..mechanics.grip_changes import grip_margin
from ..mechanics.linking import BEGIN as BEGIN_GRIPS
from ..mechanics.linking import CHANGE, RENEW, accelerations, add_contacts, grips
from ..mechanics.motion import place_node, place_nodes
from ..mechanics.pair_memory import BY_MODE, BY_RATE, CLOSED, KNOWN, OPEN
from ..mechanics.tables import FRICTION, PLAY
from ..mechanics.touching import (
    DEEPEST,
    HIT,
    HOLD,
    SEPARATION,
    SLIDE,
    STEPS_CLOSED,
    STRONGEST,
    TOUCH,
    change_mode,
    keeps_slip,
    level_of,
    margin_of,
    note_pair,
    note_peak,
    put_slip,
    renew_way,
    take_slip,
)
from .contact_tasks import (
    ANY_CHANGE,
    BEGIN,
    CHANGE_OTHERS,
    FIND_PEAKS,
    FIRST_CHANGE,
    LOOK_AT_END,
    NOTE_FOUND,
    NOTE_STEP,
    STEP_THROUGH,
    SWITCH,
    changes,
)
from .momentum import begin_momentum, change_momentum, is_rigid
from .reports import report
from .steps import OLD_STEP, TIME, interpolate

NEARLY = 0.9
GOLDEN = 0.6180339887498949
LOOKS = 8  # at the dense output of a step
PEAK_LOOKS = 4  # at forces of pairs by momentum, for the largest
AT_ONCE = 1e-6  # of a step: surfaces that part so soon after their force has ended part at once
STEADY = 1e-9  # of a force: it does not change
TOUCHED = 3  # column of Loop.touching


@device
def margin(tables, i, work, what):
    """How far pair i, or a joint beyond the pairs, is from a change."""
    if i < len(tables.pairs):
        return margin_of(tables, i, work, what)
    return grip_margin(tables, i - len(tables.pairs), work) if what == SLIDE else 1.0


@device
def look(tables, work, loop, t):
    """Evaluate contacts within the last step."""
    interpolate(loop, t, loop.out)
    place_nodes(tables, t, loop.out_q, loop.out_v, work)
    if keeps_slip(loop):
        take_slip(tables, work, loop.out, len(loop.q) + len(loop.v))
    if work.rigid_closed[0] > 0 or len(tables.grips) > 0:
        accelerations(tables, t, loop.out_q, loop.out_v, work, loop.out_a, 0.0, 0.0)
    else:
        add_contacts(tables, work, 0, len(tables.pairs))


@device
def look_at(tables, work, loop, i, t):
    """Evaluate pair i alone within the last step; with all others where they depend on each other."""
    if work.rigid_closed[0] > 0 or i >= len(tables.pairs):
        look(tables, work, loop, t)
        return
    interpolate(loop, t, loop.out)
    pair = work.pairs[i]
    for side in range(2):
        surface = tables.surfaces[pair.a if side == 0 else pair.b]
        for k in range(surface.spot, surface.spot + surface.count):
            place_node(tables, tables.spots[k].node, t, loop.out_q, loop.out_v, work)
        for k in (surface.before, surface.after):
            if k >= 0:
                place_node(tables, tables.spots[k].node, t, loop.out_q, loop.out_v, work)
    if keeps_slip(loop):
        take_slip(tables, work, loop.out, len(loop.q) + len(loop.v))
    add_contacts(tables, work, i, i + 1)


@device
def may_dip(tables, work, loop, i):
    """Whether an open pair came nearer and went away again within the step, and could have touched."""
    if work.pair_mode[i, 0] != OPEN:
        return False
    gap, rate = loop.touching[i, 0], loop.touching[i, 1]
    level = level_of(tables, i, work)
    reach = loop.clock[OLD_STEP] * (abs(rate) + abs(work.pair_out[i, 1]))
    return rate < 0.0 and work.pair_out[i, 1] > 0.0 and min(gap, work.pair_out[i, 0]) - level < reach


@device
def any_change(tables, work, loop):
    """Whether a mode is wrong at the end of the step, or may have been within it; out of the last evaluation."""
    found = False
    for i in range(changes(tables)):
        suspects = 0
        for what in range(3):
            if margin(tables, i, work, what) < 0.0:
                suspects += 2**what
        if i < len(tables.pairs) and suspects == 0 and may_dip(tables, work, loop, i):
            suspects = 2**TOUCH
        loop.touching[i, 2] = suspects
        found = found or suspects > 0
    return found


@device
def first_change(tables, work, loop):
    """(time, pair, what) of the first change within the last step, whose dense output is ready; pair -1 if none."""
    end, h = loop.clock[TIME], loop.clock[OLD_STEP]
    begin = end - h
    best, pair, kind = end, int64(-1), int64(0)
    for i in range(changes(tables)):
        suspects = int64(loop.touching[i, 2])
        for what in range(3):
            if (suspects >> what) & 1:
                at = change_of(tables, work, loop, i, what, begin, best)
                if at >= 0.0 and (at < best or pair < 0):
                    best, pair, kind = at, int64(i), int64(what)
    if kind == HOLD and 0 <= pair < len(tables.pairs):
        parts = parting(tables, work, loop, pair, best)
        if parts <= min(end, best + AT_ONCE * h):
            return parts, pair, int64(TOUCH)
    return best, pair, kind


@device
def parting(tables, work, loop, i, t):
    """When a pair that touches at time t parts if it goes on as it moves there; inf if it does not touch or part. Laws
    whose force ends as surfaces part end it there: which of the two is found first is rounding."""
    if tables.contacts[work.pairs[i].contact].law == PLAY or is_rigid(tables, work, i):
        return inf
    look_at(tables, work, loop, i, t)
    rate, depth = work.pair_out[i, 1], level_of(tables, i, work) - work.pair_out[i, 0]
    if work.pair_mode[i, 0] != CLOSED or not rate > 0.0:
        return inf
    return t + max(0.0, depth) / rate


@device
def change_of(tables, work, loop, i, what, begin, end):
    """Time of the first change of one kind of pair i from begin to end; -1 if there is none."""
    h = loop.clock[OLD_STEP]
    before, low, was_right = 0.0, begin, False
    for k in range(LOOKS + 1):
        # more looks near the beginning, where a pair has just changed
        t = begin + h * (k / LOOKS) ** 2
        if t > end:
            if k > 0 and low >= end:
                break
            t = end
        look_at(tables, work, loop, i, t)
        value = margin(tables, i, work, what)
        if value < 0.0 and k > 0:
            if not was_right:
                return soon_changed(tables, work, loop, i, what, begin, t, value)
            return refined(tables, work, loop, i, what, low, t, before, value)
        was_right = was_right or (k > 0 and value > 0.0)  # at its beginning a pair that has just changed is neither
        low, before = t, value
        if what == TOUCH and i < len(tables.pairs) and work.pair_mode[i, 0] == OPEN and k < LOOKS:
            dip = lowest(tables, work, loop, i, t, min(end, begin + h * ((k + 1) / LOOKS) ** 2))
            if dip > 0.0:
                look_at(tables, work, loop, i, dip)
                return refined(tables, work, loop, i, what, low, dip, before, margin_of(tables, i, work, what))
    return -1.0


@device
def soon_changed(tables, work, loop, i, what, begin, high, f_high):
    """Time of a change before the first look, of a pair that has just changed: it may be right for a short time."""
    for _ in range(40):
        t = begin + 0.5 * (high - begin)
        look_at(tables, work, loop, i, t)
        value = margin(tables, i, work, what)
        if value > 0.0:
            return refined(tables, work, loop, i, what, t, high, value, f_high)
        high, f_high = t, value
    return begin


@device
def lowest(tables, work, loop, i, low, high):
    """Time between two looks at which an open pair is nearest, if it touches there; else -1. Leaves work at low."""
    rate_low = work.pair_out[i, 1]
    if rate_low >= 0.0:
        return -1.0
    look_at(tables, work, loop, i, high)
    rate_high = work.pair_out[i, 1]
    found = -1.0
    if rate_high > 0.0:
        a, b = low, high
        for _ in range(60):
            t = 0.5 * (a + b)
            look_at(tables, work, loop, i, t)
            if margin_of(tables, i, work, TOUCH) < 0.0:
                found = t
                break
            if work.pair_out[i, 1] < 0.0:
                a = t
            else:
                b = t
            if b - a < 1e-14 * max(1.0, abs(b)):
                break
    look_at(tables, work, loop, i, low)
    return found


@device
def refined(tables, work, loop, i, what, low, high, f_low, f_high):
    """Time of the change between low (right, f_low > 0) and high (wrong), by the Illinois form of false position, and
    halving now and then."""
    side = 0
    for k in range(120):
        t = (low * f_high - high * f_low) / (f_high - f_low)
        if k % 3 == 2 or not low < t < high:
            t = 0.5 * (low + high)
        look_at(tables, work, loop, i, t)
        f = margin(tables, i, work, what)
        if f > 0.0:
            low, f_low = t, f
            if side > 0:
                f_high *= 0.5
            side = 1
        else:
            high, f_high = t, f
            if side < 0:
                f_low *= 0.5
            side = -1
        if f == 0.0 or high - low <= 4e-16 * max(1.0, abs(high)):
            break
    return high


@device
def switch(tables, work, loop, record, i, what):
    """Change a mode at the present state, where contacts were evaluated, and put it on record."""
    if i >= len(tables.pairs):
        switch_grip(tables, work, loop, record, i)
        return
    if is_rigid(tables, work, i):
        change_momentum(tables, work, loop, record, i, what)
        return
    kind, lost = change_mode(tables, i, work, what)
    loop.works[FRICTION] += lost
    if what == TOUCH:
        loop.touching[i, TOUCHED] = loop.clock[TIME]
    if keeps_slip(loop):
        put_slip(tables, work, loop.y, len(loop.q) + len(loop.v))
    report(loop, record, loop.clock[TIME], i, kind, 0.0)


@device
def switch_grip(tables, work, loop, record, i):
    """The same of a joint that rubs."""
    t, none = loop.clock[TIME], work.multiplier
    kind, lost = grips(tables, t, work, CHANGE, i - len(tables.pairs), none, none, none, 0.0, 0.0)
    loop.works[FRICTION] += lost
    report(loop, record, t, i, int64(kind), 0.0)


@device
def is_going_wrong(tables, work, loop, i, what):
    """Whether a mode is wrong and will be more so: also of pairs that change together with another. Laws of force
    change no speeds: a pair that has touched or parted at this instant goes against its rate for less than roundings
    show."""
    value = margin(tables, i, work, what)
    if what != TOUCH:
        return value < 0.0
    if i >= len(tables.pairs) or loop.touching[i, TOUCHED] == loop.clock[TIME]:
        return False
    rate = work.pair_out[i, 1]
    return value <= 0.0 and (rate < 0.0 if work.pair_mode[i, 0] == OPEN else rate > 0.0)


@device
def begin_contacts(tables, work, loop, record):
    """Modes at the start: what is within each other touches, and is released if its law would pull."""
    work.contact_step[0] = BY_MODE
    if keeps_slip(loop):
        put_slip(tables, work, loop.y, len(loop.q) + len(loop.v))
    place_nodes(tables, loop.clock[TIME], loop.q, loop.v, work)
    if len(tables.pairs) > 0:
        add_contacts(tables, work, 0, len(tables.pairs))
    rigid = False
    for i in range(len(tables.pairs)):
        rigid = rigid or is_rigid(tables, work, i)
        level = tables.contacts[work.pairs[i].contact].margin
        if tables.contacts[work.pairs[i].contact].law == PLAY:
            work.pair_mode[i, 0] = CLOSED
            continue
        if is_rigid(tables, work, i):
            continue
        known = work.pair_memory[i, KNOWN] > 0.0
        work.pair_memory[i, KNOWN] = 1.0
        if not known and work.pair_mode[i, 0] == OPEN and work.pair_out[i, 0] < level:
            switch(tables, work, loop, record, i, int64(TOUCH))
            add_contacts(tables, work, i, i + 1)
            if margin_of(tables, i, work, HOLD) < 0.0:
                switch(tables, work, loop, record, i, int64(HOLD))
    if len(tables.grips) > 0:
        none = work.multiplier
        grips(tables, loop.clock[TIME], work, BEGIN_GRIPS, 0, none, none, none, 0.0, 0.0)
    if rigid:
        begin_momentum(tables, work, loop, record)


@device
def note_found(tables, work, i):
    """Depth and force of pair i where it was last evaluated."""
    c = work.pairs[i].contact
    note_peak(tables, work, c, tables.contacts[c].margin - work.pair_out[i, 0], work.pair_out[i, 2])


@device
def note_step(tables, work, loop):
    """Extremes, and the ways pairs and joints slip, at the end of a step."""
    if len(tables.grips) > 0:
        none = work.multiplier
        grips(tables, loop.clock[TIME], work, RENEW, 0, none, none, none, 0.0, 0.0)
    for i in range(len(tables.pairs)):
        if work.pair_mode[i, 0] == CLOSED:
            work.contact_peak[work.pairs[i].contact, STEPS_CLOSED] += 1.0
            note_found(tables, work, i)
            renew_way(tables, i, work)


@device
def may_peak(tables, work, i):
    """Whether a pair that touches is about as deep or strong as ever: its extreme may lie within the step."""
    peak = work.contact_peak[work.pairs[i].contact]
    level = tables.contacts[work.pairs[i].contact].margin
    return work.pair_mode[i, 0] == CLOSED and (
        work.pair_out[i, 2] > NEARLY * peak[STRONGEST] or level - work.pair_out[i, 0] > NEARLY * peak[DEEPEST]
    )


@device
def any_peak(tables, work):
    found = False
    for i in range(len(tables.pairs)):
        found = found or may_peak(tables, work, i)
    return found


@device
def find_peaks(tables, work, loop):
    """Extremes within the last step, whose dense output is ready; contacts are then evaluated at its end."""
    end, h = loop.clock[TIME], loop.clock[OLD_STEP]
    if work.rigid_closed[0] > 0:
        find_rigid_peaks(tables, work, loop, end - h, h)
    for i in range(len(tables.pairs)):
        if work.pair_mode[i, 0] == CLOSED and not is_rigid(tables, work, i):
            for what in range(2):
                largest_within(tables, work, loop, i, what, end - h, end)
    look(tables, work, loop, end)


@device
def find_rigid_peaks(tables, work, loop, begin, h):
    """Of pairs by momentum, which have no depth and are evaluated together: a few looks at all of them tell whose force
    changes, and where about it is largest (touching: least and largest seen, and at which look)."""
    seen = loop.touching
    for k in range(PEAK_LOOKS + 1):
        look(tables, work, loop, begin + h * k / PEAK_LOOKS)
        for i in range(len(tables.pairs)):
            if work.pair_mode[i, 0] == CLOSED and is_rigid(tables, work, i):
                note_found(tables, work, i)
                force = work.pair_out[i, 2]
                if k == 0 or force > seen[i, 1]:
                    seen[i, 1], seen[i, 2] = force, k
                seen[i, 0] = force if k == 0 else min(seen[i, 0], force)
    for i in range(len(tables.pairs)):
        varies = seen[i, 1] - seen[i, 0] > STEADY * seen[i, 1]
        if work.pair_mode[i, 0] == CLOSED and is_rigid(tables, work, i) and varies:
            low, high = max(0.0, seen[i, 2] - 1.0), min(float(PEAK_LOOKS), seen[i, 2] + 1.0)
            largest_within(tables, work, loop, i, 0, begin + h * low / PEAK_LOOKS, begin + h * high / PEAK_LOOKS)


@device
def largest_within(tables, work, loop, i, what, low, high):
    """Note the largest force (what = 0) or depth of pair i in a step, by the golden section."""
    a, b = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    fa, fb = sized(tables, work, loop, i, what, a), sized(tables, work, loop, i, what, b)
    for _ in range(32):
        if fa > fb:
            high, b, fb = b, a, fa
            a = high - GOLDEN * (high - low)
            fa = sized(tables, work, loop, i, what, a)
        else:
            low, a, fa = a, b, fb
            b = low + GOLDEN * (high - low)
            fb = sized(tables, work, loop, i, what, b)


@device
def sized(tables, work, loop, i, what, t):
    look_at(tables, work, loop, i, t)
    note_found(tables, work, i)
    return work.pair_out[i, 2] if what == 0 else -work.pair_out[i, 0]


@device
def change_others(tables, work, loop, record, pair, what):
    """Change the modes of pairs that change together with one that has just done so; whether there were any."""
    again = False
    for i in range(changes(tables)):
        for k in range(3):
            if (i != pair or k != what) and is_going_wrong(tables, work, loop, i, k):
                switch(tables, work, loop, record, i, k)
                again = True
                break
    return again


@device
def step_through(tables, work, loop, record):
    """Contacts at the end of a step that took laws as they are; it was the last to be evaluated."""
    for i in range(len(tables.pairs)):
        was = work.pair_mode[i, 0]
        note_pair(tables, i, work)
        if work.pair_mode[i, 0] != was:
            kind = HIT if was == OPEN else SEPARATION
            report(loop, record, crossing(tables, work, loop, i), i, int64(kind), 0.0)


@device
def crossing(tables, work, loop, i):
    """When the gap of pair i passed its level in the last step, by a cubic through gaps and rates at both ends."""
    h, level = loop.clock[OLD_STEP], tables.contacts[work.pairs[i].contact].margin
    a, b = loop.touching[i, 0] - level, work.pair_out[i, 0] - level
    da, db = h * loop.touching[i, 1], h * work.pair_out[i, 1]
    low, high = 0.0, 1.0
    for _ in range(40):
        s = 0.5 * (low + high)
        value = a + s * (da + s * (3.0 * (b - a) - 2.0 * da - db + s * (da + db - 2.0 * (b - a))))
        if (value < 0.0) == (b < 0.0):
            high = s
        else:
            low = s
    return loop.clock[TIME] - h + high * h


@kernel
def contact_events(tables, work, loop, record, task, pair, what):
    """All of this for a loop that calls it through its address, so that models without contacts never compile it; see
    contact_tasks."""
    answer = loop.answer
    if task == BEGIN:
        begin_contacts(tables, work, loop, record)
        if what > 0:
            work.contact_step[0] = BY_RATE
    elif task == STEP_THROUGH:
        step_through(tables, work, loop, record)
    elif task == ANY_CHANGE:
        answer[0] = 1.0 if any_change(tables, work, loop) else 0.0
    elif task == FIRST_CHANGE:
        at, i, kind = first_change(tables, work, loop)
        answer[0], answer[1], answer[2] = at, i, kind
    elif task == SWITCH:
        switch(tables, work, loop, record, pair, what)
    elif task == CHANGE_OTHERS:
        answer[0] = 1.0 if change_others(tables, work, loop, record, pair, what) else 0.0
    elif task == NOTE_FOUND:
        note_found(tables, work, pair)
    elif task == NOTE_STEP:
        note_step(tables, work, loop)
        answer[0] = 1.0 if any_peak(tables, work) else 0.0
    elif task == FIND_PEAKS:
        find_peaks(tables, work, loop)
    elif task == LOOK_AT_END:
        look(tables, work, loop, loop.clock[TIME])
