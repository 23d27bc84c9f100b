"""The node between two segments of a chain, where a surface touches both of them.

On the hollow side of a bend the nearest points of both segments lie within them for a moment, so that both count. The
energy that is the same whether a surface is on the first, on both or on the second is that of both less that of the
node:

    E(first) + E(second) - E(node),

for where the nearest point of a segment reaches the node, its distance is the node's, and so is the way it changes. Of
two chains a node of each may be taken off, and then what is taken off twice is added again:

    sum over segments i, j of E(i, j) - E(i, node) - E(node, j) + E(node, node).

That holds for what passes a node within a small part of its segments. A drum around which a chain lies touches each
segment near its middle, and each bears by itself: nothing is taken off where a nearest point is a fifth of its segment
from the node. What is taken off fades in between, without a force that would make up for it, and with a tangent that
does not know the beginning of the segment before.
"""

from ..jit import device, small
from ..math.vec3 import axpy, sub
from .nearest import along_segment, along_segments, are_crossed, ball_ball, counts_at, rising

NEAR, FAR = 0.1, 0.2  # parts of a segment: nearer to the node than this both are one contact, farther they are two


@small
def at_node(part):
    """How much a place so far from the node, in parts of the segment, belongs to the node."""
    return rising((FAR - part) / (FAR - NEAR))


@small
def counted_twice(last, s):
    """How much of the contact at a node is in both of its segments: nearest points at `last` of the one before and at
    s of the one after, 0 to 1."""
    if last >= 1.0 or s <= 0.0:
        return 0.0 * s
    return at_node(1.0 - last) * at_node(s)


@small
def ball_node(p, before, x0, x1, ra, rb):
    """A ball around p, and the node x0 after `before` and before x1: (how much of it is counted twice, gap, normal,
    offset on the ball, offset on the node)"""
    share = counted_twice(along_segment(before, x0, p), along_segment(x0, x1, p))
    gap, n, pa, pb = ball_ball(sub(x0, p), ra, rb)
    return share, gap, n, pa, pb


@device
def segment_node(a0, a1, edge, has_before, follows, before, x0, x1, ra, rb, crossing):
    """A segment from a0 to a1 of a chain, and a node x0 of another one: (s, how much …, as above). Edge: from a0 to the
    beginning of the segment before, if there is one. Crossing: lines that are almost along each other do not count."""
    u = sub(a1, a0)
    s = along_segment(a0, a1, x0)
    d = sub(x0, axpy(s, u, a0))
    gap, n, pa, pb = ball_ball(d, ra, rb)
    share = 0.0 * gap
    across = not crossing or (are_crossed(u, sub(x1, x0)) and are_crossed(u, sub(x0, before)))
    if across and counts_at(s, d, edge, has_before, follows):
        share = counted_twice(along_segments(a0, a1, before, x0)[1], along_segments(a0, a1, x0, x1)[1])
    return s, share, gap, n, pa, pb


@small
def node_node(a_before, a0, a1, b_before, b0, b1, ra, rb):
    """Nodes of two chains: (how much both are counted twice, gap, normal, offsets)"""
    on_a = counted_twice(along_segment(a_before, a0, b0), along_segment(a0, a1, b0))
    on_b = counted_twice(along_segment(b_before, b0, a0), along_segment(b0, b1, a0))
    gap, n, pa, pb = ball_ball(sub(b0, a0), ra, rb)
    return on_a * on_b, gap, n, pa, pb
