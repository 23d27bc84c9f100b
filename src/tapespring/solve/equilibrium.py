"""Where a mechanism comes to rest: pseudo-transient continuation that ends in Newton's method.

Each step solves [w M + K, G'; G, 0] (d, change of multipliers) = (forces out of balance, 0) and moves by d, then back
onto the constraints. A large w is a short step of a motion that loses all its speed at once and so runs downhill; w
falls with the forces out of balance, and w = 0 is Newton's method. Steps along which the forces do no work are taken
back, so that the search ends in stable positions; one that starts on top of a hill is given a push.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..build.assembler import System
from ..jit import kernel
from ..mechanics import tables as tb
from ..mechanics.constraints import (
    add_row_products,
    evaluate_rows,
    factorize_rows,
    solve_multipliers,
    subtract_reactions,
)
from ..mechanics.core import link
from ..mechanics.forces import apply_forces
from ..mechanics.motion import place_nodes
from ..mechanics.projection import clear, copy, largest, retract
from ..mechanics.tangent import add_tangent, out_of_balance
from .initial import model_size
from .kkt import Kkt, kkt_factor, kkt_solve, new_kkt
from .modes import linearised
from .steps import set_anchors

BALANCED = 1e-10  # of all forces: what may be left over
CLOSED = 1e-13  # of the model's size: violation of constraints left
LONGEST_TURN = 0.5  # rad in one step
LOST = 100.0  # model sizes, or rad: a body that went this far, its force as large as ever, will not come to rest
STEADY = 0.9999  # of the force before: as large as ever
MOST_STEPS = 500
MOST_PUSHES = 4


@kernel
def close_rows(tables, work, t, q, v, small):
    """Move q onto the constraints, the least measured by mass; returns the violation left."""
    correction, l = work.correction, work.rhs
    before = 1e300
    for _ in range(20):
        place_nodes(tables, t, q, v, work)
        evaluate_rows(tables, t, work)
        violation = largest(work.g)
        if not violation > small or not violation < before:
            return violation
        before = violation
        factorize_rows(tables, work)
        clear(correction)
        copy(work.g, l)
        solve_multipliers(tables, work, l)
        subtract_reactions(tables, work, l, correction)
        retract(tables, q, correction)
    return violation


@kernel
def weigh(tables, work, t, q, v, force, left, acceleration):
    """At rest in q: force <- applied forces, left <- what the best reactions (work.multiplier) leave of them, both as
    generalized forces; acceleration <- M^-1 left."""
    place_nodes(tables, t, q, v, work)
    apply_forces(tables, t, work)
    evaluate_rows(tables, t, work)
    factorize_rows(tables, work)
    l = work.multiplier
    clear(l)
    clear(acceleration)
    out_of_balance(tables, v, acceleration, l, work, force)
    for n in range(len(tables.nodes)):
        node = tables.nodes[n]
        if node.kind == tb.POINT or node.kind == tb.FRAME:
            for k in range(3):
                acceleration[node.v + k] = -force[node.v + k] * node.inverse_mass
        if node.kind == tb.FRAME:
            for k in range(3):
                acceleration[node.v + 3 + k] = -force[node.v + 3 + k] * node.inverse_inertia[k]
    add_row_products(tables, work, acceleration, l)
    solve_multipliers(tables, work, l)
    subtract_reactions(tables, work, l, acceleration)
    clear(work.correction)
    out_of_balance(tables, v, work.correction, l, work, left)
    for i in range(len(force)):
        force[i] = -force[i]
        left[i] = -left[i]


@kernel
def step_towards(tables, work, kkt, t, q, v, w, rhs):
    """rhs (forces out of balance, then zeros) <- (d, change of multipliers); work as `weigh` left it."""
    clear(kkt.values)
    add_tangent(tables, t, q, v, work.multiplier, work, w, 0.0, 1.0, kkt)
    status = kkt_factor(tables, work, kkt)
    if status == 0:
        kkt_solve(tables, work, kkt, rhs)
    return status


@kernel
def displace(tables, q, d):
    retract(tables, q, d)


@kernel
def count_turns(tables, work, t):
    set_anchors(tables, t, work)


@dataclass(frozen=True)
class EquilibriumResult:
    """Where the search ended."""

    q: np.ndarray  # placement
    multiplier: np.ndarray  # (rows,) reactions there
    iterations: int
    residual: float  # forces left out of balance, relative to all forces
    converged: bool
    message: str  # what was found, or why not and what to try


@dataclass
class Place:
    """A placement on the constraints with the forces there, all in generalized coordinates."""

    q: np.ndarray
    force: np.ndarray
    left: np.ndarray
    acceleration: np.ndarray
    multiplier: np.ndarray
    work: tb.Work

    @property
    def imbalance(self) -> float:
        """Length of the forces left over, measured by mass: one unit for forces and moments."""
        return float(np.sqrt(max(self.left @ self.acceleration, 0.0)))


class Search:
    """One search for equilibrium."""

    def __init__(self, system: System, t: float):
        self.system, self.tables, self.t = system, system.tables, float(t)
        self.work = link(self.tables, tb.new_work(self.tables))
        self.kkt: Kkt = new_kkt(self.tables)
        self.length = model_size(system.drafts)
        self.nv = len(system.v0)
        self.turning = np.zeros(self.nv, bool)  # entries of v that are rotations of free frames
        self.mass = np.ones(self.nv)
        for node in self.tables.nodes:
            if node["kind"] in (tb.POINT, tb.FRAME):
                self.mass[node["v"] : node["v"] + 3] = node["mass"]
            if node["kind"] == tb.FRAME:
                self.turning[node["v"] + 3 : node["v"] + 6] = True
                self.mass[node["v"] + 3 : node["v"] + 6] = node["inertia"]
        # the weight counts even where springs already carry it
        self.scale = float(np.sqrt(self.tables.nodes["mass"].sum()) * np.linalg.norm(self.tables.gravity))
        self.longest = 0.2 * self.length
        self.travelled = np.zeros(self.nv)

    def place(self, q: np.ndarray) -> Place | None:
        """Close the constraints near q and weigh the forces there; None if they cannot be closed."""
        q, v = q.copy(), np.zeros(self.nv)
        violation = close_rows(self.tables, self.work, self.t, q, v, CLOSED * self.length)
        if not violation <= 1e-10 * self.length:
            return None
        force, left, acceleration = (np.zeros(self.nv) for _ in range(3))
        weigh(self.tables, self.work, self.t, q, v, force, left, acceleration)
        if not np.all(np.isfinite(left)):
            return None
        self.scale = max(self.scale, float(np.sqrt(np.sum(force**2 / self.mass))))
        return Place(q, force, left, acceleration, self.work.multiplier.copy(), self.work)

    def moved(self, at: Place, d: np.ndarray) -> Place | None:
        """The place at displacement d from another."""
        q = at.q.copy()
        displace(self.tables, q, d)
        return self.place(q)

    @property
    def is_far(self) -> bool:
        """Whether a body has left the neighbourhood of the mechanism."""
        return bool(self.way().max() > LOST)

    def way(self) -> np.ndarray:
        """How far every degree of freedom has gone, in model sizes or rad."""
        return np.abs(np.where(self.turning, self.travelled, self.travelled / self.length))

    def direction(self, at: Place, w: float) -> np.ndarray | None:
        """The step from a place, not longer than allowed; None if the matrix is singular."""
        weigh(self.tables, self.work, self.t, at.q.copy(), np.zeros(self.nv), *(np.zeros(self.nv) for _ in range(3)))
        rhs = np.concatenate((at.left, np.zeros(len(self.tables.rows))))
        status = step_towards(self.tables, self.work, self.kkt, self.t, at.q, np.zeros(self.nv), w, rhs)
        d = rhs[: self.nv]
        if status != 0 or not np.all(np.isfinite(d)):
            return None
        moved = np.abs(d[~self.turning]).max(initial=0.0) / self.longest
        turned = np.abs(d[self.turning]).max(initial=0.0) / LONGEST_TURN
        return d / max(1.0, moved, turned)

    def balanced(self, at: Place) -> bool:
        return at.imbalance <= BALANCED * self.scale

    def relative(self, at: Place) -> float:
        return at.imbalance / self.scale if self.scale > 0.0 else 0.0

    def first_weight(self, at: Place) -> float:
        """w for a first step of a twentieth of the model's size."""
        a = np.abs(np.where(self.turning, at.acceleration, at.acceleration / self.length))
        return max(float(a.max()) / 0.05, 1e-30)

    def descend(self, at: Place, steps: int) -> tuple[Place, int, bool]:
        """Follow the forces until they balance, a body is lost, or the steps are used up."""
        w, ratio = self.first_weight(at), 0.0
        highest = 1e20 * w  # steps this short do not move anything
        for k in range(steps):
            if self.balanced(at):
                return at, k, True
            if (self.is_far and not ratio < STEADY) or w > highest:
                return at, k, False
            d = self.direction(at, w)
            new = self.moved(at, d) if d is not None else None
            if d is None or new is None:
                w *= 8.0
                continue
            # work done over the step, by the trapezoidal rule: of third order in d, and sharp where energies cancel
            before, after = at.left @ d, new.left @ d
            nearly = self.relative(at) < 1e-5 and new.imbalance < 0.5 * at.imbalance
            if before <= 0.0 or (before + after <= 0.0 and not nearly):
                w *= 8.0
                continue
            ratio = new.imbalance / at.imbalance
            w *= min(ratio, 0.25) if after >= 0.0 or nearly else min(max(ratio, 0.1), 1.0)
            if after >= 0.5 * before:
                self.longest *= 2.0
            self.travelled += d
            at = new
            count_turns(self.tables, self.work, self.t)
        return at, steps, self.balanced(at)

    def way_down(self, at: Place) -> np.ndarray | None:
        """The displacement along which an equilibrium is unstable; None if it is stable."""
        small = linearised(self.system, self.work, at.q, np.zeros(self.nv), self.t, at.multiplier)
        if small.stiffness.size == 0:
            return None
        squares, shapes = np.linalg.eig(small.stiffness)
        k = int(np.argmin(squares.real))
        if squares[k].real >= -1e-9 * np.abs(squares).max():
            return None
        d = small.basis @ shapes[:, k].real
        size = max(np.abs(d[~self.turning]).max(initial=0.0) / self.length, np.abs(d[self.turning]).max(initial=0.0))
        return 1e-3 * d / size

    def loose_body(self, at: Place) -> str:
        """What has no place to rest, and the force nothing balances."""
        i = int(np.argmax(self.way()))
        nodes = self.tables.nodes
        n = max((k for k in range(1, len(nodes)) if nodes[k]["v"] <= i), key=lambda k: nodes[k]["v"])
        j = int(nodes[n]["v"])
        part, unit, verb, axes = at.left[j : j + 3], "N", "moves", "world axes"
        if i >= j + 3:
            part, unit, verb, axes = at.left[j + 3 : j + 6], "N m", "turns", "its own axes"
        size = np.linalg.norm(part)
        label = self.system.drafts.nodes[n].label
        along = ", ".join(f"{c:.2g}" for c in part / max(size, 1e-300) + 0.0)
        return (
            f"no equilibrium: '{label}' {verb} freely, nothing balances {size:.4g} {unit} along ({along}) in {axes}; "
            "hold it by a joint or a spring, or remove the load"
        )


def find_equilibrium(system: System, q, t: float = 0.0) -> EquilibriumResult:
    """The stable equilibrium at rest that the mechanism sinks to from q, drives and loads as they are at time t."""
    search = Search(system, t)
    at = search.place(np.array(q, float))
    if at is None:
        return EquilibriumResult(
            np.array(q, float), np.zeros(len(system.tables.rows)), 0, np.inf, False,
            "the constraints cannot be satisfied near this placement; draw the mechanism assembled",
        )  # fmt: skip
    count_turns(search.tables, search.work, search.t)
    used, pushes, notes = 0, 0, ""
    while True:
        at, steps, balanced = search.descend(at, MOST_STEPS - used)
        used += steps
        if not balanced:
            break
        down = search.way_down(at)
        if down is None:
            return EquilibriumResult(at.q, at.multiplier, used, search.relative(at), True, f"stable equilibrium{notes}")
        pushes += 1
        notes = ", reached by leaving an unstable one"
        pushed = search.moved(at, down)
        if pushes > MOST_PUSHES or pushed is None:
            return EquilibriumResult(at.q, at.multiplier, used, search.relative(at), True, "unstable equilibrium")
        at = pushed
    message = search.loose_body(at) if search.is_far else (
        f"not balanced after {used} steps: {search.relative(at):.1e} of the forces are left over; "
        "start nearer to the equilibrium, or soften the stiffest spring and start again from there"
    )  # fmt: skip
    return EquilibriumResult(at.q, at.multiplier, used, search.relative(at), False, message)
