"""Chebyshev stages: explicit steps of order 2 that stay stable far along the negative real axis.

A contact at rest whose damping is far faster than anything still moves holds the order-8 method to its limit of
stability, though nothing happens. s stages of this one are stable for s^2 times the step of one, without equations to
solve, and know nothing of what touches, sticks or slips. B. P. Sommeijer, L. F. Shampine and J. G. Verwer, J. Comput.
Appl. Math. 88 (1998) 315-326.
"""

import numpy as np

from ..jit import device
from ..mechanics.projection import copy
from ..mechanics.tables import N_POWERS
from .runge_kutta import rates_at
from .steps import STIFF_HINTS, TIME

# indices into RungeKutta.damped
RADIUS, HINTS_NEEDED, PACE, TAKEN, FORMER_STEP = range(5)
MOST_HINTS = 1e4
DAMPED_FROM = 2.5  # rate of change times step: a look costs less than what it may save
MOST_STAGES = 100
STRICTER = 10.0
RENEW_AFTER = 25  # steps for which a rate of damping is trusted
# rows of K that the stages use
NEWER, OLDER, RATE, DIRECTION, END_RATE = 1, 2, 3, 4, 5


@device
def is_damped(rk):
    """Whether these steps are in use."""
    return rk.damped[RADIUS] > 0.0


@device
def longest_step(rk):
    """That the most stages hold stable."""
    return (MOST_STAGES * MOST_STAGES - 1.0) / (1.54 * rk.damped[RADIUS])


@device
def stages_for(rk, h):
    return max(2, 1 + int(np.sqrt(1.54 * h * rk.damped[RADIUS] + 1.0)))


@device
def dot(a, b, n):
    total = 0.0
    for i in range(n):
        total += a[i] * b[i]
    return total


@device
def fastest_decay(tables, work, loop, rk):
    """Rate of the fastest motion, by power iterations on the rates, from the direction that the last step excited; 0 if
    that is not a decay."""
    n, y = len(loop.y) - N_POWERS, loop.y
    w, near = rk.K[DIRECTION], rk.K[NEWER]
    copy(y, near)
    apart = 1.5e-8 * max(np.sqrt(dot(y, y, n)), loop.scale[0])
    before = 0.0
    for _ in range(30):
        length = np.sqrt(dot(w, w, n))
        if not length > 0.0:
            return 0.0
        for i in range(n):
            w[i] /= length
            near[i] = y[i] + apart * w[i]
        rates_at(tables, loop.clock[TIME], near, work, rk, np.int64(RATE), loop)
        along = 0.0
        for i in range(n):
            change = (rk.K[RATE, i] - rk.K[0, i]) / apart
            along += w[i] * change
            w[i] = change
        radius = np.sqrt(dot(w, w, n))
        if abs(radius - before) <= 0.02 * radius:
            return 1.1 * radius if along < -0.9 * radius else 0.0
        before = radius
    return 0.0


@device
def try_damped(tables, work, loop, rk, h):
    """After a step h of order 8 that ran into its limit of stability: go on with Chebyshev stages if a decay is why."""
    for i in range(rk.K.shape[1]):
        rk.K[DIRECTION, i] = rk.K[12, i] - rk.K[11, i]
    rk.damped[RADIUS] = fastest_decay(tables, work, loop, rk)
    rk.damped[PACE], rk.damped[FORMER_STEP], rk.damped[TAKEN] = h / 12.0, h, 0.0
    if not is_damped(rk):
        leave_damped(loop, rk)


@device
def leave_damped(loop, rk):
    """Back to order 8, which is given longer each time."""
    rk.damped[RADIUS] = 0.0
    rk.damped[HINTS_NEEDED] = min(MOST_HINTS, 2.0 * rk.damped[HINTS_NEEDED])
    loop.count[STIFF_HINTS] = 0


@device
def review_damped(tables, work, loop, rk, h, step):
    """After a step h, before one of `step`: it, or that of order 8 where these stages gain nothing more."""
    rk.damped[TAKEN] += 1.0
    if rk.damped[TAKEN] > RENEW_AFTER:
        rk.damped[RADIUS] = fastest_decay(tables, work, loop, rk)
        rk.damped[TAKEN] = 0.0
    gains = is_damped(rk) and (rk.damped[TAKEN] <= 3.0 or h > rk.damped[PACE] * stages_for(rk, h))
    if gains:
        return step
    leave_damped(loop, rk)
    return rk.damped[FORMER_STEP]


@device
def attempt_damped(tables, work, loop, rk, t, h):
    """The new state in rk.stage; its scaled error. loop.y and the rates there, K[0], are unchanged."""
    stages, n = stages_for(rk, h), rk.K.shape[1]
    y, rate0, newer, older, new = loop.y, rk.K[0], rk.K[NEWER], rk.K[OLDER], rk.stage
    w0 = 1.0 + 2.0 / 13.0 / (stages * stages)
    w1 = weight_of_rates(stages, w0)
    b1 = 0.25 / (w0 * w0)
    b2 = b1
    # Chebyshev polynomials at w0 and their first two derivatives: of the last degree and the one before
    T1, T2, D1, D2, S1, S2 = w0, 1.0, 1.0, 0.0, 0.0, 0.0
    c1, c2 = w1 * b1, 0.0
    for i in range(n):
        older[i] = y[i]
        newer[i] = y[i] + h * c1 * rate0[i]
    for _ in range(2, stages + 1):
        T, D, S = 2.0 * w0 * T1 - T2, 2.0 * w0 * D1 - D2 + 2.0 * T1, 2.0 * w0 * S1 - S2 + 4.0 * D1
        b, a = S / (D * D), 1.0 - T1 * b1
        mu, nu = 2.0 * w0 * b / b1, -b / b2
        part = mu * w1 / w0
        rates_at(tables, t + c1 * h, newer, work, rk, np.int64(RATE), loop)
        for i in range(n):
            new[i] = (1.0 - mu - nu) * y[i] + mu * newer[i] + nu * older[i] + h * part * (rk.K[RATE, i] - a * rate0[i])
            older[i] = newer[i]
            newer[i] = new[i]
        c1, c2 = mu * c1 + nu * c2 + part * (1.0 - a), c1
        b1, b2, T1, T2, D1, D2, S1, S2 = b, b1, T, T1, D, D1, S, S1
    rates_at(tables, t + h, new, work, rk, np.int64(END_RATE), loop)
    return damped_error(rk, loop, h)


@device
def weight_of_rates(stages, w0):
    """T'(w0) / T''(w0) of the Chebyshev polynomial of degree `stages`."""
    T1, T2, D1, D2, S1, S2 = w0, 1.0, 1.0, 0.0, 0.0, 0.0
    for _ in range(2, stages + 1):
        T, D, S = 2.0 * w0 * T1 - T2, 2.0 * w0 * D1 - D2 + 2.0 * T1, 2.0 * w0 * S1 - S2 + 4.0 * D1
        T1, T2, D1, D2, S1, S2 = T, T1, D, D1, S, S1
    return D1 / S1


@device
def damped_error(rk, loop, h):
    """Of the largest component, from the cubic through both ends; works too, for the energy audit. Errors of order 2
    add up where those of order 8 vanish, so that less is allowed."""
    worst = 0.0
    for i in range(rk.K.shape[1]):
        e = abs(0.8 * (loop.y[i] - rk.stage[i]) + 0.4 * h * (rk.K[0, i] + rk.K[END_RATE, i]))
        e *= STRICTER / (loop.tolerance[1] * loop.scale[i] + loop.tolerance[0] * max(abs(loop.y[i]), abs(rk.stage[i])))
        if e > worst or e != e:
            worst = e
    return worst
