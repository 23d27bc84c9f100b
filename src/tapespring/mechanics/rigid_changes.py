"""Contacts by momentum at an instant: velocities jump, and pairs open, close, stick and slip.

Impact: pairs that touch exchange impulses x such that u+ = u- + H' x, with 0 <= x_n, 0 <= u_n+ + e u_n-, one of them
zero (Newton, in Moreau's form for several pairs at once), and Coulomb's friction between impulses and u_t+ + e_t u_t-.
By Poisson's hypothesis the part e of the normal impulse that stopped the approach returns, whatever speeds that gives.

Then the pairs that neither approach nor part are closed if their accelerations say so. A sliding pair whose friction
presses it on more than the force that causes it can take off has no accelerations at all (Painlevé): there its slip is
stopped by an impact though it does not approach.

Where a force has come to zero it says nothing of what comes next, least of all if those of several pairs did so at
once: there the accelerations a moment later decide.

A pair that parts is open, however slowly it does. Impacts that follow each other ever faster (a block that rocks from
edge to edge) would then never end: a pair that would be back after a hop too low to matter stays closed, and what that
takes is lost in the impact.
"""

from math import sqrt

from numpy import int64

from ..jit import device, small
from ..linear.cones import PARTS, SLIDES, SLIDING, SMOOTH, STILL, solve_cones
from ..math.vec3 import dot
from .dynamics import kinetic_energy
from .linking import accelerations
from .pair_memory import CLOSED, OPEN, SLIPS, STICKS
from .projection import copy, retract
from .rigid_contacts import (
    ALL,
    IDLE,
    add_motion,
    axis_of,
    bring_together,
    choose_closed,
    find_way,
    gather,
    is_rigid,
    place_all,
    product,
    solve_held,
    way_of,
)
from .tables import DRIVES, IMPACTS, RIGID
from .touching import (
    FASTEST,
    FORCE,
    HOLD,
    IMPULSE,
    NO_SPEED,
    ROUNDING,
    SETTLED,
    SIZE,
    SLIDE,
    SLOWEST,
    SPEED,
    STANDS,
    TOUCH,
    TOUCHES,
)

TOGETHER = 1e-10  # of the model's size: nearer pairs take part in an impact
NO_RATE = 1e-13  # of the model's speed, or of those that meet: a gap that changes slower does not change
AHEAD = 1e-6  # of the time to cross the model at its speed: until then a force that goes through zero has changed
HOP = 1e-12  # of the model's size: a pair that would not part by more stays closed
BLURRED = 100.0  # roundings of places: in a lower hop the next hit is not where it was
TURNED = 0.1  # of the speed: slip that has no more of it along its former way has not come to rest but turned
TRIES = 8  # impacts without collision, and closings of pairs that hop, at one instant


@small
def touches(tables, work, i):
    if not is_rigid(tables, work, i):
        return False
    near = TOGETHER * work.rigid_scale[SIZE] + work.rigid_scale[ROUNDING]
    return work.pair_mode[i, 0] == CLOSED or work.pair_out[i, 0] - work.pair_memory[i, 0] <= near


@device
def choose_touching(tables, work):
    """Choose the pairs that touch."""
    count = 0
    for i in range(len(tables.pairs)):
        if touches(tables, work, i):
            work.rigid_pair[count] = i
            count += 1
    work.rigid_count[0] = count


@device
def choose_parting(tables, work):
    """Choose the pairs that touch and are open."""
    count = 0
    for i in range(len(tables.pairs)):
        if work.pair_mode[i, 0] == OPEN and touches(tables, work, i):
            work.rigid_pair[count] = i
            count += 1
    work.rigid_count[0] = count


@small
def law_of(tables, work, c):
    return tables.contacts[work.pairs[work.rigid_pair[c]].contact]


@small
def restitution_of(tables, work, c):
    """(normal, tangential) of chosen pair c at its present speed."""
    law = law_of(tables, work, c)
    if -work.rigid_speed[3 * c] > law.rest_speed:
        return law.restitution, law.reversal
    return 0.0, 0.0


# -- impact -----------------------------------------------------------------------------------------------------------
@device
def find_impulses(tables, work, eager):
    """rigid_x of the chosen pairs, rigid_w speeds after it, but for restitution."""
    m, b, x = work.rigid_count[0], work.rigid_b, work.rigid_x
    poisson = False
    for c in range(m):
        law = law_of(tables, work, c)
        work.rigid_kind[c] = STILL if law.friction == RIGID else SMOOTH
        work.rigid_friction[c, 0], work.rigid_friction[c, 1] = law.kinetic, law.kinetic
        work.rigid_given[c] = 0.0
        poisson = poisson or law.poisson != 0
    for c in range(m):
        e, reversal = restitution_of(tables, work, c)
        if poisson:
            e, reversal = 0.0, 0.0
        b[3 * c] = work.rigid_speed[3 * c] + e * min(work.rigid_speed[3 * c], 0.0)
        for j in range(1, 3):
            b[3 * c + j] = (1.0 + reversal) * work.rigid_speed[3 * c + j]
    for k in range(3 * m):
        x[k] = 0.0
    jammed = solve_cones(
        work.rigid_D, b, x, work.rigid_w, m, work.rigid_kind, work.rigid_friction, work.rigid_way, work.rigid_given,
        work.rigid_status, eager,
    )  # fmt: skip
    if poisson and jammed < 0:
        give_back(tables, work)


@device
def give_back(tables, work):
    """The second part of an impact by Poisson's hypothesis: normal impulses return by restitution, or more if pairs
    would still approach; friction goes on."""
    m, b, x, r = work.rigid_count[0], work.rigid_b, work.rigid_x, work.rigid_r
    for c in range(m):
        e, _ = restitution_of(tables, work, c)
        work.rigid_given[c] = e * x[3 * c]
    for k in range(3 * m):
        b[k] = work.rigid_speed[k]
        for j in range(3 * m):
            b[k] += work.rigid_D[k, j] * x[j]
        for c in range(m):
            b[k] += work.rigid_D[k, 3 * c] * work.rigid_given[c]
    for k in range(3 * m):
        r[k] = x[k]
        x[k] = 0.0
    solve_cones(
        work.rigid_D, b, x, work.rigid_w, m, work.rigid_kind, work.rigid_friction, work.rigid_way, work.rigid_given,
        work.rigid_status, int64(-1),
    )  # fmt: skip
    for k in range(3 * m):
        x[k] += r[k]
    for c in range(m):
        x[3 * c] += work.rigid_given[c]


@device
def jump(tables, v, works, work, eager):
    """The impact of all pairs that touch; `eager`: the pair that is stopped though it does not approach, or -1."""
    choose_touching(tables, work)
    gather(tables, work)
    m, x = work.rigid_count[0], work.rigid_x
    chosen = int64(-1)
    for c in range(m):
        if work.rigid_pair[c] == eager:
            chosen = int64(c)
    find_impulses(tables, work, chosen)
    for k in range(3 * m):
        if x[k] == 0.0:
            continue
        after = work.rigid_speed[k]
        for j in range(3 * m):
            after += work.rigid_D[k, j] * x[j]
        # friction's part too: by itself it may give, where it only hands on what the normal impulse took
        works[IMPACTS] -= 0.5 * x[k] * (work.rigid_speed[k] + after)
        works[DRIVES] -= x[k] * (work.rigid_speed[k] - product(work.rigid_W[k], v))
        for r in range(len(work.multiplier)):
            works[DRIVES] += x[k] * work.rigid_L[k, r] * work.g_target[r]
    add_motion(work, v)
    for c in range(m):
        note_impact(tables, work, c, c == chosen)


@device
def note_impact(tables, work, c, stopped):
    """Open or closed after the impact, and what it was."""
    i, k, x, law = work.rigid_pair[c], 3 * c, work.rigid_x, law_of(tables, work, c)
    if stopped or work.rigid_before[i, 0] == CLOSED or -work.rigid_speed[k] > STANDS * work.rigid_scale[SPEED]:
        work.rigid_impulse[i] += x[k]
    peak = work.contact_peak[work.pairs[i].contact]
    peak[IMPULSE] += x[k]
    settles = STANDS * work.rigid_scale[SPEED] < -work.rigid_speed[k] <= law.rest_speed
    if x[k] > 0.0 and law.restitution > 0.0 and settles:
        peak[SETTLED] += 1.0
    if x[k] > 0.0 and work.rigid_before[i, 0] == OPEN:
        peak[TOUCHES] += 1.0
        peak[FASTEST] = max(peak[FASTEST], -work.rigid_speed[k])
    speed, s1, s2 = work.rigid_speed[k], work.rigid_speed[k + 1], work.rigid_speed[k + 2]
    for j in range(3 * work.rigid_count[0]):
        speed += work.rigid_D[k, j] * x[j]
        s1 += work.rigid_D[k + 1, j] * x[j]
        s2 += work.rigid_D[k + 2, j] * x[j]
    if speed > NO_RATE * (work.rigid_scale[SPEED] + abs(work.rigid_speed[k])):
        forget(work, i)
    else:
        close(work, c, s1, s2)


@device
def close(work, c, s1, s2):
    """Chosen pair c is closed, with its speeds across the normal."""
    i, slip = work.rigid_pair[c], sqrt(s1 * s1 + s2 * s2)
    work.pair_mode[i, 0], work.pair_mode[i, 1] = CLOSED, STICKS
    if slip > work.rigid_scale[SLOWEST]:
        work.pair_mode[i, 1] = SLIPS
        remember_way(work, c, s1 / slip, s2 / slip)


@device
def forget(work, i):
    """Pair i is open: it touches again where it does now, if that is within the other surface."""
    work.pair_mode[i, 0], work.pair_mode[i, 1] = OPEN, STICKS
    for k in range(1, 8):
        work.pair_memory[i, k] = 0.0
    work.pair_memory[i, 0] = min(work.pair_out[i, 0], 0.0)


# -- what is closed ---------------------------------------------------------------------------------------------------
@device
def choose_resting(tables, work):
    """Choose the pairs that touch and do not part; all others are open."""
    choose_touching(tables, work)
    count = 0
    for c in range(work.rigid_count[0]):
        i = work.rigid_pair[c]
        if work.pair_out[i, 1] <= NO_RATE * work.rigid_scale[SPEED]:
            work.rigid_pair[count] = i
            count += 1
        else:
            forget(work, i)
    work.rigid_count[0] = count


@device
def slip_kind(tables, work, c, slides, stands):
    """How friction of chosen pair c is found: `slides` has just begun to slip, `stands` has just ended."""
    i, k = work.rigid_pair[c], 3 * c
    if law_of(tables, work, c).friction != RIGID:
        return SMOOTH
    if i == slides:
        find_way(tables, work, c, 1e300)
        return SLIDING
    s1, s2 = work.rigid_speed[k + 1], work.rigid_speed[k + 2]
    speed = sqrt(s1 * s1 + s2 * s2)
    if speed <= work.rigid_scale[SLOWEST] or (i == stands and not has_turned(work, c, speed)):
        return STILL
    work.rigid_way[c, 0], work.rigid_way[c, 1] = s1 / speed, s2 / speed
    remember_way(work, c, s1 / speed, s2 / speed)
    return SLIDING


@device
def stop_slow_slip(tables, t, q, v, work, slides, stands):
    """Slip of the chosen pairs that is too slow to count is none: it would end as soon as it began another way."""
    gather(tables, work)
    moves = False
    for c in range(work.rigid_count[0]):
        i, k = work.rigid_pair[c], 3 * c
        slow = slip_kind(tables, work, c, slides, stands) == STILL
        speed = sqrt(work.rigid_speed[k + 1] ** 2 + work.rigid_speed[k + 2] ** 2)
        slow = slow and speed <= work.rigid_scale[SLOWEST]
        work.pair_mode[i, 1] = STICKS if slow else SLIPS
        moves = moves or (slow and speed > NO_SPEED * work.rigid_scale[SPEED])
        for j in range(3):
            work.rigid_b[k + j] = -work.rigid_speed[k + j]
    if moves:
        solve_held(tables, work, int64(ALL))
        add_motion(work, v)
        place_all(tables, t, q, v, work)


@small
def has_turned(work, c, speed):
    """Whether chosen pair c, which slips no more the way it did, slips across that way instead."""
    was, k = way_of(work, work.rigid_pair[c]), 3 * c
    w1, w2 = dot(was, axis_of(work, c, 1)), dot(was, axis_of(work, c, 2))
    return abs(work.rigid_speed[k + 1] * w1 + work.rigid_speed[k + 2] * w2) < TURNED * speed


@device
def remember_way(work, c, w1, w2):
    e1, e2 = axis_of(work, c, 1), axis_of(work, c, 2)
    for j in range(3):
        work.pair_memory[work.rigid_pair[c], 4 + j] = w1 * e1[j] + w2 * e2[j]


@device
def look_ahead(tables, t, q, v, work, ahead):
    """Free accelerations (rigid_a) a moment later, if all that is closed stays so until then."""
    for k in range(len(v)):
        work.rigid_v[k] = ahead * v[k]
    copy(q, work.rigid_q)
    retract(tables, work.rigid_q, work.rigid_v)
    for k in range(len(v)):
        work.rigid_v[k] = v[k] + ahead * work.rigid_a[k]
    work.rigid_closed[0] = 0
    accelerations(tables, t + ahead, work.rigid_q, work.rigid_v, work, work.rigid_a, 0.0, 0.0)


@device
def settle(tables, t, q, v, work, ahead, slides, stands):
    """Modes of all pairs that touch, by accelerations here or, with `ahead` above zero, such a time later. A pair that
    has none, or -1."""
    a, b, x = work.rigid_a, work.rigid_b, work.rigid_x
    if ahead == 0.0:
        work.rigid_closed[0] = 0
    accelerations(tables, t, q, v, work, a, 0.0, 0.0)
    choose_resting(tables, work)
    stop_slow_slip(tables, t, q, v, work, slides, stands)
    if ahead > 0.0:
        look_ahead(tables, t, q, v, work, ahead)
    gather(tables, work)
    m, size = work.rigid_count[0], 0.0
    for c in range(m):
        law = law_of(tables, work, c)
        work.rigid_friction[c, 0], work.rigid_friction[c, 1] = law.static, law.kinetic
        work.rigid_given[c] = 0.0
        work.rigid_kind[c] = slip_kind(tables, work, c, slides, stands)
        for k in range(3 * c, 3 * c + 3):
            b[k], x[k] = work.rigid_bias[k] + product(work.rigid_W[k], a), 0.0
            size = max(size, abs(b[k]))
    jammed = solve_cones(
        work.rigid_D, b, x, work.rigid_w, m, work.rigid_kind, work.rigid_friction, work.rigid_way, work.rigid_given,
        work.rigid_status, int64(-1),
    )  # fmt: skip
    if jammed >= 0:
        return work.rigid_pair[jammed]
    if ahead > 0.0:
        accelerations(tables, t, q, v, work, a, 0.0, 0.0)
    for c in range(m):
        take_mode(work, c, size)
    check_modes(tables, t, q, v, work)
    return int64(-1)


@device
def take_mode(work, c, size):
    """The mode that pair c was found to have."""
    i, k, does = work.rigid_pair[c], 3 * c, work.rigid_status[c]
    if does == PARTS and work.rigid_w[k] > 1e-9 * size:
        forget(work, i)
        return
    if work.pair_mode[i, 0] == OPEN:
        work.pair_memory[i, 0] = 0.0
    work.pair_mode[i, 0], work.pair_mode[i, 1] = CLOSED, STICKS
    if work.rigid_kind[c] == SLIDING:
        work.pair_mode[i, 1] = SLIPS
    elif does == SLIDES:
        w1, w2 = work.rigid_w[k + 1], work.rigid_w[k + 2]
        begins = sqrt(w1 * w1 + w2 * w2)
        s1, s2 = work.rigid_speed[k + 1], work.rigid_speed[k + 2]
        slip = sqrt(s1 * s1 + s2 * s2)
        if slip > work.rigid_scale[SLOWEST]:  # it turned within a step and never stood
            work.pair_mode[i, 1] = SLIPS
            remember_way(work, c, s1 / slip, s2 / slip)
        elif begins > 1e-9 * size:  # else others hold it
            work.pair_mode[i, 1] = SLIPS
            remember_way(work, c, w1 / begins, w2 / begins)


@device
def check_modes(tables, t, q, v, work):
    """Where forces are shared otherwise than was found (more is held than can move), some pairs may still have to open
    or to slip: one after the other, the worst first."""
    for _ in range(3 * len(tables.pairs) + 3):
        if choose_closed(tables, work) == 0:
            return
        accelerations(tables, t, q, v, work, work.rigid_a, 0.0, 0.0)
        slack = -1e-9 * work.rigid_scale[FORCE]
        pair, kind, worst, idle = int64(-1), int64(0), slack, False
        for c in range(work.rigid_count[0]):
            i = work.rigid_pair[c]
            if work.pair_out[i, 2] < worst:
                pair, kind, worst = i, int64(HOLD), work.pair_out[i, 2]
        if pair < 0:
            for c in range(work.rigid_count[0]):
                i = work.rigid_pair[c]
                sticks = law_of(tables, work, c).friction == RIGID and work.pair_mode[i, 1] == STICKS
                if sticks and work.pair_out[i, 2] <= IDLE * work.rigid_scale[FORCE]:
                    leave_alone(work, i)
                    idle = True
                elif sticks and work.pair_out[i, 10] < worst:
                    pair, kind, worst = i, int64(SLIDE), work.pair_out[i, 10]
        if pair < 0 and not idle:
            return
        if pair < 0:
            continue
        if kind == HOLD:
            forget(work, pair)
        else:
            begin_to_slip(work, pair)


@device
def leave_alone(work, i):
    """Pair i touches and bears next to nothing: nothing holds it across its normal."""
    work.pair_mode[i, 1] = SLIPS
    for k in range(4, 7):
        work.pair_memory[i, k] = 0.0


@device
def begin_to_slip(work, i):
    """Pair i, against the friction that held it so far."""
    out, memory = work.pair_out[i], work.pair_memory[i]
    for c in range(work.rigid_count[0]):
        if work.rigid_pair[c] == i:
            n = axis_of(work, c, 0)
            size = 0.0
            for j in range(3):
                memory[4 + j] = out[2] * n[j] - out[3 + j]
                size += memory[4 + j] ** 2
            for j in range(3):
                memory[4 + j] /= sqrt(size) if size > 0.0 else 1.0
    work.pair_mode[i, 1] = SLIPS


@device
def close_hops(tables, t, q, v, works, work):
    """Close the pairs that part and would be back after the lowest of hops; their own rebounds, which the rest speed
    ends, only where roundings blur them. Whether there were any."""
    accelerations(tables, t, q, v, work, work.rigid_a, 0.0, 0.0)
    choose_parting(tables, work)
    gather(tables, work)
    found = False
    for c in range(work.rigid_count[0]):
        own = work.rigid_impulse[work.rigid_pair[c]] > 0.0 and law_of(tables, work, c).restitution > 0.0
        low = BLURRED * work.rigid_scale[ROUNDING]
        if not own:
            low = max(low, HOP * work.rigid_scale[SIZE])
        speed, back = work.rigid_speed[3 * c], work.rigid_bias[3 * c] + product(work.rigid_W[3 * c], work.rigid_a)
        if 0.5 * speed * speed <= -back * low:
            close(work, c, work.rigid_speed[3 * c + 1], work.rigid_speed[3 * c + 2])
            work.contact_peak[work.pairs[work.rigid_pair[c]].contact, SETTLED] += 1.0
            found = True
    if found:
        before = kinetic_energy(tables, q, v, work)
        bring_together(tables, t, q, v, False, work)
        works[IMPACTS] += before - kinetic_energy(tables, q, v, work)
    return found


@device
def change_rigid(tables, t, q, v, works, work, pair, what):
    """What happens as a pair comes to an end of its mode (see touching), or, with pair -1, at the start. Contacts and
    accelerations were evaluated here. Returns a pair that was stopped without a collision, or -1."""
    for i in range(len(tables.pairs)):
        work.rigid_impulse[i] = 0.0
        for k in range(2):
            work.rigid_before[i, k] = work.pair_mode[i, k]
    ahead, slides, stands = 0.0, int64(-1), int64(-1)
    meets = pair < 0 or what == TOUCH
    if meets:
        place_all(tables, t, q, v, work)
        jump(tables, v, works, work, int64(-1))
    elif what == HOLD:
        ahead = AHEAD * work.rigid_scale[SIZE] / work.rigid_scale[SPEED]
    elif work.pair_mode[pair, 1] == STICKS:
        begin_to_slip(work, pair)
        slides = pair
    else:
        stands = pair
    stopped = int64(-1)
    for _ in range(TRIES):
        jammed = settle(tables, t, q, v, work, ahead, slides, stands)
        if jammed >= 0:
            stopped, meets = jammed, True
            jump(tables, v, works, work, jammed)
        elif not meets or not close_hops(tables, t, q, v, works, work):
            break
        ahead, slides, stands = 0.0, int64(-1), int64(-1)
    choose_closed(tables, work)
    bring_together(tables, t, q, v, False, work)
    return stopped
