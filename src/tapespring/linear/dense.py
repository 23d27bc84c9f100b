"""Dense LU with partial pivoting of a square block that lies in a flat array: entry (i, j) at `at + i * stride + j`.

Matrices come scaled to entries of order one. A pivot that vanishes to rounding is replaced by a small one and reported;
iterative refinement removes what that changes wherever the whole system determines the solution.

Inner loops run along rows. Rows of six, the width of a frame's block, are kept in registers.
"""

from numpy import int64, uintp

from ..jit import device, from_numba

SIX = "larger6", "less6", "load6", "scale6", "store6", "times6"
larger6, less6, load6, scale6, store6, times6 = from_numba(".linear.six", *SIX)

VANISHING = 1e-15  # of entries of order one
SUBSTITUTE = 1e-8
COLUMNS, ROWS = uintp(24), uintp(12)  # eliminated at a time; what is left of a large block are then plain products


@device
def lu_factor(A, at, stride, n, pivots, first):
    """Block <- its factors L (unit diagonal) and U, rows swapped as in pivots[first:]; the inverse of U's diagonal is
    stored in its place. Returns (number of vanishing pivots, column of the first or -1)."""
    weak, where = int64(0), int64(-1)
    k = uintp(0)
    while k < n:
        end = min(k + COLUMNS, n)
        found, column = eliminate_columns(A, at, stride, n, k, end, pivots, first)
        if weak == 0 and found > 0:
            where = column
        weak += found
        if end < n:
            right = at + k * stride + end
            for i in range(uintp(1), end - k):
                subtract_product(A, right + i * stride, stride, uintp(1), n - end, at + (k + i) * stride + k, stride, i,
                                 right, stride)  # fmt: skip
            subtract_product(A, at + end * stride + end, stride, n - end, n - end, at + end * stride + k, stride,
                             end - k, right, stride)  # fmt: skip
        k = end
    return weak, where


@device
def eliminate_columns(A, at, stride, n, begin, end, pivots, first):
    """Columns begin to end <- their factors; of other columns only rows are swapped. Returns as lu_factor."""
    one, six = uintp(1), uintp(6)
    weak, where = int64(0), int64(-1)
    for k in range(begin, end):
        row_k = at + k * stride
        best, big = k, abs(A[row_k + k])
        for i in range(k + one, n):
            size = abs(A[at + i * stride + k])
            if size > big:
                best, big = i, size
        pivots[first + k] = best
        if not big > VANISHING:
            if weak == 0:
                where = int64(k)
            weak += 1
            A[row_k + k] = -SUBSTITUTE if A[row_k + k] < 0.0 else SUBSTITUTE
            pivots[first + k] = k
        elif best != k:
            row_b = at + best * stride
            for j in range(n):
                A[row_k + j], A[row_b + j] = A[row_b + j], A[row_k + j]
        inverse = 1.0 / A[row_k + k]
        A[row_k + k] = inverse
        for i in range(k + one, n):
            row_i = at + i * stride
            l = A[row_i + k]
            if l != 0.0:
                l *= inverse
                A[row_i + k] = l
                j = k + one
                while j + six <= end:
                    store6(A, row_i + j, less6(load6(A, row_i + j), l, load6(A, row_k + j)))
                    j += six
                while j < end:
                    A[row_i + j] -= l * A[row_k + j]
                    j += one
    return weak, where


@device
def row_product(A, at, b, first, count):
    """sum of A[at + j] b[first + j], in four sums that run side by side."""
    s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
    j, four = uintp(0), uintp(4)
    while j + four <= count:
        s0 += A[at + j] * b[first + j]
        s1 += A[at + j + uintp(1)] * b[first + j + uintp(1)]
        s2 += A[at + j + uintp(2)] * b[first + j + uintp(2)]
        s3 += A[at + j + uintp(3)] * b[first + j + uintp(3)]
        j += four
    while j < count:
        s0 += A[at + j] * b[first + j]
        j += uintp(1)
    return (s0 + s1) + (s2 + s3)


@device
def lu_solve(A, at, stride, n, pivots, first, b):
    """b[first : first + n] <- block^-1 times it."""
    one = uintp(1)
    for k in range(n):
        p = first + pivots[first + k]
        b[first + k], b[p] = b[p], b[first + k]
    for i in range(one, n):
        b[first + i] -= row_product(A, at + i * stride, b, first, i)
    for back in range(n):
        i = n - one - back
        row = at + i * stride + i
        b[first + i] = (b[first + i] - row_product(A, row + one, b, first + i + one, back)) * A[row]


@device
def subtract_six(A, to, left, depth, right, stride):
    """A[to : to + 6] -= sum over k < depth of A[left + k] A[right + k stride : ... + 6]."""
    t = load6(A, to)
    for k in range(depth):
        t = less6(t, A[left + k], load6(A, right + k * stride))
    store6(A, to, t)


@device
def subtract_two_sixes(A, to, to_stride, left, left_stride, depth, right, stride):
    """The same for two rows."""
    t0, t1 = load6(A, to), load6(A, to + to_stride)
    for k in range(depth):
        r = load6(A, right + k * stride)
        t0 = less6(t0, A[left + k], r)
        t1 = less6(t1, A[left + left_stride + k], r)
    store6(A, to, t0)
    store6(A, to + to_stride, t1)


@device
def subtract_four_sixes(A, to, to_stride, left, left_stride, depth, right, stride):
    """The same for four rows, which keeps both units that multiply busy."""
    to1, to2, to3 = to + to_stride, to + to_stride + to_stride, to + to_stride + to_stride + to_stride
    left1, left2, left3 = left + left_stride, left + uintp(2) * left_stride, left + uintp(3) * left_stride
    t0, t1, t2, t3 = load6(A, to), load6(A, to1), load6(A, to2), load6(A, to3)
    for k in range(depth):
        r = load6(A, right + k * stride)
        t0 = less6(t0, A[left + k], r)
        t1 = less6(t1, A[left1 + k], r)
        t2 = less6(t2, A[left2 + k], r)
        t3 = less6(t3, A[left3 + k], r)
    store6(A, to, t0)
    store6(A, to1, t1)
    store6(A, to2, t2)
    store6(A, to3, t3)


@device
def subtract_product(A, to, to_stride, rows, width, left, left_stride, depth, right, right_stride):
    """A block of A (rows x width) -= a block (rows x depth) times a block (depth x width), all of them in A."""
    two, four, six, c = uintp(2), uintp(4), uintp(6), uintp(0)
    while c + six <= width:  # strips of six columns, so that the right block's strip stays in the cache
        r = uintp(0)
        while r + four <= rows:
            at, l = to + r * to_stride + c, left + r * left_stride
            subtract_four_sixes(A, at, to_stride, l, left_stride, depth, right + c, right_stride)
            r += four
        while r + two <= rows:
            at, l = to + r * to_stride + c, left + r * left_stride
            subtract_two_sixes(A, at, to_stride, l, left_stride, depth, right + c, right_stride)
            r += two
        if r < rows:
            subtract_six(A, to + r * to_stride + c, left + r * left_stride, depth, right + c, right_stride)
        c += six
    while c < width:
        for r in range(rows):
            t, l = A[to + r * to_stride + c], left + r * left_stride
            for k in range(depth):
                t -= A[l + k] * A[right + c + k * right_stride]
            A[to + r * to_stride + c] = t
        c += uintp(1)


@device
def lu_solve_rows(A, at, stride, n, pivots, first, panel, width):
    """Panel (n rows, `width` columns, contiguous, in A) <- block^-1 times it."""
    for k in range(n):
        p = pivots[first + k]
        if p != k:
            for j in range(width):
                x, y = panel + k * width + j, panel + p * width + j
                A[x], A[y] = A[y], A[x]
    k = uintp(0)
    while k < n:
        end = min(k + ROWS, n)
        subtract_product(A, panel + k * width, width, end - k, width, at + k * stride, stride, k, panel, width)
        solve_lower_rows(A, at + k * stride + k, stride, end - k, panel + k * width, width)
        k = end
    while k > uintp(0):
        begin = ((k - uintp(1)) // ROWS) * ROWS
        if k < n:
            subtract_product(A, panel + begin * width, width, k - begin, width, at + begin * stride + k, stride, n - k,
                             panel + k * width, width)  # fmt: skip
        solve_upper_rows(A, at + begin * stride + begin, stride, k - begin, panel + begin * width, width)
        k = begin


@device
def solve_lower_rows(A, at, stride, n, panel, width):
    """Panel <- L^-1 times it."""
    one, six, c = uintp(1), uintp(6), uintp(0)
    while c + six <= width:
        strip = panel + c
        for i in range(one, n):
            subtract_six(A, strip + i * width, at + i * stride, i, strip, width)
        c += six
    while c < width:
        for i in range(one, n):
            t = A[panel + i * width + c]
            for k in range(i):
                t -= A[at + i * stride + k] * A[panel + k * width + c]
            A[panel + i * width + c] = t
        c += one


@device
def solve_upper_rows(A, at, stride, n, panel, width):
    """Panel <- U^-1 times it; the diagonal of U is stored inverted."""
    one, six, c = uintp(1), uintp(6), uintp(0)
    while c + six <= width:
        for back in range(n):
            i = n - one - back
            row, mine = at + i * stride + i, panel + i * width + c
            subtract_six(A, mine, row + one, back, mine + width, width)
            store6(A, mine, scale6(A[row], load6(A, mine)))
        c += six
    while c < width:
        for back in range(n):
            i = n - one - back
            row, mine = at + i * stride + i, panel + i * width + c
            t = A[mine]
            for k in range(one, back + one):
                t -= A[row + k] * A[mine + k * width]
            A[mine] = t * A[row]
        c += one


@device
def column_sizes(A, at, rows, columns, d, first, big, to):
    """big[to + j] <- at least the largest d[first + i] |A(i, j)| of a contiguous block at `at`."""
    six, j = uintp(6), uintp(0)
    while j + six <= columns:
        most = load6(big, to + j)
        for i in range(rows):
            most = larger6(most, scale6(d[first + i], load6(A, at + i * columns + j)))
        store6(big, to + j, most)
        j += six
    while j < columns:
        for i in range(rows):
            e = abs(d[first + i] * A[at + i * columns + j])
            if e > big[to + j]:
                big[to + j] = e
        j += uintp(1)


@device
def put_scaled(A, at, rows, columns, d, r, c, F, to, stride):
    """Block (i, j) of F at `to`, `stride` <- d[r + i] A(i, j) d[c + j] of a contiguous block at `at`."""
    six, j = uintp(6), uintp(0)
    while j + six <= columns:
        across = load6(d, c + j)
        for i in range(rows):
            row = times6(across, load6(A, at + i * columns + j))
            store6(F, to + i * stride + j, scale6(d[r + i], row))
        j += six
    while j < columns:
        for i in range(rows):
            F[to + i * stride + j] = A[at + i * columns + j] * d[r + i] * d[c + j]
        j += uintp(1)
