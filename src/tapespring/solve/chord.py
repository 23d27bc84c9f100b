"""Whether an increment stayed on its branch: its chord is to be explained by the path's tangents at its ends.

Of a quantity y along the path, with slopes a and b at the ends of an increment dt, the trapezoidal rule leaves
y' = dy - (a + b) dt/2, of third order in dt while the path is smooth. At a corner (a contact closes, a drive turns) it
is at most (|a| + |b|) dt/2, and shrinks with dt. A jump to another branch stays as it is however short the increment
becomes. So an increment that is not explained is bisected: what is smooth passes, a jump is left over. y are the
displacements, one by one, and the stored energy, which knows of jumps that move little.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..jit import kernel
from ..mechanics.dynamics import energies
from . import balance as bal
from .balance import push, weigh
from .free_motion import moves_most
from .legs import Jump
from .search import Search

LEFT = 0.2  # of what slopes foretell of a quantity: what they may leave
LEFT_BY_ALL = 0.02  # of the most that slopes foretell of any displacement
DRIVEN = 0.1  # of both, in mechanisms that are driven: near change points their assemblies come so close to each other
# that a chord from one to another looks like one that is bent a little
FORK = 2.0  # times the slope at its end: a chord that begins at a fork
LITTLE = 1e-3  # model sizes or rad: never a jump
STILL = 1e-4  # model sizes or rad: nothing has moved that energy could tell of
LITTLE_ENERGY = 3e-3  # of the most energy that was stored or set free
POINTS = 20  # at which forces are looked at on the way of a jump
PROBE = 1e-5  # model sizes or rad: a displacement along which energy is differentiated


class Ends(NamedTuple):
    """The path at one end of an increment."""

    time: float
    slope: np.ndarray  # (nv,) weighted displacements per second
    energy: float  # stored and of weight [J]
    power: float  # change of energy along the path [W]


@kernel
def energy_here(tables, work, s, out):
    """out[0:3] <- kinetic, gravity, strain at the present place."""
    weigh(tables, s.clock[bal.TIME], s, work, s.following)
    energies(tables, s.clock[bal.TIME], s.q, s.rest, work, out)


class Chords:
    """Of the increments of a search."""

    def __init__(self, search: Search):
        self.search = search
        self.out = np.zeros(3)
        self.begin = self.here()
        self.first = self.begin.energy
        self.most = abs(self.out[2])  # energy
        self.closely = DRIVEN if (search.tables.rows["law"] >= 0).any() else 1.0

    def energy(self) -> float:
        s = self.search
        energy_here(s.tables, s.work, s.at, self.out)
        return float(self.out[1] + self.out[2])

    def change(self, displacement: np.ndarray, duration: float) -> float:
        """Half the difference of energy between places this displacement and time ahead and behind; the search stays
        where it is, with all that is at hand."""
        s, at = self.search, self.search.at
        q, clock, count = at.q.copy(), at.clock.copy(), at.count.copy()
        found = []
        for sign in (1.0, -1.0):
            push(s.tables, at, sign * displacement)
            at.clock[bal.TIME] = clock[bal.TIME] + sign * duration
            found.append(self.energy())
            at.q[:], at.clock[:], at.count[:] = q, clock, count
        return 0.5 * (found[0] - found[1])

    def here(self) -> Ends:
        """Where the search is, its tangent at hand."""
        at, n = self.search.at, len(self.search.at.weight)
        slope = at.by_time[:n] * at.weight
        pace = float(np.abs(slope).max(initial=0.0))
        h = min(PROBE / pace, 1e-3 * self.search.span) if pace > 0.0 else 1e-3 * self.search.span
        power = self.change(h * at.by_time[:n], h) / h
        return Ends(self.search.time, slope, self.energy(), power)

    def unexplained(self, end: Ends) -> float:
        """What is left of the chord from the beginning to the end by the slopes of both, or by one of them, which
        suffices where the other is at a corner, or if it goes with the root of time, as after a fork; more than 1: too
        much."""
        a, b, at = self.begin, end, self.search.at
        dt, gone = b.time - a.time, at.travel * at.weight
        floor = LITTLE_ENERGY * self.scale(end)
        worst = np.inf
        ways = [(0.5, 1.0), (0.0, 1.0), (1.0, 1.0)]
        before, after = (np.abs(slope).max(initial=0.0) for slope in (a.slope, b.slope))
        if not after / FORK <= before <= after * FORK:
            ways.append((1.0, FORK))
        for p, root in ways:
            told, foretold = (1 - p) * np.abs(a.slope) + p * np.abs(b.slope), ((1 - p) * a.slope + p * b.slope) * dt
            left = np.abs(gone - np.clip(gone, *np.sort((foretold, root * foretold), axis=0)))
            may = self.closely * (LEFT * told + LEFT_BY_ALL * told.max(initial=0.0)) * dt + LITTLE
            power, work = (1 - p) * abs(a.power) + p * abs(b.power), ((1 - p) * a.power + p * b.power) * dt
            energy = abs(b.energy - a.energy - work) / (self.closely * LEFT * power * dt + floor + 1e-300)
            moved = left.max(initial=0.0) > STILL
            worst = min(worst, max(float((left / may).max(initial=0.0)), energy if moved else 0.0))
        return worst

    def scale(self, end: Ends) -> float:
        """The most energy so far."""
        return max(self.most, abs(self.out[2]), abs(end.energy - self.first))

    def go_on(self, end: Ends) -> None:
        """The next increment begins here."""
        self.begin, self.most = end, self.scale(end)

    def left(self, end: Ends) -> float:
        """The most of any displacement that slopes at both ends leave."""
        dt, at = end.time - self.begin.time, self.search.at
        return float(np.abs(at.travel * at.weight - 0.5 * (self.begin.slope + end.slope) * dt).max(initial=0.0))

    def jump(self, here: tuple) -> Jump:
        """From a place kept to the present one. What is set free is the work of all forces on the way: it depends on
        their ends alone, but for friction, so that it may be a straight one."""
        s, at = self.search, self.search.at
        there, count, gone = s.kept(), at.count.copy(), at.travel.copy()
        n, freed = moves_most(s.tables, gone * at.weight), 0.0
        for place, share in zip(*np.polynomial.legendre.leggauss(POINTS), strict=True):
            part = 0.5 * (1.0 + place)
            at.q[:], at.multiplier[:] = here[0], (1.0 - part) * here[1] + part * there[1]
            push(s.tables, at, part * gone)
            self.energy()
            freed -= 0.5 * share * float(at.following[: len(gone)] @ gone)
        s.return_to(there)
        at.count[:], at.travel[:] = count, gone
        way = float(np.linalg.norm(gone[s.tables.nodes["v"][n] + np.arange(3)]))
        return Jump(here[2], s.system.drafts.nodes[n].label, way, freed)
