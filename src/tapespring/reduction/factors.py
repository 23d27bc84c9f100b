"""Solutions of symmetric positive definite systems: by MKL's PARDISO where it is installed, else by SciPy's SuperLU."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from ..results.extras import need

VANISHING = 1e-11  # of the diagonal: a pivot that is nothing but rounding


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
        self.solver.set_iparm(1, 1)  # what follows instead of the defaults: a solution is not refined, which takes thrice
        self.solver.set_iparm(2, 3)  # as long and is of no use to definite matrices; order by nested dissection
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
    return SuperLU(A)
