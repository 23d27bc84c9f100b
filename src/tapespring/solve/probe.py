"""Look at states from Python: measures, reactions, coupling forces and section forces, at a state or along a record."""

from __future__ import annotations

import numpy as np

from ..jit import kernel
from ..math.vec3 import dot
from ..mechanics.bars import bar_energy, bar_geometry, bar_tension, end_velocity
from ..mechanics.beams import beam_energy, beam_stress
from ..mechanics.forces import coupling_force
from ..mechanics.measures import counted, measure
from ..mechanics.motion import place_nodes
from ..reference import by_reference


@kernel
def fill_measures(tables, work, t, q, v, which, value, rate):
    T, W = by_reference(tables), by_reference(work)
    place_nodes(T, t, q, v, W)
    for k in range(len(which)):
        c, dc, _, _, _, _, _ = measure(T, which[k], W)
        value[k] = counted(T, W, which[k], t, c)
        rate[k] = dc


def measure_values(tables, work, q, v, measures, t=0.0):
    """(values, rates) of some measures at a state."""
    which = np.array(measures, np.int64)
    value, rate = np.zeros(len(which)), np.zeros(len(which))
    fill_measures(tables, work, t, q.copy(), v.copy(), which, value, rate)
    return value, rate


@kernel
def fill_reactions(tables, work, record_time, record_q, record_v, multiplier, side_b, wrench):
    """wrench[k, r]: force and moment about the node, world axes, that row r exerts on its chosen side at output k."""
    T, W = by_reference(tables), by_reference(work)
    for k in range(len(record_time)):
        place_nodes(T, record_time[k], record_q[k], record_v[k], W)
        for r in range(len(T.rows)):
            for p in range(T.rows[r].first, T.rows[r].last):
                term = T.terms[p]
                _, _, _, na, ta, nb, tb = measure(T, term.measure, W)
                n, m = (nb, tb) if side_b[r] else (na, ta)
                s = -multiplier[k, r] * term.weight
                for i in range(3):
                    wrench[k, r, i] += s * n[i]
                    wrench[k, r, 3 + i] += s * m[i]


@kernel
def fill_couplings(tables, work, record_time, record_q, record_v, value, force):
    """force[k, i]: generalized force of coupling i along its measure; value[k, i]: the measure, turns counted along."""
    T, W = by_reference(tables), by_reference(work)
    for k in range(len(record_time)):
        t = record_time[k]
        place_nodes(T, t, record_q[k], record_v[k], W)
        for i in range(len(T.couplings)):
            _, rate, _, _, _, _, _ = measure(T, T.couplings[i].measure, W)
            elastic, damping, active, _, _ = coupling_force(T, i, t, value[k, i], rate, W)
            force[k, i] = active - elastic - damping


@kernel
def fill_beam_stress(tables, work, record_time, record_q, record_v, stress, strain, energy):
    """Per output k and beam e: stress[k, e] (N, Qy, Qz, Mx, My, Mz in the mean section's axes, with damping),
    strain[k, e] beyond the reference (stretch, two shears, twist, two curvatures) and elastic energy[k, e]."""
    T, W = by_reference(tables), by_reference(work)
    for k in range(len(record_time)):
        place_nodes(T, record_time[k], record_q[k], record_v[k], W)
        for e in range(len(T.beams)):
            n, m, shift, turn = beam_stress(T, e, W)
            energy[k, e] = beam_energy(T, e, W)
            for i in range(3):
                stress[k, e, i] = n[i]
                stress[k, e, 3 + i] = m[i]
                strain[k, e, i] = shift[i]
                strain[k, e, 3 + i] = turn[i]


@kernel
def fill_bar_tension(tables, work, record_time, record_q, record_v, tension, stretch, energy):
    """Per output k and bar i: tension[k, i] with damping, stretch[k, i] = l/L - 1 and elastic energy[k, i]."""
    T, W = by_reference(tables), by_reference(work)
    for k in range(len(record_time)):
        place_nodes(T, record_time[k], record_q[k], record_v[k], W)
        for i in range(len(T.bars)):
            l, n, ra, rb = bar_geometry(T, i, W)
            rate = dot(n, end_velocity(T, i, W, ra, rb))
            tension[k, i], _, _, _ = bar_tension(T, i, l, rate)
            stretch[k, i] = l / T.bars[i].length - 1.0
            energy[k, i] = bar_energy(T, i, W)
