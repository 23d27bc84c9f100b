"""How contacts change: open, closed, released; sticking, slipping.

Loops with steps of their own call `begin_contacts` at the start and `accept_contacts` at the end of each step, or
`note_contacts` right after they evaluated an accepted state: pairs remember slip, first touch and the extremes of the
run. A loop that finds the instants of
change asks how far it is to them (`margin_of`) and changes modes there (`change_mode`).
"""

from math import sqrt

from ..jit import device, small
from ..math.vec3 import axpy, dot, load3, scale, store3, sub
from .contacts import normal_growth, pair_force, slider
from .crossing_edges import keep_crossing_side, take_side
from .near_triangles import keep_triangle
from .nearest import along_segment
from .pair_memory import (
    AT_LIMIT,
    CLOSED,
    KNOWN,
    LAST_FORCE,
    LAST_RATE,
    LOAD,
    OPEN,
    RELEASED,
    SIDE,
    SLIPS,
    STICKS,
    STIFFER,
    STILL,
    WAY,
)
from .pair_points import are_of_meshes, is_strap, spot_place, surface_axes, surface_state
from .passing import passes
from .play import DOWN, UP, mode_after, room_to_move, room_to_stop
from .tables import BALL, MOMENTUM, N_POWERS, PLAY, POWER, RESTITUTION, RIGID, SEGMENT, STEPPED, STICKING

# what can change at an instant
TOUCH, HOLD, SLIDE = 0, 1, 2
# what is reported
HIT, RELEASE, RELOAD, SEPARATION, SLIP, STICK, JAM = range(7)
# columns of Work.contact_peak
DEEPEST, STRONGEST, TOUCHES, STEPS_CLOSED, TOO_DEEP, FASTEST, REBOUND, IMPULSE, PASSED, SETTLED = range(10)
# of Work.rigid_scale: length and speed of the model, largest force there is, rounding of places; slip slower than
# the next counts as none where friction is looked for anew, slower than the last it keeps to its way
SIZE, SPEED, FORCE, ROUNDING, SLOWEST, TURNING = range(6)
# by momentum, parts of the model's length and speed and of the largest force that count as none; gaps, by roundings too
NO_GAP, NO_SPEED, NO_FORCE = 1e-14, 1e-12, 1e-8
STANDS = 1e-9  # of the model's speed: slower hits are none


# -- steps of their own -----------------------------------------------------------------------------------------------
@device
def accept_pair(tables, i, work):
    """Remember what the pair is at an accepted state, where work is placed."""
    pair = work.pairs[i]
    law = tables.contacts[pair.contact]
    memory = work.pair_memory[i]
    take_side(tables, i, work)
    A, B = surface_state(tables, work, pair.a), surface_state(tables, work, pair.b)
    F, _, _, _, _, acts, z, normal, gap, rate, _, _, _, _, _, less = pair_force(tables, i, work, A, B)
    memory[KNOWN] = 1.0
    for k in range(3):
        memory[LAST_FORCE + k] = F[k]
    if law.law == PLAY:
        memory[1], _ = slider(tables, i, work, gap)
        work.pair_mode[i, 0] = CLOSED
        return
    touches = gap < law.margin or normal > 0.0
    if touches and work.pair_mode[i, 0] == OPEN:
        note_touch(tables, i, work, max(-rate, -memory[LAST_RATE]))
    if not touches and work.pair_mode[i, 0] == CLOSED:
        note_rebound(tables, i, work, rate)
    elif not touches:
        note_passage(tables, i, work, gap, rate)
    if touches:
        work.contact_peak[pair.contact, STEPS_CLOSED] += 1.0
    if touches and acts and normal > 0.0:
        note_slip(law, i, work, z, normal + less)
        note_peak(tables, work, pair.contact, law.margin - gap, normal + less)
    else:
        forget_slip(work, i)
        memory[STIFFER], memory[LOAD] = 0.0, 0.0
        if not touches:
            memory[0] = 0.0
    memory[LAST_RATE] = rate
    if work.pair_span[i, 1] > 0:
        keep_triangle(tables, i, work)
    else:
        keep_side(tables, i, work)
    work.pair_mode[i, 0] = CLOSED if touches else OPEN


@small
def note_slip(law, i, work, z, normal):
    """Elastic slip at the end of a step, and whether the pair slips: as large as kinetic friction keeps up."""
    memory, size, most = work.pair_memory[i], law.slip_stiffness * sqrt(dot(z, z)), law.kinetic * normal
    slips = size > 0.0 and abs(size - most) <= AT_LIMIT * most
    work.pair_mode[i, 1] = SLIPS if slips else STICKS
    for k in range(3):
        memory[1 + k] = z[k]
        memory[WAY + k] = law.slip_stiffness * z[k] / size if slips else 0.0


@device
def keep_side(tables, i, work):
    """Of a point near a strap: the side it is on, which it keeps while it is over it; of edges that cross."""
    pair, memory = work.pairs[i], work.pair_memory[i]
    a, b = tables.surfaces[pair.a], tables.surfaces[pair.b]
    if are_of_meshes(a, b):
        keep_crossing_side(tables, i, work)
        return
    if b.kind != SEGMENT or a.kind != BALL or not is_strap(work, b):
        return
    p = spot_place(tables, work, a.spot)
    x0, x1 = spot_place(tables, work, b.spot), spot_place(tables, work, b.spot + 1)
    s, (_, wide, thin) = along_segment(x0, x1, p), surface_axes(tables, work, pair.b)
    d = sub(p, axpy(s, sub(x1, x0), x0))  # from the line: sections of a bent strap are not across it
    if memory[SIDE] == 0.0 or s <= 0.0 or s >= 1.0 or abs(dot(wide, d)) > b.size[1]:
        memory[SIDE] = 1.0 if dot(thin, d) > 0.0 else -1.0


@device
def note_touch(tables, i, work, speed):
    """First touch of a pair, at a speed."""
    peak = work.contact_peak[work.pairs[i].contact]
    work.pair_memory[i, 0] = max(speed, 1e-300)
    peak[TOUCHES] += 1.0
    if speed > peak[FASTEST]:
        peak[FASTEST] = speed
        peak[REBOUND] = 0.0


@device
def note_passage(tables, i, work, gap, rate):
    """A pair that is open before and after a step: whether it was so all the time."""
    if passes(tables, i, work, work.pair_memory[i, LAST_RATE], gap, rate, work.contact_step[1]):
        work.contact_peak[work.pairs[i].contact, PASSED] += 1.0


@device
def note_rebound(tables, i, work, speed):
    """A pair's force has ended: the speed at which surfaces part, of the fastest touch."""
    peak = work.contact_peak[work.pairs[i].contact]
    if work.pair_memory[i, 0] == peak[FASTEST] and peak[REBOUND] == 0.0:
        peak[REBOUND] = speed


@device
def note_peak(tables, work, c, depth, normal):
    peak = work.contact_peak[c]
    peak[DEEPEST] = max(peak[DEEPEST], depth)
    peak[STRONGEST] = max(peak[STRONGEST], normal)
    law = tables.contacts[c]
    if law.deepest > 0.0 and depth - law.margin > law.deepest:
        peak[TOO_DEEP] = 1.0


@device
def too_deep(work):
    """Whether surfaces were ever deeper in each other than allowed."""
    found = False
    for c in range(len(work.contact_peak)):
        found = found or work.contact_peak[c, TOO_DEEP] > 0.0
    return found


@device
def note_pair(tables, i, work):
    """Remember what the last evaluation found, which was at an accepted state; energy of its elastic slip."""
    out, memory, c = work.pair_out[i], work.pair_memory[i], work.pairs[i].contact
    law, was_open = tables.contacts[c], work.pair_mode[i, 0] == OPEN
    keep_side(tables, i, work)
    touches = out[0] < law.margin
    if not touches:
        if not was_open:
            note_rebound(tables, i, work, memory[LAST_RATE])
            work.pair_mode[i, 0] = OPEN
            memory[0] = 0.0
            forget_slip(work, i)
        elif memory[LAST_RATE] < 0.0 and out[1] > 0.0:
            note_passage(tables, i, work, out[0], out[1])
        memory[LAST_RATE] = out[1]
        return 0.0
    if was_open:
        note_touch(tables, i, work, -out[1])
        work.pair_mode[i, 0] = CLOSED
        memory[KNOWN] = 1.0
    memory[LAST_RATE] = out[1]
    work.contact_peak[c, STEPS_CLOSED] += 1.0
    note_peak(tables, work, c, law.margin - out[0], out[2])
    z = (work.pair_rate[i, 0], work.pair_rate[i, 1], work.pair_rate[i, 2])
    note_slip(law, i, work, z, out[2])
    return 0.5 * law.slip_stiffness * dot(z, z)


@device
def note_contacts(tables, work):
    """All pairs, in loops that evaluate each accepted state once; energy of all elastic slip."""
    total = 0.0
    for i in range(work.pair_count[0]):
        total += note_pair(tables, i, work)
    return total


@device
def accept_contacts(tables, work):
    """All pairs; placements become those of the last step."""
    for i in range(work.pair_count[0]):
        accept_pair(tables, i, work)
    count_slip_from_here(tables, work)


@device
def begin_contacts(tables, work):
    """Pairs that remember nothing yet, at an accepted state, where work is placed; others are left as they are, for a
    state that is accepted twice is not the same. Where none remembers anything, nothing has slipped."""
    known = False
    for i in range(work.pair_count[0]):
        known = known or work.pair_memory[i, KNOWN] > 0.0
    if not known:
        count_slip_from_here(tables, work)
    for i in range(work.pair_count[0]):
        if work.pair_memory[i, KNOWN] == 0.0:
            accept_pair(tables, i, work)


@device
def count_slip_from_here(tables, work):
    """The present placement becomes that of the last step."""
    for n in range(len(tables.nodes)):
        store3(work.x_last, n, load3(work.x, n))
        for k in range(3):
            for l in range(3):
                work.R_last[n, k, l] = work.R[n, k, l]


# -- instants ---------------------------------------------------------------------------------------------------------
@small
def can_pull(law):
    """Whether the law's force can fall below zero while surfaces are within each other."""
    return (law.law == POWER or law.law == STEPPED or law.law == RESTITUTION) and law.damping > 0.0 and not law.adhesive


@small
def rigid_margin(law, i, work, what):
    """The same of a pair by momentum."""
    out, mode, none = work.pair_out[i], work.pair_mode[i], work.rigid_scale
    if what == TOUCH:
        return out[0] - work.pair_memory[i, 0] + NO_GAP * none[SIZE] + none[ROUNDING] if mode[0] == OPEN else 1.0
    if mode[0] != CLOSED:
        return 1.0
    if what == HOLD:
        return out[9] + NO_FORCE * none[FORCE]
    if law.friction != RIGID:
        return 1.0
    return out[10] + (NO_FORCE * none[FORCE] if mode[1] == STICKS else NO_SPEED * none[SPEED])


@small
def level_of(tables, i, work):
    """The gap at which pair i touches."""
    law = tables.contacts[work.pairs[i].contact]
    return work.pair_memory[i, 0] if law.law == MOMENTUM else law.margin


@device
def margin_of(tables, i, work, what):
    """How far pair i is from a change: positive while its mode is right; out of the last evaluation."""
    law = tables.contacts[work.pairs[i].contact]
    out, mode = work.pair_out[i], work.pair_mode[i, 0]
    if law.law == PLAY:
        if what == TOUCH:
            return 1.0
        if what == HOLD:
            return room_to_stop(law, work.pair_mode[i, 1], out[0])
        return room_to_move(law, work.pair_mode[i, 1], out[0], out[1], work.pair_memory[i, 1])
    if law.law == MOMENTUM:
        return rigid_margin(law, i, work, what)
    if what == TOUCH:
        return out[0] - law.margin if mode == OPEN else law.margin - out[0]
    if what == HOLD:
        if mode == OPEN or not can_pull(law) or (mode == CLOSED and out[1] <= 0.0):
            return 1.0  # while surfaces approach no law pulls, whatever rounding makes of a force of zero
        return out[9] if mode == CLOSED else -out[9]
    if mode != CLOSED or law.friction != STICKING:
        return 1.0
    return out[10]


@device
def change_mode(tables, i, work, what):
    """Enter the next mode; (what to report, energy that leaves the books of friction)."""
    pair = work.pairs[i]
    law = tables.contacts[pair.contact]
    mode, memory, out = work.pair_mode[i], work.pair_memory[i], work.pair_out[i]
    if law.law == PLAY:
        z, _ = slider(tables, i, work, out[0])
        mode[1] = mode_after(law, mode[1], out[0], z, what == HOLD)
        memory[1], _ = slider(tables, i, work, out[0])
        if mode[1] == STICKS:
            memory[1] = z
        return SLIP if mode[1] == UP or mode[1] == DOWN else STICK, 0.0
    z = (memory[1], memory[2], memory[3])
    held = 0.5 * law.slip_stiffness * dot(z, z) if mode[0] == CLOSED and mode[1] == STICKS else 0.0
    if what == TOUCH:
        if mode[0] == OPEN:
            mode[0] = CLOSED
            note_touch(tables, i, work, -out[1])
            begin_slip(tables, i, work)
            return HIT, 0.0
        mode[0] = OPEN
        note_rebound(tables, i, work, out[1])
        forget_slip(work, i)
        return SEPARATION, held
    if what == HOLD:
        if mode[0] == CLOSED:
            mode[0] = RELEASED
            note_rebound(tables, i, work, out[1])
            forget_slip(work, i)
            return RELEASE, held
        mode[0] = CLOSED
        begin_slip(tables, i, work)
        return RELOAD, 0.0
    if mode[1] == STICKS:
        mode[1] = SLIPS
        F, n = (out[3], out[4], out[5]), normal_of(tables, i, work)
        f = axpy(-dot(n, F), n, F)
        size = sqrt(dot(f, f))
        for k in range(3):
            memory[4 + k] = -f[k] / size if size > 0.0 else 0.0
            memory[1 + k] = 0.0
        return SLIP, held
    mode[1] = STICKS
    most = law.kinetic * out[2] / law.slip_stiffness
    for k in range(3):
        memory[1 + k] = most * memory[4 + k]
    return STICK, -0.5 * law.slip_stiffness * most * most


@device
def normal_of(tables, i, work):
    pair = work.pairs[i]
    A, B = surface_state(tables, work, pair.a), surface_state(tables, work, pair.b)
    found = pair_force(tables, i, work, A, B)
    return found[13]


@device
def begin_slip(tables, i, work):
    """A pair that touches slips the way it moves, or sticks if it does not."""
    pair = work.pairs[i]
    A, B = surface_state(tables, work, pair.a), surface_state(tables, work, pair.b)
    slip = pair_force(tables, i, work, A, B)[10]
    speed = sqrt(dot(slip, slip))
    memory, out = work.pair_memory[i], work.pair_out[i]
    law = tables.contacts[pair.contact]
    # as the normal force grows from nothing, elastic slip may keep up with it
    depth = 1e-9 * max(tables.surfaces[pair.a].feature, tables.surfaces[pair.b].feature) + 1e-15
    growth = law.kinetic * normal_growth(tables, i, work, depth, -out[1])
    jumps = law.law == POWER and law.damping > 0.0 and law.depth_power == 0.0 and out[1] < -STILL
    holds = jumps or law.slip_stiffness * speed <= growth
    slips = speed > STILL and not (law.friction == STICKING and holds)
    work.pair_mode[i, 1] = SLIPS if slips else STICKS
    way = scale(1.0 / speed, slip) if slips else (0.0, 0.0, 0.0)
    for k in range(3):
        memory[1 + k] = 0.0
        memory[4 + k] = way[k]


@device
def forget_slip(work, i):
    for k in range(1, 7):
        work.pair_memory[i, k] = 0.0
    work.pair_mode[i, 1] = STICKS


@device
def renew_way(tables, i, work):
    """Of a pair that slips: the way it slips now, unless it has just come to rest."""
    if work.pair_mode[i, 0] != CLOSED or work.pair_mode[i, 1] != SLIPS:
        return
    pair = work.pairs[i]
    A, B = surface_state(tables, work, pair.a), surface_state(tables, work, pair.b)
    slip = pair_force(tables, i, work, A, B)[10]
    speed, memory = sqrt(dot(slip, slip)), work.pair_memory[i]
    way = (memory[4], memory[5], memory[6])
    slow = work.rigid_scale[TURNING] if tables.contacts[pair.contact].law == MOMENTUM else STILL
    if speed > slow and (dot(way, way) == 0.0 or dot(slip, way) > 0.0):
        for k in range(3):
            memory[4 + k] = slip[k] / speed


# -- states and records -----------------------------------------------------------------------------------------------
@device
def take_slip(tables, work, y, first):
    """Elastic slip out of a state."""
    for i in range(work.pair_count[0]):
        for k in range(3):
            work.pair_memory[i, 1 + k] = y[first + 3 * i + k]


@device
def put_slip(tables, work, y, first):
    for i in range(work.pair_count[0]):
        for k in range(3):
            y[first + 3 * i + k] = work.pair_memory[i, 1 + k]


@device
def keeps_slip(loop):
    """Whether elastic slip is part of the state."""
    return len(loop.y) > len(loop.q) + len(loop.v) + N_POWERS


# columns of a record: force on the second body, normal force, least gap, point (times force), closed, impulse of hits
N_CONTACT = 10


@device
def sum_contact(tables, i, work, record):
    """Add what pair i found to its contact's row; the second body of a contact may be the pair's first."""
    pair = work.pairs[i]
    row, out = record[pair.contact], work.pair_out[i]
    size = sqrt(out[3] * out[3] + out[4] * out[4] + out[5] * out[5])
    row[4] = min(row[4], out[0]) if row[8] != 0.0 else out[0]
    row[8] = max(row[8], 1.0)
    for k in range(3):
        row[k] += pair.sign * out[3 + k]
        row[5 + k] += size * out[6 + k]
    row[3] += out[2]
    if size > 0.0:
        row[8] += 1.0
    row[9] = work.contact_peak[pair.contact, IMPULSE]
