"""Derivatives of contact forces by the motion of their nodes: the same formulas, with numbers that know theirs.

Three freedoms of a node at a time: translations, or turns about its axes. Body angular velocities are held, so that
turns change world velocities too.
"""

from ..jit import device, from_numba, small
from ..math.rotations import rotate, rotate_back
from ..math.vec3 import add, cross, from3, load3, scale, sub
from .contacts import fading_forces, is_fading, node_force, pair_force
from .motion import is_free
from .pair_points import has_node
from .tables import FRAME

changing, slope_of, value_of = from_numba(".math.duals", "changing", "slope_of", "value_of")
MOVES, TURNS = 0, 1
SPOTS = 6  # of a pair: three of each surface


@small
def steady3(a):
    """A vector that does not change."""
    return (
        changing(a[0], 0.0, 0.0, 0.0),
        changing(a[1], 0.0, 0.0, 0.0),
        changing(a[2], 0.0, 0.0, 0.0),
    )


@small
def moving3(a, w):
    """A vector that moves by w times each variable."""
    return (changing(a[0], w, 0.0, 0.0), changing(a[1], 0.0, w, 0.0), changing(a[2], 0.0, 0.0, w))


@small
def turning3(work, n, a, w):
    """A vector fixed to node n, by turns of the node about its axes."""
    d0 = cross((work.R[n, 0, 0], work.R[n, 1, 0], work.R[n, 2, 0]), a)
    d1 = cross((work.R[n, 0, 1], work.R[n, 1, 1], work.R[n, 2, 1]), a)
    d2 = cross((work.R[n, 0, 2], work.R[n, 1, 2], work.R[n, 2, 2]), a)
    return (
        changing(a[0], w * d0[0], w * d1[0], w * d2[0]),
        changing(a[1], w * d0[1], w * d1[1], w * d2[1]),
        changing(a[2], w * d0[2], w * d1[2], w * d2[2]),
    )


@small
def turned_spin(work, n, wr):
    """A turn about body axes, or a rate of it, in world axes."""
    R = work.R
    return (
        changing(0.0, wr * R[n, 0, 0], wr * R[n, 0, 1], wr * R[n, 0, 2]),
        changing(0.0, wr * R[n, 1, 0], wr * R[n, 1, 1], wr * R[n, 1, 2]),
        changing(0.0, wr * R[n, 2, 0], wr * R[n, 2, 1], wr * R[n, 2, 2]),
    )


@small
def spot_changes(tables, work, k, node, part, wr, wp):
    """contacts.spot_state by three freedoms of a node."""
    spot = tables.spots[k]
    n = spot.node
    local = rotate(work.R, n, from3(spot.arm))
    x, arm = steady3(load3(work.x, n)), steady3(local)
    v, w, turn = steady3(load3(work.v, n)), steady3(load3(work.w, n)), steady3((0.0, 0.0, 0.0))
    if n == node:
        if part == MOVES:
            x, v = moving3(load3(work.x, n), wp), moving3(load3(work.v, n), wr)
        else:
            arm = turning3(work, n, local, wp)
            w = add(turning3(work, n, load3(work.w, n), wp), turned_spin(work, n, wr))
            turn = turned_spin(work, n, wp)
    return add(x, arm), arm, v, w, turn


@small
def axis_changes(work, n, e, turns, wp):
    world = rotate(work.R, n, e)
    return turning3(work, n, world, wp) if turns else steady3(world)


@small
def surface_changes(tables, work, a, node, part, wr, wp):
    """contacts.surface_state by three freedoms of a node."""
    surface = tables.surfaces[a]
    first = spot_changes(tables, work, surface.spot, node, part, wr, wp)
    second, third = first, first
    if surface.count > 1:
        second = spot_changes(tables, work, surface.spot + 1, node, part, wr, wp)
    if surface.count > 2:
        third = spot_changes(tables, work, surface.spot + 2, node, part, wr, wp)
    n = tables.spots[surface.spot].node
    turns = n == node and part == TURNS
    axes = (
        axis_changes(work, n, from3(surface.axes[0]), turns, wp),
        axis_changes(work, n, from3(surface.axes[1]), turns, wp),
        axis_changes(work, n, from3(surface.axes[2]), turns, wp),
    )
    return first, second, third, axes


@small
def unit(j):
    return (1.0 if j == 0 else 0.0, 1.0 if j == 1 else 0.0, 1.0 if j == 2 else 0.0)


@device
def add_columns(tables, work, k, weight, force, arm, node, part, wp, values, at, stride):
    """Change of minus the force and moment on the node of spot k, by three freedoms, into its block."""
    n = tables.spots[k].node
    if at < 0:
        return
    f = scale(weight, force)
    m = cross(arm, f)
    turns = tables.nodes[n].kind == FRAME
    first = at + (0 if part == MOVES else 3)
    own = n == node and part == TURNS  # the moment is read in axes that turn with the node
    moment = rotate_back(work.R, n, (value_of(m[0]), value_of(m[1]), value_of(m[2])))
    for j in range(3):
        for r in range(3):
            values[first + r * stride + j] -= slope_of(f[r], j)
        if turns:
            dm = (slope_of(m[0], j), slope_of(m[1], j), slope_of(m[2], j))
            body = rotate_back(work.R, n, dm)
            if own:
                body = sub(body, cross(unit(j), scale(wp, moment)))
            for r in range(3):
                values[first + (3 + r) * stride + j] -= body[r]


@small
def spot_weight(weights, k):
    return weights[0] if k == 1 else (weights[1] if k == 2 else 1.0 - weights[0] - weights[1])


@small
def block_row(tables, work, i):
    """Where the places of pair i stand: of a point near triangles those with the nearest of them."""
    return i if work.pair_span[i, 1] == 0 else len(tables.pairs) + work.pair_span[i, 2]


@device
def add_force_columns(tables, i, work, A, B, F, wa, wb, pa, pb, column, part, wp, values, places):
    """All rows of the columns of one node's three freedoms: of force F on surface b and its reaction on a."""
    pair, row = work.pairs[i], block_row(tables, work, i)
    a, b = tables.surfaces[pair.a], tables.surfaces[pair.b]
    node = tables.spots[spot_of(tables, work, i, column)].node
    less = scale(-1.0, F)
    for k in range(a.count):
        at = places[row, k, column, 0], places[row, k, column, 1]
        arm = A[0][1] if k == 0 else (A[1][1] if k == 1 else A[2][1])
        add_columns(tables, work, a.spot + k, spot_weight(wa, k), less, add(arm, pa), node, part, wp, values, *at)
    for k in range(b.count):
        at = places[row, 3 + k, column, 0], places[row, 3 + k, column, 1]
        arm = B[0][1] if k == 0 else (B[1][1] if k == 1 else B[2][1])
        add_columns(tables, work, b.spot + k, spot_weight(wb, k), F, add(arm, pb), node, part, wp, values, *at)


@device
def add_fading_columns(tables, i, work, A, B, gap, column, part, wp, values, places):
    """The same of forces that come from how much a crossing counts."""
    pair, row = work.pairs[i], block_row(tables, work, i)
    a, b = tables.surfaces[pair.a].spot, tables.surfaces[pair.b].spot
    node, whole = tables.spots[spot_of(tables, work, i, column)].node, 1.0 + 0.0 * gap
    x0, x1, y0, y1 = fading_forces(tables, i, work, A, B, gap)
    for k in range(2):
        at = places[row, k, column, 0], places[row, k, column, 1]
        force, arm = (x0, A[0][1]) if k == 0 else (x1, A[1][1])
        add_columns(tables, work, a + k, whole, force, arm, node, part, wp, values, *at)
        at = places[row, 3 + k, column, 0], places[row, 3 + k, column, 1]
        force, arm = (y0, B[0][1]) if k == 0 else (y1, B[1][1])
        add_columns(tables, work, b + k, whole, force, arm, node, part, wp, values, *at)


@device
def add_pair_changes(tables, i, work, column, part, wr, wp, values, places):
    """All rows of the columns of one node's three freedoms; False if the pair does not touch."""
    pair = work.pairs[i]
    node = tables.spots[spot_of(tables, work, i, column)].node
    A = surface_changes(tables, work, pair.a, node, part, wr, wp)
    B = surface_changes(tables, work, pair.b, node, part, wr, wp)
    F, wa, wb, pa, pb, acts, _, _, gap, _, _, _, _, _, share, _ = pair_force(tables, i, work, A, B)
    if not acts:
        return False
    add_force_columns(tables, i, work, A, B, F, wa, wb, pa, pb, column, part, wp, values, places)
    if is_fading(value_of(share)):
        add_fading_columns(tables, i, work, A, B, gap, column, part, wp, values, places)
    for taken in range(3):
        if gap < tables.contacts[pair.contact].margin and has_node(tables, i, work, taken):
            force, _, _, _, n, wa, wb, pa, pb, _ = node_force(tables, i, work, A, B, taken)
            F = scale(force, n)
            add_force_columns(tables, i, work, A, B, F, wa, wb, pa, pb, column, part, wp, values, places)
    return True


@small
def spot_of(tables, work, i, column):
    """Number of a spot of pair i; -1 if it has none there."""
    pair = work.pairs[i]
    a, b = tables.surfaces[pair.a], tables.surfaces[pair.b]
    if column < 3:
        return a.spot + column if column < a.count else -1
    return b.spot + column - 3 if column - 3 < b.count else -1


@small
def is_first_of_node(tables, work, i, column):
    """Whether no earlier spot of the pair is on the same node."""
    node = tables.spots[spot_of(tables, work, i, column)].node
    for other in range(column):
        k = spot_of(tables, work, i, other)
        if k >= 0 and tables.spots[k].node == node:
            return False
    return True


@device
def add_contacts_tangent(tables, work, weight_rate, weight_place, values, places):
    """values += weight_rate dr/dv + weight_place dr/d(displacement), r = -force; work as the residual left it."""
    for i in range(len(tables.pairs)):
        if work.pair_out[i, 3] == 0.0 and work.pair_out[i, 4] == 0.0 and work.pair_out[i, 5] == 0.0:
            continue
        for column in range(SPOTS):
            k = spot_of(tables, work, i, column)
            if k < 0:
                continue
            node = tables.spots[k].node
            if not is_free(tables, node) or not is_first_of_node(tables, work, i, column):
                continue
            if not add_pair_changes(tables, i, work, column, MOVES, weight_rate, weight_place, values, places):
                break
            if tables.nodes[node].kind == FRAME:
                add_pair_changes(tables, i, work, column, TURNS, weight_rate, weight_place, values, places)
