"""Interfaces of bodies by modes to second order: shapes that bend draw the ends of a body together.

A row holds a measure of an interface to what the shapes say, of which `measures` know the straight part:

    g = measure - weights.q - q.B q / 2        B symmetric, one for each row

Loads on interfaces, and inertia that they carry, act on the bent part too: tension stiffens, compression softens.
"""

from numpy import int64

from ..jit import device
from .modal import add_entry, amplitude


@device
def bend_modal_rows(tables, work):
    """Take the bent part from g, its rate, its gradient by the amplitudes and the quadratic part of g''."""
    for r in range(len(tables.modal_rows)):
        row = tables.modal_rows[r]
        if row.curve < 0:
            continue
        body = tables.modal[row.body]
        for k in range(body.count):
            along, rate, at = 0.0, 0.0, row.curve + k * body.count
            for l in range(body.count):
                along += tables.modal_curves[at + l] * amplitude(body, work.x, l)
                rate += tables.modal_curves[at + l] * amplitude(body, work.v, l)
            work.g[row.row] -= 0.5 * amplitude(body, work.x, k) * along
            work.g_rate[row.row] -= amplitude(body, work.v, k) * along
            work.rhs[row.row] -= amplitude(body, work.v, k) * rate
            work.G[row.amplitudes + k // 3, k % 3] -= along


@device
def add_curves_tangent(tables, multiplier, weight_place, values, modal_at):
    """Change of G' multiplier."""
    for r in range(len(tables.modal_rows)):
        row = tables.modal_rows[r]
        if row.curve < 0 or multiplier[row.row] == 0.0:
            continue
        body, s = tables.modal[row.body], -weight_place * multiplier[row.row]
        for k in range(body.count):
            for l in range(body.count):
                b = tables.modal_curves[row.curve + k * body.count + l]
                add_entry(body, values, modal_at, int64(3 + k), int64(3 + l), s * b)
