"""The exact derivative of a beam element's forces.

A small motion of the nodes moves section B relative to A by δ in B's axes, and f = J' s changes by T δ,

    T = J' (K^/L) J + β J' (K/L) (dη-terms) + d(J's)/dΩ J,    K^ the derivative of the elastic stress.

With F, M the force and moment of f, r and h the arms from nodes b and a to section B (all in B's axes), x = xb - xa,
and turns ta, tb, the residual of the nodes, which is f carried to node b and -f carried to node a, changes by

    force        df_N + tb × F
    moment on b  df_M + r × df_N                                             read in node b's axes
    moment on a  -(df_M + δr × M + δx × F + h × (df_N + δr × F))             read in node a's axes

Pairs (X, Y) stand for [[X, Y], [0, X]].
"""

from ..jit import device, small
from ..math.mat3 import (
    axpy33,
    block33,
    load33,
    plus33,
    product,
    scale33,
    skew,
    skew_times,
    times_skew,
    transform_back,
    transposed,
)
from ..math.screws import bend, dual_axpy, dual_product, dual_scale, log_matrices, slope
from ..math.vec3 import add, cross, load3, scale, sub
from .beams import bowed, damping_stress, elastic_stress, relative_twist, screw, section_wrench, sections, strain_beyond
from .blocks import add_pair
from .tables import FRAME

NOTHING = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@device
def rate_terms(tables, e, work, RB, ra, rb, d, rho, phi, c, c1, c2, J):
    """d(Ω')/dδ at given velocities of the nodes: d(Jη)/dΩ J + J dη/dδ, as a pair.

    dη = -ad(ηA) δ + (vb × δr, 0) + ((vb - va) × ta, 0): the last part is no function of δ, see beam_change.
    """
    a, b = tables.beams[e].a, tables.beams[e].b
    u, w = relative_twist(tables, e, work, RB, ra, rb, d)
    first = slope(0.5, c, c1, phi, w)
    by_screw = first, plus33(slope(0.5, c, c1, phi, u), bend(c, c1, c2, phi, rho, w))
    wa = transform_back(RB, load3(work.w, a))
    arm = transform_back(RB, add(ra, d))
    drift = transform_back(RB, sub(load3(work.v, b), load3(work.v, a)))
    by_twist = scale33(-1.0, skew(wa)), skew(sub(drift, cross(wa, arm)))
    return dual_axpy(1.0, dual_product(by_screw, J), dual_product(J, by_twist))


@small
def back_through_log(J, upper, lower):
    """J' times the six rows (upper, lower)."""
    D, E = transposed(J[0]), transposed(J[1])
    return product(D, upper), plus33(product(E, upper), product(D, lower))


@small
def stiffness_blocks(tables, e):
    """K / L in three blocks."""
    K, r = tables.beams[e].stiffness, 1.0 / tables.beams[e].length
    return scale33(r, block33(K, 0, 0)), scale33(r, block33(K, 0, 3)), scale33(r, block33(K, 3, 3))


@small
def axial_force(tables, e, g, k):
    """The force that answers the bowed stretch."""
    K, s = tables.beams[e].stiffness, bowed(tables.beams[e], g)[0]
    return (K[0, 0] * s[0] + K[0, 1] * s[1] + K[0, 2] * s[2]) + (K[0, 3] * k[0] + K[0, 4] * k[1] + K[0, 5] * k[2])


@small
def row_added(x, y, z, K):
    """B'K for B = 1 + ex (x, y, z)'."""
    return (
        K[0] + x * K[0], K[1] + x * K[1], K[2] + x * K[2],
        K[3] + y * K[0], K[4] + y * K[1], K[5] + y * K[2],
        K[6] + z * K[0], K[7] + z * K[1], K[8] + z * K[2],
    )  # fmt: skip


@small
def bowed_blocks(tables, e, K, g, tension):
    """K^ / L in three blocks: B'KB + tension d²stretch/dΓ², with the stretch's slope in B."""
    K11, K12, K22 = K
    b = tables.beams[e].bow
    _, u, r = bowed(tables.beams[e], g)
    x, y, z = b[0] * (u[0] - 1.0), b[0] * u[1], b[0] * u[2]
    K11 = transposed(row_added(x, y, z, transposed(row_added(x, y, z, K11))))
    s = b[0] * r * tension / tables.beams[e].length
    xy, xz, yz = s * u[0] * u[1], s * u[0] * u[2], s * u[1] * u[2]
    K11 = (
        K11[0] + s * (1.0 - u[0] * u[0]), K11[1] - xy, K11[2] - xz,
        K11[3] - xy, K11[4] + s * (b[1] - u[1] * u[1]), K11[5] - yz,
        K11[6] - xz, K11[7] - yz, K11[8] + s * (b[2] - u[2] * u[2]),
    )  # fmt: skip
    return K11, row_added(x, y, z, K12), K22


@small
def through_log(K, J, V):
    """J' K V in four blocks by rows."""
    K11, K12, K22 = K
    K21 = transposed(K12)
    T11, T21 = back_through_log(J, product(K11, V[0]), product(K21, V[0]))
    upper = plus33(product(K11, V[1]), product(K12, V[0]))
    lower = plus33(product(K21, V[1]), product(K22, V[0]))
    T12, T22 = back_through_log(J, upper, lower)
    return T11, T12, T21, T22


@small
def plus_four(A, B):
    return plus33(A[0], B[0]), plus33(A[1], B[1]), plus33(A[2], B[2]), plus33(A[3], B[3])


@small
def with_bends(T, J, bend_n, bend_m):
    """T + [[0, P], [P, Q]] J, in four blocks by rows."""
    T11, T12, T21, T22 = T
    PD = product(bend_n, J[0])
    T22 = plus33(T22, plus33(product(bend_n, J[1]), product(bend_m, J[0])))
    return T11, plus33(T12, PD), plus33(T21, PD), T22


@small
def beam_change(tables, e, work, weight_rate, weight_place):
    """(F, M, arm from node a to section B, RB, T in four blocks, the part by ta in two), in B's axes."""
    beam = tables.beams[e]
    RA, RB, ra, rb, d = sections(tables, e, work)
    rho, phi, c, c1, c2 = screw(RA, RB, d)
    g, k = strain_beyond(tables, e, rho, phi)
    n, m = elastic_stress(tables, e, g, k)
    tension = axial_force(tables, e, g, k)
    J = log_matrices(c, c1, phi, rho)
    K = stiffness_blocks(tables, e)
    if work.mixed[0]:
        tension = work.stress[e, 0]
    T = through_log(bowed_blocks(tables, e, K, g, tension), J, dual_scale(weight_place, J))
    turn_n, turn_m = NOTHING, NOTHING
    if beam.damping > 0.0:
        nd, md, _ = damping_stress(tables, e, work, RB, ra, rb, d, rho, phi, c, c1)
        n, m = add(n, nd), add(m, md)
        rates = rate_terms(tables, e, work, RB, ra, rb, d, rho, phi, c, c1, c2, J)
        V = dual_axpy(weight_place * beam.damping, rates, dual_scale(weight_rate * beam.damping, J))
        T = plus_four(T, through_log(K, J, V))
        drift = transform_back(RB, sub(load3(work.v, beam.b), load3(work.v, beam.a)))
        by_turn = scale33(weight_place * beam.damping, times_skew(J[0], drift))
        turn_n, turn_m = back_through_log(J, product(K[0], by_turn), product(transposed(K[1]), by_turn))
    if work.mixed[0]:
        n = (work.stress[e, 0], work.stress[e, 1], work.stress[e, 2])
        m = (work.stress[e, 3], work.stress[e, 4], work.stress[e, 5])
    bend_n = scale33(weight_place, slope(-0.5, c, c1, phi, n))
    bend_m = plus33(slope(-0.5, c, c1, phi, m), bend(c, c1, c2, phi, rho, n))
    T = with_bends(T, J, bend_n, scale33(weight_place, bend_m))
    F, M = section_wrench(rho, phi, c, c1, n, m)
    return F, M, transform_back(RB, add(ra, d)), RB, T, (turn_n, turn_m)


@small
def nodal_change(F, M, h, r, T, turn):
    """Rows (force, moment on b, minus moment on a) by columns (x, ta, tb), all in B's axes."""
    T11, T12, T21, T22 = T
    Nb = axpy33(-1.0, times_skew(T11, r), T12)
    Mb = axpy33(-1.0, times_skew(T21, r), T22)
    Na = plus33(axpy33(-1.0, T12, times_skew(T11, h)), turn[0])
    Ma = plus33(axpy33(-1.0, T22, times_skew(T21, h)), turn[1])
    on_b = plus33(T21, skew_times(r, T11)), plus33(Ma, skew_times(r, Na)), plus33(Mb, skew_times(r, Nb))
    # what reading the moment on a in the turning axes adds: -F×, -M× - h× F× of δ
    f, hf = skew(F), skew(cross(h, F))
    on_a = (
        axpy33(-1.0, f, plus33(T21, skew_times(h, T11))),
        plus33(plus33(Ma, skew_times(h, Na)), plus33(skew(M), hf)),
        plus33(plus33(Mb, skew_times(h, Nb)), axpy33(-1.0, skew(M), axpy33(-1.0, skew_times(h, f), times_skew(f, r)))),
    )
    return (T11, Na, axpy33(-1.0, f, Nb)), on_b, on_a


@small
def turned(left, blocks, x, a, b):
    """left times three blocks times x, a, b."""
    return (
        product(product(left, blocks[0]), x),
        product(product(left, blocks[1]), a),
        product(product(left, blocks[2]), b),
    )


@device
def add_beam_tangent(tables, e, work, weight_rate, weight_place, values, places):
    a, b = tables.beams[e].a, tables.beams[e].b
    F, M, h, RB, T, turn = beam_change(tables, e, work, weight_rate, weight_place)
    qb, s = block33(tables.beams[e].qb, 0, 0), tables.beams[e].sb
    r = transform_back(qb, (s[0], s[1], s[2]))
    force, on_b, on_a = nodal_change(scale(weight_place, F), scale(weight_place, M), h, r, T, turn)
    from_x, from_b, from_a = transposed(RB), transposed(qb), product(transposed(RB), load33(work.R, a))
    force = turned(RB, force, from_x, from_a, from_b)
    on_b = turned(qb, on_b, from_x, from_a, from_b)
    on_a = turned(scale33(-1.0, transposed(from_a)), on_a, from_x, from_a, from_b)
    turns_a, turns_b = tables.nodes[a].kind == FRAME, tables.nodes[b].kind == FRAME
    add_pair(values, places, e, turns_a, turns_b, force, on_a, on_b)
