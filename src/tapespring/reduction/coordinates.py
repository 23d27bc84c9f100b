"""Coordinates of a structure with interfaces: u = T z, z = (coordinates of the interfaces, free freedoms inside).

Freedoms that are held vanish; those tied to interfaces or to each other follow.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..modal.inertia import rigid_vectors
from .interfaces import Attached, mean_motion, rigid_rows
from .structure import Structure, refuse

DEPENDENT = 1e-10


@dataclass(frozen=True, eq=False)
class Coordinates:
    """Matrices over z; the first `boundary` coordinates are those of the interfaces."""

    T: Any  # (nv, nz) sparse
    back: Any  # (nz, nv) sparse: z of displacements u that satisfy all ties
    boundary: int
    mass: Any
    stiffness: Any
    damping: Any
    rigid: np.ndarray  # (nz, k) motions as one piece that nothing resists, M-orthonormal
    own: list[slice]  # coordinates of each interface


def coordinates_of(structure: Structure, attached: list[Attached]) -> Coordinates:
    """Raises ModelError."""
    parts = Parts(structure)
    own = [parts.tie(one) for one in attached]
    parts.eliminate_rows()
    T, back = parts.finish()
    M, K = ((T.T @ A @ T).tocsr() for A in (structure.mass, structure.stiffness))
    D = None if structure.damping is None else (T.T @ structure.damping @ T).tocsr()
    rigid = rigid_motions(structure, T, back, M, K)
    return Coordinates(T, back, sum(s.stop - s.start for s in own), M, K, D, rigid, own)


class Parts:
    """Entries of T and of its left inverse, collected."""

    def __init__(self, structure: Structure):
        self.structure = structure
        self.follows = structure.held.copy()  # freedoms that are no coordinates of their own
        self.count = 0  # of interface coordinates
        self.to: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []  # (freedom, interface coordinate, value)
        self.among: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []  # (freedom, other freedom, value)
        self.found: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []  # (interface coordinate, freedom, value)

    def tie(self, one: Attached) -> slice:
        mine = slice(self.count, self.count + one.motions.shape[1])
        self.count = mine.stop
        (self.tie_rigidly if one.tie == "rigid" else self.tie_on_average)(one, np.arange(mine.start, mine.stop))
        return mine

    def tie_rigidly(self, one: Attached, mine: np.ndarray) -> None:
        E, freedoms = rigid_rows(self.structure, one.spot, one.position)
        E = E @ one.motions
        E[self.structure.held[freedoms]] = 0.0
        self.follows[freedoms] = True
        self.to.append((np.repeat(freedoms, len(mine)), np.tile(mine, len(freedoms)), E.ravel()))
        inverse = np.linalg.pinv(E)
        self.found.append((np.repeat(mine, len(freedoms)), np.tile(freedoms, len(mine)), inverse.ravel()))

    def tie_on_average(self, one: Attached, mine: np.ndarray) -> None:
        """The mean motion becomes a coordinate in place of as many freedoms."""
        import scipy.linalg

        W = np.linalg.pinv(one.motions) @ mean_motion(self.structure, one)
        columns = np.flatnonzero((np.abs(W).max(axis=0) > 0.0) & ~self.structure.held)
        W = W[:, columns]
        _, R, order = scipy.linalg.qr(W, mode="economic", pivoting=True)
        if abs(R[-1, len(mine) - 1]) < DEPENDENT * abs(R[0, 0]):
            refuse(self.structure, f"interface '{one.name}': the mean motion of its nodes is not free; tie it rigidly")
        gone, stay = order[: len(mine)], order[len(mine) :]
        inverse = np.linalg.inv(W[:, gone])
        others = -inverse @ W[:, stay]
        self.follows[columns[gone]] = True
        n = len(mine)
        self.to.append((np.repeat(columns[gone], n), np.tile(mine, n), inverse.ravel()))
        self.among.append((np.repeat(columns[gone], len(stay)), np.tile(columns[stay], n), others.ravel()))
        self.found.append((np.repeat(mine, len(columns)), np.tile(columns, n), W.ravel()))

    def eliminate_rows(self) -> None:
        """Constraints between freedoms: of each set that hangs together, as many freedoms follow as it has rows."""
        import scipy.linalg
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import connected_components

        if self.structure.rows is None:
            return
        free = np.flatnonzero(~self.structure.held)
        G = csr_array(self.structure.rows)[:, free]
        _, part = connected_components(abs(G) @ abs(G).T, directed=False)
        for k in range(part.max(initial=-1) + 1):
            some = G[np.flatnonzero(part == k)]
            columns = np.unique(some.indices)
            A = some[:, columns].toarray()
            _, R, order = scipy.linalg.qr(A, mode="economic", pivoting=True)
            diagonal = np.abs(np.diag(R))
            rank = int((diagonal > DEPENDENT * diagonal.max(initial=0.0)).sum())
            follow = -np.linalg.solve(R[:rank, :rank], R[:rank, rank:]) if rank else np.zeros((0, len(columns)))
            gone, stay = free[columns[order[:rank]]], free[columns[order[rank:]]]
            self.follows[gone] = True
            self.among.append((np.repeat(gone, len(stay)), np.tile(stay, len(gone)), follow.ravel()))

    def finish(self):
        from scipy.sparse import csr_array

        inside = np.flatnonzero(~self.follows)
        place = np.full(self.structure.size, -1)
        place[inside] = self.count + np.arange(len(inside))
        same = (inside, place[inside], np.ones(len(inside)))
        among = [(freedom, place[other], value) for freedom, other, value in self.among]
        back = [(place[inside], inside, np.ones(len(inside))), *self.found]
        shape = (self.structure.size, self.count + len(inside))
        return csr_array(joined([same, *self.to, *among]), shape=shape), csr_array(joined(back), shape=shape[::-1])


def joined(parts):
    rows, columns, values = (np.concatenate([p[k] for p in parts]) for k in range(3))
    some = values != 0.0
    return values[some], (rows[some], columns[some])


def rigid_motions(structure: Structure, T, back, M, K, zero: float = 1e-7) -> np.ndarray:
    """(nz, k) M-orthonormal: motions as one piece that ties and supports allow and nothing resists.

    `zero`: a motion relative to what is held, over the motion, and a force over that of the same freedoms alone.
    """
    size = float(np.ptp(structure.positions, axis=0).max(initial=0.0)) or 1.0
    R = rigid_vectors((structure.positions - structure.positions.mean(axis=0)) / size, structure.freedoms)
    R = np.vstack((R, np.zeros((structure.size - len(R), 6))))
    turns = structure.freedoms[:, 3:]
    R[turns[turns >= 0]] /= size
    R = R[:, np.abs(R).max(axis=0) > 0.0]
    Z = back @ R
    if not Z.size:
        return np.zeros((Z.shape[0], 0))
    weight = np.ones(structure.size)
    weight[turns[turns >= 0]] = size
    miss = weight[:, None] * (T @ Z - R)  # what is held or tied otherwise does not follow
    stiff = np.sqrt(np.abs(K.diagonal()))
    resist = (K @ Z)[stiff > 0.0] / stiff[stiff > 0.0, None]
    force = np.sqrt(((stiff[:, None] * Z) ** 2).sum(axis=0)).max()
    shown = np.vstack((miss, resist / (force or 1.0), np.zeros((6, Z.shape[1]))))
    _, s, V = np.linalg.svd(shown, full_matrices=False)
    Z = Z @ V[s < zero].T
    if not Z.shape[1]:
        return Z
    gram = Z.T @ (M @ Z)
    values, vectors = np.linalg.eigh(0.5 * (gram + gram.T))
    some = values > 1e-10 * values.max()
    return Z @ (vectors[:, some] / np.sqrt(values[some]))
