"""Materials that are not linear in Green's strain: energy, stress and stiffness at a point, and of cells of points.

A cell with points has for each a weight (volume, or area) and a matrix Q from its scalars to the strain there in the
material's axes:  σ = Σ w Q' S,  C = Σ w Q' D Q.

Neo-Hookean solid:  W = μ/2 (tr C - 3) - μ ln J + λ/2 (ln J)²,  C = 1 + 2E.

Tension field (a membrane that wrinkles instead of carrying compression): the energy is the least that any wrinkling
leaves, which is also the most that tension in a single direction t gives (Pipkin's relaxed energy and its dual),

    W = max over t of  (t·E t)₊² / 2c(t),      c(t) the compliance in pulling along t,

unless the sheet is taut all around. A small part of the linear law remains, so that slack sheets are not lost.
"""

from math import atan2, cos, log, pi, sin, sqrt

from ..jit import device, small
from .tables import NEO_HOOKEAN

REST = 1e-6  # of the linear law that remains when slack or wrinkled
ANGLES = 12  # tried before the direction of tension is refined
REFINEMENTS = 12


# -- points -----------------------------------------------------------------------------------------------------------
@device
def neo_hookean(numbers, at, lane, e, S, D):
    """S, D <- stress and stiffness at strain e (11, 22, 33, 2·23, 2·31, 2·12); the energy density."""
    mu, lame = numbers[at, lane], numbers[at + 1, lane]
    a, b, c = 1.0 + 2.0 * e[0], 1.0 + 2.0 * e[1], 1.0 + 2.0 * e[2]
    f, g, h = e[3], e[4], e[5]
    A, B, C = b * c - f * f, a * c - g * g, a * b - h * h
    F, G, H = g * h - a * f, f * h - b * g, f * g - c * h
    det = a * A + h * H + g * G
    r = 1.0 / det
    A, B, C, F, G, H = r * A, r * B, r * C, r * F, r * G, r * H
    lnJ = 0.5 * log(det)
    p = lame * lnJ - mu
    S[0], S[1], S[2] = mu + p * A, mu + p * B, mu + p * C
    S[3], S[4], S[5] = p * F, p * G, p * H
    inverse = (A, B, C, F, G, H)
    for i in range(6):
        for j in range(6):
            D[i, j] = lame * inverse[i] * inverse[j]
    q = -2.0 * p
    M = ((A, H, G), (H, B, F), (G, F, C))
    pairs = ((0, 0), (1, 1), (2, 2), (1, 2), (2, 0), (0, 1))
    for i in range(6):
        k, l = pairs[i]
        for j in range(6):
            m, n = pairs[j]
            D[i, j] += 0.5 * q * (M[k][m] * M[l][n] + M[k][n] * M[l][m])
    return 0.5 * mu * (a + b + c - 3.0) - mu * lnJ + 0.5 * lame * lnJ * lnJ


@small
def pulled(e, F, angle):
    """(T, T', u, u', u'', c, c', c'') of tension along an angle: T·E is the stretch there, c = T'FT the compliance."""
    x, y = cos(angle), sin(angle)
    T = (x * x, y * y, x * y)
    d = (-2.0 * x * y, 2.0 * x * y, x * x - y * y)
    dd = (-2.0 * d[2], 2.0 * d[2], -4.0 * x * y)
    FT = times3(F, T)
    Fd = times3(F, d)
    return (
        T, d, dot3(T, e), dot3(d, e), dot3(dd, e),
        dot3(T, FT), 2.0 * dot3(d, FT), 2.0 * (dot3(dd, FT) + dot3(d, Fd)),
    )  # fmt: skip


@small
def dot3(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@small
def times3(F, a):
    """A symmetric matrix, its six entries (11, 22, 33, 23, 31, 12), times a vector."""
    return (
        F[0] * a[0] + F[5] * a[1] + F[4] * a[2],
        F[5] * a[0] + F[1] * a[1] + F[3] * a[2],
        F[4] * a[0] + F[3] * a[1] + F[2] * a[2],
    )


@device
def tension_angle(e, F):
    """The direction in which tension stores most; its slope vanishes to rounding."""
    best, most = 0.0, -1.0
    principal = 0.5 * atan2(e[2], e[0] - e[1])
    for k in range(ANGLES):
        angle = principal + pi * k / ANGLES
        _, _, u, _, _, c, _, _ = pulled(e, F, angle)
        value = u * u / c if u > 0.0 else 0.0
        if value > most:
            best, most = angle, value
    for _ in range(REFINEMENTS):
        _, _, u, du, ddu, c, dc, ddc = pulled(e, F, best)
        slope = u * du / c - 0.5 * u * u * dc / (c * c)
        bend = (du * du + u * ddu) / c - 2.0 * u * du * dc / (c * c)
        bend += u * u * (dc * dc / c - 0.5 * ddc) / (c * c)
        if not bend < 0.0:
            break
        step = slope / bend
        best -= step
        if abs(step) < 1e-14:
            break
    return best


@small
def six_of(numbers, at, lane):
    return (
        numbers[at, lane], numbers[at + 1, lane], numbers[at + 2, lane], numbers[at + 3, lane], numbers[at + 4, lane],
        numbers[at + 5, lane],
    )  # fmt: skip


@device
def tension_field(numbers, at, lane, e, S, D):
    """S, D <- stress and stiffness at strain e (11, 22, 2·12); the energy density. Numbers: stiffness (11, 22, 33, 23,
    31, 12), then compliance alike."""
    K = six_of(numbers, at, lane)
    strain = (e[0], e[1], e[2])
    s = times3(K, strain)
    mean, half = 0.5 * (s[0] + s[1]), 0.5 * (s[0] - s[1])
    taut = mean >= sqrt(half * half + s[2] * s[2])
    keep = 1.0 if taut else REST
    S[0], S[1], S[2] = keep * s[0], keep * s[1], keep * s[2]
    D[0, 0], D[1, 1], D[2, 2] = keep * K[0], keep * K[1], keep * K[2]
    D[1, 2] = D[2, 1] = keep * K[3]
    D[0, 2] = D[2, 0] = keep * K[4]
    D[0, 1] = D[1, 0] = keep * K[5]
    energy = 0.5 * keep * dot3(s, strain)
    mean, half = 0.5 * (e[0] + e[1]), 0.5 * (e[0] - e[1])
    if taut or mean + sqrt(half * half + 0.25 * e[2] * e[2]) <= 0.0:
        return energy
    F = six_of(numbers, at + 6, lane)
    T, d, u, du, ddu, c, dc, ddc = pulled(strain, F, tension_angle(strain, F))
    r = 1.0 / c
    bend = r * (du * du + u * ddu) - 2.0 * r * r * u * du * dc + r * r * u * u * (r * dc * dc - 0.5 * ddc)
    for i in range(3):
        S[i] += r * u * T[i]
        left = r * (du * T[i] + u * d[i]) - r * r * u * dc * T[i]
        for j in range(3):
            right = r * (du * T[j] + u * d[j]) - r * r * u * dc * T[j]
            D[i, j] += r * T[i] * T[j] - left * right / bend
    return energy + 0.5 * r * u * u


# -- cells ------------------------------------------------------------------------------------------------------------
@device
def point_strain(tables, at, lane, size, count, s, e):
    """e <- Q s; at, lane: where Q begins."""
    for i in range(size):
        total = 0.0
        for k in range(count):
            total += tables.cell_numbers[at + i * count + k, lane] * s[k]
        e[i] = total


@device
def at_point(tables, e, law_at, work):
    """Stress and stiffness left in work.point_stress and point_stiffness; the energy density."""
    numbers, lane = tables.cell_numbers, tables.cells[e].lane
    if tables.cells[e].law == NEO_HOOKEAN:
        return neo_hookean(numbers, law_at, lane, work.point_strain, work.point_stress, work.point_stiffness)
    return tension_field(numbers, law_at, lane, work.point_strain, work.point_stress, work.point_stiffness)


@device
def respond(tables, e, form, s, work, stress, C, want_C):
    """stress <- Σ w Q' S and, if wanted, C <- Σ w Q' D Q; the energy."""
    cell, count = tables.cells[e], form.scalars
    size = 6 if cell.law == NEO_HOOKEAN else 3
    stride = 1 + size * count
    first, lane = cell.number + form.matrix, cell.lane
    law_at = first + cell.points * stride
    energy = 0.0
    for k in range(count):
        stress[k] = 0.0
        if want_C:
            for l in range(count):
                C[count * k + l] = 0.0
    for p in range(cell.points):
        weight, Q = tables.cell_numbers[first + p * stride, lane], first + p * stride + 1
        point_strain(tables, Q, lane, size, count, s, work.point_strain)
        energy += weight * at_point(tables, e, law_at, work)
        for i in range(size):
            w = weight * work.point_stress[i]
            for k in range(count):
                stress[k] += w * tables.cell_numbers[Q + i * count + k, lane]
        if want_C:
            add_stiffness(tables, Q, lane, size, count, weight, work, C)
    return energy


@device
def mean_stress(tables, e, form, work):
    """work.point_strain <- stress at work.cell_s, averaged over the points."""
    cell, count = tables.cells[e], form.scalars
    size = 6 if cell.law == NEO_HOOKEAN else 3
    stride = 1 + size * count
    first, lane = cell.number + form.matrix, cell.lane
    total, mean = 0.0, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for p in range(cell.points):
        weight = tables.cell_numbers[first + p * stride, lane]
        point_strain(tables, first + p * stride + 1, lane, size, count, work.cell_s, work.point_strain)
        at_point(tables, e, first + cell.points * stride, work)
        S = work.point_stress
        total += weight
        mean = (
            mean[0] + weight * S[0], mean[1] + weight * S[1], mean[2] + weight * S[2],
            mean[3] + weight * S[3], mean[4] + weight * S[4], mean[5] + weight * S[5],
        )  # fmt: skip
    for i in range(6):
        work.point_strain[i] = 0.0
    for i in range(size):
        work.point_strain[i] = mean[i] / total


@device
def unstrained_stiffness(tables, e, form, work):
    """work.cell_C <- the stiffness at no strain (a taut sheet's)."""
    cell, count = tables.cells[e], form.scalars
    size = 6 if cell.law == NEO_HOOKEAN else 3
    stride = 1 + size * count
    first, lane = cell.number + form.matrix, cell.lane
    for k in range(count):
        for l in range(count):
            work.cell_C[count * k + l] = 0.0
    for i in range(6):
        work.point_strain[i] = 0.0
    at_point(tables, e, first + cell.points * stride, work)
    for p in range(cell.points):
        at = first + p * stride
        add_stiffness(tables, at + 1, lane, size, count, tables.cell_numbers[at, lane], work, work.cell_C)


@device
def add_stiffness(tables, Q, lane, size, count, weight, work, C):
    """C += weight Q' D Q"""
    for i in range(size):
        for k in range(count):
            total = 0.0
            for j in range(size):
                total += work.point_stiffness[i, j] * tables.cell_numbers[Q + j * count + k, lane]
            work.point_rows[i, k] = weight * total
    for i in range(size):
        for k in range(count):
            q = tables.cell_numbers[Q + i * count + k, lane]
            if q != 0.0:
                for l in range(count):
                    C[count * k + l] += q * work.point_rows[i, l]
