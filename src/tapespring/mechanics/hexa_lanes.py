"""Stiffness of hexahedra with a linear law, four at a time.

The element of cells.hexa: its scalars are the products y_i·y_p of seven vectors, so that a force on y_i changes with
y_j by

    K_ij = Σ C_(ip)(jq) y_p y_q' + σ_ij 1,

which takes a sixth of the work of B' C B over the freedoms of the corners. One cell stands in each lane (math.lanes),
as their numbers are stored (cells.store).
"""

from numpy import int64

from ..jit import device, from_numba, small
from .cell_lanes import component, corner
from .tables import LINEAR

four, lane, load4, load_row, same, store4 = from_numba(
    ".math.lanes", "four", "lane", "load4", "load_row", "same", "store4"
)

CORNERS, VECTORS, SCALARS = 8, 7, 28
# rows of Work.cell_lanes: places of corners; vectors y; strain and stress, three to a row; K between vectors; between
# a vector and a corner
PLACE, VECTOR, STRAIN, STRESS, INNER, MIDDLE = 0, 8, 15, 25, 35, 84


@small
def product_of(i, j):
    """Number of the scalar y_i·y_j."""
    a, b = min(i, j), max(i, j)
    return a * (13 - a) // 2 + b


@small
def entry_of(k, l):
    """Place of C_kl in the upper triangle."""
    a, b = min(k, l), max(k, l)
    return a * (55 - a) // 2 + b


@device
def are_hexahedra(tables, e):
    """Whether the cells from e on are four of these, in the lanes of one block."""
    if e + 3 >= len(tables.cells) or tables.cells[e].lane != 0:
        return False
    first = tables.cells[e]
    form = tables.forms[first.form]
    if form.corners != CORNERS or form.vectors != VECTORS or form.scalars != SCALARS or form.blocks != 1:
        return False
    for l in range(4):
        cell = tables.cells[e + l]
        alike = cell.number == first.number and cell.form == first.form
        if not alike or cell.law != LINEAR or cell.width != 3 or cell.damping > 0.0:
            return False
    return True


@small
def share(tables, form, i, c):
    """Of corner c in vector i."""
    return tables.form_terms[tables.form_first[form.vector + i] + c].weight


@device
def find_vectors(tables, e, form, work):
    """Vectors y of the four cells."""
    room, x, first = work.cell_lanes, work.x, int64(tables.cells[e].corner)
    for c in range(CORNERS):
        n = corner(tables, first, CORNERS, c)
        for a in range(3):
            store4(room, int64(PLACE + c), int64(a), component(x, n, a))
    for i in range(VECTORS):
        for a in range(3):
            y = same(0.0)
            for c in range(CORNERS):
                y = y + share(tables, form, i, c) * load4(room, int64(PLACE + c), int64(a))
            store4(room, int64(VECTOR + i), int64(a), y)


@small
def dot_of(room, i, j):
    return (
        load4(room, int64(VECTOR + i), int64(0)) * load4(room, int64(VECTOR + j), int64(0))
        + load4(room, int64(VECTOR + i), int64(1)) * load4(room, int64(VECTOR + j), int64(1))
        + load4(room, int64(VECTOR + i), int64(2)) * load4(room, int64(VECTOR + j), int64(2))
    )


@device
def find_stress(tables, e, form, work):
    """Stress of the four cells: of their strain, or the one foreseen (mechanics.mixed)."""
    room, data, b = work.cell_lanes, tables.cell_numbers, int64(tables.cells[e].number)
    if work.mixed[0]:
        f, cells = work.foreseen, tables.cells
        i, j, m, n = cells[e].scalar, cells[e + 1].scalar, cells[e + 2].scalar, cells[e + 3].scalar
        for k in range(SCALARS):
            s = four(f[i + k], f[j + k], f[m + k], f[n + k])
            store4(room, int64(STRESS + k // 3), int64(k % 3), s)
        return
    k = 0
    for i in range(VECTORS):
        for j in range(i, VECTORS):
            s = (0.5 if i == j else 1.0) * dot_of(room, i, j) - load_row(data, b + k)
            store4(room, int64(STRAIN + k // 3), int64(k % 3), s)
            k += 1
    for k in range(SCALARS):
        s = same(0.0)
        for l in range(SCALARS):
            s = s + load_row(data, b + form.matrix + entry_of(k, l)) * load4(room, int64(STRAIN + l // 3), int64(l % 3))
        store4(room, int64(STRESS + k // 3), int64(k % 3), s)


@small
def load9(room, r):
    return (
        load4(room, int64(r), int64(0)), load4(room, int64(r), int64(1)), load4(room, int64(r), int64(2)),
        load4(room, int64(r), int64(3)), load4(room, int64(r), int64(4)), load4(room, int64(r), int64(5)),
        load4(room, int64(r), int64(6)), load4(room, int64(r), int64(7)), load4(room, int64(r), int64(8)),
    )  # fmt: skip


@small
def store9(room, r, A):
    store4(room, int64(r), int64(0), A[0])
    store4(room, int64(r), int64(1), A[1])
    store4(room, int64(r), int64(2), A[2])
    store4(room, int64(r), int64(3), A[3])
    store4(room, int64(r), int64(4), A[4])
    store4(room, int64(r), int64(5), A[5])
    store4(room, int64(r), int64(6), A[6])
    store4(room, int64(r), int64(7), A[7])
    store4(room, int64(r), int64(8), A[8])


@small
def axpy9(w, A, B):
    """w A + B"""
    return (
        w * A[0] + B[0], w * A[1] + B[1], w * A[2] + B[2], w * A[3] + B[3], w * A[4] + B[4], w * A[5] + B[5],
        w * A[6] + B[6], w * A[7] + B[7], w * A[8] + B[8],
    )  # fmt: skip


@small
def zero9():
    o = same(0.0)
    return o, o, o, o, o, o, o, o, o


@device
def between_vectors(data, first, room, i, j):
    """K_ij"""
    s = product_of(i, j)
    sigma, o = load4(room, int64(STRESS + s // 3), int64(s % 3)), same(0.0)
    K = sigma, o, o, o, sigma, o, o, o, sigma
    for p in range(VECTORS):
        k = product_of(i, p)
        t0, t1, t2 = o, o, o
        for q in range(VECTORS):
            c = load_row(data, first + entry_of(k, product_of(j, q)))
            t0 = t0 + c * load4(room, int64(VECTOR + q), int64(0))
            t1 = t1 + c * load4(room, int64(VECTOR + q), int64(1))
            t2 = t2 + c * load4(room, int64(VECTOR + q), int64(2))
        y0 = load4(room, int64(VECTOR + p), int64(0))
        y1 = load4(room, int64(VECTOR + p), int64(1))
        y2 = load4(room, int64(VECTOR + p), int64(2))
        K = (
            K[0] + y0 * t0, K[1] + y0 * t1, K[2] + y0 * t2, K[3] + y1 * t0, K[4] + y1 * t1, K[5] + y1 * t2,
            K[6] + y2 * t0, K[7] + y2 * t1, K[8] + y2 * t2,
        )  # fmt: skip
    return K


@small
def turned_over(K):
    return K[0], K[3], K[6], K[1], K[4], K[7], K[2], K[5], K[8]


@small
def put(values, places, pair, l, K):
    """values += one lane of a block between two corners."""
    at, stride = places[pair, 0], places[pair, 1]
    if at < 0:
        return
    values[at] += lane(K[0], l)
    values[at + 1] += lane(K[1], l)
    values[at + 2] += lane(K[2], l)
    values[at + stride] += lane(K[3], l)
    values[at + stride + 1] += lane(K[4], l)
    values[at + stride + 2] += lane(K[5], l)
    values[at + 2 * stride] += lane(K[6], l)
    values[at + 2 * stride + 1] += lane(K[7], l)
    values[at + 2 * stride + 2] += lane(K[8], l)


@small
def put_all(tables, e, values, places, at, K):
    put(values, places, tables.cells[e].pair + at, int64(0), K)
    put(values, places, tables.cells[e + 1].pair + at, int64(1), K)
    put(values, places, tables.cells[e + 2].pair + at, int64(2), K)
    put(values, places, tables.cells[e + 3].pair + at, int64(3), K)


@device
def add_hexahedra_tangent(tables, e, work, weight, values, places):
    """values += weight dr/d(displacement) of the four cells from e on."""
    form, room, data = tables.forms[tables.cells[e].form], work.cell_lanes, tables.cell_numbers
    find_vectors(tables, e, form, work)
    find_stress(tables, e, form, work)
    first = int64(tables.cells[e].number + form.matrix)
    for i in range(VECTORS):
        for j in range(i, VECTORS):
            K = between_vectors(data, first, room, i, j)
            store9(room, INNER + VECTORS * i + j, K)
            store9(room, INNER + VECTORS * j + i, turned_over(K))
    for i in range(VECTORS):
        for c in range(CORNERS):
            K = zero9()
            for j in range(VECTORS):
                K = axpy9(weight * share(tables, form, j, c), load9(room, INNER + VECTORS * i + j), K)
            store9(room, MIDDLE + CORNERS * i + c, K)
    for b in range(CORNERS):
        for c in range(b, CORNERS):
            K = zero9()
            for i in range(VECTORS):
                K = axpy9(share(tables, form, i, b), load9(room, MIDDLE + CORNERS * i + c), K)
            put_all(tables, e, values, places, CORNERS * b + c, K)
            if b < c:
                put_all(tables, e, values, places, CORNERS * c + b, turned_over(K))
