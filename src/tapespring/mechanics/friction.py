"""Friction of contacts: force by slip, for floats and numbers that know their derivatives.

    REGULARISED   -μ N u/√(u² + u₀²)                 creeps under any load
    STICKING      -(k z + c u) as long as that stays below μ_s N, with z the elastic slip; else μ_k N against the slip

Whether a sticking contact slips is a mode while a time loop finds the instants at which it changes (`by_mode`); loops
with steps of their own let z grow by the slip of the step and cut it off where the force would be too large
(`by_slip`).
"""

from math import sqrt

from ..jit import small
from ..math.vec3 import add, axpy, dot, scale

TINY = 1e-300


@small
def across(n, u):
    """The part of u in the tangent plane."""
    return axpy(-1.0 * dot(n, u), n, u)


@small
def regularised(law, normal, u):
    return scale(-1.0 * law.kinetic * normal / sqrt(dot(u, u) + law.slip_speed * law.slip_speed), u)


@small
def sticking(law, z, u):
    """What holds a contact in its place: force against elastic slip z and its rate u."""
    return axpy(-1.0 * law.slip_stiffness, z, scale(-1.0 * law.slip_damping, u))


@small
def slipping(law, normal, u, way, still):
    """Against the slip; where it has come to rest or turned, against the way it had."""
    if dot(u, way) > still:
        return scale(-1.0 * law.kinetic * normal / sqrt(dot(u, u)), u)
    return scale(-1.0 * law.kinetic * normal, way)


@small
def by_slip(law, normal, z, slip, u):
    """(force, elastic slip at the end, whether it slips): z at the start of a step and in it the slip."""
    tried = add(z, slip)
    force = sticking(law, tried, u)
    size = sqrt(dot(force, force) + TINY)
    if size <= law.static * normal:
        return force, tried, False
    # against what would hold it; elastic slip is what this force keeps up, however fast it slips
    cut = scale(law.kinetic * normal / size, force)
    return cut, scale(-1.0 / law.slip_stiffness, cut), True
