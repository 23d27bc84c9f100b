"""Consistent beginnings: positions assembled, velocities projected, redundant rows found, or refused by name."""

from __future__ import annotations

from dataclasses import dataclass, field
from zlib import crc32

import numpy as np

from ..build.assembler import Assembler, System
from ..build.catalogue import Catalogue
from ..jit import forget_packs, kernel
from ..mechanics import tables as tb
from ..mechanics.core import link
from ..mechanics.linking import accelerations, project
from ..mechanics.projection import largest, retract
from ..schema.problems import ModelError, Problem
from .unclear_friction import refuse_unclear_friction

CLOSED = 1e-10  # of the model's size: constraints count as satisfied
REMEMBERED = (
    "anchor", "anchor_time", "pair_mode", "pair_memory", "pair_side", "x_last", "R_last", "contact_peak", "grip_mode",
    "grip_memory", "grip_normal",
)  # fields of Work that another evaluation does not find again  # fmt: skip
STAGES = 10  # in which initial joint coordinates are reached


@kernel
def settle_or_evaluate(tables, work, t, q, v, out, small, rounds):
    """Project up to `rounds` times; with none, evaluate the accelerations. One kernel for both compiles faster."""
    if rounds == 0:
        accelerations(tables, t, q, v, work, out, 0.0, 0.0)
    for _ in range(rounds):
        project(tables, t, q, v, work, small)
        if not largest(work.g) > small:
            break
    return largest(work.g)


def settle(tables, work, t, q, v, small, rounds) -> float:
    """Project q and v repeatedly; returns the violation of positions left."""
    return settle_or_evaluate(tables, work, t, q, v, v, small, rounds)


def evaluate(tables, work, t, q, v, out) -> None:
    """Accelerations, multipliers and constraint values at a state."""
    settle_or_evaluate(tables, work, t, q, v, out, 0.0, 0)


@kernel
def displace(tables, q, d):
    retract(tables, q, d)


@dataclass
class Memory:
    """What contacts and joints remember. By names of contacts (pairs, 4 + MEMORY): the two surfaces, modes, memory (see
    mechanics.pair_memory), of a point near triangles -1 less the first of these as second surface; by names of joints
    (1 + GRIP_MEMORY,): mode, memory (see mechanics.grips)."""

    contacts: dict[str, np.ndarray] = field(default_factory=dict)
    joints: dict[str, np.ndarray] = field(default_factory=dict)


@dataclass
class Start:
    """A consistent state and what had to be done to get it."""

    system: System
    work: tb.Work
    q: np.ndarray
    v: np.ndarray
    length: float  # natural length of the model [m]
    speed: float  # natural speed [m/s]
    full: System  # with redundant rows too
    t: float = 0.0  # when it is [s]
    superfluous: int = 0  # number of redundant rows
    weakest: float = 0.0  # pivot of the weakest row kept, when some were left out
    moved: float = 0.0  # farthest that a body was put aside to go on from a state [m]
    notes: list[str] = field(default_factory=list)
    recalled: Memory | None = None  # of the state it goes on from, see memory
    aside: Memory = field(default_factory=Memory)  # of it, what is part of a rigid piece for now
    continues: bool = False  # whether all that acts is what acted before
    scheme: dict[str, np.ndarray] = field(default_factory=dict)  # what solvers know of the steps before, by name
    reached: list[int] = field(default_factory=list)  # watches that ended the run before


def consistent_start(assembler: Assembler, catalogue: Catalogue) -> Start:
    """Assemble, project, and drop redundant rows; raises ModelError naming the joint that cannot be satisfied."""
    length = model_size(assembler)
    values = [i for i in catalogue.initial if i.value is not None]
    rates = [i for i in catalogue.initial if i.rate is not None]
    system = assembler.finish()
    q, v = system.q0.copy(), system.v0.copy()
    drawn = q.copy()
    notes: list[str] = []
    if values:
        q = reach_coordinates(assembler, values, q, length)
    q = close_positions(system, catalogue, q, v, length)
    notes += moved_bodies(assembler, system, drawn, q, length, bool(values))
    v, said = close_velocities(assembler, system, catalogue, rates, q, v, length)
    notes += said
    return independent_start(assembler, system, q, v, length, 0.0, notes)


def independent_start(assembler: Assembler, full: System, q, v, length: float, t: float, notes: list[str]) -> Start:
    """The start at a consistent state, without redundant rows."""
    system, weakest = full, 0.0
    superfluous = count_redundant(full, q, v, length, t)
    if superfluous:
        system, out, weakest = choose_rows(assembler, full, superfluous, q, v, t)
        notes.append(redundancy_note(full, out))
        refuse_unclear_friction(full, scaled_products(full, q, v, t))
    work = linked_work(system)
    speed = model_speed(system, work, q, v, length, t)
    if np.array_equal(q, system.q0) and np.array_equal(v, system.v0):
        q, v = system.q0, system.v0  # once is enough
    return Start(system, work, q, v, length, speed, full, t, superfluous, weakest, notes=notes)


def resumed_start(assembler: Assembler, q, v, anchor: dict[str, float], t: float, mark: str = "") -> Start:
    """A start at a state reached before, at time t; `anchor` are counted angles by name, `mark` the fingerprint of what
    acted there: if that goes on to act, the state stays as its solver left it. Raises ModelError."""
    length = model_size(assembler)
    system = assembler.finish()
    q, v, work = np.array(q, float), np.array(v, float), linked_work(system)
    given, before = v.copy(), q.copy()
    put_anchors(assembler, work, anchor, t)
    worst = settle(system.tables, work, t, q, v.copy(), 1e-13 * length, 100)
    if not worst <= CLOSED * length:
        raise refused(system, work, f"the joints cannot be closed at t = {t:g} s, where this stage begins", worst)
    settle(system.tables, work, t, q.copy(), v, 1e-13 * length, 1)
    start = independent_start(assembler, system, q, v, length, t, [])
    put_anchors(assembler, start.work, anchor, t)
    start.continues = fingerprint(start.system.tables) == mark
    if start.continues:
        start.q, start.v = before, given
        return start
    start.notes += changed_velocities(assembler, system, given, v)
    start.moved = float(displacements(system.tables, before, q)[1].max(initial=0.0))
    return start


def put_anchors(assembler: Assembler, work: tb.Work, anchor: dict[str, float], t: float) -> None:
    """Go on counting turns from where they stood."""
    work.anchor_time[0] = t
    for i, m in enumerate(assembler.measures):
        if m.label in anchor:
            work.anchor[i, 0] = anchor[m.label]


def anchors_of(start: Start) -> dict[str, float]:
    """Counted angles by name."""
    labelled = enumerate(start.system.drafts.measures)
    return {m.label: float(start.work.anchor[i, 0]) for i, m in labelled if m.label and m.kind == tb.ANGLE}


def fingerprint(t: tb.Tables) -> str:
    """Of all that acts, as far as tables tell: where it is the same the same motion goes on."""
    mark = 0
    for name, table in t._asdict().items():
        if name != "near":  # which loops choose for themselves
            mark = crc32(np.ascontiguousarray(table).view(np.uint8).data, mark)
    return f"{mark:08x}"


def linked_work(system: System) -> tb.Work:
    forget_packs()  # one before it is as large
    return link(system.tables, tb.new_work(system.tables))


def model_size(assembler: Assembler) -> float:
    """Largest extent of the drawn model, from its nodes and the points they carry [m]."""
    no_places, placed = set(assembler.weightless), np.ones(len(assembler.nodes), bool)
    placed[[0, *no_places]] = False
    measures = [m for m in assembler.measures if m.kind not in (tb.COSINE, tb.ANGLE) and m.b not in no_places]
    points = [p for m in measures for p in (m.pa, m.pb)]
    all_points = np.concatenate((assembler.nodes.table["x"][placed], np.array(points).reshape(-1, 3)))
    extent = np.ptp(all_points, axis=0).max() if len(all_points) else 0.0
    return float(extent) if extent > 0 else 1.0


def model_speed(system, work, q, v, length, t) -> float:
    """A natural speed: what the motion has, or what the accelerations give within the model's size [m/s]."""
    a = np.zeros(len(v))
    evaluate(system.tables, work, t, q.copy(), v.copy(), a)
    moves, turns = free_parts(system.tables)
    fast, hurried = (
        max(np.abs(rate[moves]).max(initial=0.0), length * np.abs(rate[turns]).max(initial=0.0)) for rate in (v, a)
    )
    speed = float(max(fast, np.sqrt(hurried * length)))
    return speed if np.isfinite(speed) and speed > 0.0 else 1.0


def free_parts(t: tb.Tables) -> tuple[np.ndarray, np.ndarray]:
    """Places in v of free nodes: (points and frames, 3) of their translation, (frames, 3) of their rotation."""
    first, kind, three = t.nodes["v"], t.nodes["kind"], np.arange(3)
    frames = kind == tb.FRAME
    return first[frames | (kind == tb.POINT)][:, None] + three, first[frames][:, None] + 3 + three


def with_targets(assembler: Assembler, targets) -> System:
    """The system with extra rows that hold measures at (value, rate) at time zero."""
    rows, laws, numbers = len(assembler.rows), len(assembler.laws), len(assembler.numbers)
    for measure, value, rate, label in targets:
        law = assembler.law_polynomial([value, rate])
        assembler.constrain(measure, label, "initial value", law=law)
    try:
        return assembler.finish()
    finally:
        del assembler.rows[rows:], assembler.laws[laws:], assembler.numbers[numbers:]


def measured(system: System, q, v, measures) -> dict[int, float]:
    """Present values of some measures."""
    from .probe import measure_values

    work = linked_work(system)
    return dict(zip(measures, measure_values(system.tables, work, q, v, measures)[0], strict=True))


def reach_coordinates(assembler, values, q, length) -> np.ndarray:
    """Move bodies until the joints have their initial coordinates, in stages so that large angles are reached."""
    system = assembler.finish()
    zero = np.zeros(len(system.v0))
    begin = measured(system, q, zero, [i.measure for i in values])
    for stage in range(1, STAGES + 1):
        s = stage / STAGES
        targets = [(i.measure, begin[i.measure] + s * (i.value - begin[i.measure]), 0.0, i.label) for i in values]
        staged = with_targets(assembler, targets)
        work = linked_work(staged)
        for i, target in zip(values, targets, strict=True):
            work.anchor[i.measure, 0] = target[1]
        worst = settle(staged.tables, work, 0.0, q, zero.copy(), 1e-13 * length, 40)
        if not worst <= CLOSED * length:
            raise refused(staged, work, "the initial coordinates cannot be reached together", worst)
    return q


def close_positions(system, catalogue, q, v, length) -> np.ndarray:
    work = linked_work(system)
    worst = settle(system.tables, work, 0.0, q, v.copy(), 1e-13 * length, 100)
    if not worst <= CLOSED * length:
        raise refused(system, work, "the joints cannot be assembled from the drawn positions", worst)
    return q


def close_velocities(assembler, system, catalogue, rates, q, v, length):
    """Velocities that satisfy all joints, drives and initial rates, nearest to those given."""
    given = v.copy()
    now = measured(system, q, v, [i.measure for i in rates]) if rates else {}
    target = with_targets(assembler, [(i.measure, now[i.measure], i.rate, i.label) for i in rates]) if rates else system
    work = linked_work(target)
    for i in rates:
        work.anchor[i.measure, 0] = now[i.measure]
    settle(target.tables, work, 0.0, q.copy(), v, 1e-13 * length, 1)
    settle(target.tables, work, 0.0, q.copy(), v, 1e-13 * length, 1)
    evaluate(target.tables, work, 0.0, q.copy(), v.copy(), np.zeros(len(v)))
    speed = max(np.abs(v).max(initial=0.0), np.abs(work.g_target).max(initial=0.0), 1e-3)
    worst = np.abs(work.g_rate).max(initial=0.0)
    if not worst <= 1e-7 * speed:
        raise refused(target, work, "the initial velocities contradict each other", worst, rates=True)
    return v, changed_velocities(assembler, system, given, v)


def refused(system, work, what, worst, rates=False) -> ModelError:
    """An error that names the joint with the largest violation."""
    g = np.abs(work.g_rate if rates else work.g)
    row = system.row_owner(int(np.argmax(np.nan_to_num(g, nan=np.inf)))) if len(g) else None
    owner, about = (row.owner, row.about) if row else ("?", "?")
    unit = "m/s or rad/s" if rates else "m or rad"
    remedy = (
        "give velocities or rates that the joints allow, or leave them out"
        if rates
        else "check lengths, points and axes of the joints in this loop, or draw the bodies nearer to where they belong"
    )
    message = f"{what}: '{owner}' ({about}) is violated by {worst:.3g} {unit}; {remedy}"
    return ModelError([Problem(None, (owner,), message)])


def moved_bodies(assembler, system, drawn, q, length, on_purpose) -> list[str]:
    """What assembly moved, if the user did not ask for it."""
    if on_purpose or np.array_equal(q, drawn):
        return []
    free, step = displacements(system.tables, drawn, q)
    far = int((step > 1e-9 * length).sum())
    if not far:
        return []
    label, most = assembler.nodes.label(int(free[np.argmax(step)])), step.max()
    return [f"assembled: {far} bodies were moved to close the joints, '{label}' most, by {most:.3g} m"]


def displacements(t: tb.Tables, before, after) -> tuple[np.ndarray, np.ndarray]:
    """(free nodes, how far each of them went [m])"""
    free = np.flatnonzero((t.nodes["kind"] == tb.POINT) | (t.nodes["kind"] == tb.FRAME))
    return free, np.linalg.norm((after - before)[t.nodes["q"][free][:, None] + np.arange(3)], axis=1)


def changed_velocities(assembler, system, given, v) -> list[str]:
    """Velocities that were given and had to be changed."""
    if np.array_equal(v, given):
        return []
    nodes = system.tables.nodes
    free = np.flatnonzero((nodes["kind"] == tb.POINT) | (nodes["kind"] == tb.FRAME))
    inside = np.arange(6) < np.where(nodes["kind"][free] == tb.FRAME, 6, 3)[:, None]
    part = np.where(inside, nodes["v"][free][:, None] + np.arange(6), nodes["v"][free][:, None])
    size, step = np.abs(given[part]).max(axis=1, initial=0.0), np.abs(v - given)[part].max(axis=1, initial=0.0)
    step[(size == 0.0) | (step <= 1e-9 * np.maximum(1.0, size))] = 0.0
    changed = int((step > 0.0).sum())
    if not changed:
        return []
    label, most = assembler.nodes.label(int(free[np.argmax(step)])), step.max()
    return [
        f"initial velocities did not satisfy the joints and were projected: {changed} bodies changed, "
        f"'{label}' most, by {most:.3g} (m/s or rad/s)"
    ]


def ranked_rows(system, q, v, time) -> tuple[np.ndarray, int, float]:
    """(rows of the table from strongest to weakest, rank, weakest pivot of that rank) by pivoted Cholesky of S."""
    from scipy.linalg.lapack import dpstrf

    factor, order, rank, _ = dpstrf(scaled_products(system, q, v, time), lower=1, tol=1e-10)
    pivots = np.diag(factor) ** 2
    return order - 1, int(rank), float(pivots[: int(rank)].min(initial=1.0))


def scaled_products(system, q, v, time) -> np.ndarray:
    """Lower triangle of S = G M⁻¹ G', with ones on its diagonal."""
    work, t = linked_work(system), system.tables
    evaluate(t, work, time, q.copy(), v.copy(), np.zeros(len(v)))
    n = len(t.rows)
    S = np.zeros((n, n))
    rows = np.repeat(np.arange(n), np.diff(t.S_first.astype(np.int64)))
    S[rows, t.S_column.astype(np.int64)] = work.S
    scale = 1.0 / np.sqrt(np.diag(S))
    return S * scale[:, None] * scale


def count_redundant(system, q, v, length, t) -> int:
    """Rows that are superfluous here and after small motions: for good, not just in a singular position."""
    if not len(system.tables.rows):
        return 0
    work = linked_work(system)
    evaluate(system.tables, work, t, q.copy(), v.copy(), np.zeros(len(v)))
    if not work.dropped[0]:
        return 0
    n = len(system.tables.rows)
    superfluous = n - ranked_rows(system, q, v, t)[1]
    rng = np.random.default_rng(1)
    for _ in range(2):
        there = nearby(system, q, length, rng, t)
        if there is not None:
            superfluous = min(superfluous, n - ranked_rows(system, there, np.zeros(len(v)), t)[1])
    return superfluous


def nearby(system, q, length, rng, t) -> np.ndarray | None:
    """Another assembled position, a small random motion away; None if there is none."""
    step = rng.standard_normal(len(system.v0))
    for node in system.tables.nodes:
        j, size = int(node["v"]), {tb.POINT: 3, tb.FRAME: 6}.get(int(node["kind"]), 0)
        step[j : j + min(3, size)] *= length
        idle = list(range(6 if size == 0 and node["kind"] != tb.GROUND else 0))
        if len(system.tables.columns):
            idle = [k for k in range(size) if k not in system.tables.columns]
        for k in idle:
            step[j + k] = 0.0
    work, there = linked_work(system), q.copy()
    settle(system.tables, work, t, there, step, 1.0e300, 1)  # velocities only
    displace(system.tables, there, 0.02 * step / max(1.0, np.abs(step).max()))
    worst = settle(system.tables, work, t, there, np.zeros(len(step)), 1e-13 * length, 60)
    return there if worst <= CLOSED * length else None


def choose_rows(assembler, full: System, superfluous: int, q, v, t) -> tuple[System, list[int], float]:
    """The system without its weakest rows at this place: (system, drafts left out, weakest pivot kept)."""
    order, _, _ = ranked_rows(full, q, v, t)
    out = sorted(full.kept[r] for r in order[len(order) - superfluous :])
    system = assembler.finish(without_rows=frozenset(out))
    return system, out, ranked_rows(system, q, v, t)[2]


def choose_rows_anew(start: Start, q, v, t: float) -> None:
    """Redundant systems: the rows left out were chosen for another place; choose again here, keeping all memory."""
    start.system, _, start.weakest = choose_rows(start.system.drafts, start.full, start.superfluous, q, v, t)
    old = start.work
    start.work = linked_work(start.system)
    for name in REMEMBERED:
        getattr(start.work, name)[:] = getattr(old, name)


def redundancy_note(system, redundant) -> str:
    rows = [system.drafts.rows[r] for r in redundant]
    named = ", ".join(f"'{r.owner}' ({r.about})" for r in rows[:4]) + (" …" if len(rows) > 4 else "")
    plural = "rows are" if len(rows) > 1 else "row is"
    return (
        f"over-constrained: {len(rows)} constraint {plural} redundant and left out: {named}. The motion is not "
        "affected; how reactions are shared between redundant joints is not determined by rigid bodies"
    )
