"""Constraint rows: g = sum(weight * measure) - target(t), their blocks G, and S = G M^-1 G'."""

from numpy import uintp

from ..jit import device, small
from ..linear.ldl import factorize, solve
from ..math.rotations import rotate_back
from ..math.vec3 import dot, from3, load3
from .linking import bend_modal_rows, time_law, weigh_modal_rows
from .measures import ZERO, along_terms, counted, measure, separation_terms
from .tables import ALONG_WORLD, FRAME


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
    d, dd, qd, ra, rb = ZERO, ZERO, ZERO, ZERO, ZERO
    for r in range(len(tables.rows)):
        row = tables.rows[r]
        target, target_rate, target_acceleration = row.constant, 0.0, 0.0
        if row.law >= 0:
            f, target_rate, target_acceleration = time_law(tables, row.law, t, work)
            target += f
        g, rate, rhs = -target, -target_rate, -target_acceleration
        imposed = -target_rate
        for p in range(row.first, row.last):
            term = tables.terms[p]
            m = tables.measures[term.measure]
            if m.kind == ALONG_WORLD:
                if not term.shares:
                    d, dd, qd, ra, rb = separation_terms(tables, term.measure, work)
                c, dc, quadratic, na, ta, nb, tb = along_terms(from3(m.e1), d, dd, qd, ra, rb)
            else:
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
    if len(tables.modal_curves) > 0:
        bend_modal_rows(tables, work)


@small
def weight_blocks(tables, work):
    """H = G M^-1"""
    G, H, nodes, block_node = work.G, work.H, tables.nodes, tables.block_node
    for k in range(len(block_node)):
        node = nodes[block_node[k]]
        im, ij = node.inverse_mass, node.inverse_inertia
        H[k, 0] = G[k, 0] * im
        H[k, 1] = G[k, 1] * im
        H[k, 2] = G[k, 2] * im
        H[k, 3] = G[k, 3] * ij[0]
        H[k, 4] = G[k, 4] * ij[1]
        H[k, 5] = G[k, 5] * ij[2]


@small
def multiply_blocks(tables, work):
    """S = H G', lower triangle; planar models have only three columns that differ from zero."""
    G, H, S = work.G, work.H, work.S
    first, left, right = tables.pair_first, tables.pair_left, tables.pair_right
    if len(tables.columns) == 3:
        c0, c1, c2 = uintp(tables.columns[0]), uintp(tables.columns[1]), uintp(tables.columns[2])
        for e in range(len(S)):
            s = 0.0
            for p in range(first[e], first[e + 1]):
                i, j = left[p], right[p]
                s += H[i, c0] * G[j, c0] + H[i, c1] * G[j, c1] + H[i, c2] * G[j, c2]
            S[e] = s
        return
    for e in range(len(S)):
        s = 0.0
        for p in range(first[e], first[e + 1]):
            i, j = left[p], right[p]
            s += (
                H[i, 0] * G[j, 0] + H[i, 1] * G[j, 1] + H[i, 2] * G[j, 2]
                + H[i, 3] * G[j, 3] + H[i, 4] * G[j, 4] + H[i, 5] * G[j, 5]
            )  # fmt: skip
        S[e] = s


@device
def factorize_rows(tables, work):
    """S = G M^-1 G' and its factors."""
    weight_blocks(tables, work)
    if len(tables.modal) > 0:
        weigh_modal_rows(tables, work)
    multiply_blocks(tables, work)
    factorize(tables, work)


@small
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


@small
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
