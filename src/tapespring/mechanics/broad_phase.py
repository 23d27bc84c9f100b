"""Pairs found as they come near: of contacts among many, between any of their members.

Members are surfaces with a body, a role (their kind, or corner) and the roles they meet. Boxes around them, larger by
half the distance `near` on every side, go into a tree (mechanics.boxes); whose boxes overlap is a pair. As long as no
place of a member has gone farther than half of `near`, no other pair can touch, so pairs are found anew only then; what
a pair remembers goes along by its key.

A point (ball or corner) and all triangles of a body that it is near make one pair: it touches the nearest of them
(contacts.take_nearest_triangle). Neighbours in a body (kin) are no pair, nor are surfaces with a common node.
Half-spaces have no box; those that can move are near everything.
"""

from math import sqrt

from ..jit import device, small
from ..math.vec3 import dot, load3, store3, sub
from .boxes import build, seek
from .crossing_edges import edges_apart
from .near_triangles import from_triangle, have_a_common_node
from .pair_memory import MEMORY, OPEN, PARTNER, SIDE
from .pair_points import are_of_meshes, spot_place, surface_axes
from .tables import BALL, BOX, CORNER, ELLIPSOID, GROUND, PLANE, TRIANGLE

# places in Work.near_moved: farthest way since the search, whether room ran out, searches so far, steps since the last,
# whether a step went farther than the distance that pairs are found from allows
MOVED, FULL, SEARCHES, STEPS, TOO_FAR = range(5)
EVERYONE = 2  # Member.seeks of points that can touch triangles, which do not seek; others seek those later in the tree
MULTIPLIER = 0x9E3779B97F4A7C15 - (1 << 64)  # of the hash of keys


# -- boxes ------------------------------------------------------------------------------------------------------------
@small
def reach_of(tables, a):
    """How far a surface extends around its spots."""
    surface = tables.surfaces[a]
    if surface.kind == BOX:
        s = surface.size
        return sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2])
    if surface.kind == ELLIPSOID:
        return max(surface.size[0], surface.size[1], surface.size[2])
    return surface.radius


@device
def put_boxes(tables, work):
    """Around all members, larger by half the distance from which they are pairs, and by their contact's margin."""
    for m in range(len(tables.members)):
        member = tables.members[m]
        surface = tables.surfaces[member.surface]
        more = reach_of(tables, member.surface) + 0.5 * (tables.near[0] + tables.contacts[member.contact].margin)
        low = spot_place(tables, work, surface.spot)
        high = low
        for k in range(1, surface.count):
            x = spot_place(tables, work, surface.spot + k)
            low = (min(low[0], x[0]), min(low[1], x[1]), min(low[2], x[2]))
            high = (max(high[0], x[0]), max(high[1], x[1]), max(high[2], x[2]))
        for k in range(3):
            work.box[m, k] = low[k] - more
            work.box[m, 3 + k] = high[k] + more


@small
def boxes_apart(tables, work, m, n):
    """Least distance of what is in two boxes, without what they are larger by."""
    square, more = 0.0, tables.near[0] + tables.contacts[tables.members[m].contact].margin
    for k in range(3):
        d = max(work.box[m, k] - work.box[n, 3 + k], work.box[n, k] - work.box[m, 3 + k]) + more
        if d > 0.0:
            square += d * d
    return sqrt(square)


# -- memories ---------------------------------------------------------------------------------------------------------
@small
def key_of(tables, work, i):
    """Of a pair: its surfaces and contact; of a point near triangles the body they belong to."""
    pair = work.pairs[i]
    b = pair.b if work.pair_span[i, 1] == 0 else len(tables.surfaces) + tables.surfaces[pair.b].after
    return (pair.a * (2 * len(tables.surfaces) + 1) + b) * len(tables.contacts) + pair.contact + 1


@small
def slot_of(work, key):
    """Where a key stands in the table, or would stand."""
    mask = len(work.kept_key) - 1
    at = ((key * MULTIPLIER) >> 20) & mask
    while work.kept_key[at] != 0 and work.kept_key[at] != key:
        at = (at + 1) & mask
    return at


@device
def keep(work, key, mode, memory):
    """Into the table."""
    at = slot_of(work, key)
    work.kept_key[at], work.kept_mode[at] = key, mode
    for k in range(MEMORY):
        work.kept_memory[at, k] = memory[k]


@device
def keep_memories(tables, work):
    """Of pairs that touch, and the triangles and sides that points are near."""
    for k in range(len(work.kept_key)):
        work.kept_key[k] = 0
    for i in range(len(tables.pairs), work.pair_count[0]):
        memory = work.pair_memory[i]
        if work.pair_mode[i, 0] != OPEN or memory[SIDE] != 0.0 or memory[PARTNER] != 0.0:
            keep(work, key_of(tables, work, i), work.pair_mode[i, 0], memory)


@device
def recall(tables, work, i):
    at = slot_of(work, key_of(tables, work, i))
    known = work.kept_key[at] != 0
    work.pair_mode[i, 0] = work.kept_mode[at] if known else OPEN
    for k in range(MEMORY):
        work.pair_memory[i, k] = work.kept_memory[at, k] if known else 0.0


@device
def move_memories(old, new):
    """Into a larger table."""
    for k in range(len(new.kept_key)):
        new.kept_key[k] = 0
    for k in range(len(old.kept_key)):
        if old.kept_key[k] != 0:
            keep(new, old.kept_key[k], old.kept_mode[k], old.kept_memory[k])


# -- pairs ------------------------------------------------------------------------------------------------------------
@small
def are_kin(tables, m, n):
    for k in range(tables.kin_first[m], tables.kin_first[m + 1]):  # noqa: SIM110 - kernels know no generators
        if tables.kin[k] == n:
            return True
    return False


@small
def touches_nodes(tables, p, q):
    """Whether a round body p touches a mesh q by its nodes: a ball if it is larger than triangles that can bend."""
    mesh = tables.surfaces[q.surface].size
    return mesh[1] > 0.0 and (p.role != BALL or (mesh[2] > 0.0 and tables.surfaces[p.surface].radius >= mesh[1]))


@small
def meets_by_nodes(tables, p, q):
    """Whether p is a round body and q the part of a mesh that it touches; True for all others."""
    if q.role == CORNER and p.role in (BALL, BOX, ELLIPSOID):
        return touches_nodes(tables, p, q)
    return not (q.role == TRIANGLE and p.role == BALL and touches_nodes(tables, p, q))


@small
def may_touch(tables, m, n):
    """Whether two members can be a pair at all."""
    p, q = tables.members[m], tables.members[n]
    if p.contact != q.contact or (p.meets >> q.role) & 1 == 0 or not (p.free or q.free):
        return False
    if not ((p.side & 1 and q.side & 2) or (p.side & 2 and q.side & 1)):
        return False
    if not (meets_by_nodes(tables, p, q) and meets_by_nodes(tables, q, p)):
        return False
    if p.body == q.body and are_kin(tables, m, n):
        return False
    return not have_a_common_node(tables, p.surface, q.surface)


@small
def ball_apart(tables, work, a, b):
    p, q = tables.surfaces[a], tables.surfaces[b]
    d = sub(spot_place(tables, work, q.spot), spot_place(tables, work, p.spot))
    return sqrt(dot(d, d)) - p.radius - q.radius


@small
def triangle_apart(tables, work, a, b):
    """From a point, as far as its radius reaches, to a triangle."""
    p, q = tables.surfaces[a], tables.surfaces[b]
    d, _ = from_triangle(tables, work, b, spot_place(tables, work, p.spot))
    return sqrt(dot(d, d)) - p.radius - q.radius


@small
def plane_apart(tables, work, a, b):
    """From a half-space to a ball or ellipsoid."""
    p, q = tables.surfaces[a], tables.surfaces[b]
    n = surface_axes(tables, work, a)[2]
    return dot(n, sub(spot_place(tables, work, q.spot), spot_place(tables, work, p.spot))) - reach_of(tables, b)


@device
def add_near_pair(tables, work, m, n, apart):
    """A pair of members, the lower kind first; False if there is no room for it."""
    i = work.pair_count[0]
    if i == len(work.pairs):
        return False
    p, q = tables.members[m], tables.members[n]
    both = p.side == 3 and q.side == 3
    sign = 0.0 if both else (1.0 if p.side & 1 and q.side & 2 else -1.0)
    first, second = tables.surfaces[p.surface].kind, tables.surfaces[q.surface].kind
    if first > second or (first == second and p.surface > q.surface):
        p, q, sign = q, p, -sign
    pair = work.pairs[i]
    pair.a, pair.b, pair.contact, pair.sign, pair.offset = p.surface, q.surface, p.contact, sign, 0.0
    work.pair_apart[i] = apart
    work.pair_span[i, 0], work.pair_span[i, 1], work.pair_span[i, 2] = 0, 0, 0
    work.pair_count[0] = i + 1
    return True


@device
def add_point_near(tables, work, m, n, apart, first):
    """Triangle n to those that point m is near, since pair `first`; False if there is no room for it."""
    i, end, list_end = first, work.pair_count[0], work.pair_count[1]
    after = tables.surfaces[tables.members[n].surface].after
    while i < end and (work.pair_span[i, 1] == 0 or tables.surfaces[work.pairs[i].b].after != after):
        i += 1
    if list_end == len(work.pair_triangles):
        return False
    if i == end:
        if not add_near_pair(tables, work, m, n, apart):
            return False
        work.pair_span[i, 0] = list_end
    elif work.pair_span[i, 0] + work.pair_span[i, 1] != list_end:  # another body's came in between: to the end
        if list_end + work.pair_span[i, 1] >= len(work.pair_triangles):
            return False
        for k in range(work.pair_span[i, 1]):
            work.pair_triangles[list_end + k] = work.pair_triangles[work.pair_span[i, 0] + k]
        work.pair_span[i, 0] = list_end
        list_end += work.pair_span[i, 1]
    work.pair_triangles[list_end] = tables.members[n].surface
    work.pair_count[1] = list_end + 1
    work.pair_span[i, 1] += 1
    work.pair_apart[i] = min(work.pair_apart[i], apart)
    return True


@device
def find_partners(tables, work, m):
    """Pairs of member m with those it finds; False if there is no room."""
    member = tables.members[m]
    point = member.role in (BALL, CORNER)
    first = work.pair_count[0]
    found = seek(work, m, member.seeks != EVERYONE, work.near_found)
    near = tables.near[0] + tables.contacts[member.contact].margin
    for k in range(found):
        n = work.near_found[k]
        role = tables.members[n].role
        triangle = point and role == TRIANGLE
        by_other = tables.members[n].seeks == EVERYONE and (member.seeks != EVERYONE or n < m)
        if by_other or not may_touch(tables, m, n):
            continue
        if triangle:
            apart = triangle_apart(tables, work, member.surface, tables.members[n].surface)
            if apart <= near and not add_point_near(tables, work, m, n, apart, first):
                return False
        else:
            if point and role in (BALL, CORNER):
                apart = ball_apart(tables, work, member.surface, tables.members[n].surface)
            elif are_of_meshes(tables.surfaces[member.surface], tables.surfaces[tables.members[n].surface]):
                apart = edges_apart(tables, work, member.surface, tables.members[n].surface)
            else:
                apart = boxes_apart(tables, work, m, n)
            if apart <= near and not add_near_pair(tables, work, m, n, apart):
                return False
    return True


@device
def find_above_plane(tables, work, m):
    """Pairs of a half-space; False if there is no room."""
    member = tables.members[m]
    fixed = tables.nodes[tables.spots[tables.surfaces[member.surface].spot].node].kind == GROUND
    near = tables.near[0] + tables.contacts[member.contact].margin
    for n in range(len(tables.members)):
        if may_touch(tables, m, n):
            apart = plane_apart(tables, work, member.surface, tables.members[n].surface)
            if not fixed:
                apart = -1e300
            if apart <= near and not add_near_pair(tables, work, m, n, apart):
                return False
    return True


@device
def find_all(tables, work):
    """All pairs near each other; False if there is no room."""
    for m in range(len(tables.members)):
        if tables.members[m].role == PLANE:
            if not find_above_plane(tables, work, m):
                return False
        elif tables.members[m].seeks and not find_partners(tables, work, m):
            return False
    return True


@device
def find_near(tables, work):
    """Find pairs anew where the nodes are placed; without room the old ones stay and Work.near_moved says so."""
    put_boxes(tables, work)
    build(work)
    if work.near_moved[FULL] == 0.0:
        keep_memories(tables, work)
    work.pair_count[0], work.pair_count[1] = len(tables.pairs), 0
    work.near_moved[FULL] = 0.0 if find_all(tables, work) else 1.0
    if work.near_moved[FULL] != 0.0:
        return
    for i in range(len(tables.pairs), work.pair_count[0]):
        recall(tables, work, i)
    for k in range(len(tables.near_spots)):
        store3(work.near_place, k, spot_place(tables, work, tables.near_spots[k]))
    work.near_moved[MOVED] = 0.0
    work.near_moved[STEPS] = 0.0
    work.near_moved[SEARCHES] += 1.0


@device
def way_gone(tables, work):
    """How far anything that can touch has gone since pairs were found."""
    farthest = 0.0
    for k in range(len(tables.near_spots)):
        d = sub(spot_place(tables, work, tables.near_spots[k]), load3(work.near_place, k))
        farthest = max(farthest, dot(d, d))
    return sqrt(farthest)


@device
def watch_near(tables, work):
    """Look how far members have gone, and find pairs anew before one could touch that is not known."""
    gone = way_gone(tables, work)
    work.near_moved[MOVED] = gone
    work.near_moved[STEPS] += 1.0
    if 2.0 * gone > tables.near[0] and work.near_moved[STEPS] == 1.0 and work.near_moved[SEARCHES] > 0.0:
        work.near_moved[TOO_FAR] = 1.0
    if 2.0 * gone > tables.near[0] or work.near_moved[SEARCHES] == 0.0 or work.near_moved[FULL] != 0.0:
        find_near(tables, work)
