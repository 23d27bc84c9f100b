"""Torque against tilt: the angle q between an axis n of node a and the line d to a point of node b.

    energy V(q) = integral of k(q) q,   torque k(q) q towards the axis,   damping b(q) times the rate of d / |d| in a

k and b are even polynomials, so that everything is smooth at q = 0, where polar angles are not: only q / sin q and
cos q enter. The force acts on both nodes at the point of b. With a vertical, k fades as (1 + n.vertical) / 2.
"""

from math import atan2, sqrt

from ..jit import device
from ..math.rotations import rotate
from ..math.vec3 import add, axpy, cross, dot, from3, load3, scale, sub

STRAIGHT = 1e-16  # sin² below which q / sin q is 1 to rounding
SERIES = 0.05  # rad; below it the slope of q / sin q is a series, for its formula loses digits


@device
def even(coefficients, u):
    """(polynomial, slope) at u = q²"""
    value, slope = 0.0, 0.0
    for k in range(len(coefficients) - 1, -1, -1):
        slope = slope * u + value
        value = value * u + coefficients[k]
    return value, slope


@device
def lean(n, s):
    """(q, cos q, q / sin q)"""
    x = cross(n, s)
    sine2, cosine = dot(x, x), dot(n, s)
    if sine2 < STRAIGHT and cosine > 0.0:
        return sqrt(sine2), cosine, 1.0
    sine = sqrt(sine2)
    q = atan2(sine, cosine)
    return q, cosine, q / sine


@device
def fading(bushing, n):
    """Factor of the stiffness."""
    up = from3(bushing.vertical)
    return 1.0 if dot(up, up) == 0.0 else 0.5 * (1.0 + dot(n, up))


@device
def stored(coefficients, u):
    """Integral of k(q) q over q."""
    total = 0.0
    for k in range(len(coefficients) - 1, -1, -1):
        total = total * u + coefficients[k] / (2.0 * (k + 1))
    return total * u


@device
def tilt_energy(tables, i, work, d):
    """(energy stored, power of whatever changes the stiffness with attitude)"""
    bushing = tables.bushings[i]
    n = rotate(work.R, bushing.a, from3(bushing.axis))
    q, _, _ = lean(n, scale(1.0 / sqrt(dot(d, d)), d))
    V = stored(bushing.even_stiffness, q * q)
    return fading(bushing, n) * V, 0.5 * dot(cross(load3(work.w, bushing.a), n), from3(bushing.vertical)) * V


@device
def line_rate(tables, i, work, ra, rb, d):
    """Rate of d as seen from node a, world axes."""
    bushing = tables.bushings[i]
    wa, wb = load3(work.w, bushing.a), load3(work.w, bushing.b)
    va, vb = add(load3(work.v, bushing.a), cross(wa, ra)), add(load3(work.v, bushing.b), cross(wb, rb))
    return sub(sub(vb, va), cross(wa, d))


@device
def tilt_force(tables, i, work, ra, rb, d):
    """(force on node a at the point of b, world axes; power dissipated)"""
    bushing = tables.bushings[i]
    n = rotate(work.R, bushing.a, from3(bushing.axis))
    far = 1.0 / sqrt(dot(d, d))
    s = scale(far, d)
    q, cosine, ratio = lean(n, s)
    k, _ = even(bushing.even_stiffness, q * q)
    b, _ = even(bushing.even_damping, q * q)
    y = line_rate(tables, i, work, ra, rb, d)
    across = axpy(-dot(s, y), s, y)
    torque = axpy(fading(bushing, n) * k * ratio, axpy(cosine, s, scale(-1.0, n)), scale(b * far, across))
    return scale(far, torque), b * far * far * dot(across, across)


@device
def slope_by_cosine(coefficients, q, cosine, ratio):
    """Slope of k(q) q / sin q by cos q, regular at q = 0."""
    k, slope = even(coefficients, q * q)
    u = q * q
    if q < SERIES:
        bend = (1.0 / 3.0 + u * (7.0 / 90.0 + u * (31.0 / 2520.0 + u * 127.0 / 75600.0))) * ratio
    else:
        bend = (1.0 - ratio * cosine) * (ratio / q) ** 2
    return -(2.0 * slope * ratio * ratio + k * bend)


@device
def tilt_variation(tables, i, work, places, moves, weight_rate, weight_place):
    """(change of the force on node a, change of d) for displacements of the nodes, see tangent.bushing_variation."""
    bushing = tables.bushings[i]
    ra, rb, d = places
    xa, ta, xb, tb = moves
    n = rotate(work.R, bushing.a, from3(bushing.axis))
    far = 1.0 / sqrt(dot(d, d))
    s = scale(far, d)
    q, cosine, ratio = lean(n, s)
    k, _ = even(bushing.even_stiffness, q * q)
    b, b_slope = even(bushing.even_damping, q * q)
    fade = fading(bushing, n)
    y = line_rate(tables, i, work, ra, rb, d)
    across = axpy(-dot(s, y), s, y)
    toward = axpy(cosine, s, scale(-1.0, n))
    torque = axpy(fade * k * ratio, toward, scale(b * far, across))

    dd = sub(add(xb, cross(tb, rb)), add(xa, cross(ta, ra)))
    dlength = dot(s, dd)
    ds = scale(far, axpy(-dlength, s, dd))
    dn = cross(ta, n)
    dcosine = dot(ds, n) + dot(s, dn)
    dfade = 0.5 * dot(dn, from3(bushing.vertical))
    wa, wb = load3(work.w, bushing.a), load3(work.w, bushing.b)
    turned = sub(cross(tb, cross(wb, rb)), cross(ta, cross(wa, ra)))
    dy = sub(turned, add(cross(cross(ta, wa), d), cross(wa, dd)))
    dy = axpy(weight_place, dy, scale(weight_rate, sub(dd, cross(ta, d))))

    dstiff = dfade * k * ratio + fade * slope_by_cosine(bushing.even_stiffness, q, cosine, ratio) * dcosine
    dtoward = sub(axpy(dcosine, s, scale(cosine, ds)), dn)
    db = (-2.0 * b_slope * ratio * dcosine - b * far * dlength) * far
    elastic = axpy(dstiff, toward, scale(fade * k * ratio, dtoward))
    bent = add(scale(dot(s, y), ds), scale(dot(ds, y), s))
    placed = axpy(1.0, elastic, axpy(db, across, scale(-b * far, bent)))
    dtorque = axpy(weight_place, placed, scale(b * far, axpy(-dot(s, dy), s, dy)))
    return axpy(-weight_place * far * far * dlength, torque, scale(far, dtorque)), dd
