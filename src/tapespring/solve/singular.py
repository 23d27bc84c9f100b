"""Stepping over singular positions.

Where a mechanism passes a singular position (a parallelogram lying flat), accelerations computed a distance s away
carry round-off divided by s^3, so no stage of a step may fall close to it. The weakest pivot of the constraints tells
the distance at every stage; from these the moment of passage is found, and the step is laid so that it falls into the
widest gap between the stages of the Runge-Kutta method.
"""

from math import sqrt

from ..jit import device

# pivots this small a part of their diagonal: within about 0.1 rad of a singular position
WEAK = 1e-2
# fraction of a step farthest from any stage of DOP853
GAP = 0.467
# the one step across may be this many times the tolerance off
RELAXED = 1e3
# pivots vanish within the step, or just after, if they fall to this part of their largest value in it
APPROACH = 0.4
# stages in the order of their times
IN_TIME = (0, 1, 2, 3, 6, 4, 7, 5, 9, 8, 10, 11)


@device
def distance(rk, k):
    return sqrt(rk.pivot[IN_TIME[k]])


@device
def passage(rk):
    """Fraction of the attempted step (more than 1: after it) at which the pivots vanish; -1 if that lies behind."""
    best, farthest = 0, 0.0
    for k in range(12):
        if distance(rk, k) < distance(rk, best):
            best = k
        farthest = max(farthest, distance(rk, k))
    if best == 0 or distance(rk, best) > APPROACH * farthest:
        first, last = distance(rk, 0), distance(rk, 11)
        return first / (first - last) if last < first else -1.0
    c, s = rk.C[IN_TIME[best]], distance(rk, best)
    c_left, s_left = rk.C[IN_TIME[best - 1]], distance(rk, best - 1)
    if s_left <= s:
        return c
    ahead = c + s * (c - c_left) / (s_left - s)
    behind = c_left + s_left / (s_left + s) * (c - c_left)
    if best == 11:
        # has it passed between the last two stages? the one before tells the slope
        c_before, s_before = rk.C[IN_TIME[9]], distance(rk, 9)
        expected = s_left + (s_left - s_before) * (c - c_left) / (c_left - c_before)
        return ahead if expected > 0.0 else behind
    return ahead if ahead < rk.C[IN_TIME[best + 1]] else behind


@device
def planned_step(room, nominal):
    """(step, whether it straddles the passage): `room` is the time to the passage, `nominal` the usual step."""
    if room > 0.6 * nominal:
        return room - 0.45 * nominal, False
    return room / GAP, True
