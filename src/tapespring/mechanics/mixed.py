"""Stress foreseen by a Newton correction, for the tangent of the next one.

A large correction turns elements that are much stiffer along than across; the strain they really get is mostly
stretch, and the next correction takes it back. A tangent with the stress of that stretch leads Newton's method astray.
The stress foreseen from the linear change of strain, K (ε + J δ/L - ε0), is what the next place will nearly have, and
with it in the tangent's geometric part few iterations are needed, however slender the members (Magisano, Leonetti,
Garcea, Int. J. Numer. Meth. Engng 109, 2017: mixed integration points). The balance found is the same.
"""

from ..jit import device
from ..math.rotations import rotate
from ..math.vec3 import axpy, dot, store3
from .beams import (
    bowed,
    pulled_straight,
    relative_twist,
    screw,
    screw_rate,
    sections,
    stiffness_times,
    strain_beyond,
)
from .linking import foresee_cells
from .motion import is_free
from .tables import FRAME


@device
def foresee_stress(tables, work, d, part):
    """work.stress <- stress of all beams after a part of the displacement d. Uses work.v and work.w up: they are to be
    placed anew."""
    for n in range(len(tables.nodes)):
        node = tables.nodes[n]
        if is_free(tables, n):
            j = node.v
            store3(work.v, n, (d[j], d[j + 1], d[j + 2]))
            if node.kind == FRAME:
                store3(work.w, n, rotate(work.R, n, (d[j + 3], d[j + 4], d[j + 5])))
        else:
            store3(work.v, n, (0.0, 0.0, 0.0))
            store3(work.w, n, (0.0, 0.0, 0.0))
    for e in range(len(tables.beams)):
        RA, RB, ra, rb, arm = sections(tables, e, work)
        rho, phi, c, c1, _ = screw(RA, RB, arm)
        u, w = relative_twist(tables, e, work, RB, ra, rb, arm)
        du, dw = screw_rate(rho, phi, c, c1, u, w)
        g, k = strain_beyond(tables, e, rho, phi)
        r, c = part / tables.beams[e].length, tables.beams[e].bow[0]
        stretched, u, _ = bowed(tables.beams[e], g)
        change = du[0] + c * (dot(u, du) - du[0])
        n, m = stiffness_times(tables, e, axpy(r, (change, du[1], du[2]), stretched), axpy(r, dw, k))
        n = pulled_straight(tables.beams[e], bowed(tables.beams[e], axpy(r, du, g))[1], n)
        for i in range(3):
            work.stress[e, i] = n[i]
            work.stress[e, 3 + i] = m[i]
    if len(tables.cells) > 0:
        foresee_cells(tables, work, part)
