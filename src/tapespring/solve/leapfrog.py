"""Central differences on R³ x SO(3): kicks of the momenta, drifts of the placements between them.

    v+ = v- + h a,    x <- x + h v+            velocities half a step after and before the time of a
    L+ = L- + h m,    R <- R exp(h w)          L: angular momentum about the node, world axes; m: moment

with w, the angular velocity of the drift in body axes, from R exp(h w / 2) J w = L+: momentum belongs to the attitude
in the middle. Forces that balance change neither sum of m v nor of x × m v + L: both are kept to rounding. At the times
of the kicks velocities are the means, v- + h a / 2 and J w = R' (L- + h m / 2).

Forces are taken at velocities foreseen by the last accelerations, which keeps order 2 with damping. Constraints are met
at every placement by impulses M d / h for the displacements d that the projection adds (SHAKE).
"""

from __future__ import annotations

from ..jit import device
from ..math.rotations import normalized, quaternion_exp, quaternion_product, rotate
from ..math.vec3 import cross, dot
from ..mechanics import linking
from ..mechanics.constraints import evaluate_rows, factorize_rows, solve_multipliers, subtract_reactions
from ..mechanics.motion import load_quaternion, place_node, store_quaternion, turned_back
from ..mechanics.projection import copy, largest
from ..mechanics.tables import FRAME, MOVING_POSE, MOVING_TWIST, POINT

SOLVED = 1e-30  # square of the last change of w relative to w: converged


@device
def at3(a, i):
    return (a[i], a[i + 1], a[i + 2])


@device
def to_world(p, a):
    """p a p*"""
    return turned_back((p[0], -p[1], -p[2], -p[3]), a)


@device
def spin(node, p, L):
    """Body angular velocity of the angular momentum L (world) at attitude p."""
    m, i = turned_back(p, L), node.inverse_inertia
    return (i[0] * m[0], i[1] * m[1], i[2] * m[2])


@device
def spin_between(node, p, L, h):
    """w with R exp(h w / 2) J w = L."""
    m, i = turned_back(p, L), node.inverse_inertia
    w = (i[0] * m[0], i[1] * m[1], i[2] * m[2])
    if i[0] == i[1] and i[1] == i[2]:  # a ball turns about its momentum
        return w
    for _ in range(20):
        n = turned_back(quaternion_exp((0.5 * h * w[0], 0.5 * h * w[1], 0.5 * h * w[2])), m)
        new = (i[0] * n[0], i[1] * n[1], i[2] * n[2])
        change = (new[0] - w[0], new[1] - w[1], new[2] - w[2])
        w = new
        if not dot(change, change) > SOLVED * dot(w, w):
            break
    return w


# -- kicks ------------------------------------------------------------------------------------------------------------


@device
def take_totals(tables, loop, s, work):
    """s.total <- accelerations and world moments, reactions included; s.applied <- forces and moments without. s.a may
    be s.total: of each node it is read first."""
    for i in range(len(s.nodes)):
        n = s.nodes[i]
        node = tables.nodes[n]
        j = node.v
        for k in range(3):
            s.total[j + k] = s.a[j + k]
        if node.kind == FRAME:
            J, w = node.inertia, at3(loop.v, j + 3)
            g = cross(w, (J[0] * w[0], J[1] * w[1], J[2] * w[2]))
            m = (J[0] * s.a[j + 3] + g[0], J[1] * s.a[j + 4] + g[1], J[2] * s.a[j + 5] + g[2])
            m = rotate(work.R, n, m)
            for k in range(3):
                s.total[j + 3 + k] = m[k]
    take_applied(tables, s, work)


@device
def take_applied(tables, s, work):
    """s.applied <- forces and moments of laws, of those that hold prescribed nodes without loads and weight"""
    for i in range(len(s.counted)):
        n = s.counted[i]
        node = tables.nodes[n]
        for k in range(3):
            s.applied[node.v + k] = work.force[n, k]
            if node.kind == FRAME:
                s.applied[node.v + 3 + k] = work.moment[n, k]
    for i in range(len(s.prescribed)):
        n = s.prescribed[i]
        node = tables.nodes[n]
        for k in range(3):
            s.applied[node.v + k] = work.force[n, k] - node.weight * tables.gravity[k]
            s.applied[node.v + 3 + k] = work.moment[n, k]
    for i in range(len(tables.loads)):
        node = tables.nodes[tables.loads[i].node]
        if node.kind == MOVING_POSE or node.kind == MOVING_TWIST:
            for k in range(6):
                s.applied[node.v + k] -= s.load[i, k]


@device
def take_lost(tables, s, work):
    """s.lost <- forces and moments of contacts that no energy is behind."""
    for i in range(len(s.nodes)):
        n = s.nodes[i]
        node = tables.nodes[n]
        for k in range(3 if node.kind == POINT else 6):
            s.lost[0, node.v + k] = work.lost[n, k]
            s.lost[1, node.v + k] = work.lost[n, 6 + k]
    for i in range(len(s.prescribed)):
        n = s.prescribed[i]
        for k in range(6):
            s.lost[0, tables.nodes[n].v + k] = work.lost[n, k]
            s.lost[1, tables.nodes[n].v + k] = work.lost[n, 6 + k]


@device
def momenta_before(tables, loop, s, h):
    """s.half <- half a step before the present state."""
    for i in range(len(s.nodes)):
        node = tables.nodes[s.nodes[i]]
        j, size = node.v, 3 if node.kind == POINT else 6
        for k in range(j, j + 3):
            s.half[k] = loop.v[k]
        if node.kind == FRAME:
            J, w = node.inertia, at3(loop.v, j + 3)
            L = to_world(load_quaternion(loop.q, node.q + 3), (J[0] * w[0], J[1] * w[1], J[2] * w[2]))
            for k in range(3):
                s.half[j + 3 + k] = L[k]
        for k in range(j, j + size):
            s.half[k] -= 0.5 * h * s.total[k]


@device
def velocities_from(tables, loop, s, h):
    """loop.v <- half a step after s.half by the kick s.total, at the attitudes of loop.q."""
    for i in range(len(s.nodes)):
        node = tables.nodes[s.nodes[i]]
        j = node.v
        for k in range(j, j + 3):
            loop.v[k] = s.half[k] + 0.5 * h * s.total[k]
        if node.kind == FRAME:
            L, m = at3(s.half, j + 3), at3(s.total, j + 3)
            L = (L[0] + 0.5 * h * m[0], L[1] + 0.5 * h * m[1], L[2] + 0.5 * h * m[2])
            w = spin(node, load_quaternion(loop.q, node.q + 3), L)
            for k in range(3):
                loop.v[j + 3 + k] = w[k]


# -- drifts -----------------------------------------------------------------------------------------------------------


@device
def kick_and_drift(tables, loop, s, h):
    """Momenta over the kick, placements to the end of the step."""
    for i in range(len(s.nodes)):
        node = tables.nodes[s.nodes[i]]
        i_q, j = node.q, node.v
        for k in range(3):
            s.half[j + k] += h * s.total[j + k]
            loop.q[i_q + k] += h * s.half[j + k]
            s.drift[j + k] = s.half[j + k]
        if node.kind == FRAME:
            for k in range(j + 3, j + 6):
                s.half[k] += h * s.total[k]
            p = load_quaternion(loop.q, i_q + 3)
            w = spin_between(node, p, at3(s.half, j + 3), h)
            p = quaternion_product(p, quaternion_exp((h * w[0], h * w[1], h * w[2])))
            store_quaternion(loop.q, i_q + 3, normalized(p))
            w = to_world(p, w)
            for k in range(3):
                s.drift[j + 3 + k] = w[k]


@device
def drift_prescribed(tables, t, loop, s, work, h):
    """Nodes whose motion is prescribed to time t, and the velocities that take them there. Twists are integrated by the
    trapezoid rule."""
    for m in range(len(s.prescribed)):
        n = s.prescribed[m]
        node = tables.nodes[n]
        i, j = node.q, node.v
        x, p, u, w = at3(loop.q, i), load_quaternion(loop.q, i + 3), at3(loop.v, j), at3(loop.v, j + 3)
        for _ in range(2 if node.kind == MOVING_TWIST else 0):
            linking.prescribe(tables, n, t, loop.q, loop.v, work)
            turn = (w[0] + loop.v[j + 3], w[1] + loop.v[j + 4], w[2] + loop.v[j + 5])
            turn = quaternion_exp((0.5 * h * turn[0], 0.5 * h * turn[1], 0.5 * h * turn[2]))
            store_quaternion(loop.q, i + 3, normalized(quaternion_product(p, turn)))
            for k in range(3):
                loop.q[i + k] = x[k] + 0.5 * h * (u[k] + loop.v[j + k])
        linking.prescribe(tables, n, t, loop.q, loop.v, work)
        w = turn_between(p, load_quaternion(loop.q, i + 3))
        for k in range(3):
            s.drift[j + k] = (loop.q[i + k] - x[k]) / h
            s.drift[j + 3 + k] = w[k] / h


@device
def turn_between(p, r):
    """Rotation vector from attitude p to r, world axes, for small ones."""
    u = quaternion_product(r, (p[0], -p[1], -p[2], -p[3]))
    s2 = u[1] * u[1] + u[2] * u[2] + u[3] * u[3]
    f = (2.0 if u[0] >= 0.0 else -2.0) * (1.0 + s2 * (1.0 / 6.0 + s2 * (3.0 / 40.0 + s2 * 15.0 / 336.0)))
    return (f * u[1], f * u[2], f * u[3])


# -- constraints ------------------------------------------------------------------------------------------------------


@device
def place(tables, t, loop, s, work):
    """Placements of the nodes treated one by one."""
    for i in range(len(s.placed)):
        place_node(tables, s.placed[i], t, loop.q, loop.v, work)


@device
def move_rows(tables, loop, s, d, h):
    """Displacements d (rotations in body axes) of the nodes with constraints, and the impulses that make them."""
    for i in range(len(s.row_nodes)):
        node = tables.nodes[s.row_nodes[i]]
        j = node.v
        for k in range(3):
            loop.q[node.q + k] += d[j + k]
            s.half[j + k] += d[j + k] / h
            s.drift[j + k] += d[j + k] / h
        if node.kind == FRAME:
            J, p = node.inertia, load_quaternion(loop.q, node.q + 3)
            r = at3(d, j + 3)
            L, w = to_world(p, (J[0] * r[0], J[1] * r[1], J[2] * r[2])), to_world(p, r)
            store_quaternion(loop.q, node.q + 3, normalized(quaternion_product(p, quaternion_exp(r))))
            for k in range(3):
                s.half[j + 3 + k] += L[k] / h
                s.drift[j + 3 + k] += w[k] / h


@device
def meet_constraints(tables, t, loop, s, work, h, small):
    """Positions onto the constraints, by impulses; work.found[0] gets the violation there was."""
    d, l = work.correction, work.rhs
    for trial in range(4):
        place(tables, t, loop, s, work)
        evaluate_rows(tables, t, work)
        worst = largest(work.g)
        if trial == 0:
            factorize_rows(tables, work)
            work.found[0] = worst
        if not worst > small:
            break
        for i in range(len(s.row_nodes)):
            node = tables.nodes[s.row_nodes[i]]
            for k in range(node.v, node.v + (3 if node.kind == POINT else 6)):
                d[k] = 0.0
        copy(work.g, l)
        solve_multipliers(tables, work, l)
        subtract_reactions(tables, work, l, d)
        move_rows(tables, loop, s, d, h)


@device
def meet_rates(tables, t, loop, s, work):
    """Velocities of nodes with constraints onto them; work.found[1] gets the violation there was."""
    place(tables, t, loop, s, work)
    evaluate_rows(tables, t, work)
    factorize_rows(tables, work)
    work.found[1] = largest(work.g_rate)
    copy(work.g_rate, work.rhs)
    solve_multipliers(tables, work, work.rhs)
    subtract_reactions(tables, work, work.rhs, loop.v)


# -- works ------------------------------------------------------------------------------------------------------------


@device
def work_of(tables, s, forces):
    """Power of forces and moments on the nodes counted during the drift."""
    total = 0.0
    for i in range(len(s.counted)):
        node = tables.nodes[s.counted[i]]
        for k in range(node.v, node.v + (3 if node.kind == POINT else 6)):
            total += forces[k] * s.drift[k]
    return total


@device
def work_of_lost(tables, s, forces):
    """Power during the drift of forces and moments that no energy is behind: what moves prescribed nodes bears them
    too."""
    total = work_of(tables, s, forces)
    for i in range(len(s.prescribed)):
        j = tables.nodes[s.prescribed[i]].v
        for k in range(j, j + 6):
            total += forces[k] * s.drift[k]
    return total


@device
def work_of_loads(tables, s):
    """Power of the loads s.load during the drift."""
    total = 0.0
    for i in range(len(tables.loads)):
        node = tables.nodes[tables.loads[i].node]
        if node.kind == POINT or node.kind == FRAME:
            for k in range(3 if node.kind == POINT else 6):
                total += s.load[i, k] * s.drift[node.v + k]
    return total


@device
def work_of_resistance(s):
    """Power of damped cells and drag during the drift; negative."""
    total = 0.0
    for k in range(len(s.resisting)):
        total += s.resisting[k] * s.drift[k]
    return total


@device
def work_of_prescribed(tables, s):
    """Power that those who move the prescribed nodes give against all but loads and weight."""
    total = 0.0
    for i in range(len(s.prescribed)):
        j = tables.nodes[s.prescribed[i]].v
        for k in range(j, j + 6):
            total -= s.applied[k] * s.drift[k]
    return total
