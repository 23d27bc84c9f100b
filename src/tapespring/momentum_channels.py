"""Channels of the whole model: linear and angular momentum, and where its centre of mass is."""

from __future__ import annotations

import numpy as np

from .mechanics import tables as tb
from .mesh_channels import XYZ
from .results import Channel


def momentum_channels(h) -> list[Channel]:
    """Of all bodies together; what ground and moved frames carry is not in them."""
    return [
        Channel("system.momentum", "kg m/s", lambda: linear(h), XYZ, "of all bodies, world axes"),
        Channel("system.angular_momentum", "kg m^2/s", lambda: angular(h), XYZ, "about the origin, world axes"),
        Channel("system.centre_of_mass", "m", lambda: centre(h), XYZ, "of all bodies, world axes"),
    ]


def free_nodes(h) -> np.ndarray:
    return np.flatnonzero(np.isin(h.system.tables.nodes["kind"], (tb.POINT, tb.FRAME)))


def three(h, table: np.ndarray, nodes: np.ndarray, column: str) -> np.ndarray:
    """(n, nodes, 3): places or velocities of the nodes' centres of mass."""
    return table[: h.n, h.system.tables.nodes[column][nodes][:, None] + np.arange(3)]


def linear(h) -> np.ndarray:
    nodes = free_nodes(h)
    return np.einsum("k,nki->ni", h.system.tables.nodes["weight"][nodes], three(h, h.record.v, nodes, "v"))


def centre(h) -> np.ndarray:
    nodes = free_nodes(h)
    mass = h.system.tables.nodes["weight"][nodes]
    return np.einsum("k,nki->ni", mass, three(h, h.record.q, nodes, "q")) / mass.sum()


def angular(h) -> np.ndarray:
    """Sum of x × m v and, of nodes that turn, R J w."""
    t, nodes = h.system.tables.nodes, free_nodes(h)
    x, v = three(h, h.record.q, nodes, "q"), three(h, h.record.v, nodes, "v")
    total = np.einsum("k,nki->ni", t["weight"][nodes], np.cross(x, v))
    for node in nodes[t["kind"][nodes] == tb.FRAME].tolist():
        j = int(t["v"][node]) + 3
        spin = h.record.v[: h.n, j : j + 3]
        total += np.einsum("nij,nj->ni", h.rotation(node), t["inertia"][node] * spin)
    return total + sum((of_shapes(h, draft) for draft in h.system.drafts.modal), start=np.zeros_like(total))


def of_shapes(h, draft) -> np.ndarray:
    """What the shapes of a body by modes add to the angular momentum of its frame: see mechanics.modal."""
    t, axes = h.system.tables.nodes, h.system.axes[draft.node]
    first, rate = int(t["q"][draft.amplitudes]), int(t["v"][draft.amplitudes])
    q, q_rate = h.record.q[: h.n, first : first + draft.count], h.record.v[: h.n, rate : rate + draft.count]
    j = int(t["v"][draft.node]) + 3
    spin = h.record.v[: h.n, j : j + 3] @ axes.T
    J = np.einsum("nk,kab->nab", q, draft.tilts) + np.einsum("nk,nl,klab->nab", q, q, draft.bends, optimize=True)
    along = np.einsum("nk,nl,kla->na", q, q_rate, draft.turns, optimize=True)
    inside = np.einsum("nab,nb->na", J, spin) + along
    return np.einsum("nij,nj->ni", h.rotation(draft.node) @ axes.T, inside)
