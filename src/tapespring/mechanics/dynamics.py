"""Accelerations of the constrained system: M a + G' multiplier = f, G a + rhs = 0."""

from ..jit import device, small
from ..math.rotations import rotate_back
from ..math.vec3 import cross, dot, load3
from .constraints import add_row_products, evaluate_rows, factorize_rows, solve_multipliers, subtract_reactions
from .forces import apply_forces, stores_energy
from .linking import add_rigid_forces, free_modal_accelerations, modal_kinetic_energy, settle_grips, stored_energy
from .motion import is_free, place_nodes
from .tables import DRIVES, FRAME

SWEEPS = 2


@small
def free_acceleration(tables, n, v, work, out):
    """Newton and Euler for a node by itself; a prescribed one gets its imposed acceleration."""
    node = tables.nodes[n]
    if node.kind == 0:
        return
    j = node.v
    if not is_free(tables, n):
        alpha = rotate_back(work.R, n, load3(work.alpha, n))
        for k in range(3):
            out[j + k] = work.a[n, k]
            out[j + 3 + k] = alpha[k]
        return
    im = node.inverse_mass
    for k in range(3):
        out[j + k] = work.force[n, k] * im
    if node.kind == FRAME:
        J = node.inertia
        w = (v[j + 3], v[j + 4], v[j + 5])
        m = rotate_back(work.R, n, load3(work.moment, n))
        gyroscopic = cross(w, (J[0] * w[0], J[1] * w[1], J[2] * w[2]))
        for k in range(3):
            out[j + 3 + k] = (m[k] - gyroscopic[k]) * node.inverse_inertia[k]


@small
def constrain_accelerations(tables, t, work, out, alpha, beta):
    """out <- accelerations with reactions, from those without; returns the power of drives along constraints."""
    evaluate_rows(tables, t, work)
    factorize_rows(tables, work)
    add_reactions(tables, work, out, alpha, beta)
    return power_of_drives(work)


@small
def add_reactions(tables, work, out, alpha, beta):
    """out <- accelerations with reactions, from those without; rows are evaluated and factored."""
    l = work.multiplier
    for r in range(len(l)):
        l[r] = work.rhs[r] + 2.0 * alpha * work.g_rate[r] + beta * beta * work.g[r]
    add_row_products(tables, work, out, l)
    solve_multipliers(tables, work, l)
    subtract_reactions(tables, work, l, out)


@small
def power_of_drives(work):
    """Along constraints."""
    power, l = 0.0, work.multiplier
    for r in range(len(l)):
        # the constraint force -G'l does the power -l.(G v) on free nodes, and G v = -imposed
        power += l[r] * work.g_target[r]
    return power


@small
def accelerations(tables, t, q, v, work, out, alpha, beta):
    """out <- accelerations; work.multiplier, work.power. alpha, beta: Baumgarte's terms (0, 0 for none)."""
    place_nodes(tables, t, q, v, work)
    apply_forces(tables, t, work)
    for n in range(len(tables.nodes)):
        free_acceleration(tables, n, v, work, out)
    if len(tables.modal) > 0:
        free_modal_accelerations(tables, v, work, out)
    if len(tables.rows) > 0:
        work.power[DRIVES] += constrain_accelerations(tables, t, work, out, alpha, beta)
    if len(tables.grips) > 0:
        settle_grips(tables, t, v, work, out, alpha, beta)
    if work.rigid_closed[0] > 0:
        add_rigid_forces(tables, v, work, out)


@device
def refine_reactions(tables, v, work, out):
    """Accelerations and multipliers of the last evaluation once more, from what the accelerations leave of
    G a + rhs = 0. The condition of S is that of the rows squared: along hundreds of bodies half of all digits are lost,
    and come back here."""
    l, change = work.multiplier, work.change
    for _ in range(SWEEPS):
        for n in range(len(tables.nodes)):
            free_acceleration(tables, n, v, work, out)
        subtract_reactions(tables, work, l, out)
        for r in range(len(l)):
            change[r] = work.rhs[r]
        add_row_products(tables, work, out, change)
        solve_multipliers(tables, work, change)
        subtract_reactions(tables, work, change, out)
        for r in range(len(l)):
            l[r] += change[r]


@device
def kinetic_energy(tables, q, v, work):
    total = modal_kinetic_energy(tables, q, v, work) if len(tables.modal) > 0 else 0.0
    for n in range(len(tables.nodes)):
        node = tables.nodes[n]
        if not is_free(tables, n):
            continue
        j = node.v
        total += 0.5 * node.mass * (v[j] ** 2 + v[j + 1] ** 2 + v[j + 2] ** 2)
        if node.kind == FRAME:
            J = node.inertia
            total += 0.5 * (J[0] * v[j + 3] ** 2 + J[1] * v[j + 4] ** 2 + J[2] * v[j + 5] ** 2)
    return total


@device
def gravity_energy(tables, q):
    g = (tables.gravity[0], tables.gravity[1], tables.gravity[2])
    total = 0.0
    for n in range(len(tables.nodes)):
        node = tables.nodes[n]
        if is_free(tables, n):
            total -= node.weight * dot(g, (q[node.q], q[node.q + 1], q[node.q + 2]))
    return total


@device
def energies(tables, t, q, v, work, out):
    """(kinetic, gravity, strain); work must be placed at this state."""
    out[0] = kinetic_energy(tables, q, v, work)
    out[1] = gravity_energy(tables, q)
    out[2] = stored_energy(tables, t, work) if stores_energy(tables) else 0.0
