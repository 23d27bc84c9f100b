"""Measures: scalar functions of the relative placement of two markers. Joints, drives, springs, couplers, events and
joint coordinates are all built of the first five; the last is only watched.

    ALONG_WORLD   e . (pb - pa)                 e fixed in the world
    ALONG         (Ra e) . (pb - pa)            e fixed in node a
    COSINE        (Ra e) . (Rb f)
    LENGTH        |pb - pa|
    ANGLE         atan2((Rb f).(Ra e2), (Rb f).(Ra e1))
    TILT          angle between Ra e and pb - pa, never below zero, so that it has a kink there

with p = x + R s. Gradients are taken with respect to world displacements and world rotations of the two nodes:
c' = na.va + ta.wa + nb.vb + tb.wb. `quadratic` is the part of c'' that does not contain accelerations.
"""

from math import atan2, floor, pi, sqrt

from ..jit import device
from ..math.rotations import rotate
from ..math.vec3 import add, cross, dot, from3, load3, scale, sub
from .tables import ALONG_WORLD, ANGLE, COSINE, LENGTH, TILT

ZERO = (0.0, 0.0, 0.0)
SMALLEST_TILT = 1e-12


@device
def unwrapped(angle, near):
    """The angle plus whole turns, nearest to a given one."""
    return angle + 2.0 * pi * floor((near - angle) / (2.0 * pi) + 0.5)


@device
def measure_value(tables, i, work):
    """Value alone; angles within one turn."""
    m = tables.measures[i]
    a, b = m.a, m.b
    if m.kind == COSINE:
        return dot(rotate(work.R, a, from3(m.e1)), rotate(work.R, b, from3(m.f)))
    if m.kind == ANGLE:
        f = rotate(work.R, b, from3(m.f))
        return atan2(dot(f, rotate(work.R, a, from3(m.e2))), dot(f, rotate(work.R, a, from3(m.e1))))
    d = separation(tables, i, work)
    if m.kind == LENGTH:
        return sqrt(dot(d, d))
    if m.kind == ALONG_WORLD:
        return dot(from3(m.e1), d)
    if m.kind == TILT:
        return tilt_angle(rotate(work.R, a, from3(m.e1)), d)
    return dot(rotate(work.R, a, from3(m.e1)), d)


@device
def separation(tables, i, work):
    """pb - pa"""
    m = tables.measures[i]
    pa = add(load3(work.x, m.a), rotate(work.R, m.a, from3(m.sa)))
    pb = add(load3(work.x, m.b), rotate(work.R, m.b, from3(m.sb)))
    return sub(pb, pa)


@device
def cosine_terms(u, w, wu, ww):
    """For c = u.w: (c, c', quadratic part of c'', gradient of u's rotation); w's is the negative."""
    du, dw = cross(wu, u), cross(ww, w)
    c = dot(u, w)
    rate = dot(du, w) + dot(u, dw)
    quadratic = dot(cross(wu, du), w) + dot(u, cross(ww, dw)) + 2.0 * dot(du, dw)
    return c, rate, quadratic, cross(u, w)


@device
def angle_terms(tables, i, work):
    """(c, c', quadratic, ta, tb) of an ANGLE."""
    m = tables.measures[i]
    wa, wb = load3(work.w, m.a), load3(work.w, m.b)
    f = rotate(work.R, m.b, from3(m.f))
    x, dx, qx, tx = cosine_terms(rotate(work.R, m.a, from3(m.e1)), f, wa, wb)
    y, dy, qy, ty = cosine_terms(rotate(work.R, m.a, from3(m.e2)), f, wa, wb)
    r = 1.0 / (x * x + y * y)
    ta = scale(r, sub(scale(x, ty), scale(y, tx)))
    rate = r * (x * dy - y * dx)
    quadratic = r * (x * qy - y * qx) - 2.0 * r * rate * (x * dx + y * dy)
    return atan2(y, x), rate, quadratic, ta, scale(-1.0, ta)


@device
def separation_terms(tables, i, work):
    """(pb - pa, its rate, the quadratic part of its acceleration, ra, rb)"""
    m = tables.measures[i]
    a, b = m.a, m.b
    wa, wb = load3(work.w, a), load3(work.w, b)
    ra, rb = rotate(work.R, a, from3(m.sa)), rotate(work.R, b, from3(m.sb))
    d = sub(add(load3(work.x, b), rb), add(load3(work.x, a), ra))
    wra, wrb = cross(wa, ra), cross(wb, rb)
    dd = sub(add(load3(work.v, b), wrb), add(load3(work.v, a), wra))
    return d, dd, sub(cross(wb, wrb), cross(wa, wra)), ra, rb


@device
def along_terms(n, d, dd, qd, ra, rb):
    """Terms of ALONG_WORLD for direction n."""
    return dot(n, d), dot(n, dd), dot(n, qd), scale(-1.0, n), cross(n, ra), n, cross(rb, n)


@device
def tilt_angle(n, d):
    """Between two vectors, without loss of digits at small angles."""
    x = cross(n, d)
    return atan2(sqrt(dot(x, x)), dot(n, d))


@device
def tilt_rate(n, dn, d, dd):
    """Of TILT, from its cosine n.d / |d|; zero at its kink."""
    length, x = sqrt(dot(d, d)), cross(n, d)
    sine, cosine = sqrt(dot(x, x)) / length, dot(n, d) / length
    if sine < SMALLEST_TILT:
        return 0.0
    return -(dot(n, dd) + dot(dn, d) - cosine * dot(d, dd) / length) / (length * sine)


@device
def measure(tables, i, work):
    """(value, rate, quadratic, na, ta, nb, tb) of measure i"""
    m = tables.measures[i]
    if m.kind == ANGLE:
        c, rate, quadratic, ta, tb = angle_terms(tables, i, work)
        return c, rate, quadratic, ZERO, ta, ZERO, tb
    a, b = m.a, m.b
    wa, wb = load3(work.w, a), load3(work.w, b)
    if m.kind == COSINE:
        u, w = rotate(work.R, a, from3(m.e1)), rotate(work.R, b, from3(m.f))
        c, rate, quadratic, t = cosine_terms(u, w, wa, wb)
        return c, rate, quadratic, ZERO, t, ZERO, scale(-1.0, t)
    d, dd, qd, ra, rb = separation_terms(tables, i, work)
    if m.kind == ALONG_WORLD:
        return along_terms(from3(m.e1), d, dd, qd, ra, rb)
    if m.kind == LENGTH:
        c = sqrt(dot(d, d))
        inverse = 1.0 / c
        n = scale(inverse, d)
        rate = dot(n, dd)
        quadratic = dot(n, qd) + (dot(dd, dd) - rate * rate) * inverse
        return c, rate, quadratic, scale(-1.0, n), cross(n, ra), n, cross(rb, n)
    n = rotate(work.R, a, from3(m.e1))
    dn = cross(wa, n)
    if m.kind == TILT:
        return tilt_angle(n, d), tilt_rate(n, dn, d, dd), 0.0, ZERO, ZERO, ZERO, ZERO  # watched, so never a force
    quadratic = dot(n, qd) + 2.0 * dot(dn, dd) + dot(cross(wa, dn), d)
    return dot(n, d), dot(n, dd) + dot(dn, d), quadratic, scale(-1.0, n), cross(n, add(d, ra)), n, cross(rb, n)


@device
def counted(tables, work, i, t, c):
    """Value of measure i with its whole turns counted from the last accepted step."""
    if tables.measures[i].kind != ANGLE:
        return c
    return unwrapped(c, work.anchor[i, 0] + work.anchor[i, 1] * (t - work.anchor_time[0]))
