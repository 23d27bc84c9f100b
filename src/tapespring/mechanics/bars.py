"""Bars and cords: tension between two points.

    N = EA (l/L - 1 + β l'/L),   energy EA L (l/L - 1)² / 2

A cord (slack = 1) carries no compression: N = max(0, N) while l > L, and nothing else. Where damping would make it push
while it shortens, all that its energy gives up is dissipated.
"""

from math import sqrt

from ..jit import device, small
from ..math.mat3 import axpy33, dyad, load33, plus33, product, scale33, skew, skew_times, times_skew, transposed
from ..math.rotations import rotate
from ..math.vec3 import add, add_to3, axpy, cross, dot, from3, load3, scale, sub
from .blocks import add_pair
from .motion import is_free
from .tables import DISSIPATED, DRIVES, FRAME


@small
def bar_geometry(tables, i, work):
    """(l, n, ra, rb): length, unit vector from a to b, arms from the nodes to the ends; world axes."""
    bar = tables.bars[i]
    ra, rb = rotate(work.R, bar.a, from3(bar.sa)), rotate(work.R, bar.b, from3(bar.sb))
    d = sub(add(load3(work.x, bar.b), rb), add(load3(work.x, bar.a), ra))
    l = sqrt(dot(d, d))
    return l, scale(1.0 / l, d), ra, rb


@device
def end_velocity(tables, i, work, ra, rb):
    """Velocity of end b relative to end a."""
    a, b = tables.bars[i].a, tables.bars[i].b
    vb = add(load3(work.v, b), cross(load3(work.w, b), rb))
    return sub(vb, add(load3(work.v, a), cross(load3(work.w, a), ra)))


@device
def elastic_tension(tables, i, l):
    bar = tables.bars[i]
    elastic = bar.stiffness * (l / bar.length - 1.0)
    return max(elastic, 0.0) if bar.slack else elastic


@device
def bar_tension(tables, i, l, rate):
    """(tension, of it elastic, stiffness by l, by l')."""
    bar = tables.bars[i]
    elastic, k = elastic_tension(tables, i, l), bar.stiffness / bar.length
    total = elastic + bar.damping * k * rate
    if bar.slack and (elastic <= 0.0 or total <= 0.0):
        return 0.0, elastic, 0.0, 0.0
    return total, elastic, k, bar.damping * k


@device
def bar_energy(tables, i, work):
    l, _, _, _ = bar_geometry(tables, i, work)
    tension = elastic_tension(tables, i, l)
    return 0.5 * tables.bars[i].length / tables.bars[i].stiffness * tension * tension


@device
def add_bar(tables, i, work):
    bar = tables.bars[i]
    a, b = bar.a, bar.b
    l, n, ra, rb = bar_geometry(tables, i, work)
    rate = dot(n, end_velocity(tables, i, work, ra, rb))
    tension, elastic, _, _ = bar_tension(tables, i, l, rate)
    force = scale(tension, n)
    on_a, on_b = cross(ra, force), cross(rb, force)
    add_to3(work.force, a, 1.0, force)
    add_to3(work.moment, a, 1.0, on_a)
    add_to3(work.force, b, -1.0, force)
    add_to3(work.moment, b, -1.0, on_b)
    work.power[DISSIPATED] += (tension - elastic) * rate
    if not is_free(tables, a):
        work.power[DRIVES] -= dot(force, load3(work.v, a)) + dot(on_a, load3(work.w, a))
    if not is_free(tables, b):
        work.power[DRIVES] += dot(force, load3(work.v, b)) + dot(on_b, load3(work.w, b))


@small
def bar_stiffness(l, n, u, rate, tension, k, c, weight_rate, weight_place):
    """Change of the force N n by the change dd of the distance: k n n' + N/l (1 - n n') + c n (u - l' n)'/l."""
    g = weight_place * tension / l
    on_n = axpy(weight_place * k + weight_rate * c - g - weight_place * c * rate / l, n, scale(weight_place * c / l, u))
    return plus33(dyad(n, on_n), (g, 0.0, 0.0, 0.0, g, 0.0, 0.0, 0.0, g))


@device
def add_bar_tangent(tables, i, work, weight_rate, weight_place, values, places):
    """Force F = N n by translations and turns; body angular velocities are held, so that turns change the rate too."""
    a, b = tables.bars[i].a, tables.bars[i].b
    l, n, ra, rb = bar_geometry(tables, i, work)
    u = end_velocity(tables, i, work, ra, rb)
    rate = dot(n, u)
    tension, _, k, c = bar_tension(tables, i, l, rate)
    A = bar_stiffness(l, n, u, rate, tension, k, c, weight_rate, weight_place)
    along = scale(weight_place * c, n)
    by_b = axpy33(-1.0, times_skew(A, rb), dyad(along, cross(cross(load3(work.w, b), rb), n)))
    by_a = axpy33(-1.0, dyad(along, cross(cross(load3(work.w, a), ra), n)), times_skew(A, ra))
    F = skew(scale(weight_place * tension, n))
    Ra, Rb = load33(work.R, a), load33(work.R, b)
    to_a, to_b = scale33(-1.0, transposed(Ra)), transposed(Rb)
    force = A, product(by_a, Ra), product(by_b, Rb)
    on_b = (
        product(to_b, skew_times(rb, A)),
        product(to_b, product(skew_times(rb, by_a), Ra)),
        product(to_b, product(skew_times(rb, plus33(by_b, F)), Rb)),
    )
    on_a = (
        product(to_a, skew_times(ra, A)),
        product(to_a, product(skew_times(ra, plus33(by_a, F)), Ra)),
        product(to_a, product(skew_times(ra, by_b), Rb)),
    )
    turns_a, turns_b = tables.nodes[a].kind == FRAME, tables.nodes[b].kind == FRAME
    add_pair(values, places, i, turns_a, turns_b, force, on_a, on_b)
