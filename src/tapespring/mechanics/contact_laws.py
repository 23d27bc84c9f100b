"""Normal laws of contact: force by depth δ and its rate, for floats and numbers that know their derivatives.

POWER         k δ^n + b δ^p |δ'|^q sign δ'          linear, Hertz, spring and dashpot, Hunt and Crossley …
RESTITUTION   k δ^n (1 + b δ'/δ'₀)                  δ'₀ at first touch; Lankarani and Nikravesh, Flores …
STEPPED       k δ^n + b step(δ/δ_full) δ'           damping that sets in smoothly
BARRIER       κ (2 (g - m) ln(g/m) + (g - m)²/g)    grows without bound as the gap g < m closes
OWN_LAW       a user's function of depth and rate
AUGMENTED     λ + k δ, with the load λ of its pair   see contacts.normal_force; solve.augmented finds λ
"""

from math import log, sqrt

from numpy import int64

from ..jit import from_numba, small
from .linking import law_jet
from .tables import AUGMENTED, BARRIER, OF_VALUE, OWN_LAW, RESTITUTION, STEPPED

(value_of,) = from_numba(".math.duals", "value_of")


@small
def raised(x, n):
    """x^n of x > 0."""
    if n == 1.0:
        return x
    if n == 1.5:
        return x * sqrt(x)
    return x**n


@small
def step(s):
    """From 0 to 1, level at both ends."""
    if s >= 1.0:
        return 1.0 + 0.0 * s
    return s * s * (3.0 - 2.0 * s)


@small
def elastic_force(law, depth):
    """k δ^n; below zero a straight law goes straight on, for steps that end in mid air until their end is found."""
    if depth > 0.0:
        return law.stiffness * raised(depth, law.exponent)
    if law.exponent == 1.0:
        return law.stiffness * depth
    return 0.0 * depth


@small
def damping_force(law, depth, rate):
    """b δ^p |δ'|^q sign δ'"""
    if law.rate_power == 1.0:
        by_rate = law.damping * rate
    else:
        size = abs(rate)
        by_rate = (law.damping if rate > 0.0 else -law.damping) * (size**law.rate_power if size > 0.0 else 0.0 * size)
    if law.depth_power == 0.0:
        return by_rate
    return by_rate * raised(depth, law.depth_power) if depth > 0.0 else 0.0 * by_rate


@small
def barrier_gap(law, depth):
    """m - δ, but never nothing."""
    gap = law.margin - depth
    if gap <= 1e-9 * law.margin:
        gap = 1e-9 * law.margin + 0.0 * gap
    return gap


@small
def barrier_force(law, depth):
    if depth <= 0.0:
        return 0.0 * depth
    gap = barrier_gap(law, depth)
    return law.stiffness * (depth * depth / gap - 2.0 * depth * log(gap / law.margin))


@small
def law_force(tables, c, depth, rate, first, work):
    """(force, its elastic part) before anything is cut off; first: rate at first touch."""
    law = tables.contacts[c]
    if law.law == OWN_LAW:
        x, v = value_of(depth), value_of(rate)
        f, by_x, by_v, _ = law_jet(tables, law.function, int64(OF_VALUE), 0.0, x, v, work)
        return f + by_x * (depth - x) + by_v * (rate - v), 0.0 * depth
    if law.law == BARRIER:
        f = barrier_force(law, depth)
        return f, f
    elastic = elastic_force(law, depth)
    if law.law == RESTITUTION:
        return elastic * (1.0 + law.damping / first * rate), elastic
    if law.law == STEPPED:
        if depth > 0.0:
            return elastic + law.damping * step(depth / law.full_depth) * rate, elastic
        return elastic, elastic
    return elastic + damping_force(law, depth, rate), elastic


@small
def law_energy(tables, c, depth):
    """Stored by the elastic part; none for a user's own law, nor for one whose depth is all but none."""
    law = tables.contacts[c]
    if depth <= 0.0 or law.law == OWN_LAW or law.law == AUGMENTED:
        return 0.0 * depth
    if law.law == BARRIER:
        gap = barrier_gap(law, depth)
        return -law.stiffness * depth * depth * log(gap / law.margin)
    return law.stiffness * raised(depth, law.exponent) * depth / (law.exponent + 1.0)
