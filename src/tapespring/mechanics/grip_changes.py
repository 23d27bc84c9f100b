"""How friction of joints changes: sticking, slipping; and what is remembered at the end of a step."""

from math import sqrt

from ..jit import device, small
from ..math.vec3 import dot
from .grip_balls import hold_ball
from .grips import ANCHORED, HELD, PRESSED, WAY, grip_force, press_grips, pressing, slip_of
from .pair_memory import AT_LIMIT, GRIP, NO_SLIP, SLIPS, STICKS, STILL
from .tables import LATCH, STICKING
from .touching import SLIP, STICK


@small
def grip_margin(tables, g, work):
    """How far a grip is from a change: positive while its mode is right; out of the last evaluation."""
    grip, out = tables.grips[g], work.grip_out[g]
    if grip.friction == LATCH:
        return out[5] if work.grip_mode[g] == SLIPS else 1.0
    if grip.friction != STICKING:
        return 1.0
    if work.grip_mode[g] == SLIPS:
        return out[5]
    most = max(grip.static, GRIP * grip.kinetic) * work.grip_normal[g]
    return most - out[3] + NO_SLIP * grip.slip_stiffness


@device
def hold_at(tables, g, t, work, z):
    """Count elastic slip from where it is z now; work is placed."""
    memory = work.grip_memory[g]
    memory[ANCHORED] = 1.0
    if tables.grips[g].ball:
        hold_ball(tables, g, work, z)
        for k in range(3):
            memory[HELD + k] = z[k]
        return
    for k in range(3):
        memory[k] = 0.0
    now, _ = slip_of(tables, g, t, work)
    for k in range(3):
        memory[k] = now[k] - z[k]
        memory[HELD + k] = z[k]


@device
def put_way(work, g, u, still):
    """The way it slips, along u; none if that is no larger than `still`."""
    speed = sqrt(dot(u, u))
    for k in range(3):
        work.grip_memory[g, WAY + k] = u[k] / speed if speed > still else 0.0
    return speed > still


@device
def begin_latch(tables, g, t, work):
    """Open, unless it is where it closes or beyond."""
    memory = work.grip_memory[g]
    memory[0], memory[ANCHORED] = tables.grips[g].catch, 1.0
    z, _ = slip_of(tables, g, t, work)
    work.grip_mode[g] = STICKS if tables.grips[g].way * z[0] >= 0.0 else SLIPS


@device
def accept_latch(tables, g, t, work):
    """At the end of a step that did not look for the instant: a latch that is past it closes where it is."""
    if work.grip_memory[g, ANCHORED] == 0.0:
        begin_latch(tables, g, t, work)
    z, _ = slip_of(tables, g, t, work)
    if work.grip_mode[g] == SLIPS and tables.grips[g].way * z[0] >= 0.0:
        work.grip_mode[g] = STICKS
        work.grip_memory[g, 0] += z[0]


@device
def begin_grips(tables, t, work):
    """Modes at the start: what moves slips, what does not sticks without any force; a run that goes on keeps them."""
    for g in range(len(tables.grips)):
        if work.grip_memory[g, ANCHORED] > 0.0:
            continue
        if tables.grips[g].friction == LATCH:
            begin_latch(tables, g, t, work)
            continue
        hold_at(tables, g, t, work, (0.0, 0.0, 0.0))
        _, u = slip_of(tables, g, t, work)
        work.grip_mode[g] = SLIPS if put_way(work, g, u, STILL) else STICKS


@device
def change_grip(tables, g, t, work):
    """Enter the other mode; (what to report, energy that leaves the books of friction)."""
    grip, memory, out = tables.grips[g], work.grip_memory[g], work.grip_out[g]
    if work.grip_mode[g] == STICKS:
        work.grip_mode[g] = SLIPS
        put_way(work, g, (-out[0], -out[1], -out[2]), STILL)
        return SLIP, out[4]
    work.grip_mode[g] = STICKS
    if grip.friction == LATCH:
        return STICK, 0.0
    most = grip.kinetic * work.grip_normal[g] / grip.slip_stiffness
    hold_at(tables, g, t, work, (most * memory[WAY], most * memory[WAY + 1], most * memory[WAY + 2]))
    return STICK, -0.5 * grip.slip_stiffness * most * most


@device
def renew_ways(tables, t, work):
    """Of grips that slip: the way they slip now, unless they have just come to rest."""
    for g in range(len(tables.grips)):
        if work.grip_mode[g] == SLIPS:
            _, u = slip_of(tables, g, t, work)
            if work.grip_out[g, 5] > STILL:
                put_way(work, g, u, STILL)


@device
def accept_grips(tables, t, work, multiplier):
    """Remember elastic slip and what presses at an accepted state, where work is placed."""
    press_grips(tables, work, multiplier)
    for g in range(len(tables.grips)):
        accept_grip(tables, g, t, work)


@device
def accept_grip(tables, g, t, work):
    grip = tables.grips[g]
    if grip.friction == LATCH:
        accept_latch(tables, g, t, work)
        return
    z, u = slip_of(tables, g, t, work)
    _, end = grip_force(tables, g, work, work.grip_normal[g], z, u)
    hold_at(tables, g, t, work, end)
    work.grip_memory[g, PRESSED] = work.grip_normal[g]
    size, most = grip.slip_stiffness * sqrt(dot(end, end)), grip.kinetic * work.grip_normal[g]
    slips = size > 0.0 and abs(size - most) <= AT_LIMIT * most and put_way(work, g, end, 0.0)
    work.grip_mode[g] = SLIPS if slips else STICKS


@device
def begin_stepped_grips(tables, t, work, multiplier):
    """At the start of a loop with steps of its own, where work is placed: what remembers nothing yet; elastic slip of
    what slips is counted from where it is, as a loop that holds modes has no anchor then."""
    for g in range(len(tables.grips)):
        memory = work.grip_memory[g]
        if memory[ANCHORED] == 0.0:
            work.grip_normal[g] = pressing(tables, g, work, multiplier)
            accept_grip(tables, g, t, work)
        elif tables.grips[g].friction == STICKING and work.grip_mode[g] == SLIPS:
            hold_at(tables, g, t, work, (memory[HELD], memory[HELD + 1], memory[HELD + 2]))
