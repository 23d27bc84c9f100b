"""Whether a mass matrix can be one: symmetric, definite, the same along all directions."""

from __future__ import annotations

from typing import NoReturn

import numpy as np

from ..modal.inertia import rigid_vectors
from .structure import COMPONENTS, Structure, refuse

SYMMETRIC = 1e-8
SINGULAR = 1e-10  # smallest eigenvalue with the diagonal scaled to one
SAME = 1e-6


def check_matrices(structure: Structure, massless: str = "refuse") -> None:
    """Raises ModelError."""
    for name, A in (("mass", structure.mass), ("stiffness", structure.stiffness)):
        if A.shape != (structure.size, structure.size):
            refuse(
                structure, f"the {name} matrix is {A.shape[0]} × {A.shape[1]}, but there are {structure.size} freedoms"
            )
        if not np.isfinite(A.data).all():
            refuse(structure, f"the {name} matrix has entries that are not numbers")
        largest = np.abs(A.data).max(initial=0.0)
        if largest == 0.0:
            refuse(structure, f"the {name} matrix is zero")
        aside = abs(A - A.T).max()
        if aside > SYMMETRIC * largest:
            refuse(
                structure, f"the {name} matrix is not symmetric: entries differ by {aside / largest:.2g} of the largest"
            )
    free = np.flatnonzero(~structure.held)
    check_definite(structure, free, massless)
    check_alike(structure)


def check_definite(structure: Structure, free: np.ndarray, massless: str) -> None:
    """Rank-deficient and indefinite masses. Raises ModelError."""
    M = structure.mass.tocsr()[free][:, free]
    diagonal = M.diagonal()
    if diagonal.min(initial=0.0) < 0.0:
        indefinite(structure, free[int(np.argmin(diagonal))], f"its diagonal entry is {diagonal.min():.3g}")
    empty = np.asarray(abs(M).sum(axis=1)).ravel() == 0.0
    if empty.any() and massless == "refuse":
        node, component = structure.owner(int(free[np.flatnonzero(empty)[0]]))
        refuse(
            structure,
            f"the mass matrix is rank-deficient: {int(empty.sum())} freedoms have no mass, first "
            f"{structure.label(node)} along {COMPONENTS[component]}; give them mass, or let them follow statically "
            "with massless='follow' (--massless follow)",
        )
    M, diagonal, free = M[~empty][:, ~empty], diagonal[~empty], free[~empty]
    if M.nnz == len(diagonal) and diagonal.min(initial=1.0) > 0.0:
        return
    least, vector = smallest(M, diagonal)
    worst = free[int(np.argmax(np.abs(vector)))]
    if least < -SINGULAR:
        indefinite(structure, worst, f"its smallest eigenvalue is {least:.3g} with the diagonal scaled to one")
    if least < SINGULAR and massless == "refuse":
        node, component = structure.owner(int(worst))
        refuse(
            structure,
            f"the mass matrix is rank-deficient: a motion of {structure.label(node)} along {COMPONENTS[component]} has "
            "no mass; give it mass, or let it follow statically with massless='follow' (--massless follow)",
        )


def indefinite(structure: Structure, freedom: int, why: str) -> NoReturn:
    node, component = structure.owner(int(freedom))
    refuse(
        structure,
        f"the mass matrix is indefinite ({why}), most of all {structure.label(node)} along {COMPONENTS[component]}: "
        "motion would have negative energy; check its signs, units and the order of freedoms",
    )


def smallest(M, diagonal: np.ndarray) -> tuple[float, np.ndarray]:
    """(smallest eigenvalue with the diagonal scaled to one, its vector)."""
    if diagonal.min() <= 0.0:  # zero on the diagonal, yet other entries in its row: indefinite by 2 x 2 minors
        return -np.inf, (diagonal <= 0.0).astype(float)
    scale = 1.0 / np.sqrt(diagonal)
    scaled = M.multiply(scale[:, None]).multiply(scale[None, :]).tocsr()
    if len(diagonal) <= 800:
        values, vectors = np.linalg.eigh(scaled.toarray())
        return float(values[0]), vectors[:, 0]
    from scipy.sparse.linalg import ArpackNoConvergence, eigsh

    try:
        values, vectors = eigsh(scaled, k=1, which="SA", tol=1e-2, maxiter=20 * len(diagonal))
    except ArpackNoConvergence as reason:
        values, vectors = reason.eigenvalues, reason.eigenvectors
        if not len(values):
            return 0.0, np.ones(len(diagonal))
    return float(values[0]), vectors[:, 0]


def check_alike(structure: Structure) -> None:
    """Directions in which a structure has freedoms must have the same mass. Raises ModelError."""
    R = rigid_vectors(structure.positions, structure.freedoms)[:, :3]
    R = np.vstack((R, np.zeros((structure.size - len(R), 3))))
    there = np.asarray((structure.freedoms[:, :3] >= 0).all(axis=0))
    total = np.diag(R.T @ (structure.mass @ R))
    if there.sum() > 1 and np.ptp(total[there]) > SAME * total[there].max():
        text = ", ".join(f"{m:.6g} kg along {'xyz'[k]}" for k, m in enumerate(total) if there[k])
        refuse(structure, f"the mass differs with direction: {text}; a body has one mass")
