"""The longest stable step of `explicit`, and masses that allow a longer one.

Every force acts between two nodes: beams, bars, bushings, springs and torques along measures, drags. Each has a 12 x 12
stiffness K and damping D (its part of the tangent) and is given a share of the masses of its nodes, the larger the
stiffer it is there. Central differences with damping at foreseen velocities are stable if

    h²/4 K + h D < M      for the whole model, hence if it holds for every part with its share of M.

With k, d the largest eigenvalues of K and D over the share of M: h = 2 (sqrt(k + d²) - d) / k.
Shares add up to the masses, so the smallest h of all parts is a bound for the model; constraints only lengthen it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..build.assembler import Assembler
from ..jit import kernel
from ..mechanics import tables as tb
from ..mechanics.linking import accelerations
from ..mechanics.projection import clear
from ..schema.problems import ModelError, Problem
from .implicit import add_tangent, link_implicit, residual
from .kkt import Kkt, active_freedoms, new_matrix

SAFETY = 0.9  # of the stable step, when none is asked for
CHECKS, PARTS_CHECKED = 20, 200_000  # looks at the stable step during a run; fewer if this many parts are seen before
ROOM = 1.02  # mass added beyond what is needed
NAMES = ("beam element", "bar element", "bushing", "spring, torque or joint", "drag")


@kernel
def part_tangents(tables, work, t, q, v, a, r, kkt, weight_rate, weight_place):
    """kkt.values <- the tangent of every part by itself."""
    accelerations(tables, t, q, v, work, a, 0.0, 0.0)
    for i in range(len(work.multiplier)):
        work.multiplier[i] = 0.0  # reactions do not limit the step
    residual(tables, t, q, v, a, work.multiplier, work, r)
    clear(kkt.values)
    add_tangent(tables, t, q, v, work.multiplier, work, 0.0, weight_rate, weight_place, kkt)


@dataclass
class Parts:
    """Parts between two nodes."""

    kkt: Kkt
    a: np.ndarray  # node of the first six rows and columns
    b: np.ndarray
    kind: np.ndarray  # into NAMES

    def matrices(self, start, q, v, t: float, of_rate: bool) -> np.ndarray:
        """(parts, 12, 12): the symmetric part of stiffness or damping; zero at nodes that are not free."""
        tables, work = start.system.tables, start.work
        link_implicit(tables, work)
        nv = len(v)
        weights = (1.0, 0.0) if of_rate else (0.0, 1.0)
        part_tangents(tables, work, t, q.copy(), v.copy(), np.zeros(nv), np.zeros(nv), self.kkt, *weights)
        m = self.kkt.values.reshape(-1, 12, 12)
        return 0.5 * (m + m.transpose(0, 2, 1))


def find_parts(tables: tb.Tables) -> Parts:
    """Each part with a block of its own."""
    groups = [tables.beams, tables.bars, tables.bushings, tables.measures]
    a = np.concatenate([g["a"] for g in groups] + [np.arange(len(tables.nodes))])
    b = np.concatenate([g["b"] for g in groups] + [np.arange(len(tables.nodes))])
    kind = np.repeat(np.arange(5), [len(g) for g in groups] + [len(tables.nodes)])
    free = np.isin(tables.nodes["kind"], (tb.POINT, tb.FRAME))
    at = np.zeros((len(a), 2, 2, 2), np.int64)
    at[..., 1] = 12
    for i, left in enumerate((a, b)):
        for j, right in enumerate((a, b)):
            place = 144 * np.arange(len(a)) + 72 * i + 6 * j
            at[:, i, j, 0] = np.where(free[left] & free[right], place, -1)
    pieces = np.split(at, np.cumsum([len(g) for g in groups]))
    empty = new_matrix(Assembler((0.0, 0.0, 0.0)).finish().tables)
    kkt = empty._replace(
        values=np.zeros(144 * len(a)), beam_at=pieces[0], bar_at=pieces[1], bushing_at=pieces[2],
        measure_at=pieces[3], node_at=np.ascontiguousarray(pieces[4][:, 0, 0]), active=active_freedoms(tables),
    )  # fmt: skip
    return Parts(kkt, a, b, kind)


def checks_for(parts: Parts) -> int:
    """How often to look at the stable step during a run."""
    return min(CHECKS, max(2, PARTS_CHECKED // max(len(parts.a), 1)))


def masses(tables: tb.Tables) -> np.ndarray:
    """(nodes, 6)"""
    return np.concatenate((np.repeat(tables.nodes["mass"][:, None], 3, axis=1), tables.nodes["inertia"]), axis=1)


def shares(parts: Parts, stiffness: np.ndarray, mass: np.ndarray) -> np.ndarray:
    """(parts, 12) of the mass of node a and of node b, by the part's rows of the stiffness over all the mass."""
    whole_mass = np.concatenate((mass[parts.a], mass[parts.b]), axis=1)
    rows = np.abs(weighted(stiffness, whole_mass)).sum(axis=2).reshape(-1, 4, 3).sum(axis=2)
    total = np.zeros((len(mass), 2))  # of every node's forces and moments
    np.add.at(total, parts.a, rows[:, :2])
    np.add.at(total, parts.b, rows[:, 2:])
    whole = np.concatenate((total[parts.a], total[parts.b]), axis=1)
    return whole_mass * np.repeat(rows / np.where(whole > 0.0, whole, 1.0), 3, axis=1)


def weighted(matrices: np.ndarray, mass: np.ndarray) -> np.ndarray:
    """M^-1/2 A M^-1/2; rows without mass are left out."""
    half = np.where(mass > 0.0, 1.0 / np.sqrt(np.where(mass > 0.0, mass, 1.0)), 0.0)
    return matrices * half[:, :, None] * half[:, None, :]


@dataclass
class Bound:
    """Stable step of every part and the shares it was found with."""

    step: np.ndarray  # (parts,) inf where a part has no stiffness
    K: np.ndarray  # (parts, 12, 12)
    D: np.ndarray
    share: np.ndarray  # (parts, 12) of mass
    parts: Parts

    @property
    def shortest(self) -> float:
        return float(self.step.min(initial=np.inf))


def bound(start, q, v, t: float, parts: Parts | None = None) -> Bound:
    """At a state; see the head of this file."""
    tables = start.system.tables
    parts = parts or find_parts(tables)
    K, D = (parts.matrices(start, q, v, t, of_rate) for of_rate in (False, True))
    put_drags(tables, parts, D)
    mass = masses(tables)
    share = shares(parts, np.abs(K), mass)
    if np.any(D):  # shares for what a step of about this length asks of each part
        h = stable_steps(K, 0.0 * D, share).min(initial=np.inf)
        share = shares(parts, np.abs(K) + np.abs(D) * (4.0 / h if np.isfinite(h) else 1.0), mass)
    return Bound(stable_steps(K, D, share), K, D, share, parts)


def put_drags(tables: tb.Tables, parts: Parts, D: np.ndarray) -> None:
    """The damping of nodes by themselves is their drags; gyroscopic terms are none."""
    first = len(parts.kind) - len(tables.nodes)
    D[first:] = 0.0
    rows = np.concatenate((np.repeat(tables.drags["linear"][:, None], 3, axis=1), tables.drags["angular"]), axis=1)
    for k in range(6):
        np.add.at(D[first:, k, k], tables.drags["node"], rows[:, k])


def stable_steps(K, D, mass) -> np.ndarray:
    """(parts,)"""
    k = np.zeros(len(K))
    d = np.zeros(len(K))
    for values, out in ((K, k), (D, d)):
        some = np.flatnonzero(np.abs(values).max(axis=(1, 2), initial=0.0) > 0.0)
        out[some] = np.maximum(np.linalg.eigvalsh(weighted(values[some], mass[some]))[:, -1], 0.0)
    with np.errstate(divide="ignore"):
        # 2 (sqrt(k + d²) - d) / k without cancellation
        return 2.0 / (np.sqrt(k + d * d) + d)


# -- mass scaling -----------------------------------------------------------------------------------------------------


def scale_masses(start, step: float) -> str:
    """Raise masses and inertias of start's tables until `step` is stable at the start; says what was added."""
    tables = start.system.tables
    found = bound(start, start.q, start.v, start.t)
    slow = np.flatnonzero(found.step < step)
    if not len(slow):
        return f"mass scaling: none needed, {step:.4g} s is stable as it is (up to {found.shortest:.4g} s)"
    K, D, share = found.K[slow], found.D[slow], found.share[slow]
    need = 0.25 * step**2 * K + step * D
    factor = ROOM * np.maximum(largest(need, share), 1.0)
    # where the motion of nodes alone allows it, raise less mass and only as much inertia as it takes
    moves, turns = np.tile([True] * 3 + [False] * 3, 2), np.tile([False] * 3 + [True] * 3, 2)
    only_moves = np.where(moves[:, None] & moves[None, :], need, 0.0)
    mass = share * np.where(moves, np.maximum(1.1 * largest(only_moves, share), 1.0)[:, None], factor[:, None])
    for _ in range(40):
        over = largest(need, mass)
        if over.max() <= 1.0 / ROOM:
            break
        grow = np.where(over > 1.0 / ROOM, 1.15, 1.0)
        mass = np.where(turns, mass * grow[:, None], mass)
    mass = np.where(largest(need, mass)[:, None] > 1.0, np.maximum(mass, share * factor[:, None]), mass)
    before = masses(tables)
    after = before.copy()
    for nodes, columns in ((found.parts.a, slice(0, 6)), (found.parts.b, slice(6, 12))):
        extra = (mass - share)[:, columns]
        extra[:, :3] = extra[:, :3].max(axis=1, keepdims=True)
        np.add.at(after, nodes[slow], np.maximum(extra, 0.0))
    start.system.tables = with_masses(tables, after)
    return scaling_note(tables, before, after, step)


def largest(A, mass) -> np.ndarray:
    return np.linalg.eigvalsh(weighted(A, mass))[:, -1]


def with_masses(tables: tb.Tables, m: np.ndarray) -> tb.Tables:
    nodes = tables.nodes.copy()
    free, frame = np.isin(nodes["kind"], (tb.POINT, tb.FRAME)), nodes["kind"] == tb.FRAME
    nodes["mass"][free], nodes["inertia"][frame] = m[free, 0], m[frame, 3:]
    nodes["inverse_mass"][free] = 1.0 / m[free, 0]
    nodes["inverse_inertia"][frame] = 1.0 / m[frame, 3:]
    return tables._replace(nodes=nodes)


def scaling_note(tables: tb.Tables, before, after, step: float) -> str:
    free = np.isin(tables.nodes["kind"], (tb.POINT, tb.FRAME))
    added, had = float((after - before)[free, 0].sum()), float(before[free, 0].sum())
    turn, turn_had = float((after - before)[free, 3:].sum()), float(before[free, 3:].sum())
    count = int(np.any(after > before * (1.0 + 1e-12), axis=1).sum())
    more = f" and {turn:.3g} kg m² of rotary inertia ({100.0 * turn / turn_had:.3g} %)" if turn_had > 0.0 else ""
    return (
        f"mass scaling: {added:.4g} kg ({100.0 * added / had:.3g} %){more} were added at {count} nodes so that "
        f"{step:.4g} s is a stable step; added mass has weight too"
    )


# -- words ------------------------------------------------------------------------------------------------------------


def culprit(start, found: Bound) -> str:
    """The part that limits the step, in words."""
    k = int(np.argmin(found.step))
    labels = [start.system.drafts.nodes[int(n)].label for n in (found.parts.a[k], found.parts.b[k])]
    where = f"at '{labels[0]}'" if labels[0] == labels[1] else f"between '{labels[0]}' and '{labels[1]}'"
    undamped = float(stable_steps(found.K[k : k + 1], 0.0 * found.D[k : k + 1], found.share[k : k + 1])[0])
    by_damping = f" and its damping (without it {undamped:.4g} s)" if undamped > 1.5 * found.step[k] else ""
    return f"{NAMES[int(found.parts.kind[k])]} {where}{by_damping}"


def chosen_step(start, settings, fallback: float) -> tuple[float, list[str]]:
    """(longest step [s], notes). Raises ModelError if the step asked for is not stable."""
    notes = [scale_masses(start, settings.mass_scaling)] if settings.mass_scaling else []
    found = bound(start, start.q, start.v, start.t)
    limit = found.shortest
    wanted = settings.step or (settings.mass_scaling if settings.mass_scaling else 0.0)
    if wanted:
        if wanted > limit * (1.0 + 1e-9):
            message = (
                f"a step of {wanted:.4g} s is longer than the {limit:.4g} s that are stable, limited by the "
                f"{culprit(start, found)}; leave 'step' out (then {SAFETY * limit:.4g} s), use fewer and longer "
                "elements there, give 'mass_scaling', or try solver: implicit"
            )
            raise ModelError(Problem(None, ("simulate", "step"), message))
        return wanted, notes
    if np.isfinite(limit) and SAFETY * limit < fallback:
        notes.append(f"explicit: steps of up to {SAFETY * limit:.4g} s, limited by the {culprit(start, found)}")
    return min(SAFETY * limit, fallback), notes
