"""Inertia of a body that moves and deforms by modes: integrals that make it exact, from a mass matrix of freedoms.

A body's frame has velocity v of its origin and angular velocity w, both in its own axes, and shapes φ_i with
amplitudes q_i. A node at X then moves, seen in the frame's axes, with

    translations   v + w × (X + Σ q_i φ_i) + Σ q'_i φ_i
    rotations      w + Σ q_i w × ϑ_i       + Σ q'_i ϑ_i        (section axes, to first order in q)

where φ_i and ϑ_i are translations and rotations of the node in shape i. Over all freedoms these are the vectors

    A   (nv, 3)    unit translations along the axes
    B   (nv, 3)    unit rotations about the axes through the origin: e × X, and e
    S_i (nv, 3)    shape i turned about the axes: e × φ_i, and e × ϑ_i
    Φ   (nv, n)    the shapes

and with the mass matrix M of the freedoms, lumped or consistent, the kinetic energy is ½ u' H u for u = (v, w, q') with

    H = [ m 1        -[s]×                          P                    ]      s = first + P q
        [ [s]×       J                              Q + Σ q_i G_i        ]      J = second + Σ q_i (L_i + L_i')
        [ P'         (Q + Σ q_i G_i)'               μ                    ]          + Σ q_i q_j N_ij

    m      = A'MA                 mass                                  ∫ dm
    first  : [first]× = B'MA      first moment                          ∫ X dm
    second = B'MB                 inertia about the origin              -∫ [X]×[X]× dm
    P      = A'MΦ    (3, n)       linear momentum of the shapes         ∫ φ dm
    Q      = B'MΦ    (3, n)       angular momentum of the shapes        ∫ X × φ dm
    L_i    = B'MS_i  (n, 3, 3)    how shapes change the inertia         -∫ [X]×[φ_i]× dm
    N_ij   = S_i'MS_j (n, n, 3, 3)                                      -∫ [φ_i]×[φ_j]× dm
    G_ij   = S_i'Mφ_j (n, 3, n)   angular momentum of one shape as another grows: G_i = G[i] (3, n), ∫ φ_i × φ_j dm
    μ      = Φ'MΦ    (n, n)       modal mass

A'MS_i = -[P_i]× holds for every mass matrix that gives all directions the same mass, and is taken so: momentum is
then exactly the mass times the velocity of the centre of mass. With gravity g in the body's axes the generalised
forces are m g, (first + P q) × g and P' g. H does not depend on place or attitude, so momentum and angular momentum are
kept.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

AXES = np.eye(3)


@dataclass(frozen=True, eq=False)
class Inertia:
    """Integrals over a body in its own axes about its own origin, for shapes of unit amplitude; see the head of this
    file."""

    mass: float  # m
    first: np.ndarray  # (3,)
    second: np.ndarray  # (3, 3)
    momentum: np.ndarray  # (3, n) P
    spin: np.ndarray  # (3, n) Q
    by_shape: np.ndarray  # (n, 3, 3) L
    by_two: np.ndarray  # (n, n, 3, 3) N
    gyration: np.ndarray  # (n, 3, n) G
    modal: np.ndarray  # (n, n) μ

    @property
    def centre(self) -> np.ndarray:
        """(3,) centre of mass of the undeformed body [m]."""
        return self.first / self.mass

    def matrix(self, q) -> np.ndarray:
        """H (6 + n, 6 + n): the mass matrix of (v, w, q') in the body's axes at amplitudes q."""
        q = np.asarray(q, float)
        bent = np.einsum("i,iab->ab", q, self.by_shape)
        J = self.second + bent + bent.T + np.einsum("i,j,ijab->ab", q, q, self.by_two)
        s = cross_matrix(self.first + self.momentum @ q)
        turn = self.spin + np.einsum("i,iaj->aj", q, self.gyration)
        P = self.momentum
        return np.block([[self.mass * AXES, -s, P], [s, J, turn], [P.T, turn.T, self.modal]])


def cross_matrix(a) -> np.ndarray:
    """[a]×: cross_matrix(a) @ b = a × b."""
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


def rigid_vectors(positions: np.ndarray, freedoms: np.ndarray) -> np.ndarray:
    """(nv, 6): A and B, unit motions of all nodes (n, 3) as one piece about the origin; freedoms (n, 6) say where the
    translations and rotations of each node stand, -1 where it has none."""
    motion = np.zeros((len(positions), 6, 6))
    motion[:, :3, :3] = AXES
    motion[:, 3:, 3:] = AXES
    motion[:, :3, 3:] = np.cross(AXES[None], positions[:, None]).transpose(0, 2, 1)
    return gathered(motion, freedoms)


def turned(shapes: np.ndarray, freedoms: np.ndarray) -> np.ndarray:
    """(n, nv, 3): S, every shape (nv, n) turned about the three axes."""
    nodal = spread(shapes, freedoms)
    count = shapes.shape[1]
    out = np.zeros((count, len(shapes), 3))
    for i in range(count):
        halves = nodal[:, :, i].reshape(-1, 2, 3)
        across = np.cross(AXES[None, None], halves[:, :, None])  # (nodes, 2, axis, component)
        out[i] = gathered(across.transpose(0, 1, 3, 2).reshape(-1, 6, 3), freedoms)
    return out


def spread(shapes: np.ndarray, freedoms: np.ndarray) -> np.ndarray:
    """(nodes, 6, n): shapes (nv, n) by node; zero where a node has no such freedom."""
    out = np.zeros((*freedoms.shape, shapes.shape[1]))
    there = freedoms >= 0
    out[there] = shapes[freedoms[there]]
    return out


def gathered(nodal: np.ndarray, freedoms: np.ndarray) -> np.ndarray:
    """The opposite of `spread`."""
    there = freedoms >= 0
    out = np.zeros((int(freedoms.max(initial=-1)) + 1, nodal.shape[2]))
    out[freedoms[there]] = nodal[there]
    return out


def inertia_of(mass, positions: np.ndarray, freedoms: np.ndarray, shapes: np.ndarray) -> Inertia:
    """Integrals for a (sparse) mass matrix over freedoms in the body's axes, and shapes (nv, n)."""
    rigid = rigid_vectors(positions, freedoms)
    moved = mass @ rigid
    whole = rigid.T @ moved
    S = turned(shapes, freedoms)
    count = shapes.shape[1]
    flat = S.transpose(1, 0, 2).reshape(len(shapes), 3 * count)
    heavy, heavy_shapes = mass @ flat, mass @ shapes
    return Inertia(
        float(np.diag(whole)[:3].max()),  # a structure in a plane has no freedoms across it
        first_moment(whole),
        0.5 * (whole[3:, 3:] + whole[3:, 3:].T),
        moved[:, :3].T @ shapes,
        moved[:, 3:].T @ shapes,
        (moved[:, 3:].T @ flat).reshape(3, count, 3).transpose(1, 0, 2),
        (flat.T @ heavy).reshape(count, 3, count, 3).transpose(0, 2, 1, 3),
        (flat.T @ heavy_shapes).reshape(count, 3, count),
        0.5 * (shapes.T @ heavy_shapes + heavy_shapes.T @ shapes),
    )


def first_moment(whole: np.ndarray) -> np.ndarray:
    """(3,): [first]× stands in B'MA, each component twice unless there are no freedoms along one of its axes."""
    lever, there = whole[3:, :3], np.diag(whole)[:3] > 0.0
    out = np.zeros(3)
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        twice = [sign * lever[a, b] for a, b, sign in ((j, i, 1.0), (i, j, -1.0)) if there[b]]
        out[k] = sum(twice) / max(len(twice), 1)
    return out
