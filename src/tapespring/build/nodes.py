"""Nodes in the reference placement: one by one to whoever asks for one, arrays to whoever needs them all."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..mechanics import tables as tb
from ..mechanics.tables import record, vec3

Draft = record(mass="f8", rotary="f8", x=vec3, v=vec3, w=vec3, kind="i4", motion="i4", frame="i4", tensor="i4")
PRINCIPAL = 1e-14  # of the largest moment of inertia
PIECE = 4096  # nodes at a time


@dataclass(slots=True)
class NodeDraft:
    """A node in the reference placement."""

    kind: int
    label: str
    x: np.ndarray
    R: np.ndarray  # body axes
    mass: float = 0.0
    inertia: np.ndarray = field(default_factory=lambda: np.zeros((3, 3)))  # about the node, world axes
    v: np.ndarray = field(default_factory=lambda: np.zeros(3))
    w: np.ndarray = field(default_factory=lambda: np.zeros(3))  # world axes
    motion: int = -1


def entry(name: str) -> property:
    """A field of a node in its list."""

    def get(node):
        return node.nodes.table[name][node.number]

    def put(node, value):
        node.nodes.table[name][node.number] = value

    return property(get, put)


class Node:
    """A NodeDraft in a list: what is assigned to it goes there."""

    __slots__ = ("nodes", "number")

    def __init__(self, nodes: Nodes, number: int):
        self.nodes, self.number = nodes, number

    kind, motion, mass = entry("kind"), entry("motion"), entry("mass")
    x, v, w = entry("x"), entry("v"), entry("w")
    frame, rotary, tensor = entry("frame"), entry("rotary"), entry("tensor")

    @property
    def R(self) -> np.ndarray:
        return self.nodes.frames.table[self.frame]

    @property
    def inertia(self) -> np.ndarray:
        return self.rotary * np.eye(3) + self.nodes.tensors.table[self.tensor]

    @inertia.setter
    def inertia(self, value) -> None:
        self.rotary, self.tensor = 0.0, self.nodes.tensors.keep(value)

    @property
    def label(self) -> str:
        return self.nodes.label(self.number)


class Matrices:
    """3 x 3 matrices by number; most nodes of meshes have the first."""

    def __init__(self, first: np.ndarray):
        self._table, self._count = np.array([first]), 1

    @property
    def table(self) -> np.ndarray:
        return self._table[: self._count]

    def keep(self, matrix) -> int:
        """Its number."""
        if np.array_equal(matrix, self._table[0]):
            return 0
        if self._count == len(self._table):
            self._table = np.resize(self._table, (3 * self._count // 2 + 16, 3, 3))
        self._table[self._count] = matrix
        self._count += 1
        return self._count - 1


class Nodes:
    """All nodes of a model, the ground first."""

    def __init__(self) -> None:
        self._table = np.zeros(0, Draft)
        self._count = 0
        self.frames = Matrices(np.eye(3))  # body axes
        self.tensors = Matrices(np.zeros((3, 3)))  # of inertia, beyond that which is the same about all axes
        self._first: list[int] = []  # of every run of nodes with one name
        self._name: list[tuple[str, np.ndarray | None]] = []  # and their numbers in it, if it is more than one

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, number: Any) -> Any:
        """A node, or a list of them."""
        if isinstance(number, slice):
            return [Node(self, n) for n in range(*number.indices(self._count))]
        if not -self._count <= number < self._count:
            raise IndexError(number)
        return Node(self, number % self._count)

    def __iter__(self) -> Iterator[Node]:
        return (Node(self, n) for n in range(self._count))

    @property
    def table(self) -> np.ndarray:
        """Draft"""
        return self._table[: self._count]

    def label(self, number: int) -> str:
        run = bisect_right(self._first, number) - 1
        name, numbers = self._name[run]
        return name if numbers is None else f"{name}[{numbers[number - self._first[run]]}]"

    def add(self, node: NodeDraft) -> int:
        """The number of a new node."""
        row = self._more(1, node.label, None)[0]
        for name in ("kind", "motion", "mass", "x", "v", "w"):
            row[name] = getattr(node, name)
        row["frame"], row["tensor"] = self.frames.keep(node.R), self.tensors.keep(node.inertia)
        return self._count - 1

    def add_many(self, kind: int, name: str, numbers: np.ndarray, x, mass, rotary, v, w) -> np.ndarray:
        """Numbers of new nodes that are called `name[…]`; rotary [kg m²], the same about all axes."""
        rows = self._more(len(x), name, numbers)
        rows["kind"], rows["motion"], rows["mass"], rows["rotary"] = kind, -1, mass, rotary
        rows["x"], rows["v"], rows["w"] = x, v, w
        return np.arange(self._count - len(x), self._count)

    def _more(self, count: int, name: str, numbers: np.ndarray | None) -> np.ndarray:
        first, self._count = self._count, self._count + count
        if self._count > len(self._table):
            grown = np.zeros(max(self._count, 3 * first // 2, 16), Draft)
            grown[:first] = self._table[:first]
            self._table = grown
        self._first.append(first)
        self._name.append((name, numbers))
        return self._table[first : self._count]


def inertias(nodes: Nodes, which) -> np.ndarray:
    """(nodes, 3, 3) world axes."""
    rows = nodes.table[which]
    return nodes.tensors.table[rows["tensor"]] + rows["rotary"][:, None, None] * np.eye(3)


def node_axes(nodes: Nodes, plane: int | None) -> np.ndarray:
    """(nodes, 3, 3): axes the engine uses; world axes in a planar model, principal axes of inertia otherwise."""
    table, world = nodes.table, np.broadcast_to(np.eye(3), (len(nodes), 3, 3))
    turning = (table["kind"] != tb.GROUND) & (table["kind"] != tb.POINT)
    turning = np.flatnonzero(turning & ((table["frame"] > 0) | (table["tensor"] > 0)))
    if plane is not None or not len(turning):
        return world  # one matrix for all
    R, inertia, axes = nodes.frames.table[table["frame"][turning]], inertias(nodes, turning), world.copy()
    axes[turning] = R
    in_body = R.transpose(0, 2, 1) @ inertia @ R
    size = np.abs(np.einsum("nii->ni", in_body)).max(axis=1)
    aside = np.abs(in_body - np.einsum("nii->ni", in_body)[:, :, None] * np.eye(3)).max(axis=(1, 2))
    askew = (aside > PRINCIPAL * size) & (table["kind"][turning] == tb.FRAME)
    if askew.any():
        found = np.linalg.eigh(inertia[askew])[1]
        found[np.linalg.det(found) < 0.0, :, 2] *= -1.0
        axes[turning[askew]] = found
    return axes


def quaternions_of(R: np.ndarray) -> np.ndarray:
    """(n, 4) unit quaternions (w, x, y, z), w >= 0, of matrices (n, 3, 3)."""
    trace = np.einsum("nii->n", R)
    K = np.empty((len(R), 4, 4))  # four times q q'
    K[:, 0, 0] = 1.0 + trace
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        K[:, i + 1, i + 1] = 1.0 + 2.0 * R[:, i, i] - trace
        K[:, 0, i + 1] = K[:, i + 1, 0] = R[:, k, j] - R[:, j, k]
        K[:, j + 1, k + 1] = K[:, k + 1, j + 1] = R[:, j, k] + R[:, k, j]
    largest = np.argmax(np.einsum("nii->ni", K), axis=1)
    q = K[np.arange(len(R)), largest]
    q /= np.linalg.norm(q, axis=1)[:, None]
    return np.where(q[:, :1] < 0.0, -q, q)


def quaternion_from_matrix(R) -> np.ndarray:
    """Unit quaternion (w, x, y, z), w >= 0."""
    return quaternions_of(np.asarray(R, float)[None])[0]


def matrices_of(q: np.ndarray) -> np.ndarray:
    """(n, 3, 3) rotation matrices of unit quaternions (n, 4)."""
    w, x, y, z = q.T
    return np.stack([
        1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
        2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
        2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y),
    ], axis=-1).reshape(-1, 3, 3)  # fmt: skip


def node_table(nodes: Nodes, axes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(Node table, q, v)"""
    draft = nodes.table
    table, kind = np.zeros(len(draft), tb.Node), draft["kind"]
    turning = np.flatnonzero((kind != tb.GROUND) & (kind != tb.POINT))
    moving = np.flatnonzero(kind != tb.GROUND)
    for name in ("kind", "mass", "motion"):
        table[name] = draft[name]
    table["weight"] = draft["mass"]
    for some in pieces(len(draft)):
        A = axes[some]
        table["inertia"][some] = np.einsum("nii->ni", A.transpose(0, 2, 1) @ inertias(nodes, some) @ A)
    for name, size in (("q", 7), ("v", 6)):
        each = np.where(kind == tb.GROUND, 0, np.where(kind == tb.POINT, 3, size))
        table[name] = np.cumsum(each) - each
    free, frames = (kind == tb.POINT) | (kind == tb.FRAME), kind == tb.FRAME
    table["inverse_mass"][free] = 1.0 / draft["mass"][free]
    table["inverse_inertia"][frames] = 1.0 / table["inertia"][frames]
    q = np.zeros(3 * len(moving) + 4 * len(turning))
    v = np.zeros(3 * len(moving) + 3 * len(turning))
    three = np.arange(3)
    q[table["q"][moving][:, None] + three] = draft["x"][moving]
    v[table["v"][moving][:, None] + three] = draft["v"][moving]
    for piece in pieces(len(turning)):
        n = turning[piece]
        q[table["q"][n][:, None] + 3 + np.arange(4)] = quaternions_of(axes[n])
        v[table["v"][n][:, None] + 3 + three] = np.einsum("nji,nj->ni", axes[n], draft["w"][n])
    return table, q, v


def pieces(count: int) -> Iterator[slice]:
    """Of a long table: its rows in turn would take far more memory at once."""
    return (slice(first, min(first + PIECE, count)) for first in range(0, count, PIECE))


class LocalFrames:
    """Points and directions of the reference placement in node axes."""

    def __init__(self, nodes, axes):
        self.nodes, self.axes = nodes, axes

    def point(self, n, p):
        return self.axes[n].T @ (p - self.nodes[n].x)

    def direction(self, n, e):
        return self.axes[n].T @ e
