"""Inertia of bodies by modes: what a frame and the amplitudes of its mode shapes owe each other.

A body is a frame that floats in the middle of its motion, u = X + sum(q_k shape_k) being places in it. Shapes carry
neither momentum nor, at rest, angular momentum (build.modal sees to that), and have all the same modal mass. So the
momentum is the frame's own, and with c_kl = ∫ shape_k x shape_l dm, J(q) = ∫ |u|² - u u' dm

    2 T = m |v|² + w.J(q) w + 2 w.C(q) q' + mass |q'|²        C(q) q' = sum(q_k q'_l c_kl)

    J w' + C q'' + J' w + w x (J w + C q')                   = moment
    mass q''_l + C_l.w' + 2 E_l.w - w.D_l w / 2              = force_l      E = C(q'),  D_l = dJ/dq_l

in the frame's axes. Amplitudes are the places of points, three on each; the frame's node has J(0). Kinematics and
elasticity are rows and springs like any other.
"""

from numpy import int64

from ..jit import device, small
from ..math.vec3 import add, axpy, cross, dot, scale, sub
from .tables import MODAL_SHARED

ZERO = (0.0, 0.0, 0.0)
ZERO6 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


# -- symmetric matrices: xx, yy, zz, xy, xz, yz -----------------------------------------------------------------------
@small
def load6(array, at):
    return (array[at], array[at + 1], array[at + 2], array[at + 3], array[at + 4], array[at + 5])


@small
def store6(array, at, S):
    for i in range(6):
        array[at + i] = S[i]


@small
def axpy6(s, A, B):
    """s A + B"""
    return (s * A[0] + B[0], s * A[1] + B[1], s * A[2] + B[2], s * A[3] + B[3], s * A[4] + B[4], s * A[5] + B[5])


@small
def times(S, w):
    return (
        S[0] * w[0] + S[3] * w[1] + S[4] * w[2],
        S[3] * w[0] + S[1] * w[1] + S[5] * w[2],
        S[4] * w[0] + S[5] * w[1] + S[2] * w[2],
    )


@small
def inverse(S):
    a, b, c = S[1] * S[2] - S[5] * S[5], S[4] * S[5] - S[3] * S[2], S[3] * S[5] - S[4] * S[1]
    d = 1.0 / (S[0] * a + S[3] * b + S[4] * c)
    return (
        d * a,
        d * (S[0] * S[2] - S[4] * S[4]),
        d * (S[0] * S[1] - S[3] * S[3]),
        d * b,
        d * c,
        d * (S[3] * S[4] - S[0] * S[5]),
    )


@small
def load3_at(array, at):
    return (array[at], array[at + 1], array[at + 2])


@small
def store3_at(array, at, a):
    array[at], array[at + 1], array[at + 2] = a[0], a[1], a[2]


# -- numbers of a body and its scratch --------------------------------------------------------------------------------
@small
def tilts_at(body, k):
    """Where the first of dJ/dq_k at rest is in modal_numbers."""
    return body.first + 6 * k


@small
def turns_at(body, k, l):
    """c_kl"""
    return body.first + 6 * body.count + 9 * (k * body.count + l)


@small
def bends_at(body, k, l):
    """Half of d²J/dq_k dq_l."""
    return turns_at(body, k, l) + 3


@small
def C_at(body, l):
    return body.scratch + MODAL_SHARED + 3 * l


@small
def E_at(body, l):
    return body.scratch + MODAL_SHARED + 3 * (body.count + l)


@small
def D_at(body, l):
    return body.scratch + MODAL_SHARED + 6 * (body.count + l)


@small
def a_at(body, l):
    """Accelerations of the amplitudes at the last residual."""
    return body.scratch + MODAL_SHARED + 12 * body.count + l


@small
def amplitude(body, array, l):
    """Of an array by nodes: work.x, v or force."""
    return array[body.amplitudes + l // 3, l % 3]


@small
def inertia_at_rest(tables, body):
    J = tables.nodes[body.node].inertia
    return (J[0], J[1], J[2], 0.0, 0.0, 0.0)


@small
def spin(tables, body, v):
    """Of the frame, in its axes."""
    return load3_at(v, tables.nodes[body.node].v + 3)


@device
def prepare(tables, body, work):
    """Scratch of a body placed in work: C, E and D of every shape; J(q), J', and the inverse of J - C C'/mass."""
    numbers, s = tables.modal_numbers, work.modal
    J, J_rate = inertia_at_rest(tables, body), ZERO6
    left = ZERO6
    for l in range(body.count):
        C, E, D = ZERO, ZERO, load6(numbers, tilts_at(body, l))
        rest = D
        for k in range(body.count):
            q, rate = amplitude(body, work.x, k), amplitude(body, work.v, k)
            c = load3_at(numbers, turns_at(body, k, l))
            C, E = axpy(q, c, C), axpy(rate, c, E)
            D = axpy6(2.0 * q, load6(numbers, bends_at(body, k, l)), D)
        store3_at(s, C_at(body, l), C)
        store3_at(s, E_at(body, l), E)
        store6(s, D_at(body, l), D)
        half = 0.5 * amplitude(body, work.x, l)
        J = axpy6(half, D, axpy6(half, rest, J))
        J_rate = axpy6(amplitude(body, work.v, l), D, J_rate)
        outer = (C[0] * C[0], C[1] * C[1], C[2] * C[2], C[0] * C[1], C[0] * C[2], C[1] * C[2])
        left = axpy6(1.0 / body.mass, outer, left)
    store6(s, body.scratch, J)
    store6(s, body.scratch + 6, J_rate)
    store6(s, body.scratch + 12, inverse(axpy6(-1.0, left, J)))


@device
def turning_alone(tables, body, work, w):
    """J' w + w x (J w + C q')"""
    s, moving = work.modal, ZERO
    for l in range(body.count):
        moving = axpy(amplitude(body, work.v, l), load3_at(s, C_at(body, l)), moving)
    moving = add(moving, times(load6(s, body.scratch), w))
    return add(times(load6(s, body.scratch + 6), w), cross(w, moving))


@small
def shaking_alone(body, s, l, w):
    """2 E_l.w - w.D_l w / 2"""
    return 2.0 * dot(load3_at(s, E_at(body, l)), w) - 0.5 * dot(w, times(load6(s, D_at(body, l)), w))


@device
def divide_by_inertia(tables, body, work, f):
    """f, generalized forces, <- M⁻¹ f for the turns of the frame and the amplitudes."""
    s, j, first = work.modal, tables.nodes[body.node].v + 3, tables.nodes[body.amplitudes].v
    moment, by_mass = load3_at(f, j), 1.0 / body.mass
    for l in range(body.count):
        f[first + l] *= by_mass
        moment = axpy(-f[first + l], load3_at(s, C_at(body, l)), moment)
    turn = times(load6(s, body.scratch + 12), moment)
    store3_at(f, j, turn)
    for l in range(body.count):
        f[first + l] -= by_mass * dot(load3_at(s, C_at(body, l)), turn)


# -- accelerations ----------------------------------------------------------------------------------------------------
@device
def free_modal_accelerations(tables, v, work, out):
    """Correct the accelerations without reactions, which every node found by itself."""
    for b in range(len(tables.modal)):
        body = tables.modal[b]
        prepare(tables, body, work)
        node, first = tables.nodes[body.node], tables.nodes[body.amplitudes].v
        w, J = spin(tables, body, v), node.inertia
        rest = (J[0] * w[0], J[1] * w[1], J[2] * w[2])
        own = cross(w, rest)
        moment = load3_at(out, node.v + 3)
        moment = add(own, (J[0] * moment[0], J[1] * moment[1], J[2] * moment[2]))
        store3_at(out, node.v + 3, sub(moment, turning_alone(tables, body, work, w)))
        for l in range(body.count):
            out[first + l] = amplitude(body, work.force, l) - shaking_alone(body, work.modal, l, w)
        divide_by_inertia(tables, body, work, out)


@device
def weigh_modal_rows(tables, work):
    """H = G M⁻¹ of rows that hold bodies by modes."""
    for b in range(len(tables.modal)):
        prepare(tables, tables.modal[b], work)
    G, H, s = work.G, work.H, work.modal
    for r in range(len(tables.modal_rows)):
        row = tables.modal_rows[r]
        body, k, first = tables.modal[row.body], row.block, row.amplitudes
        moment, by_mass = (G[k, 3], G[k, 4], G[k, 5]), 1.0 / body.mass
        for l in range(body.count):
            moment = axpy(-by_mass * G[first + l // 3, l % 3], load3_at(s, C_at(body, l)), moment)
        turn = times(load6(s, body.scratch + 12), moment)
        H[k, 3], H[k, 4], H[k, 5] = turn[0], turn[1], turn[2]
        for l in range(body.count):
            along = G[first + l // 3, l % 3] - dot(load3_at(s, C_at(body, l)), turn)
            H[first + l // 3, l % 3] = by_mass * along


@device
def divide_modal(tables, work, f, out):
    """out <- M⁻¹ f for the generalized forces on bodies by modes, at the place rows were weighed at."""
    for b in range(len(tables.modal)):
        body = tables.modal[b]
        j, first = tables.nodes[body.node].v + 3, tables.nodes[body.amplitudes].v
        for k in range(3):
            out[j + k] = f[j + k]
        for l in range(body.count):
            out[first + l] = f[first + l]
        divide_by_inertia(tables, body, work, out)


# -- energy -----------------------------------------------------------------------------------------------------------
@device
def modal_kinetic_energy(tables, q, v):
    """Beyond what nodes have by themselves."""
    total, numbers = 0.0, tables.modal_numbers
    for b in range(len(tables.modal)):
        body = tables.modal[b]
        w = spin(tables, body, v)
        place, rate = tables.nodes[body.amplitudes].q, tables.nodes[body.amplitudes].v
        for k in range(body.count):
            J, c = load6(numbers, tilts_at(body, k)), ZERO
            for l in range(body.count):
                J = axpy6(q[place + l], load6(numbers, bends_at(body, k, l)), J)
                c = axpy(v[rate + l], load3_at(numbers, turns_at(body, k, l)), c)
            total += q[place + k] * (0.5 * dot(w, times(J, w)) + dot(w, c))
    return total


# -- residual and tangent ---------------------------------------------------------------------------------------------
@device
def add_modal_residual(tables, v, a, work, out):
    """out += what M a and the forces of inertia have beyond those of nodes by themselves."""
    s = work.modal
    for b in range(len(tables.modal)):
        body = tables.modal[b]
        prepare(tables, body, work)
        node, first = tables.nodes[body.node], tables.nodes[body.amplitudes].v
        w, turn, rest = spin(tables, body, v), load3_at(a, node.v + 3), inertia_at_rest(tables, body)
        moment = times(axpy6(-1.0, rest, load6(s, body.scratch)), turn)
        moment = add(moment, sub(turning_alone(tables, body, work, w), cross(w, times(rest, w))))
        for l in range(body.count):
            C = load3_at(s, C_at(body, l))
            moment = axpy(a[first + l], C, moment)
            out[first + l] += dot(C, turn) + shaking_alone(body, s, l, w)
            s[a_at(body, l)] = a[first + l]
        store3_at(s, body.scratch + 18, turn)
        for k in range(3):
            out[node.v + 3 + k] += moment[k]


@small
def place_of(body, modal_at, i, j):
    """(offset, stride) of the block between two nodes of a body: 0 the frame, then those of amplitudes."""
    each = body.count // 3 + 1
    at = body.pairs + i * each + j
    return modal_at[at, 0], modal_at[at, 1]


@small
def add_entry(body, values, modal_at, i, j, value):
    """Between two freedoms: 0 to 2 turns of the frame, then amplitudes."""
    offset, stride = place_of(body, modal_at, i // 3, j // 3)
    row = i % 3 + (3 if i < 3 else 0)
    column = j % 3 + (3 if j < 3 else 0)
    values[offset + row * stride + column] += value


@device
def add_turning_tangent(tables, body, work, w, weight_mass, weight_rate, values, modal_at):
    """Of the frame's own turns."""
    s = work.modal
    more = axpy6(-1.0, inertia_at_rest(tables, body), load6(s, body.scratch))
    J_rate, moving = load6(s, body.scratch + 6), times(more, w)
    for l in range(body.count):
        moving = axpy(amplitude(body, work.v, l), load3_at(s, C_at(body, l)), moving)
    for k in range(3):
        e = (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)
        column = add(times(J_rate, e), add(cross(w, times(more, e)), cross(e, moving)))
        column = axpy(weight_mass, times(more, e), scale(weight_rate, column))
        for i in range(3):
            add_entry(body, values, modal_at, int64(i), int64(k), column[i])


@device
def add_mixed_tangent(body, work, l, w, weight_mass, weight_rate, values, modal_at):
    """Between turns and an amplitude, but for its place."""
    s = work.modal
    C, E, Dw = load3_at(s, C_at(body, l)), load3_at(s, E_at(body, l)), times(load6(s, D_at(body, l)), w)
    on_frame = axpy(weight_mass, C, scale(weight_rate, add(Dw, cross(w, C))))
    on_shape = axpy(weight_mass, C, scale(weight_rate, axpy(2.0, E, scale(-1.0, Dw))))
    for i in range(3):
        add_entry(body, values, modal_at, int64(i), int64(3 + l), on_frame[i])
        add_entry(body, values, modal_at, int64(3 + l), int64(i), on_shape[i])


@device
def add_placed_tangent(tables, body, work, k, w, weight_rate, weight_place, values, modal_at):
    """By the place of amplitude k, and between amplitudes."""
    s, numbers = work.modal, tables.modal_numbers
    turn, D = load3_at(s, body.scratch + 18), load6(s, D_at(body, k))
    along, rate, D_rate = ZERO, ZERO, ZERO6
    for l in range(body.count):
        c, bend = load3_at(numbers, turns_at(body, k, l)), load6(numbers, bends_at(body, k, l))
        along, rate = axpy(s[a_at(body, l)], c, along), axpy(amplitude(body, work.v, l), c, rate)
        D_rate = axpy6(2.0 * amplitude(body, work.v, l), bend, D_rate)
        by_place = dot(c, turn) - dot(w, times(bend, w))
        change = weight_rate * 2.0 * dot(c, w) + weight_place * by_place
        add_entry(body, values, modal_at, int64(3 + l), int64(3 + k), change)
    moment = add(add(times(D, turn), along), add(times(D_rate, w), cross(w, add(times(D, w), rate))))
    for i in range(3):
        add_entry(body, values, modal_at, int64(i), int64(3 + k), weight_place * moment[i])


@device
def add_modal_tangent(tables, v, work, weight_mass, weight_rate, weight_place, values, modal_at):
    """Of add_modal_residual, as that left the scratch."""
    for b in range(len(tables.modal)):
        body = tables.modal[b]
        w = spin(tables, body, v)
        add_turning_tangent(tables, body, work, w, weight_mass, weight_rate, values, modal_at)
        for l in range(body.count):
            add_mixed_tangent(body, work, l, w, weight_mass, weight_rate, values, modal_at)
            add_placed_tangent(tables, body, work, l, w, weight_rate, weight_place, values, modal_at)
