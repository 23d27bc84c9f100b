"""Sparse L D L' of a symmetric matrix with a fixed pattern, row by row; a pivot that vanishes drops its row.

Rows whose pivot falls below DEPENDENT times their diagonal depend on earlier rows (redundant constraints, singular
positions): their multiplier is zero and the others carry the load.
"""

from ..jit import device

DEPENDENT = 1e-12


@device
def factorize(tables, work):
    """work.S -> work.L (by columns), work.D (inverse pivots); counts the dropped rows."""
    y, L, D = work.y, work.L, work.D
    dropped = 0
    for k in range(len(D)):
        last = tables.S_first[k + 1] - 1
        for p in range(tables.S_first[k], last):
            y[tables.S_column[p]] = work.S[p]
        diagonal = work.S[last]
        pivot = diagonal
        for p in range(tables.L_first[k], tables.L_first[k + 1]):
            i = tables.L_column[p]
            yi = y[i]
            y[i] = 0.0
            slot = tables.L_slot[p]
            for c in range(tables.C_first[i], slot):
                y[tables.C_row[c]] -= L[c] * yi
            l = yi * D[i]
            pivot -= l * yi
            L[slot] = l
        if pivot <= DEPENDENT * diagonal:
            D[k] = 0.0
            dropped += 1
        else:
            D[k] = 1.0 / pivot
    work.dropped[0] = dropped


@device
def solve(tables, work, b):
    """b <- S^-1 b"""
    L, D = work.L, work.D
    n = len(D)
    for i in range(n):
        bi = b[i]
        for c in range(tables.C_first[i], tables.C_first[i + 1]):
            b[tables.C_row[c]] -= L[c] * bi
    for i in range(n - 1, -1, -1):
        bi = b[i] * D[i]
        for c in range(tables.C_first[i], tables.C_first[i + 1]):
            bi -= L[c] * b[tables.C_row[c]]
        b[i] = bi if D[i] != 0.0 else 0.0
