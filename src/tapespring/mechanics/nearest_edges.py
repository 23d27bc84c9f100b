"""Where edges of meshes that cross are nearest, and how much they count: see mechanics.nearest.

Crossings fade, with their energy, towards the ends of edges and where edges come to lie along each other, for there
nodes touch triangles. The energy of a pair is share E(gap), so besides the force along the normal, which counts as much
as its share, there is one that drives ends to where the share is smaller, - E grad(share): with it a fading crossing
gives back what it stores.
"""

from math import sqrt

from ..jit import small
from ..math.vec3 import add, axpy, cross, dot, scale, sub
from .nearest import along_segments, ball_ball, rising

SPREAD = 0.2  # sine between edges that wholly cross, however far they reach: 12 degrees
FADING = 0.05  # of an edge: nearer to its ends than this, and than NEAR_END of what surfaces reach, crossings fade
NEAR_END = 0.4  # the node there is as near then: to get through both costs 94 % of the energy it costs elsewhere
HARDLY = 1e-6  # of an edge: where surfaces do not reach anywhere


@small
def rising_slope(x):
    return 6.0 * x * (1.0 - x) if x > 0.0 and x < 1.0 else 0.0 * x


@small
def part_of(reach, square, most):
    """(reach over a length of this square, within limits; its slope by the square)"""
    part = reach / sqrt(square)
    if part > most:
        return most + 0.0 * part, 0.0 * part
    if part < HARDLY:
        return HARDLY + 0.0 * part, 0.0 * part
    return part, -0.5 * part / square


@small
def from_end(s):
    """How far a place along an edge is from the nearer end, and the way it grows."""
    return (s, 1.0) if s < 0.5 else (1.0 - s, -1.0)


@small
def inside(s, square, reach):
    """How much a place along an edge, of this square of its length, counts: towards the end of the edge the node there
    touches."""
    return rising(from_end(s)[0] / part_of(NEAR_END * reach, square, FADING)[0])


@small
def spread(square, uu, vv, reach):
    """By how much edges cross, 0 to 1: from squares of their lengths and of their vector product."""
    longer, shorter = (uu, vv) if uu > vv else (vv, uu)
    part = part_of(reach, shorter, SPREAD)[0]
    return (4.0 * square / (longer * shorter * part * part) - 1.0) / 3.0


@small
def crossed(square, uu, vv, reach):
    """How much two edges cross: wholly from where the shorter one spreads from the other's line by what surfaces reach,
    not at all below half of that. Then crossed lines that are nearer than that have nodes at the ends that are, to 3 %,
    and these touch."""
    return rising(spread(square, uu, vv, reach))


@small
def edge_edge(x0, x1, y0, y1, ra, rb, side, margin):
    """Edges that cross, from x0 to x1 and from y0 to y1, of half thicknesses ra and rb, that push each other from a
    margin on: (s, t, gap, normal, offset on a, offset on b, how much it counts). Side: that of the first which the
    second is to be on, 1 where (x1 - x0) x (y1 - y0) points, -1, or 0 for the one it is on. With it the gap goes on
    below zero, and nothing happens as the edges pass through each other. Nothing counts where lines are nearest beyond
    an end, or do not spread."""
    reach = ra + rb + margin
    u, v, w = sub(x1, x0), sub(y1, y0), sub(y0, x0)
    uu, uv, vv, uw, vw = dot(u, u), dot(u, v), dot(v, v), dot(u, w), dot(v, w)
    across = cross(u, v)
    square = dot(across, across)
    share = crossed(square, uu, vv, reach)
    if share <= 0.0:
        half = 0.5 + 0.0 * square
        gap, n, pa, pb = ball_ball(sub(axpy(half, v, y0), axpy(half, u, x0)), ra, rb)
        return half, half, gap + (ra + rb), n, pa, pb, share
    s, t = (uw * vv - vw * uv) / square, (uw * uv - vw * uu) / square
    share = share * inside(s, uu, reach) * inside(t, vv, reach)
    if share <= 0.0:
        s, t = along_segments(x0, x1, y0, y1)
        gap, n, pa, pb = ball_ball(sub(axpy(t, v, y0), axpy(s, u, x0)), ra, rb)
        return s, t, gap + (ra + rb), n, pa, pb, share
    above = dot(across, w)
    way = side
    if side == 0.0:
        way = 1.0 if above > 0.0 else -1.0
    n = scale(way / sqrt(square), across)
    gap = dot(n, w) - (ra + rb)
    offset = scale(-0.5 * gap - rb, n)
    return s, t, gap, n, add(sub(axpy(t, v, y0), axpy(s, u, x0)), offset), offset, share


@small
def inside_slopes(s, square, reach):
    """(inside, its slope by s, by the square of the edge's length)"""
    way, sign = from_end(s)
    part, by_square = part_of(NEAR_END * reach, square, FADING)
    x = way / part
    slope = rising_slope(x)
    return rising(x), sign * slope / part, -1.0 * slope * x / part * by_square


@small
def crossed_slopes(square, uu, vv, reach):
    """(crossed, its slope by the square of the vector product, by uu, by vv), the square held."""
    x = spread(square, uu, vv, reach)
    slope = rising_slope(x)
    rest = (x + 1.0 / 3.0) * slope
    longer, shorter = (uu, vv) if uu > vv else (vv, uu)
    part, by_square = part_of(reach, shorter, SPREAD)
    by_longer, by_shorter = -1.0 * rest / longer, -1.0 * rest * (1.0 / shorter + 2.0 * by_square / part)
    by_uu, by_vv = (by_longer, by_shorter) if uu > vv else (by_shorter, by_longer)
    return rising(x), rest / square, by_uu, by_vv


@small
def share_slopes(x0, x1, y0, y1, reach):
    """Slopes of how much a crossing counts, by the places of x0, x1, y0, y1; edges spread."""
    u, v, w = sub(x1, x0), sub(y1, y0), sub(y0, x0)
    uu, uv, vv, uw, vw = dot(u, u), dot(u, v), dot(v, v), dot(u, w), dot(v, w)
    across = cross(u, v)
    square = dot(across, across)
    s, t = (uw * vv - vw * uv) / square, (uw * uv - vw * uu) / square
    C, C_square, C_uu, C_vv = crossed_slopes(square, uu, vv, reach)
    P, P_s, P_uu = inside_slopes(s, uu, reach)
    Q, Q_t, Q_vv = inside_slopes(t, vv, reach)
    by_s, by_t, by_square = C * P_s * Q / square, C * P * Q_t / square, C_square * P * Q
    # square = uu vv - uv², s square = uw vv - vw uv, t square = uw uv - vw uu
    by_uu = by_square * vv + (C_uu * P + C * P_uu) * Q - by_s * s * vv - by_t * (vw + t * vv)
    by_vv = by_square * uu + (C_vv * Q + C * Q_vv) * P + by_s * (uw - s * uu) - by_t * t * uu
    by_uv = -2.0 * by_square * uv + by_s * (2.0 * s * uv - vw) + by_t * (2.0 * t * uv + uw)
    by_uw, by_vw = by_s * vv + by_t * uv, -1.0 * by_s * uv - by_t * uu
    by_u = axpy(2.0 * by_uu, u, axpy(by_uv, v, scale(by_uw, w)))
    by_v = axpy(2.0 * by_vv, v, axpy(by_uv, u, scale(by_vw, w)))
    by_w = axpy(by_uw, u, scale(by_vw, v))
    return scale(-1.0, add(by_u, by_w)), by_u, sub(by_w, by_v), by_v
