"""Rotations: unit quaternions (w, x, y, z) and matrices, both body to world; rotation vectors; Cayley's map.

Matrices live in arrays R[i] of shape (3, 3); vectors are tuples.
"""

from math import cos, sin, sqrt

from ..jit import device


@device
def matrix_from_quaternion(w, x, y, z, R, i):
    """R[i] of a quaternion of any length: exact also at Runge-Kutta stages, where the length is not yet one."""
    s = 2.0 / (w * w + x * x + y * y + z * z)
    R[i, 0, 0] = 1.0 - s * (y * y + z * z)
    R[i, 0, 1] = s * (x * y - w * z)
    R[i, 0, 2] = s * (x * z + w * y)
    R[i, 1, 0] = s * (x * y + w * z)
    R[i, 1, 1] = 1.0 - s * (x * x + z * z)
    R[i, 1, 2] = s * (y * z - w * x)
    R[i, 2, 0] = s * (x * z - w * y)
    R[i, 2, 1] = s * (y * z + w * x)
    R[i, 2, 2] = 1.0 - s * (x * x + y * y)


@device
def rotate(R, i, a):
    """World components of a body vector."""
    return (
        R[i, 0, 0] * a[0] + R[i, 0, 1] * a[1] + R[i, 0, 2] * a[2],
        R[i, 1, 0] * a[0] + R[i, 1, 1] * a[1] + R[i, 1, 2] * a[2],
        R[i, 2, 0] * a[0] + R[i, 2, 1] * a[1] + R[i, 2, 2] * a[2],
    )


@device
def rotate_back(R, i, a):
    """Body components of a world vector."""
    return (
        R[i, 0, 0] * a[0] + R[i, 1, 0] * a[1] + R[i, 2, 0] * a[2],
        R[i, 0, 1] * a[0] + R[i, 1, 1] * a[1] + R[i, 2, 1] * a[2],
        R[i, 0, 2] * a[0] + R[i, 1, 2] * a[1] + R[i, 2, 2] * a[2],
    )


@device
def quaternion_product(p, q):
    return (
        p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
        p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
        p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
        p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0],
    )


@device
def quaternion_exp(a):
    """Quaternion of the rotation vector a."""
    angle2 = a[0] * a[0] + a[1] * a[1] + a[2] * a[2]
    if angle2 < 1e-2:  # series, exact to rounding
        x = 0.25 * angle2
        s = 0.5 * (1.0 - x / 6.0 * (1.0 - x / 20.0 * (1.0 - x / 42.0 * (1.0 - x / 72.0))))
        c = 1.0 - x / 2.0 * (1.0 - x / 12.0 * (1.0 - x / 30.0 * (1.0 - x / 56.0 * (1.0 - x / 90.0))))
        return (c, s * a[0], s * a[1], s * a[2])
    angle = sqrt(angle2)
    s = sin(0.5 * angle) / angle
    return (cos(0.5 * angle), s * a[0], s * a[1], s * a[2])


@device
def quaternion_cayley(a):
    """Quaternion of Cayley's map of a: rotation by 2 atan(|a|/2) about a."""
    s = 1.0 / sqrt(1.0 + 0.25 * (a[0] * a[0] + a[1] * a[1] + a[2] * a[2]))
    return (s, 0.5 * s * a[0], 0.5 * s * a[1], 0.5 * s * a[2])


@device
def normalized(q):
    s = 1.0 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    return (s * q[0], s * q[1], s * q[2], s * q[3])


@device
def quaternion_rate(q, w):
    """dq/dt for angular velocity w in body axes: q (0, w) / 2."""
    return (
        0.5 * (-q[1] * w[0] - q[2] * w[1] - q[3] * w[2]),
        0.5 * (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]),
        0.5 * (q[0] * w[1] - q[1] * w[2] + q[3] * w[0]),
        0.5 * (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]),
    )
