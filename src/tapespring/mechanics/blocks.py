"""Where an element's tangent goes: 3x3 blocks of a flat array of values, found by (first entry, stride).

places[e, row side, column side] = (first entry, stride) of the block of a pair of nodes, side 0 for node a and 1 for
node b; first entry -1 where a side is not free. Three wide for points, six for frames.
"""

from numpy import int64, uintp

from ..jit import small
from ..math.mat3 import scale33


@small
def add_row(values, i, x, y, z):
    """Three values from i on; unsigned indices spare the test for counting from the end."""
    values[i] += x
    values[i + uintp(1)] += y
    values[i + uintp(2)] += z


@small
def add_block(values, i, stride, A):
    """The 3x3 block whose first entry is values[i] += A."""
    add_row(values, uintp(i), A[0], A[1], A[2])
    add_row(values, uintp(i + stride), A[3], A[4], A[5])
    add_row(values, uintp(i + 2 * stride), A[6], A[7], A[8])


@small
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


@small
def add_pair(values, places, e, turns_a, turns_b, force, on_a, on_b):
    """All four blocks of element e. Rows: force on b (on a: its opposite), moment on a, moment on b; each by
    the columns (xb - xa, turn of a, turn of b)."""
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
