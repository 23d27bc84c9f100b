"""Chains of beam elements four at a time, forces and motion in one pass over memory; only for explicit steps.

The nodes of all chains stand in one row that is cut into four pieces, one for each lane (math.lanes): lane l of block b
is node l Q + b. The element between two nodes is then the same lane of two neighbouring blocks. A block keeps position,
attitude of the section (a quaternion), velocity and angular momentum half a step ago. Going along the blocks, the pass
computes an element, adds its wrench to that of the element before it, kicks the node between them and lets it drift:
each number is read once and written once per step.

Formulas are those of mechanics.beams, with polynomials in place of arc functions, exact to rounding
while neighbouring sections are turned by less than SHARP (square of the sine of half the angle). Nodes that others than
elements act on (KEEP = 0) do not move here: their place for the velocity receives the force, that for the momentum the
moment, both times h.
"""

from typing import NamedTuple

from ..jit import device, from_numba, small
from ..math.rotations import quaternion_product
from ..math.screws import log_rate, log_rate_along
from ..math.vec3 import add, axpy, cross, dot, scale, sub
from .beams import bowed, pulled_straight

lane, larger4, load4, same, store4 = from_numba(".math.lanes", "lane", "larger4", "load4", "same", "store4")

# places in a block of Chains.state
X, Q, V, L = 0, 3, 7, 10
AHEAD, AHEAD_W = 13, 16  # velocity and angular velocity foreseen, world axes: where there is damping
STATE, STATE_DAMPED = 13, 19
# places in a block of Chains.data
KEEP, BY_MASS, WEIGHS, KEEP_L, BY_MOMENT, MOVES, BY_INERTIA, PER_LENGTH, STRAIN, STIFFNESS = (
    0,
    1,
    2,
    3,
    4,
    5,
    6,
    12,
    13,
    19,
)
REAL = 40  # 1: an element; 0: between two chains, or a copy
BOW = 41
BETA, DRAG, DRAG_L, COUNTS = 44, 45, 46, 47  # COUNTS: 1 for a node, 0 for a copy
DATA, DATA_DAMPED = 44, 48
SHARP = 0.2


class Beams4(NamedTuple):
    """Of the records of four elements, what mechanics.beams reads for their bow."""

    bow: tuple
    strain: tuple


# -- helpers ----------------------------------------------------------------------------------------------------------


@small
def load_three(a, b, k):
    return load4(a, b, k), load4(a, b, k + 1), load4(a, b, k + 2)


@small
def store_three(a, b, k, v):
    store4(a, b, k, v[0])
    store4(a, b, k + 1, v[1])
    store4(a, b, k + 2, v[2])


@small
def load_attitude(a, b):
    return load4(a, b, Q), load4(a, b, Q + 1), load4(a, b, Q + 2), load4(a, b, Q + 3)


@small
def turn(q, a):
    """q a q*"""
    u = (q[1], q[2], q[3])
    t = cross(u, a)
    t = add(t, t)
    return add(axpy(q[0], t, a), cross(u, t))


@small
def turn_back(q, a):
    """q* a q"""
    u = (q[1], q[2], q[3])
    t = cross(u, a)
    t = add(t, t)
    return add(sub(a, scale(q[0], t)), cross(u, t))


@small
def arc(x):
    """2 asin(s) / s at x = s², to rounding up to 0.25; even and odd powers apart, which go side by side."""
    y = x * x
    even = 0.024340277184783453 + y * (0.039026936502504335 + y * 0.06375924280162568)
    even = 2.0 + y * (0.15000000000770403 + y * (0.06076391939537028 + y * (0.03471955928269996 + y * even)))
    odd = 0.02776968565280416 + y * (0.013058604009473139 + y * -0.03237478454319827)
    odd = 0.33333333333329884 + y * (0.08928571361199787 + y * (0.04474349946632811 + y * odd))
    return even + x * odd


@small
def curvatures(z):
    """(c, c') of math.screws.log_coefficients, to rounding up to z = 1.25."""
    y = z * z
    even = 0.08333333333333333 + y * (3.306878306573344e-05 + y * (2.087669604733149e-08 + y * 1.3286025276525058e-11))
    odd = 0.0013888888888890707 + y * (8.267195961894191e-07 + y * (5.285223170997689e-10 + y * 3.853248291536262e-13))
    even1 = 0.0027777777777778685 + y * (
        4.960317551158834e-06 + y * (5.285176656642714e-09 + y * 5.394896648196162e-12)
    )
    odd1 = 0.00013227513226802206 + y * (1.6701362147800729e-07 + y * 1.5944649294873485e-10)
    return even + z * odd, even1 + z * odd1


@small
def row(data, b, at, e0, e1, e2, e3, e4, e5):
    first = load4(data, b, at[0]) * e0 + load4(data, b, at[1]) * e1 + load4(data, b, at[2]) * e2
    return first + (load4(data, b, at[3]) * e3 + load4(data, b, at[4]) * e4 + load4(data, b, at[5]) * e5)


@small
def stress(data, b, g, k):
    """K (Γ, κ); the upper triangle is stored by rows."""
    e0, e1, e2, e3, e4, e5 = g[0], g[1], g[2], k[0], k[1], k[2]
    s0 = row(
        data,
        b,
        (STIFFNESS + 0, STIFFNESS + 1, STIFFNESS + 2, STIFFNESS + 3, STIFFNESS + 4, STIFFNESS + 5),
        e0,
        e1,
        e2,
        e3,
        e4,
        e5,
    )
    s1 = row(
        data,
        b,
        (STIFFNESS + 1, STIFFNESS + 6, STIFFNESS + 7, STIFFNESS + 8, STIFFNESS + 9, STIFFNESS + 10),
        e0,
        e1,
        e2,
        e3,
        e4,
        e5,
    )
    s2 = row(
        data,
        b,
        (STIFFNESS + 2, STIFFNESS + 7, STIFFNESS + 11, STIFFNESS + 12, STIFFNESS + 13, STIFFNESS + 14),
        e0,
        e1,
        e2,
        e3,
        e4,
        e5,
    )
    s3 = row(
        data,
        b,
        (STIFFNESS + 3, STIFFNESS + 8, STIFFNESS + 12, STIFFNESS + 15, STIFFNESS + 16, STIFFNESS + 17),
        e0,
        e1,
        e2,
        e3,
        e4,
        e5,
    )
    s4 = row(
        data,
        b,
        (STIFFNESS + 4, STIFFNESS + 9, STIFFNESS + 13, STIFFNESS + 16, STIFFNESS + 18, STIFFNESS + 19),
        e0,
        e1,
        e2,
        e3,
        e4,
        e5,
    )
    s5 = row(
        data,
        b,
        (STIFFNESS + 5, STIFFNESS + 10, STIFFNESS + 14, STIFFNESS + 17, STIFFNESS + 19, STIFFNESS + 20),
        e0,
        e1,
        e2,
        e3,
        e4,
        e5,
    )
    return (s0, s1, s2), (s3, s4, s5)


# -- the pass ---------------------------------------------------------------------------------------------------------


@small
def screw(xa, qa, xb, qb):
    """(s², d, ρ, φ, c, c'): Ω = log(A⁻¹B) of two sections, the sine of half its angle squared, and from A to B."""
    a, b = (qa[1], qa[2], qa[3]), (qb[1], qb[2], qb[3])
    half = sub(sub(scale(qa[0], b), scale(qb[0], a)), cross(a, b))
    s2 = dot(half, half)
    phi = scale(arc(s2), half)
    c, c1 = curvatures(dot(phi, phi))
    d = sub(xb, xa)
    return s2, d, log_rate(-0.5, c, phi, turn_back(qa, d)), phi, c, c1


@small
def wrench(qb, d, rho, phi, c, c1, n, m):
    """(force, moment on B's node, on A's node) of the stress; world axes. See beams.section_wrench."""
    pn, rn = cross(phi, n), cross(rho, n)
    ppn = cross(phi, pn)
    force = axpy(c, ppn, axpy(-0.5, pn, n))
    along = axpy(c, add(cross(rho, pn), cross(phi, rn)), scale(c1 * dot(phi, rho), ppn))
    moment = add(log_rate(-0.5, c, phi, m), axpy(-0.5, rn, along))
    force, moment = turn(qb, force), turn(qb, moment)
    return force, moment, add(moment, cross(d, force))


@small
def elastic_stress(data, b, rho, phi):
    """(force, moment): see beams.elastic_stress."""
    r, g0, k0 = load4(data, b, PER_LENGTH), load_three(data, b, STRAIN), load_three(data, b, STRAIN + 3)
    beams = Beams4(load_three(data, b, BOW), g0)
    stretched, u, _ = bowed(beams, sub(scale(r, rho), g0))
    n, m = stress(data, b, stretched, sub(scale(r, phi), k0))
    return pulled_straight(beams, u, n), m


@small
def damping_stress(data, b, va, wa, vb, wb, qb, d, rho, phi, c, c1):
    """(force, moment): see beams.damping_stress."""
    u = turn_back(qb, sub(sub(vb, va), cross(wa, d)))
    w = turn_back(qb, sub(wb, wa))
    du, dw = add(log_rate(0.5, c, phi, u), log_rate_along(0.5, c, c1, phi, rho, w)), log_rate(0.5, c, phi, w)
    n, m = stress(data, b, du, dw)
    r = load4(data, b, BETA) * load4(data, b, PER_LENGTH)
    return scale(r, n), scale(r, m)


@small
def by_inertia(data, b, m):
    """J⁻¹ m in section axes."""
    xx, yy, zz = load_three(data, b, BY_INERTIA)
    xy, xz, yz = load_three(data, b, BY_INERTIA + 3)
    return (
        xx * m[0] + xy * m[1] + xz * m[2],
        xy * m[0] + yy * m[1] + yz * m[2],
        xz * m[0] + yz * m[1] + zz * m[2],
    )


@small
def turned(q, a):
    """q exp(2 a) for small a, of unit length to second order in its error."""
    x = dot(a, a)
    s = 1.0 + x * (-0.16666666666666666 + x * (0.008333333333333333 + x * -0.0001984126984126984))
    c = 1.0 + x * (-0.5 + x * (0.041666666666666664 + x * (-0.001388888888888889 + x * 2.48015873015873e-05)))
    p = quaternion_product(q, (c, s * a[0], s * a[1], s * a[2]))
    r = 1.5 - 0.5 * (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3])
    return (r * p[0], r * p[1], r * p[2], r * p[3])


@small
def move(state, data, b, x, q, force, moment, h, gravity):
    """Kick and drift of a block of nodes: (v, L) before and after, new attitude."""
    v, l = load_three(state, b, V), load_three(state, b, L)
    by_mass, weighs = h * load4(data, b, BY_MASS), load4(data, b, WEIGHS)
    v1 = axpy(weighs, gravity, axpy(by_mass, force, scale(load4(data, b, KEEP), v)))
    l1 = axpy(h * load4(data, b, BY_MOMENT), moment, scale(load4(data, b, KEEP_L), l))
    store_three(state, b, V, v1)
    store_three(state, b, L, l1)
    go = h * load4(data, b, MOVES)
    store_three(state, b, X, axpy(go, v1, x))
    m = turn_back(q, l1)
    w = by_inertia(data, b, m)
    w = by_inertia(data, b, sub(m, scale(0.5 * go, cross(w, m))))
    p = turned(q, scale(0.5 * go, w))
    store4(state, b, Q, p[0])
    store4(state, b, Q + 1, p[1])
    store4(state, b, Q + 2, p[2])
    store4(state, b, Q + 3, p[3])
    return v, l, v1, l1, p


@small
def look_ahead(state, data, b, q, v, l, v1, l1, p):
    """Velocities foreseen at the end of the drift."""
    store_three(state, b, AHEAD, sub(scale(1.5, v1), scale(0.5, v)))
    foreseen = sub(scale(1.5, l1), scale(0.5, l))
    store_three(state, b, AHEAD_W, turn(p, by_inertia(data, b, turn_back(p, foreseen))))


@small
def power_taken(data, b, q, v, l, v1, l1, va, wa, force, moment):
    """By drag, and by damping with the force and moment it puts on a block of nodes: at the mean of the velocities
    before and after the kick, as their energy changes; of nodes not moved here at the velocities foreseen."""
    moves, counts = load4(data, b, MOVES), load4(data, b, COUNTS)
    v0, l0 = scale(0.5, add(v, v1)), turn_back(q, scale(0.5, add(l, l1)))
    w0 = by_inertia(data, b, l0)
    drag = load4(data, b, DRAG) * dot(v0, v0) + load4(data, b, DRAG_L) * dot(l0, w0)
    v0, w0 = axpy(moves, sub(v0, va), va), axpy(moves, sub(turn(q, w0), wa), wa)
    return drag - counts * (dot(force, v0) + dot(moment, w0))


@device
def sweep(state, data, first, last, h, gravity, found):
    """One step of blocks first to last - 1; found <- (sharpest turn, 0). No damping."""
    zero = same(0.0)
    g = (same(h * gravity[0]), same(h * gravity[1]), same(h * gravity[2]))
    h4, sharpest = same(h), zero
    f0, m0 = (zero, zero, zero), (zero, zero, zero)
    xa, qa = load_three(state, first, X), load_attitude(state, first)
    for b in range(first, last):
        xb, qb = load_three(state, b + 1, X), load_attitude(state, b + 1)
        s2, d, rho, phi, c, c1 = screw(xa, qa, xb, qb)
        sharpest = larger4(s2 * load4(data, b, REAL), sharpest)
        n, m = elastic_stress(data, b, rho, phi)
        f, mb, ma = wrench(qb, d, rho, phi, c, c1, n, m)
        move(state, data, b, xa, qa, sub(f, f0), sub(ma, m0), h4, g)
        f0, m0, xa, qa = f, mb, xb, qb
    found[0] = max(max(lane(sharpest, 0), lane(sharpest, 1)), max(lane(sharpest, 2), lane(sharpest, 3)))
    found[1] = 0.0


@device
def sweep_damped(state, data, first, last, h, gravity, found):
    """The same with damping; found <- (sharpest turn, power taken)."""
    zero = same(0.0)
    g = (same(h * gravity[0]), same(h * gravity[1]), same(h * gravity[2]))
    h4, sharpest, loss = same(h), zero, zero
    f0, m0, fd0, md0 = (zero, zero, zero), (zero, zero, zero), (zero, zero, zero), (zero, zero, zero)
    xa, qa = load_three(state, first, X), load_attitude(state, first)
    va, wa = load_three(state, first, AHEAD), load_three(state, first, AHEAD_W)
    for b in range(first, last):
        xb, qb = load_three(state, b + 1, X), load_attitude(state, b + 1)
        vb, wb = load_three(state, b + 1, AHEAD), load_three(state, b + 1, AHEAD_W)
        s2, d, rho, phi, c, c1 = screw(xa, qa, xb, qb)
        sharpest = larger4(s2 * load4(data, b, REAL), sharpest)
        n, m = elastic_stress(data, b, rho, phi)
        f, mb, ma = wrench(qb, d, rho, phi, c, c1, n, m)
        n, m = damping_stress(data, b, va, wa, vb, wb, qb, d, rho, phi, c, c1)
        fd, mbd, mad = wrench(qb, d, rho, phi, c, c1, n, m)
        on_f, on_m = sub(fd, fd0), sub(mad, md0)
        v, l, v1, l1, p = move(state, data, b, xa, qa, add(sub(f, f0), on_f), add(sub(ma, m0), on_m), h4, g)
        look_ahead(state, data, b, qa, v, l, v1, l1, p)
        loss = loss + power_taken(data, b, qa, v, l, v1, l1, va, wa, on_f, on_m)
        f0, m0, fd0, md0, xa, qa, va, wa = f, mb, fd, mbd, xb, qb, vb, wb
    found[0] = max(max(lane(sharpest, 0), lane(sharpest, 1)), max(lane(sharpest, 2), lane(sharpest, 3)))
    found[1] = lane(loss, 0) + lane(loss, 1) + lane(loss, 2) + lane(loss, 3)
