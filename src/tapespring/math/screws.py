"""The logarithm in SE(3) and its derivatives, for angles below π.

A screw Ω = (ρ, φ) is a dual vector φ + ε ρ, ε² = 0, and every function of rotations carries over to placements by dual
arithmetic: what φ does twice in a 6x6 matrix [[X, Y], [0, X]], ρ does once, as the derivative Y of X along ρ. So

    Ω' = J η,  J = [[D, E], [0, D]],  D = 1 + φ×/2 + c φ×φ×,  E = derivative of D along ρ

for the body twist η. This is 1 + ad/2 + ad²/12 - ad⁴/720 + ... summed, with c(φ²) = (1 - (φ/2) cot(φ/2)) / φ².
"""

from math import atan2, sqrt

from ..jit import small
from .mat3 import axpy33, dyad, plus33, product, scale33, skew
from .vec3 import axpy, cross, dot, scale

# c(z) = 2 sum of 1 / ((2 pi n)^2 - z) over n = 1, 2, ...: two terms as they are, the others as a series in z
POLE1, POLE2 = 39.47841760435743, 157.91367041742973
C0, C1, C2, C3 = 0.02000759355687223, 2.5438120688625627e-05, 5.584568390494415e-08, 1.408824157476105e-10
C4, C5, C6, C7 = 3.7567162002157994e-13, 1.0280125375360467e-15, 2.850022129213793e-18, 7.95557541071985e-21
C8, C9, C10 = 2.2289326645537027e-23, 6.257471150805777e-26, 1.7586730492909698e-28


@small
def log_coefficients(z):
    """(c, c', c'') at z = φ²: c, and its slopes dc = c' φ·dφ, dc' = c'' φ·dφ; to rounding for angles up to π."""
    i, k = 1.0 / (POLE1 - z), 1.0 / (POLE2 - z)
    p = C5 + z * (C6 + z * (C7 + z * (C8 + z * (C9 + z * C10))))
    p = C0 + z * (C1 + z * (C2 + z * (C3 + z * (C4 + z * p))))
    p1 = 5.0 * C5 + z * (6.0 * C6 + z * (7.0 * C7 + z * (8.0 * C8 + z * (9.0 * C9 + z * (10.0 * C10)))))
    p1 = C1 + z * (2.0 * C2 + z * (3.0 * C3 + z * (4.0 * C4 + z * p1)))
    p2 = 30.0 * C6 + z * (42.0 * C7 + z * (56.0 * C8 + z * (72.0 * C9 + z * (90.0 * C10))))
    p2 = 2.0 * C2 + z * (6.0 * C3 + z * (12.0 * C4 + z * (20.0 * C5 + z * p2)))
    ii, kk = i * i, k * k
    return 2.0 * (i + k) + p, 4.0 * (ii + kk) + 2.0 * p1, 16.0 * (ii * i + kk * k) + 4.0 * p2


@small
def half_turn(C):
    """Unit quaternion (w, x, y, z) of a matrix whose trace is not positive: by its largest component."""
    if C[0] >= C[4] and C[0] >= C[8]:
        s = sqrt(1.0 + C[0] - C[4] - C[8])
        r = 0.5 / s
        q = (r * (C[7] - C[5]), 0.5 * s, r * (C[1] + C[3]), r * (C[2] + C[6]))
    elif C[4] >= C[8]:
        s = sqrt(1.0 - C[0] + C[4] - C[8])
        r = 0.5 / s
        q = (r * (C[2] - C[6]), r * (C[1] + C[3]), 0.5 * s, r * (C[5] + C[7]))
    else:
        s = sqrt(1.0 - C[0] - C[4] + C[8])
        r = 0.5 / s
        q = (r * (C[3] - C[1]), r * (C[2] + C[6]), r * (C[5] + C[7]), 0.5 * s)
    return q if q[0] >= 0.0 else (-q[0], -q[1], -q[2], -q[3])


@small
def rotation_vector(C):
    """log C, at most π long."""
    trace = C[0] + C[4] + C[8]
    if trace > 0.0:
        s = sqrt(1.0 + trace)
        r = 0.5 / s
        q = (0.5 * s, r * (C[7] - C[5]), r * (C[2] - C[6]), r * (C[3] - C[1]))
    else:
        q = half_turn(C)
    a = (q[1], q[2], q[3])
    s2 = dot(a, a)
    if s2 < 0.01:  # 2 asin(s) / s
        r = 0.044642857142857144 + s2 * (
            0.030381944444444444 + s2 * (0.022372159090909092 + s2 * (0.017352764423076924 + s2 * 0.01396484375))
        )
        return scale(2.0 + 2.0 * s2 * (0.16666666666666666 + s2 * (0.075 + s2 * r)), a)
    s = sqrt(s2)
    return scale(2.0 * atan2(s, q[0]) / s, a)


@small
def log_rate(half, c, phi, u):
    """D u for half = 1/2, D' u for half = -1/2."""
    p = cross(phi, u)
    return axpy(c, cross(phi, p), axpy(half, p, u))


@small
def log_rate_along(half, c, c1, phi, rho, u):
    """E u for half = 1/2, E' u for half = -1/2: the change of log_rate when φ changes by ρ."""
    pu, ru = cross(phi, u), cross(rho, u)
    twice = axpy(1.0, cross(rho, pu), cross(phi, ru))
    return axpy(c1 * dot(phi, rho), cross(phi, pu), axpy(c, twice, scale(half, ru)))


@small
def log_matrices(c, c1, phi, rho):
    """(D, E)"""
    z, pr = dot(phi, phi), dot(phi, rho)
    h = 1.0 - c * z
    D = axpy33(c, dyad(phi, phi), axpy33(0.5, skew(phi), (h, 0.0, 0.0, 0.0, h, 0.0, 0.0, 0.0, h)))
    e = -2.0 * c * pr - c1 * pr * z
    E = axpy33(c1 * pr, dyad(phi, phi), axpy33(0.5, skew(rho), (e, 0.0, 0.0, 0.0, e, 0.0, 0.0, 0.0, e)))
    return D, axpy33(c, plus33(dyad(phi, rho), dyad(rho, phi)), E)


@small
def slope(half, c, c1, phi, u):
    """Matrix of the change of log_rate(half, c, φ, u) by φ."""
    z, pu = dot(phi, phi), dot(phi, u)
    first = axpy33(c, dyad(phi, u), axpy33(-half, skew(u), (c * pu, 0.0, 0.0, 0.0, c * pu, 0.0, 0.0, 0.0, c * pu)))
    return plus33(first, dyad(axpy(c1 * pu, phi, scale(-2.0 * c - c1 * z, u)), phi))


@small
def bend(c, c1, c2, phi, rho, u):
    """Matrix of the change of log_rate_along(half, φ, ρ, u) by φ: the second derivative of D u."""
    z, pu, ru, pr = dot(phi, phi), dot(phi, u), dot(rho, u), dot(phi, rho)
    e = c * ru + c1 * pr * pu
    left = axpy(c, rho, scale(c1 * pr, phi))
    twice = axpy(pu, phi, scale(-z, u))
    on_phi = axpy(c1 * pu, rho, axpy(c1 * ru, phi, axpy(-4.0 * c1 * pr, u, scale(c2 * pr, twice))))
    on_rho = axpy(c1, twice, scale(-2.0 * c, u))
    by_u = plus33(dyad(left, u), (e, 0.0, 0.0, 0.0, e, 0.0, 0.0, 0.0, e))
    return plus33(by_u, plus33(dyad(on_phi, phi), dyad(on_rho, rho)))


@small
def dual_product(X, Y):
    """Product of two matrices [[X, Y], [0, X]] given as pairs (X, Y)."""
    from_left = axpy33(1.0, product(X[0], Y[1]), product(X[1], Y[0]))
    return product(X[0], Y[0]), from_left


@small
def dual_axpy(s, X, Y):
    """s X + Y of pairs"""
    return axpy33(s, X[0], Y[0]), axpy33(s, X[1], Y[1])


@small
def dual_scale(s, X):
    return scale33(s, X[0]), scale33(s, X[1])
