"""The linear system of every implicit step: [A G'; G 0] (x, multiplier) = rhs, dense or by blocks.

Entries lie in a flat array; tables say where the blocks of nodes, elements and rows begin (build.layout). The matrix is
scaled to entries of order one and its lower right block shifted by a tiny -SHIFT, so that redundant rows share their
load instead of making the system singular. Refinement against the matrix without shift removes the shift's effect on
all that is determined. Degrees of freedom that do not take part (across the plane of a planar model, and those of
prescribed nodes) are held at zero.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy import int64, uintp

from ..build.assembler import Assembler
from ..build.layout import new_layout
from ..jit import call_core, device, kernel
from ..linear.blocks import block_factor, block_solve
from ..linear.dense import column_sizes, put_scaled, row_product
from ..linear.inertia import is_symmetric, negative_eigenvalues, put_together
from ..mechanics import tables as tb

SHIFT = 1e-10
SWEEPS = 3  # of the scaling
CHECKS, DETERMINED = 3, 1e-3  # refinements that a matrix with a vanishing pivot gets, and what they may leave over


class Kkt(NamedTuple):
    """One system. A place is (offset, stride): entry (i, j) of the block at values[offset + i * stride + j]; offset -1
    where a side is not a free node. Places of items are [item, row side, column side], sides being nodes a and b."""

    values: np.ndarray  # entries of the matrix: the caller adds A, kkt_factor adds G and G'
    node_at: np.ndarray  # (nodes, 2) diagonal blocks
    measure_at: np.ndarray  # (measures, 2, 2, 2)
    bushing_at: np.ndarray  # (bushings, 2, 2, 2)
    beam_at: np.ndarray  # (beams, 2, 2, 2)
    bar_at: np.ndarray  # (bars, 2, 2, 2)
    cell_at: np.ndarray  # (pairs of corners of all cells, 2)
    pressure_at: np.ndarray  # (pairs of corners of all faces under pressure, 2)
    contact_at: np.ndarray  # (pairs and points beside triangles, 6, 6, 2) of spots, three of each surface
    modal_at: np.ndarray  # (pairs of nodes of bodies by modes, 2)
    row_at: np.ndarray  # (blocks of G,) offset of the block, contiguous
    column_at: np.ndarray  # (blocks of G, 2) place of the same in G': entry i at offset + i * stride
    block_width: np.ndarray  # (blocks of G,) 3 or 6
    active: np.ndarray  # (nv,) 1 for degrees of freedom that take part, else 0
    refinements: np.ndarray  # (1,) steps of iterative refinement; 0 suits a Newton iteration, which corrects itself
    status: np.ndarray  # (2,) of the last factorization: vanishing pivots, and the unknown (v, then rows) of the first
    core: np.ndarray  # (2,) addresses of the functions that factor and solve
    # -- by place in the elimination
    unknown: np.ndarray  # (n,) which entry of (x, multiplier)
    takes_part: np.ndarray  # (n,)
    scale: np.ndarray  # (n,) of rows and columns alike
    x: np.ndarray  # (n,) scratch
    rhs: np.ndarray  # (n,) scratch
    correction: np.ndarray  # (n,) scratch
    block: np.ndarray  # (largest pivot block squared,) scratch
    # -- see linear.blocks
    parts: np.ndarray  # (blocks, 7): offset in values, rows, columns, first row, first column, place among the factors
    factors: np.ndarray
    pivots: np.ndarray  # (n,) row swaps within each pivot block
    pivot_first: np.ndarray
    panel_width: np.ndarray
    diagonal_at: np.ndarray
    upper_at: np.ndarray
    lower_at: np.ndarray
    segment_first: np.ndarray
    segment_start: np.ndarray
    segment_width: np.ndarray
    segment_owner: np.ndarray
    segment_column: np.ndarray


def active_freedoms(tables: tb.Tables) -> np.ndarray:
    """Which entries of v can differ from zero and are not prescribed."""
    active = np.zeros(tb.velocity_size(tables), np.int64)
    columns = tables.columns if len(tables.columns) else np.arange(6)
    for kind, size in ((tb.POINT, 3), (tb.FRAME, 6)):
        first = tables.nodes["v"][tables.nodes["kind"] == kind]
        active[first[:, None] + columns[columns < size]] = 1
    return active


def new_matrix(tables: tb.Tables, refinements: int = 2, dense: bool | None = None) -> Kkt:
    """A system to be filled but not factored: for its matrices."""
    active = active_freedoms(tables)
    layout = new_layout(tables, active, dense)
    n, largest = len(layout.unknown), int(np.diff(layout.symbolic["pivot_first"].astype(np.int64)).max(initial=0))
    whole = np.concatenate((active, np.ones(len(tables.rows), np.int64)))
    zeros = np.zeros
    return Kkt(
        values=zeros(layout.size), **layout.places, active=active, refinements=np.array([refinements]),
        status=zeros(2, np.int64), core=zeros(2, np.int64), unknown=layout.unknown,
        takes_part=whole[layout.unknown.astype(np.int64)], scale=np.ones(n), x=zeros(n), rhs=zeros(n),
        correction=zeros(n), block=zeros(largest * largest), parts=layout.parts,
        factors=zeros(layout.factor_size), pivots=zeros(n, np.uintp),
        **layout.symbolic,
    )  # fmt: skip


def new_kkt(tables: tb.Tables, refinements: int = 2, dense: bool | None = None) -> Kkt:
    """A system for these tables, dense or by blocks (None: by its size). In compiled code: clear(kkt.values),
    add_tangent(..., kkt), kkt_factor, then kkt_solve as often as needed."""
    kkt = new_matrix(tables, refinements, dense)
    kkt.core[:] = factor_core.address(kkt, np.empty((0, 6))), solve_core.address(kkt, kkt.rhs)
    return kkt


@cache
def any_kkt() -> Kkt:
    """The system of an empty model: to compiled code it looks like every other."""
    return new_matrix(Assembler((0.0, 0.0, 0.0)).finish().tables)


def triplets(kkt: Kkt) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(rows, columns, values) of all stored entries, numbered as unknowns (v, then rows)."""
    parts = kkt.parts.astype(np.int64)
    unknown = kkt.unknown.astype(np.int64)
    rows = [np.repeat(unknown[r : r + m], n) for _, m, n, r, _, _, _ in parts]
    columns = [np.tile(unknown[c : c + n], m) for _, m, n, _, c, _, _ in parts]
    none = np.zeros(0, np.int64)
    return np.concatenate([none, *rows]), np.concatenate([none, *columns]), kkt.values


def sparse_matrix(kkt: Kkt, held: float = 1.0):
    """The system as it was filled, or as kkt_factor left it with G, in scipy's CSC form, unknowns numbered (v, then
    rows); `held` is put on the diagonal of freedoms that are not stored because their motion is prescribed."""
    from scipy.sparse import csc_array

    n = len(kkt.active) + int(np.sum(kkt.unknown >= len(kkt.active)))
    rows, columns, values = triplets(kkt)
    missing = np.setdiff1d(np.arange(n), kkt.unknown.astype(np.int64))
    values = np.concatenate((values, np.full(len(missing), held)))
    places = np.concatenate((rows, missing)), np.concatenate((columns, missing))
    return csc_array((values, places), shape=(n, n))


def dense_matrix(kkt: Kkt, held: float = 1.0) -> np.ndarray:
    """The same as a plain array."""
    return sparse_matrix(kkt, held).toarray()


# -- factor and solve -------------------------------------------------------------------------------------------------
@device
def put_rows(kkt, G):
    """G and G' beside A."""
    values = kkt.values
    for k in range(len(kkt.row_at)):
        at, to, stride = kkt.row_at[k], kkt.column_at[k, 0], kkt.column_at[k, 1]
        for c in range(kkt.block_width[k]):
            values[at + c] += G[k, c]
            values[to + c * stride] += G[k, c]


@device
def hold_inactive(kkt):
    """Unit rows and columns for degrees of freedom that do not take part."""
    values, parts, takes_part = kkt.values, kkt.parts, kkt.takes_part
    held = 0
    for i in range(uintp(len(takes_part))):
        held += 1 - takes_part[i]
    if held == 0:
        return
    for b in range(len(parts)):
        at, rows, columns, r, c = parts[b, 0], parts[b, 1], parts[b, 2], parts[b, 3], parts[b, 4]
        for i in range(rows):
            for j in range(columns):
                if takes_part[r + i] == 0 or takes_part[c + j] == 0:
                    values[at + i * columns + j] = 1.0 if r + i == c + j else 0.0


@device
def equilibrate(kkt):
    """kkt.scale such that the largest entry of every scaled column is near one (Ruiz's iteration; symmetric scaling,
    of a matrix that is nearly symmetric)."""
    values, parts, d, big = kkt.values, kkt.parts, kkt.scale, kkt.x
    n = uintp(len(d))
    for i in range(n):
        d[i] = 1.0
    for _ in range(SWEEPS):
        for i in range(n):
            big[i] = 0.0
        for b in range(len(parts)):
            column_sizes(values, parts[b, 0], parts[b, 1], parts[b, 2], d, parts[b, 3], big, parts[b, 4])
        for i in range(n):
            if big[i] > 0.0:
                d[i] = (d[i] / big[i]) ** 0.5


@device
def put_factors(kkt):
    """kkt.factors <- the scaled and shifted matrix."""
    values, parts, d, F = kkt.values, kkt.parts, kkt.scale, kkt.factors
    for i in range(uintp(len(F))):
        F[i] = 0.0
    nv = uintp(len(kkt.active))
    for b in range(len(parts)):
        at, rows, columns, r, c = parts[b, 0], parts[b, 1], parts[b, 2], parts[b, 3], parts[b, 4]
        to, stride = parts[b, 5], parts[b, 6]
        put_scaled(values, at, rows, columns, d, r, c, F, to, stride)
        if r == c:
            for i in range(rows):
                if kkt.unknown[r + i] >= nv:
                    F[to + i * stride + i] -= SHIFT


@device
def subtract_matrix_product(kkt, x, out):
    """out -= matrix x"""
    values, parts = kkt.values, kkt.parts
    for b in range(len(parts)):
        at, rows, columns, r, c = parts[b, 0], parts[b, 1], parts[b, 2], parts[b, 3], parts[b, 4]
        for i in range(rows):
            out[r + i] -= row_product(values, at + i * columns, x, c, columns)


@device
def is_determined(kkt):
    """Whether the matrix is regular although a pivot vanished, and was replaced, within a block: of a body, say, that
    only others keep in place. Refinement then removes what the replacement changed; else it does not."""
    b, x, e, d = kkt.rhs, kkt.x, kkt.correction, kkt.scale
    n = uintp(len(d))
    for i in range(n):
        x[i] = 0.0
        b[i] = ((int64(i) * 7919) % 1009) / 504.0 - 1.0 if kkt.takes_part[i] != 0 else 0.0  # any numbers do
        e[i] = b[i]
    for _ in range(1 + CHECKS):
        block_solve(kkt, e)
        for i in range(n):
            x[i] += e[i] * d[i]
            e[i] = b[i] / d[i]
        subtract_matrix_product(kkt, x, e)
        for i in range(n):
            e[i] *= d[i]
    left = 0.0
    for i in range(n):
        left = max(left, abs(e[i])) if kkt.takes_part[i] != 0 else left
    return left < DETERMINED


@kernel
def factor_core(kkt, G):
    put_rows(kkt, G)
    hold_inactive(kkt)
    equilibrate(kkt)
    put_factors(kkt)
    block_factor(kkt)
    if kkt.status[0] > 0:
        if is_determined(kkt):
            kkt.status[0] = 0
        else:
            kkt.status[1] = kkt.unknown[kkt.status[1]]


@device
def unstable_motions(kkt):
    """Number of motions in which a balance is unstable, by the factors at hand.

    By Sylvester's law of inertia the matrix at a stable balance has as many negative eigenvalues as rows, and those of
    all pivot blocks add up. Of a block that is not symmetric, as with friction, only the sign of its determinant is
    known: the number is counted modulo two."""
    nv, one, found, A = uintp(len(kkt.active)), uintp(1), int64(0), kkt.block
    for p in range(uintp(len(kkt.diagonal_at))):
        first, at = kkt.pivot_first[p], kkt.diagonal_at[p]
        size, odd, rows = kkt.pivot_first[p + one] - first, int64(0), int64(0)
        for i in range(size):
            negative = kkt.factors[at + i * (size + one)] < 0.0
            rows += int64(kkt.unknown[first + i] >= nv)
            odd += int64(negative) + int64(kkt.pivots[first + i] != i)
        put_together(kkt.factors, at, size, kkt.pivots, first, A)
        found += negative_eigenvalues(A, size) - rows if is_symmetric(A, size) else (odd + rows) & int64(1)
    return max(found, int64(0))


@kernel
def solve_core(kkt, out):
    d, x, b, e, unknown = kkt.scale, kkt.x, kkt.rhs, kkt.correction, kkt.unknown
    n = uintp(len(d))
    for i in range(n):
        b[i] = out[unknown[i]] if kkt.takes_part[i] != 0 else 0.0
        x[i] = b[i] * d[i]
    block_solve(kkt, x)
    for i in range(n):
        x[i] *= d[i]
    for _ in range(kkt.refinements[0]):
        for i in range(n):
            e[i] = b[i]
        subtract_matrix_product(kkt, x, e)
        for i in range(n):
            e[i] *= d[i]
        block_solve(kkt, e)
        for i in range(n):
            x[i] += e[i] * d[i]
    for i in range(uintp(len(kkt.active))):
        out[i] = 0.0
    for i in range(n):
        out[unknown[i]] = x[i]


@device
def kkt_factor(tables, work, kkt):
    """Complete the matrix, to which the caller has added A, with work.G and factor it; 0, or 1 + the unknown (v, then
    rows) of the first pivot that vanished and was replaced by a small one (kkt.status counts them)."""
    call_core(kkt.core[0], (kkt, work.G))
    return 1 + kkt.status[1] if kkt.status[0] > 0 else 0


@device
def kkt_solve(tables, work, kkt, rhs):
    """rhs (nv, then rows) <- the solution (x, multiplier)."""
    call_core(kkt.core[1], (kkt, rhs))
