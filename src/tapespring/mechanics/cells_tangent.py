"""How the forces of membrane, shell and solid elements change: B' C B, and the stress times the second derivatives.

B has the derivatives of the scalars by the freedoms of the corners: translations in world axes, turns in node axes. A
carried vector R c changes by R (ψ x c) with a turn ψ in node axes, so that a force f on it is a moment c x F, F = R' f,
whose own change with ψ is F c' - (F·c) 1. Scalar products couple two vectors only, each linear in z; their second
derivatives are numbers H between vectors z.

Matrices over the freedoms of an element lie flat, with rows of a multiple of six, for six numbers are computed with at
once (linear.six).
"""

from numpy import uintp

from ..jit import device, from_numba, small
from ..math.mat3 import axpy33, dyad, load33, plus33, product, scale33, skew, times_skew, transform_back, transposed
from ..math.vec3 import add, cross, dot, load3, sub
from .cell_laws import respond, unstrained_stiffness
from .cells import add_up, carried, forces_on_vectors, gather_rates, spread, stressed
from .tables import EVEN, FRAME, LINEAR, MULTIPLE

less6, load6, scale6, store6 = from_numba(".linear.six", "less6", "load6", "scale6", "store6")

ZERO = (0.0, 0.0, 0.0)
NOTHING = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@small
def given(tables, e, k, c):
    """What corner k gives in node axes: arm of its place (c = 0), vectors it carries."""
    if c == 0:
        return load3(tables.arms, tables.corners[tables.cells[e].corner + k].arm)
    return carried(tables, e, k, c)


@small
def stride_of(cell, form):
    """Length of a row over the element's freedoms."""
    return 6 * ((cell.width * form.corners + 5) // 6)


@device
def put_row(tables, e, work, force, rows, k):
    """rows[k] <- forces on the freedoms of the corners from forces on z."""
    cell = tables.cells[e]
    form = tables.forms[cell.form]
    first = k * stride_of(cell, form)
    for i in range(form.corners):
        at = first + cell.width * i
        rows[at] = force[i, 0]
        rows[at + 1] = force[i, 1]
        rows[at + 2] = force[i, 2]
        if cell.width == 6:
            node = tables.corners[cell.corner + i].node
            m = turning_moment(tables, e, i, node, work, force)
            m = transform_back(load33(work.R, node), m)
            rows[at + 3] = m[0]
            rows[at + 4] = m[1]
            rows[at + 5] = m[2]
    for j in range(first + cell.width * form.corners, first + stride_of(cell, form)):
        rows[j] = 0.0


@device
def turning_moment(tables, e, i, node, work, force):
    """Moment on a node, world axes, of forces on what its corner i gives; many are zero."""
    cell = tables.cells[e]
    form = tables.forms[cell.form]
    n, z, m = form.corners, work.cell_z, ZERO
    if cell.arms:
        m = cross(sub(load3(z, i), load3(work.x, node)), load3(force, i))
    for c in range(1, form.carried + 1):
        f = load3(force, c * n + i)
        if f[0] != 0.0 or f[1] != 0.0 or f[2] != 0.0:
            m = add(m, cross(load3(z, c * n + i), f))
    return m


@device
def add_turning_rates(tables, e, work, force, rows, k):
    """rows[k] += forces on the rates of z, by how those rates change with turns: R (ψ x (Ω x c))."""
    cell = tables.cells[e]
    form = tables.forms[cell.form]
    n = form.corners
    for i in range(n):
        corner = tables.corners[cell.corner + i]
        R = load33(work.R, corner.node)
        spin = transform_back(R, load3(work.w, corner.node))
        m = ZERO
        for c in range(form.carried + 1):
            m = add(m, cross(cross(spin, given(tables, e, i, c)), transform_back(R, load3(force, c * n + i))))
        for a in range(3):
            rows[6 * (k * n + i) + 3 + a] += m[a]


@device
def gradient(tables, form, k, y, force):
    """force <- derivatives of scalar k by z, as if it were products with y."""
    for j in range(form.corners * (1 + form.carried)):
        for c in range(4):
            force[j, c] = 0.0
    for p in range(tables.form_scalars[form.scalar + k], tables.form_scalars[form.scalar + k + 1]):
        term = tables.form_products[p]
        add_vector(tables, form.vector + term.i, term.weight, y, term.j, force)
        add_vector(tables, form.vector + term.j, term.weight, y, term.i, force)


@device
def add_vector(tables, i, weight, y, j, force):
    """force on vector i += weight y[j], spread to what the vector is the sum of."""
    for p in range(tables.form_first[i], tables.form_first[i + 1]):
        term = tables.form_terms[p]
        w = weight * term.weight
        for c in range(4):
            force[term.source, c] += w * y[j, c]


@device
def rows_of(tables, e, form, work, y, rows):
    """rows <- derivatives of all scalars by the corners' freedoms, as if they were products with y."""
    for k in range(form.scalars):
        gradient(tables, form, k, y, work.cell_force)
        put_row(tables, e, work, work.cell_force, rows, k)


@device
def weighed_rows(C, n, rows, first, stride, out):
    """out <- C rows, for n rows from the first on."""
    for i in range(n):
        for j in range(uintp(0), uintp(stride), uintp(6)):
            t = scale6(C[i * n], load6(rows, uintp(first * stride) + j))
            for l in range(1, n):
                t = less6(t, -C[i * n + l], load6(rows, uintp((first + l) * stride) + j))
            store6(out, uintp((first + i) * stride) + j, t)


@device
def unpack(numbers, at, lane, n, kept, C):
    """C <- a block of n by n (cells.store) from the cell's numbers; where it ends in them. C holds the block before."""
    if kept == MULTIPLE:
        for i in range(n * n):
            C[i] *= numbers[at, lane]
        return at + 1
    if kept == EVEN:
        for i in range(n * n):
            C[i] = numbers[at, lane]
        for i in range(n):
            C[n * i + i] += numbers[at + 1, lane]
        return at + 2
    for i in range(n):
        for j in range(i, n):
            C[n * i + j] = C[n * j + i] = numbers[at, lane]
            at += 1
    return at


@device
def stiff_rows(tables, e, form, rows, out, stride, C):
    """out <- C rows; C: room for a block"""
    at, first = tables.cells[e].number + form.matrix, 0
    for b in range(form.block, form.block + form.blocks):
        n = tables.form_blocks[b, 0]
        at = unpack(tables.cell_numbers, at, tables.cells[e].lane, n, tables.form_blocks[b, 1], C)
        weighed_rows(C, n, rows, first, stride, out)
        first += n


@device
def add_products(left, right, count, size, stride, weight, K):
    """K += weight left' right"""
    for i in range(0, size - 1, 2):
        for j in range(uintp(0), uintp(stride), uintp(6)):
            one, two = load6(K, uintp(i * stride) + j), load6(K, uintp((i + 1) * stride) + j)
            for k in range(count):
                row = load6(right, uintp(k * stride) + j)
                one = less6(one, -weight * left[k * stride + i], row)
                two = less6(two, -weight * left[k * stride + i + 1], row)
            store6(K, uintp(i * stride) + j, one)
            store6(K, uintp((i + 1) * stride) + j, two)
    if size % 2 == 1:
        i = size - 1
        for j in range(uintp(0), uintp(stride), uintp(6)):
            one = load6(K, uintp(i * stride) + j)
            for k in range(count):
                one = less6(one, -weight * left[k * stride + i], load6(right, uintp(k * stride) + j))
            store6(K, uintp(i * stride) + j, one)


@device
def second_derivatives(tables, form, sigma, H):
    """H <- Σ σ d²s/dz²"""
    m = form.corners * (1 + form.carried)
    for i in range(m):
        for j in range(m):
            H[i, j] = 0.0
    for p in range(tables.form_scalars[form.scalar], tables.form_scalars[form.scalar + form.scalars]):
        term = tables.form_products[p]
        weight = term.weight * sigma[term.scalar]
        i, j = form.vector + term.i, form.vector + term.j
        for a in range(tables.form_first[i], tables.form_first[i + 1]):
            left = tables.form_terms[a]
            w = weight * left.weight
            for b in range(tables.form_first[j], tables.form_first[j + 1]):
                right = tables.form_terms[b]
                H[left.source, right.source] += w * right.weight
                H[right.source, left.source] += w * right.weight


@device
def add_block_to(K, stride, i, j, A):
    for a in range(3):
        at = (i + a) * stride + j
        K[at] += A[3 * a]
        K[at + 1] += A[3 * a + 1]
        K[at + 2] += A[3 * a + 2]


@device
def add_stress_part(tables, e, form, work, weight, H, force, K):
    """K += weight times the geometric part: H between what corners give, and the moments' own change."""
    cell = tables.cells[e]
    n, width, stride = form.corners, cell.width, stride_of(cell, form)
    for i in range(n):
        for j in range(n):
            h = weight * H[i, j]
            for a in range(3):
                K[(width * i + a) * stride + width * j + a] += h
    if width == 3:
        return
    for i in range(n):
        left = tables.corners[cell.corner + i]
        Ri = load33(work.R, left.node)
        for j in range(n):
            right = tables.corners[cell.corner + j]
            Rj = load33(work.R, right.node)
            by_turn, moment, both = NOTHING, NOTHING, NOTHING
            for c in range(form.carried + 1):
                by_turn = axpy33(weight * H[i, c * n + j], skew(given(tables, e, j, c)), by_turn)
                moment = axpy33(weight * H[c * n + i, j], skew(given(tables, e, i, c)), moment)
                for d in range(form.carried + 1):
                    h = weight * H[c * n + i, d * n + j]
                    if h != 0.0 and (cell.arms or (c > 0 and d > 0)):
                        inner = times_skew(product(transposed(Ri), Rj), given(tables, e, j, d))
                        both = axpy33(h, product(skew(given(tables, e, i, c)), inner), both)
            add_block_to(K, stride, 6 * i, 6 * j + 3, scale33(-1.0, product(Rj, by_turn)))
            add_block_to(K, stride, 6 * i + 3, 6 * j, product(moment, transposed(Ri)))
            add_block_to(K, stride, 6 * i + 3, 6 * j + 3, scale33(-1.0, both))
        own = NOTHING
        for c in range(form.carried + 1):
            F, arm = transform_back(Ri, load3(force, c * n + i)), given(tables, e, i, c)
            g = dot(F, arm)
            own = plus33(own, axpy33(-g, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), dyad(F, arm)))
        add_block_to(K, stride, 6 * i + 3, 6 * i + 3, scale33(weight, own))


@device
def scatter(tables, e, form, K, values, places):
    """values += K, corner by corner; frames have six freedoms, points three, others none."""
    cell = tables.cells[e]
    n, width, stride_K = form.corners, cell.width, stride_of(cell, form)
    for i in range(n):
        rows = 6 if tables.nodes[tables.corners[cell.corner + i].node].kind == FRAME else 3
        for j in range(n):
            at, stride = places[cell.pair + n * i + j, 0], places[cell.pair + n * i + j, 1]
            if at < 0:
                continue
            columns = 6 if tables.nodes[tables.corners[cell.corner + j].node].kind == FRAME else 3
            for a in range(rows):
                for b in range(columns):
                    values[at + a * stride + b] += K[(width * i + a) * stride_K + width * j + b]


@device
def add_cell_tangent(tables, e, work, weight_rate, weight_place, values, places):
    """values += weight_rate dr/dv + weight_place dr/d(displacement) of the element's part of the residual r."""
    cell = tables.cells[e]
    form = tables.forms[cell.form]
    size, stride = cell.width * form.corners, stride_of(cell, form)
    B, CB, K = work.cell_rows, work.cell_stiff, work.cell_K
    stressed(tables, e, work)
    for i in range(size * stride):
        K[i] = 0.0
    rows_of(tables, e, form, work, work.cell_y, B)
    if cell.law == LINEAR:
        stiff_rows(tables, e, form, B, CB, stride, work.cell_C)
        add_products(B, CB, form.scalars, size, stride, weight_place + weight_rate * cell.damping, K)
    else:
        respond(tables, e, form, work.cell_s, work, work.cell_damping, work.cell_C, True)
        weighed_rows(work.cell_C, form.scalars, B, 0, stride, CB)
        add_products(B, CB, form.scalars, size, stride, weight_place, K)
        if cell.damping > 0.0:
            unstrained_stiffness(tables, e, form, work)
            weighed_rows(work.cell_C, form.scalars, B, 0, stride, CB)
            add_products(B, CB, form.scalars, size, stride, weight_rate * cell.damping, K)
    if cell.damping > 0.0:
        gather_rates(tables, e, work, work.cell_z, work.cell_z_rate)
        add_up(tables, form, work.cell_z_rate, work.cell_y_rate)
        rows_of(tables, e, form, work, work.cell_y_rate, work.cell_rows_rate)
        if cell.width == 6:
            for k in range(form.scalars):
                gradient(tables, form, k, work.cell_y, work.cell_force)
                add_turning_rates(tables, e, work, work.cell_force, work.cell_rows_rate, k)
        add_products(CB, work.cell_rows_rate, form.scalars, size, stride, weight_place * cell.damping, K)
    if work.mixed[0]:
        for k in range(form.scalars):
            work.cell_stress[k] = work.foreseen[cell.scalar + k]
    second_derivatives(tables, form, work.cell_stress, work.cell_H)
    forces_on_vectors(tables, form, work.cell_y, work.cell_stress, work.cell_f)
    spread(tables, form, work.cell_f, work.cell_force)
    add_stress_part(tables, e, form, work, weight_place, work.cell_H, work.cell_force, K)
    scatter(tables, e, form, K, values, places)
