"""Small vibrations about a placement: frequencies, damping and shapes of the linearised, constrained motion.

    M d'' + D d' + K d = 0,    G d = 0,    d = N y with N a basis of the motions G allows and N' M N = 1

K contains the stiffness of forces and the geometric stiffness of reactions; d are displacements as everywhere (world
translations, rotations in body axes).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.linalg

from ..build.assembler import System
from ..jit import kernel
from ..mechanics import tables as tb
from ..mechanics.core import link
from ..mechanics.linking import accelerations
from ..mechanics.projection import clear
from ..mechanics.tangent import add_tangent, residual
from .kkt import active_freedoms, dense_matrix, new_matrix

DEPENDENT = 1e-10  # a row that adds less than this of its length to the others is redundant
SYMMETRIC = 1e-10
UNSTABLE = 1e-6  # growth rates count from this part of the fastest eigenvalue on: zeros are found to rounding's root


@kernel
def reactions_at(tables, work, t, q, v, a):
    """a <- accelerations, work.multiplier <- reactions there: those that balance the forces best, measured by mass."""
    accelerations(tables, t, q, v, work, a, 0.0, 0.0)


@kernel
def linearise(tables, work, t, q, v, a, multiplier, r, weights, kkt):
    """r <- residual; kkt.values <- weighted sum of its derivatives by acceleration, velocity, displacement; work.G."""
    residual(tables, t, q, v, a, multiplier, work, r)
    clear(kkt.values)
    add_tangent(tables, t, q, v, multiplier, work, weights[0], weights[1], weights[2], kkt)


@dataclass(frozen=True)
class ModesResult:
    """Modes by rising frequency. A motion that does not oscillate has damping ratio 1 (decaying), -1 (growing) or 0."""

    frequencies_hz: np.ndarray  # (n,) |eigenvalue| / 2 pi: undamped natural frequency
    damping_ratios: np.ndarray  # (n,) - real part / |eigenvalue|
    shapes: np.ndarray  # (nv, n) displacements of unit modal mass; complex if damped
    eigenvalues: np.ndarray  # (n,) of exp(s t) [1/s]
    unstable: np.ndarray  # (n,) whether the motion grows


@dataclass(frozen=True)
class Linearised:
    """Matrices over the motions that the constraints allow; their mass matrix is the unit matrix."""

    basis: np.ndarray  # (nv, n)
    damping: np.ndarray  # (n, n)
    stiffness: np.ndarray  # (n, n)


def dense_rows(tables: tb.Tables, work: tb.Work, nv: int) -> np.ndarray:
    """G as a dense matrix (rows, nv)."""
    G = np.zeros((len(tables.rows), nv))
    for k, (n, r) in enumerate(zip(tables.block_node, tables.block_row, strict=True)):
        node = tables.nodes[n]
        size = 6 if node["kind"] == tb.FRAME else 3
        G[r, node["v"] : node["v"] + size] += work.G[k, :size]
    return G


def allowed_motions(G: np.ndarray, mass: np.ndarray, active: np.ndarray) -> np.ndarray:
    """Basis N of the motions with G N = 0 and N' M N = 1, for a diagonal M; redundant rows do no harm."""
    half = 1.0 / np.sqrt(mass[active])
    weighted = G[:, active] * half
    length = np.linalg.norm(weighted, axis=1)
    weighted = weighted[length > 0.0] / length[length > 0.0, None]
    free = scipy.linalg.null_space(weighted, rcond=DEPENDENT) if len(weighted) else np.eye(len(half))
    basis = np.zeros((len(mass), free.shape[1]))
    basis[active] = half[:, None] * free
    return basis


def body_rate_terms(tables: tb.Tables, vector: np.ndarray) -> np.ndarray:
    """W with (W d) = w x d for the rotations of every free frame: dw = d' + w x d in axes that turn."""
    W = np.zeros((len(vector), len(vector)))
    for node in tables.nodes:
        if node["kind"] == tb.FRAME:
            j = node["v"] + 3
            x, y, z = vector[j : j + 3]
            W[j : j + 3, j : j + 3] = [[0, -z, y], [z, 0, -x], [-y, x, 0]]
    return W


def linearised(system: System, work: tb.Work, q, v, t: float, multiplier=None) -> Linearised:
    """Linearise about a state; reactions balance the forces as well as they can unless given."""
    tables, nv = system.tables, len(system.v0)
    q, v = np.array(q, float), np.array(v, float)
    a, r = np.zeros(nv), np.zeros(nv)
    reactions_at(tables, work, t, q, v, a)
    if multiplier is None:
        multiplier = work.multiplier.copy()
    kkt, matrices = new_matrix(tables), []
    for weights in np.eye(3):
        linearise(tables, work, t, q, v, a, np.asarray(multiplier, float), r, weights, kkt)
        matrices.append(dense_matrix(kkt)[:nv, :nv])
    M, D, K = matrices
    active = active_freedoms(tables) == 1
    N = allowed_motions(dense_rows(tables, work, nv), np.diag(M), active)
    W = body_rate_terms(tables, v)
    return Linearised(N, N.T @ (D + M @ W) @ N, N.T @ (K + D @ W + M @ body_rate_terms(tables, a)) @ N)


def find_modes(system: System, q, v=None, count: int | None = None, t: float = 0.0, multiplier=None) -> ModesResult:
    """Modes of small motions about (q, v) at time t, the `count` slowest or all.

    About a placement at rest (v = None) that is an equilibrium this is exact. With v, forces and gyroscopic terms are
    taken at those velocities: exact for steady motions along which the constraints do not turn.
    """
    work = link(system.tables, tb.new_work(system.tables))
    small = linearised(system, work, q, np.zeros(len(system.v0)) if v is None else v, t, multiplier)
    D, K = small.damping, small.stiffness
    n = len(K)
    if n == 0:
        return sorted_modes(np.zeros(0, complex), small.basis, count)
    stiffest = np.abs(K).max()
    undamped = np.abs(D).max() <= SYMMETRIC * np.sqrt(stiffest)
    if undamped and np.abs(K - K.T).max() <= SYMMETRIC * stiffest:
        squares, shapes = np.linalg.eigh(0.5 * (K + K.T))
        s = np.where(squares >= 0.0, 1j, 1.0) * np.sqrt(np.abs(squares))
    else:
        pace = np.sqrt(stiffest) if stiffest > 0.0 else 1.0  # states y and y'/pace have like sizes
        s, vectors = np.linalg.eig(np.block([[np.zeros((n, n)), pace * np.eye(n)], [-K / pace, -D]]))
        keep = s.imag >= 0.0  # one of each conjugate pair
        s, shapes = s[keep], vectors[:n, keep]
        shapes = shapes / np.maximum(np.linalg.norm(shapes, axis=0), 1e-300)
    return sorted_modes(s, small.basis @ shapes, count)


def sorted_modes(s: np.ndarray, shapes: np.ndarray, count: int | None) -> ModesResult:
    """By frequency; growth within rounding of the fastest eigenvalue is none."""
    size = np.abs(s)
    rounding = UNSTABLE * size.max(initial=0.0)
    order = np.argsort(size, kind="stable")[:count]
    s, size, shapes = s[order], size[order], shapes[:, order]
    ratio = np.where(size > rounding, -s.real / np.maximum(size, 1e-300), 0.0)
    return ModesResult(size / (2.0 * np.pi), ratio, shapes, s, s.real > rounding)
