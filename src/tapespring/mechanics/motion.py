"""Placement and motion of every node from the flat state, and of the nodes whose motion is prescribed."""

from math import cos, sin

from ..jit import device
from ..math.rotations import (
    matrix_from_quaternion,
    quaternion_product,
    quaternion_rate,
    rotate,
)
from ..math.vec3 import add, cross, from3, scale, store3
from . import linking
from .linking import time_law
from .tables import FRAME, GROUND, MOVING_POSE, MOVING_TWIST, POINT


@device
def load_quaternion(q, i):
    return (q[i], q[i + 1], q[i + 2], q[i + 3])


@device
def store_quaternion(q, i, p):
    q[i] = p[0]
    q[i + 1] = p[1]
    q[i + 2] = p[2]
    q[i + 3] = p[3]


@device
def prescribe_pose(tables, n, t, q, v, work):
    """Position by three laws, attitude by successive turns about body axes."""
    node = tables.nodes[n]
    motion = tables.motions[node.motion]
    for k in range(3):
        x, dx, ddx = time_law(tables, motion.law[k], t, work)
        q[node.q + k] = x
        v[node.v + k] = dx
        work.a[n, k] = ddx
    p = (motion.base[0], motion.base[1], motion.base[2], motion.base[3])
    w = (0.0, 0.0, 0.0)
    dw = (0.0, 0.0, 0.0)
    for k in range(motion.turns):
        f, df, ddf = time_law(tables, motion.turn_law[k], t, work)
        u = from3(motion.axes[k])
        turn = (cos(0.5 * f), sin(0.5 * f) * u[0], sin(0.5 * f) * u[1], sin(0.5 * f) * u[2])
        w, dw = turned_back(turn, w), turned_back(turn, dw)
        dw = add(add(dw, cross(w, scale(df, u))), scale(ddf, u))
        w = add(w, scale(df, u))
        p = quaternion_product(p, turn)
    store_quaternion(q, node.q + 3, p)
    for k in range(3):
        v[node.v + 3 + k] = w[k]
    matrix_from_quaternion(p[0], p[1], p[2], p[3], work.R, n)
    store3(work.alpha, n, rotate(work.R, n, dw))


@device
def turned_back(q, a):
    """q* a q for a unit quaternion"""
    c = (q[0], -q[1], -q[2], -q[3])
    p = quaternion_product(quaternion_product(c, (0.0, a[0], a[1], a[2])), q)
    return (p[1], p[2], p[3])


@device
def prescribe_twist(tables, n, t, q, v, work):
    """Velocity and angular velocity in body axes by six laws; the placement is integrated with the state."""
    node = tables.nodes[n]
    motion = tables.motions[node.motion]
    u0, du0, _ = time_law(tables, motion.law[0], t, work)
    u1, du1, _ = time_law(tables, motion.law[1], t, work)
    u2, du2, _ = time_law(tables, motion.law[2], t, work)
    w0, dw0, _ = time_law(tables, motion.spin_law[0], t, work)
    w1, dw1, _ = time_law(tables, motion.spin_law[1], t, work)
    w2, dw2, _ = time_law(tables, motion.spin_law[2], t, work)
    matrix_from_quaternion(q[node.q + 3], q[node.q + 4], q[node.q + 5], q[node.q + 6], work.R, n)
    u, w = (u0, u1, u2), (w0, w1, w2)
    velocity = rotate(work.R, n, u)
    store3(work.a, n, rotate(work.R, n, add((du0, du1, du2), cross(w, u))))
    store3(work.alpha, n, rotate(work.R, n, (dw0, dw1, dw2)))
    for k in range(3):
        v[node.v + k] = velocity[k]
        v[node.v + 3 + k] = w[k]


@device
def prescribe(tables, n, t, q, v, work):
    """Impose the state of a node that moves as it is told."""
    if tables.nodes[n].kind == MOVING_POSE:
        prescribe_pose(tables, n, t, q, v, work)
    else:
        prescribe_twist(tables, n, t, q, v, work)


@device
def place_node(tables, n, t, q, v, work):
    """Fill work.x, R, v, w of a node from the state; overwrite the state of a prescribed one."""
    node = tables.nodes[n]
    if node.kind == GROUND:
        return
    if node.kind == MOVING_POSE or node.kind == MOVING_TWIST:
        linking.prescribe(tables, n, t, q, v, work)
    i, j = node.q, node.v
    store3(work.x, n, (q[i], q[i + 1], q[i + 2]))
    store3(work.v, n, (v[j], v[j + 1], v[j + 2]))
    if node.kind != POINT:
        matrix_from_quaternion(q[i + 3], q[i + 4], q[i + 5], q[i + 6], work.R, n)
        store3(work.w, n, rotate(work.R, n, (v[j + 3], v[j + 4], v[j + 5])))


@device
def place_nodes(tables, t, q, v, work):
    """All nodes."""
    for n in range(len(tables.nodes)):
        place_node(tables, n, t, q, v, work)


@device
def position_rates(tables, q, v, dq):
    """dq/dt of all nodes."""
    for n in range(len(tables.nodes)):
        node = tables.nodes[n]
        if node.kind == GROUND:
            continue
        i, j = node.q, node.v
        dq[i] = v[j]
        dq[i + 1] = v[j + 1]
        dq[i + 2] = v[j + 2]
        if node.kind != POINT:
            rate = quaternion_rate(load_quaternion(q, i + 3), (v[j + 3], v[j + 4], v[j + 5]))
            store_quaternion(dq, i + 3, rate)


@device
def is_free(tables, n):
    node = tables.nodes[n]
    return node.kind == POINT or node.kind == FRAME
