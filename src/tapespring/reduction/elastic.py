"""Displacements of a structure under forces, free or held: of a free one those relative to its motion as one piece.

The forces on a free structure are first balanced by its own inertia. Some coordinates are set aside (`outer`: those of
interfaces, or as many as hold it): the others are eliminated with them fixed, which is definite, and a small matrix of
the outer ones remains, singular by exactly the free motions.
"""

from __future__ import annotations

import numpy as np

from .factors import NotDefiniteError, factored


class Elastic:
    """Solutions K u = F for coordinates with mass M; rigid (n, k) are M-orthonormal and K rigid = 0."""

    def __init__(self, K, M, rigid: np.ndarray, outer: np.ndarray, solver: str = "auto"):
        """Raises NotDefiniteError, whose unknown counts among all coordinates."""
        self.M, self.rigid, self.outer = M, rigid, outer
        self.inner = np.setdiff1d(np.arange(K.shape[0]), outer)
        self.size = K.shape[0]
        K = K.tocsr()
        across = K[self.inner][:, outer].toarray()
        try:
            self.factors = factored(K[self.inner][:, self.inner].tocsc(), solver) if len(self.inner) else None
        except NotDefiniteError as reason:
            raise NotDefiniteError(int(self.inner[reason.unknown]) if reason.unknown >= 0 else -1) from None
        self.constraint = -self.inside(across)  # (inner, outer) inner coordinates by unit outer ones
        S = K[outer][:, outer].toarray() + across.T @ self.constraint
        self.condensed = 0.5 * (S + S.T)  # stiffness of the outer coordinates alone
        self.flexible = pseudo_inverse(self.condensed, rigid.shape[1])

    def inside(self, forces: np.ndarray) -> np.ndarray:
        """Inner displacements (inner, k) with the outer coordinates fixed."""
        return self.factors.solve(forces) if self.factors is not None and forces.shape[1] else np.zeros_like(forces)

    def cleaned(self, u: np.ndarray) -> np.ndarray:
        """Without motion as one piece."""
        return u - self.rigid @ (self.rigid.T @ (self.M @ u))

    def solve(self, forces: np.ndarray) -> np.ndarray:
        """(n, k)"""
        F = forces - self.M @ (self.rigid @ (self.rigid.T @ forces))
        u = np.empty_like(F)
        outer = self.flexible @ (F[self.outer] + self.constraint.T @ F[self.inner])
        u[self.outer] = outer
        u[self.inner] = self.inside(F[self.inner]) + self.constraint @ outer
        return self.cleaned(u)


def pseudo_inverse(S: np.ndarray, free: int) -> np.ndarray:
    """Of a symmetric matrix whose `free` smallest eigenvalues are zero. Raises NotDefiniteError."""
    if not len(S):
        return S
    scale = 1.0 / np.sqrt(np.maximum(np.diag(S), 1e-14 * np.abs(np.diag(S)).max() + 1e-300))
    values, vectors = np.linalg.eigh(scale[:, None] * S * scale)
    values, vectors = values[free:], vectors[:, free:]
    if len(values) and not values[0] > 1e-11 * values[-1]:
        raise NotDefiniteError(-1)
    return scale[:, None] * ((vectors / values) @ vectors.T) * scale


def pins(rigid: np.ndarray) -> np.ndarray:
    """As many coordinates as there are free motions: fixing them holds the structure."""
    import scipy.linalg

    if not rigid.shape[1]:
        return np.zeros(0, np.int64)
    return np.sort(scipy.linalg.qr(rigid.T, mode="r", pivoting=True)[1][: rigid.shape[1]])
