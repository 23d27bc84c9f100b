"""Solutions of symmetric positive definite systems: by MKL's PARDISO where it is installed, else layer by layer where
the structure is slender, else by SciPy's SuperLU."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from ..results.extras import need

SOLVERS = ("auto", "pardiso", "layers", "superlu")
VANISHING = 1e-11  # of the diagonal: a pivot that is nothing but rounding
MANY = 3000  # unknowns: up to here SuperLU, which rounds half as much, takes next to no time
SLENDER = 3e10  # products and sums to eliminate layers: about two seconds


class NotDefiniteError(ValueError):
    """Some motion costs no energy, or gives some; `unknown` names a freedom of it, -1 if it is not known."""

    def __init__(self, unknown: int):
        super().__init__("not positive definite")
        self.unknown = unknown


class SuperLU:
    """Symmetric mode: no rows are swapped, so that pivots show whether the matrix is definite."""

    name = "SuperLU"

    def __init__(self, A):
        from scipy.sparse.linalg import splu

        self.scale = 1.0 / np.sqrt(positive_diagonal(A))
        scaled = (A.multiply(self.scale[:, None]).multiply(self.scale[None, :])).tocsc()
        try:
            self.factors = splu(
                scaled, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True}
            )
        except RuntimeError:  # exactly singular
            raise NotDefiniteError(-1) from None
        pivots = self.factors.U.diagonal()
        worst = int(np.argmin(pivots))
        if not pivots[worst] > VANISHING:
            raise NotDefiniteError(int(np.flatnonzero(self.factors.perm_c == worst)[0]))

    def solve(self, right: np.ndarray) -> np.ndarray:
        """(n, k)"""
        return self.scale[:, None] * self.factors.solve(self.scale[:, None] * right)


class Layers:
    """Unknowns in layers, neighbours of neighbours from one end on: each is coupled with the next alone.

    A_ii - B_i B_i' = L_i L_i',   B_i = A_i,i-1 L_i-1^-T, all of them dense.
    """

    name = "layers"

    def __init__(self, A, layers: list[np.ndarray]):
        from scipy.linalg import solve_triangular
        from scipy.linalg.lapack import dpotrf

        self.layers = layers
        self.scale = 1.0 / np.sqrt(positive_diagonal(A))
        order = np.concatenate(self.layers)
        A = (A.multiply(self.scale[:, None]).multiply(self.scale[None, :])).tocsr()[order][:, order]
        self.L: list[np.ndarray] = []
        self.B: list[np.ndarray] = []
        before, here = 0, 0
        for layer in self.layers:
            rows, after = A[here : here + len(layer)], here + len(layer)
            B = rows[:, before:here].toarray()
            if here:
                B = solve_triangular(self.L[-1], B.T, lower=True, check_finite=False).T
            L, failed = dpotrf(rows[:, here:after].toarray() - B @ B.T, lower=1)
            worst = failed - 1 if failed else int(np.argmin(np.diag(L)))
            if failed or not L[worst, worst] ** 2 > VANISHING:
                raise NotDefiniteError(int(layer[worst]))
            self.L.append(L)
            self.B.append(B)
            before, here = here, after

    def solve(self, right: np.ndarray) -> np.ndarray:
        """(n, k)"""
        from scipy.linalg import solve_triangular

        right, out = self.scale[:, None] * right, np.empty(right.shape)
        x: list[np.ndarray] = []
        for layer, L, B in zip(self.layers, self.L, self.B, strict=True):
            b = right[layer] - B @ x[-1] if x else right[layer]
            x.append(solve_triangular(L, b, lower=True, check_finite=False))
        for i in range(len(x) - 1, -1, -1):
            b = x[i] - self.B[i + 1].T @ x[i + 1] if i + 1 < len(x) else x[i]
            x[i] = solve_triangular(self.L[i], b, lower=True, trans=1, check_finite=False)
            out[self.layers[i]] = self.scale[self.layers[i], None] * x[i]
        return out


def layers_of(A) -> list[np.ndarray]:
    """Unknowns by their distance from one end, part after part."""
    from scipy.sparse.csgraph import connected_components

    A, found = A.tocsr(), []
    _, part = connected_components(A, directed=False)
    for any_one in np.unique(part, return_index=True)[1]:
        one_end = away_from(A, np.array([any_one]))[-1]
        other_end = away_from(A, one_end[:1])[-1]
        found += away_from(A, other_end)
    return found


def away_from(A, start: np.ndarray) -> list[np.ndarray]:
    """The unknowns given, those coupled with them, those coupled with these and so on."""
    new, found = np.ones(A.shape[0], bool), [start]
    new[start] = False
    while len(found[-1]):
        near = np.zeros_like(new)
        near[A[found[-1]].indices] = True
        found.append(np.flatnonzero(near & new))
        new &= ~near
    return found[:-1]


def work_of(layers: list[np.ndarray]) -> float:
    """Products and sums to factor them."""
    size = np.array([len(layer) for layer in layers], float)
    return float((size**3 / 3.0).sum() + (size[1:] * size[:-1] * (size[1:] + size[:-1])).sum())


class Pardiso:
    """Cholesky's factors in parallel."""

    name = "PARDISO"

    def __init__(self, A):
        from scipy.sparse import csr_matrix, triu

        pypardiso = need("pypardiso", "direct", "PARDISO")
        name_library()
        self.scale = 1.0 / np.sqrt(positive_diagonal(A))
        scaled = A.multiply(self.scale[:, None]).multiply(self.scale[None, :])
        self.upper = csr_matrix(triu(scaled, format="csr"))
        self.upper.sort_indices()
        self.solver = pypardiso.PyPardisoSolver(mtype=2)
        # not the defaults: solutions are not refined, which takes thrice as long and is of no use to definite matrices
        self.solver.set_iparm(1, 1)
        self.solver.set_iparm(2, 3)  # order by nested dissection
        try:
            self.solver.factorize(self.upper)
        except pypardiso.pardiso_wrapper.PyPardisoError:
            raise NotDefiniteError(-1) from None

    def solve(self, right: np.ndarray) -> np.ndarray:
        """(n, k)"""
        scaled = np.asfortranarray(self.scale[:, None] * right)
        return self.scale[:, None] * self.solver.solve(self.upper, scaled).reshape(right.shape)

    def __del__(self):
        if hasattr(self, "solver"):
            self.solver.free_memory(everything=True)


def name_library() -> None:
    """Where MKL was installed beside Python: pypardiso would search all folders below, for longer than it solves."""
    found = sorted(Path(sys.prefix, "lib").glob("libmkl_rt.so*"))
    if found:
        os.environ.setdefault("PYPARDISO_MKL_RT", str(found[-1]))


def positive_diagonal(A) -> np.ndarray:
    """Raises NotDefiniteError."""
    diagonal = A.diagonal()
    if len(diagonal) and not diagonal.min() > 0.0:
        raise NotDefiniteError(int(np.argmin(diagonal)))
    return diagonal


def factored(A, solver: str = "auto"):
    """The factors of a sparse symmetric matrix. Raises NotDefiniteError, MissingExtraError."""
    if solver == "pardiso" or (solver == "auto" and find_spec("pypardiso") is not None):
        return Pardiso(A)
    if solver == "superlu" or (solver == "auto" and A.shape[0] <= MANY):
        return SuperLU(A)
    layers = layers_of(A)
    return Layers(A, layers) if solver == "layers" or work_of(layers) < SLENDER else SuperLU(A)
