"""Small matrices as tuples of nine floats by rows: products without memory."""

from ..jit import small


@small
def load33(R, n):
    """R[n] of an array of matrices."""
    return (
        R[n, 0, 0], R[n, 0, 1], R[n, 0, 2],
        R[n, 1, 0], R[n, 1, 1], R[n, 1, 2],
        R[n, 2, 0], R[n, 2, 1], R[n, 2, 2],
    )  # fmt: skip


@small
def block33(field, i, j):
    """The 3x3 block of a record's matrix that starts at row i, column j."""
    return (
        field[i, j], field[i, j + 1], field[i, j + 2],
        field[i + 1, j], field[i + 1, j + 1], field[i + 1, j + 2],
        field[i + 2, j], field[i + 2, j + 1], field[i + 2, j + 2],
    )  # fmt: skip


@small
def transform(A, v):
    """A v"""
    return (
        A[0] * v[0] + A[1] * v[1] + A[2] * v[2],
        A[3] * v[0] + A[4] * v[1] + A[5] * v[2],
        A[6] * v[0] + A[7] * v[1] + A[8] * v[2],
    )


@small
def transform_back(A, v):
    """A' v"""
    return (
        A[0] * v[0] + A[3] * v[1] + A[6] * v[2],
        A[1] * v[0] + A[4] * v[1] + A[7] * v[2],
        A[2] * v[0] + A[5] * v[1] + A[8] * v[2],
    )


@small
def transposed(A):
    return (A[0], A[3], A[6], A[1], A[4], A[7], A[2], A[5], A[8])


@small
def product(A, B):
    """A B"""
    return (
        A[0] * B[0] + A[1] * B[3] + A[2] * B[6],
        A[0] * B[1] + A[1] * B[4] + A[2] * B[7],
        A[0] * B[2] + A[1] * B[5] + A[2] * B[8],
        A[3] * B[0] + A[4] * B[3] + A[5] * B[6],
        A[3] * B[1] + A[4] * B[4] + A[5] * B[7],
        A[3] * B[2] + A[4] * B[5] + A[5] * B[8],
        A[6] * B[0] + A[7] * B[3] + A[8] * B[6],
        A[6] * B[1] + A[7] * B[4] + A[8] * B[7],
        A[6] * B[2] + A[7] * B[5] + A[8] * B[8],
    )


@small
def plus33(A, B):
    return (
        A[0] + B[0], A[1] + B[1], A[2] + B[2],
        A[3] + B[3], A[4] + B[4], A[5] + B[5],
        A[6] + B[6], A[7] + B[7], A[8] + B[8],
    )  # fmt: skip


@small
def axpy33(s, A, B):
    """s A + B"""
    return (
        s * A[0] + B[0], s * A[1] + B[1], s * A[2] + B[2],
        s * A[3] + B[3], s * A[4] + B[4], s * A[5] + B[5],
        s * A[6] + B[6], s * A[7] + B[7], s * A[8] + B[8],
    )  # fmt: skip


@small
def scale33(s, A):
    return (s * A[0], s * A[1], s * A[2], s * A[3], s * A[4], s * A[5], s * A[6], s * A[7], s * A[8])


@small
def skew(a):
    """a x as a matrix."""
    return (0.0, -a[2], a[1], a[2], 0.0, -a[0], -a[1], a[0], 0.0)


@small
def dyad(a, b):
    """a b'"""
    return (
        a[0] * b[0], a[0] * b[1], a[0] * b[2],
        a[1] * b[0], a[1] * b[1], a[1] * b[2],
        a[2] * b[0], a[2] * b[1], a[2] * b[2],
    )  # fmt: skip


@small
def skew_times(a, A):
    """(a x) A: a x every column."""
    return (
        a[1] * A[6] - a[2] * A[3], a[1] * A[7] - a[2] * A[4], a[1] * A[8] - a[2] * A[5],
        a[2] * A[0] - a[0] * A[6], a[2] * A[1] - a[0] * A[7], a[2] * A[2] - a[0] * A[8],
        a[0] * A[3] - a[1] * A[0], a[0] * A[4] - a[1] * A[1], a[0] * A[5] - a[1] * A[2],
    )  # fmt: skip


@small
def times_skew(A, a):
    """A (a x): every row x a."""
    return (
        A[1] * a[2] - A[2] * a[1], A[2] * a[0] - A[0] * a[2], A[0] * a[1] - A[1] * a[0],
        A[4] * a[2] - A[5] * a[1], A[5] * a[0] - A[3] * a[2], A[3] * a[1] - A[4] * a[0],
        A[7] * a[2] - A[8] * a[1], A[8] * a[0] - A[6] * a[2], A[6] * a[1] - A[7] * a[0],
    )  # fmt: skip
