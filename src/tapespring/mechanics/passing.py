"""Surfaces that pass through each other within a step: apart at both of its ends, within each other in between.

Loops that end their steps where contacts change see that on the dense output. Others know pairs at the ends of steps
alone: one that approached at the beginning and recedes at the end was nearest in between, and where that was is found
on the way back from the end, with velocities as they are there.
"""

from math import cos, sin, sqrt

from ..jit import device, small
from ..math.vec3 import add, axpy, cross, dot, scale, sub
from .pair_points import nearest_points, surface_state, velocity_at

HALVINGS = 30


@small
def turned_back(w, back, e):
    """A vector e that turns with w, a time ago."""
    speed = sqrt(dot(w, w))
    if speed * back < 1e-9:
        return axpy(-back, cross(w, e), e)
    u, angle = scale(1.0 / speed, w), speed * back
    along = scale((1.0 - cos(angle)) * dot(u, e), u)
    return add(along, axpy(-sin(angle), cross(u, e), scale(cos(angle), e)))


@small
def spot_back(spot, back):
    """State of a spot a time ago, see pair_points.spot_state."""
    place, arm, v, w, turn = spot
    was = turned_back(w, back, arm)
    return add(axpy(-back, v, sub(place, arm)), was), was, v, w, turn


@small
def surface_back(side, back):
    """State of a surface a time ago, see pair_points.surface_state."""
    first, second, third, axes = side
    w = first[3]
    turned = (turned_back(w, back, axes[0]), turned_back(w, back, axes[1]), turned_back(w, back, axes[2]))
    return spot_back(first, back), spot_back(second, back), spot_back(third, back), turned


@device
def passes(tables, i, work, before, gap, rate, h):
    """Whether pair i was within each other in a step of length h, at whose beginning its gap changed by `before`, and
    at whose end, where work is placed, it is `gap` and changes by `rate`; the pair is open at both."""
    pair = work.pairs[i]
    level = tables.contacts[pair.contact].margin
    if not (before < 0.0 and rate > 0.0 and gap - level < h * (rate - before)) or work.pair_span[i, 1] > 0:
        return False
    A, B = surface_state(tables, work, pair.a), surface_state(tables, work, pair.b)
    recedes, approaches = 0.0, h  # how long ago
    for _ in range(HALVINGS):
        back = 0.5 * (recedes + approaches)
        there, other = surface_back(A, back), surface_back(B, back)
        found, n, wa, wb, pa, pb, _ = nearest_points(tables, i, work, there, other)
        if found < level:
            return True
        u = sub(
            velocity_at(other, wb, tables.surfaces[pair.b].count, pb),
            velocity_at(there, wa, tables.surfaces[pair.a].count, pa),
        )
        if dot(n, u) > 0.0:
            recedes = back
        else:
            approaches = back
    return False
