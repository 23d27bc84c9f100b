"""What pairs of shapes do to second order, for geometric stiffening: see modal.second_order.

Along shapes i and j together the elements pull by f_ij, the second derivative of their forces, which static
displacements answer: K ψ_ij = -f_ij. They are those that leave what is stiff unstretched. Along the shapes
themselves the answer is shared: energy has a term of third order in the amplitudes of a, i and j, and it vanishes if
the answers of ψ_ij along a, ψ_aj along i and ψ_ai along j add up to one. The stiffest takes most of it, so that
amplitudes of bending mean bending with its shortening, and stiffness stays what it is.

Elements know rotations in their own axes, and turn by exp(ϑ_i + ϑ_j): terms of ϑ_i × ϑ_j and of the moments there are
correct the change of the tangent along a shape to a second derivative.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..mechanics import tables as tb
from ..modal import Second
from ..modal.inertia import gathered, spread
from ..solve.initial import Start
from .coordinates import Coordinates
from .interfaces import Attached, mean_motion
from .structure import Structure

STEP = 1e-4  # of the size of the structure, and radians
SHARP = 2  # power of the stiffness by which shapes share


@dataclass(frozen=True, eq=False)
class Bending:
    """Forces of a model's elements to second order."""

    start: Start
    tangents: Any  # of_model.Tangents
    turn: Any  # (nv, nv) sparse: displacements of the engine by those in world axes
    freedoms: np.ndarray  # (n, 6)

    def forces(self, stiffness, u: np.ndarray) -> np.ndarray:
        """(n, n, nv): f_ij of displacements u (nv, n), world axes."""
        d = self.turn @ u
        K = self.turn @ stiffness @ self.turn.T
        theta, moments = self.rotations(d), self.rotations(K @ d)
        n = u.shape[1]
        out = np.zeros((n, n, len(u)))
        for i in range(n):
            step = STEP / largest(self.start, d[:, i])
            change = (self.tangents.moved(d[:, i], step) - self.tangents.moved(d[:, i], -step)) / (2.0 * step)
            turned = self.at_rotations(np.cross(theta[:, :, i, None], theta, axis=1), len(u))
            lever = np.cross(theta[:, :, i, None], moments, axis=1) + np.cross(theta, moments[:, :, i, None], axis=1)
            f = change @ d - 0.5 * (K @ turned) + 0.5 * self.at_rotations(lever, len(u))
            out[i] = (self.turn.T @ f).T
        return 0.5 * (out + out.transpose(1, 0, 2))

    def rotations(self, vectors: np.ndarray) -> np.ndarray:
        """(nodes, 3, n) of vectors (nv, n)."""
        return spread(vectors, self.freedoms)[:, 3:]

    def at_rotations(self, turns: np.ndarray, size: int) -> np.ndarray:
        nodal = np.concatenate((np.zeros_like(turns), turns), axis=1)
        out = np.zeros((size, turns.shape[2]))
        found = gathered(nodal, self.freedoms)
        out[: len(found)] = found
        return out


def largest(start: Start, d: np.ndarray) -> float:
    """Of displacements in the engine's axes: over the size of the structure, or rotation."""
    nodes = start.system.tables.nodes
    free = nodes[(nodes["kind"] == tb.POINT) | (nodes["kind"] == tb.FRAME)]
    turning = free[free["kind"] == tb.FRAME]
    size = float(np.ptp(start.q[free["q"][:, None] + np.arange(3)], axis=0).max(initial=0.0)) or 1.0
    shift = np.abs(d[free["v"][:, None] + np.arange(3)]).max(initial=0.0) / size
    return max(shift, np.abs(d[turning["v"][:, None] + np.arange(3, 6)]).max(initial=0.0)) or 1.0


def second_of(
    structure: Structure, z: Coordinates, attached: list[Attached], elastic, kept: np.ndarray, squares: np.ndarray
) -> Second:
    """Of shapes `kept` (nz, n) with ω² `squares`."""
    n, u = len(squares), z.T @ kept
    i, j = np.triu_indices(n)
    pull, tied = pulls(structure, z, attached, kept)
    pull, tied = pull[:, i, j], tied[:, i, j]
    answer = -elastic.solve(pull)
    along = -(kept.T @ pull) / squares[:, None]
    own = squares**SHARP
    share = own[:, None] / (own[:, None] + own[i] + own[j])
    answer = answer - kept @ ((1.0 - share) * along)
    psi = np.zeros((len(u), n, n))
    psi[:, i, j] = psi[:, j, i] = tied + z.T @ answer
    return integrals(structure, z, attached, psi)


def pulls(structure: Structure, z: Coordinates, attached: list[Attached], kept: np.ndarray):
    """(f (nz, n, n) on the coordinates, displacements (nv, n, n) of what is tied to frames): those go round their
    frame, not straight on, and what they feel turns it."""
    u, n = z.T @ kept, kept.shape[1]
    force = structure.stiffness @ u
    on, tied = np.zeros((kept.shape[0], n, n)), np.zeros((len(u), n, n))
    for one, own in zip(attached, z.own, strict=True):
        turn, about = (one.motions @ kept[own])[3:], one.motions[3:]
        for node in np.unique(one.spot.nodes) if one.tie == "rigid" else ():
            free, arm = structure.freedoms[node, :3], structure.positions[node] - one.position
            free, some = free[free >= 0], free >= 0
            tied[free] = around(turn, turn, arm)[some]
            lever = np.einsum("aci,aj->cij", around(about, turn, arm)[some], force[free])
            on[own] += lever + lever.transpose(0, 2, 1)
    f = structure.bending.forces(structure.stiffness, u).transpose(2, 0, 1).reshape(len(u), -1)
    on += (z.T.T @ (f + structure.stiffness @ tied.reshape(len(u), -1))).reshape(on.shape)
    return on, tied


def around(v: np.ndarray, w: np.ndarray, arm: np.ndarray) -> np.ndarray:
    """(3, k, l): ½ v × (w × arm) + ½ w × (v × arm) of rotations v (3, k) and w (3, l)."""
    inner = 0.5 * (np.einsum("ck,c->k", v, arm)[None, :, None] * w[:, None] + v[:, :, None] * (arm @ w)[None, None])
    return inner - np.einsum("ck,cl->kl", v, w)[None] * arm[:, None, None]


def integrals(structure: Structure, z: Coordinates, attached: list[Attached], psi: np.ndarray) -> Second:
    """By the lumps of the mass matrix along the three axes."""
    n = psi.shape[1]
    heavy = (structure.mass @ psi.reshape(len(psi), -1)).reshape(psi.shape)
    free = structure.freedoms[:, :3]
    at = np.where((free >= 0)[:, :, None, None], heavy[free], 0.0)  # (nodes, 3, n, n)
    frames = []
    for one, own in zip(attached, z.own, strict=True):
        if one.tie == "average":
            frames.append(np.einsum("av,vij->aij", mean_motion(structure, one), psi))
        else:
            frames.append(np.einsum("ak,kv,vij->aij", one.motions, z.back[own].toarray(), psi, optimize=True))
    return Second(
        at.sum(axis=0),
        np.einsum("naij,nb->abij", at, structure.positions, optimize=True),
        np.array(frames).reshape(-1, 6, n, n),
    )
