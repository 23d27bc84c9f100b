"""Where a path of balanced places forks: from an unstable place onto the stable branch next to it."""

from __future__ import annotations

import numpy as np

from . import balance as bal
from .balance import push
from .free_motion import moves_most
from .search import Search

ONWARD = 1e-3  # of an increment that became unstable: what a place on another branch is to be ahead of its start
WAYS_ASIDE = (0.1, 0.02, 0.3, 0.004)  # model sizes or rad, along the unstable motion onto another branch


def onto_stable_branch(search: Search, stable: tuple, goal: float) -> bool:
    """From an unstable place, whose factors are at hand, to a near stable one on the branch that begins between
    `stable` and here: a given way along the unstable motion, at whatever time before the goal it is balanced.
    `stable` may lie on that branch already, and is not to be found again. False: none found."""
    here, motion, at = search.kept(), search.unstable_motion(), search.at
    several, before = at.count[bal.UNSTABLE] > 1, search.any_way
    search.any_way = before or bool(several)
    earliest = stable[2] + ONWARD * (here[2] - stable[2])
    along = motion * at.weight**2 / np.sum((motion * at.weight) ** 2)
    for way in (*WAYS_ASIDE, *(-w for w in WAYS_ASIDE)):
        search.return_to(here)
        at.count[bal.BORDERED] = 1
        at.clock[bal.START], at.clock[bal.WAY] = here[2], way
        at.direction[:-1], at.direction[-1] = along, 0.0
        push(search.tables, at, way * motion)
        at.travel[:] = way * motion
        if search._solved(insist=True) and earliest <= search.time <= goal and search.instabilities() == 0:
            n = moves_most(search.tables, motion * at.weight)
            which = "the stable branch" if not several else "one of several branches: it could go either way"
            search.run.notes.append(
                f"quasi-static: between t = {stable[2]:.6g} and {here[2]:.6g} s the balance becomes unstable near "
                f"'{search.system.drafts.nodes[n].label}' (it buckles); the run went on along {which}"
            )
            return True
    search.return_to(here)
    search.any_way = before
    return False
