"""The scissor mast with clearance as one would write it down for SciPy: planar bars (x, y, angle), Numba for the rates.

Bars A1, B1, A2, B2, …; a pin joins places at -1/2, 0 or 1/2 m along two bars. `deploy` integrates with one of SciPy's
solvers, `march` with a loop of Runge-Kutta steps of order 4 and fixed length, all of it compiled.
"""

import time
from math import cos, pi, radians, sin, sqrt

import numpy as np
from numba import njit
from scipy.integrate import solve_ivp

STIFFNESS, CLEARANCE, FILM, MASS, INERTIA = 1e9, 2e-4, 20.0, 0.36, 0.03
START, END = 70.0, 30.0
GROUND = -1


@njit(cache=True)
def add_pin(force, y, speeds, a, along_a, b, along_b, height, rise):
    """Force between bar a, or a bearing at (0, height) that rises, and bar b."""
    bx, by = along_b * cos(y[3 * b + 2]), along_b * sin(y[3 * b + 2])
    x, z = y[3 * b] + bx, y[3 * b + 1] + by
    u = y[speeds + 3 * b] - by * y[speeds + 3 * b + 2]
    w = y[speeds + 3 * b + 1] + bx * y[speeds + 3 * b + 2]
    ax = ay = 0.0
    if a == GROUND:
        z, w = z - height, w - rise
    else:
        ax, ay = along_a * cos(y[3 * a + 2]), along_a * sin(y[3 * a + 2])
        x, z = x - y[3 * a] - ax, z - y[3 * a + 1] - ay
        u -= y[speeds + 3 * a] - ay * y[speeds + 3 * a + 2]
        w -= y[speeds + 3 * a + 1] + ax * y[speeds + 3 * a + 2]
    fx, fz = -FILM * u, -FILM * w
    if x * x + z * z > CLEARANCE * CLEARANCE:
        r = sqrt(x * x + z * z)
        depth, rate = r - CLEARANCE, (x * u + z * w) / r
        push = max(0.0, STIFFNESS * depth * sqrt(depth) * (1.0 + rate))
        fx, fz = fx - push * x / r, fz - push * z / r
    force[3 * b] += fx
    force[3 * b + 1] += fz
    force[3 * b + 2] += bx * fz - by * fx
    if a != GROUND:
        force[3 * a] -= fx
        force[3 * a + 1] -= fz
        force[3 * a + 2] -= ax * fz - ay * fx


@njit(cache=True)
def rates(t, y, bays, out):
    """dy/dt"""
    speeds, s, span = 6 * bays, t / (0.5 * bays), 0.5 * bays
    angle = (START + (END - START) * (10 * s**3 - 15 * s**4 + 6 * s**5)) * pi / 180.0
    turn = (END - START) * (30 * s**2 - 60 * s**3 + 30 * s**4) / span * pi / 180.0
    height, rise = sin(angle), cos(angle) * turn
    force = out[speeds:]
    force[:] = 0.0
    for i in range(bays):
        a, b = 2 * i, 2 * i + 1
        add_pin(force, y, speeds, a, 0.0, b, 0.0, 0.0, 0.0)
        if i == 0:
            add_pin(force, y, speeds, GROUND, 0.0, a, -0.5, 0.0, 0.0)
            add_pin(force, y, speeds, GROUND, 0.0, b, -0.5, height, rise)
        else:
            add_pin(force, y, speeds, b - 2, 0.5, a, -0.5, 0.0, 0.0)
            add_pin(force, y, speeds, a - 2, 0.5, b, -0.5, 0.0, 0.0)
    for i in range(2 * bays):
        force[3 * i] /= MASS
        force[3 * i + 1] /= MASS
        force[3 * i + 2] /= INERTIA
    for i in range(speeds):
        out[i] = y[speeds + i]


def stowed(bays):
    """At rest, pins centred."""
    a, y = radians(START), np.zeros(12 * bays)
    for i in range(bays):
        for k, sign in ((0, 1.0), (1, -1.0)):
            y[3 * (2 * i + k) : 3 * (2 * i + k) + 3] = (i + 0.5) * cos(a), 0.5 * sin(a), sign * a
    return y


def tip_of(y, bays):
    """Mean of the free ends of the last two bars."""
    ends = y[6 * bays - 6 : 6 * bays].reshape(2, 3)
    return np.array([(ends[:, 0] + 0.5 * np.cos(ends[:, 2])).mean(), (ends[:, 1] + 0.5 * np.sin(ends[:, 2])).mean()])


def deploy(bays, duration, method, tolerance):
    """(tip, CPU seconds, evaluations)"""

    def f(t, y):
        out = np.empty(len(y))
        rates(t, y, bays, out)
        return out

    y = stowed(bays)
    f(0.0, y)
    began = time.process_time()
    found = solve_ivp(f, (0.0, duration), y, method=method, rtol=tolerance, atol=1e-2 * tolerance, t_eval=[duration])
    tip = tip_of(found.y[:, -1], bays) if found.success else np.full(2, np.nan)
    return tip, time.process_time() - began, found.nfev


def march(bays, duration, step, nudge=0.0):
    """(tip, CPU seconds, evaluations)"""
    y = stowed(bays)
    y[0] += nudge
    march_on(y.copy(), bays, 1, step)
    steps = round(duration / step)
    began = time.process_time()
    march_on(y, bays, steps, duration / steps)
    return tip_of(y, bays), time.process_time() - began, 4 * steps


@njit(cache=True)
def march_on(y, bays, steps, h):
    """Runge-Kutta of order 4."""
    n = len(y)
    k1, k2, k3, k4, at = np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(n)
    for step in range(steps):
        t = step * h
        rates(t, y, bays, k1)
        for i in range(n):
            at[i] = y[i] + 0.5 * h * k1[i]
        rates(t + 0.5 * h, at, bays, k2)
        for i in range(n):
            at[i] = y[i] + 0.5 * h * k2[i]
        rates(t + 0.5 * h, at, bays, k3)
        for i in range(n):
            at[i] = y[i] + h * k3[i]
        rates(t + h, at, bays, k4)
        for i in range(n):
            y[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i])
