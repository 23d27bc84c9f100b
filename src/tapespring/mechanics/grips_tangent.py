"""Tangent of friction of joints: exact, and with its change by the reactions that press.

Friction is a function of slip, its rate and what presses; its derivatives come from the function itself with numbers
that know them (math.duals). The change by reactions belongs to the columns of multipliers, beside G'.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np

from ..jit import device, from_numba, small
from ..math.rotations import rotate, rotate_back
from ..math.vec3 import axpy, cross, dot, load3, scale
from .contacts_tangent import moving3, steady3
from .grip_balls import ball_changes, sides_of
from .grips import ANCHORED, ends_of, grip_force, reaction, reaction_of_row, slip_of
from .measures import ZERO, measure
from .tables import FRAME
from .tangent import add_along_measure, add_to_column, freedoms, gradient_variation, unit_displacement

changing, slope_of, value_of = from_numba(".math.duals", "changing", "slope_of", "value_of")


class Places(NamedTuple):
    """The fields of a system that forces along measures ask for, see solve.kkt."""

    values: np.ndarray
    measure_at: np.ndarray


@small
def by_place(tables, g, work, z, u):
    """Friction by slip from the anchor."""
    known = work.grip_memory[g, ANCHORED]
    return grip_force(tables, g, work, changing(work.grip_normal[g], 0.0, 0.0, 0.0), moving3(z, known), steady3(u))[0]


@small
def by_rate(tables, g, work, z, u):
    """Friction by the rate of slip."""
    return grip_force(tables, g, work, changing(work.grip_normal[g], 0.0, 0.0, 0.0), steady3(z), moving3(u, 1.0))[0]


@small
def by_pressing(tables, g, work, z, u):
    """Change of friction with what presses."""
    force, _ = grip_force(tables, g, work, changing(work.grip_normal[g], 1.0, 0.0, 0.0), steady3(z), steady3(u))
    return (slope_of(force[0], 0), slope_of(force[1], 0), slope_of(force[2], 0))


@device
def add_across(tables, i, j, work, by_value, by_rate, weight_rate, weight_place, kkt):
    """Tangent of a force along measure i by another measure j between the same nodes."""
    m, at = tables.measures[i], kkt.measure_at
    _, _, _, na, ta, nb, tb = measure(tables, i, work)
    _, _, _, pa, sa, pb, sb = measure(tables, j, work)
    wa, wb = load3(work.w, m.a), load3(work.w, m.b)
    for side in range(2):
        n = m.a if side == 0 else m.b
        for k in range(freedoms(tables, n)):
            move, turn = unit_displacement(work, n, k)
            xa, ra, xb, rb = move, turn, ZERO, ZERO
            if side == 1:
                xa, ra, xb, rb = ZERO, ZERO, move, turn
            dna, dta, dnb, dtb = gradient_variation(tables, j, work, xa, ra, xb, rb)
            value = dot(pa, xa) + dot(sa, ra) + dot(pb, xb) + dot(sb, rb)
            rate = (
                dot(dna, load3(work.v, m.a)) + dot(dta, wa) + dot(dnb, load3(work.v, m.b)) + dot(dtb, wb)
                + dot(sa, cross(ra, wa)) + dot(sb, cross(rb, wb))
            )  # fmt: skip
            ds = weight_place * (by_value * value + by_rate * rate) + weight_rate * by_rate * value
            add_to_column(tables, work, m.a, at[i, 0, side, 0], at[i, 0, side, 1], k, scale(ds, na), scale(ds, ta), kkt)
            add_to_column(tables, work, m.b, at[i, 1, side, 0], at[i, 1, side, 1], k, scale(ds, nb), scale(ds, tb), kkt)


@small
def friction_change(place, rate, dz, du):
    """Of friction, by changes of slip and its rate."""
    f0 = slope_of(place[0], 0) * dz[0] + slope_of(place[0], 1) * dz[1] + slope_of(place[0], 2) * dz[2]
    f1 = slope_of(place[1], 0) * dz[0] + slope_of(place[1], 1) * dz[1] + slope_of(place[1], 2) * dz[2]
    f2 = slope_of(place[2], 0) * dz[0] + slope_of(place[2], 1) * dz[1] + slope_of(place[2], 2) * dz[2]
    f0 += slope_of(rate[0], 0) * du[0] + slope_of(rate[0], 1) * du[1] + slope_of(rate[0], 2) * du[2]
    f1 += slope_of(rate[1], 0) * du[0] + slope_of(rate[1], 1) * du[1] + slope_of(rate[1], 2) * du[2]
    f2 += slope_of(rate[2], 0) * du[0] + slope_of(rate[2], 1) * du[1] + slope_of(rate[2], 2) * du[2]
    return f0, f1, f2


@device
def add_ball_slopes(tables, g, t, work, weight_rate, weight_place, kkt):
    """By turns of both nodes and their rates, of a ball in its socket."""
    grip, at, R = tables.grips[g], kkt.measure_at, work.R
    z, u = slip_of(tables, g, t, work)
    place, rate = by_place(tables, g, work, z, u), by_rate(tables, g, work, z, u)
    torque = rotate(R, grip.a, (value_of(place[0]), value_of(place[1]), value_of(place[2])))
    for side in range(2):
        n = grip.a if side == 0 else grip.b
        for k in range(3, freedoms(tables, n)):
            _, turn = unit_displacement(work, n, k)
            ta, tb = sides_of(n, grip.a, turn)
            dz, du, du_rate = ball_changes(tables, g, work, z, ta, tb)
            moved = friction_change(
                place, rate, scale(weight_place, dz), axpy(weight_rate, du_rate, scale(weight_place, du))
            )
            change = axpy(weight_place, cross(ta, torque), rotate(R, grip.a, moved))
            on_a = axpy(-weight_place, cross(ta, torque), change)  # moments are read in axes that turn along
            on_b = axpy(-weight_place, cross(tb, torque), change)
            i = grip.place
            add_to_column(tables, work, grip.a, at[i, 0, side, 0], at[i, 0, side, 1], k, ZERO, on_a, kkt)
            add_to_column(tables, work, grip.b, at[i, 1, side, 0], at[i, 1, side, 1], k, ZERO, scale(-1.0, on_b), kkt)


@device
def add_slopes(tables, g, t, work, weight_rate, weight_place, kkt):
    """By displacements and velocities."""
    grip = tables.grips[g]
    z, u = slip_of(tables, g, t, work)
    place, rate = by_place(tables, g, work, z, u), by_rate(tables, g, work, z, u)
    for k in range(3):
        i = grip.measure[k]
        if i < 0:
            continue
        fp, fr = (place[0], rate[0]) if k == 0 else ((place[1], rate[1]) if k == 1 else (place[2], rate[2]))
        s = -grip.scale[k] * value_of(fp)
        for l in range(3):
            j = grip.measure[l]
            if j < 0:
                continue
            w = -grip.scale[k] * grip.scale[l]
            by_value, by_speed = w * slope_of(fp, l), w * slope_of(fr, l)
            if k == l:
                add_along_measure(tables, i, work, s, by_value, by_speed, weight_rate, weight_place, kkt)
            else:
                add_across(tables, i, j, work, by_value, by_speed, weight_rate, weight_place, kkt)


@device
def by_multiplier(tables, g, work, r, one, other):
    """Change of what presses with the multiplier of row r; one, other: forces at the ends."""
    f, m = reaction_of_row(tables, g, r, work)
    d_one, d_other = ends_of(tables, g, work, f, m)
    change, size = 0.0, sqrt(dot(one, one))
    if size > 0.0:
        change += dot(one, d_one) / size
    size = sqrt(dot(other, other))
    if size > 0.0:
        change += dot(other, d_other) / size
    return change


@device
def add_to_block(tables, work, n, at, stride, force, moment, values):
    """A force and moment (world axes) on node n, into the column of a row."""
    if at < 0:
        return
    for c in range(3):
        values[at + c * stride] += force[c]
    if tables.nodes[n].kind == FRAME:
        body = rotate_back(work.R, n, moment)
        for c in range(3):
            values[at + (3 + c) * stride] += body[c]


@device
def add_pressing(tables, g, t, multiplier, work, values, column_at):
    """By multipliers: into G'."""
    grip = tables.grips[g]
    if grip.first == grip.last:
        return
    z, u = slip_of(tables, g, t, work)
    slope = by_pressing(tables, g, work, z, u)
    if dot(slope, slope) == 0.0:
        return
    force_a, moment_a, force_b, moment_b = ZERO, ZERO, ZERO, ZERO
    for k in range(3):
        i = grip.measure[k]
        if i >= 0:
            _, _, _, na, ta, nb, tb = measure(tables, i, work)
            s = -grip.scale[k] * (slope[0] if k == 0 else (slope[1] if k == 1 else slope[2]))
            if tables.measures[i].a != grip.a:  # it is seen from the other side
                na, ta, nb, tb = nb, tb, na, ta
            force_a, moment_a = axpy(s, na, force_a), axpy(s, ta, moment_a)
            force_b, moment_b = axpy(s, nb, force_b), axpy(s, tb, moment_b)
    if grip.ball:
        moment_a = rotate(work.R, grip.a, slope)
        moment_b = scale(-1.0, moment_a)
    one, other = ends_of(tables, g, work, *reaction(tables, g, work, multiplier))
    for p in range(grip.first, grip.last):
        r = tables.grip_rows[p]
        change = by_multiplier(tables, g, work, r, one, other)
        for q in range(tables.rows[r].first, tables.rows[r].last):
            term = tables.terms[q]
            if term.block_a >= 0:
                at, stride = column_at[term.block_a, 0], column_at[term.block_a, 1]
                add_to_block(tables, work, grip.a, at, stride, scale(change, force_a), scale(change, moment_a), values)
            if term.block_b >= 0:
                at, stride = column_at[term.block_b, 0], column_at[term.block_b, 1]
                add_to_block(tables, work, grip.b, at, stride, scale(change, force_b), scale(change, moment_b), values)


@device
def add_grips_tangent(tables, t, multiplier, work, weight_rate, weight_place, values, measure_at, column_at):
    """values += weight_rate dr/dv + weight_place dr/d(displacement) + dr/d(multiplier); work as residual left it."""
    kkt = Places(values, measure_at)
    for g in range(len(tables.grips)):
        if tables.grips[g].ball:
            add_ball_slopes(tables, g, t, work, weight_rate, weight_place, kkt)
        else:
            add_slopes(tables, g, t, work, weight_rate, weight_place, kkt)
        add_pressing(tables, g, t, multiplier, work, values, column_at)
