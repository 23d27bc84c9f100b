"""LU of a sparse matrix of dense blocks, with a fixed symmetric pattern; pivots are chosen inside the diagonal blocks.

Unknowns are numbered by their place in the elimination and cut into pivots: intervals eliminated at once. Pivot p has
a square block D, and couples with later unknowns through a panel U of its rows (p.size x width) and a panel L of its
columns (width x p.size). The later unknowns are listed as segments, intervals of consecutive unknowns of one pivot.
All three lie in one flat array:

    V = D^-1 U,    rest -= L V        forward: y = D^-1 b, b_rest -= L y        backward: x = y - V x_rest

A dense matrix is the case of a single pivot. The arrays are named in solve.kkt.Kkt and made by build.layout.
"""

from numpy import int64, uintp

from ..jit import device
from .dense import lu_factor, lu_solve, lu_solve_rows, row_product, subtract_product


@device
def spread(kkt, p, F):
    """rest -= L V of pivot p."""
    start, width_of, owner, column = kkt.segment_start, kkt.segment_width, kkt.segment_owner, kkt.segment_column
    first, diagonal_at, upper_at, lower_at = kkt.pivot_first, kkt.diagonal_at, kkt.upper_at, kkt.lower_at
    one = uintp(1)
    size, width = first[p + one] - first[p], kkt.panel_width[p]
    L, V = lower_at[p], upper_at[p]
    end = kkt.segment_first[p + one]
    for a in range(kkt.segment_first[p], end):
        T, ca, wa = owner[a], column[a], width_of[a]
        size_T, width_T, ra = first[T + one] - first[T], kkt.panel_width[T], start[a] - first[T]
        La, Va = L + ca * size, V + ca
        to = diagonal_at[T] + ra * size_T + ra
        subtract_product(F, to, size_T, wa, wa, La, size, size, Va, width)
        s = kkt.segment_first[T]
        for b in range(a + one, end):
            cb, wb = column[b], width_of[b]
            if owner[b] == T:
                rb = start[b] - first[T]
                to_upper = diagonal_at[T] + ra * size_T + rb
                to_lower, stride = diagonal_at[T] + rb * size_T + ra, size_T
            else:
                while start[s] + width_of[s] <= start[b]:
                    s += one
                c = column[s] + start[b] - start[s]
                to_upper, to_lower, stride = upper_at[T] + ra * width_T + c, lower_at[T] + c * size_T + ra, width_T
            subtract_product(F, to_upper, stride, wa, wb, La, size, size, V + cb, width)
            subtract_product(F, to_lower, size_T, wb, wa, L + cb * size, size, size, Va, width)


@device
def block_factor(kkt):
    """kkt.factors <- factors of the matrix in it; kkt.status <- (vanishing pivots, place of the first or -1)."""
    F, pivots, first = kkt.factors, kkt.pivots, kkt.pivot_first
    weak, where = int64(0), int64(-1)
    one = uintp(1)
    for p in range(uintp(len(kkt.diagonal_at))):
        at, size, width = kkt.diagonal_at[p], first[p + one] - first[p], kkt.panel_width[p]
        found, column = lu_factor(F, at, size, size, pivots, first[p])
        if found > 0:
            if weak == 0:
                where = int64(first[p]) + column
            weak += found
        if width > 0:
            lu_solve_rows(F, at, size, size, pivots, first[p], kkt.upper_at[p], width)
            spread(kkt, p, F)
    kkt.status[0] = weak
    kkt.status[1] = where


@device
def block_solve(kkt, b):
    """b (in order of elimination) <- the solution."""
    F, pivots, first = kkt.factors, kkt.pivots, kkt.pivot_first
    start, width_of, column = kkt.segment_start, kkt.segment_width, kkt.segment_column
    one, count = uintp(1), uintp(len(kkt.diagonal_at))
    for p in range(count):
        at, size = first[p], first[p + one] - first[p]
        lu_solve(F, kkt.diagonal_at[p], size, size, pivots, at, b)
        for a in range(kkt.segment_first[p], kkt.segment_first[p + one]):
            L = kkt.lower_at[p] + column[a] * size
            for r in range(width_of[a]):
                b[start[a] + r] -= row_product(F, L + r * size, b, at, size)
    for back in range(count):
        p = count - one - back
        at, size, width = first[p], first[p + one] - first[p], kkt.panel_width[p]
        for a in range(kkt.segment_first[p], kkt.segment_first[p + one]):
            V = kkt.upper_at[p] + column[a]
            for r in range(size):
                b[at + r] -= row_product(F, V + r * width, b, start[a], width_of[a])
