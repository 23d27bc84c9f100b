"""The residual of the equations of motion and its exact derivative, for implicit solvers, statics and vibration.

    r = M a + w x J w - f(t, q, v) + G' multiplier        rotations in body axes

The tangent is built column by column: a node is displaced by a unit along one of its degrees of freedom, and every
force and row it takes part in answers with the change of its world force n and moment m. A moment is read in body axes,
which turn with the node, so that the change of a body moment is R'(dm - dtheta x m).
"""

from math import sqrt

from ..jit import device
from ..math.rotations import rotate, rotate_back
from ..math.vec3 import add, axpy, cross, dot, from3, load3, scale, sub
from .bushings import (
    arms,
    bushing_stress,
    log_curvature,
    log_rate,
    log_rate_transposed,
    marker_to_world,
    times6,
    world_to_marker,
)
from .constraints import evaluate_rows
from .elements import has_elements
from .forces import apply_forces, coupling_force
from .linking import (
    add_contacts_tangent,
    add_elements_tangent,
    add_grips_tangent,
    add_modal_residual,
    add_modal_tangent,
    add_pressures_tangent,
    press_grips,
    time_law,
)
from .measures import ZERO, counted, measure, separation_terms
from .motion import is_free, place_nodes
from .tables import ALONG, ALONG_WORLD, ANGLE, COSINE, FRAME, GROUND, POINT
from .tilts import tilt_force, tilt_variation


# -- residual ---------------------------------------------------------------------------------------------------------
@device
def residual(tables, t, q, v, a, multiplier, work, out):
    """out <- M a + w x J w - f + G' multiplier of free nodes, 0 of the others; work is placed, its rows current."""
    place_nodes(tables, t, q, v, work)
    if len(tables.grips) > 0:
        press_grips(tables, work, multiplier)
    apply_forces(tables, t, work)
    evaluate_rows(tables, t, work)
    out_of_balance(tables, v, a, multiplier, work, out)


@device
def out_of_balance(tables, v, a, multiplier, work, out):
    """The residual of forces and rows already evaluated in work."""
    for n in range(len(tables.nodes)):
        node = tables.nodes[n]
        if node.kind == GROUND:
            continue
        j = node.v
        if not is_free(tables, n):
            for k in range(6):
                out[j + k] = 0.0
            continue
        for k in range(3):
            out[j + k] = node.mass * a[j + k] - work.force[n, k]
        if node.kind == FRAME:
            J = node.inertia
            w = (v[j + 3], v[j + 4], v[j + 5])
            gyroscopic = cross(w, (J[0] * w[0], J[1] * w[1], J[2] * w[2]))
            moment = rotate_back(work.R, n, load3(work.moment, n))
            for k in range(3):
                out[j + 3 + k] = J[k] * a[j + 3 + k] + gyroscopic[k] - moment[k]
    if len(tables.modal) > 0:
        add_modal_residual(tables, v, a, work, out)
    add_transposed_products(tables, work, multiplier, out)


@device
def add_transposed_products(tables, work, multiplier, out):
    """out += G' multiplier"""
    G = work.G
    for k in range(len(tables.block_node)):
        node = tables.nodes[tables.block_node[k]]
        j, l = node.v, multiplier[tables.block_row[k]]
        for c in range(6 if node.kind == FRAME else 3):
            out[j + c] += G[k, c] * l


# -- displacements ----------------------------------------------------------------------------------------------------
@device
def freedoms(tables, n):
    """Number of degrees of freedom of node n; none if its motion is prescribed."""
    kind = tables.nodes[n].kind
    return 6 if kind == FRAME else (3 if kind == POINT else 0)


@device
def unit_displacement(work, n, k):
    """(translation, rotation), world axes, of freedom k of node n: three along world, three about body axes."""
    if k < 3:
        return (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0), ZERO
    return ZERO, (work.R[n, 0, k - 3], work.R[n, 1, k - 3], work.R[n, 2, k - 3])


@device
def add_to_column(tables, work, n, at, stride, column, force, moment, kkt):
    """Column of the block with node n's rows at (at, stride) += a force and moment (world axes) on n, if it is free."""
    if at < 0:
        return
    for k in range(3):
        kkt.values[at + k * stride + column] += force[k]
    if tables.nodes[n].kind == FRAME:
        body = rotate_back(work.R, n, moment)
        for k in range(3):
            kkt.values[at + (3 + k) * stride + column] += body[k]


# -- measures ---------------------------------------------------------------------------------------------------------
@device
def cosine_variation(u, w, ta, tb):
    """Change of u x w when u turns by ta and w by tb."""
    return add(cross(cross(ta, u), w), cross(u, cross(tb, w)))


@device
def angle_variation(tables, i, work, ta, tb):
    """Change of node a's gradient of an ANGLE; node b's is the negative."""
    m = tables.measures[i]
    f = rotate(work.R, m.b, from3(m.f))
    u1, u2 = rotate(work.R, m.a, from3(m.e1)), rotate(work.R, m.a, from3(m.e2))
    x, y, gx, gy = dot(u1, f), dot(u2, f), cross(u1, f), cross(u2, f)
    turn = sub(ta, tb)
    dx, dy = dot(gx, turn), dot(gy, turn)
    dgx, dgy = cosine_variation(u1, f, ta, tb), cosine_variation(u2, f, ta, tb)
    r = 1.0 / (x * x + y * y)
    gradient = scale(r, sub(scale(x, gy), scale(y, gx)))
    change = add(sub(scale(dx, gy), scale(dy, gx)), sub(scale(x, dgy), scale(y, dgx)))
    return axpy(-2.0 * r * (x * dx + y * dy), gradient, scale(r, change))


@device
def gradient_variation(tables, i, work, xa, ta, xb, tb):
    """Change of the gradient (na, ta, nb, tb) of measure i when its nodes move by (xa, ta) and (xb, tb), world axes."""
    m = tables.measures[i]
    if m.kind == ANGLE:
        change = angle_variation(tables, i, work, ta, tb)
        return ZERO, change, ZERO, scale(-1.0, change)
    if m.kind == COSINE:
        change = cosine_variation(rotate(work.R, m.a, from3(m.e1)), rotate(work.R, m.b, from3(m.f)), ta, tb)
        return ZERO, change, ZERO, scale(-1.0, change)
    d, _, _, ra, rb = separation_terms(tables, i, work)
    dra, drb = cross(ta, ra), cross(tb, rb)
    dd = sub(add(xb, drb), add(xa, dra))
    arm, darm = ra, dra
    if m.kind == ALONG_WORLD:
        n, dn = from3(m.e1), ZERO
    elif m.kind == ALONG:
        n = rotate(work.R, m.a, from3(m.e1))
        dn = cross(ta, n)
        arm, darm = add(ra, d), add(dra, dd)
    else:  # LENGTH
        l = sqrt(dot(d, d))
        n = scale(1.0 / l, d)
        dn = scale(1.0 / l, axpy(-dot(n, dd), n, dd))
    on_a = add(cross(dn, arm), cross(n, darm))
    on_b = add(cross(drb, n), cross(rb, dn))
    return scale(-1.0, dn), on_a, dn, on_b


@device
def add_along_measure(tables, i, work, s, by_value, by_rate, weight_rate, weight_place, kkt):
    """Tangent of s times the gradient of measure i, where s has the slopes by_value and by_rate."""
    m, at = tables.measures[i], kkt.measure_at
    _, _, _, na, ta, nb, tb = measure(tables, i, work)
    wa, wb = load3(work.w, m.a), load3(work.w, m.b)
    for side in range(2):
        n = m.a if side == 0 else m.b
        for k in range(freedoms(tables, n)):
            move, turn = unit_displacement(work, n, k)
            xa, ra, xb, rb = move, turn, ZERO, ZERO
            if side == 1:
                xa, ra, xb, rb = ZERO, ZERO, move, turn
            dna, dta, dnb, dtb = gradient_variation(tables, i, work, xa, ra, xb, rb)
            value = dot(na, xa) + dot(ta, ra) + dot(nb, xb) + dot(tb, rb)
            # the rate changes with the gradient, and because angular velocities are held in body axes
            rate = (
                dot(dna, load3(work.v, m.a)) + dot(dta, wa) + dot(dnb, load3(work.v, m.b)) + dot(dtb, wb)
                + dot(ta, cross(ra, wa)) + dot(tb, cross(rb, wb))
            )  # fmt: skip
            ds = weight_place * (by_value * value + by_rate * rate) + weight_rate * by_rate * value
            ps = weight_place * s
            force, moment = axpy(ps, dna, scale(ds, na)), axpy(ps, sub(dta, cross(ra, ta)), scale(ds, ta))
            add_to_column(tables, work, m.a, at[i, 0, side, 0], at[i, 0, side, 1], k, force, moment, kkt)
            force, moment = axpy(ps, dnb, scale(ds, nb)), axpy(ps, sub(dtb, cross(rb, tb)), scale(ds, tb))
            add_to_column(tables, work, m.b, at[i, 1, side, 0], at[i, 1, side, 1], k, force, moment, kkt)


@device
def add_couplings_tangent(tables, t, work, weight_rate, weight_place, kkt):
    for i in range(len(tables.couplings)):
        which = tables.couplings[i].measure
        c, rate, _, _, _, _, _ = measure(tables, which, work)
        c = counted(tables, work, which, t, c)
        elastic, damping, active, by_value, by_rate = coupling_force(tables, i, t, c, rate, work)
        s = elastic + damping - active
        add_along_measure(tables, which, work, s, -by_value, -by_rate, weight_rate, weight_place, kkt)


@device
def add_rows_tangent(tables, multiplier, work, weight_place, kkt):
    """Change of G' multiplier."""
    for r in range(len(tables.rows)):
        row = tables.rows[r]
        if multiplier[r] == 0.0:
            continue
        for p in range(row.first, row.last):
            s = multiplier[r] * tables.terms[p].weight
            add_along_measure(tables, tables.terms[p].measure, work, s, 0.0, 0.0, 0.0, weight_place, kkt)


# -- bushings ---------------------------------------------------------------------------------------------------------
@device
def curvature_variation(phi, dphi, w):
    """Change of c(|phi|) phi x (phi x w), the part of the log map's rate that is quadratic in phi."""
    c, slope = log_curvature(phi)
    twice = cross(phi, cross(phi, w))
    return axpy(c, add(cross(dphi, cross(phi, w)), cross(phi, cross(dphi, w))), scale(slope * dot(phi, dphi), twice))


@device
def bushing_variation(tables, i, work, xa, ta, xb, tb, weight_rate, weight_place):
    """Change of a bushing's (force on a, moment on a, moment on b) for a displacement of its nodes, taken with
    weight_place as a displacement and with weight_rate as a velocity; moments as read in body axes."""
    bushing = tables.bushings[i]
    R, a, b = work.R, bushing.a, bushing.b
    ra, rb, d = arms(tables, i, work)
    f, m, phi, _ = bushing_stress(tables, i, work)
    wa, wb = load3(work.w, a), load3(work.w, b)
    wra, wrb = cross(wa, ra), cross(wb, rb)
    dd = sub(add(xb, cross(tb, rb)), add(xa, cross(ta, ra)))
    du = world_to_marker(R, a, bushing.qa, sub(dd, cross(ta, d)))
    dphi = log_rate(phi, world_to_marker(R, a, bushing.qa, sub(tb, ta)))

    # rates of the deformation: s = u' in world axes, y = angular velocity of b relative to a, in marker a's axes
    s = sub(sub(add(load3(work.v, b), wrb), add(load3(work.v, a), wra)), cross(wa, d))
    ds = sub(sub(cross(tb, wrb), cross(ta, wra)), add(cross(cross(ta, wa), d), cross(wa, dd)))
    du_rate = world_to_marker(R, a, bushing.qa, sub(ds, cross(ta, s)))
    y = world_to_marker(R, a, bushing.qa, sub(wb, wa))
    dy = world_to_marker(R, a, bushing.qa, cross(sub(tb, ta), wb))
    dphi_rate = add(log_rate(phi, dy), axpy(-0.5, cross(dphi, y), curvature_variation(phi, dphi, y)))

    kf, km = times6(bushing.stiffness, du, dphi)
    cf, cm = times6(bushing.damping, du_rate, dphi_rate)
    rf, rm = times6(bushing.damping, du, dphi)
    df = axpy(weight_place, add(kf, cf), scale(weight_rate, rf))
    dm = axpy(weight_place, add(km, cm), scale(weight_rate, rm))

    n = marker_to_world(R, a, bushing.qa, f)
    torque = marker_to_world(R, a, bushing.qa, log_rate_transposed(phi, m))
    bend = axpy(0.5, cross(dphi, m), curvature_variation(phi, dphi, m))
    dn = axpy(weight_place, cross(ta, n), marker_to_world(R, a, bushing.qa, df))
    dtorque = marker_to_world(R, a, bushing.qa, axpy(weight_place, bend, log_rate_transposed(phi, dm)))
    dtorque = axpy(weight_place, cross(ta, torque), dtorque)
    arm = add(ra, d)
    turned_a = sub(cross(add(cross(ta, ra), dd), n), cross(ta, add(cross(arm, n), torque)))
    turned_b = sub(cross(cross(tb, rb), n), cross(tb, add(cross(rb, n), torque)))
    on_a = axpy(weight_place, turned_a, add(cross(arm, dn), dtorque))
    on_b = axpy(weight_place, turned_b, add(cross(rb, dn), dtorque))
    return dn, on_a, scale(-1.0, on_b)


@device
def pivot_variation(tables, i, work, xa, ta, xb, tb, weight_rate, weight_place):
    """As bushing_variation, for a force against tilt, which acts on both nodes where the second marker is."""
    ra, rb, d = arms(tables, i, work)
    n, _ = tilt_force(tables, i, work, ra, rb, d)
    dn, dd = tilt_variation(tables, i, work, (ra, rb, d), (xa, ta, xb, tb), weight_rate, weight_place)
    arm = add(ra, d)
    turned_a = sub(cross(add(cross(ta, ra), dd), n), cross(ta, cross(arm, n)))
    turned_b = sub(cross(cross(tb, rb), n), cross(tb, cross(rb, n)))
    on_a = axpy(weight_place, turned_a, cross(arm, dn))
    on_b = axpy(weight_place, turned_b, cross(rb, dn))
    return dn, on_a, scale(-1.0, on_b)


@device
def add_bushings_tangent(tables, work, weight_rate, weight_place, kkt):
    at = kkt.bushing_at
    for i in range(len(tables.bushings)):
        a, b = tables.bushings[i].a, tables.bushings[i].b
        for side in range(2):
            n = a if side == 0 else b
            for k in range(freedoms(tables, n)):
                move, turn = unit_displacement(work, n, k)
                xa, ra, xb, rb = move, turn, ZERO, ZERO
                if side == 1:
                    xa, ra, xb, rb = ZERO, ZERO, move, turn
                if tables.bushings[i].tilts:
                    force, on_a, on_b = pivot_variation(tables, i, work, xa, ra, xb, rb, weight_rate, weight_place)
                else:
                    force, on_a, on_b = bushing_variation(tables, i, work, xa, ra, xb, rb, weight_rate, weight_place)
                on_a, on_b = scale(-1.0, on_a), scale(-1.0, on_b)
                add_to_column(tables, work, a, at[i, 0, side, 0], at[i, 0, side, 1], k, scale(-1.0, force), on_a, kkt)
                add_to_column(tables, work, b, at[i, 1, side, 0], at[i, 1, side, 1], k, force, on_b, kkt)


# -- loads and inertia ------------------------------------------------------------------------------------------------
@device
def add_loads_tangent(tables, t, work, weight_place, kkt):
    """Loads that follow their node keep their moment in its axes; dead loads keep their force."""
    for i in range(len(tables.loads)):
        load = tables.loads[i]
        n = load.node
        if freedoms(tables, n) != 6:
            continue
        force, moment = ZERO, ZERO
        for k in range(3):
            axis = from3(load.axes[k])
            f, _, _ = time_law(tables, load.law[k], t, work)
            m, _, _ = time_law(tables, load.law[3 + k], t, work)
            force, moment = axpy(load.share * f, axis, force), axpy(load.share * m, axis, moment)
        r = rotate(work.R, n, from3(load.s))
        for k in range(3, 6):
            _, turn = unit_displacement(work, n, k)
            if load.follows:
                change, about_node = cross(turn, rotate(work.R, n, force)), ZERO
            else:
                about_node = sub(cross(cross(turn, r), force), cross(turn, add(cross(r, force), moment)))
                change = ZERO
            change, about_node = scale(-weight_place, change), scale(-weight_place, about_node)
            add_to_column(tables, work, n, kkt.node_at[n, 0], kkt.node_at[n, 1], k, change, about_node, kkt)


@device
def add_inertia(tables, v, weight_mass, weight_rate, kkt):
    """weight_mass M + weight_rate d(w x J w)/dw"""
    values = kkt.values
    for n in range(len(tables.nodes)):
        node = tables.nodes[n]
        j, at, stride = node.v, kkt.node_at[n, 0], kkt.node_at[n, 1]
        if at < 0:
            continue
        for k in range(3):
            values[at + k * stride + k] += weight_mass * node.mass
        if node.kind == POINT:
            continue
        J = node.inertia
        w = (v[j + 3], v[j + 4], v[j + 5])
        Jw = (J[0] * w[0], J[1] * w[1], J[2] * w[2])
        for k in range(3):
            values[at + (3 + k) * stride + 3 + k] += weight_mass * J[k]
            dw = (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)
            change = add(cross(dw, Jw), cross(w, (J[0] * dw[0], J[1] * dw[1], J[2] * dw[2])))
            for i in range(3):
                values[at + (3 + i) * stride + 3 + k] += weight_rate * change[i]


@device
def add_tangent(tables, t, q, v, multiplier, work, weight_mass, weight_rate, weight_place, kkt):
    """kkt.values += weight_mass M + weight_rate dr/dv + weight_place dr/d(displacement) at fixed a and multiplier.

    Cleared by the caller; see solve.kkt for where entries lie. work as `residual` left it at this state.
    """
    add_inertia(tables, v, weight_mass, weight_rate, kkt)
    if len(tables.modal) > 0:
        add_modal_tangent(tables, v, multiplier, work, weight_mass, weight_rate, weight_place, kkt)
    add_loads_tangent(tables, t, work, weight_place, kkt)
    add_couplings_tangent(tables, t, work, weight_rate, weight_place, kkt)
    add_bushings_tangent(tables, work, weight_rate, weight_place, kkt)
    if has_elements(tables):
        add_elements_tangent(tables, work, weight_rate, weight_place, kkt)
    if len(tables.pressures) > 0:
        add_pressures_tangent(tables, t, work, weight_place, kkt)
    if len(tables.pairs) > 0:
        add_contacts_tangent(tables, work, weight_rate, weight_place, kkt)
    if len(tables.grips) > 0:
        add_grips_tangent(tables, t, multiplier, work, weight_rate, weight_place, kkt)
    add_rows_tangent(tables, multiplier, work, weight_place, kkt)
