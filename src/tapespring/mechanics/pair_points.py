"""Where and how fast surfaces are, and where those of a pair are nearest, whatever they are.

For floats and for numbers that know their derivatives (math.duals), as mechanics.nearest.
"""

from ..jit import device, from_numba, small
from ..math.rotations import rotate, rotate_back
from ..math.vec3 import add, axpy, cross, dot, from3, load3, scale, sub
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
from .nearest_edges import edge_edge
from .nearest_ellipsoids import ellipsoids
from .nearest_nodes import ball_node, node_node, segment_node
from .nearest_wedges import wedge_ball, wedges
from .pair_memory import BY_MODE, SIDE, STEADY
from .tables import (
    AUGMENTED,
    BALL,
    BOX,
    CYLINDER,
    EDGE,
    ELLIPSOID,
    MESHED,
    MOMENTUM,
    PLANE,
    PLAY,
    RIM,
    RING,
    SEGMENT,
    SOCKET,
    TRIANGLE,
    WALL,
    WEDGE,
)

(value_of,) = from_numba(".math.duals", "value_of")

NODE_OF_A, NODE_OF_B, NODES = 0, 1, 2  # what two segments of a chain have in common, see nearest_nodes
ZERO = (0.0, 0.0, 0.0)
ALIKE = 1.0 + 1e-10  # squares of distances that differ by less are one


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
