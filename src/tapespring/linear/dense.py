"""Dense LU with partial pivoting, in place; inner loops run along rows, and rows that are not coupled are skipped."""

from numpy import int64, uintp

from ..jit import device


@device
def lu_factor(A, pivots):
    """A <- its factors L (unit diagonal) and U with rows swapped as in pivots; 0, or 1 + k if column k is singular."""
    n = uintp(len(pivots))
    one = uintp(1)
    for k in range(n):
        best, big = k, abs(A[k, k])
        for i in range(k + one, n):
            if abs(A[i, k]) > big:
                best, big = i, abs(A[i, k])
        pivots[k] = best
        if not (big > 0.0 and big < 1e300):
            return 1 + int64(k)
        if best != k:
            for j in range(n):
                A[k, j], A[best, j] = A[best, j], A[k, j]
        inverse = 1.0 / A[k, k]
        for i in range(k + one, n):
            l = A[i, k]
            if l != 0.0:
                l *= inverse
                A[i, k] = l
                for j in range(k + one, n):
                    A[i, j] -= l * A[k, j]
    return int64(0)


@device
def row_product(A, i, first, last, b):
    """sum of A[i, j] b[j] for first <= j < last, in four sums that run side by side."""
    s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
    j, four = uintp(first), uintp(4)
    while j + four <= last:
        s0 += A[i, j] * b[j]
        s1 += A[i, j + uintp(1)] * b[j + uintp(1)]
        s2 += A[i, j + uintp(2)] * b[j + uintp(2)]
        s3 += A[i, j + uintp(3)] * b[j + uintp(3)]
        j += four
    while j < last:
        s0 += A[i, j] * b[j]
        j += uintp(1)
    return (s0 + s1) + (s2 + s3)


@device
def lu_solve(A, pivots, b):
    """b <- A^-1 b with the factors of lu_factor."""
    n = uintp(len(pivots))
    for k in range(n):
        p = pivots[k]
        b[k], b[p] = b[p], b[k]
    for i in range(n):
        b[i] -= row_product(A, i, uintp(0), i, b)
    for back in range(n):
        i = n - uintp(1) - back
        b[i] = (b[i] - row_product(A, i, i + uintp(1), n, b)) / A[i, i]
