"""Look at states from Python: measures, reactions and coupling forces, at one state or along a record."""

from __future__ import annotations

import numpy as np

from ..jit import kernel
from ..mechanics.forces import coupling_force
from ..mechanics.measures import counted, measure
from ..mechanics.motion import place_nodes


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
