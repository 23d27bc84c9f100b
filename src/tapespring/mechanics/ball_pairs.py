"""The short way for balls: pairs of balls, balls on half-spaces and journals in bearings, in loops that find slip from
velocities.

The same laws as contacts.add_pair, for surfaces that stand on one node each: what most pairs of many bodies are. Half
of these do not touch and are left as soon as their gap is known.
"""

from math import sqrt

from ..jit import device, small
from ..math.rotations import rotate
from ..math.vec3 import add, axpy, cross, dot, from3, load3, scale, sub
from .contact_laws import law_energy
from .contacts import normal_force
from .friction import across, by_slip, regularised
from .motion import is_free
from .pair_points import ZERO
from .tables import BALL, DRIVES, FRICTIONLESS, IMPACTS, PLANE, REGULARISED, RING

NOWHERE = 1e-300


@small
def is_ball_pair(tables, work, i):
    pair = work.pairs[i]
    a = tables.surfaces[pair.a].kind
    return a in (BALL, PLANE, RING) and tables.surfaces[pair.b].kind == BALL


@small
def arm_of(tables, work, k):
    """From the node of a spot to the spot, world axes."""
    spot = tables.spots[k]
    arm = from3(spot.arm)
    if arm[0] == 0.0 and arm[1] == 0.0 and arm[2] == 0.0:
        return arm
    return rotate(work.R, spot.node, arm)


@small
def add_wrench(work, n, sign, force, moment):
    for k in range(3):
        work.force[n, k] += sign * force[k]
        work.moment[n, k] += sign * moment[k]


@small
def lose_wrench(work, n, sign, arm, damping, friction):
    by_damping, by_friction = cross(arm, damping), cross(arm, friction)
    for k in range(3):
        work.lost[n, k] += sign * damping[k]
        work.lost[n, 3 + k] += sign * by_damping[k]
        work.lost[n, 6 + k] += sign * friction[k]
        work.lost[n, 9 + k] += sign * by_friction[k]


@small
def relative_velocity(work, na, nb, arm_a, arm_b):
    """Of b against a at the ends of the arms."""
    va, vb = load3(work.v, na), load3(work.v, nb)
    return sub(add(vb, cross(load3(work.w, nb), arm_b)), add(va, cross(load3(work.w, na), arm_a)))


@small
def power_from(tables, work, n, arm, force):
    """Of a force on a node that is moved as told; none of one that is free."""
    if is_free(tables, n):
        return 0.0
    return dot(force, add(load3(work.v, n), cross(load3(work.w, n), arm)))


@device
def add_ball_pair(tables, i, work):
    """contacts.add_pair for pair i; where work.lost is kept what is lost goes there, and no powers are found."""
    pair, out = work.pairs[i], work.pair_out[i]
    a, b, law = tables.surfaces[pair.a], tables.surfaces[pair.b], tables.contacts[pair.contact]
    na, nb = tables.spots[a.spot].node, tables.spots[b.spot].node
    arm_a, arm_b = arm_of(tables, work, a.spot), arm_of(tables, work, b.spot)
    between = sub(load3(work.x, nb), load3(work.x, na))
    d = sub(add(between, arm_b), arm_a)
    if a.kind == BALL:
        l = sqrt(dot(d, d) + NOWHERE)
        gap, n = l - (a.radius + b.radius), scale(1.0 / l, d)
    elif a.kind == RING:
        axis = rotate(work.R, na, from3(a.axes[2]))
        e = axpy(-dot(axis, d), axis, d)
        l = sqrt(dot(e, e) + NOWHERE)
        gap, n = a.size[0] - l, scale(-1.0 / l, e)
    else:
        n = rotate(work.R, na, from3(a.axes[2])) if na > 0 else from3(a.axes[2])
        gap = dot(n, d) - b.radius
    apart, gap = gap, gap + pair.offset
    out[0] = gap
    if gap >= law.margin:
        for k in range(1, 12):
            out[k] = 0.0
        if len(work.lost) == 0:  # its rate tells when it will touch
            out[1] = dot(n, relative_velocity(work, na, nb, arm_a, arm_b))
        for k in range(3):
            work.pair_rate[i, k] = 0.0
        return
    arm_b = axpy(-0.5 * apart - b.radius, n, arm_b)  # to the point half way between the surfaces
    arm_a = add(between, arm_b)
    u = relative_velocity(work, na, nb, arm_a, arm_b)
    rate = dot(n, u)
    depth = law.margin - gap
    force, raw, elastic = normal_force(tables, i, work, depth, -rate)
    tangential, z = ZERO, ZERO
    if law.friction != FRICTIONLESS and force > 0.0:
        slip, memory = axpy(-rate, n, u), work.pair_memory[i]
        if law.friction == REGULARISED:
            tangential = regularised(law, force, slip)
        else:
            was = across(n, (memory[1], memory[2], memory[3]))
            tangential, z, _ = by_slip(law, force, was, scale(work.contact_step[1], slip), slip)
    F = axpy(force, n, tangential)
    point = add(load3(work.x, nb), arm_b)
    out[1], out[2], out[9] = rate, force, raw
    out[11] = law_energy(tables, pair.contact, depth) + 0.5 * law.slip_stiffness * dot(z, z)
    for k in range(3):
        out[3 + k], out[6 + k], work.pair_rate[i, k] = F[k], point[k], z[k]
    add_wrench(work, nb, 1.0, F, cross(arm_b, F))
    if na > 0:
        add_wrench(work, na, -1.0, F, cross(arm_a, F))
    if len(work.lost) == 0:
        work.power[IMPACTS] += (elastic - force) * rate
        work.power[DRIVES] += power_from(tables, work, na, arm_a, F) - power_from(tables, work, nb, arm_b, F)
        return
    damping = scale(force - elastic, n)
    lose_wrench(work, nb, 1.0, arm_b, damping, tangential)
    if na > 0:
        lose_wrench(work, na, -1.0, arm_a, damping, tangential)
