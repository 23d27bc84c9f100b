"""Where a finite cylinder is nearest to a ball or a half-space.

A half-space meets a cylinder with the rims of its two ends, each with its lowest point and two more, 120° to both sides
of it. A tilted rim touches with the lowest alone; one that stands is held by all three, and as 1 + 2 cos² 120° is the
same whichever way it leans, so is its resistance to tilting.
"""

from math import sqrt

from ..jit import small
from ..math.vec3 import add, axpy, cross, dot, scale, sub
from .nearest import TINY, between

UPRIGHT = 1e-7  # sine of the tilt below which no point is lower than others


@small
def plane_rim(xa, n, xb, axes, radius, cosine, sine):
    """Half-space of outward normal n, and a point of a circle about xb: turned from its lowest one about axes[2]."""
    d, axis = sub(xb, xa), axes[2]
    down = axpy(dot(n, axis), axis, scale(-1.0, n))
    l = dot(down, down)
    lowest = scale(1.0 / sqrt(l), down) if l > UPRIGHT * UPRIGHT else axes[0]
    on_b = axpy(radius * cosine, lowest, scale(radius * sine, cross(axis, lowest)))
    gap = dot(n, add(d, on_b))
    offset = between(gap, n, on_b)
    return gap, n, add(d, offset), offset


@small
def cylinder_ball(d, axis, half, round_radius, radius):
    """A solid cylinder of half length `half` and a ball d from its middle."""
    z = dot(axis, d)
    out = axpy(-1.0 * z, axis, d)
    r = sqrt(dot(out, out) + TINY)
    away = scale(1.0 / r, out)
    end = scale(1.0 if z > 0.0 else -1.0, axis)
    beside, beyond = r - round_radius, abs(z) - half
    if beside > 0.0 and beyond > 0.0:  # round the rim
        distance = sqrt(beside * beside + beyond * beyond)
        n = axpy(beside / distance, away, scale(beyond / distance, end))
    elif beside > beyond:
        distance, n = beside, away
    else:
        distance, n = beyond, end
    gap = distance - radius
    offset = between(gap, n, scale(-1.0 * radius, n))
    return gap, n, add(d, offset), offset
