"""Friction that depends on the reactions which depend on it: found together with the accelerations.

Friction of a joint that slips is in proportion to what presses on it, and reactions change linearly with friction: the
two are evaluated in turn, with rows factored once, until what presses stays. Each turn leaves about μ r/l of the
change, with r the radius of the pin and l the size of the body; where that is above one the joint jams.
"""

from ..jit import device
from .dynamics import add_reactions, free_acceleration, power_of_drives
from .grips import add_grip, pressing
from .linking import free_modal_accelerations
from .pair_memory import BY_MODE, STICKS
from .tables import DRIVES, STICKING

MOST_TURNS = 200
STAYS = 1e-14  # of the largest force that presses


@device
def renew_pressing(tables, t, work):
    """What presses by the present reactions, and friction with it: the largest change over the largest force."""
    largest, change = 0.0, 0.0
    for g in range(len(tables.grips)):
        if tables.grips[g].first == tables.grips[g].last:
            continue
        normal, old = pressing(tables, g, work, work.multiplier), work.grip_normal[g]
        largest = normal if not normal <= largest else largest  # what is not a number stays
        if work.contact_step[0] == BY_MODE and work.grip_mode[g] == STICKS and tables.grips[g].friction == STICKING:
            work.grip_normal[g] = normal  # held by its elastic slip, whatever presses
            continue
        change = abs(normal - old) if not abs(normal - old) <= change else change
        add_grip(tables, g, t, work, -1.0)
        work.grip_normal[g] = normal
        add_grip(tables, g, t, work, 1.0)
    return 0.0 if largest == 0.0 else change / largest


@device
def give_up(tables, work):
    """No friction was found; the next try begins anew."""
    work.grip_trouble[0] = 1.0
    for g in range(len(tables.grips)):
        work.grip_normal[g] = tables.grips[g].preload


@device
def settle_grips(tables, t, v, work, out, alpha, beta):
    """out <- accelerations with friction that goes with its own reactions; they were found with those of before."""
    work.power[DRIVES] -= power_of_drives(work)
    before = 1e300
    for k in range(MOST_TURNS):
        change = renew_pressing(tables, t, work)
        if change <= STAYS or (change < 1e-12 and change >= before):
            break
        before = change
        for n in range(len(tables.nodes)):
            free_acceleration(tables, n, v, work, out)
        if len(tables.modal) > 0:
            free_modal_accelerations(tables, v, work, out)
        if len(tables.rows) > 0:
            add_reactions(tables, work, out, alpha, beta)
        if k == MOST_TURNS - 1 or not change < 1e6:
            give_up(tables, work)
            break
    work.power[DRIVES] += power_of_drives(work)
