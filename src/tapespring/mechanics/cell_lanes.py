"""Cells four at a time: membranes and shells with a linear law; only for explicit steps.

The same scalar products as the generic cells.form of quadrilateral and triangular membranes and quadrilateral shells,
written out (see cells.quad, cells.quad_shell), with one cell in each lane (math.lanes) as their numbers are stored
(cells.store). Corners lie at their nodes. What the cells put on their nodes is added one lane after another, for
neighbours share nodes.
"""

from numpy import int64

from ..jit import device, from_numba, small
from ..math.mat3 import transform
from ..math.vec3 import add, axpy, cross, dot, scale, sub
from .tables import DISSIPATED, WHOLE

four, lane, load_row, same = from_numba(".math.lanes", "four", "lane", "load_row", "same")

# rows of a cell's numbers: scalars without stress, in shells vectors that corners carry, upper triangles of C
QUAD_C, TRI_C = 6, 3
CARRIED, SHELL_C, BENDING_C = 20, 56, 77  # then those of shear and of turning about the normal
QUARTER = 0.25


# -- corners ----------------------------------------------------------------------------------------------------------


@small
def corner(tables, c, n, k):
    """Nodes of corner k of four cells with n corners each, the first of which is c."""
    of = tables.corners
    return (
        int64(of[c + k].node),
        int64(of[c + n + k].node),
        int64(of[c + 2 * n + k].node),
        int64(of[c + 3 * n + k].node),
    )


@small
def rows3(data, b):
    return load_row(data, b), load_row(data, b + 1), load_row(data, b + 2)


@small
def component(a, n, i):
    return four(a[n[0], i], a[n[1], i], a[n[2], i], a[n[3], i])


@small
def gather3(a, n):
    return component(a, n, 0), component(a, n, 1), component(a, n, 2)


@small
def entry(R, n, i, j):
    return four(R[n[0], i, j], R[n[1], i, j], R[n[2], i, j], R[n[3], i, j])


@small
def gather33(R, n):
    return (
        entry(R, n, 0, 0), entry(R, n, 0, 1), entry(R, n, 0, 2),
        entry(R, n, 1, 0), entry(R, n, 1, 1), entry(R, n, 1, 2),
        entry(R, n, 2, 0), entry(R, n, 2, 1), entry(R, n, 2, 2),
    )  # fmt: skip


@small
def take_lane(array, n, v, l):
    array[n, 0] -= lane(v[0], l)
    array[n, 1] -= lane(v[1], l)
    array[n, 2] -= lane(v[2], l)


@small
def take(array, n, v):
    """array at the four nodes -= v"""
    take_lane(array, n[0], v, int64(0))
    take_lane(array, n[1], v, int64(1))
    take_lane(array, n[2], v, int64(2))
    take_lane(array, n[3], v, int64(3))


@small
def add_all(v):
    return lane(v, int64(0)) + lane(v, int64(1)) + lane(v, int64(2)) + lane(v, int64(3))


# -- sums and products ------------------------------------------------------------------------------------------------


@small
def mean_of(p, q, r, s):
    return scale(QUARTER, add(add(p, q), add(r, s)))


@small
def bilinear(p, q, r, s):
    """(a1, a2, a3) of four corners."""
    one, two = sub(r, p), sub(q, s)
    return (
        scale(QUARTER, add(one, two)), scale(QUARTER, sub(one, two)), scale(QUARTER, sub(add(p, r), add(q, s)))
    )  # fmt: skip


@small
def to_corners(f0, f1, f2, f3):
    """Forces on four corners from those on the mean (f0) and on a1, a2, a3."""
    p, q, r, s = sub(f0, f1), add(f0, f1), sub(f2, f3), add(f2, f3)
    return (
        scale(QUARTER, sub(p, r)), scale(QUARTER, sub(q, s)), scale(QUARTER, add(q, s)), scale(QUARTER, add(p, r))
    )  # fmt: skip


@small
def six_products(a1, a2, a3, b1, b2, b3):
    """Membrane scalars with b in place of one a."""
    return (
        0.5 * dot(a1, b1), 0.5 * dot(a2, b2), 0.5 * (dot(a1, b2) + dot(a2, b1)),
        0.5 * (dot(a1, b3) + dot(a3, b1)), 0.5 * (dot(a2, b3) + dot(a3, b2)), 0.5 * dot(a3, b3),
    )  # fmt: skip


@small
def twice6(s):
    return s[0] + s[0], s[1] + s[1], s[2] + s[2], s[3] + s[3], s[4] + s[4], s[5] + s[5]


@small
def add6(s, t):
    return s[0] + t[0], s[1] + t[1], s[2] + t[2], s[3] + t[3], s[4] + t[4], s[5] + t[5]


@small
def add4(s, t):
    return s[0] + t[0], s[1] + t[1], s[2] + t[2], s[3] + t[3]


@small
def scale6(c, s):
    return c * s[0], c * s[1], c * s[2], c * s[3], c * s[4], c * s[5]


@small
def scale4(c, s):
    return c * s[0], c * s[1], c * s[2], c * s[3]


@small
def less6(s, data, b, at):
    return (
        s[0] - load_row(data, b + at), s[1] - load_row(data, b + at + 1), s[2] - load_row(data, b + at + 2),
        s[3] - load_row(data, b + at + 3), s[4] - load_row(data, b + at + 4), s[5] - load_row(data, b + at + 5),
    )  # fmt: skip


@small
def less4(s, data, b, at):
    return (
        s[0] - load_row(data, b + at), s[1] - load_row(data, b + at + 1), s[2] - load_row(data, b + at + 2),
        s[3] - load_row(data, b + at + 3),
    )  # fmt: skip


@small
def dot6(s, t):
    return s[0] * t[0] + s[1] * t[1] + s[2] * t[2] + (s[3] * t[3] + s[4] * t[4] + s[5] * t[5])


@small
def dot4(s, t):
    return s[0] * t[0] + s[1] * t[1] + (s[2] * t[2] + s[3] * t[3])


@small
def row6(data, b, i0, i1, i2, i3, i4, i5, e):
    first = load_row(data, b + i0) * e[0] + load_row(data, b + i1) * e[1] + load_row(data, b + i2) * e[2]
    return first + (load_row(data, b + i3) * e[3] + load_row(data, b + i4) * e[4] + load_row(data, b + i5) * e[5])


@small
def symmetric6(data, b, c, e):
    """C e; the upper triangle is stored by rows."""
    return (
        row6(data, b, c, c + 1, c + 2, c + 3, c + 4, c + 5, e),
        row6(data, b, c + 1, c + 6, c + 7, c + 8, c + 9, c + 10, e),
        row6(data, b, c + 2, c + 7, c + 11, c + 12, c + 13, c + 14, e),
        row6(data, b, c + 3, c + 8, c + 12, c + 15, c + 16, c + 17, e),
        row6(data, b, c + 4, c + 9, c + 13, c + 16, c + 18, c + 19, e),
        row6(data, b, c + 5, c + 10, c + 14, c + 17, c + 19, c + 20, e),
    )


@device
def bending_stress(data, b, layered, e):
    """C e of bending, and the row where its numbers end."""
    if layered:
        return symmetric6(data, b, BENDING_C, e), b + BENDING_C + 21
    return scale6(load_row(data, b + BENDING_C), symmetric6(data, b, SHELL_C, e)), b + BENDING_C + 1


@small
def even4(data, b, e):
    """C e with two numbers for all entries and for the diagonal."""
    every, more = load_row(data, b) * (e[0] + e[1] + (e[2] + e[3])), load_row(data, b + 1)
    return every + more * e[0], every + more * e[1], every + more * e[2], every + more * e[3]


@small
def row4(data, b, i0, i1, i2, i3, e):
    return (
        load_row(data, b + i0) * e[0]
        + load_row(data, b + i1) * e[1]
        + (load_row(data, b + i2) * e[2] + load_row(data, b + i3) * e[3])
    )


@small
def symmetric4(data, b, c, e):
    return (
        row4(data, b, c, c + 1, c + 2, c + 3, e),
        row4(data, b, c + 1, c + 4, c + 5, c + 6, e),
        row4(data, b, c + 2, c + 5, c + 7, c + 8, e),
        row4(data, b, c + 3, c + 6, c + 8, c + 9, e),
    )


@small
def three(s0, s1, s2, a, b, c):
    """s0 a + s1 b + s2 c"""
    return axpy(s0, a, axpy(s1, b, scale(s2, c)))


# -- membranes --------------------------------------------------------------------------------------------------------


@small
def put_quad(force, n0, n1, n2, n3, s, a1, a2, a3):
    """Forces on the corners of a quadrilateral from its stress."""
    none = same(0.0)
    f1, f2, f3 = (
        three(s[0], s[2], s[3], a1, a2, a3),
        three(s[2], s[1], s[4], a1, a2, a3),
        three(s[3], s[4], s[5], a1, a2, a3),
    )
    f = to_corners((none, none, none), f1, f2, f3)
    take(force, n0, f[0])
    take(force, n1, f[1])
    take(force, n2, f[2])
    take(force, n3, f[3])


@device
def add_quads(tables, blocks, work, damped):
    """Forces of quadrilateral membranes; the power of their damping."""
    loss, data = same(0.0), tables.cell_numbers
    for i in range(len(blocks)):
        cell = tables.cells[blocks[i]]
        b, c = int64(cell.number), int64(cell.corner)
        n0, n1, n2, n3 = (
            corner(tables, c, 4, 0),
            corner(tables, c, 4, 1),
            corner(tables, c, 4, 2),
            corner(tables, c, 4, 3),
        )
        a1, a2, a3 = bilinear(gather3(work.x, n0), gather3(work.x, n1), gather3(work.x, n2), gather3(work.x, n3))
        s = symmetric6(data, b, QUAD_C, less6(six_products(a1, a2, a3, a1, a2, a3), data, b, 0))
        if damped:
            v = bilinear(gather3(work.v, n0), gather3(work.v, n1), gather3(work.v, n2), gather3(work.v, n3))
            rate = twice6(six_products(a1, a2, a3, v[0], v[1], v[2]))
            extra = scale6(same(cell.damping), symmetric6(data, b, QUAD_C, rate))
            loss = loss + dot6(rate, extra)
            s = add6(s, extra)
            put_quad(work.resisting_force, n0, n1, n2, n3, extra, a1, a2, a3)
        put_quad(work.force, n0, n1, n2, n3, s, a1, a2, a3)
    return add_all(loss)


@small
def triangle_stress(data, b, s):
    c0, c1, c2 = rows3(data, b + TRI_C)
    c3, c4, c5 = rows3(data, b + TRI_C + 3)
    return c0 * s[0] + c1 * s[1] + c2 * s[2], c1 * s[0] + c3 * s[1] + c4 * s[2], c2 * s[0] + c4 * s[1] + c5 * s[2]


@small
def put_triangle(force, n0, n1, n2, s, a1, a2):
    """Forces on the corners of a triangle from its stress."""
    f1, f2 = add(scale(s[0], a1), scale(s[2], a2)), add(scale(s[2], a1), scale(s[1], a2))
    take(force, n0, scale(-1.0, add(f1, f2)))
    take(force, n1, f1)
    take(force, n2, f2)


@device
def add_triangles(tables, blocks, work, damped):
    """Forces of triangular membranes; the power of their damping."""
    loss, data = same(0.0), tables.cell_numbers
    for i in range(len(blocks)):
        cell = tables.cells[blocks[i]]
        b, c = int64(cell.number), int64(cell.corner)
        n0, n1, n2 = corner(tables, c, 3, 0), corner(tables, c, 3, 1), corner(tables, c, 3, 2)
        x = gather3(work.x, n0)
        a1, a2 = sub(gather3(work.x, n1), x), sub(gather3(work.x, n2), x)
        s = sub((0.5 * dot(a1, a1), 0.5 * dot(a2, a2), dot(a1, a2)), rows3(data, b))
        s = triangle_stress(data, b, s)
        if damped:
            u = gather3(work.v, n0)
            v1, v2 = sub(gather3(work.v, n1), u), sub(gather3(work.v, n2), u)
            rate = (dot(a1, v1), dot(a2, v2), dot(a1, v2) + dot(a2, v1))
            extra = scale(same(cell.damping), triangle_stress(data, b, rate))
            loss = loss + dot(rate, extra)
            s = add(s, extra)
            put_triangle(work.resisting_force, n0, n1, n2, extra, a1, a2)
        put_triangle(work.force, n0, n1, n2, s, a1, a2)
    return add_all(loss)


# -- shells -----------------------------------------------------------------------------------------------------------


@small
def carried(data, b, k, R):
    """Director and two tangents of corner k, world axes."""
    at = CARRIED + 9 * k
    return (
        transform(R, rows3(data, b + at)),
        transform(R, rows3(data, b + at + 3)),
        transform(R, rows3(data, b + at + 6)),
    )


@small
def bending_products(a1, a2, a3, b1, b2, b3):
    return (
        dot(a1, b1), dot(a2, b2), dot(a1, b2) + dot(a2, b1), dot(a1, b3) + dot(a3, b1), dot(a2, b3) + dot(a3, b2),
        dot(a3, b3),
    )  # fmt: skip


@small
def shear_products(a1, a2, a3, b0, b1, b2):
    return (
        dot(sub(a1, a3), sub(b0, b2)), dot(add(a1, a3), add(b0, b2)),
        dot(sub(a2, a3), sub(b0, b1)), dot(add(a2, a3), add(b0, b1)),
    )  # fmt: skip


@small
def turned(a1, a2, a3):
    """a1 + 2η a3 at η = -1, 1 and a2 + 2ξ a3 at ξ = -1, 1."""
    t = add(a3, a3)
    return sub(a1, t), add(a1, t), sub(a2, t), add(a2, t)


@small
def drill_products(u, g0, h0, g1, h1, g2, h2, g3, h3):
    """Tangents the corners carry by those of the surface."""
    return (
        dot(g0, u[2]) - dot(h0, u[0]), dot(g1, u[3]) - dot(h1, u[0]),
        dot(g2, u[3]) - dot(h2, u[1]), dot(g3, u[2]) - dot(h3, u[1]),
    )  # fmt: skip


@small
def moment(c, f, g, h, s, u1, u2):
    """On the node of a corner: of the force f on its director c, and of the stress s on its tangents."""
    return add(cross(c, f), scale(s, sub(cross(g, u2), cross(h, u1))))


@device
def put_shell(force, moments, corners, stress, surface, bent, turning):
    """Forces and moments on the corners of a shell from its stress in the plane, of bending, of shear and about the
    normal."""
    none = same(0.0)
    n0, n1, n2, n3 = corners
    s, m, q, t = stress
    a1, a2, a3, u = surface
    b0, b1, b2, b3 = bent
    d0, g0, h0, d1, g1, h1, d2, g2, h2, d3, g3, h3 = turning
    # on the tangents of the surface at the corners, h and g each at two of them
    k0, k1 = add(scale(t[0], h0), scale(t[1], h1)), add(scale(t[2], h2), scale(t[3], h3))
    l0, l1 = add(scale(t[0], g0), scale(t[3], g3)), add(scale(t[1], g1), scale(t[2], g2))
    # shear stress on the surface's tangents at the edges
    p0, p1 = scale(q[0], sub(b0, b2)), scale(q[1], add(b0, b2))
    r0, r1 = scale(q[2], sub(b0, b1)), scale(q[3], add(b0, b1))
    f1 = add(three(s[0], s[2], s[3], a1, a2, a3), three(m[0], m[2], m[3], b1, b2, b3))
    f1 = sub(add(f1, add(p0, p1)), add(k0, k1))
    f2 = add(three(s[2], s[1], s[4], a1, a2, a3), three(m[2], m[1], m[4], b1, b2, b3))
    f2 = add(add(f2, add(r0, r1)), add(l0, l1))
    f3 = add(three(s[3], s[4], s[5], a1, a2, a3), three(m[3], m[4], m[5], b1, b2, b3))
    twist = sub(sub(l1, l0), sub(k1, k0))
    f3 = add(add(f3, add(sub(p1, p0), sub(r1, r0))), add(twist, twist))
    f = to_corners((none, none, none), f1, f2, f3)
    # and on the directors
    p0, p1 = scale(q[0], sub(a1, a3)), scale(q[1], add(a1, a3))
    r0, r1 = scale(q[2], sub(a2, a3)), scale(q[3], add(a2, a3))
    y1 = add(three(m[0], m[2], m[3], a1, a2, a3), sub(r1, r0))
    y2 = add(three(m[2], m[1], m[4], a1, a2, a3), sub(p1, p0))
    y3 = three(m[3], m[4], m[5], a1, a2, a3)
    y = to_corners(add(add(p0, p1), add(r0, r1)), y1, y2, y3)
    take(force, n0, f[0])
    take(force, n1, f[1])
    take(force, n2, f[2])
    take(force, n3, f[3])
    take(moments, n0, moment(d0, y[0], g0, h0, t[0], u[0], u[2]))
    take(moments, n1, moment(d1, y[1], g1, h1, t[1], u[0], u[3]))
    take(moments, n2, moment(d2, y[2], g2, h2, t[2], u[1], u[3]))
    take(moments, n3, moment(d3, y[3], g3, h3, t[3], u[1], u[2]))


@device
def add_shells(tables, blocks, work, damped):
    """Forces and moments of quadrilateral shells; the power of their damping."""
    loss, data = same(0.0), tables.cell_numbers
    for i in range(len(blocks)):
        cell = tables.cells[blocks[i]]
        b, c = int64(cell.number), int64(cell.corner)
        layered = tables.form_blocks[tables.forms[cell.form].block + 1, 1] == WHOLE
        n0, n1, n2, n3 = (
            corner(tables, c, 4, 0),
            corner(tables, c, 4, 1),
            corner(tables, c, 4, 2),
            corner(tables, c, 4, 3),
        )
        d0, g0, h0 = carried(data, b, 0, gather33(work.R, n0))
        d1, g1, h1 = carried(data, b, 1, gather33(work.R, n1))
        d2, g2, h2 = carried(data, b, 2, gather33(work.R, n2))
        d3, g3, h3 = carried(data, b, 3, gather33(work.R, n3))
        a1, a2, a3 = bilinear(gather3(work.x, n0), gather3(work.x, n1), gather3(work.x, n2), gather3(work.x, n3))
        b0 = mean_of(d0, d1, d2, d3)
        b1, b2, b3 = bilinear(d0, d1, d2, d3)
        u = turned(a1, a2, a3)
        corners, surface, bent = (n0, n1, n2, n3), (a1, a2, a3, u), (b0, b1, b2, b3)
        turning = (d0, g0, h0, d1, g1, h1, d2, g2, h2, d3, g3, h3)
        s = symmetric6(data, b, SHELL_C, less6(six_products(a1, a2, a3, a1, a2, a3), data, b, 0))
        m, z = bending_stress(data, b, layered, less6(bending_products(a1, a2, a3, b1, b2, b3), data, b, 6))
        q = symmetric4(data, z, 0, less4(shear_products(a1, a2, a3, b0, b1, b2), data, b, 12))
        t = even4(data, z + 10, less4(drill_products(u, g0, h0, g1, h1, g2, h2, g3, h3), data, b, 16))
        if damped:
            beta = same(cell.damping)
            w0, w1, w2, w3 = gather3(work.w, n0), gather3(work.w, n1), gather3(work.w, n2), gather3(work.w, n3)
            v1, v2, v3 = bilinear(gather3(work.v, n0), gather3(work.v, n1), gather3(work.v, n2), gather3(work.v, n3))
            c0, c1, c2, c3 = cross(w0, d0), cross(w1, d1), cross(w2, d2), cross(w3, d3)
            e0 = mean_of(c0, c1, c2, c3)
            e1, e2, e3 = bilinear(c0, c1, c2, c3)
            rate = twice6(six_products(a1, a2, a3, v1, v2, v3))
            of_s = scale6(beta, symmetric6(data, b, SHELL_C, rate))
            s, loss = add6(s, of_s), loss + dot6(rate, of_s)
            rate = add6(bending_products(a1, a2, a3, e1, e2, e3), bending_products(v1, v2, v3, b1, b2, b3))
            of_m = scale6(beta, bending_stress(data, b, layered, rate)[0])
            m, loss = add6(m, of_m), loss + dot6(rate, of_m)
            slow = add4(shear_products(a1, a2, a3, e0, e1, e2), shear_products(v1, v2, v3, b0, b1, b2))
            of_q = scale4(beta, symmetric4(data, z, 0, slow))
            q, loss = add4(q, of_q), loss + dot4(slow, of_q)
            slow = add4(
                drill_products(turned(v1, v2, v3), g0, h0, g1, h1, g2, h2, g3, h3),
                drill_products(
                    u, cross(w0, g0), cross(w0, h0), cross(w1, g1), cross(w1, h1), cross(w2, g2), cross(w2, h2),
                    cross(w3, g3), cross(w3, h3),
                ),
            )  # fmt: skip
            of_t = scale4(beta, even4(data, z + 10, slow))
            t, loss = add4(t, of_t), loss + dot4(slow, of_t)
            resisting = (of_s, of_m, of_q, of_t)
            put_shell(work.resisting_force, work.resisting_moment, corners, resisting, surface, bent, turning)
        put_shell(work.force, work.moment, corners, (s, m, q, t), surface, bent, turning)
    return add_all(loss)


@device
def add_patches(tables, work, shells, quads, triangles, damped):
    """Forces and powers of all cells that go through here; given are the first cells of blocks of four."""
    loss = 0.0
    if damped:
        loss += add_shells(tables, shells, work, True)
        loss += add_quads(tables, quads, work, True) + add_triangles(tables, triangles, work, True)
    else:
        add_shells(tables, shells, work, False)
        add_quads(tables, quads, work, False)
        add_triangles(tables, triangles, work, False)
    work.power[DISSIPATED] += loss
