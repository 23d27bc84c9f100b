"""Edges of meshes that cross: how far they are apart, and which side of each other they are on.

An edge stays on the side of another one on which it was when they first wholly crossed, seen along both, as long as
they do: where a crossing fades, near the end of an edge, edges may pass round each other. Loops that solve for the end
of a step hold sides until they accept it; of edges that come to cross within a step the side is that of the last
accepted state. Where edges turn past each other within a step what is seen along both is seen the other way round.
"""

from math import sqrt

from ..jit import device, small
from ..math.vec3 import axpy, cross, dot, sub
from .near_triangles import last_place, take_nearest_triangle
from .nearest import along_segments
from .nearest_edges import edge_edge
from .pair_memory import BY_RATE, PARTNER, SIDE
from .pair_points import are_of_meshes, spot_place


@small
def ends_of(tables, work, a, b):
    p, q = tables.surfaces[a].spot, tables.surfaces[b].spot
    return (
        spot_place(tables, work, p),
        spot_place(tables, work, p + 1),
        spot_place(tables, work, q),
        spot_place(tables, work, q + 1),
    )


@device
def edges_apart(tables, work, a, b):
    """Least distance of two edges, as far as their radii reach."""
    x0, x1, y0, y1 = ends_of(tables, work, a, b)
    s, t = along_segments(x0, x1, y0, y1)
    d = sub(axpy(t, sub(y1, y0), y0), axpy(s, sub(x1, x0), x0))
    return sqrt(dot(d, d)) - tables.surfaces[a].radius - tables.surfaces[b].radius


@small
def last_ends_of(tables, work, a, b):
    p, q = tables.surfaces[a].spot, tables.surfaces[b].spot
    return (
        last_place(tables, work, p),
        last_place(tables, work, p + 1),
        last_place(tables, work, q),
        last_place(tables, work, q + 1),
    )


@small
def side_of(x0, x1, y0, y1):
    """Of the first edge that the second is on."""
    return 1.0 if dot(cross(sub(x1, x0), sub(y1, y0)), sub(y0, x0)) > 0.0 else -1.0


@device
def side_since(tables, i, work):
    """Of the first edge of pair i that the second was on at the last accepted state, as it is seen now."""
    pair = work.pairs[i]
    p0, p1, q0, q1 = last_ends_of(tables, work, pair.a, pair.b)
    x0, x1, y0, y1 = ends_of(tables, work, pair.a, pair.b)
    turned = dot(cross(sub(p1, p0), sub(q1, q0)), cross(sub(x1, x0), sub(y1, y0))) < 0.0
    side = work.pair_memory[i, SIDE]
    if side == 0.0:
        side = side_of(p0, p1, q0, q1)
    return -side if turned else side


@device
def take_side(tables, i, work):
    """Partner and side of pair i for an evaluation, if it is a point near triangles or two edges."""
    pair, memory = work.pairs[i], work.pair_memory[i]
    if work.pair_span[i, 1] > 0:
        take_nearest_triangle(tables, i, work)
    elif are_of_meshes(tables.surfaces[pair.a], tables.surfaces[pair.b]):
        work.pair_side[i] = memory[SIDE]
        if memory[PARTNER] != 0.0 and work.contact_step[0] != BY_RATE:
            work.pair_side[i] = side_since(tables, i, work)


@device
def keep_crossing_side(tables, i, work):
    """Remember the side of edges that cross at an accepted state; with steps that solve take_side was called for it."""
    pair, memory = work.pairs[i], work.pair_memory[i]
    x0, x1, y0, y1 = ends_of(tables, work, pair.a, pair.b)
    ra, rb = tables.surfaces[pair.a].radius, tables.surfaces[pair.b].radius
    if edge_edge(x0, x1, y0, y1, ra, rb, 0.0, tables.contacts[pair.contact].margin)[6] < 1.0:
        memory[SIDE] = 0.0
    elif work.contact_step[0] != BY_RATE and work.pair_side[i] != 0.0:
        memory[SIDE] = work.pair_side[i]
    elif memory[SIDE] == 0.0:
        memory[SIDE] = side_of(x0, x1, y0, y1)
    memory[PARTNER] = 1.0
