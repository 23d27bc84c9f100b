"""Masses and inertias that allow a longer step.

Asked for (`mass_scaling`), masses and rotary inertias are raised until a step is stable. Unasked, only the rotary
inertia of shell nodes is: that of a thin sheet, ρ t³/12 per area, would let turning limit the step to about the
thickness over the speed of sound. It is raised by no more than turning needs to follow the step that stretching allows
anyway, to about a tenth of the mass times the area around a node: waves much longer than elements do not feel it.

A part with share M, J of masses and inertias that asks for N = h²/4 K + h D = [A B; B' C] is stable with M and f J if
f J > C + B' (M - A)⁻¹ B.
"""

from __future__ import annotations

import numpy as np

from ..mechanics import tables as tb
from .parts import Family, Rows
from .stable_step import Bound, bound, largest, masses, weighted

ROOM = 1.02  # mass added beyond what is needed
APART = 1.1  # what moves alone gets this times what it asks for, so that coupling with turns can be met
NEAR = 0.95  # of the step that stretching allows: with all of it turning would need infinite inertia
HELD = 1e12  # times its inertia a node does not turn
TRIALS = 6  # shares change with the masses


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


def grown_masses(found: Bound, tables: tb.Tables, turns: list[Rows], step: float) -> np.ndarray:
    """(nodes, 6): with what every part needs added."""
    after = masses(tables)
    for family, share, turn in zip(found.parts, found.share, turns, strict=True):
        by = family.each(lambda K, D, m, t: factors(K, D, m, t > 0, step), share, turn)
        turned = turning(family.nodes.shape[1])
        for band in family.bands():
            extra = share(band) * (np.where(turned, by[band, 1:], by[band, :1]) - 1.0)
            extra = np.where((turn(band) > 0) | ~turned, extra, 0.0)
            np.add.at(after, family.nodes[band], extra.reshape(len(extra), -1, 6))
    return after


def turns_at(family: Family, nodes: np.ndarray) -> Rows:
    """(parts, 6 sides): 1 for turns of these nodes (nodes,)"""
    return family.at_nodes(nodes[:, None] * turning(1).astype(float))


def scale_masses(start, step: float) -> str:
    """Raise masses and inertias of start's tables until `step` is stable at the start; says what was added."""
    tables = start.system.tables
    found = bound(start, start.q, start.v, start.t)
    longest = found.longest(start, start.q, start.t)
    if longest >= step:
        return f"mass scaling: none needed, {step:.4g} s is stable as it is (up to {longest:.4g} s)"
    before = masses(tables)
    for trial in range(TRIALS):
        turns = [turns_at(f, np.ones(len(before))) for f in found.parts]
        timid = found.shortest / longest * (1.0 + 0.01 * trial)
        after = grown_masses(found, start.system.tables, turns, step * timid)
        start.system.tables = with_masses(tables, after)
        found = bound(start, start.q, start.v, start.t, found.parts, again=True)
        longest = found.longest(start, start.q, start.t)
        if longest >= step:
            break
    return scaling_note(tables, before, after, step)


def ease_turning(start, longest: float) -> list[str]:
    """Raise the rotary inertia of shell nodes so that turning limits the step no more than stretching does, or the step
    `longest`; says by how much."""
    tables = start.system.tables
    own = shell_nodes(tables)
    if not own.any():
        return []
    found = bound(start, start.q, start.v, start.t)
    before, was = masses(tables), found.shortest
    step = min(longest, NEAR * stretching_step(start, found, own))
    for _ in range(TRIALS):
        if found.shortest >= step:
            break
        turns = [turns_at(f, own) for f in found.parts]
        start.system.tables = with_masses(tables, grown_masses(found, start.system.tables, turns, step))
        found = bound(start, start.q, start.v, start.t, found.parts, again=True)
    after = masses(start.system.tables)
    return [turning_note(before, after, was, found.shortest)] if np.any(after != before) else []


def shell_nodes(tables: tb.Tables) -> np.ndarray:
    """(nodes,) whether shells alone give a node inertia."""
    own = np.zeros(len(tables.nodes), bool)
    for form in np.flatnonzero(tables.forms["carried"]):
        first = tables.cells["corner"][tables.cells["form"] == form]
        own[tables.corners["node"][first[:, None] + np.arange(tables.forms["corners"][form])]] = True
    own[tables.beams["a"]] = own[tables.beams["b"]] = False
    own[tables.corners["node"][tables.corners["arm"] > 0]] = False
    return own & (tables.nodes["kind"] == tb.FRAME)


def stretching_step(start, found: Bound, own: np.ndarray) -> float:
    """The stable step if these nodes could not turn."""
    tables, m = start.system.tables, masses(start.system.tables)
    m[own, 3:] *= HELD
    start.system.tables = with_masses(tables, m)
    step = bound(start, start.q, start.v, start.t, found.parts, again=True).shortest
    start.system.tables = tables
    return step


def with_masses(tables: tb.Tables, m: np.ndarray) -> tb.Tables:
    nodes = tables.nodes.copy()
    free, frame = np.isin(nodes["kind"], (tb.POINT, tb.FRAME)), nodes["kind"] == tb.FRAME
    nodes["mass"][free], nodes["inertia"][frame] = m[free, 0], m[frame, 3:]
    nodes["weight"][free] = m[free, 0]
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
        f"explicit: the rotary inertia of {int(raised.sum())} shell nodes was raised, {ratio:.4g} times at most of "
        f"them, to a radius of gyration of {radius:.3g} m, so that turning allows {step:.4g} s instead of {was:.4g} s; "
        "motion in waves much longer than the elements does not feel it"
    )
