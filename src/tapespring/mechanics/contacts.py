"""Contacts: forces between pairs of surfaces that touch.

A pair finds where its surfaces are nearest (nearest), how deep they are in each other and how fast, and follows the
laws of its contact (contact_laws, friction). Forces act on the nodes of both surfaces' spots by their weights, at the
point of touch, so that momentum, angular momentum and work are exact.

What a pair remembers: memory[0] the speed at first touch, [1:4] elastic slip z, [4:7] the way it slips, [7] the
rate of the gap at the last step; of a point near a sheet, in loops with steps of their own, [4] the side of it to be
on, [5] the distance from there and [6] the triangle (from 1); with an augmented law [8] by how much it is stiffer than
told and [9] the load that it bears at no depth; [10:13] the force at the last step. Its modes: (OPEN, CLOSED or
RELEASED, STICKS or SLIPS). RELEASED: still within each other, but the law would pull. Loops that find the instants of
change hold modes within a step (BY_MODE); others take what laws say, with slip since the last step from placements
(BY_PLACE) or from velocities (BY_RATE).

What is found at an evaluation: out[0] gap, [1] its rate, [2] normal force, [3:6] force on b, [6:9] point, [9] the law's
force before it is cut off, [10] distance to a change between sticking and slipping, [11] energy stored.
"""

from math import sqrt

from ..jit import device, from_numba, small
from ..math.rotations import rotate, rotate_back
from ..math.vec3 import add, add_to3, axpy, cross, dot, from3, load3, scale, sub
from .contact_laws import law_energy, law_force
from .friction import across, by_slip, regularised, slipping, sticking
from .motion import is_free
from .nearest import (
    along_segment,
    along_segments,
    are_crossed,
    ball_ball,
    box_ball,
    counts_at,
    face_ball,
    on_triangle,
    plane_ball,
    plane_ellipsoid,
    ring_ball,
    strap_ball,
    wall_ball,
)
from .nearest_cylinders import cylinder_ball, plane_rim
from .nearest_edges import edge_edge, share_slopes
from .nearest_ellipsoids import ellipsoids
from .nearest_nodes import ball_node, node_node, segment_node
from .nearest_wedges import wedge_ball, wedges
from .play import dragged_slider, held_slider, play_energy, play_force
from .tables import (
    AUGMENTED,
    BALL,
    BOX,
    CYLINDER,
    DRIVES,
    EDGE,
    ELLIPSOID,
    FRICTION,
    FRICTIONLESS,
    IMPACTS,
    MESHED,
    MOMENTUM,
    PLANE,
    PLAY,
    REGULARISED,
    RIM,
    RING,
    SEGMENT,
    SOCKET,
    STICKING,
    TRIANGLE,
    WALL,
    WEDGE,
)

(value_of,) = from_numba(".math.duals", "value_of")

OPEN, CLOSED, RELEASED = 0, 1, 2
STICKS, SLIPS = 0, 1
SIDE, LAST_RATE = 4, 7  # in pair_memory
STIFFER, LOAD, LAST_FORCE = 8, 9, 10
BY_MODE, BY_PLACE, BY_RATE = 0.0, 1.0, 2.0
STEADY = 2  # in contact_step: normals at the nodes of straps do not turn, for a look at stability
AS_A_WHOLE = 3  # in contact_step: what elastic slip stores is not part of powers, but taken off at the end of a step
NODE_OF_A, NODE_OF_B, NODES = 0, 1, 2  # what two segments of a chain have in common, see nearest_nodes
ZERO = (0.0, 0.0, 0.0)
GRIP = 1.0001  # a contact that has just come to stick bears this much more, so that it does not chatter
ALIKE = 1.0 + 1e-10  # squares of distances that differ by less are one
NO_SLIP = 1e-16  # m: an elastic slip that is rounding
STILL = 1e-12  # m/s: slower than this nothing slips


# -- where and how fast -----------------------------------------------------------------------------------------------
@small
def spot_state(tables, work, k):
    """(place, arm from the node, velocity of the node, its angular velocity, a further turn: none) of a spot, world
    axes."""
    spot = tables.spots[k]
    n = spot.node
    arm = rotate(work.R, n, from3(spot.arm))
    return add(load3(work.x, n), arm), arm, load3(work.v, n), load3(work.w, n), ZERO


@small
def surface_axes(tables, work, a):
    """Unit vectors of a surface, world axes."""
    surface = tables.surfaces[a]
    n = tables.spots[surface.spot].node
    axes = surface.axes
    return rotate(work.R, n, from3(axes[0])), rotate(work.R, n, from3(axes[1])), rotate(work.R, n, from3(axes[2]))


@small
def surface_state(tables, work, a):
    """States of its three spots (those it does not have repeat the first), and its axes."""
    surface = tables.surfaces[a]
    first = spot_state(tables, work, surface.spot)
    second, third = first, first
    if surface.count > 1:
        second = spot_state(tables, work, surface.spot + 1)
    if surface.count > 2:
        third = spot_state(tables, work, surface.spot + 2)
    axes = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    if surface.kind < BALL or surface.kind > TRIANGLE or (surface.kind == SEGMENT and surface.size[0] > 0.0):
        axes = surface_axes(tables, work, a)
    return first, second, third, axes


@small
def spot_place(tables, work, k):
    spot = tables.spots[k]
    return add(load3(work.x, spot.node), rotate(work.R, spot.node, from3(spot.arm)))


@small
def edge_before(tables, work, a, begin):
    """(whether a segment follows another, from its beginning to that one's)."""
    k = tables.surfaces[a].before
    if k < 0:
        return False, sub(begin, begin)
    return True, sub(spot_place(tables, work, k), begin)


@small
def are_of_meshes(a, b):
    """Whether two segments are edges of meshes, or one of them is."""
    return a.kind == SEGMENT and (a.size[EDGE] == MESHED[EDGE] or b.size[EDGE] == MESHED[EDGE])


@small
def is_strap(work, surface):
    """Whether a segment has two sides that a point is on one of; only loops with steps of their own remember them."""
    return surface.size[0] > 0.0 and work.contact_step[0] != BY_MODE


@small
def square_to_segment(p, begin, end):
    d = sub(axpy(along_segment(begin, end, p), sub(end, begin), begin), p)
    return dot(d, d)


@small
def is_nearest_of_strap(tables, work, segment, d, p, begin, end):
    """Whether a segment, d from p, is nearer to it than the ones before and after; of two alike the first."""
    square = dot(d, d)
    if segment.before >= 0 and square_to_segment(p, spot_place(tables, work, segment.before), begin) <= square * ALIKE:
        return False
    return segment.after < 0 or square <= square_to_segment(p, end, spot_place(tables, work, segment.after)) * ALIKE


@small
def nearest_points(tables, i, work, A, B):
    """(gap, normal, (s, t) on a, (s, t) on b, offset on a, offset on b, how much it counts) of pair i."""
    pair = work.pairs[i]
    a, b = tables.surfaces[pair.a], tables.surfaces[pair.b]
    xa, xb = A[0][0], B[0][0]
    none = 0.0 * (xa[0] + xb[0])
    sa, ta, sb, tb = none, none, none, none
    counts, share = True, 1.0 + none
    if a.kind == PLANE:
        if b.kind == ELLIPSOID:
            gap, n, pa, pb = plane_ellipsoid(xa, A[3][2], xb, B[3], from3(b.size))
        elif b.kind == RIM:
            gap, n, pa, pb = plane_rim(xa, A[3][2], xb, B[3], b.size[0], b.size[1], b.size[2])
        else:
            gap, n, pa, pb = plane_ball(xa, A[3][2], xb, b.radius)
    elif a.kind == RING or a.kind == SOCKET:
        flat = 1.0 if a.kind == RING else 0.0
        gap, n, pa, pb = ring_ball(sub(xb, xa), A[3][2], flat, a.size[0], b.radius)
    elif a.kind == BOX:
        gap, n, pa, pb = box_ball(sub(xb, xa), A[3], from3(a.size), a.radius, b.radius)
    elif a.kind == ELLIPSOID:
        if b.kind == ELLIPSOID:
            gap, n, pa, pb = ellipsoids(sub(xb, xa), A[3], from3(a.size), B[3], from3(b.size))
        else:
            gap, n, pa, pb = ellipsoids(sub(xb, xa), A[3], from3(a.size), A[3], (b.radius, b.radius, b.radius))
    elif a.kind == CYLINDER:
        gap, n, pa, pb = cylinder_ball(sub(xb, xa), A[3][2], a.size[1], a.size[0], b.radius)
    elif a.kind == WALL:
        sa, gap, n, pa, pb = wall_ball(xa, A[1][0], A[3][2], xb, b.radius, a.size[0])
    elif a.kind == WEDGE:
        if b.kind == WEDGE:
            gap, n, pa, pb, counts = wedges(xa, A[1][0], A[2][0], xb, B[1][0], B[2][0], a.radius, b.radius)
        else:
            gap, n, pa, pb = wedge_ball(xa, A[1][0], A[2][0], xb, a.radius, b.radius)
    elif a.kind == BALL:
        if b.kind == BALL:
            gap, n, pa, pb = ball_ball(sub(xb, xa), a.radius, b.radius)
        elif b.kind == SEGMENT:
            sb = along_segment(xb, B[1][0], xa)
            d = axpy(sb, sub(B[1][0], xb), sub(xb, xa))
            before, edge = edge_before(tables, work, pair.b, xb)
            counts = counts_at(sb, scale(-1.0, d), edge, before, b.after >= 0)
            gap, n, pa, pb = ball_ball(d, a.radius, b.radius)
            if is_strap(work, b):
                counts = is_nearest_of_strap(tables, work, b, d, xa, xb, B[1][0])
                side = work.pair_memory[i, SIDE] if sb > 0.0 and sb < 1.0 else 0.0
                gap, n, pb, pa = strap_ball(scale(-1.0, d), B[3], b.size[1], b.radius, a.radius, side)
                n = scale(-1.0, n)
                if work.contact_step[STEADY] > 0.0 and not (sb > 0.0 and sb < 1.0):
                    nothing = 0.0 * gap
                    n = (value_of(n[0]) + nothing, value_of(n[1]) + nothing, value_of(n[2]) + nothing)
        else:
            sb, tb = on_triangle(xb, B[1][0], B[2][0], xa)
            foot = axpy(sb, sub(B[1][0], xb), axpy(tb, sub(B[2][0], xb), xb))
            side = 1.0 if b.size[0] > 0.0 else work.pair_side[i]
            outward = cross(sub(B[1][0], xb), sub(B[2][0], xb))
            d = sub(xa, foot)
            within = sb > 0.0 and tb > 0.0 and sb + tb < 1.0
            above = dot(outward, d)
            if b.size[0] > 0.0 and above < 0.0 and not within:  # in a solid, or beside it
                within = above * above > 0.25 * dot(d, d) * dot(outward, outward)
                side = 1.0 if within else 0.0
            gap, n, pb, pa = face_ball(d, outward, b.radius, a.radius, side, within)
            n = scale(-1.0, n)
    elif are_of_meshes(a, b):
        side, margin = work.pair_side[i], tables.contacts[pair.contact].margin
        sa, sb, gap, n, pa, pb, share = edge_edge(xa, A[1][0], xb, B[1][0], a.radius, b.radius, side, margin)
    else:
        sa, sb = along_segments(xa, A[1][0], xb, B[1][0])
        foot = axpy(sa, sub(A[1][0], xa), xa)
        d = sub(axpy(sb, sub(B[1][0], xb), xb), foot)
        before_a, edge_a = edge_before(tables, work, pair.a, xa)
        before_b, edge_b = edge_before(tables, work, pair.b, xb)
        counts = counts_at(sa, d, edge_a, before_a, a.after >= 0)
        counts = counts and counts_at(sb, scale(-1.0, d), edge_b, before_b, b.after >= 0)
        gap, n, pa, pb = ball_ball(d, a.radius, b.radius)
        if (a.size[EDGE] > 0.0 or b.size[EDGE] > 0.0) and not are_crossed(sub(A[1][0], xa), sub(B[1][0], xb)):
            counts, gap = False, gap + (a.radius + b.radius)  # nor is it close
    if not counts:
        share = none
    return gap, n, (sa, ta), (sb, tb), pa, pb, share


@small
def has_node(tables, i, work, node):
    """Whether pair i takes off this node, of the beginning of a segment that follows another. Loads of augmented laws
    are found and impacts by momentum are none, whatever is counted twice; a point near a strap touches one segment."""
    pair = work.pairs[i]
    a, b, law = tables.surfaces[pair.a], tables.surfaces[pair.b], tables.contacts[pair.contact].law
    if b.kind != SEGMENT or are_of_meshes(a, b) or law in (AUGMENTED, MOMENTUM, PLAY):
        return False
    if a.kind == BALL:
        return node == NODE_OF_B and b.before >= 0 and not is_strap(work, b)
    return a.kind == SEGMENT and (node == NODE_OF_B or a.before >= 0) and (node == NODE_OF_A or b.before >= 0)


@device
def node_points(tables, i, work, A, B, node):
    """As nearest_points, of a node that pair i takes off (or adds again)."""
    pair = work.pairs[i]
    a, b = tables.surfaces[pair.a], tables.surfaces[pair.b]
    a0, a1, b0, b1 = A[0][0], A[1][0], B[0][0], B[1][0]
    none = 0.0 * (a0[0] + b0[0])
    sa, sb = none, none
    before_a, edge_a = edge_before(tables, work, pair.a, a0)
    before_b, edge_b = edge_before(tables, work, pair.b, b0)
    crossing = a.size[EDGE] > 0.0 or b.size[EDGE] > 0.0
    if a.kind == BALL:
        share, gap, n, pa, pb = ball_node(a0, add(b0, edge_b), b0, b1, a.radius, b.radius)
    elif node == NODE_OF_B:
        follows = a.after >= 0
        sa, share, gap, n, pa, pb = segment_node(
            a0, a1, edge_a, before_a, follows, add(b0, edge_b), b0, b1, a.radius, b.radius, crossing
        )
    elif node == NODE_OF_A:
        follows = b.after >= 0
        sb, share, gap, n, pb, pa = segment_node(
            b0, b1, edge_b, before_b, follows, add(a0, edge_a), a0, a1, b.radius, a.radius, crossing
        )
        n = scale(-1.0, n)
    else:
        share, gap, n, pa, pb = node_node(add(a0, edge_a), a0, a1, add(b0, edge_b), b0, b1, a.radius, b.radius)
    return gap, n, (sa, none), (sb, none), pa, pb, share if node == NODES else -1.0 * share


@small
def velocity_at(side, weights, count, offset):
    """Of the point of a surface where it touches."""
    s, t = weights
    v = add(side[0][2], cross(side[0][3], add(side[0][1], offset)))
    if count == 1:
        return v
    v1 = add(side[1][2], cross(side[1][3], add(side[1][1], offset)))
    v = axpy(1.0 - s - t, v, scale(s, v1))
    if count == 2:
        return v
    return axpy(t, add(side[2][2], cross(side[2][3], add(side[2][1], offset))), v)


@small
def spot_move(tables, work, k, state, offset):
    """How far the place of a spot, and what is fixed beside it, has moved since the last step."""
    spot = tables.spots[k]
    n = spot.node
    beside = add(state[1], offset)
    was = rotate(work.R_last, n, rotate_back(work.R, n, sub(beside, cross(state[4], beside))))
    return sub(add(sub(state[0], state[1]), beside), add(load3(work.x_last, n), was))


@small
def move_at(tables, work, a, side, weights, offset):
    """How far the point of a surface has moved since the last step."""
    surface, (s, t) = tables.surfaces[a], weights
    move = spot_move(tables, work, surface.spot, side[0], offset)
    if surface.count == 1:
        return move
    move = axpy(1.0 - s - t, move, scale(s, spot_move(tables, work, surface.spot + 1, side[1], offset)))
    if surface.count == 2:
        return move
    return axpy(t, spot_move(tables, work, surface.spot + 2, side[2], offset), move)


# -- forces -----------------------------------------------------------------------------------------------------------
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


@small
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
    nothing, less = 0.0 * gap, taken_off(tables, i, work, A, B, gap)
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
    if gap < law.margin and (work.pair_mode[i, 0] == CLOSED or not by_mode):
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
