"""Bushings: a 6x6 stiffness and damping between two markers.

The deformation is xi = (A'(pb - pa), log(A'B)) with A, B the markers' attitudes: translation and rotation of marker b
seen from marker a. The force derives from the energy xi' K xi / 2, so it is exact for large rotations too.
"""

from math import atan2, sqrt, tan

from ..jit import device
from ..math.rotations import rotate, rotate_back
from ..math.vec3 import add, add_to3, axpy, cross, dot, from3, load3, scale, sub
from .motion import is_free
from .tables import DISSIPATED, DRIVES, LOADS
from .tilts import tilt_energy, tilt_force


@device
def marker_to_world(R, n, marker, a):
    """World components of a vector given in a marker's axes; the marker's matrix is fixed in node n."""
    return rotate(R, n, (
        marker[0, 0] * a[0] + marker[0, 1] * a[1] + marker[0, 2] * a[2],
        marker[1, 0] * a[0] + marker[1, 1] * a[1] + marker[1, 2] * a[2],
        marker[2, 0] * a[0] + marker[2, 1] * a[1] + marker[2, 2] * a[2],
    ))  # fmt: skip


@device
def world_to_marker(R, n, marker, a):
    b = rotate_back(R, n, a)
    return (
        marker[0, 0] * b[0] + marker[1, 0] * b[1] + marker[2, 0] * b[2],
        marker[0, 1] * b[0] + marker[1, 1] * b[1] + marker[2, 1] * b[2],
        marker[0, 2] * b[0] + marker[1, 2] * b[1] + marker[2, 2] * b[2],
    )


@device
def rotation_between(tables, i, work):
    """log(A'B), in marker a's axes, for angles below pi."""
    bushing = tables.bushings[i]
    R, a, b = work.R, bushing.a, bushing.b
    c0 = world_to_marker(R, a, bushing.qa, marker_to_world(R, b, bushing.qb, (1.0, 0.0, 0.0)))
    c1 = world_to_marker(R, a, bushing.qa, marker_to_world(R, b, bushing.qb, (0.0, 1.0, 0.0)))
    c2 = world_to_marker(R, a, bushing.qa, marker_to_world(R, b, bushing.qb, (0.0, 0.0, 1.0)))
    axial = (0.5 * (c1[2] - c2[1]), 0.5 * (c2[0] - c0[2]), 0.5 * (c0[1] - c1[0]))
    sine = sqrt(dot(axial, axial))
    cosine = 0.5 * (c0[0] + c1[1] + c2[2] - 1.0)
    if sine < 1e-7 and cosine > 0.0:
        return axial
    return scale(atan2(sine, cosine) / sine, axial)


@device
def log_curvature(phi):
    """(1 - (p/2) cot(p/2)) / p^2 of the angle p = |phi|, and its slope by p over p."""
    p2 = dot(phi, phi)
    if p2 < 1e-4:
        return 1.0 / 12.0 + p2 / 720.0 + p2 * p2 / 30240.0, 1.0 / 360.0 + p2 / 7560.0
    p = sqrt(p2)
    half_cot = 0.5 * p / tan(0.5 * p)
    c = (1.0 - half_cot) / p2
    slope = (0.25 + half_cot * half_cot / p2 - half_cot / p2) / p2 - 2.0 * c / p2
    return c, slope


@device
def log_rate(phi, w):
    """Rate of log(C) for angular velocity w of C, both in the fixed axes."""
    c, _ = log_curvature(phi)
    pw = cross(phi, w)
    return axpy(c, cross(phi, pw), axpy(-0.5, pw, w))


@device
def log_rate_transposed(phi, m):
    c, _ = log_curvature(phi)
    pm = cross(phi, m)
    return axpy(c, cross(phi, pm), axpy(0.5, pm, m))


@device
def times6(matrix, u, w):
    """(upper, lower) three of a 6x6 matrix times (u, w)."""
    y0, y1, y2, y3, y4, y5 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    z = (u[0], u[1], u[2], w[0], w[1], w[2])
    for k in range(6):
        y0 += matrix[0, k] * z[k]
        y1 += matrix[1, k] * z[k]
        y2 += matrix[2, k] * z[k]
        y3 += matrix[3, k] * z[k]
        y4 += matrix[4, k] * z[k]
        y5 += matrix[5, k] * z[k]
    return (y0, y1, y2), (y3, y4, y5)


@device
def arms(tables, i, work):
    """(ra, rb, d): from node a to its marker, from node b to its marker, from marker a to marker b; world axes."""
    bushing = tables.bushings[i]
    ra, rb = rotate(work.R, bushing.a, from3(bushing.sa)), rotate(work.R, bushing.b, from3(bushing.sb))
    d = sub(add(load3(work.x, bushing.b), rb), add(load3(work.x, bushing.a), ra))
    return ra, rb, d


@device
def deformation(tables, i, work):
    """(translation, rotation) of marker b in marker a's axes."""
    bushing = tables.bushings[i]
    _, _, d = arms(tables, i, work)
    return world_to_marker(work.R, bushing.a, bushing.qa, d), rotation_between(tables, i, work)


@device
def deformation_rate(tables, i, work):
    bushing = tables.bushings[i]
    a, b = bushing.a, bushing.b
    ra, rb, d = arms(tables, i, work)
    wa, wb = load3(work.w, a), load3(work.w, b)
    va, vb = add(load3(work.v, a), cross(wa, ra)), add(load3(work.v, b), cross(wb, rb))
    du = world_to_marker(work.R, a, bushing.qa, sub(sub(vb, va), cross(wa, d)))
    phi = rotation_between(tables, i, work)
    return du, log_rate(phi, world_to_marker(work.R, a, bushing.qa, sub(wb, wa)))


@device
def bushing_energy(tables, i, work):
    bushing = tables.bushings[i]
    if bushing.tilts:
        return tilt_energy(tables, i, work, arms(tables, i, work)[2])[0]
    u, phi = deformation(tables, i, work)
    f, m = times6(bushing.stiffness, u, phi)
    return 0.5 * (dot(u, f) + dot(phi, m))


@device
def bushing_stress(tables, i, work):
    """(force, moment conjugate to the rotation vector) in marker a's axes, and the power dissipated."""
    bushing = tables.bushings[i]
    u, phi = deformation(tables, i, work)
    du, dphi = deformation_rate(tables, i, work)
    f, m = times6(bushing.stiffness, u, phi)
    fd, md = times6(bushing.damping, du, dphi)
    return add(f, fd), add(m, md), phi, dot(fd, du) + dot(md, dphi)


@device
def add_bushings(tables, work):
    for i in range(len(tables.bushings)):
        bushing = tables.bushings[i]
        a, b = bushing.a, bushing.b
        ra, rb, d = arms(tables, i, work)
        if bushing.tilts:
            n, loss = tilt_force(tables, i, work, ra, rb, d)
            torque = (0.0, 0.0, 0.0)
            work.power[LOADS] += tilt_energy(tables, i, work, d)[1]
        else:
            f, m, phi, loss = bushing_stress(tables, i, work)
            n = marker_to_world(work.R, a, bushing.qa, f)
            torque = marker_to_world(work.R, a, bushing.qa, log_rate_transposed(phi, m))
        on_a = add(cross(add(ra, d), n), torque)
        on_b = scale(-1.0, add(cross(rb, n), torque))
        add_to3(work.force, a, 1.0, n)
        add_to3(work.moment, a, 1.0, on_a)
        add_to3(work.force, b, -1.0, n)
        add_to3(work.moment, b, 1.0, on_b)
        work.power[DISSIPATED] += loss
        if not is_free(tables, a):
            work.power[DRIVES] -= dot(n, load3(work.v, a)) + dot(on_a, load3(work.w, a))
        if not is_free(tables, b):
            work.power[DRIVES] -= -dot(n, load3(work.v, b)) + dot(on_b, load3(work.w, b))
