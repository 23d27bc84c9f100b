"""Kicks and drifts of the nodes that only cells, loads and drag act on, in one pass: see solve.leapfrog.

Their inertia is the same in all directions, so that angular velocity is world momentum over inertia at any attitude.
"""

from __future__ import annotations

from ..jit import device
from ..math.rotations import matrix_from_quaternion, quaternion_product
from ..math.vec3 import load3
from ..mechanics.forces import put_weight
from ..mechanics.motion import load_quaternion, store_quaternion, turned_back
from ..mechanics.tables import FRAME


@device
def quickly_turned(p, a):
    """exp(2 a) p for small a, of unit length to second order in its error."""
    x = a[0] * a[0] + a[1] * a[1] + a[2] * a[2]
    s = 1.0 + x * (-0.16666666666666666 + x * (0.008333333333333333 + x * -0.0001984126984126984))
    c = 1.0 + x * (-0.5 + x * (0.041666666666666664 + x * (-0.001388888888888889 + x * 2.48015873015873e-05)))
    p = quaternion_product((c, s * a[0], s * a[1], s * a[2]), p)
    r = 1.5 - 0.5 * (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3])
    return (r * p[0], r * p[1], r * p[2], r * p[3])


@device
def move_owned(tables, loop, s, work, h, evaluated):
    """Momenta over the kick, placements to the end of the step, in the state and in work, and weight for the forces to
    come; evaluated: the kick is s.total, else it is what stands in work."""
    half, q, ahead = s.half, loop.q, s.ahead[0] > 0
    followed = ahead or len(tables.loads) > 0  # else nothing asks for what they drift
    for i in range(len(s.owned)):
        n = s.owned[i]
        node = tables.nodes[n]
        j, at, im = node.v, node.q, node.inverse_mass
        for k in range(3):
            v0 = half[j + k]
            v = v0 + h * (s.total[j + k] if evaluated else im * work.force[n, k])
            half[j + k] = v
            if followed:
                s.drift[j + k] = v
            x = q[at + k] + h * v
            q[at + k] = x
            work.x[n, k] = x
            if ahead:
                work.v[n, k] = 1.5 * v - 0.5 * v0
        if node.kind == FRAME:
            turn_owned(tables, n, loop, s, work, h, evaluated, followed)
        put_weight(tables, n, work)


@device
def turn_owned(tables, n, loop, s, work, h, evaluated, followed):
    """The part of a node's attitude."""
    node = tables.nodes[n]
    j, at, ij = node.v + 3, node.q + 3, node.inverse_inertia[0]
    for k in range(3):
        l0 = s.half[j + k]
        l = l0 + h * (s.total[j + k] if evaluated else work.moment[n, k])
        s.half[j + k] = l
        if followed:
            s.drift[j + k] = ij * l
        if s.ahead[0] > 0:
            work.w[n, k] = ij * (1.5 * l - 0.5 * l0)
    a = 0.5 * h * ij
    p = load_quaternion(loop.q, at)
    p = quickly_turned(p, (a * s.half[j], a * s.half[j + 1], a * s.half[j + 2]))
    store_quaternion(loop.q, at, p)
    matrix_from_quaternion(p[0], p[1], p[2], p[3], work.R, n)


@device
def owned_ahead(tables, loop, s, work):
    """loop.v <- velocities foreseen for the nodes owned, where there is damping."""
    for i in range(len(s.owned) if s.ahead[0] > 0 else 0):
        n = s.owned[i]
        node = tables.nodes[n]
        for k in range(3):
            loop.v[node.v + k] = work.v[n, k]
        if node.kind == FRAME:
            w = turned_back(load_quaternion(loop.q, node.q + 3), load3(work.w, n))
            for k in range(3):
                loop.v[node.v + 3 + k] = w[k]
