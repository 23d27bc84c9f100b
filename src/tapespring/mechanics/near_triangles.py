"""Points near sheets and meshes: which triangle is the partner, and which side of it to be on."""

from math import sqrt

from numpy import int64

from ..jit import device, small
from ..math.rotations import rotate
from ..math.vec3 import add, axpy, cross, dot, from3, load3, scale, sub
from .nearest import on_triangle
from .pair_memory import BEFORE, BY_RATE, PARTNER, SIDE
from .pair_points import ZERO, spot_place, spot_state, surface_axes

SAME = 1e-10  # squares of distances that differ by less, relatively, are one
FAR = 1e300
FLUSH = 1e-3  # of an edge
SAME_WAY = 0.5  # cosine of directions that are much the same
OVER = 0.25  # square of the cosine to the normal from which a point stands over a triangle, not beside it


@small
def from_triangle(tables, work, b, p):
    """(from the point of a triangle nearest to p to p, twice the triangle's area times its normal)"""
    k = tables.surfaces[b].spot
    x0, x1, x2 = spot_place(tables, work, k), spot_place(tables, work, k + 1), spot_place(tables, work, k + 2)
    u, v = sub(x1, x0), sub(x2, x0)
    s, t = on_triangle(x0, x1, x2, p)
    return sub(p, axpy(s, u, axpy(t, v, x0))), cross(u, v)


@small
def spot_velocity(tables, work, k):
    _, arm, v, w, _ = spot_state(tables, work, k)
    return add(v, cross(w, arm))


@small
def have_a_common_node(tables, a, b):
    p, q = tables.surfaces[a], tables.surfaces[b]
    for i in range(p.count):
        for j in range(q.count):
            if tables.spots[p.spot + i].node == tables.spots[q.spot + j].node:
                return True
    return False


@small
def is_same_part(tables, work, i, b):
    """Whether triangle b and the one that pair i remembers are neighbours."""
    last = int64(work.pair_memory[i, PARTNER]) - 1
    return last < 0 or b == last or have_a_common_node(tables, b, last)


@small
def flush_with(tables, b):
    """Square of the distance from a triangle within which a point lies on it."""
    return (FLUSH * tables.surfaces[b].size[1]) ** 2


@device
def way_in(tables, i, work, p):
    """(direction, least cosine) that faces of a solid have to have to be touched by the point of pair i, zero for any:
    where it went in through one, or lies on it, it does not come to others round an edge."""
    last = int64(work.pair_memory[i, PARTNER]) - 1
    if last >= 0 and tables.surfaces[last].size[0] > 0.0:
        d, normal = from_triangle(tables, work, last, p)
        above = dot(normal, d)
        inside = above < 0.0 and above * above > OVER * dot(d, d) * dot(normal, normal)
        if inside or dot(d, d) < flush_with(tables, last):
            return normal, SAME_WAY
    return ZERO, 0.0


@device
def find_nearest(tables, i, work):
    """(place in pair_triangles, square of the distance, how much it faces the point, whether on its outside) of the
    triangle nearest to the point of pair i; of those with the same nearest edge or corner the one that faces it most,
    whose side is the surface's. The corner of a solid that begins on an edge does not touch what looks the same way."""
    pair = work.pairs[i]
    p = spot_place(tables, work, tables.surfaces[pair.a].spot)
    way, least = way_in(tables, i, work, p)
    found = nearest_along(tables, i, work, p, way, least)
    if found[1] == FAR:
        found = nearest_along(tables, i, work, p, ZERO, 0.0)
    touching = flush_with(tables, pair.b)
    if work.pair_memory[i, PARTNER] == 0.0 and found[1] < touching and tables.surfaces[pair.a].size[0] > 0.0:
        across = nearest_along(tables, i, work, p, scale(-1.0, surface_axes(tables, work, pair.a)[2]), -SAME_WAY)
        if across[1] < touching:
            return across
    return found


@device
def nearest_along(tables, i, work, p, way, least):
    """The same among triangles that look a way, by the cosine."""
    first = work.pair_span[i, 0]
    best, nearest, outside, facing = first, FAR, 0.0, 0.0
    for k in range(first, first + work.pair_span[i, 1]):
        d, normal = from_triangle(tables, work, work.pair_triangles[k], p)
        along = dot(way, normal)
        if along < least * sqrt(dot(way, way) * dot(normal, normal)):
            continue
        square, above = dot(d, d), dot(normal, d)
        faces = above * above / dot(normal, normal)
        if square < nearest * (1.0 - SAME) or (square <= nearest * (1.0 + SAME) and faces > facing):
            nearest, best, facing, outside = square, k, faces, above
    return best, nearest, facing, outside > 0.0


@device
def take_nearest_triangle(tables, i, work):
    """Of all triangles of a surface that a point is near, the nearest is its partner. Loops that solve for the end of a
    step hold sides until they accept it."""
    best, square, facing, outside = find_nearest(tables, i, work)
    b = work.pair_triangles[best]
    work.pair_span[i, 2] = best
    work.pairs[i].b = b
    if work.contact_step[0] == BY_RATE:
        take_side(tables, i, work, outside, square, facing)
    elif is_same_part(tables, work, i, b):
        work.pair_side[i] = work.pair_memory[i, SIDE]
    else:
        work.pair_side[i] = side_before(tables, i, work)


@device
def keep_triangle(tables, i, work):
    """Remember triangle and side of an accepted state, for which take_nearest_triangle was called."""
    _, square, facing, outside = find_nearest(tables, i, work)
    take_side(tables, i, work, outside, square, facing)


@device
def take_side(tables, i, work, outside, square, facing):
    """A point stays on the side of a sheet where it first stood over it, also when it has come through: that is, when
    it was so near before that it can have. It forgets its side where it lies beside the sheet, or near another part."""
    memory, b = work.pair_memory[i], work.pairs[i].b
    now, distance, over = 1.0 if outside else -1.0, sqrt(square), facing > OVER * square
    if not over or not is_same_part(tables, work, i, b):
        memory[SIDE] = 0.0
    elif memory[SIDE] == -now and memory[BEFORE] > 0.0 and memory[BEFORE] + distance > 2.0 * step_way(tables, i, work):
        memory[SIDE] = now  # the sheet is folded there
    if memory[SIDE] == 0.0 and over:
        memory[SIDE] = now
    memory[BEFORE] = -distance if memory[SIDE] == -now else distance
    memory[PARTNER] = b + 1.0
    work.pair_side[i] = memory[SIDE]


@small
def last_place(tables, work, k):
    """Of a spot, at the last accepted state."""
    spot = tables.spots[k]
    return add(load3(work.x_last, spot.node), rotate(work.R_last, spot.node, from3(spot.arm)))


@device
def side_before(tables, i, work):
    """Of the triangle of pair i, the side that its point was on at the last accepted state."""
    pair = work.pairs[i]
    k, p = tables.surfaces[pair.b].spot, last_place(tables, work, tables.surfaces[pair.a].spot)
    x0 = last_place(tables, work, k)
    u, v = sub(last_place(tables, work, k + 1), x0), sub(last_place(tables, work, k + 2), x0)
    return 1.0 if dot(cross(u, v), sub(p, x0)) > 0.0 else -1.0


@small
def spot_way(tables, work, k):
    """How far a spot goes in a step."""
    if work.contact_step[0] == BY_RATE:
        return scale(work.contact_step[1], spot_velocity(tables, work, k))
    return sub(spot_place(tables, work, k), last_place(tables, work, k))


@device
def step_way(tables, i, work):
    """How far a point and the corners of its triangle move relative to each other in a step, at most."""
    pair = work.pairs[i]
    k, farthest = tables.surfaces[pair.b].spot, 0.0
    way = spot_way(tables, work, tables.surfaces[pair.a].spot)
    for corner in range(3):
        d = sub(spot_way(tables, work, k + corner), way)
        farthest = max(farthest, dot(d, d))
    return sqrt(farthest)
