"""Elements of membranes, shells and solids: energies of scalar products of what their corners have (cells.form).

    z: place and carried vectors of the corners,   y = Σ t z,   s = Σ c y·y,   σ = C (s - s0 + β s'),
    force on z: Σ σ ds/dz

A carried vector R c turns with its node, so a force F on it is a moment (R c) x F there. Vectors lie in rows of four
numbers, the last one zero, so that they are computed with as a whole. The numbers of a cell stand below one another in
its lane of Tables.cell_numbers (cells.store).
"""

from ..jit import device, small
from ..math.mat3 import load33, transform
from ..math.vec3 import add, add_to3, cross, dot, load3, sub
from .cell_laws import respond, unstrained_stiffness
from .motion import is_free
from .tables import DISSIPATED, DRIVES, LINEAR, MULTIPLE, WHOLE


@small
def put4(array, i, a):
    array[i, 0] = a[0]
    array[i, 1] = a[1]
    array[i, 2] = a[2]
    array[i, 3] = 0.0


@small
def carried(tables, e, k, c):
    """Vector c = 1 … that corner k carries, node axes."""
    cell, numbers = tables.cells[e], tables.cell_numbers
    form = tables.forms[cell.form]
    at = cell.number + form.scalars + 3 * (form.carried * k + c - 1)
    return numbers[at, cell.lane], numbers[at + 1, cell.lane], numbers[at + 2, cell.lane]


@device
def gather(tables, e, work, z):
    """z <- places and carried vectors, world axes."""
    cell = tables.cells[e]
    form = tables.forms[cell.form]
    n = form.corners
    for k in range(n):
        corner = tables.corners[cell.corner + k]
        node = corner.node
        x = load3(work.x, node)
        if cell.width == 3:
            put4(z, k, x)
            continue
        R = load33(work.R, node)
        put4(z, k, add(x, transform(R, load3(tables.arms, corner.arm))))
        for c in range(1, form.carried + 1):
            put4(z, c * n + k, transform(R, carried(tables, e, k, c)))


@device
def gather_rates(tables, e, work, z, rate):
    """rate <- the rates of z."""
    cell = tables.cells[e]
    form = tables.forms[cell.form]
    n = form.corners
    for k in range(n):
        node = tables.corners[cell.corner + k].node
        v = load3(work.v, node)
        if cell.width == 3:
            put4(rate, k, v)
            continue
        w = load3(work.w, node)
        put4(rate, k, add(v, cross(w, sub(load3(z, k), load3(work.x, node)))))
        for c in range(form.carried):
            i = (c + 1) * n + k
            put4(rate, i, cross(w, load3(z, i)))


@device
def add_up(tables, form, z, y):
    """y <- Σ t z"""
    for i in range(form.vectors):
        a, b, c, d = 0.0, 0.0, 0.0, 0.0
        for p in range(tables.form_first[form.vector + i], tables.form_first[form.vector + i + 1]):
            term = tables.form_terms[p]
            t, j = term.weight, term.source
            a += t * z[j, 0]
            b += t * z[j, 1]
            c += t * z[j, 2]
            d += t * z[j, 3]
        y[i, 0] = a
        y[i, 1] = b
        y[i, 2] = c
        y[i, 3] = d


@device
def spread(tables, form, f, out):
    """out <- forces on z from forces f on y"""
    for j in range(form.corners * (1 + form.carried)):
        for c in range(4):
            out[j, c] = 0.0
    for i in range(form.vectors):
        for p in range(tables.form_first[form.vector + i], tables.form_first[form.vector + i + 1]):
            term = tables.form_terms[p]
            t, j = term.weight, term.source
            for c in range(4):
                out[j, c] += t * f[i, c]


@small
def dot4(a, i, b, j):
    return a[i, 0] * b[j, 0] + a[i, 1] * b[j, 1] + a[i, 2] * b[j, 2] + a[i, 3] * b[j, 3]


@device
def strain(tables, e, form, y, s):
    """s <- Σ c y·y - s0"""
    at, lane = tables.cells[e].number, tables.cells[e].lane
    for k in range(form.scalars):
        s[k] = -tables.cell_numbers[at + k, lane]
    for p in range(tables.form_scalars[form.scalar], tables.form_scalars[form.scalar + form.scalars]):
        term = tables.form_products[p]
        s[term.scalar] += term.weight * dot4(y, term.i, y, term.j)


@device
def strain_rate(tables, form, y, rate, s):
    """s <- the rate of the scalars"""
    for k in range(form.scalars):
        s[k] = 0.0
    for p in range(tables.form_scalars[form.scalar], tables.form_scalars[form.scalar + form.scalars]):
        term = tables.form_products[p]
        s[term.scalar] += term.weight * (dot4(rate, term.i, y, term.j) + dot4(y, term.i, rate, term.j))


@device
def triangle_times(numbers, at, lane, first, last, ratio, s, out):
    """out += ratio times a block of C by s, for scalars from first to last; where its upper triangle ends."""
    for i in range(first, last):
        total = numbers[at, lane] * s[i]
        at += 1
        for j in range(i + 1, last):
            c = numbers[at, lane]
            at += 1
            total += c * s[j]
            out[j] += ratio * c * s[i]
        out[i] += ratio * total
    return at


@device
def even_times(every, more, first, last, s, out):
    """out += a block of C by s whose entries are alike."""
    total = 0.0
    for i in range(first, last):
        total += s[i]
    for i in range(first, last):
        out[i] += every * total + more * s[i]


@device
def stiffness_times(tables, e, form, s, out):
    """out <- C s; see cells.store"""
    numbers, at, lane = tables.cell_numbers, tables.cells[e].number + form.matrix, tables.cells[e].lane
    first, before = 0, at
    for k in range(form.scalars):
        out[k] = 0.0
    for b in range(form.block, form.block + form.blocks):
        last, kept = first + tables.form_blocks[b, 0], tables.form_blocks[b, 1]
        if kept == WHOLE:
            before = at
            at = triangle_times(numbers, at, lane, first, last, 1.0, s, out)
        elif kept == MULTIPLE:
            triangle_times(numbers, before, lane, first, last, numbers[at, lane], s, out)
            at += 1
        else:
            even_times(numbers[at, lane], numbers[at + 1, lane], first, last, s, out)
            at += 2
        first = last


@device
def elastic_stress(tables, e, form, s, work):
    """work.cell_stress <- stress at the scalars s; the energy."""
    if tables.cells[e].law != LINEAR:
        return respond(tables, e, form, s, work, work.cell_stress, work.cell_C, False)
    stiffness_times(tables, e, form, s, work.cell_stress)
    energy = 0.0
    for k in range(form.scalars):
        energy += 0.5 * s[k] * work.cell_stress[k]
    return energy


@device
def damping_stress(tables, e, form, rate, work):
    """work.cell_damping <- C s', with the stiffness of the unstrained material if it is not constant."""
    if tables.cells[e].law != LINEAR:
        unstrained_stiffness(tables, e, form, work)
        for i in range(form.scalars):
            total = 0.0
            for j in range(form.scalars):
                total += work.cell_C[form.scalars * i + j] * rate[j]
            work.cell_damping[i] = total
        return
    stiffness_times(tables, e, form, rate, work.cell_damping)


@device
def forces_on_vectors(tables, form, y, sigma, f):
    """f <- Σ σ ds/dy"""
    for i in range(form.vectors):
        for c in range(4):
            f[i, c] = 0.0
    for p in range(tables.form_scalars[form.scalar], tables.form_scalars[form.scalar + form.scalars]):
        term = tables.form_products[p]
        i, j, weight = term.i, term.j, term.weight * sigma[term.scalar]
        for c in range(4):
            f[i, c] += weight * y[j, c]
        for c in range(4):
            f[j, c] += weight * y[i, c]


@device
def corner_moment(n, vectors, k, arm, z, force):
    """Moment about the node of what acts on its place and on the vectors it carries."""
    m = cross(arm, load3(force, k))
    for c in range(1, vectors + 1):
        m = add(m, cross(load3(z, c * n + k), load3(force, c * n + k)))
    return m


@device
def stressed(tables, e, work):
    """Scalars and stress of the element left in work; (energy, power of damping)."""
    cell, c = tables.cells[e], work
    form = tables.forms[cell.form]
    gather(tables, e, work, c.cell_z)
    add_up(tables, form, c.cell_z, c.cell_y)
    strain(tables, e, form, c.cell_y, c.cell_s)
    energy, power = elastic_stress(tables, e, form, c.cell_s, work), 0.0
    if cell.damping > 0.0:
        gather_rates(tables, e, work, c.cell_z, c.cell_z_rate)
        add_up(tables, form, c.cell_z_rate, c.cell_y_rate)
        strain_rate(tables, form, c.cell_y, c.cell_y_rate, c.cell_s_rate)
        damping_stress(tables, e, form, c.cell_s_rate, work)
        for k in range(form.scalars):
            c.cell_damping[k] *= cell.damping
            c.cell_stress[k] += c.cell_damping[k]
            power += c.cell_damping[k] * c.cell_s_rate[k]
    return energy, power


@device
def cell_energy(tables, e, work):
    energy, _ = stressed(tables, e, work)
    return energy


@device
def add_cell(tables, e, work):
    """Forces on the nodes, and powers."""
    _, power = stressed(tables, e, work)
    work.power[DISSIPATED] += power
    if tables.cells[e].damping > 0.0 and work.apart[0]:
        add_stress(tables, e, work, work.cell_damping, work.resisting_force, work.resisting_moment)
    work.power[DRIVES] += add_stress(tables, e, work, work.cell_stress, work.force, work.moment)


@device
def add_stress(tables, e, work, sigma, forces, moments):
    """Forces and moments on the nodes from a stress; the power that prescribed nodes give."""
    power = 0.0
    cell = tables.cells[e]
    form = tables.forms[cell.form]
    forces_on_vectors(tables, form, work.cell_y, sigma, work.cell_f)
    spread(tables, form, work.cell_f, work.cell_force)
    n = form.corners
    for k in range(n):
        node = tables.corners[cell.corner + k].node
        force = load3(work.cell_force, k)
        add_to3(forces, node, -1.0, force)
        moment = (0.0, 0.0, 0.0)
        if cell.width == 6:
            arm = sub(load3(work.cell_z, k), load3(work.x, node))
            moment = corner_moment(n, form.carried, k, arm, work.cell_z, work.cell_force)
            add_to3(moments, node, -1.0, moment)
        if not is_free(tables, node):
            power += dot(force, load3(work.v, node)) + dot(moment, load3(work.w, node))
    return power


@device
def foresee_cell_stress(tables, e, work, part):
    """work.foreseen <- stress after a part of the displacement that stands in work.v and work.w, see mechanics.mixed"""
    cell = tables.cells[e]
    form = tables.forms[cell.form]
    gather(tables, e, work, work.cell_z)
    add_up(tables, form, work.cell_z, work.cell_y)
    strain(tables, e, form, work.cell_y, work.cell_s)
    gather_rates(tables, e, work, work.cell_z, work.cell_z_rate)
    add_up(tables, form, work.cell_z_rate, work.cell_y_rate)
    strain_rate(tables, form, work.cell_y, work.cell_y_rate, work.cell_s_rate)
    for k in range(form.scalars):
        work.cell_s[k] += part * work.cell_s_rate[k]
    elastic_stress(tables, e, form, work.cell_s, work)
    for k in range(form.scalars):
        work.foreseen[cell.scalar + k] = work.cell_stress[k]
