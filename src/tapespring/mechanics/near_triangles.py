"""Points near sheets and meshes: which triangle is the partner, and which side of it to be on."""

from math import sqrt

from ..jit import device, small
from ..math.vec3 import add, axpy, cross, dot, sub
from .contacts import SIDE, spot_place, spot_state
from .nearest import on_triangle

BEFORE = SIDE + 1  # in pair_memory: distance at the last evaluation
SAME = 1e-10  # squares of distances that differ by less, relatively, are one
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


@device
def take_nearest_triangle(tables, i, work):
    """Of all triangles of a surface that a point is near, the nearest is its partner; of those with the same nearest
    edge or corner the one that faces it most, whose side is the surface's."""
    pair = work.pairs[i]
    p = spot_place(tables, work, tables.surfaces[pair.a].spot)
    first, before, best, nearest = work.pair_span[i, 0], pair.b, pair.b, 1e300
    outside, facing = 0.0, 0.0
    for k in range(first, first + work.pair_span[i, 1]):
        b = work.pair_triangles[k]
        d, normal = from_triangle(tables, work, b, p)
        square, above = dot(d, d), dot(normal, d)
        faces = above * above / dot(normal, normal)
        if square < nearest * (1.0 - SAME) or (square <= nearest * (1.0 + SAME) and faces > facing):
            nearest, best, facing, outside = square, b, faces, above
    work.pairs[i].b = best
    same_part = best == before or have_a_common_node(tables, best, before)
    take_side(tables, i, work, 1.0 if outside > 0.0 else -1.0, sqrt(nearest), facing > OVER * nearest, same_part)


@small
def take_side(tables, i, work, now, distance, over, same_part):
    """A point stays on the side of a sheet where it first stood over it, also when it has come through: that is, when
    it was so near before that it can have. It forgets its side where it lies beside the sheet, or near another part."""
    memory = work.pair_memory[i]
    if not over or not same_part:
        memory[SIDE] = 0.0
    elif memory[SIDE] == -now and memory[BEFORE] > 0.0 and memory[BEFORE] + distance > 2.0 * step_way(tables, i, work):
        memory[SIDE] = now  # the sheet is folded there
    if memory[SIDE] == 0.0 and over:
        memory[SIDE] = now
    memory[BEFORE] = -distance if memory[SIDE] == -now else distance


@device
def step_way(tables, i, work):
    """How far a point and the corners of its triangle move relative to each other in a step, at most."""
    pair = work.pairs[i]
    k, fastest = tables.surfaces[pair.b].spot, 0.0
    v = spot_velocity(tables, work, tables.surfaces[pair.a].spot)
    for corner in range(3):
        u = sub(spot_velocity(tables, work, k + corner), v)
        fastest = max(fastest, dot(u, u))
    return work.contact_step[1] * sqrt(fastest)
