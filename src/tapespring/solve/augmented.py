"""Augmented Lagrangian: contact forces that need no depth, in loops that solve systems of equations.

A pair with the law AUGMENTED bears λ + k δ. Where a solved step left surfaces deeper in each other than allowed, or
apart under a load, that force becomes the load λ and the step is solved again (Uzawa): λ goes to what rigid surfaces
would bear, and δ to nothing, whatever the penalty k is. Where that goes slowly, for k is small beside what presses, the
penalty of the pair is raised. The tangent is that of the penalty. The load is kept for the next step.
"""

from __future__ import annotations

from ..jit import device
from ..mechanics.pair_memory import LOAD, STIFFER
from ..mechanics.tables import AUGMENTED
from .alpha import AUGMENTS, FACTORED_FOR, solve_step
from .equations import residual

MOST = 40  # times that a step is solved
EXACT = 1e-5  # of a load in motion: what depth changes from step to step would be felt as accelerations
SLOW, RAISED = 0.25, 4.0  # what is left of the largest depth, from which on the penalty is raised, and by how much


@device
def too_deep_by(tables, i, work, exact):
    """Depth of pair i over what is allowed, if it bears something; or the part of its load that is not known yet over
    `exact`, if that is more."""
    law, out = tables.contacts[work.pairs[i].contact], work.pair_out[i]
    if law.law != AUGMENTED or out[2] <= 0.0:
        return 0.0
    missing = (1.0 + work.pair_memory[i, STIFFER]) * law.stiffness * abs(out[0])
    return max(abs(out[0]) / law.allowed, missing / (exact * out[2]))


@device
def augment(tables, work, exact, before):
    """What pairs bear becomes their load, unless all are near enough; the worst of too_deep_by. before: last time's."""
    worst = 0.0
    for i in range(len(tables.pairs)):
        worst = max(worst, too_deep_by(tables, i, work, exact))
    if worst <= 1.0:
        return worst
    for i in range(len(tables.pairs)):
        memory = work.pair_memory[i]
        if tables.contacts[work.pairs[i].contact].law == AUGMENTED:
            raised = worst > SLOW * before and too_deep_by(tables, i, work, exact) > 1.0
            memory[LOAD] = work.pair_out[i, 2]
            if raised:
                memory[STIFFER] = RAISED * (1.0 + memory[STIFFER]) - 1.0
    return worst


@device
def solve_loaded_step(tables, t, loop, s, kkt, work, h):
    """solve_step, again until no pair is too deep."""
    if not solve_step(tables, t, loop, s, kkt, work, h):
        return False
    if s.options[AUGMENTS] == 0.0:
        return True
    before = 1e300
    for _ in range(MOST):
        residual(tables, t, s.trial_q, s.trial_v, s.a, s.multiplier, work, s.residual)
        before = augment(tables, work, EXACT, before)
        if before <= 1.0:
            return True
        s.options[FACTORED_FOR] = 0.0
        if not solve_step(tables, t, loop, s, kkt, work, h):
            return False
    return False
