"""A path cut into elements: stations, points and section frames.

Section frames (columns: tangent, y, z) start with z along `up` and are carried along by minimal rotation, over corners
by the shortest turn; `twist` [rad] is added evenly over the length.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..frames import shortest_turn
from .pieces import Piece, turns_about

SAME = 1e-9  # of the length: stations this close are one
X = np.array([1.0, 0.0, 0.0])


@dataclass(frozen=True)
class Mesh:
    """Nodes 0 … n and elements between neighbours; an element's ends have their own frames, as corners have two."""

    stations: np.ndarray  # (n + 1,) [m]
    points: np.ndarray  # (n + 1, 3)
    axes: np.ndarray  # (n + 1, 3, 3) at a corner those behind it
    first: np.ndarray  # (n, 3, 3) frame at each element's start
    last: np.ndarray  # (n, 3, 3) and at its end
    lengths: np.ndarray  # (n,) [m]

    def nearest(self, s: float) -> int:
        """The node at a station."""
        return int(np.argmin(np.abs(self.stations - s)))


class Course:
    """A path with its frames."""

    def __init__(self, pieces: list[Piece], up, twist: float = 0.0):
        self.pieces, self.twist = pieces, twist
        self.ends = np.cumsum([piece.length for piece in pieces])
        self.length = float(self.ends[-1])
        self.starts = np.concatenate(([0.0], self.ends[:-1]))
        self.frames = [start_frame(pieces[0].tangent, up)]
        for one, two in pairwise(pieces):
            turn = one.place(np.array([one.length]))[1][0]
            corner = shortest_turn(turn @ one.tangent, two.tangent)
            self.frames.append(corner @ turn @ self.frames[-1])

    def on_piece(self, k: int, stations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Points and frames at stations of piece k."""
        points, turns = self.pieces[k].place(np.clip(stations - self.starts[k], 0.0, self.pieces[k].length))
        return points, turns @ self.frames[k] @ turns_about(X, self.twist * stations / self.length)

    def spans(self, wanted: Iterable[float]) -> np.ndarray:
        """Stations that must be nodes: ends, corners and those wanted, each once."""
        fixed = [0.0, *self.ends[:-1].tolist(), self.length]
        for s in wanted:
            if min(abs(s - f) for f in fixed) > SAME * self.length:
                fixed.append(s)
        return np.array(sorted(fixed))

    def mesh(self, elements: int, wanted: Iterable[float]) -> Mesh:
        """Elements of equal length within each span, none longer than the whole divided by `elements`."""
        spans = self.spans(wanted)
        size = self.length / elements
        counts = [max(1, int(np.ceil(span / size - 1e-6))) for span in np.diff(spans)]
        parts = [np.linspace(a, b, n + 1)[:-1] for a, b, n in zip(spans, spans[1:], counts, strict=False)]
        stations = np.append(np.concatenate(parts), self.length)
        return self.at(stations)

    def at(self, stations: np.ndarray) -> Mesh:
        """Points and frames; corners must be among the stations."""
        n = len(stations) - 1
        points, axes = np.zeros((n + 1, 3)), np.zeros((n + 1, 3, 3))
        first, last = np.zeros((n, 3, 3)), np.zeros((n, 3, 3))
        middle = 0.5 * (stations[1:] + stations[:-1])
        owner = np.searchsorted(self.ends, middle)
        for k in range(len(self.pieces)):
            mine = np.flatnonzero(owner == k)
            if len(mine) == 0:
                continue
            nodes = np.append(mine, mine[-1] + 1)
            points[nodes], frames = self.on_piece(k, stations[nodes])
            axes[nodes], first[mine], last[mine] = frames, frames[:-1], frames[1:]
        return Mesh(stations, points, axes, first, last, np.diff(stations))


def start_frame(tangent, up) -> np.ndarray:
    """Tangent, y, z with z as near to `up` as can be. Raises ValueError if they are parallel."""
    if up is None:
        up = (1.0, 0.0, 0.0) if abs(tangent[2]) > 1.0 - 1e-6 else (0.0, 0.0, 1.0)
    up = np.array(up, float)
    z = up - (up @ tangent) * tangent
    if np.linalg.norm(z) < 1e-6:
        shown = [round(float(c), 6) for c in tangent]
        raise ValueError(f"up is parallel to the path's tangent {shown} at the start; give a direction across it")
    z = z / np.linalg.norm(z)
    return np.column_stack((tangent, np.cross(z, tangent), z))
