"""Viscous resistance of nodes: force -linear v, moment -angular ω in node axes."""

from ..jit import device
from ..math.rotations import rotate, rotate_back
from ..math.vec3 import add_to3, dot, load3
from .motion import is_free
from .tables import DISSIPATED, DRIVES, FRAME


@device
def add_drag(tables, i, work):
    drag = tables.drags[i]
    n, c = drag.node, drag.angular
    v, w = load3(work.v, n), rotate_back(work.R, n, load3(work.w, n))
    moment = (c[0] * w[0], c[1] * w[1], c[2] * w[2])
    add_to3(work.force, n, -drag.linear, v)
    add_to3(work.moment, n, -1.0, rotate(work.R, n, moment))
    if work.apart[0]:
        add_to3(work.resisting_force, n, -drag.linear, v)
        add_to3(work.resisting_moment, n, -1.0, rotate(work.R, n, moment))
    loss = drag.linear * dot(v, v) + dot(moment, w)
    work.power[DISSIPATED] += loss
    if not is_free(tables, n):
        work.power[DRIVES] += loss


@device
def add_drag_tangent(tables, i, weight_rate, values, node_at):
    drag = tables.drags[i]
    n = drag.node
    if not is_free(tables, n):
        return
    at, stride = node_at[n, 0], node_at[n, 1]
    for k in range(3):
        values[at + k * (stride + 1)] += weight_rate * drag.linear
    if tables.nodes[n].kind == FRAME:
        for k in range(3):
            values[at + (3 + k) * (stride + 1)] += weight_rate * drag.angular[k]
