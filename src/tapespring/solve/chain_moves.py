"""Between flat states and the blocks of mechanics.chains: placements and momenta in, forces out."""

from __future__ import annotations

from ..jit import device
from ..math.rotations import quaternion_product
from ..math.vec3 import add_to3
from ..mechanics import chains as ch
from ..mechanics.motion import load_quaternion, store_quaternion
from ..mechanics.tables import GROUND


@device
def is_damped(c):
    return c.state.shape[1] == ch.STATE_DAMPED


@device
def put_pose(tables, c, q, n, frame, i, row, l):
    """Placement of node n into its slot."""
    j, p = tables.nodes[n].q, (1.0, 0.0, 0.0, 0.0)
    if tables.nodes[n].kind != GROUND:
        p = load_quaternion(q, j + 3)
        for k in range(3):
            c.state[row, ch.X + k, l] = q[j + k]
    p = quaternion_product(p, load_quaternion(frame[i], 0))
    for k in range(4):
        c.state[row, ch.Q + k, l] = p[k]


@device
def put_ahead(c, work, n, row, l):
    """Velocities of a placed node into its slot."""
    for k in range(3):
        c.state[row, ch.AHEAD + k, l] = work.v[n, k]
        c.state[row, ch.AHEAD_W + k, l] = work.w[n, k]


@device
def put_held(tables, c, q, work):
    """Placed nodes that the pass does not move."""
    for i in range(len(c.held)):
        n, row, l = c.held[i, 0], c.held[i, 1], c.held[i, 2]
        put_pose(tables, c, q, n, c.held_frame, i, row, l)
        if is_damped(c):
            put_ahead(c, work, n, row, l)


@device
def put_owned(tables, c, q, half, work, h):
    """Nodes the pass moves, all placed: poses, momenta half a step ago, and drag over a step h."""
    for i in range(len(c.owned)):
        n, row, l = c.owned[i, 0], c.owned[i, 1], c.owned[i, 2]
        put_pose(tables, c, q, n, c.owned_frame, i, row, l)
        j = tables.nodes[n].v
        for k in range(3):
            c.state[row, ch.V + k, l] = half[j + k]
            c.state[row, ch.L + k, l] = half[j + 3 + k]
        if is_damped(c):
            put_ahead(c, work, n, row, l)
            # v+ = ((1 - g) v- + h f / m) / (1 + g): drag at the mean of both velocities
            g, g_turn = 0.5 * h * c.owned_drag[i, 0], 0.5 * h * c.owned_drag[i, 1]
            c.data[row, ch.KEEP, l] = (1.0 - g) / (1.0 + g)
            c.data[row, ch.BY_MASS, l] = tables.nodes[n].inverse_mass / (1.0 + g)
            c.data[row, ch.WEIGHS, l] = 1.0 / (1.0 + g)
            c.data[row, ch.KEEP_L, l] = (1.0 - g_turn) / (1.0 + g_turn)
            c.data[row, ch.BY_MOMENT, l] = 1.0 / (1.0 + g_turn)


@device
def take_owned(tables, c, q, half):
    """Placements and momenta of the nodes the pass moves."""
    for i in range(len(c.owned)):
        n, row, l = c.owned[i, 0], c.owned[i, 1], c.owned[i, 2]
        j, i_q = tables.nodes[n].v, tables.nodes[n].q
        f = c.owned_frame
        p = (c.state[row, ch.Q, l], c.state[row, ch.Q + 1, l], c.state[row, ch.Q + 2, l], c.state[row, ch.Q + 3, l])
        store_quaternion(q, i_q + 3, quaternion_product(p, (f[i, 0], -f[i, 1], -f[i, 2], -f[i, 3])))
        for k in range(3):
            q[i_q + k] = c.state[row, ch.X + k, l]
            half[j + k] = c.state[row, ch.V + k, l]
            half[j + 3 + k] = c.state[row, ch.L + k, l]


@device
def copy_neighbours(c):
    """What stands before and after every range."""
    for i in range(len(c.copies)):
        row, l, row0, l0 = c.copies[i, 0], c.copies[i, 1], c.copies[i, 2], c.copies[i, 3]
        for k in range(7):
            c.state[row, k, l] = c.state[row0, k, l0]
        if is_damped(c):
            for k in range(ch.AHEAD, ch.STATE_DAMPED):
                c.state[row, k, l] = c.state[row0, k, l0]


@device
def add_chain_forces(c, work, h):
    """Forces that the pass left in the slots of nodes it does not move."""
    for i in range(len(c.held)):
        n, row, l = c.held[i, 0], c.held[i, 1], c.held[i, 2]
        force = (c.state[row, ch.V, l] / h, c.state[row, ch.V + 1, l] / h, c.state[row, ch.V + 2, l] / h)
        moment = (c.state[row, ch.L, l] / h, c.state[row, ch.L + 1, l] / h, c.state[row, ch.L + 2, l] / h)
        add_to3(work.force, n, 1.0, force)
        add_to3(work.moment, n, 1.0, moment)
