"""Pairs near each other, for loops that solve systems of equations: tables of just these, found anew as bodies move.

Between searches the pattern of the system stays. Nothing may go farther than half the distance from which pairs are
found, or it could touch what is not known: loops make shorter steps then.
"""

from __future__ import annotations

import numpy as np

from ..jit import device, kernel
from ..mechanics.broad_phase import way_gone
from ..mechanics.core import link
from ..mechanics.tables import TRIANGLE, Tables, Work
from .crowd import find_pairs
from .initial import evaluate

WIDER, WIDER_MESHES = 8.0, 2.0  # than in loops that search more often; sheets are always near themselves
SELDOM, OFTEN = 100, 20  # steps between two searches: the distance from which pairs are found may change
LEAST, MOST, CHANGE = 0.25, 4.0, 1.5  # of that distance: limits to it, and a change
DUE = 0.5  # of the way that is allowed: pairs are found anew from there

PAIR_FIELDS = ("pairs", "pair_span", "pair_side", "pair_apart", "pair_mode", "pair_memory", "pair_rate", "pair_out")


@device
def part_gone(tables, work):
    """Of the way that is allowed, since pairs were found; nodes are placed."""
    return 2.0 * way_gone(tables, work) / tables.near[0]


@kernel
def part_gone_now(tables, work):
    return part_gone(tables, work)


class NearPairs:
    """Of a start whose tables have members; its work is placed where pairs are to be found first."""

    def __init__(self, start):
        self.start, self.base = start, start.system.tables
        meshed = (self.base.members["role"] == TRIANGLE).any()
        self.given = float(self.base.near[0])  # distance from which members are pairs in the tables as built [m]
        self.base.near[0] *= WIDER_MESHES if meshed else WIDER
        self.limits = LEAST * self.base.near[0], MOST * self.base.near[0]
        self.searched = 0  # steps there were at the last search
        evaluate(self.base, start.work, start.t, start.q.copy(), start.v.copy(), np.zeros(len(start.v)))
        self.tables: Tables = self.base
        self.work: Work = start.work
        self.find()

    @property
    def allowed(self) -> float:
        """How far anything may go until pairs are found anew [m]."""
        return 0.5 * float(self.base.near[0])

    def find_after(self, steps: int) -> None:
        """Those near each other now, after so many steps in all: from as far away as makes searches not too frequent
        and most pairs needed."""
        since, self.searched = steps - self.searched, steps
        low, high = self.limits
        if since > SELDOM:
            self.base.near[0] = max(low, self.base.near[0] / CHANGE)
        elif since < OFTEN:
            self.base.near[0] = min(high, self.base.near[0] * CHANGE)
        self.find()

    def find(self) -> None:
        """Those near each other where nodes are placed now."""
        find_pairs(self.start)
        whole = self.start.work
        n = int(whole.pair_count[0])
        whole.pair_apart[:n] = -np.inf
        self.tables = self.base._replace(pairs=whole.pairs[:n].copy(), beside=self.beside(n))
        self.work = link(self.tables, whole._replace(**{name: getattr(whole, name)[:n] for name in PAIR_FIELDS}))

    def beside(self, n: int) -> np.ndarray:
        """(n, 2) points and the triangles near them."""
        whole = self.start.work
        out = np.zeros((int(whole.pair_count[1]), 2), np.int64)
        out[:, 1] = whole.pair_triangles[: len(out)]
        for i in np.flatnonzero(whole.pair_span[:n, 1]):
            first, count, _ = whole.pair_span[i]
            out[first : first + count, 0] = whole.pairs["a"][i]
        return out

    def gone(self) -> float:
        """Of the way that is allowed."""
        return part_gone_now(self.base, self.work)

    def are_due(self) -> bool:
        """Whether they are to be found anew."""
        return self.gone() > DUE
