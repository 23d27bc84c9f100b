"""Negative eigenvalues of dense symmetric blocks, counted by Sylvester's law of inertia.

L D L' with pivots of one or two rows (Bunch and Kaufman) has as many negative pivots as the block has negative
eigenvalues. LU, by which systems are solved, has not; the block is put together again from its factors.
"""

from numpy import int64, uintp

from ..jit import device

LARGE_ENOUGH = 0.6403882032022076  # (1 + sqrt(17))/8: keeps entries from growing
SYMMETRIC = 1e-6  # of the largest entry


@device
def put_together(F, at, n, pivots, first, A):
    """A (n x n) <- the block whose factors are at F[at:], see dense.lu_factor."""
    one = uintp(1)
    for i in range(n):
        row, to = at + i * n, i * n
        for j in range(n):
            A[to + j] = 0.0
        for k in range(i + one):
            l = 1.0 if k == i else F[row + k]
            if l != 0.0:
                upper = at + k * n
                A[to + k] += l / F[upper + k]
                for j in range(k + one, n):
                    A[to + j] += l * F[upper + j]
    for back in range(n):
        k = n - one - back
        other = pivots[first + k]
        if other != k:
            for j in range(n):
                A[k * n + j], A[other * n + j] = A[other * n + j], A[k * n + j]


@device
def is_symmetric(A, n):
    big, apart = 0.0, 0.0
    for i in range(n):
        big = max(big, abs(A[i * n + i]))
        for j in range(i):
            low, up = A[i * n + j], A[j * n + i]
            big, apart = max(big, abs(low)), max(apart, abs(low - up))
    return apart <= SYMMETRIC * big


@device
def swap_both(A, n, i, j):
    """Rows and columns i and j of a symmetric matrix."""
    if i == j:
        return
    for k in range(n):
        A[i * n + k], A[j * n + k] = A[j * n + k], A[i * n + k]
    for k in range(n):
        A[k * n + i], A[k * n + j] = A[k * n + j], A[k * n + i]


@device
def largest_beside(A, n, begin, row):
    """(largest |entry| of a row from column `begin` on but for its diagonal, its column)."""
    big, where = 0.0, row
    for j in range(begin, n):
        if j != row and abs(A[row * n + j]) > big:
            big, where = abs(A[row * n + j]), j
    return big, where


@device
def pivot_rows(A, n, k):
    """1 or 2: the rows to eliminate at once, after they were swapped to k and below."""
    one = uintp(1)
    big, r = largest_beside(A, n, k, k)
    mine = abs(A[k * n + k])
    if mine >= LARGE_ENOUGH * big:
        return one
    other, _ = largest_beside(A, n, k, r)
    if mine * other >= LARGE_ENOUGH * big * big:
        return one
    if abs(A[r * n + r]) >= LARGE_ENOUGH * other:
        swap_both(A, n, k, r)
        return one
    swap_both(A, n, k + one, r)
    return uintp(2)


@device
def negative_eigenvalues(A, n):
    """Of a symmetric matrix, which is used up."""
    one, two = uintp(1), uintp(2)
    found, k = int64(0), uintp(0)
    while k < n:
        rows = pivot_rows(A, n, k)
        a = A[k * n + k]
        if rows == one:
            found += int64(a < 0.0)
            for i in range(k + one, n):
                f = A[i * n + k] / a if a != 0.0 else 0.0
                if f != 0.0:
                    for j in range(k + one, n):
                        A[i * n + j] -= f * A[k * n + j]
            k += one
            continue
        b, c = A[k * n + k + one], A[(k + one) * n + k + one]
        determinant = a * c - b * b
        found += int64(1) if determinant < 0.0 else (int64(2) if a + c < 0.0 else int64(0))
        for i in range(k + two, n):
            p, q = A[i * n + k], A[i * n + k + one]
            f, g = (c * p - b * q) / determinant, (a * q - b * p) / determinant
            for j in range(k + two, n):
                A[i * n + j] -= f * A[k * n + j] + g * A[(k + one) * n + j]
        k += two
    return found
