"""Constraint rows: g = sum(weight * measure) - target(t), their blocks G, and S = G M^-1 G'."""

from ..jit import device
from ..linear.ldl import factorize, solve
from ..math.rotations import rotate_back
from ..math.vec3 import dot, load3
from .measures import counted, measure
from .motion import time_law
from .tables import FRAME


@device
def put_block(G, k, weight, n, t):
    G[k, 0] = weight * n[0]
    G[k, 1] = weight * n[1]
    G[k, 2] = weight * n[2]
    G[k, 3] = weight * t[0]
    G[k, 4] = weight * t[1]
    G[k, 5] = weight * t[2]


@device
def evaluate_rows(tables, t, work):
    """g, its rate, the blocks of G (rotations in body axes) and rhs = the part of g'' free nodes do not control."""
    for r in range(len(tables.rows)):
        row = tables.rows[r]
        target, target_rate, target_acceleration = row.constant, 0.0, 0.0
        if row.law >= 0:
            f, target_rate, target_acceleration = time_law(tables, row.law, t, work.stack)
            target += f
        g, rate, rhs = -target, -target_rate, -target_acceleration
        imposed = -target_rate
        for p in range(row.first, row.last):
            term = tables.terms[p]
            m = tables.measures[term.measure]
            c, dc, quadratic, na, ta, nb, tb = measure(tables, term.measure, work)
            w = term.weight
            g += w * counted(tables, work, term.measure, t, c)
            rate += w * dc
            rhs += w * quadratic
            if term.block_a >= 0:
                put_block(work.G, term.block_a, w, na, rotate_back(work.R, m.a, ta))
            elif m.a > 0:
                imposed += w * (dot(na, load3(work.v, m.a)) + dot(ta, load3(work.w, m.a)))
                rhs += w * (dot(na, load3(work.a, m.a)) + dot(ta, load3(work.alpha, m.a)))
            if term.block_b >= 0:
                put_block(work.G, term.block_b, w, nb, rotate_back(work.R, m.b, tb))
            elif m.b > 0:
                imposed += w * (dot(nb, load3(work.v, m.b)) + dot(tb, load3(work.w, m.b)))
                rhs += w * (dot(nb, load3(work.a, m.b)) + dot(tb, load3(work.alpha, m.b)))
        work.g[r] = g
        work.g_rate[r] = rate
        work.g_target[r] = imposed
        work.rhs[r] = rhs


@device
def factorize_rows(tables, work):
    """H = G M^-1, S = H G', and its factors."""
    G, H = work.G, work.H
    for k in range(len(tables.block_node)):
        node = tables.nodes[tables.block_node[k]]
        im = 1.0 / node.mass
        H[k, 0] = G[k, 0] * im
        H[k, 1] = G[k, 1] * im
        H[k, 2] = G[k, 2] * im
        if node.kind == FRAME:
            H[k, 3] = G[k, 3] / node.inertia[0]
            H[k, 4] = G[k, 4] / node.inertia[1]
            H[k, 5] = G[k, 5] / node.inertia[2]
    for e in range(len(tables.S_column)):
        s = 0.0
        for p in range(tables.pair_first[e], tables.pair_first[e + 1]):
            i, j = tables.pair_left[p], tables.pair_right[p]
            s += (
                H[i, 0] * G[j, 0] + H[i, 1] * G[j, 1] + H[i, 2] * G[j, 2]
                + H[i, 3] * G[j, 3] + H[i, 4] * G[j, 4] + H[i, 5] * G[j, 5]
            )  # fmt: skip
        work.S[e] = s
    factorize(tables, work)


@device
def add_row_products(tables, work, v, out):
    """out += G v for a velocity-like vector."""
    G = work.G
    for k in range(len(tables.block_node)):
        node = tables.nodes[tables.block_node[k]]
        j = node.v
        s = G[k, 0] * v[j] + G[k, 1] * v[j + 1] + G[k, 2] * v[j + 2]
        if node.kind == FRAME:
            s += G[k, 3] * v[j + 3] + G[k, 4] * v[j + 4] + G[k, 5] * v[j + 5]
        out[tables.block_row[k]] += s


@device
def subtract_reactions(tables, work, multiplier, a):
    """a -= M^-1 G' multiplier"""
    H = work.H
    for k in range(len(tables.block_node)):
        node = tables.nodes[tables.block_node[k]]
        j = node.v
        l = multiplier[tables.block_row[k]]
        a[j] -= H[k, 0] * l
        a[j + 1] -= H[k, 1] * l
        a[j + 2] -= H[k, 2] * l
        if node.kind == FRAME:
            a[j + 3] -= H[k, 3] * l
            a[j + 4] -= H[k, 4] * l
            a[j + 5] -= H[k, 5] * l


@device
def solve_multipliers(tables, work, rhs):
    """rhs <- S^-1 rhs"""
    solve(tables, work, rhs)
