"""What steady rotation does to bodies by modes, beyond their nodes: mechanics.modal with w = W + d' + W × d.

frame       J d'' + … + J' w + w × (J w + C q')        J here: what shapes add to that at rest
shape l     … + 2 E_l.w - w.D_l w / 2
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..mechanics import tables as tb
from ..modal.inertia import cross_matrix


@dataclass(frozen=True, eq=False)
class TurningShapes:
    """Of a body placed in work, axes of its frame."""

    w: np.ndarray  # (3,)
    J: np.ndarray  # (3, 3) beyond that at rest
    C: np.ndarray  # (count, 3)
    D: np.ndarray  # (count, 3, 3)
    turns: np.ndarray  # (count, count, 3)
    bends: np.ndarray  # (count, count, 3, 3)

    def load(self) -> tuple[np.ndarray, np.ndarray]:
        """(moment on the frame, forces on the shapes): on the left of the equations."""
        return np.cross(self.w, self.J @ self.w), -0.5 * np.einsum("a,lab,b->l", self.w, self.D, self.w)

    def by_rate_and_place(self) -> tuple[np.ndarray, np.ndarray]:
        """(D, K) (3 + count, 3 + count): turns of the frame first."""
        W, pull = cross_matrix(self.w), self.D @ self.w
        by_w = W @ self.J - cross_matrix(self.J @ self.w)
        D = np.block([[self.J @ W + by_w, pull.T + W @ self.C.T], [self.C @ W - pull, 2.0 * (self.turns @ self.w).T]])
        bent = np.einsum("a,klab,b->lk", self.w, self.bends, self.w)
        K = np.block([[by_w @ W, W @ pull.T], [-pull @ W, -bent]])
        return D, K


def turning_shapes(tables: tb.Tables, work: tb.Work, body, rate: np.ndarray) -> TurningShapes:
    n, numbers = int(body["count"]), tables.modal_numbers[int(body["first"]) :]
    tilts, pairs = full(numbers[: 6 * n].reshape(n, 6)), numbers[6 * n : 6 * n + 9 * n * n].reshape(n, n, 9)
    turns, bends = pairs[:, :, :3], full(pairs[:, :, 3:])
    first = int(body["amplitudes"])
    q = work.x[first : first + n // 3].ravel()
    D = tilts + 2.0 * np.einsum("k,klab->lab", q, bends)
    J = 0.5 * np.einsum("l,lab->ab", q, tilts + D)
    return TurningShapes(work.R[int(body["node"])].T @ rate, J, np.einsum("k,kla->la", q, turns), D, turns, bends)


def full(six: np.ndarray) -> np.ndarray:
    """(…, 3, 3) of symmetric matrices as kernels keep them."""
    xx, yy, zz, xy, xz, yz = np.moveaxis(six, -1, 0)
    rows = [np.stack(row, axis=-1) for row in ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))]
    return np.stack(rows, axis=-2)


def load_shapes(tables: tb.Tables, work: tb.Work, rate: np.ndarray, out: np.ndarray) -> None:
    """out += inertia forces of the rotation."""
    for body in tables.modal:
        moment, forces = turning_shapes(tables, work, body, rate).load()
        turn, first = tables.nodes["v"][body["node"]] + 3, tables.nodes["v"][body["amplitudes"]]
        out[turn : turn + 3] += moment
        out[first : first + len(forces)] += forces


def add_shapes(tables: tb.Tables, work: tb.Work, kkt, rate: np.ndarray, D: np.ndarray | None, K: np.ndarray) -> None:
    """D += and K += as flat arrays of kkt."""
    for body in tables.modal:
        by_rate, by_place = turning_shapes(tables, work, body, rate).by_rate_and_place()
        node, own, shift = spots(int(body["count"]))
        each = int(body["count"]) // 3 + 1
        at = kkt.modal_at[int(body["pairs"]) + node[:, None] * each + node[None, :]]
        place = at[:, :, 0] + (own + shift)[:, None] * at[:, :, 1] + (own + shift)[None, :]
        np.add.at(K, place, by_place)
        if D is not None:
            np.add.at(D, place, by_rate)


def spots(count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(node, component, first of its rotations) of the turns of the frame, then of the amplitudes."""
    k = np.arange(count)
    return np.concatenate(([0, 0, 0], 1 + k // 3)), np.concatenate(([0, 1, 2], k % 3)), np.repeat([3, 0], [3, count])
