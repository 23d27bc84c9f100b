"""After a run: what contacts did, and what a user should know about their laws."""

from __future__ import annotations

from typing import Any

import numpy as np

from .mechanics import tables as tb
from .mechanics.touching import DEEPEST, FASTEST, PASSED, REBOUND, SETTLED, STEPS_CLOSED, STRONGEST, TOUCHES

DEEP = 0.05  # of the smallest feature: more is not contact of hard surfaces
FEW = 6.0  # steps per touch: fewer do not resolve it
DEAD = 0.1  # restitution below this, where the law says nothing of the kind
FAR_AWAY = 1e5  # m, from the world's origin: nearer ones are rounded to less than 1e-11 m
FAR_OUT = 1e6  # times its size: a surface this far from a center of mass has lost most digits of its gaps
SLOW = 1e-3  # of the fastest touch: what is slower tells nothing about restitution


def contact_report(start, catalogue, solver: str) -> tuple[dict[str, dict[str, Any]], list[str]]:
    """(what every contact did, by name; warnings)"""
    tables, work = start.system.tables, start.work
    report, warnings = {}, []
    for entry in catalogue.contacts.values():
        found = contact_facts(entry, tables, work)
        report[entry.name] = found
        warnings += [f"contact '{entry.name}': {words}" for words in complaints(entry, tables, found, solver)]
        if found["settled"]:
            warnings.append(
                f"impacts of contact '{entry.name}' that followed each other ever faster ended in lasting contact, "
                f"{times(found['settled'])}; what that took is in 'energy.impacts'"
            )
    return report, warnings


def check_contacts(start, catalogue, model) -> None:
    """Refuse surfaces that no contact can be computed of as they are drawn. Raises ModelError."""
    check_arms(start, catalogue, model)
    check_overlaps(start, catalogue, model)


def check_overlaps(start, catalogue, model) -> None:
    """Refuse surfaces that are well within each other at the start, or take their gap as the new zero. Raises
    ModelError."""
    from .schema.problems import ModelError
    from .solve.initial import evaluate

    tables, here = start.system.tables, (start.t, start.q.copy(), start.v.copy(), np.zeros(len(start.v)))
    evaluate(tables, start.work, *here)
    if len(tables.members):
        from .solve.crowd import find_pairs

        find_pairs(start)
        evaluate(tables, start.work, *here)
    work, problems = start.work, []
    for entry in catalogue.contacts.values():
        mine = np.flatnonzero(work.pairs["contact"][: work.pair_count[0]] == entry.contact)
        depth, margin = -work.pair_out[mine, 0], tables.contacts[entry.contact]["margin"]
        if entry.overlap == "relax":
            work.pairs["offset"][mine] = np.maximum(depth + margin, 0.0)
        elif entry.overlap == "refuse" and depth.max(initial=0.0) > allowed_overlap(start, entry.contact):
            worst = int(np.argmax(depth))
            which = f" (pair {worst + 1} of {len(mine)})" if len(mine) > 1 else ""
            pair = work.pairs[mine[worst]]
            one, other = (owner(int(pair[side]), tables, catalogue) for side in "ab")
            problems.append(model.problem(("contacts", entry.name), (
                f"{one} and {other} are {depth[worst]:.4g} m within each other at the "
                f"start{which}; move them apart, or write 'overlap: relax' to count gaps from there, or 'overlap: keep'"
            )))  # fmt: skip
    if problems:
        raise ModelError(problems)


def check_arms(start, catalogue, model) -> None:
    """Refuse surfaces that are so far from the center of mass of their body, for their size or its inertia, or from the
    world's origin, for their size, that numbers cannot tell what forces do there. Raises ModelError."""
    from .schema.problems import ModelError
    from .solve.contact_limit import yielding

    tables = start.system.tables
    first, feature = tables.surfaces["spot"], tables.surfaces["feature"]
    arm = np.linalg.norm(tables.spots["arm"][first], axis=1)
    by_inertia = np.sqrt(yielding(tables)[:, 0] * tables.nodes["mass"][tables.spots["node"][first]])
    far = np.maximum(by_inertia, sizes_away(arm, feature))
    away = np.linalg.norm(start.work.x[tables.spots["node"][first]], axis=1)
    coarse = np.where(away > FAR_AWAY, sizes_away(away, feature), 0.0)
    problems = []
    for entry in catalogue.contacts.values():
        mine = surfaces_of(tables, entry.contact)
        if not len(mine):
            continue
        worst, coarsest = int(mine[np.argmax(far[mine])]), int(mine[np.argmax(coarse[mine])])
        if far[worst] > FAR_OUT:
            problems.append(model.problem(("contacts", entry.name), (
                f"its surface on {owner(worst, tables, catalogue)} is {arm[worst]:.4g} m from that body's center of "
                f"mass, {far[worst]:.1g} times its own size or the body's radius of gyration: too far for numbers to "
                "tell what forces do there; check 'com', the inertia and their units"
            )))  # fmt: skip
        elif coarse[coarsest] > FAR_OUT:
            problems.append(model.problem(("contacts", entry.name), (
                f"the body of its surface on {owner(coarsest, tables, catalogue)} is {away[coarsest]:.4g} m from the "
                f"world's origin, {coarse[coarsest]:.1g} times the size of that surface: rounding of its position is "
                "too coarse for contact; check 'at', 'com' and their units, or move the model to the origin"
            )))  # fmt: skip
    if problems:
        raise ModelError(problems)


def sizes_away(distance: np.ndarray, size: np.ndarray) -> np.ndarray:
    """In sizes; 0 of what has none."""
    return np.divide(distance, size, out=np.zeros_like(distance), where=size > 0.0)


def times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def owner(surface: int, tables, catalogue) -> str:
    """Name of the body that a surface is of."""
    node = int(tables.spots[tables.surfaces[surface]["spot"]]["node"])
    for body in catalogue.bodies.values():
        parts = [part.nodes for part in (body.line, body.mesh) if part is not None]
        if node == body.node or any(node in np.asarray(nodes) for nodes in parts):
            return f"'{body.name}'"
    return "ground"


def allowed_overlap(start, contact: int) -> float:
    """What a body at rest may have sunk in [m]."""
    feature = smallest_feature(start.system.tables, contact)
    return DEEP * feature if feature else 1e-3 * start.length


def contact_facts(entry, tables, work) -> dict[str, Any]:
    """Extremes over the run; None where there was no touch."""
    peak = work.contact_peak[entry.contact]
    touched = peak[TOUCHES] > 0.0
    feature, deepest = smallest_feature(tables, entry.contact), peak[DEEPEST] - tables.contacts[entry.contact]["margin"]
    return {
        "touches": int(peak[TOUCHES]),
        "deepest": float(deepest) if touched else 0.0,  # below zero: a margin was never used up
        "strongest": float(peak[STRONGEST]),
        "fastest": float(peak[FASTEST]),
        "restitution": float(peak[REBOUND] / peak[FASTEST]) if touched and peak[REBOUND] > 0.0 else None,
        "depth_by_feature": float(deepest / feature) if feature and touched else None,
        "steps_per_touch": float(peak[STEPS_CLOSED] / peak[TOUCHES]) if touched else None,
        "passed": int(peak[PASSED]),  # times surfaces passed through each other within a step
        "settled": int(peak[SETTLED]),  # times a succession of impacts was ended
    }


def facts_together(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    """Of two stages: the extremes of both; restitution and steps of the one with the fastest touch."""
    counts = {name: first[name] + second[name] for name in ("touches", "passed", "settled")}
    if not (first["touches"] and second["touches"]):
        return (first if first["touches"] else second) | counts
    worse, other = (first, second) if first["fastest"] > second["fastest"] else (second, first)
    found = dict(worse)
    for name in ("deepest", "strongest", "depth_by_feature"):
        found[name] = max(worse[name], other[name]) if worse[name] is not None else None
    return found | counts


def surfaces_of(tables, contact: int) -> np.ndarray:
    """Numbers of the surfaces of a contact, some of them repeated."""
    pairs = tables.pairs[tables.pairs["contact"] == contact]
    members = tables.members["surface"][tables.members["contact"] == contact]
    return np.concatenate((pairs["a"], pairs["b"], members))


def smallest_feature(tables, contact: int) -> float | None:
    sizes = tables.surfaces["feature"][surfaces_of(tables, contact)]
    return float(sizes[sizes > 0.0].min()) if (sizes > 0.0).any() else None


def complaints(entry, tables, found: dict[str, Any], solver: str):
    """In words, with what to do."""
    law = tables.contacts[entry.contact]
    dashpot = law["law"] == tb.POWER and law["damping"] > 0.0 and law["depth_power"] == 0.0
    if found["passed"]:
        yield (
            f"surfaces passed through each other within a step, {times(found['passed'])}: it moves them farther than "
            "they are thick; shorten the step, or leave 'step' out where the solver can choose it"
        )
    if found["touches"] == 0:
        return
    part = found["depth_by_feature"]
    if part is not None and part > DEEP:
        yield (
            f"surfaces went {found['deepest']:.3g} m into each other, {100.0 * part:.0f} % of their smallest size; "
            "the law is too soft for this speed or load, so give more stiffness"
        )
    if dashpot:
        yield (
            f"the force jumps to {law['damping'] * found['fastest']:.3g} N at first touch, for the dashpot acts at "
            "once; 'nonlinear' or 'impact' damping sets in with the depth"
        )
    e = found["restitution"]
    if dashpot and e is not None and e < DEAD:
        yield (
            f"overdamped: surfaces part at {e:.3g} of the speed at which they met; use less damping, or a law that "
            "takes a restitution"
        )
    if dashpot and law["adhesive"] and e is None:
        yield f"surfaces that met at {found['fastest']:.3g} m/s have not parted: overdamped, or the run is too short"
    if law["adhesive"]:
        yield "it is adhesive: it pulls surfaces together while they part"
    if solver not in ("ode", "baumgarte", "quasi-static") and found["steps_per_touch"] < FEW:
        yield (
            f"a touch lasts {found['steps_per_touch']:.1f} steps only; shorten the step, tighten the tolerance, or "
            "make the contact softer"
        )
