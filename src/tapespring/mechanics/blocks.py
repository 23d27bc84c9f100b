"""Where an element's tangent goes: 3x3 blocks of a flat array of values, found by (first entry, stride).

places[e, row side, column side] = (first entry, stride) of the block of a pair of nodes, side 0 for node a and 1 for
node b; first entry -1 where a side is not free. Three wide for points, six for frames.
"""

from numba import int64

from ..jit import device
from ..math.mat3 import scale33


@device
def add_block(values, i, stride, A):
    """The 3x3 block whose first entry is values[i] += A."""
    values[i] += A[0]
    values[i + 1] += A[1]
    values[i + 2] += A[2]
    i += stride
    values[i] += A[3]
    values[i + 1] += A[4]
    values[i + 2] += A[5]
    i += stride
    values[i] += A[6]
    values[i + 1] += A[7]
    values[i + 2] += A[8]


@device
def add_node_block(values, i, stride, row_turns, column_turns, ff, ft, tf, tt):
    """Force (f) and moment (t) on one node by translation and turn of another, as far as they have them."""
    if i < 0:
        return
    add_block(values, i, stride, ff)
    if column_turns:
        add_block(values, i + 3, stride, ft)
    if row_turns:
        add_block(values, i + 3 * stride, stride, tf)
        if column_turns:
            add_block(values, i + 3 * stride + 3, stride, tt)


@device
def add_pair(values, places, e, turns_a, turns_b, force, on_a, on_b):
    """All four blocks of element e. Rows: force on b (on a: its opposite), moment on a, moment on b; each by the columns
    (xb - xa, turn of a, turn of b)."""
    a, b = int64(0), int64(1)
    i, n = places[e, b, b, 0], places[e, b, b, 1]
    add_node_block(values, i, n, turns_b, turns_b, force[0], force[2], on_b[0], on_b[2])
    less = scale33(-1.0, force[0])
    i, n = places[e, b, a, 0], places[e, b, a, 1]
    add_node_block(values, i, n, turns_b, turns_a, less, force[1], scale33(-1.0, on_b[0]), on_b[1])
    i, n = places[e, a, b, 0], places[e, a, b, 1]
    add_node_block(values, i, n, turns_a, turns_b, less, scale33(-1.0, force[2]), on_a[0], on_a[2])
    i, n = places[e, a, a, 0], places[e, a, a, 1]
    add_node_block(values, i, n, turns_a, turns_a, force[0], scale33(-1.0, force[1]), scale33(-1.0, on_a[0]), on_a[1])
