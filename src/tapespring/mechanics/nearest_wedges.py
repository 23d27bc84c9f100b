"""Where two wedges are nearest, or a wedge and a ball.

A wedge is all that lies between two half-planes that begin at its edge. Seen from the edge of the one, the places of
the other's edge at which both overlap are a wedge again: that of all four faces, those of the other one turned round.
Of these faces the two outermost count, and the other edge is a point before them. Within, the way out is through the
nearer of the two, so that energy has no jumps where two corners pass each other: the contact goes on at the same depth,
with another normal.
"""

from math import sqrt

from ..jit import device, small
from ..math.vec3 import add, axpy, cross, dot, scale, sub
from .nearest import TINY


@small
def across_edge(axis, u):
    """The part of u across an edge along a unit vector."""
    return axpy(-1.0 * dot(axis, u), axis, u)


@small
def unit(u):
    return scale(1.0 / sqrt(dot(u, u) + TINY), u)


@small
def before_wedge(axis, first, last, out_first, out_last, D):
    """(distance, normal, whether at the first face, whether at the last) of a point D from the edge of a wedge: unit
    vectors along the edge, along both faces and out of them."""
    below, above = dot(out_first, D), dot(out_last, D)
    if below <= 0.0 and above <= 0.0:  # within: through the nearer face
        if below >= above:
            return below, out_first, True, False
        return above, out_last, False, True
    if below > 0.0 and dot(first, D) >= 0.0:
        return below, out_first, True, False
    if above > 0.0 and dot(last, D) >= 0.0:
        return above, out_last, False, True
    d = across_edge(axis, D)
    distance = sqrt(dot(d, d) + TINY)
    return distance, scale(1.0 / distance, d), False, False


@small
def offsets(D, gap, n, ra, rb, on_face_of_b):
    """(offset on a, offset on b) of the point half way between: at the edge that is before the other's face."""
    if on_face_of_b:
        on_a = scale(ra + 0.5 * gap, n)
        return on_a, sub(on_a, D)
    on_b = scale(-0.5 * gap - rb, n)
    return add(D, on_b), on_b


@small
def wedge_ball(a0, a1, a2, b0, ra, rb):
    """A wedge with its edge at a0 and faces by a1 and a2, and a ball: (gap, normal, offset on a, offset on b)"""
    first, last, D = unit(sub(a1, a0)), unit(sub(a2, a0)), sub(b0, a0)
    axis = unit(cross(first, last))
    distance, n, _, _ = before_wedge(axis, first, last, cross(first, axis), cross(axis, last), D)
    gap = distance - (ra + rb)
    pa, pb = offsets(D, gap, n, ra, rb, False)
    return gap, n, pa, pb


@device
def wedges(a0, a1, a2, b0, b1, b2, ra, rb):
    """Two wedges with rounded edges: (gap, normal, offset on a, offset on b, whether they can be apart at all).

    Wedges that point away from each other overlap somewhere wherever their edges are; of real parts, which end, that
    says nothing.
    """
    first, last, D = unit(sub(a1, a0)), unit(sub(a2, a0)), sub(b0, a0)
    axis = unit(cross(first, last))
    out_first, out_last = cross(first, axis), cross(axis, last)
    # the other one, turned round, the same way about the edge
    turned_first, turned_last = unit(sub(b0, b1)), unit(sub(b0, b2))
    if dot(axis, cross(turned_first, turned_last)) < 0.0:
        turned_first, turned_last = turned_last, turned_first
    own_first = dot(axis, cross(first, turned_first)) >= 0.0
    own_last = dot(axis, cross(turned_last, last)) >= 0.0
    other_axis = unit(cross(turned_first, turned_last))
    if not own_first:
        first, out_first = turned_first, cross(turned_first, other_axis)
    if not own_last:
        last, out_last = turned_last, cross(other_axis, turned_last)
    distance, n, at_first, at_last = before_wedge(axis, first, last, out_first, out_last, D)
    gap = distance - (ra + rb)
    pa, pb = offsets(D, gap, n, ra, rb, (at_first and not own_first) or (at_last and not own_last))
    return gap, n, pa, pb, dot(axis, cross(first, last)) > 0.0
