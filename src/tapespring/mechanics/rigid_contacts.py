"""Contacts by momentum while they are closed: unilateral constraints with Coulomb's friction.

Every chosen pair has three directions, its normal and two across it. For each are found the generalized force W of a
unit force along it, what that does to velocities and joints (H, L), how fast the surfaces move along it and how that
changes without accelerations (the bias): numbers that know their rate in time go through the same formulas as the gap
(nearest). D = W H' then says what forces do to motion, with joints in their places.

Closed pairs keep gap and rate at zero, sticking ones their slip too, sliding ones bear friction against their way.
Where more is held than can move (a box on four corners) D is singular: forces are shared evenly, friction by normal
force.

    add_rigid_forces   accelerations with the forces of closed pairs
    bring_together     positions and velocities onto what is closed, as projection does for joints
"""

from math import sqrt

from numpy import int64, uintp

from ..jit import device, from_numba, small
from ..linear.dense import lu_factor, lu_solve
from ..math.rotations import rotate, rotate_back
from ..math.vec3 import add, axpy, cross, dot, from3, load3, scale, sub
from .constraints import add_row_products, evaluate_rows, factorize_rows, solve_multipliers, subtract_reactions
from .contacts_tangent import spot_weight
from .friction import across
from .linking import divide_modal
from .motion import is_free, place_nodes
from .pair_memory import CLOSED, STICKS
from .pair_points import nearest_points, velocity_at
from .projection import clear, retract
from .tables import DRIVES, FRAME, FRICTION, IMPACTS, MOMENTUM, RIGID
from .touching import FORCE, ROUNDING, SIZE, SLOWEST, SPEED, TURNING

changing, slope_of, value_of = from_numba(".math.duals", "changing", "slope_of", "value_of")

SOFT = 1e-7  # added to the scaled diagonal of D, which may be singular; refinement removes what that changes
REFINEMENTS = 12
IDLE = 1e-7  # of the largest force: a pair that bears less neither sticks nor rubs
UNFELT = 1e-9  # of the force of the model's motion: where no pair bears more the largest force may be a rounding
LOCKED = 1e-12  # of its own mobility: joints leave none in this direction
NORMALS, ALL, WITH_FRICTION = 0, 1, 2  # what is held: normals; sticking directions too; and forces of sliding pairs


# -- how pairs move ---------------------------------------------------------------------------------------------------
@small
def along3(a, rate):
    """A vector and its rate in time."""
    return (
        changing(a[0], rate[0], 0.0, 0.0),
        changing(a[1], rate[1], 0.0, 0.0),
        changing(a[2], rate[2], 0.0, 0.0),
    )


@small
def rate3(a):
    return (slope_of(a[0], 0), slope_of(a[1], 0), slope_of(a[2], 0))


@small
def value3(a):
    return (value_of(a[0]), value_of(a[1]), value_of(a[2]))


@small
def moving_spot(tables, work, k):
    """contacts.spot_state as it changes without accelerations, but for those that are imposed."""
    spot = tables.spots[k]
    n = spot.node
    arm, v, w = rotate(work.R, n, from3(spot.arm)), load3(work.v, n), load3(work.w, n)
    turn = cross(w, arm)
    a, alpha = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    if not is_free(tables, n):
        a, alpha = load3(work.a, n), load3(work.alpha, n)
    return along3(add(load3(work.x, n), arm), add(v, turn)), along3(arm, turn), along3(v, a), along3(w, alpha)


@small
def moving_axis(work, n, e):
    world = rotate(work.R, n, e)
    return along3(world, cross(load3(work.w, n), world))


@small
def moving_surface(tables, work, a):
    """contacts.surface_state, the same way."""
    surface = tables.surfaces[a]
    first = moving_spot(tables, work, surface.spot)
    second, third = first, first
    if surface.count > 1:
        second = moving_spot(tables, work, surface.spot + 1)
    if surface.count > 2:
        third = moving_spot(tables, work, surface.spot + 2)
    n, axes = tables.spots[surface.spot].node, surface.axes
    turned = (
        moving_axis(work, n, from3(axes[0])),
        moving_axis(work, n, from3(axes[1])),
        moving_axis(work, n, from3(axes[2])),
    )
    return first, second, third, turned


@small
def direction_across(n):
    """A unit vector across n."""
    size = (abs(n[0]), abs(n[1]), abs(n[2]))
    if size[0] <= size[1] and size[0] <= size[2]:
        e = (1.0, 0.0, 0.0)
    elif size[1] <= size[2]:
        e = (0.0, 1.0, 0.0)
    else:
        e = (0.0, 0.0, 1.0)
    t = across(n, e)
    return scale(1.0 / sqrt(dot(t, t)), t)


@device
def put_force(tables, work, row, k, weight, d, arm):
    """W[row] += a force along d, times weight, on the node of spot k at an arm."""
    n = tables.spots[k].node
    if not is_free(tables, n):
        return
    node = tables.nodes[n]
    part = scale(weight, d)
    for j in range(3):
        work.rigid_W[row, node.v + j] += part[j]
    if node.kind == FRAME:
        moment = rotate_back(work.R, n, cross(arm, part))
        for j in range(3):
            work.rigid_W[row, node.v + 3 + j] += moment[j]


@device
def put_forces(tables, work, row, a, side, weights, offset, d):
    """W[row] += a force along d on surface a."""
    surface = tables.surfaces[a]
    for k in range(surface.count):
        arm = side[0][1] if k == 0 else (side[1][1] if k == 1 else side[2][1])
        weight = value_of(spot_weight(weights, k))
        put_force(tables, work, row, surface.spot + k, weight, d, add(value3(arm), value3(offset)))


@device
def describe(tables, work, c):
    """Directions of chosen pair c, W of each, speed along it and its bias."""
    pair = work.pairs[work.rigid_pair[c]]
    A, B = moving_surface(tables, work, pair.a), moving_surface(tables, work, pair.b)
    _, n, wa, wb, pa, pb, _ = nearest_points(tables, work.rigid_pair[c], work, A, B)
    u = sub(
        velocity_at(B, wb, tables.surfaces[pair.b].count, pb), velocity_at(A, wa, tables.surfaces[pair.a].count, pa)
    )
    rate = dot(n, u)
    normal, speed, change = value3(n), value3(u), rate3(u)
    first = direction_across(normal)
    second = cross(normal, first)
    for j in range(3):
        d = normal if j == 0 else (first if j == 1 else second)
        k = 3 * c + j
        clear(work.rigid_W[k])
        put_forces(tables, work, k, pair.a, A, wa, pa, scale(-1.0, d))
        put_forces(tables, work, k, pair.b, B, wb, pb, d)
        work.rigid_speed[k] = dot(d, speed)
        work.rigid_bias[k] = slope_of(rate, 0) if j == 0 else dot(d, change)
        for i in range(3):
            work.rigid_axes[c, 3 * j + i] = d[i]


@device
def weigh(tables, work, k):
    """H[k] and L[k] of direction k."""
    W, H, l = work.rigid_W[k], work.rigid_H[k], work.rigid_L[k]
    for n in range(len(tables.nodes)):
        node = tables.nodes[n]
        if is_free(tables, n):
            for j in range(3):
                H[node.v + j] = W[node.v + j] * node.inverse_mass
            if node.kind == FRAME:
                for j in range(3, 6):
                    H[node.v + j] = W[node.v + j] * node.inverse_inertia[j - 3]
    if len(tables.modal) > 0:
        divide_modal(tables, work, W, H)
    own = 0.0
    for j in range(len(W)):
        own += W[j] * H[j]
    work.rigid_own[k] = own
    if len(tables.rows) > 0:
        clear(l)
        add_row_products(tables, work, H, l)
        solve_multipliers(tables, work, l)
        subtract_reactions(tables, work, l, H)


@small
def product(a, b):
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


@small
def stand_together(tables, a, b):
    """Whether surfaces a and b have a free node in common."""
    first, second = tables.surfaces[a], tables.surfaces[b]
    for j in range(first.spot, first.spot + first.count):
        n = tables.spots[j].node
        if is_free(tables, n):
            for k in range(second.spot, second.spot + second.count):
                if tables.spots[k].node == n:
                    return True
    return False


@device
def are_apart(tables, work, i, j):
    """Whether forces of pair i do nothing to pair j: bodies of their own, and no joints to hand them on."""
    if i == j or len(tables.rows) > 0 or len(tables.modal) > 0:
        return False
    one, other = work.pairs[i], work.pairs[j]
    return not (
        stand_together(tables, one.a, other.a)
        or stand_together(tables, one.a, other.b)
        or stand_together(tables, one.b, other.a)
        or stand_together(tables, one.b, other.b)
    )


@device
def gather(tables, work):
    """All that is known of the chosen pairs; work is placed, and rows are evaluated and factorized there."""
    n = 3 * work.rigid_count[0]
    for c in range(work.rigid_count[0]):
        describe(tables, work, c)
    D = work.rigid_D
    for k in range(n):
        weigh(tables, work, k)
    for c in range(work.rigid_count[0]):
        for d in range(c + 1):
            apart = are_apart(tables, work, work.rigid_pair[c], work.rigid_pair[d])
            for k in range(3 * c, 3 * c + 3):
                for j in range(3 * d, 3 * d + 3):
                    D[k, j] = 0.0 if apart else product(work.rigid_W[k], work.rigid_H[j])
                    D[j, k] = D[k, j]
    for k in range(n):
        if not D[k, k] > LOCKED * work.rigid_own[k]:
            for j in range(n):
                D[k, j] = 0.0
                D[j, k] = 0.0


# -- who takes part ---------------------------------------------------------------------------------------------------
@small
def is_rigid(tables, work, i):
    """Whether pair i is by momentum."""
    return tables.contacts[work.pairs[i].contact].law == MOMENTUM


@device
def choose_closed(tables, work):
    """Choose the closed pairs; their number."""
    count = 0
    for i in range(len(tables.pairs)):
        if is_rigid(tables, work, i) and work.pair_mode[i, 0] == CLOSED:
            work.rigid_pair[count] = i
            count += 1
    work.rigid_count[0] = count
    work.rigid_closed[0] = count
    return count


@small
def axis_of(work, c, j):
    return (work.rigid_axes[c, 3 * j], work.rigid_axes[c, 3 * j + 1], work.rigid_axes[c, 3 * j + 2])


@small
def way_of(work, i):
    """The way pair i slips; zero if it bears next to nothing and none was seen."""
    return (work.pair_memory[i, 4], work.pair_memory[i, 5], work.pair_memory[i, 6])


@device
def find_way(tables, work, c, slow):
    """The way chosen pair c slips, along its directions across: as it moves; the slower it does, below `slow`, the more
    as it did. Bodies that begin to slip at several places turn until their friction agrees, the faster the slower they
    slip: without end if nothing held their ways. Slip against its former way is not seen; that is where it ends."""
    i = work.rigid_pair[c]
    s1, s2 = work.rigid_speed[3 * c + 1], work.rigid_speed[3 * c + 2]
    was = way_of(work, i)
    w1, w2 = dot(was, axis_of(work, c, 1)), dot(was, axis_of(work, c, 2))
    known = dot(was, was) > 0.0
    if known:
        back = min(0.0, s1 * w1 + s2 * w2)
        s1, s2 = s1 - back * w1, s2 - back * w2
    size = sqrt(s1 * s1 + s2 * s2)
    if known and size < slow:
        w1, w2 = s1 / slow + (1.0 - size / slow) * w1, s2 / slow + (1.0 - size / slow) * w2
        size = sqrt(w1 * w1 + w2 * w2)
        w1, w2 = w1 / size, w2 / size
    elif size > slow:
        w1, w2 = s1 / size, s2 / size
    work.rigid_way[c, 0], work.rigid_way[c, 1] = w1, w2


# -- forces of what is held -------------------------------------------------------------------------------------------
@device
def held_directions(tables, work, what):
    """Directions that are held, and how friction of sliding pairs follows their normals; their number."""
    n = 0
    for c in range(work.rigid_count[0]):
        i = work.rigid_pair[c]
        law = tables.contacts[work.pairs[i].contact]
        work.rigid_friction[c, 1] = 0.0
        if work.rigid_D[3 * c, 3 * c] > 0.0:
            work.rigid_at[n] = 3 * c
            n += 1
        if law.friction != RIGID or what == NORMALS:
            continue
        if work.pair_mode[i, 1] == STICKS:
            for j in range(1, 3):
                if work.rigid_D[3 * c + j, 3 * c + j] > 0.0:
                    work.rigid_at[n] = 3 * c + j
                    n += 1
        elif what == WITH_FRICTION:
            work.rigid_friction[c, 1] = law.kinetic
            find_way(tables, work, c, work.rigid_scale[TURNING])
    return n


@small
def mobility(work, r, k):
    """What a unit force along a held direction k does along r, with the friction that goes with it."""
    D, c = work.rigid_D, k // 3
    mu = work.rigid_friction[c, 1]
    if k % 3 != 0 or mu == 0.0:
        return D[r, k]
    return D[r, k] - mu * (work.rigid_way[c, 0] * D[r, k + 1] + work.rigid_way[c, 1] * D[r, k + 2])


@device
def find_shares(work):
    """How reluctant pairs are to take a share of friction that several could bear: more so if little presses them."""
    x, size = work.rigid_x, 0.0
    for c in range(work.rigid_count[0]):
        size = max(size, x[3 * c])
    for c in range(work.rigid_count[0]):
        work.rigid_given[c] = 1.0 if size <= 0.0 else size / max(x[3 * c], 1e-4 * size)


@device
def solve_held(tables, work, what):
    """rigid_x <- forces that change what is held by rigid_b, zero along all other directions."""
    n = held_directions(tables, work, what)
    for c in range(work.rigid_count[0]):
        work.rigid_given[c] = 1.0
    solve_once(work, n)
    if what == WITH_FRICTION and n > work.rigid_count[0] + 2:
        find_shares(work)
        solve_once(work, n)
    for c in range(work.rigid_count[0]):
        mu, x = work.rigid_friction[c, 1], work.rigid_x
        if mu > 0.0:
            x[3 * c + 1] = -mu * work.rigid_way[c, 0] * x[3 * c]
            x[3 * c + 2] = -mu * work.rigid_way[c, 1] * x[3 * c]


@device
def solve_once(work, n):
    """The n held directions, by the shares in rigid_given; normals share evenly."""
    A, at, x, r, D = work.rigid_A, work.rigid_at, work.rigid_x, work.rigid_r, work.rigid_D
    for k in range(3 * work.rigid_count[0]):
        x[k] = 0.0
    if n == 0:
        return
    for i in range(n):
        left = 1.0 / sqrt(D[at[i], at[i]])
        for j in range(n):
            A[i * n + j] = mobility(work, at[i], at[j]) * left / sqrt(D[at[j], at[j]])
        A[i * n + i] += SOFT * (work.rigid_given[at[i] // 3] if at[i] % 3 else 1.0)
    size = uintp(n)
    lu_factor(A, uintp(0), size, size, work.rigid_pivot, uintp(0))
    last = 1e300
    for _ in range(REFINEMENTS):
        worst = 0.0
        for i in range(n):
            s = work.rigid_b[at[i]]
            for j in range(n):
                s -= mobility(work, at[i], at[j]) * x[at[j]]
            r[i] = s / sqrt(D[at[i], at[i]])
            worst = max(worst, abs(r[i]))
        if not worst < 0.5 * last:
            break
        last = worst
        lu_solve(A, uintp(0), size, size, work.rigid_pivot, uintp(0), r)
        for i in range(n):
            x[at[i]] += r[i] / sqrt(D[at[i], at[i]])


@small
def add_motion(work, out):
    """out += H' x"""
    for k in range(3 * work.rigid_count[0]):
        x, H = work.rigid_x[k], work.rigid_H[k]
        if x != 0.0:
            for i in range(len(out)):
                out[i] += x * H[i]


@device
def add_rigid_forces(tables, v, work, a):
    """Forces of closed pairs: accelerations, multipliers and powers with them; work as without them."""
    choose_closed(tables, work)
    gather(tables, work)
    n, x = 3 * work.rigid_count[0], work.rigid_x
    for k in range(n):
        work.rigid_b[k] = -(work.rigid_bias[k] + product(work.rigid_W[k], a))
    solve_held(tables, work, int64(WITH_FRICTION))
    add_motion(work, a)
    largest = 0.0
    for k in range(n):
        if x[k] != 0.0:
            work.power[DRIVES] -= x[k] * (work.rigid_speed[k] - product(work.rigid_W[k], v))
            work.power[FRICTION if k % 3 else IMPACTS] -= x[k] * work.rigid_speed[k]
            for r in range(len(work.multiplier)):
                work.multiplier[r] += x[k] * work.rigid_L[k, r]
                work.power[DRIVES] += x[k] * work.rigid_L[k, r] * work.g_target[r]
            largest = max(largest, abs(x[k]))
    work.rigid_scale[FORCE] = max(largest, UNFELT * force_of_motion(work))
    for c in range(work.rigid_count[0]):
        put_out(tables, work, c)


@small
def force_of_motion(work):
    """What gives the most reluctant of the chosen pairs the model's speed within its size."""
    least = 0.0
    for c in range(work.rigid_count[0]):
        free = work.rigid_D[3 * c, 3 * c]
        if free > 0.0 and (least == 0.0 or free < least):
            least = free
    speed, size = work.rigid_scale[SPEED], work.rigid_scale[SIZE]
    return speed * speed / (size * least) if least > 0.0 else 0.0


@device
def put_out(tables, work, c):
    """What was found of chosen pair c, see contacts."""
    i, k, x = work.rigid_pair[c], 3 * c, work.rigid_x
    law, out, way = tables.contacts[work.pairs[i].contact], work.pair_out[i], way_of(work, i)
    out[2], out[9] = x[k], x[k]
    for j in range(3):
        out[3 + j] = (
            x[k] * work.rigid_axes[c, j] + x[k + 1] * work.rigid_axes[c, 3 + j] + x[k + 2] * work.rigid_axes[c, 6 + j]
        )
    if law.friction != RIGID:
        return
    if work.pair_mode[i, 1] == STICKS:
        out[10] = law.static * x[k] - sqrt(x[k + 1] * x[k + 1] + x[k + 2] * x[k + 2])
        return
    slip = axpy(work.rigid_speed[k + 1], axis_of(work, c, 1), scale(work.rigid_speed[k + 2], axis_of(work, c, 2)))
    out[10] = dot(slip, way)
    if dot(way, way) == 0.0:  # it may stick as soon as it bears something
        waits = x[k] <= 10.0 * IDLE * work.rigid_scale[FORCE] or dot(slip, slip) > work.rigid_scale[SLOWEST] ** 2
        out[10] = 1.0 if waits else -1.0


# -- onto what is closed ----------------------------------------------------------------------------------------------
@device
def place_all(tables, t, q, v, work):
    """Place nodes, and evaluate and factorize the rows there."""
    place_nodes(tables, t, q, v, work)
    if len(tables.rows) > 0:
        evaluate_rows(tables, t, work)
        factorize_rows(tables, work)


@device
def bring_together(tables, t, q, v, gaps, work):
    """Positions (if `gaps`) and velocities onto the closed pairs; moves the least, measured by mass."""
    for k in range(3):
        place_all(tables, t, q, v, work)
        if choose_closed(tables, work) == 0:
            return
        gather(tables, work)
        worst = 0.0
        for c in range(work.rigid_count[0]):
            work.rigid_b[3 * c] = -gap_of(tables, work.rigid_pair[c], work)
            worst = max(worst, abs(work.rigid_b[3 * c]))
        if not gaps or k == 2 or not worst > 1e-15 * work.rigid_scale[SIZE] + 0.25 * work.rigid_scale[ROUNDING]:
            break
        solve_held(tables, work, int64(NORMALS))
        clear(work.rigid_a)
        add_motion(work, work.rigid_a)
        retract(tables, q, work.rigid_a)
    for k in range(3 * work.rigid_count[0]):
        work.rigid_b[k] = -work.rigid_speed[k]
    solve_held(tables, work, int64(ALL))
    add_motion(work, v)


@device
def gap_of(tables, i, work):
    pair = work.pairs[i]
    A, B = moving_surface(tables, work, pair.a), moving_surface(tables, work, pair.b)
    return value_of(nearest_points(tables, i, work, A, B)[0])
