"""One level of a multigrid cycle: block Gauss–Seidel there and back, around a correction from the level below.

    down: (L + D) x = b from nothing, so that b - A x = -U x;  coarse b = P' (b - A x)
    up:   x += P (coarse x),  (D + U) x' = b - L x

with A = L + D + U in blocks of 3 x 3, on every level; six rigid motions are two such unknowns. Up is the transpose of
down, so the cycle is symmetric, as conjugate gradients want it. Levels are in single precision: a cycle is as fast as
they can be read, and only about right anyway.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..jit import kernel, small

SINGULAR = 1e-6  # determinant of a block of diagonal one


class Blocks(NamedTuple):
    """A sparse matrix of 3 x 3 blocks, by rows."""

    values: np.ndarray  # (blocks, 3, 3)
    column: np.ndarray  # (blocks,)
    first: np.ndarray  # (rows + 1,) block of each row


class Pivots(NamedTuple):
    """Diagonal blocks of a matrix whose columns are in order."""

    at: np.ndarray  # (rows,) block
    inverse: np.ndarray  # (rows, 3, 3)


class Level(NamedTuple):
    """A matrix, and what a solution one level below is on this one."""

    A: Blocks
    D: Pivots
    P: Blocks


def blocks_of(matrix) -> Blocks:
    """Of any sparse matrix."""
    from scipy.sparse import bsr_array

    found = bsr_array(matrix, blocksize=(3, 3))
    found.sort_indices()
    return Blocks(found.data.astype(np.float32), found.indices.astype(np.int32), found.indptr.astype(np.int32))


def level_of(matrix, P) -> Level:
    """A level from its matrix and the prolongation to it."""
    A = blocks_of(matrix)
    row = np.repeat(np.arange(len(A.first) - 1), np.diff(A.first))
    diagonal = np.flatnonzero(row == A.column)
    return Level(A, Pivots(diagonal, inverses(A.values[diagonal])), blocks_of(P))


def inverses(blocks: np.ndarray) -> np.ndarray:
    """Of symmetric blocks; in the sense of least squares where one is singular."""
    blocks = blocks.astype(float)
    size = np.einsum("bii->b", blocks) / 3.0
    weak = ~(np.linalg.det(blocks) > SINGULAR * size**3)
    safe = np.where(weak[:, None, None], np.eye(3), blocks)
    found = np.linalg.inv(safe)
    found[weak] = np.linalg.pinv(blocks[weak], rcond=SINGULAR, hermitian=True)
    return found.astype(np.float32)


@small
def times(A, k, x, j):
    """Block k by x_j."""
    x0, x1, x2 = x[3 * j], x[3 * j + 1], x[3 * j + 2]
    return (
        A[k, 0, 0] * x0 + A[k, 0, 1] * x1 + A[k, 0, 2] * x2,
        A[k, 1, 0] * x0 + A[k, 1, 1] * x1 + A[k, 1, 2] * x2,
        A[k, 2, 0] * x0 + A[k, 2, 1] * x1 + A[k, 2, 2] * x2,
    )


@small
def less_row(A, begin, end, x, s):
    """s less the sum of the blocks from begin to end - 1 by x."""
    values, column = A.values, A.column
    s0, s1, s2 = s
    for k in range(begin, end):
        t = times(values, k, x, column[k])
        s0 -= t[0]
        s1 -= t[1]
        s2 -= t[2]
    return s0, s1, s2


@small
def put_solved(D, i, s, x):
    """x_i <- D_i^-1 s"""
    x[3 * i] = D[i, 0, 0] * s[0] + D[i, 0, 1] * s[1] + D[i, 0, 2] * s[2]
    x[3 * i + 1] = D[i, 1, 0] * s[0] + D[i, 1, 1] * s[1] + D[i, 1, 2] * s[2]
    x[3 * i + 2] = D[i, 2, 0] * s[0] + D[i, 2, 1] * s[1] + D[i, 2, 2] * s[2]


@kernel
def smooth_down(A, D, P, b, x, coarse):
    """x <- about the solution; coarse <- what is left of b, gathered."""
    for i in range(len(D.at)):
        s = b[3 * i], b[3 * i + 1], b[3 * i + 2]
        put_solved(D.inverse, i, less_row(A, A.first[i], D.at[i], x, s), x)
    nothing = b.dtype.type(0.0)
    for i in range(len(coarse)):
        coarse[i] = nothing
    for i in range(len(D.at)):
        s = less_row(A, D.at[i] + 1, A.first[i + 1], x, (nothing, nothing, nothing))
        for k in range(P.first[i], P.first[i + 1]):
            j, p = P.column[k], P.values
            for c in range(3):
                coarse[3 * j + c] += p[k, 0, c] * s[0] + p[k, 1, c] * s[1] + p[k, 2, c] * s[2]


@kernel
def smooth_up(A, D, P, b, coarse, x):
    """x corrected by the solution of the level below, and smoothed the other way round."""
    for i in range(len(D.at)):
        for k in range(P.first[i], P.first[i + 1]):
            t = times(P.values, k, coarse, P.column[k])
            x[3 * i] += t[0]
            x[3 * i + 1] += t[1]
            x[3 * i + 2] += t[2]
    for i in range(len(D.at) - 1, -1, -1):
        s = less_row(A, A.first[i], D.at[i], x, (b[3 * i], b[3 * i + 1], b[3 * i + 2]))
        put_solved(D.inverse, i, less_row(A, D.at[i] + 1, A.first[i + 1], x, s), x)


@kernel
def multiply(A, x, out):
    """out <- A x"""
    for i in range(len(A.first) - 1):
        s = less_row(A, A.first[i], A.first[i + 1], x, (0.0, 0.0, 0.0))
        out[3 * i] = -s[0]
        out[3 * i + 1] = -s[1]
        out[3 * i + 2] = -s[2]


def load_kernels() -> None:
    """Load or compile them, on one block."""
    level, A = level_of(np.eye(3), np.eye(3)), Blocks(np.zeros((1, 3, 3)), np.zeros(1, np.int32), np.zeros(2, np.int32))
    b, x, below = np.zeros((3, 3), np.float32)
    smooth_down(*level, b, x, below)
    smooth_up(*level, b, below, x)
    multiply(A, np.zeros(3), np.zeros(3))
