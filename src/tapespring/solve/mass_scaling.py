"""Masses and inertias that allow a longer step.

Asked for (`mass_scaling`), masses and rotary inertias are raised until a step is stable. Unasked, only the rotary inertia
of shell nodes is: that of a thin sheet, ρ t³/12 per area, would let turning limit the step to about the thickness over
the speed of sound. It is raised by no more than turning needs to follow the step that stretching allows anyway, to about
an eighth of the mass times the area around a node, as is the custom: waves much longer than elements do not feel it.

A part with share M, J of masses and inertias that asks for N = h²/4 K + h D = [A B; B' C] is stable with M and f J if
f J > C + B' (M - A)⁻¹ B.
"""

from __future__ import annotations

import numpy as np

from ..mechanics import tables as tb
from .parts import Cells
from .stable_step import Bound, bound, largest, masses, stable_steps, weighted

ROOM = 1.02  # mass added beyond what is needed
APART = 1.1  # what moves alone gets this times what it asks for, so that coupling with turns can be met
NEAR = 0.95  # of the step that stretching allows: with all of it turning would need infinite inertia


def turning(sides: int) -> np.ndarray:
    """(6 sides,) which freedoms are turns."""
    return np.tile([False] * 3 + [True] * 3, sides)


def factors(K, D, mass, turns, step: float) -> np.ndarray:
    """(parts, 2): by which masses, and the inertias of the freedoms `turns` (parts, 6 sides), must grow for a step."""
    need = 0.25 * step**2 * K + step * D
    moves = np.where(turns, 0.0, mass)
    move = np.maximum(APART * largest(need, moves), 1.0)
    turn = np.ones(len(K))
    slow = np.flatnonzero(largest(need, mass) > 1.0)
    if len(slow):
        grown = np.where(turns, mass, mass * move[:, None])[slow]
        N, t = weighted(need[slow], grown), turns[slow]
        A = np.where(t[:, :, None] | t[:, None, :], 0.0, N)
        B = np.where(~t[:, :, None] & t[:, None, :], N, 0.0)
        C = np.where(t[:, :, None] & t[:, None, :], N, 0.0)
        C = C + B.transpose(0, 2, 1) @ np.linalg.solve(np.eye(N.shape[1]) - A, B)
        turn[slow] = np.maximum(ROOM * np.linalg.eigvalsh(C)[:, -1], 1.0)
    move = np.where(largest(need, mass) > 1.0, move, 1.0)
    return np.stack((move, turn), axis=1)


def grown_masses(found: Bound, tables: tb.Tables, turns: list[np.ndarray], step: float) -> np.ndarray:
    """(nodes, 6): with what every part needs added."""
    after = masses(tables)
    for family, share, turn in zip(found.parts, found.share, turns, strict=True):
        by = family.each(lambda K, D, m, t: factors(K, D, m, t > 0, step), share, turn.astype(float))
        extra = share * (np.where(turning(family.nodes.shape[1]), by[:, 1:], by[:, :1]) - 1.0)
        extra = np.where(turn | ~turning(family.nodes.shape[1]), extra, 0.0)
        np.add.at(after, family.nodes, extra.reshape(*family.nodes.shape, 6))
    return after


def scale_masses(start, step: float) -> str:
    """Raise masses and inertias of start's tables until `step` is stable at the start; says what was added."""
    tables = start.system.tables
    found = bound(start, start.q, start.v, start.t)
    if found.shortest >= step:
        return f"mass scaling: none needed, {step:.4g} s is stable as it is (up to {found.shortest:.4g} s)"
    before = masses(tables)
    for _ in range(4):  # shares change with the masses
        turns = [np.tile(turning(f.nodes.shape[1]), (len(f.nodes), 1)) for f in found.parts]
        after = grown_masses(found, start.system.tables, turns, step)
        start.system.tables = with_masses(tables, after)
        found = bound(start, start.q, start.v, start.t, found.parts)
        if found.shortest >= step:
            break
    return scaling_note(tables, before, after, step)


def ease_turning(start, longest: float) -> list[str]:
    """Raise the rotary inertia of shell nodes so that turning limits the step no more than stretching does, or the step
    `longest`; says by how much."""
    tables = start.system.tables
    if not np.any(tables.forms["carried"]):
        return []
    found = bound(start, start.q, start.v, start.t)
    turns = [own_turns(tables, f) for f in found.parts]
    step = min(longest, NEAR * stretching_step(found, turns))
    if found.shortest >= step:
        return []
    before = masses(tables)
    after = grown_masses(found, tables, turns, step)
    start.system.tables = with_masses(tables, after)
    return [turning_note(before, after, found.shortest, step)]


def own_turns(tables: tb.Tables, family) -> np.ndarray:
    """(parts, 6 sides): turns of nodes that shells alone give inertia."""
    size = (len(family.nodes), family.nodes.shape[1])
    if not isinstance(family, Cells) or not family.carried:
        return np.zeros((size[0], 6 * size[1]), bool)
    shared = np.zeros(len(tables.nodes), bool)
    shared[tables.beams["a"]] = shared[tables.beams["b"]] = True
    shared[tables.corners["node"][tables.corners["arm"].any(axis=1)]] = True
    own = ~shared[family.nodes]
    return np.repeat(own, 6, axis=1) & turning(size[1])


def stretching_step(found: Bound, turns: list[np.ndarray]) -> float:
    """The shortest stable step of all parts if these turns are held."""
    steps = [
        f.each(stable_steps, np.where(turn, 0.0, share)) if turn.any() else s
        for f, s, share, turn in zip(found.parts, found.step, found.share, turns, strict=True)
    ]
    return min(float(s.min()) for s in steps)


def with_masses(tables: tb.Tables, m: np.ndarray) -> tb.Tables:
    nodes = tables.nodes.copy()
    free, frame = np.isin(nodes["kind"], (tb.POINT, tb.FRAME)), nodes["kind"] == tb.FRAME
    nodes["mass"][free], nodes["inertia"][frame] = m[free, 0], m[frame, 3:]
    nodes["inverse_mass"][free] = 1.0 / m[free, 0]
    nodes["inverse_inertia"][frame] = 1.0 / m[frame, 3:]
    return tables._replace(nodes=nodes)


# -- words ------------------------------------------------------------------------------------------------------------


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


def turning_note(before, after, was: float, step: float) -> str:
    raised = after[:, 3] > before[:, 3] * (1.0 + 1e-12)
    ratio = np.median(after[raised, 3] / before[raised, 3])
    radius = np.sqrt(np.median(after[raised, 3] / after[raised, 0]))
    return (
        f"explicit: the rotary inertia of {int(raised.sum())} shell nodes was raised, {ratio:.4g} times at most of them, "
        f"to a radius of gyration of {radius:.3g} m, so that turning allows {step:.4g} s instead of {was:.4g} s; motion "
        "in waves much longer than the elements does not feel it"
    )
