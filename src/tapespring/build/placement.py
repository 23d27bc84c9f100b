"""Places and velocities of nodes in world axes, and q and v, which the engine makes of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..mechanics import tables as tb
from .assembler import Assembler
from .nodes import matrices_of, node_axes, node_table, quaternions_of
from .planar import find_plane

THREE, FOUR = np.arange(3), np.arange(4)


@dataclass
class Placement:
    """Of all nodes: (n, 3) where they are, (n, 3, 3) their turn since they were drawn, (n, 3) their velocities."""

    x: np.ndarray
    turn: np.ndarray
    v: np.ndarray
    w: np.ndarray


class Layout:
    """Where nodes stand in q and v, and the axes that their attitudes are those of."""

    def __init__(self, assembler: Assembler):
        plane = find_plane(assembler) if assembler.may_be_planar else None
        self.axes = node_axes(assembler.nodes, plane)
        self.table, self.q0, self.v0 = node_table(assembler.nodes, self.axes)
        self.drawn = assembler.nodes.table["x"].copy()
        kind = self.table["kind"]
        self.moving = np.flatnonzero(kind != tb.GROUND)
        self.turning = np.flatnonzero((kind != tb.GROUND) & (kind != tb.POINT))

    def _places(self, column: str, nodes: np.ndarray, part: np.ndarray) -> np.ndarray:
        return self.table[column][nodes][:, None] + part

    def read(self, q: np.ndarray, v: np.ndarray) -> Placement:
        """What q and v mean."""
        x, turn = self.drawn.copy(), np.tile(np.eye(3), (len(self.table), 1, 1))
        velocity, spin = np.zeros_like(x), np.zeros_like(x)
        x[self.moving] = q[self._places("q", self.moving, THREE)]
        velocity[self.moving] = v[self._places("v", self.moving, THREE)]
        R = matrices_of(q[self._places("q", self.turning, 3 + FOUR)])
        turn[self.turning] = R @ self.axes[self.turning].transpose(0, 2, 1)
        spin[self.turning] = np.einsum("nij,nj->ni", R, v[self._places("v", self.turning, 3 + THREE)])
        return Placement(x, turn, velocity, spin)

    def write(self, place: Placement) -> tuple[np.ndarray, np.ndarray]:
        """(q, v)"""
        q, v = self.q0.copy(), self.v0.copy()
        q[self._places("q", self.moving, THREE)] = place.x[self.moving]
        v[self._places("v", self.moving, THREE)] = place.v[self.moving]
        R = place.turn[self.turning] @ self.axes[self.turning]
        q[self._places("q", self.turning, 3 + FOUR)] = quaternions_of(R)
        v[self._places("v", self.turning, 3 + THREE)] = np.einsum("nji,nj->ni", R, place.w[self.turning])
        return q, v
