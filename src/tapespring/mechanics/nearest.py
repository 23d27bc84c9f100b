"""Where two surfaces are nearest: their gap, the normal from a to b, and the points of both that take part.

A surface stands on up to three spots. A point of it is a weighted mean of these (weights 1 - s - t, s, t) and an offset
from there. Functions answer

    gap, normal, (s, t) on a, (s, t) on b, offset on a, offset on b, whether it counts

for floats and for numbers that know their derivatives (math.duals). Both offsets lead to the same point of space, half
way between the surfaces, so that forces there conserve angular momentum.

A rod is a chain of segments. Of a place where one segment hands over to the next only one may count, so that every
place of least distance gives one contact: the end of a segment counts only if nothing follows, its beginning only if
the segment before is not nearer.
"""

from math import sqrt

from ..jit import device, small
from ..math.vec3 import add, axpy, dot, scale, sub

ZERO = (0.0, 0.0, 0.0)
TINY = 1e-300
TOO_NEAR = 1e-12  # square of a distance, of an area: there is no telling which way it goes
ALMOST_ALONG = 0.99  # square of the cosine between edges that do not cross: 6 degrees


@small
def between(gap, normal, on_b):
    """Half way between the surfaces, from the point of b."""
    return axpy(-0.5 * gap, normal, on_b)


@small
def plane_ball(xa, n, xb, radius):
    """Half-space of outward normal n, and a ball."""
    d = sub(xb, xa)
    gap = dot(n, d) - radius
    on_b = scale(-1.0 * radius, n)
    offset = between(gap, n, on_b)
    return gap, n, add(d, offset), offset


@small
def plane_ellipsoid(xa, n, xb, axes, size):
    """Half-space, and an ellipsoid of semi-axes `size` along unit vectors `axes`."""
    d = sub(xb, xa)
    l = (dot(axes[0], n), dot(axes[1], n), dot(axes[2], n))
    b = (size[0] * l[0], size[1] * l[1], size[2] * l[2])
    h = sqrt(dot(b, b))
    gap = dot(n, d) - h
    s = scale(-1.0 / h, (size[0] * b[0], size[1] * b[1], size[2] * b[2]))
    on_b = axpy(s[0], axes[0], axpy(s[1], axes[1], scale(s[2], axes[2])))
    offset = between(gap, n, on_b)
    return gap, n, add(d, offset), offset


@small
def ball_ball(d, ra, rb):
    """Two balls whose centres are d apart: of points, of nearest points of segments and triangles."""
    l = sqrt(dot(d, d) + TINY)
    n = scale(1.0 / l, d)
    gap = l - (ra + rb)
    offset = scale(-0.5 * gap - rb, n)
    return gap, n, add(d, offset), offset


@small
def ring_ball(d, axis, flat, clearance, radius):
    """A journal of this radius inside a bearing: across the axis (flat), or a ball in a socket."""
    e = axpy(-1.0 * flat * dot(axis, d), axis, d)
    l = sqrt(dot(e, e) + TINY)
    n = scale(-1.0 / l, e)
    gap = clearance - l
    offset = scale(-0.5 * gap - radius, n)
    return gap, n, add(d, offset), offset


@small
def box_ball(d, axes, half, around, radius):
    """A box of half edges `half` along unit vectors `axes`, with a skin of thickness `around`, and a ball d from its
    middle."""
    p = (dot(axes[0], d), dot(axes[1], d), dot(axes[2], d))
    # how far beyond each pair of faces
    q = (abs(p[0]) - half[0], abs(p[1]) - half[1], abs(p[2]) - half[2])
    side = (1.0 if p[0] > 0.0 else -1.0, 1.0 if p[1] > 0.0 else -1.0, 1.0 if p[2] > 0.0 else -1.0)
    nothing = 0.0 * q[0]
    if q[0] > 0.0 or q[1] > 0.0 or q[2] > 0.0:  # outside: from the nearest point
        e = (
            q[0] if q[0] > 0.0 else nothing,
            q[1] if q[1] > 0.0 else nothing,
            q[2] if q[2] > 0.0 else nothing,
        )
        distance = sqrt(dot(e, e))
        local = scale(1.0 / distance, e)
    elif q[0] >= q[1] and q[0] >= q[2]:  # inside: through the nearest face
        distance, local = q[0], (1.0 + nothing, nothing, nothing)
    elif q[1] >= q[2]:
        distance, local = q[1], (nothing, 1.0 + nothing, nothing)
    else:
        distance, local = q[2], (nothing, nothing, 1.0 + nothing)
    n = axpy(side[0] * local[0], axes[0], axpy(side[1] * local[1], axes[1], scale(side[2] * local[2], axes[2])))
    gap = distance - (around + radius)
    offset = between(gap, n, scale(-1.0 * radius, n))
    return gap, n, add(d, offset), offset


@small
def wall_ball(x0, x1, n, xb, radius, reach):
    """A wall from x0 to x1 of outward normal n, solid behind and endless across both; as far as `reach` from its middle
    unless that is 0. And a ball. (s, gap, normal, offset on the wall, offset on the ball)"""
    u = sub(x1, x0)
    s = along_segment(x0, x1, xb)
    d = sub(xb, axpy(s, u, x0))
    along = scale(1.0 / sqrt(dot(u, u)), u)
    height, beyond = dot(n, d), dot(along, d)
    if 0.0 < s < 1.0:
        distance, normal = height, n
    elif height > 0.0:  # round the end
        distance = sqrt(height * height + beyond * beyond)
        normal = axpy(height / distance, n, scale(beyond / distance, along))
    else:  # beside it
        distance = abs(beyond)
        normal = scale(1.0 if beyond > 0.0 else -1.0, along)
    if reach > 0.0:
        e = sub(xb, axpy(0.5, u, x0))
        l = sqrt(dot(e, e) + TINY)
        if l - reach > distance:
            distance, normal = l - reach, scale(1.0 / l, e)
    gap = distance - radius
    offset = between(gap, normal, scale(-1.0 * radius, normal))
    return s, gap, normal, add(d, offset), offset


@small
def are_crossed(u, v):
    """Whether two edges cross at more than an angle; others touch with their ends, for where they are nearest says
    little."""
    uv = dot(u, v)
    return uv * uv < ALMOST_ALONG * dot(u, u) * dot(v, v)


@small
def rising(x):
    """From 0 to 1, level at both ends."""
    if x <= 0.0:
        return 0.0 * x
    if x >= 1.0:
        return 1.0 + 0.0 * x
    return x * x * (3.0 - 2.0 * x)


@small
def counts_at(s, d, edge, before, follows):
    """Whether the nearest point of a segment counts: s along it, d from the segment to the other surface there,
    edge from its beginning to the beginning of the segment before (if any)."""
    if s >= 1.0 and follows:
        return False
    return not (s <= 0.0 and before and dot(d, edge) > 0.0)


@small
def clipped(s):
    """Between 0 and 1, without derivative at the ends."""
    if s <= 0.0:
        return 0.0 * s
    if s >= 1.0:
        return 1.0 + 0.0 * s
    return s


@small
def along_segment(x0, x1, p):
    """How far along a segment the point nearest to p lies, 0 to 1."""
    u = sub(x1, x0)
    return clipped(dot(sub(p, x0), u) / dot(u, u))


@device
def along_segments(a0, a1, b0, b1):
    """(s, t): how far along two segments their nearest points lie; the middle of where parallel ones lie together."""
    u, v, w = sub(a1, a0), sub(b1, b0), sub(b0, a0)
    uu, uv, vv, uw, vw = dot(u, u), dot(u, v), dot(v, v), dot(u, w), dot(v, w)
    det = uu * vv - uv * uv
    if det > 1e-12 * uu * vv:
        s = clipped((uw * vv - vw * uv) / det)
    else:
        low, high = clipped(uw / uu), clipped((uw + uv) / uu)
        s = 0.5 * (low + high)
    t = (s * uv - vw) / vv
    if t < 0.0:
        return clipped(uw / uu), 0.0 * t
    if t > 1.0:
        return clipped((uw + uv) / uu), 1.0 + 0.0 * t
    return s, t


@device
def on_triangle(x0, x1, x2, p):
    """(s, t): weights of the second and third corner at the point of a triangle nearest to p."""
    u, v, w = sub(x1, x0), sub(x2, x0), sub(p, x0)
    d1, d2 = dot(u, w), dot(v, w)
    nothing = 0.0 * d1
    if d1 <= 0.0 and d2 <= 0.0:
        return nothing, nothing
    w1 = sub(p, x1)
    d3, d4 = dot(u, w1), dot(v, w1)
    if d3 >= 0.0 and d4 <= d3:
        return 1.0 + nothing, nothing
    c = d1 * d4 - d3 * d2
    if c <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        return d1 / (d1 - d3), nothing
    w2 = sub(p, x2)
    d5, d6 = dot(u, w2), dot(v, w2)
    if d6 >= 0.0 and d5 <= d6:
        return nothing, 1.0 + nothing
    b = d5 * d2 - d1 * d6
    if b <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        return nothing, d2 / (d2 - d6)
    a = d3 * d6 - d5 * d4
    if a <= 0.0 and d4 >= d3 and d5 >= d6:
        t = (d4 - d3) / ((d4 - d3) + (d5 - d6))
        return 1.0 - t, t
    total = 1.0 / (a + b + c)
    return b * total, c * total


@small
def strap_ball(d, axes, half_width, ra, rb, side):
    """A point d from the nearest point of the middle line of a strap, of which axes[1] is the wide and axes[2] the thin
    direction; see sheet_ball. Beside the strap there are no sides."""
    beside = dot(axes[1], d)
    if beside > half_width:
        beside, side = half_width + 0.0 * beside, 0.0
    elif beside < -half_width:
        beside, side = -half_width + 0.0 * beside, 0.0
    gap, n, on_strap, offset = sheet_ball(axpy(-1.0 * beside, axes[1], d), axes[2], ra, rb, side)
    return gap, n, axpy(beside, axes[1], on_strap), offset


@small
def sheet_ball(d, outward, ra, rb, side):
    """A point d from the nearest point of a sheet. With a side to be on (1: that of outward, -1) the gap goes on below
    zero, 0: both sides are alike."""
    gap, n, _, _ = ball_ball(d, ra, rb)
    if side * dot(outward, d) < 0.0:
        n = scale(-1.0, n)
        gap = -1.0 * sqrt(dot(d, d) + TINY) - (ra + rb)
    offset = scale(-0.5 * gap - rb, n)
    return gap, n, add(d, offset), offset


@small
def face_ball(d, outward, ra, rb, side, within):
    """A point d from the nearest point of a triangle, as sheet_ball. Right over or under the triangle or in a solid
    (within), and where it is too near to tell, the normal is the triangle's: nothing happens as d goes through zero."""
    twice_area = sqrt(dot(outward, outward))
    if side != 0.0 and (within or dot(d, d) < TOO_NEAR * twice_area):
        n = scale(side / twice_area, outward)
        gap = dot(n, d) - (ra + rb)
        offset = scale(-0.5 * gap - rb, n)
        return gap, n, add(d, offset), offset
    return sheet_ball(d, outward, ra, rb, side)
