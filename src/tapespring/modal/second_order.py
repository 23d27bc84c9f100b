"""Places to second order in the amplitudes: X + Σ q_i φ_i + ½ Σ q_i q_j ψ_ij.

A beam that bends and is not stretched gets shorter; straight shapes do not say so. ψ does, and with it loads and
inertia act on the shortening: a spinning blade stiffens. Of ψ are kept

    momentum  ∫ ψ dm          moment  ∫ ψ X' dm          and the motion of every interface.

Rotary inertia of nodes is left out here: it is to the rest as the square of thickness to length.

Mean axes take a_i + b_i × r out of shape i (r = X - c, see `floating`). That is a turn of the frame by Σ q_i b_i, so
that to second order

    ψ'_ij = ψ_ij - b_i × (φ_j - a_j) - b_j × (φ_i - a_i) + ½ b_i × (b_j × r) + ½ b_j × (b_i × r)

of an attitude ψ'_ij = ψ_ij - ½ b_i × ϑ_j - ½ b_j × ϑ_i, and then the mean motion of ψ' itself is taken out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from .inertia import Inertia, cross_matrix
from .reduced import Frame, Second


def less_interface(second: Second, mass: float, place: np.ndarray, bent: np.ndarray) -> Second:
    """Without the mass that an interface has for its own."""
    moved = bent[:3]
    return replace(
        second,
        momentum=second.momentum - mass * moved,
        moment=second.moment - mass * np.einsum("aij,b->abij", moved, place),
    )


@dataclass(frozen=True, eq=False)
class MeanAxes:
    """What makes mean axes, of a body before: a, b (3, n) with E = ∫ r r' dm and V_i = ∫ φ_i r' dm (n, 3, 3)."""

    mass: float
    centre: np.ndarray
    J: np.ndarray
    E: np.ndarray
    V: np.ndarray
    a: np.ndarray
    b: np.ndarray

    @property
    def turns(self) -> np.ndarray:
        """(n, 3, 3) [b_i]×"""
        return np.array([cross_matrix(x) for x in self.b.T]).reshape(-1, 3, 3)

    def taken(self, second: Second) -> tuple[np.ndarray, np.ndarray]:
        """(moment (3, 3, n, n) about the centre of ψ in mean axes, mean motion (6, n, n) that was taken out)."""
        B = self.turns
        moment = second.moment - np.einsum("aij,b->abij", second.momentum, self.centre)
        moment = moment - both(np.einsum("iac,jcb->abij", B, self.V))
        moment = moment + 0.5 * both(np.einsum("iac,jcd,db->abij", B, B, self.E))
        spin = np.array([moment[(k + 2) % 3, (k + 1) % 3] - moment[(k + 1) % 3, (k + 2) % 3] for k in range(3)])
        turn = np.einsum("ab,bij->aij", np.linalg.inv(self.J), spin)
        across = np.einsum("acij,cb->abij", crosses(turn), self.E)
        return moment - across, np.concatenate((second.momentum / self.mass, turn))

    def bent_frame(self, frame: Frame, bent: np.ndarray, mean: np.ndarray) -> np.ndarray:
        """(6, n, n) an interface moved to second order; `frame` as it was before."""
        B, r = self.turns, frame.position - self.centre
        moved = bent[:3] - both(np.einsum("iab,bj->aij", B, frame.translation - self.a))
        moved = moved + 0.5 * both(np.einsum("iab,jbc,c->aij", B, B, r))
        moved = moved - mean[:3] - np.einsum("abij,b->aij", crosses(mean[3:]), r)
        if not frame.turns:
            return np.concatenate((moved, np.zeros_like(moved)))
        turned = bent[3:] - 0.5 * both(np.einsum("iab,bj->aij", B, frame.rotation)) - mean[3:]
        return np.concatenate((moved, turned))


def with_bending(inertia: Inertia, moment: np.ndarray) -> Inertia:
    """Inertia of mean axes whose moment of inertia knows ψ, given its moment (3, 3, n, n)."""
    L = np.einsum("ccij,ab->ijab", moment, np.eye(3)) - moment.transpose(2, 3, 0, 1)
    return replace(inertia, by_two=inertia.by_two + 0.5 * (L + L.transpose(0, 1, 3, 2)))


def as_cosines(bent: np.ndarray, frame: Frame) -> np.ndarray:
    """Attitudes as rows know them: y'.z, z'.x, x'.y of turned axes are ϑ_k + ½ ϑ_i ϑ_j."""
    out = bent.copy()
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        out[3 + k] += 0.5 * both(np.outer(frame.rotation[i], frame.rotation[j]))
    return out


def mixed_pairs(array: np.ndarray, U: np.ndarray) -> np.ndarray:
    """(…, n, n) for other shapes: the columns of U say how much of each."""
    return np.einsum("...ij,ik,jl->...kl", array, U, U, optimize=True)


def both(A: np.ndarray) -> np.ndarray:
    """The sum over both orders of two shapes."""
    return A + A.swapaxes(-1, -2)


def crosses(w: np.ndarray) -> np.ndarray:
    """(3, 3, n, n): [w_ij]× of w (3, n, n)."""
    out = np.zeros((3, *w.shape))
    out[0, 1], out[0, 2], out[1, 2] = -w[2], w[1], -w[0]
    out[1, 0], out[2, 0], out[2, 1] = w[2], -w[1], w[0]
    return out
