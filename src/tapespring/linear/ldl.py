"""Sparse L D L' of a symmetric matrix with a fixed pattern, row by row; a pivot that vanishes drops its row.

Rows whose pivot falls below DEPENDENT times their diagonal depend on earlier rows (redundant constraints, singular
positions): their multiplier is zero and the others carry the load.
"""

from numba import uintp

from ..jit import small

DEPENDENT = 1e-12


@small
def factorize(tables, work):
    """work.S -> work.L (by columns), work.D (inverse pivots); counts dropped rows and notes the weakest pivot kept."""
    y, L, D, S = work.y, work.L, work.D, work.S
    S_first, S_column, L_first, L_column = tables.S_first, tables.S_column, tables.L_first, tables.L_column
    L_slot, C_first, C_row = tables.L_slot, tables.C_first, tables.C_row
    dropped, weakest = 0, 1.0
    for k in range(len(D)):
        last = S_first[k + 1] - uintp(1)
        for p in range(S_first[k], last):
            y[S_column[p]] = S[p]
        diagonal = S[last]
        pivot = diagonal
        for p in range(L_first[k], L_first[k + 1]):
            i = L_column[p]
            yi = y[i]
            y[i] = 0.0
            slot = L_slot[p]
            for c in range(C_first[i], slot):
                y[C_row[c]] -= L[c] * yi
            l = yi * D[i]
            pivot -= l * yi
            L[slot] = l
        if pivot <= DEPENDENT * diagonal:
            D[k] = 0.0
            dropped += 1
        else:
            D[k] = 1.0 / pivot
            if pivot < weakest * diagonal:
                weakest = pivot / diagonal
    work.dropped[0] = dropped
    work.weakest[0] = min(work.weakest[0], weakest)


@small
def solve(tables, work, b):
    """b <- S^-1 b"""
    L, D = work.L, work.D
    C_first, C_row = tables.C_first, tables.C_row
    n = len(D)
    for i in range(n):
        bi = b[i]
        for c in range(C_first[i], C_first[i + 1]):
            b[C_row[c]] -= L[c] * bi
    for i in range(n - 1, -1, -1):
        bi = b[i] * D[i]
        for c in range(C_first[i], C_first[i + 1]):
            bi -= L[c] * b[C_row[c]]
        b[i] = bi if D[i] != 0.0 else 0.0
