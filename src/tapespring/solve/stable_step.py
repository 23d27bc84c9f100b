"""The longest stable step of `explicit`.

Every force acts between a few nodes: beams, bars, bushings, springs, cells, drags (solve.parts). Each part has a
stiffness K and damping D (its part of the tangent) and is given a share of the masses of its nodes, the larger the
stiffer it is there. Central differences with damping at foreseen velocities are stable if

    h²/4 K + h D < M      for the whole model, hence if it holds for every part with its share of M.

With k, d the largest eigenvalues of K and D over the share of M: h = 2 (sqrt(k + d²) - d) / k.
Shares add up to the masses, so the smallest h of all parts is a bound for the model; constraints only lengthen it. With
cells it may be far from the limit: then the eigenvalues of the whole model tell (solve.fastest_motion).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..mechanics import tables as tb
from ..schema.problems import ModelError, Problem
from .contact_limit import RESOLVED, contact_limit, together
from .fastest_motion import stable_step_of_all
from .parts import Family, Rows, find_parts

TRIALS = 4  # to find shares of parts with damping
SAFETY = 0.9  # of the stable step, when none is asked for
CHECKS, PARTS_CHECKED = 20, 200_000  # looks at the stable step during a run; fewer if this many parts are seen before
STEPS_BETWEEN = 5000  # looks at most: a look costs as much as some dozens of steps


def time_between_looks(parts: list[Family], duration: float, step: float) -> float:
    """At the stable step, during a run [s]."""
    looks = min(CHECKS, max(2, PARTS_CHECKED // max(sum(len(f.nodes) for f in parts), 1)))
    return min(duration / looks, STEPS_BETWEEN * step)


def masses(tables: tb.Tables) -> np.ndarray:
    """(nodes, 6)"""
    return np.concatenate((np.repeat(tables.nodes["mass"][:, None], 3, axis=1), tables.nodes["inertia"]), axis=1)


def weighted(matrices: np.ndarray, mass: np.ndarray) -> np.ndarray:
    """M^-1/2 A M^-1/2; rows without mass are left out."""
    half = np.where(mass > 0.0, 1.0 / np.sqrt(np.where(mass > 0.0, mass, 1.0)), 0.0)
    return matrices * half[:, :, None] * half[:, None, :]


def largest(A: np.ndarray, mass: np.ndarray) -> np.ndarray:
    """(parts,) largest eigenvalues of A over masses, none below zero."""
    taking_part = np.flatnonzero(np.any(mass > 0.0, axis=0))
    if not len(taking_part) or not np.any(A):
        return np.zeros(len(A))
    A, mass = A[:, taking_part[:, None], taking_part], mass[:, taking_part]
    return np.maximum(np.linalg.eigvalsh(weighted(A, mass))[:, -1], 0.0)


def stable_steps(K: np.ndarray, D: np.ndarray, mass: np.ndarray) -> np.ndarray:
    """(parts,) inf where a part has no stiffness."""
    k, d = largest(K, mass), largest(D, mass)
    with np.errstate(divide="ignore"):
        return 2.0 / (np.sqrt(k + d * d) + d)  # 2 (sqrt(k + d²) - d) / k without cancellation


def strength(A: np.ndarray, mass: np.ndarray) -> np.ndarray:
    """(parts, 2 sides): how stiff a part is at its nodes' places and at their attitudes, whatever the axes."""
    w = weighted(A, mass)
    n = w.shape[1] // 3
    return np.sqrt((w.reshape(-1, n, 3, n, 3) ** 2).sum(axis=(2, 4))).sum(axis=2)


@dataclass
class Bound:
    """Stable step of every part and the shares it was found with, family by family."""

    parts: list[Family]
    step: list[np.ndarray]  # (parts,)
    share: list[Rows]  # (parts, 6 sides) of mass

    @property
    def shortest(self) -> float:
        """A bound for the model."""
        return min((float(s.min()) for s in self.step), default=np.inf)

    def longest(self, start, q, t: float) -> float:
        """The longest step that is stable, as nearly as can be told."""
        return max(self.shortest, step_of_cells(start, q, t)) if len(start.system.tables.cells) else self.shortest

    def culprit(self, start) -> str:
        """The part that limits the step, in words."""
        i = int(np.argmin([s.min() for s in self.step]))
        k, family = int(np.argmin(self.step[i])), self.parts[i]
        K, D = family.matrices(np.array([k]))
        undamped = float(stable_steps(K, 0.0 * D, self.share[i](slice(k, k + 1)))[0])
        by_damping = f" and its damping (without it {undamped:.4g} s)" if undamped > 1.5 * self.step[i][k] else ""
        return f"{family.words(start, k)}{by_damping}"


def step_of_cells(start, q, t: float, glance: bool = False) -> float:
    """The stable step of a model with cells, by all of it at once; less at a glance, which takes half the time."""
    tables = start.system.tables
    springs = len(tables.drags) + len(tables.bushings) + len(tables.couplings) > 0
    damped = springs or any(np.any(table["damping"] > 0.0) for table in (tables.cells, tables.beams, tables.bars))
    return stable_step_of_all(start, q, t, damped, glance)


def shares(parts: list[Family], mass: np.ndarray, by_rate: float) -> list[Rows]:
    """Of the mass of its nodes for every part, by its K + by_rate D."""
    rows = [f.each(lambda K, D, m: strength(K + by_rate * D, m), f.at_nodes(mass)) for f in parts]
    total = np.zeros((len(mass), 2))  # of every node's place and attitude
    for f, r in zip(parts, rows, strict=True):
        np.add.at(total, f.nodes, r.reshape(*f.nodes.shape, 2))
    total[total == 0.0] = 1.0
    return [part_of(f, mass, r, total) for f, r in zip(parts, rows, strict=True)]


def part_of(family: Family, mass: np.ndarray, strong: np.ndarray, total: np.ndarray) -> Rows:
    """Masses of the nodes, as much of them as a part's strength there is of the total."""
    whole, all_of = family.at_nodes(mass), family.at_nodes(total)
    return lambda which: whole(which) * np.repeat(strong[which] / all_of(which), 3, axis=1)


def bound(start, q, v, t: float, parts: list[Family] | None = None, again: bool = False) -> Bound:
    """At a state; see the head of this file. again: only masses have changed since these parts were looked at."""
    parts = parts or find_parts(start)
    for family in parts:
        family.look(start, q, v, t, again)
    mass = masses(start.system.tables)
    found = bound_with(parts, shares(parts, mass, 0.0), damped=False)
    if any(f.damped() for f in parts):
        for trial in range(TRIALS):  # shares for what a step of about the length found asks of each part
            h = found.shortest
            better = bound_with(parts, shares(parts, mass, 4.0 / h if np.isfinite(h) else 1.0), damped=True)
            if trial > 0 and better.shortest < 1.02 * h:
                break
            found = better
    return found


def bound_with(parts: list[Family], share: list[Rows], damped: bool) -> Bound:
    def steps(K, D, m):
        return stable_steps(K, D if damped else 0.0 * D, m)

    return Bound(parts, [f.each(steps, m) for f, m in zip(parts, share, strict=True)], share)


def chosen_step(start, settings, fallback: float) -> tuple[float, list[str]]:
    """(longest step [s], notes). Raises ModelError if the step asked for is not stable."""
    from .mass_scaling import ease_turning, scale_masses

    if len(start.system.tables.cells):
        fallback = float(settings.duration)  # what crosses a cell within a step is not seen anyway
    wanted = settings.step or (settings.mass_scaling if settings.mass_scaling else 0.0)
    if settings.mass_scaling:
        notes = [scale_masses(start, settings.mass_scaling)]
    else:
        notes = ease_turning(start, wanted or fallback / SAFETY)
    found = bound(start, start.q, start.v, start.t)
    parts_limit, contacts = found.longest(start, start.q, start.t), contact_limit(start)
    limit = together(parts_limit, contacts.step)
    chosen = together(SAFETY * parts_limit, RESOLVED * contacts.step)
    culprit = contacts.words(start) if contacts.step < parts_limit else ""
    if wanted:
        if wanted > limit * (1.0 + 1e-9):
            message = (
                f"a step of {wanted:.4g} s is longer than the {limit:.4g} s that are stable, limited by the "
                f"{culprit or found.culprit(start)}; leave 'step' out (then {chosen:.4g} s), "
                + ("soften it" if culprit else "use fewer and longer elements there, give 'mass_scaling'")
                + ", or try solver: implicit"
            )
            raise ModelError(Problem(None, ("simulate", "step"), message))
        return wanted, notes
    if np.isfinite(limit) and chosen < fallback:
        notes.append(f"explicit: steps of up to {chosen:.4g} s, limited by the {culprit or found.culprit(start)}")
    return min(chosen, fallback), notes
