"""Steady rotation of everything about a fixed axis, seen by an observer who turns along.

    m x'' + 2 m Ω x x' + m Ω x (Ω x (x - c)) = force        J w' + w x J w = moment,  w = R'Ω + what the observer sees

Linearised about a place that stands still for the observer, with W = R'Ω there and rotations d in body axes:
w = W + d' + W x d.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..mechanics import tables as tb
from .spin_modal import add_shapes, load_shapes


def cross_matrices(w: np.ndarray) -> np.ndarray:
    """(n, 3, 3) with product w x d"""
    out = np.zeros((*w.shape[:-1], 3, 3))
    x, y, z = np.moveaxis(w, -1, 0)
    out[..., 0, 1], out[..., 0, 2], out[..., 1, 2] = -z, y, -x
    out[..., 1, 0], out[..., 2, 0], out[..., 2, 1] = z, -y, x
    return out


def add_to_blocks(values: np.ndarray, kkt, nodes: np.ndarray, blocks: np.ndarray, shift: int) -> None:
    """values += 3x3 blocks (len(nodes), 3, 3) in the diagonal blocks of nodes, from row and column `shift` on."""
    at, stride = kkt.node_at[nodes, 0], kkt.node_at[nodes, 1]
    k = shift + np.arange(3)
    place = at[:, None, None] + k[None, :, None] * stride[:, None, None] + k[None, None, :]
    values[place] += blocks


@dataclass(frozen=True)
class Spin:
    """Angular velocity [rad/s] about an axis through a point [m]."""

    rate: np.ndarray
    centre: np.ndarray

    def times(self, part: float) -> Spin:
        return Spin(part * self.rate, self.centre)

    def load(self, tables: tb.Tables, work: tb.Work, out: np.ndarray) -> None:
        """out += inertia forces of the rotation, where work has placed the nodes."""
        nodes = tables.nodes
        for kind in (tb.POINT, tb.FRAME):
            n = np.flatnonzero((nodes["kind"] == kind) & (nodes["weight"] != 0.0))  # amplitudes are no places
            pull = np.cross(self.rate, np.cross(self.rate, work.x[n] - self.centre))
            out[nodes["v"][n][:, None] + np.arange(3)] += nodes["mass"][n][:, None] * pull
        n = np.flatnonzero(nodes["kind"] == tb.FRAME)
        w = np.einsum("nji,j->ni", work.R[n], self.rate)
        out[nodes["v"][n][:, None] + np.arange(3, 6)] += np.cross(w, nodes["inertia"][n] * w)
        load_shapes(tables, work, self.rate, out)

    def add_to(self, tables: tb.Tables, work: tb.Work, kkt, D: np.ndarray | None, K: np.ndarray) -> None:
        """D += Coriolis and gyroscopic terms, K += change of the centrifugal forces, as flat arrays of kkt."""
        nodes = tables.nodes
        free = ((nodes["kind"] == tb.POINT) | (nodes["kind"] == tb.FRAME)) & (nodes["weight"] != 0.0)
        free = np.flatnonzero(free)
        O = cross_matrices(self.rate)
        mass = nodes["mass"][free][:, None, None]
        add_to_blocks(K, kkt, free, mass * (O @ O), 0)
        n = np.flatnonzero(nodes["kind"] == tb.FRAME)
        w = np.einsum("nji,j->ni", work.R[n], self.rate)
        J = nodes["inertia"][n]
        W = cross_matrices(w)
        by_w = W * J[:, None, :] - cross_matrices(J * w)
        add_to_blocks(K, kkt, n, by_w @ W, 3)
        if D is not None:
            add_to_blocks(D, kkt, free, 2.0 * mass * O, 0)
            add_to_blocks(D, kkt, n, J[:, :, None] * W + by_w, 3)
        add_shapes(tables, work, kkt, self.rate, D, K)
