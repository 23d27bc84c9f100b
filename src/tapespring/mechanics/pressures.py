"""Pressure on faces of membranes, shells and solids: it stays across the surface and grows with its area.

    force on corner i:  p Σ w N_i (x,1 × x,2)        over a few points of the face

Faces are triangles (3 corners), quadrilaterals (4) and the faces of ten-node tetrahedra (6, loaded at the middles of
their edges). Exact for flat faces, and for bilinear ones.
"""

import numpy as np

from ..jit import device, small
from ..math.mat3 import (
    axpy33,
    dyad,
    load33,
    plus33,
    product,
    scale33,
    skew,
    skew_times,
    times_skew,
    transform_back,
    transposed,
)
from ..math.rotations import rotate
from ..math.vec3 import add, add_to3, axpy, cross, dot, load3, scale
from .blocks import add_node_block
from .linking import time_law
from .motion import is_free
from .tables import DRIVES, FRAME, LOADS

_r = 1.0 / np.sqrt(3.0)
_around = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
_points = _r * _around
_x, _y = _around[None, :, 0], _around[None, :, 1]
_xi, _eta = _points[:, 0, None], _points[:, 1, None]
_quad = np.stack(
    [0.25 * (1 + _xi * _x) * (1 + _eta * _y), 0.25 * _x * (1 + _eta * _y), 0.25 * _y * (1 + _xi * _x)], axis=1
)
_tri = np.array([[[1 / 6, 1 / 6, 1 / 6], [-1.0, 1.0, 0.0], [-1.0, 0.0, 1.0]]])
_L = np.array([[0.5, 0.5, 0.0], [0.0, 0.5, 0.5], [0.5, 0.0, 0.5]])  # middles of the edges 12, 23, 31


def _tri6(L):
    pairs = ((0, 1), (1, 2), (2, 0))
    N = [l * (2 * l - 1) for l in L] + [4 * L[i] * L[j] for i, j in pairs]
    by_L = np.zeros((3, 6))
    for i in range(3):
        by_L[i, i] = 4 * L[i] - 1
    for e, (i, j) in enumerate(pairs):
        by_L[i, 3 + e], by_L[j, 3 + e] = 4 * L[j], 4 * L[i]
    return np.array([np.array(N) / 6.0, by_L[1] - by_L[0], by_L[2] - by_L[0]])


QUAD, TRI = np.ascontiguousarray(_quad), _tri
TRI6 = np.array([_tri6(L) for L in _L])
"""(points, 3, corners): weight times shape, and its derivatives by both coordinates"""


@small
def corner_place(tables, corner, work):
    """(place, arm from the node), world axes."""
    arm = rotate(work.R, corner.node, load3(tables.arms, corner.arm))
    return add(load3(work.x, corner.node), arm), arm


@device
def face_tangents(tables, i, shape, g, work):
    """x,1 and x,2 at point g."""
    face = tables.pressures[i]
    t1, t2 = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for k in range(face.count):
        x, _ = corner_place(tables, tables.corners[face.corner + k], work)
        t1, t2 = axpy(shape[g, 1, k], x, t1), axpy(shape[g, 2, k], x, t2)
    return t1, t2


@device
def add_face(tables, i, p, shape, work):
    face = tables.pressures[i]
    for g in range(shape.shape[0]):
        t1, t2 = face_tangents(tables, i, shape, g, work)
        normal = scale(p, cross(t1, t2))
        for k in range(face.count):
            corner = tables.corners[face.corner + k]
            n, force = corner.node, scale(shape[g, 0, k], normal)
            moment = cross(corner_place(tables, corner, work)[1], force)
            add_to3(work.force, n, 1.0, force)
            add_to3(work.moment, n, 1.0, moment)
            power = dot(force, load3(work.v, n)) + dot(moment, load3(work.w, n))
            work.power[LOADS] += power
            if not is_free(tables, n):
                work.power[DRIVES] -= power


@device
def add_pressures(tables, t, work):
    """Forces and powers of all faces under pressure."""
    last, p = -1, 0.0
    for i in range(len(tables.pressures)):
        face = tables.pressures[i]
        if face.law != last:
            last = face.law
            p, _, _ = time_law(tables, face.law, t, work)
        if face.count == 4:
            add_face(tables, i, face.sign * p, QUAD, work)
        elif face.count == 3:
            add_face(tables, i, face.sign * p, TRI, work)
        else:
            add_face(tables, i, face.sign * p, TRI6, work)


@device
def add_face_tangent(tables, i, p, shape, work, weight, values, places):
    """values += weight dr/d(displacement), r = -force."""
    face = tables.pressures[i]
    count = face.count
    for g in range(shape.shape[0]):
        t1, t2 = face_tangents(tables, i, shape, g, work)
        normal = scale(p, cross(t1, t2))
        for k in range(count):
            left = tables.corners[face.corner + k]
            a = left.node
            Ra, arm_a = load33(work.R, a), corner_place(tables, left, work)[1]
            force = scale(shape[g, 0, k], normal)
            for l in range(count):
                right = tables.corners[face.corner + l]
                b = right.node
                at, stride = places[face.pair + count * k + l, 0], places[face.pair + count * k + l, 1]
                Rb, arm_b = load33(work.R, b), corner_place(tables, right, work)[1]
                change = axpy33(-shape[g, 1, l], skew(t2), scale33(shape[g, 2, l], skew(t1)))
                ff = scale33(-weight * p * shape[g, 0, k], change)
                ft = scale33(-1.0, product(times_skew(ff, arm_b), Rb))
                tf = product(transposed(Ra), skew_times(arm_a, ff))
                tt = scale33(-1.0, product(product(transposed(Ra), times_skew(skew_times(arm_a, ff), arm_b)), Rb))
                if k == l:
                    tt = plus33(tt, own_turn(Ra, arm_a, scale(-weight, force)))
                turns_a, turns_b = tables.nodes[a].kind == FRAME, tables.nodes[b].kind == FRAME
                add_node_block(values, at, stride, turns_a, turns_b, ff, ft, tf, tt)


@small
def own_turn(R, arm, force):
    """Change of the moment of a force at an arm, read in node axes, with the node's own turn: F c' - (F·c) 1."""
    c, F = transform_back(R, arm), transform_back(R, force)
    g = dot(c, F)
    return axpy33(-g, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), dyad(F, c))


@device
def add_pressures_tangent(tables, t, work, weight, values, places):
    for i in range(len(tables.pressures)):
        face = tables.pressures[i]
        p, _, _ = time_law(tables, face.law, t, work)
        if face.count == 4:
            add_face_tangent(tables, i, face.sign * p, QUAD, work, weight, values, places)
        elif face.count == 3:
            add_face_tangent(tables, i, face.sign * p, TRI, work, weight, values, places)
        else:
            add_face_tangent(tables, i, face.sign * p, TRI6, work, weight, values, places)
