"""Friction of balls in sockets: slip is a turn in space, in the axes of node a.

Elastic slip is log(Ra' Rb A') with the anchor A what Ra' Rb was where there was none. A torque along it is the gradient
of its square, so that what sticks is conservative for any turn.
"""

from math import atan2, cos, sin, sqrt

from ..jit import device
from ..math.rotations import rotate, rotate_back
from ..math.vec3 import add_to3, axpy, cross, dot, load3, scale, sub
from .bushings import log_rate
from .measures import ZERO
from .motion import is_free
from .tables import DRIVES

TURNED = 12  # place of the anchor in a grip's memory, by rows


@device
def ball_slip(tables, g, work):
    """(turn from the anchor, its rate)"""
    grip, R, m = tables.grips[g], work.R, work.grip_memory[g]
    k = TURNED
    c0 = rotate_back(R, grip.a, rotate(R, grip.b, (m[k], m[k + 1], m[k + 2])))
    c1 = rotate_back(R, grip.a, rotate(R, grip.b, (m[k + 3], m[k + 4], m[k + 5])))
    c2 = rotate_back(R, grip.a, rotate(R, grip.b, (m[k + 6], m[k + 7], m[k + 8])))
    axial = (0.5 * (c1[2] - c2[1]), 0.5 * (c2[0] - c0[2]), 0.5 * (c0[1] - c1[0]))
    sine, cosine = sqrt(dot(axial, axial)), 0.5 * (c0[0] + c1[1] + c2[2] - 1.0)
    turn = axial if sine < 1e-7 else scale(atan2(sine, cosine) / sine, axial)
    return turn, rotate_back(R, grip.a, sub(load3(work.w, grip.b), load3(work.w, grip.a)))


@device
def turned(z, v):
    """v after a turn z."""
    l = sqrt(dot(z, z))
    s, c = (sin(l) / l, (1.0 - cos(l)) / (l * l)) if l > 1e-4 else (1.0 - l * l / 6.0, 0.5 - l * l / 24.0)
    zv = cross(z, v)
    return axpy(c, cross(z, zv), axpy(s, zv, v))


@device
def hold_ball(tables, g, work, z):
    """Count elastic slip from where it is z now."""
    grip, R = tables.grips[g], work.R
    for j in range(3):
        e = (1.0 if j == 0 else 0.0, 1.0 if j == 1 else 0.0, 1.0 if j == 2 else 0.0)
        row = rotate_back(R, grip.b, rotate(R, grip.a, turned(z, e)))
        for k in range(3):
            work.grip_memory[g, TURNED + 3 * j + k] = row[k]


@device
def push_ball(tables, g, work, torque):
    """A torque on b, in the axes of a, and its opposite on a."""
    grip = tables.grips[g]
    world = rotate(work.R, grip.a, torque)
    add_to3(work.moment, grip.a, -1.0, world)
    add_to3(work.moment, grip.b, 1.0, world)
    if not is_free(tables, grip.a):
        work.power[DRIVES] += dot(world, load3(work.w, grip.a))
    if not is_free(tables, grip.b):
        work.power[DRIVES] -= dot(world, load3(work.w, grip.b))


@device
def ball_changes(tables, g, work, z, ta, tb):
    """(change of the turn, change of its rate by place, by rate) for turns ta and tb of the nodes, world axes."""
    grip = tables.grips[g]
    y = rotate_back(work.R, grip.a, sub(tb, ta))
    return log_rate(z, y), rotate_back(work.R, grip.a, cross(sub(tb, ta), load3(work.w, grip.b))), y


@device
def sides_of(n, a, turn):
    """(turn of a, turn of b) where node n turns."""
    if n == a:
        return turn, ZERO
    return ZERO, turn
