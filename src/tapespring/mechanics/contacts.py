"""Contacts: forces between pairs of surfaces that touch.

A pair finds where its surfaces are nearest (nearest), how deep they are in each other and how fast, and follows the
laws of its contact (contact_laws, friction). Forces act on the nodes of both surfaces' spots by their weights, at the
point of touch, so that momentum, angular momentum and work are exact.

What is found at an evaluation: out[0] gap, [1] its rate, [2] normal force, [3:6] force on b, [6:9] point, [9] the law's
force before it is cut off, [10] distance to a change between sticking and slipping, [11] energy stored.
"""

from math import sqrt

from ..jit import device, from_numba, small
from ..math.vec3 import add, add_to3, axpy, cross, dot, load3, scale, sub
from .contact_laws import law_energy, law_force
from .friction import across, by_slip, regularised, slipping, sticking
from .motion import is_free
from .nearest_edges import share_slopes
from .pair_memory import (
    AS_A_WHOLE,
    BY_MODE,
    BY_PLACE,
    BY_RATE,
    CLOSED,
    GRIP,
    LAST_RATE,
    LOAD,
    NO_SLIP,
    OPEN,
    STICKS,
    STIFFER,
    STILL,
)
from .pair_points import ZERO, has_node, move_at, nearest_points, node_points, surface_state, velocity_at
from .play import dragged_slider, held_slider, play_energy, play_force
from .tables import (
    AUGMENTED,
    DRIVES,
    FRICTION,
    FRICTIONLESS,
    IMPACTS,
    MOMENTUM,
    PLAY,
    REGULARISED,
    SEGMENT,
    STICKING,
)

(value_of,) = from_numba(".math.duals", "value_of")


@small
def slider(tables, i, work, y):
    """(z, whether it moves along) of play with friction."""
    law = tables.contacts[work.pairs[i].contact]
    if work.contact_step[0] == BY_MODE:
        return held_slider(law, work.pair_mode[i, 1], y, work.pair_memory[i, 1])
    return dragged_slider(law, y, work.pair_memory[i, 1])


@small
def stored(tables, i, work, gap):
    """Energy of pair i, but for elastic slip."""
    law = tables.contacts[work.pairs[i].contact]
    if law.law == PLAY:
        return play_energy(law, gap, slider(tables, i, work, gap)[0])
    return law_energy(tables, work.pairs[i].contact, law.margin - gap)


@small
def first_speed(law, work, memory, rate):
    """At which surfaces met, or meet just now, but not below that of rest; 1 m/s where they were together from the
    start and nothing is known of rest."""
    met = memory[0]
    if met == 0.0 and work.contact_step[0] != BY_MODE:
        met = max(rate, 1e-9) if work.contact_step[0] == BY_RATE else -memory[LAST_RATE]
    if met > law.rest_speed and met > STILL:
        return met
    return law.rest_speed if law.rest_speed > 0.0 else 1.0


@small
def normal_force(tables, i, work, depth, rate):
    """(force, before it is cut off, its elastic part)"""
    pair = work.pairs[i]
    c, law = pair.contact, tables.contacts[pair.contact]
    memory = work.pair_memory[i]
    if law.law == PLAY:
        z, along = slider(tables, i, work, -1.0 * depth)
        force = play_force(law, -1.0 * depth, z)
        return force, force, force + law.slip_stiffness * (-1.0 * depth - z) if along else force
    if law.law == AUGMENTED:
        raw = memory[LOAD] + (1.0 + memory[STIFFER]) * law.stiffness * depth
        return raw if raw > 0.0 else 0.0 * raw, raw, 0.0 * raw
    first = first_speed(law, work, memory, value_of(rate))
    raw, elastic = law_force(tables, c, depth, rate, first, work)
    force = raw
    if work.contact_step[0] == BY_MODE:
        if work.pair_mode[i, 0] != CLOSED:
            force = 0.0 * raw
    elif depth <= 0.0 or (raw < 0.0 and not law.adhesive):
        force = 0.0 * raw
    return force, raw, elastic


@small
def friction_force(tables, i, work, normal, n, u, A, B, weights_a, weights_b, pa, pb):
    """(force on b, elastic slip at the end of a step)"""
    pair = work.pairs[i]
    law = tables.contacts[pair.contact]
    memory = work.pair_memory[i]
    tangent = across(n, u)
    nothing = 0.0 * normal
    none = (nothing, nothing, nothing)
    z = across(n, (memory[1] + nothing, memory[2], memory[3]))
    if law.friction == REGULARISED:
        return regularised(law, normal, tangent), none
    if work.contact_step[0] == BY_MODE:
        if work.pair_mode[i, 1] == STICKS:
            return sticking(law, z, tangent), z
        return slipping(law, normal, tangent, (memory[4] + nothing, memory[5], memory[6]), STILL), z
    if work.contact_step[0] == BY_PLACE:
        moved = sub(move_at(tables, work, pair.b, B, weights_b, pb), move_at(tables, work, pair.a, A, weights_a, pa))
    else:
        moved = scale(work.contact_step[1], u)
    force, end, _ = by_slip(law, normal, z, across(n, moved), tangent)
    return force, end


@device
def node_force(tables, i, work, A, B, node):
    """(normal force, its elastic part, gap, rate of gap, normal, (s, t) on a, (s, t) on b, offset on a, offset on b,
    how much it counts) of a node that pair i takes off, by the law of the pair; forces and share with their sign."""
    pair = work.pairs[i]
    law = tables.contacts[pair.contact]
    gap, n, weights_a, weights_b, pa, pb, share = node_points(tables, i, work, A, B, node)
    gap = gap + pair.offset
    u = sub(
        velocity_at(B, weights_b, tables.surfaces[pair.b].count, pb),
        velocity_at(A, weights_a, tables.surfaces[pair.a].count, pa),
    )
    rate, force, elastic = dot(n, u), 0.0 * gap, 0.0 * gap
    if share == 0.0 or gap >= law.margin:
        return force, elastic, gap, rate, n, weights_a, weights_b, pa, pb, 0.0 * share
    force, raw, elastic = normal_force(tables, i, work, law.margin - gap, -1.0 * rate)
    if raw < 0.0 and not law.adhesive:
        force = 0.0 * raw
    return share * force, share * elastic, gap, rate, n, weights_a, weights_b, pa, pb, share


@device
def taken_off(tables, i, work, A, B, gap):
    """Normal force of all nodes of pair i together."""
    less = 0.0 * gap
    for node in range(3):
        if gap < tables.contacts[work.pairs[i].contact].margin and has_node(tables, i, work, node):
            less = less + node_force(tables, i, work, A, B, node)[0]
    return less


@small
def pair_force(tables, i, work, A, B):
    """(force on b, (s, t) on a, (s, t) on b, offset on a, offset on b, whether there is one, elastic slip, normal
    force, gap, rate of gap, slip velocity, raw force, elastic part, normal, how much it counts, normal force of nodes
    that are taken off). The force is without these; friction goes by what is left."""
    pair = work.pairs[i]
    law = tables.contacts[pair.contact]
    gap, n, weights_a, weights_b, pa, pb, share = nearest_points(tables, i, work, A, B)
    gap = gap + pair.offset
    u = sub(
        velocity_at(B, weights_b, tables.surfaces[pair.b].count, pb),
        velocity_at(A, weights_a, tables.surfaces[pair.a].count, pa),
    )
    rate = dot(n, u)
    nothing = 0.0 * gap
    less = nothing
    if tables.surfaces[pair.b].kind == SEGMENT:
        less = taken_off(tables, i, work, A, B, gap)
    if share <= 0.0:
        none = (nothing, nothing, nothing)
        acts, slip = less < 0.0 or less > 0.0, across(n, u)
        return (
            none, weights_a, weights_b, pa, pb, acts, none, nothing, gap, rate, slip, nothing, nothing, n, share, less,
        )  # fmt: skip
    force, raw, elastic = normal_force(tables, i, work, law.margin - gap, -1.0 * rate)
    if law.law != AUGMENTED:  # whose load is found, whatever counts
        force, raw, elastic = share * force, share * raw, share * elastic
    acts = law.law != MOMENTUM and (force > 0.0 or force < 0.0 or work.contact_step[0] == BY_MODE)
    total, z = scale(force, n), (nothing, nothing, nothing)
    if law.friction != FRICTIONLESS and acts:
        # friction takes no part in a force that pulls
        left = force + less
        across_n, z = friction_force(
            tables, i, work, left if left > 0.0 else nothing, n, u, A, B, weights_a, weights_b, pa, pb
        )
        if work.contact_step[0] != BY_MODE or work.pair_mode[i, 0] == CLOSED:
            total = add(total, across_n)
    return total, weights_a, weights_b, pa, pb, acts, z, force, gap, rate, across(n, u), raw, elastic, n, share, less


@small
def push(tables, work, k, weight, force, arm, offset):
    """A part of a force on the node of a spot, at its arm and offset."""
    n = tables.spots[k].node
    part = scale(weight, force)
    moment = cross(add(arm, offset), part)
    add_to3(work.force, n, 1.0, part)
    add_to3(work.moment, n, 1.0, moment)
    if not is_free(tables, n):
        work.power[DRIVES] -= dot(part, load3(work.v, n)) + dot(moment, load3(work.w, n))


@small
def push_surface(tables, work, a, side, weights, offset, force):
    surface, (s, t) = tables.surfaces[a], weights
    push(tables, work, surface.spot, 1.0 - s - t, force, side[0][1], offset)
    if surface.count > 1:
        push(tables, work, surface.spot + 1, s, force, side[1][1], offset)
    if surface.count > 2:
        push(tables, work, surface.spot + 2, t, force, side[2][1], offset)


@small
def is_fading(share):
    return share > 0.0 and share < 1.0


@small
def fading_forces(tables, i, work, A, B, gap):
    """On both ends of both edges of pair i, towards where less of their crossing counts."""
    pair = work.pairs[i]
    law = tables.contacts[pair.contact]
    reach = tables.surfaces[pair.a].radius + tables.surfaces[pair.b].radius + law.margin
    E = -1.0 * law_energy(tables, pair.contact, law.margin - gap)
    x0, x1, y0, y1 = share_slopes(A[0][0], A[1][0], B[0][0], B[1][0], reach)
    return scale(E, x0), scale(E, x1), scale(E, y0), scale(E, y1)


@small
def lose(tables, work, k, weight, force, arm, offset, kind):
    """Note a part of a force that no energy is behind, as `push` does."""
    n = tables.spots[k].node
    part = scale(weight, force)
    moment = cross(add(arm, offset), part)
    for i in range(3):
        work.lost[n, kind + i] += part[i]
        work.lost[n, kind + 3 + i] += moment[i]


@small
def lose_surface(tables, work, a, side, weights, offset, force, kind):
    surface, (s, t) = tables.surfaces[a], weights
    lose(tables, work, surface.spot, 1.0 - s - t, force, side[0][1], offset, kind)
    if surface.count > 1:
        lose(tables, work, surface.spot + 1, s, force, side[1][1], offset, kind)
    if surface.count > 2:
        lose(tables, work, surface.spot + 2, t, force, side[2][1], offset, kind)


@device
def take_off_nodes(tables, i, work, A, B):
    """Forces and powers of the nodes that pair i takes off, beside its own in work.pair_out."""
    pair, out = work.pairs[i], work.pair_out[i]
    for node in range(3):
        if not has_node(tables, i, work, node):
            continue
        normal, elastic, gap, rate, n, wa, wb, pa, pb, share = node_force(tables, i, work, A, B, node)
        if share == 0.0:
            continue
        F, damping = scale(normal, n), scale(normal - elastic, n)
        out[11] += share * stored(tables, i, work, gap)
        work.power[IMPACTS] += (elastic - normal) * rate
        for k in range(3):
            out[3 + k] += F[k]
        push_surface(tables, work, pair.a, A, wa, pa, scale(-1.0, F))
        push_surface(tables, work, pair.b, B, wb, pb, F)
        if len(work.lost) > 0:
            lose_surface(tables, work, pair.a, A, wa, pa, scale(-1.0, damping), 0)
            lose_surface(tables, work, pair.b, B, wb, pb, damping, 0)


@device
def add_pair(tables, i, work):
    """Forces and powers of pair i; what was found goes to work.pair_out."""
    pair = work.pairs[i]
    law = tables.contacts[pair.contact]
    out = work.pair_out[i]
    A, B = surface_state(tables, work, pair.a), surface_state(tables, work, pair.b)
    F, wa, wb, pa, pb, acts, z, normal, gap, rate, slip, raw, elastic, n, share, less = pair_force(
        tables, i, work, A, B
    )
    out[0], out[1], out[2], out[9] = gap, rate, normal + less, raw
    by_mode = work.contact_step[0] == BY_MODE
    point = add(axpy(1.0 - wb[0] - wb[1], B[0][0], axpy(wb[0], B[1][0], scale(wb[1], B[2][0]))), pb)
    for k in range(3):
        out[3 + k], out[6 + k] = F[k], point[k]
        work.pair_rate[i, k] = 0.0 if by_mode else z[k]
    out[11] = share * stored(tables, i, work, gap)
    chain = tables.surfaces[pair.b].kind == SEGMENT
    if chain and gap < law.margin and (work.pair_mode[i, 0] == CLOSED or not by_mode):
        take_off_nodes(tables, i, work, A, B)
    if (work.pair_mode[i, 0] != OPEN) if by_mode else (gap < law.margin or acts):
        # where the law would pull and nothing does, all that its energy gives up is lost
        work.power[IMPACTS] += (elastic - normal) * rate
        if len(work.lost) > 0:
            damping = scale(normal - elastic, n)
            lose_surface(tables, work, pair.a, A, wa, pa, scale(-1.0, damping), 0)
            lose_surface(tables, work, pair.b, B, wb, pb, damping, 0)
    if share <= 0.0:
        out[10] = 1.0  # neither sticks nor slips until it counts
        return
    if not acts:
        return
    push_surface(tables, work, pair.a, A, wa, pa, scale(-1.0, F))
    push_surface(tables, work, pair.b, B, wb, pb, F)
    if is_fading(share):
        x0, x1, y0, y1 = fading_forces(tables, i, work, A, B, gap)
        push(tables, work, tables.surfaces[pair.a].spot, 1.0, x0, A[0][1], ZERO)
        push(tables, work, tables.surfaces[pair.a].spot + 1, 1.0, x1, A[1][1], ZERO)
        push(tables, work, tables.surfaces[pair.b].spot, 1.0, y0, B[0][1], ZERO)
        push(tables, work, tables.surfaces[pair.b].spot + 1, 1.0, y1, B[1][1], ZERO)
    if law.friction != FRICTIONLESS:
        tangential = axpy(-1.0 * normal, n, F)
        account_for_friction(tables, i, work, tangential, slip, z, normal + less, n, rate)
        if len(work.lost) > 0:
            lose_surface(tables, work, pair.a, A, wa, pa, scale(-1.0, tangential), 6)
            lose_surface(tables, work, pair.b, B, wb, pb, tangential, 6)


@device
def normal_growth(tables, i, work, depth, rate):
    """Rate of the normal force by the depth alone."""
    pair = work.pairs[i]
    first = first_speed(tables.contacts[pair.contact], work, work.pair_memory[i], rate)
    e = 1e-6 * abs(depth) + 1e-15
    ahead, _ = law_force(tables, pair.contact, depth + e, rate, first, work)
    behind, _ = law_force(tables, pair.contact, depth - e, rate, first, work)
    return (ahead - behind) / (2.0 * e) * rate


@small
def account_for_friction(tables, i, work, force, slip, z, normal, n, rate):
    """Powers, rate of elastic slip, and how far it is to a change of mode."""
    law = tables.contacts[work.pairs[i].contact]
    taken = -1.0 * dot(force, slip)
    out, memory = work.pair_out[i], work.pair_memory[i]
    if law.friction == STICKING:
        if work.contact_step[0] == BY_MODE:
            if work.pair_mode[i, 0] == CLOSED:
                if work.pair_mode[i, 1] == STICKS:
                    # elastic slip stays in the tangent plane as that turns: its rate along n does no work
                    for k in range(3):
                        work.pair_rate[i, k] = slip[k]
                    taken -= law.slip_stiffness * dot(z, slip)
                    most = max(law.static, GRIP * law.kinetic) * max(normal, 0.0)
                    out[10] = most - sqrt(dot(force, force)) + NO_SLIP * law.slip_stiffness
                    out[11] += 0.5 * law.slip_stiffness * dot(z, z)
                else:
                    # what slips beyond the growth of elastic slip, which is as large as the force allows
                    way = (memory[4], memory[5], memory[6])
                    depth = law.margin - out[0]
                    growth = law.kinetic * normal_growth(tables, i, work, depth, -rate) / law.slip_stiffness
                    out[10] = dot(slip, way) - growth
        else:
            was = across(n, (memory[1], memory[2], memory[3]))
            step = work.contact_step[1]
            if step > 0.0 and work.contact_step[AS_A_WHOLE] == 0.0:
                taken += dot(force, sub(z, was)) / step
            out[11] += 0.5 * law.slip_stiffness * dot(z, z)
    work.power[FRICTION] += taken
