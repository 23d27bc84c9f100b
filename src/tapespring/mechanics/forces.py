"""Applied forces: gravity, loads, forces along measures (springs, dampers, joint torques), bushings and elements.

Each adds to work.force and work.moment (world axes, moment about the node) and to work.power.
"""

from numpy import int64

from ..jit import device, small
from ..math.rotations import rotate
from ..math.vec3 import add_to3, axpy, cross, dot, from3, load3, scale, sub
from . import linking
from .bushings import add_bushings, bushing_energy
from .elements import has_elements
from .laws import potential
from .linking import law_jet, time_law
from .measures import counted, measure
from .motion import is_free
from .tables import DISSIPATED, DRIVES, LOADS, OF_RATE, OF_VALUE


@device
def put_weight(tables, n, work):
    """Start of every evaluation of a node: its weight, and no moment."""
    m = tables.nodes[n].weight
    for k in range(3):
        work.force[n, k] = m * tables.gravity[k]
        work.moment[n, k] = 0.0


@device
def add_gravity(tables, work):
    for n in range(len(tables.nodes)):
        put_weight(tables, n, work)


@device
def load_wrench(tables, i, t, work):
    """(force, moment about the node) of a load, world axes."""
    load = tables.loads[i]
    n = load.node
    force, moment = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for k in range(3):
        axis = from3(load.axes[k])
        f, _, _ = time_law(tables, load.law[k], t, work)
        m, _, _ = time_law(tables, load.law[3 + k], t, work)
        force, moment = axpy(load.share * f, axis, force), axpy(load.share * m, axis, moment)
    if load.follows:
        force, moment = rotate(work.R, n, force), rotate(work.R, n, moment)
    return force, axpy(1.0, cross(rotate(work.R, n, from3(load.s)), force), moment)


@device
def add_loads(tables, t, work):
    for i in range(len(tables.loads)):
        n = tables.loads[i].node
        force, about_node = load_wrench(tables, i, t, work)
        add_to3(work.force, n, 1.0, force)
        add_to3(work.moment, n, 1.0, about_node)
        if is_free(tables, n):
            work.power[LOADS] += dot(force, load3(work.v, n)) + dot(about_node, load3(work.w, n))


@device
def coupling_force(tables, i, t, c, rate, work):
    """(elastic, damping, active) forces along a measure, with their slopes (d/dc, d/drate of the total)."""
    coupling = tables.couplings[i]
    elastic, damping, active, slope, slope_rate = 0.0, 0.0, 0.0, 0.0, 0.0
    if coupling.elastic >= 0:
        elastic, slope, _, _ = law_jet(tables, coupling.elastic, int64(OF_VALUE), t, c - coupling.free, rate, work)
    if coupling.damping >= 0:
        damping, slope_rate, _, _ = law_jet(tables, coupling.damping, int64(OF_RATE), t, c - coupling.free, rate, work)
    if coupling.active >= 0:
        f, d1, d2, _ = law_jet(tables, coupling.active, int64(OF_VALUE), t, c - coupling.free, rate, work)
        active = coupling.sign * f
        slope -= coupling.sign * d1
        slope_rate -= coupling.sign * d2
    return elastic, damping, active, -slope, -slope_rate


@device
def add_film(tables, i, film, work):
    """Three dampers along the world axes at once: against the velocity of two points, which measure i is between."""
    m = tables.measures[i]
    ra, rb = rotate(work.R, m.a, from3(m.sa)), rotate(work.R, m.b, from3(m.sb))
    va, vb = velocity_of(work, m.a, ra), velocity_of(work, m.b, rb)
    u = sub(vb, va)
    f = scale(-film, u)
    add_to3(work.force, m.a, -1.0, f)
    add_to3(work.moment, m.a, -1.0, cross(ra, f))
    add_to3(work.force, m.b, 1.0, f)
    add_to3(work.moment, m.b, 1.0, cross(rb, f))
    work.power[DISSIPATED] -= dot(f, u)
    if not is_free(tables, m.a):
        work.power[DRIVES] += dot(f, va)
    if not is_free(tables, m.b):
        work.power[DRIVES] -= dot(f, vb)


@small
def velocity_of(work, n, arm):
    return axpy(1.0, cross(load3(work.w, n), arm), load3(work.v, n))


@device
def add_couplings(tables, t, work):
    for i in range(len(tables.couplings)):
        coupling = tables.couplings[i]
        if coupling.film != 0.0:
            if coupling.film > 0.0:
                add_film(tables, coupling.measure, coupling.film, work)
            continue
        m = tables.measures[coupling.measure]
        c, rate, _, na, ta, nb, tb = measure(tables, coupling.measure, work)
        c = counted(tables, work, coupling.measure, t, c)
        elastic, damping, active, _, _ = coupling_force(tables, i, t, c, rate, work)
        f = active - elastic - damping
        add_to3(work.force, m.a, f, na)
        add_to3(work.moment, m.a, f, ta)
        add_to3(work.force, m.b, f, nb)
        add_to3(work.moment, m.b, f, tb)
        work.power[DISSIPATED] += damping * rate
        work.power[LOADS] += active * rate
        work.power[DRIVES] += power_from_prescribed(tables, work, coupling.measure, f, na, ta, nb, tb)


@device
def power_from_prescribed(tables, work, i, f, na, ta, nb, tb):
    """Power a force along a measure takes from nodes whose motion is prescribed: work done by whoever moves them."""
    m = tables.measures[i]
    power = 0.0
    if not is_free(tables, m.a):
        power -= f * (dot(na, load3(work.v, m.a)) + dot(ta, load3(work.w, m.a)))
    if not is_free(tables, m.b):
        power -= f * (dot(nb, load3(work.v, m.b)) + dot(tb, load3(work.w, m.b)))
    return power


@device
def add_model_forces(tables, t, work):
    """Everything but gravity."""
    add_loads(tables, t, work)
    add_couplings(tables, t, work)
    add_bushings(tables, work)


@device
def apply_forces(tables, t, work):
    for k in range(len(work.power)):
        work.power[k] = 0.0
    add_gravity(tables, work)
    if len(tables.loads) + len(tables.couplings) + len(tables.bushings) > 0:
        linking.add_model_forces(tables, t, work)
    if has_elements(tables):
        linking.add_elements(tables, work)
    if len(tables.pressures) > 0:
        linking.add_pressures(tables, t, work)
    if len(work.pairs) > 0:
        linking.add_contacts(tables, work, 0, work.pair_count[0])
    if len(tables.grips) > 0:
        linking.add_grips(tables, t, work)


@device
def stores_energy(tables):
    springs = len(tables.couplings) + len(tables.bushings) + len(tables.contacts) + len(tables.grips)
    return springs + len(tables.beams) + len(tables.bars) + len(tables.cells) > 0


@device
def strain_energy(tables, t, work):
    """Energy stored in springs, bushings, elements, contacts and joints that stick."""
    total = linking.elements_energy(tables, work) if has_elements(tables) else 0.0
    for i in range(work.pair_count[0]):
        total += work.pair_out[i, 11]
    for g in range(len(work.grip_out)):
        total += work.grip_out[g, 4]
    for i in range(len(tables.bushings)):
        total += bushing_energy(tables, i, work)
    for i in range(len(tables.couplings)):
        coupling = tables.couplings[i]
        if coupling.elastic >= 0:
            c = measure(tables, coupling.measure, work)[0]
            total += potential(tables, coupling.elastic, counted(tables, work, coupling.measure, t, c) - coupling.free)
    return total
