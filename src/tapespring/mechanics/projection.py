"""Onto the constraints: move positions and velocities the least, measured by mass."""

from ..jit import device
from ..math.rotations import normalized, quaternion_exp, quaternion_product
from .constraints import evaluate_rows, factorize_rows, solve_multipliers, subtract_reactions
from .motion import load_quaternion, place_nodes, store_quaternion
from .tables import FRAME, POINT


@device
def copy(a, out):
    for i in range(len(a)):
        out[i] = a[i]


@device
def clear(a):
    for i in range(len(a)):
        a[i] = 0.0


@device
def largest(a):
    """Largest magnitude; a NaN wins."""
    big = 0.0
    for i in range(len(a)):
        if abs(a[i]) > big or a[i] != a[i]:
            big = abs(a[i])
    return big


@device
def retract(tables, q, d):
    """q <- q moved by the displacement d (rotation vectors in body axes) of every free node."""
    for n in range(len(tables.nodes)):
        node = tables.nodes[n]
        if node.kind != POINT and node.kind != FRAME:
            continue
        for k in range(3):
            q[node.q + k] += d[node.v + k]
        if node.kind == FRAME:
            turn = quaternion_exp((d[node.v + 3], d[node.v + 4], d[node.v + 5]))
            p = quaternion_product(load_quaternion(q, node.q + 3), turn)
            store_quaternion(q, node.q + 3, normalized(p))


@device
def project(tables, t, q, v, work, small):
    """Bring q and v onto the constraints; work.found gets the violation (|g|, |g'|) there was."""
    place_nodes(tables, t, q, v, work)
    evaluate_rows(tables, t, work)
    factorize_rows(tables, work)
    work.found[0], work.found[1] = largest(work.g), largest(work.g_rate)
    correction, l = work.correction, work.rhs
    worst = work.found[0]
    for _ in range(3):
        if not worst > small:
            break
        clear(correction)
        copy(work.g, l)
        solve_multipliers(tables, work, l)
        subtract_reactions(tables, work, l, correction)
        retract(tables, q, correction)
        place_nodes(tables, t, q, v, work)
        evaluate_rows(tables, t, work)
        worst = largest(work.g)
    # the factors are those of the unprojected place: the difference is of second order
    copy(work.g_rate, l)
    solve_multipliers(tables, work, l)
    subtract_reactions(tables, work, l, v)
