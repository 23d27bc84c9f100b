"""All pairs of a model: those written down, and those found near each other."""

from ..jit import device, small
from .ball_pairs import add_ball_pair, is_ball_pair
from .contacts import add_pair
from .crossing_edges import take_side
from .pair_memory import BY_RATE


@small
def clear_pair(work, i):
    """A pair that is too far apart to be looked at."""
    out = work.pair_out[i]
    out[0] = work.pair_apart[i] - 2.0 * work.near_moved[0]
    if out[3] != 0.0 or out[4] != 0.0 or out[5] != 0.0 or out[11] != 0.0:
        for k in range(1, 12):
            out[k] = 0.0


@device
def add_contacts(tables, work, first, last):
    """Forces and powers of the pairs from first to last - 1."""
    for n in range(len(work.lost)):
        for k in range(12):
            work.lost[n, k] = 0.0
    gone, by_rate = 2.0 * work.near_moved[0], work.contact_step[0] == BY_RATE
    for i in range(first, last):
        if work.pair_apart[i] - gone > tables.contacts[work.pairs[i].contact].margin:
            clear_pair(work, i)
        elif by_rate and is_ball_pair(tables, work, i):
            add_ball_pair(tables, i, work)
        else:
            take_side(tables, i, work)
            add_pair(tables, i, work)
