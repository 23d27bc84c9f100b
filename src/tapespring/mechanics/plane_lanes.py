"""Bodies in a plane on loose pins, four at a time: for models of nothing else (solve.plane_layout).

The same mechanics as motion.place_nodes, forces.add_film, ball_pairs and dynamics.free_acceleration. A body is seven
numbers: its place x, y, cosine p and sine r of half its angle, its velocity u, v and angular velocity w; four bodies
stand side by side in a block, and after all blocks one more holds the works. What pins need of a body they find in its
row, (x, y, cos, sin) and (u, v, w, 0), and what they do to it they add to its push (force, moment).

Forces along the line of centres have the same moment wherever they act on it, so that no point of touch is looked for.
"""

from math import sqrt

from ..jit import device, from_numba, small
from .tables import DISSIPATED, DRIVES, IMPACTS

LANES = "load4", "load_row", "same", "store4", "store_row", "larger4", "sum4", "transpose4"
load4, load_row, same, store4, store_row, larger4, sum4, transpose4 = from_numba(".math.lanes", *LANES)

# fields of a block of bodies: state and rates
X, Y, P, R, U, V, W = range(7)
N_STATE = 7
# of its constants
INVERSE_MASS, INVERSE_INERTIA, FALL_X, FALL_Y = range(4)
# of a block of pins: arms on both sides, distance at which they touch, film, coefficients of the law in powers of the
# square root of the depth: elastic force 3 and 4, damping 2 to 4
AX, AY, BX, BY, REACH, FILM, ELASTIC3, ELASTIC4, DAMPING2, DAMPING3, DAMPING4 = range(11)
N_PIN = 11
# what is found of pins
DEPTH, CLOSING, FORCE = range(3)
NOWHERE = 1e-200  # added to squares of distances, so that the middle has directions too


@small
def state_of(y, i):
    """The seven numbers of four bodies."""
    return (
        load4(y, i, X), load4(y, i, Y), load4(y, i, P), load4(y, i, R), load4(y, i, U), load4(y, i, V), load4(y, i, W),
    )  # fmt: skip


@small
def place_block(plane, i, state, rates, k):
    """Rows of block i in a state, no push yet; rates of its places."""
    x, y, p, r, u, v, w = state
    pp, rr, none = p * p, r * r, same(0.0)
    part = 1.0 / (pp + rr)  # of any length: at stages it is not yet one
    placed = transpose4(x, y, part * (pp - rr), 2.0 * part * (p * r))
    moving = transpose4(u, v, w, none)
    for l in range(4):
        store_row(plane.rows, 8 * i + 2 * l, placed[l])
        store_row(plane.rows, 8 * i + 2 * l + 1, moving[l])
        store_row(plane.push, 4 * i + l, none)
    half = 0.5 * w
    store4(rates, k, X, u)
    store4(rates, k, Y, v)
    store4(rates, k, P, -(half * r))
    store4(rates, k, R, half * p)


@small
def side_of(plane, first):
    """(x, y, cos, sin), (u, v, w, 0) of the bodies on one side of four pins."""
    sides, rows = plane.pin_sides, plane.rows
    a, b, c, d = 2 * sides[first], 2 * sides[first + 1], 2 * sides[first + 2], 2 * sides[first + 3]
    placed = transpose4(load_row(rows, a), load_row(rows, b), load_row(rows, c), load_row(rows, d))
    moving = transpose4(load_row(rows, a + 1), load_row(rows, b + 1), load_row(rows, c + 1), load_row(rows, d + 1))
    return placed, moving


@small
def push_side(plane, first, fx, fy, moment):
    """One after the other, for pins share bodies."""
    each = transpose4(fx, fy, moment, same(0.0))
    for l in range(4):
        k = plane.pin_sides[first + l]
        store_row(plane.push, k, load_row(plane.push, k) + each[l])


@device
def add_pins(plane):
    """Push of all pins; (power that films take, power that impacts take)"""
    pins, found, none = plane.pins, plane.pin_found, same(0.0)
    by_films, by_impacts = none, none
    for j in range(len(pins)):
        (xa, ya, ca, sa), (ua, va, wa, _) = side_of(plane, 8 * j)
        (xb, yb, cb, sb), (ub, vb, wb, _) = side_of(plane, 8 * j + 4)
        ax, ay, bx, by = load4(pins, j, AX), load4(pins, j, AY), load4(pins, j, BX), load4(pins, j, BY)
        ax, ay = ca * ax - sa * ay, sa * ax + ca * ay
        bx, by = cb * bx - sb * by, sb * bx + cb * by
        dx, dy = (xb - xa) + (bx - ax), (yb - ya) + (by - ay)
        ux, uy = (ub - ua) + (wa * ay - wb * by), (vb - va) + (wb * bx - wa * ax)
        square = dx * dx + dy * dy + NOWHERE
        distance = sqrt(square)
        part = distance * (1.0 / square)  # does not wait for the root
        depth, closing = distance - load4(pins, j, REACH), part * (dx * ux + dy * uy)
        inside = larger4(depth, none)
        root = sqrt(inside)
        elastic = inside * (load4(pins, j, ELASTIC3) * root + load4(pins, j, ELASTIC4) * inside)
        damping = load4(pins, j, DAMPING2) + load4(pins, j, DAMPING3) * root + load4(pins, j, DAMPING4) * inside
        force = larger4(elastic + inside * damping * closing, none)
        film, pull = load4(pins, j, FILM), -(force * part)
        fx, fy = pull * dx - film * ux, pull * dy - film * uy
        push_side(plane, 8 * j, -fx, -fy, ay * fx - ax * fy)
        push_side(plane, 8 * j + 4, fx, fy, bx * fy - by * fx)
        by_films = by_films + film * (ux * ux + uy * uy)
        by_impacts = by_impacts + (force - elastic) * closing
        store4(found, j, DEPTH, depth)
        store4(found, j, CLOSING, closing)
        store4(found, j, FORCE, force)
    return sum4(by_films), sum4(by_impacts)


@small
def accelerate_block(plane, i, rates, k):
    """Rates of the velocities of block i, all of whose pushes are known."""
    push, body = plane.push, plane.body
    fx, fy, moment, _ = transpose4(
        load_row(push, 4 * i), load_row(push, 4 * i + 1), load_row(push, 4 * i + 2), load_row(push, 4 * i + 3)
    )
    light = load4(body, i, INVERSE_MASS)
    store4(rates, k, U, light * fx + load4(body, i, FALL_X))
    store4(rates, k, V, light * fy + load4(body, i, FALL_Y))
    store4(rates, k, W, load4(body, i, INVERSE_INERTIA) * moment)


@device
def place_told(plane, tables, n, slot, q, v, rates, k):
    """A body that moves as it is told and does not turn: its row and the rates of its place, where q and v hold it."""
    node, l = tables.nodes[n], slot % 4
    for m in range(2):
        at, speed = q[node.q + plane.axes[m]], v[node.v + plane.axes[m]]
        plane.rows[2 * slot, m], plane.rows[2 * slot + 1, m] = at, speed
        rates[k, X + m, l] = speed


@device
def power_of_told(plane, work, n, slot, rates, k):
    """Power that a body that moves as it is told takes from whoever moves it; its acceleration as told."""
    l, power = slot % 4, 0.0
    for m in range(2):
        rates[k, U + m, l] = work.a[n, plane.axes[m]]
        power -= plane.push[slot, m] * plane.rows[2 * slot + 1, m]
    return power


@small
def put_powers(rates, k, by_films, by_impacts, by_drives):
    """In the block of works, which has a number for each of the powers, four to a field."""
    rates[k, DRIVES // 4, DRIVES % 4] = by_drives
    rates[k, DISSIPATED // 4, DISSIPATED % 4] = by_films
    rates[k, IMPACTS // 4, IMPACTS % 4] = by_impacts
