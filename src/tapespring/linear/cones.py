"""Forces of many contacts with Coulomb's friction at once: Gauss-Seidel over contacts, each solved exactly.

A contact c owns three directions 3c, 3c+1, 3c+2: its normal and two across it. What moves along them is
w = w_free + D x, with x the forces (or impulses) along them, and wanted is

    0 <= x_n,  0 <= w_n,  x_n w_n = 0,      |x_t| <= mu (x_n + given),  x_t against w_t where that holds as an equality.

The same problem gives velocities after an impact and accelerations of what is closed. Kinds of contacts:

    SMOOTH    no friction
    STILL     friction as above
    SLIDING   slips already: x_t = -mu x_n along a way that is given
"""

from math import atan2, cos, pi, sin, sqrt

from numpy import int64

from ..jit import device, small

SMOOTH, STILL, SLIDING = 0, 1, 2
# what a contact turned out to do
PARTS, HOLDS, SLIDES = 0, 1, 2
SWEEPS = 5000
SAME = 1e-15  # of the largest force: nothing changes any more
SOFT = 1e-9  # added to a block that may be singular; sweeps remove what that changes
LOOKS = 16  # for the direction of slip
NONE = -1


@small
def slip_forces(B, r, mu, given, d):
    """(x_n, w along d, w across d) of a contact that slips along d; x_n < 0 if there is no such thing."""
    coupling = B[1] * d[0] + B[2] * d[1]
    normal = r[0] - mu * given * coupling
    slope = B[0] - mu * coupling
    if normal >= 0.0:
        x = 0.0
    elif slope > 1e-12 * B[0]:
        x = -normal / slope
    else:
        return -1.0, 0.0, 0.0
    f = -mu * (x + given)
    w1 = r[1] + B[1] * x + f * (B[3] * d[0] + B[4] * d[1])
    w2 = r[2] + B[2] * x + f * (B[4] * d[0] + B[5] * d[1])
    return x, w1 * d[0] + w2 * d[1], w2 * d[0] - w1 * d[1]


@small
def towards(angle):
    return (cos(angle), sin(angle))


@device
def slip_angle(B, r, mu, given, begin):
    """(whether there is one, angle) at which a contact slips against its friction, searched from `begin` on."""
    best, found = 10.0, begin
    step = 2.0 * pi / LOOKS
    angle = begin
    x, _, across = slip_forces(B, r, mu, given, towards(angle))
    x_begin, across_begin = x, across
    for k in range(LOOKS):
        after = begin + (k + 1) * step
        x_after, _, across_after = slip_forces(B, r, mu, given, towards(after))
        if k == LOOKS - 1:  # around: to the very numbers of the beginning, whose sign may be rounding
            x_after, across_after = x_begin, across_begin
        if x >= 0.0 and x_after >= 0.0 and (across > 0.0) != (across_after > 0.0):
            low, high, rising = angle, after, across_after > 0.0
            for _ in range(60):
                middle = 0.5 * (low + high)
                if (slip_forces(B, r, mu, given, towards(middle))[2] > 0.0) == rising:
                    high = middle
                else:
                    low = middle
            root = 0.5 * (low + high)
            far = min(abs(root - begin), abs(root - begin - 2.0 * pi))
            if slip_forces(B, r, mu, given, towards(root))[1] >= 0.0 and far < best:
                best, found = far, root
        angle, x, across = after, x_after, across_after
    return best < 10.0, found


@small
def solve3(B, w):
    """-(B + a little)^-1 w of a symmetric block."""
    soft = SOFT * (B[0] + B[3] + B[5])
    a, b, c, d, e, f = B[0] + soft, B[1], B[2], B[3] + soft, B[4], B[5] + soft
    l1, l2 = b / a, c / a
    d1, e1, f1 = d - l1 * b, e - l1 * c, f - l2 * c
    y1, y2 = w[1] - l1 * w[0], w[2] - l2 * w[0]
    l3 = e1 / d1
    z2 = (y2 - l3 * y1) / (f1 - l3 * e1)
    z1 = (y1 - e1 * z2) / d1
    return -(w[0] - b * z1 - c * z2) / a, -z1, -z2


@small
def solve2(B, w):
    """The same of its two directions across."""
    soft = SOFT * (B[0] + B[3] + B[5])
    d, e, f = B[3] + soft, B[4], B[5] + soft
    det = d * f - e * e
    return -(f * w[1] - e * w[2]) / det, -(d * w[2] - e * w[1]) / det


@device
def still_contact(B, w, x, static, kinetic, given, eager):
    """(x_n, x_1, x_2, what it does) from present x and w: it parts, holds or slides; an eager one holds if it can."""
    r = (
        w[0] - B[0] * x[0] - B[1] * x[1] - B[2] * x[2],
        w[1] - B[1] * x[0] - B[3] * x[1] - B[4] * x[2],
        w[2] - B[2] * x[0] - B[4] * x[1] - B[5] * x[2],
    )
    if r[0] >= 0.0 and given == 0.0 and not eager:
        return 0.0, 0.0, 0.0, PARTS
    dn, d1, d2 = solve3(B, w)
    n, t1, t2 = x[0] + dn, x[1] + d1, x[2] + d2
    if n < 0.0:
        loose = (w[0] - B[0] * x[0], w[1] - B[1] * x[0], w[2] - B[2] * x[0])
        d1, d2 = solve2(B, loose)
        n, t1, t2 = 0.0, x[1] + d1, x[2] + d2
    pressed = n > 0.0 or (given > 0.0 and r[0] + B[1] * t1 + B[2] * t2 >= 0.0)
    if pressed and t1 * t1 + t2 * t2 <= (static * (n + given)) ** 2:
        return n, t1, t2, HOLDS
    if r[0] >= 0.0 and given == 0.0:
        return 0.0, 0.0, 0.0, PARTS
    begin = atan2(-x[2], -x[1]) if x[1] != 0.0 or x[2] != 0.0 else atan2(r[2], r[1])
    there, angle = slip_angle(B, r, kinetic, given, begin)
    d = towards(angle)
    n, _, _ = slip_forces(B, r, kinetic, given, d)
    if not there or n < 0.0:
        return x[0], x[1], x[2], NONE
    f = -kinetic * (n + given)
    return n, f * d[0], f * d[1], SLIDES


@small
def sliding_contact(B, w, x, kinetic, d):
    """The same of one that slips along d."""
    coupling = B[1] * d[0] + B[2] * d[1]
    f = -kinetic * x[0]
    # forces across the normal follow x_n, also where they did not so far
    r = w[0] - B[0] * x[0] - B[1] * x[1] - B[2] * x[2]
    slope = B[0] - kinetic * coupling
    if r >= 0.0:
        return 0.0, 0.0, 0.0, PARTS
    if slope <= 1e-12 * B[0]:
        return x[0], f * d[0], f * d[1], NONE
    n = -r / slope
    return n, -kinetic * n * d[0], -kinetic * n * d[1], SLIDES


@device
def solve_cones(D, free, x, w, m, kind, friction, way, given, status, eager):
    """x, w and status of m contacts; friction[c]: coefficients at rest and in slip; `eager`: a contact that holds if it
    can, though nothing presses it (-1: none). Returns a contact without a solution, or -1. x is where to begin."""
    for k in range(3 * m):
        s = free[k]
        for j in range(3 * m):
            s += D[k, j] * x[j]
        w[k] = s
    stuck = int64(NONE)
    for _ in range(SWEEPS):
        change, size = 0.0, 0.0
        stuck = int64(NONE)
        for c in range(m):
            k = 3 * c
            if not D[k, k] > 0.0:
                status[c] = HOLDS
                continue
            B = (D[k, k], D[k, k + 1], D[k, k + 2], D[k + 1, k + 1], D[k + 1, k + 2], D[k + 2, k + 2])
            here, now = (w[k], w[k + 1], w[k + 2]), (x[k], x[k + 1], x[k + 2])
            if kind[c] == STILL:
                n, t1, t2, does = still_contact(B, here, now, friction[c, 0], friction[c, 1], given[c], c == eager)
            elif kind[c] == SLIDING:
                n, t1, t2, does = sliding_contact(B, here, now, friction[c, 1], (way[c, 0], way[c, 1]))
            else:
                n = max(0.0, now[0] - here[0] / B[0])
                t1, t2, does = 0.0, 0.0, HOLDS if n > 0.0 else PARTS
            status[c] = does
            if does == NONE:
                stuck = int64(c)
            change = max(change, moved(D, w, x, m, k, n), moved(D, w, x, m, k + 1, t1), moved(D, w, x, m, k + 2, t2))
            size = max(size, abs(n) * sqrt(B[0]))
        if not change > SAME * size:
            break
    return stuck


@small
def moved(D, w, x, m, k, value):
    """x[k] <- value, and w with it; how much that is."""
    step = value - x[k]
    if step == 0.0:
        return 0.0
    x[k] = value
    for j in range(3 * m):
        w[j] += D[j, k] * step
    return abs(step) * sqrt(max(D[k, k], 0.0))
