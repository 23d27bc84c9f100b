"""Friction of joints: along the coordinates a joint leaves free, by the law of friction of contacts (friction).

A grip acts along up to three measures between the same two nodes; slip is their change, each times its scale (a radius
for the angle of a shaft, so that turning and sliding are slips of one surface). As measures say where they are, elastic
slip is counted from an anchor and not integrated:

    z = scale * measure - anchor

The force that presses is a preload and, if asked, what the joint's own reactions press: |F|, or for a bearing of a
given length with a moment M across its axis n the forces at its two ends, |F/2 + n x M/l| + |F/2 - n x M/l|.

What a grip remembers: memory[0:3] the anchor, [3:6] elastic slip at the last step, [6:9] the way it slips, [9] the
force that pressed at the last step, [10] 1 once it has an anchor: until then it does not stick, [11] the force that
presses at the end of the step at hand, [12:21] the anchor of a ball in a socket (grip_balls). What is found at an
evaluation: out[0:3] friction along the measures over their scale, or the torque of a ball, [3] its size, [4] energy
stored, [5] slip along the way it has; of a latch, how far it is from closing.

A latch is a grip that does nothing until its measure gets where it closes, and sticks from then on whatever the force.
"""

from math import sqrt

from ..jit import device, small
from ..math.rotations import rotate
from ..math.vec3 import add, add_to3, axpy, cross, dot, from3, scale, sub
from .forces import power_from_prescribed
from .friction import by_slip, regularised, slipping, sticking
from .grip_balls import ball_slip, push_ball
from .measures import ZERO, counted, measure
from .pair_memory import BY_MODE, STICKS, STILL
from .tables import DRIVES, FRICTION, LATCH, REGULARISED, STICKING

HELD, WAY, PRESSED, ANCHORED, PRESSES = 3, 6, 9, 10, 11


# -- slip -------------------------------------------------------------------------------------------------------------
@device
def slip_along(tables, g, k, t, work):
    """(slip from the anchor, its rate) along measure k of a grip; none where it has no such measure."""
    grip, memory = tables.grips[g], work.grip_memory[g]
    i = grip.measure[k]
    if i < 0:
        return 0.0, 0.0
    c, rate, _, _, _, _, _ = measure(tables, i, work)
    z = grip.scale[k] * counted(tables, work, i, t, c) - memory[k]
    return z if memory[ANCHORED] > 0.0 else 0.0, grip.scale[k] * rate


@device
def slip_of(tables, g, t, work):
    """(elastic slip, as if it did not give way; its rate)"""
    if tables.grips[g].ball:
        z, u = ball_slip(tables, g, work)
        return scale(work.grip_memory[g, ANCHORED], z), u
    z0, u0 = slip_along(tables, g, 0, t, work)
    z1, u1 = slip_along(tables, g, 1, t, work)
    z2, u2 = slip_along(tables, g, 2, t, work)
    return (z0, z1, z2), (u0, u1, u2)


@small
def grip_force(tables, g, work, normal, z, u):
    """(friction, elastic slip that is left)"""
    grip, memory = tables.grips[g], work.grip_memory[g]
    nothing = 0.0 * normal + 0.0 * z[0]
    none = (nothing, nothing, nothing)
    if grip.friction == REGULARISED:
        return add(regularised(grip, normal, u), none), none
    if grip.friction == LATCH:
        if work.grip_mode[g] == STICKS:
            return add(sticking(grip, z, u), none), add(z, none)
        return none, none
    if work.contact_step[0] == BY_MODE:
        if work.grip_mode[g] == STICKS:
            return add(sticking(grip, z, u), none), add(z, none)
        way = (memory[WAY], memory[WAY + 1], memory[WAY + 2])
        return add(slipping(grip, normal, u, way, STILL), none), none
    force, end, _ = by_slip(grip, normal, z, none, u)
    return force, end


# -- what presses -----------------------------------------------------------------------------------------------------
@small
def reaction_of_row(tables, g, r, work):
    """(force, moment about the joint's point) on node b by row r of a grip's joint, per unit of its multiplier."""
    grip, row = tables.grips[g], tables.rows[r]
    force, moment = ZERO, ZERO
    for p in range(row.first, row.last):
        term = tables.terms[p]
        _, _, _, _, _, nb, tb = measure(tables, term.measure, work)
        force, moment = axpy(-term.weight, nb, force), axpy(-term.weight, tb, moment)
    return force, sub(moment, cross(rotate(work.R, grip.b, from3(grip.arm)), force))


@device
def reaction(tables, g, work, multiplier):
    """(force, moment about the joint's point) on node b."""
    grip = tables.grips[g]
    force, moment = ZERO, ZERO
    for p in range(grip.first, grip.last):
        r = tables.grip_rows[p]
        f, m = reaction_of_row(tables, g, r, work)
        force, moment = axpy(multiplier[r], f, force), axpy(multiplier[r], m, moment)
    return force, moment


@device
def ends_of(tables, g, work, force, moment):
    """Forces at both ends of the bearing; all of it at one end if it has no length."""
    grip = tables.grips[g]
    if grip.length == 0.0:
        return force, ZERO
    across = scale(1.0 / grip.length, cross(rotate(work.R, grip.axis_on, from3(grip.axis)), moment))
    return axpy(0.5, force, across), axpy(0.5, force, scale(-1.0, across))


@device
def pressing(tables, g, work, multiplier):
    """Force that presses."""
    force, moment = reaction(tables, g, work, multiplier)
    one, other = ends_of(tables, g, work, force, moment)
    return tables.grips[g].preload + sqrt(dot(one, one)) + sqrt(dot(other, other))


@device
def press_grips(tables, work, multiplier):
    """Find what presses from given reactions; work is placed."""
    for g in range(len(tables.grips)):
        work.grip_normal[g] = pressing(tables, g, work, multiplier)


# -- forces -----------------------------------------------------------------------------------------------------------
@device
def push_along(tables, work, i, f):
    """A force along a measure."""
    m = tables.measures[i]
    _, _, _, na, ta, nb, tb = measure(tables, i, work)
    add_to3(work.force, m.a, f, na)
    add_to3(work.moment, m.a, f, ta)
    add_to3(work.force, m.b, f, nb)
    add_to3(work.moment, m.b, f, tb)
    work.power[DRIVES] += power_from_prescribed(tables, work, i, f, na, ta, nb, tb)


@device
def taken(tables, g, work, force, z, u):
    """Power that is lost: slip beyond what is elastic, and damping."""
    grip, memory = tables.grips[g], work.grip_memory[g]
    power = -dot(force, u)
    if grip.friction == LATCH:
        return power - grip.slip_stiffness * dot(z, u)
    if grip.friction != STICKING:
        return power
    if work.contact_step[0] == BY_MODE:
        return power - grip.slip_stiffness * dot(z, u) if work.grip_mode[g] == STICKS else power
    step = work.contact_step[1]
    if step > 0.0:
        power += dot(force, sub(z, (memory[HELD], memory[HELD + 1], memory[HELD + 2]))) / step
    return power


@device
def add_grip(tables, g, t, work, sign):
    """Force and power of a grip by the force that presses now; sign = -1 takes them away again."""
    grip, memory, out = tables.grips[g], work.grip_memory[g], work.grip_out[g]
    z, u = slip_of(tables, g, t, work)
    force, end = grip_force(tables, g, work, work.grip_normal[g], z, u)
    for k in range(3):
        out[k] = force[k]
        if grip.measure[k] >= 0:
            push_along(tables, work, grip.measure[k], sign * grip.scale[k] * force[k])
    if grip.ball:
        push_ball(tables, g, work, scale(sign, force))
    work.power[FRICTION] += sign * taken(tables, g, work, force, end, u)
    out[3] = sqrt(dot(force, force))
    out[4] = 0.5 * grip.slip_stiffness * dot(end, end) if grip.friction in (STICKING, LATCH) else 0.0
    if grip.friction == LATCH:
        out[5] = -grip.way * z[0]
        return
    out[5] = memory[WAY] * u[0] + memory[WAY + 1] * u[1] + memory[WAY + 2] * u[2]


@device
def add_grips(tables, t, work):
    for g in range(len(tables.grips)):
        add_grip(tables, g, t, work, 1.0)
