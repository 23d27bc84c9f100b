"""Look at states from Python: measures, reactions, coupling forces and section forces, at a state or along a record."""

from __future__ import annotations

import numpy as np

from ..jit import kernel
from ..math.vec3 import dot
from ..mechanics.bars import bar_energy, bar_geometry, bar_tension, end_velocity
from ..mechanics.beams import beam_energy, beam_stress
from ..mechanics.cell_laws import mean_stress
from ..mechanics.cells import stressed
from ..mechanics.forces import coupling_force
from ..mechanics.measures import counted, measure
from ..mechanics.motion import place_nodes
from ..mechanics.tables import LINEAR


@kernel
def fill_measures(tables, work, t, q, v, which, value, rate):
    place_nodes(tables, t, q, v, work)
    for k in range(len(which)):
        c, dc, _, _, _, _, _ = measure(tables, which[k], work)
        value[k] = counted(tables, work, which[k], t, c)
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
    for k in range(len(record_time)):
        place_nodes(tables, record_time[k], record_q[k], record_v[k], work)
        for r in range(len(tables.rows)):
            for p in range(tables.rows[r].first, tables.rows[r].last):
                term = tables.terms[p]
                _, _, _, na, ta, nb, tb = measure(tables, term.measure, work)
                n, m = (nb, tb) if side_b[r] else (na, ta)
                s = -multiplier[k, r] * term.weight
                for i in range(3):
                    wrench[k, r, i] += s * n[i]
                    wrench[k, r, 3 + i] += s * m[i]


@kernel
def fill_couplings(tables, work, record_time, record_q, record_v, value, force):
    """force[k, i]: generalized force of coupling i along its measure; value[k, i]: the measure, turns counted along."""
    for k in range(len(record_time)):
        t = record_time[k]
        place_nodes(tables, t, record_q[k], record_v[k], work)
        for i in range(len(tables.couplings)):
            _, rate, _, _, _, _, _ = measure(tables, tables.couplings[i].measure, work)
            elastic, damping, active, _, _ = coupling_force(tables, i, t, value[k, i], rate, work)
            force[k, i] = active - elastic - damping


@kernel
def fill_beam_stress(tables, work, record_time, record_q, record_v, stress, strain, energy):
    """Per output k and beam e: stress[k, e] (N, Qy, Qz, Mx, My, Mz in the mean section's axes, with damping),
    strain[k, e] beyond the reference (stretch, two shears, twist, two curvatures) and elastic energy[k, e]."""
    for k in range(len(record_time)):
        place_nodes(tables, record_time[k], record_q[k], record_v[k], work)
        for e in range(len(tables.beams)):
            n, m, shift, turn = beam_stress(tables, e, work)
            energy[k, e] = beam_energy(tables, e, work)
            for i in range(3):
                stress[k, e, i] = n[i]
                stress[k, e, 3 + i] = m[i]
                strain[k, e, i] = shift[i]
                strain[k, e, 3 + i] = turn[i]


@kernel
def fill_cells(tables, work, record_time, record_q, record_v, strain, stress, energy):
    """Per output k: scalars beyond the reference of all cells in turn, mean stress[k, e] of those whose law is not
    linear, and energy[k, e]."""
    for k in range(len(record_time)):
        place_nodes(tables, record_time[k], record_q[k], record_v[k], work)
        for e in range(len(tables.cells)):
            energy[k, e], _ = stressed(tables, e, work)
            cell = tables.cells[e]
            form = tables.forms[cell.form]
            for i in range(form.scalars):
                strain[k, cell.scalar + i] = work.cell_s[i]
            if cell.law != LINEAR:
                mean_stress(tables, e, form, work)
                for i in range(6):
                    stress[k, e, i] = work.point_strain[i]


@kernel
def fill_bar_tension(tables, work, record_time, record_q, record_v, tension, stretch, energy):
    """Per output k and bar i: tension[k, i] with damping, stretch[k, i] = l/L - 1 and elastic energy[k, i]."""
    for k in range(len(record_time)):
        place_nodes(tables, record_time[k], record_q[k], record_v[k], work)
        for i in range(len(tables.bars)):
            l, n, ra, rb = bar_geometry(tables, i, work)
            rate = dot(n, end_velocity(tables, i, work, ra, rb))
            tension[k, i], _, _, _ = bar_tension(tables, i, l, rate)
            stretch[k, i] = l / tables.bars[i].length - 1.0
            energy[k, i] = bar_energy(tables, i, work)
