"""Beam elements: constant strain between two section frames A, B of two nodes.

    Ω = log(A⁻¹B) = (ρ, φ),   strain ε = Ω / L,   stress s = K (ε - ε0) + β K ε',   energy L (ε - ε0)' K (ε - ε0) / 2

Shear strain that is really bending within the element (most of it in slender beams) is an S whose arc is longer than
its chord. The stretch counts that (see build.beam_element),

    Γx -> (1 - c) Γx + c λ,    λ² = Γx² + by Γy² + bz Γz²,    c the share of bending.

Without it sections turn aside under tension as soon as it exceeds 12 EI/L², which is little in a strap, and the beam
gives way. Damping acts on the plain strain rate.

With η the twist of B relative to A in B's axes, Ω' = J η (see math.screws), so the stress acts on B's section with the
wrench f = J' s, in B's axes, and on A's with its opposite. All is exact for any rotation of the element as a whole and
for strains that turn B by less than π.
"""

from math import sqrt

from ..jit import device, small
from ..math.mat3 import block33, load33, product, transform, transform_back, transposed
from ..math.screws import log_coefficients, log_rate, log_rate_along, rotation_vector
from ..math.vec3 import add, add_to3, axpy, cross, dot, load3, scale, sub
from .motion import is_free
from .tables import DISSIPATED, DRIVES

ZERO = (0.0, 0.0, 0.0)
TINY = 1e-30  # so that λ > 0


@small
def sections(tables, e, work):
    """(RA, RB, ra, rb, d): attitudes of the sections, arms from the nodes to them, from A to B; world axes."""
    beam = tables.beams[e]
    a, b = beam.a, beam.b
    Ra, Rb = load33(work.R, a), load33(work.R, b)
    ra = transform(Ra, (beam.sa[0], beam.sa[1], beam.sa[2]))
    rb = transform(Rb, (beam.sb[0], beam.sb[1], beam.sb[2]))
    d = sub(add(load3(work.x, b), rb), add(load3(work.x, a), ra))
    return product(Ra, block33(beam.qa, 0, 0)), product(Rb, block33(beam.qb, 0, 0)), ra, rb, d


@small
def screw(RA, RB, d):
    """(ρ, φ, c, c', c''): Ω and the coefficients of its derivatives."""
    phi = rotation_vector(product(transposed(RA), RB))
    c, c1, c2 = log_coefficients(dot(phi, phi))
    return log_rate(-0.5, c, phi, transform_back(RA, d)), phi, c, c1, c2


@small
def relative_twist(tables, e, work, RB, ra, rb, d):
    """η: twist of section B relative to A, in B's axes."""
    beam = tables.beams[e]
    a, b = beam.a, beam.b
    wa, wb = load3(work.w, a), load3(work.w, b)
    vb = add(load3(work.v, b), cross(wb, rb))
    va = add(load3(work.v, a), cross(wa, add(ra, d)))
    return transform_back(RB, sub(vb, va)), transform_back(RB, sub(wb, wa))


@small
def screw_rate(rho, phi, c, c1, u, w):
    """Ω' = J η"""
    return add(log_rate(0.5, c, phi, u), log_rate_along(0.5, c, c1, phi, rho, w)), log_rate(0.5, c, phi, w)


@small
def stiffness_times(tables, e, g, k):
    """K (Γ, κ)"""
    K = tables.beams[e].stiffness
    K11, K12, K22 = block33(K, 0, 0), block33(K, 0, 3), block33(K, 3, 3)
    return add(transform(K11, g), transform(K12, k)), add(transform_back(K12, g), transform(K22, k))


@small
def strain_beyond(tables, e, rho, phi):
    """ε - ε0"""
    beam = tables.beams[e]
    r, ref = 1.0 / beam.length, beam.strain
    g = (r * rho[0] - ref[0], r * rho[1] - ref[1], r * rho[2] - ref[2])
    return g, (r * phi[0] - ref[3], r * phi[1] - ref[4], r * phi[2] - ref[5])


@small
def bowed(beam, g):
    """(Γ with the length of the bow in its stretch, u = dλ/dΓ, 1/λ)"""
    b, x = beam.bow, g[0] + beam.strain[0]
    y, z = b[1] * g[1], b[2] * g[2]
    length = sqrt(x * x + y * g[1] + z * g[2] + TINY)
    r = 1.0 / length
    return (g[0] + b[0] * (length - x), g[1], g[2]), (r * x, r * y, r * z), r


@small
def pulled_straight(beam, u, n):
    """Force by Γ, from the force by the bowed Γ: tension pulls a bow straight."""
    c = beam.bow[0]
    return (n[0] * (1.0 - c + c * u[0]), n[1] + c * u[1] * n[0], n[2] + c * u[2] * n[0])


@small
def elastic_stress(tables, e, g, k):
    """(force, moment): the energy's derivative by Γ and κ."""
    stretched, u, _ = bowed(tables.beams[e], g)
    n, m = stiffness_times(tables, e, stretched, k)
    return pulled_straight(tables.beams[e], u, n), m


@device
def damping_stress(tables, e, work, RB, ra, rb, d, rho, phi, c, c1):
    """(force, moment) β K ε' and the power it takes."""
    beam = tables.beams[e]
    u, w = relative_twist(tables, e, work, RB, ra, rb, d)
    du, dw = screw_rate(rho, phi, c, c1, u, w)
    n, m = stiffness_times(tables, e, du, dw)
    r = beam.damping / beam.length
    return scale(r, n), scale(r, m), r * (dot(n, du) + dot(m, dw))


@device
def beam_stress(tables, e, work):
    """(force, moment, strain beyond the reference (Γ, κ)): stress with damping, constant over the element."""
    RA, RB, ra, rb, d = sections(tables, e, work)
    rho, phi, c, c1, _ = screw(RA, RB, d)
    g, k = strain_beyond(tables, e, rho, phi)
    n, m = elastic_stress(tables, e, g, k)
    if tables.beams[e].damping > 0.0:
        nd, md, _ = damping_stress(tables, e, work, RB, ra, rb, d, rho, phi, c, c1)
        n, m = add(n, nd), add(m, md)
    return n, m, g, k


@device
def beam_energy(tables, e, work):
    RA, RB, _, _, d = sections(tables, e, work)
    rho, phi, _, _, _ = screw(RA, RB, d)
    g, k = strain_beyond(tables, e, rho, phi)
    g, _, _ = bowed(tables.beams[e], g)
    n, m = stiffness_times(tables, e, g, k)
    return 0.5 * tables.beams[e].length * (dot(g, n) + dot(k, m))


@small
def section_wrench(rho, phi, c, c1, n, m):
    """f = J' s in B's axes: (force, moment about section B)."""
    return log_rate(-0.5, c, phi, n), add(log_rate(-0.5, c, phi, m), log_rate_along(-0.5, c, c1, phi, rho, n))


@device
def add_beam(tables, e, work):
    beam = tables.beams[e]
    a, b = beam.a, beam.b
    RA, RB, ra, rb, d = sections(tables, e, work)
    rho, phi, c, c1, _ = screw(RA, RB, d)
    g, k = strain_beyond(tables, e, rho, phi)
    n, m = elastic_stress(tables, e, g, k)
    if beam.damping > 0.0:
        nd, md, loss = damping_stress(tables, e, work, RB, ra, rb, d, rho, phi, c, c1)
        n, m = add(n, nd), add(m, md)
        work.power[DISSIPATED] += loss
    force, moment = section_wrench(rho, phi, c, c1, n, m)
    force, moment = transform(RB, force), transform(RB, moment)
    on_a = axpy(1.0, cross(add(ra, d), force), moment)
    on_b = axpy(1.0, cross(rb, force), moment)
    add_to3(work.force, a, 1.0, force)
    add_to3(work.moment, a, 1.0, on_a)
    add_to3(work.force, b, -1.0, force)
    add_to3(work.moment, b, -1.0, on_b)
    if not is_free(tables, a):
        work.power[DRIVES] -= dot(force, load3(work.v, a)) + dot(on_a, load3(work.w, a))
    if not is_free(tables, b):
        work.power[DRIVES] += dot(force, load3(work.v, b)) + dot(on_b, load3(work.w, b))
