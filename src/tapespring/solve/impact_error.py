"""Errors of a step through an impact: what positions do not tell.

A stiff contact may be over before positions have gone wrong by their tolerance, and the error of a step leaves out
what is faster than it. So a step in which surfaces meet, or are bouncing off each other, is also judged by how much of
the speed they met at it changes: no more than SHARE, so that the force is followed up and down. A step in which they
passed through each other is far too long. Impacts that carry less than the tolerance of the model's kinetic energy may
be stepped over, or contacts that settle would never end; so may changes of speed of contacts at rest, which are small
beside the speed they once met at.
"""

from __future__ import annotations

from ..jit import device
from ..mechanics.motion import is_free
from ..mechanics.pair_memory import LAST_RATE, OPEN
from ..mechanics.passing import passes
from ..mechanics.tables import AUGMENTED, PLAY

SHARE = 0.15  # of the speed at first touch, in a step between surfaces within each other: twenty to a bounce
AT_TOUCH = 0.03  # in the step in which they meet, which the speed at first touch is taken from
PASSED = 100.0  # error of a step in which surfaces passed through each other, and neither end of it knows
HELD = 1e300  # kg: mass of what does not move freely


@device
def moved_mass(tables, a):
    """Of the heaviest node that surface a stands on [kg]."""
    surface, mass = tables.surfaces[a], 0.0
    for k in range(surface.spot, surface.spot + surface.count):
        n = tables.spots[k].node
        mass = max(mass, tables.nodes[n].mass if is_free(tables, n) else HELD)
    return mass


@device
def impact_error(tables, work, energy, h):
    """Largest over all pairs, as the last evaluation left them; 1: as much as is allowed. It is a cube, as errors of
    steps are. energy: what an impact must carry to be looked at [J]."""
    worst = 0.0
    for i in range(len(tables.pairs)):
        pair, out, before = work.pairs[i], work.pair_out[i], work.pair_memory[i, LAST_RATE]
        law, meet = tables.contacts[pair.contact], work.pair_mode[i, 0] == OPEN
        passed = meet and out[0] >= law.margin
        if law.law == PLAY or law.law == AUGMENTED:
            continue
        if passed and not passes(tables, i, work, before, out[0], out[1], h):
            continue
        speed = max(-before, -out[1]) if meet else work.pair_memory[i, 0]
        mass = min(moved_mass(tables, pair.a), moved_mass(tables, pair.b))
        if 0.5 * mass * speed * speed <= energy:
            continue
        if passed:
            worst = max(worst, PASSED)
            continue
        change = abs(out[1] - before) / (SHARE * speed)
        if meet:  # speeds at both ends may be alike, the one of before fallen to and the one of after slowed down to
            change = max(abs(out[1] - before), h * out[2] / mass) / (AT_TOUCH * speed)
        worst = max(worst, change * change * change)
    return worst
