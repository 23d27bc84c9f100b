"""Balanced places to linearise about: at a time, near a state reached before, or turning steadily. Parts may be free to
move without any force: they are moved no further than they must."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from ..jit import kernel
from ..mechanics import tables as tb
from ..mechanics.mixed import foresee_stress
from ..mechanics.projection import retract
from . import balance as bal
from .along_time import along_time
from .implicit import link_implicit
from .initial import Start
from .kkt import new_kkt
from .krylov import NotSettledError
from .search import Search, TooDeepError
from .small_motion import SmallMotion, factor_filled, linearise, solve_filled
from .spin import Spin

TOLERANCE = 1e-11  # of the model's size, or rad: the last correction
NEARBY = 1e-3  # of the model's size, or rad: a place balanced that near to a state is that state
PARTS = (1, 8, 64)  # in so many the centrifugal load is put on
FREE = 1e-6  # of the rate squared: times the mass, added where a body is free, moves it no further than it must
AT_REST = 1e-10  # the same, of the stiffest freedom over its mass: far above rounding, far below what vibrates
MOST_ITERATIONS = 40
LONGEST = 0.5  # model sizes or rad in one correction


def new_search(start: Start, span: float) -> Search:
    settings = SimpleNamespace(duration=span or 1.0, tolerance=TOLERANCE, max_step=None, linear_solver="direct")
    return Search(start, settings, 0, start.t)


def settled_at(start: Start, t: float) -> Search:
    """In balance at time t, reached from the start through balanced places. Raises NotSettledError."""
    search = new_search(start, t - start.t)
    try:
        done = search.settle() or search.sink()
        if done:
            search.accept()
            done = t <= start.t or along_time(search, [], t, None)
    except TooDeepError as error:
        raise NotSettledError(str(error)) from error
    if not done:
        search.explain()
        raise NotSettledError(search.run.trouble)
    return search


def settled_near(start: Start) -> Search | None:
    """In balance where the start is, but for what an earlier run left over; None if it is not in balance there."""
    search = new_search(start, 0.0)
    if not search.balanced_at(start.t) or np.abs(search.at.travel * search.at.weight).max(initial=0.0) > NEARBY:
        return None
    search.accept()
    return search


def settled_freely(start: Start, t: float) -> tuple[np.ndarray, np.ndarray] | None:
    """(q, multipliers) in balance at time t where parts can move without any force; None if there is none, or with
    contacts and friction, whose places hang on the way there."""
    tables = start.system.tables
    if len(tables.pairs) + len(tables.grips) + len(tables.members) > 0:
        return None
    for parts in PARTS if t > start.t else PARTS[:1]:
        place: tuple[np.ndarray, np.ndarray] | None = start.q, np.zeros(len(tables.rows))
        for k in range(parts):
            if place is not None:
                place = newton(start, *place, start.t + (k + 1) / parts * (t - start.t), None)
        if place is not None:
            return place
    return None


# -- turning steadily -------------------------------------------------------------------------------------------------
@kernel
def foresee(tables, work, d, part):
    foresee_stress(tables, work, d, part)


@kernel
def displace(tables, q, d):
    retract(tables, q, d)


def spinning_place(start: Start, q, multiplier, t: float, spin: Spin) -> tuple[np.ndarray, np.ndarray]:
    """(q, multipliers) of the place near q that stands still for an observer who turns along. Raises
    NotSettledError."""
    if multiplier is None:
        multiplier = np.zeros(len(start.system.tables.rows))
    for parts in PARTS:
        place: tuple[np.ndarray, np.ndarray] | None = (np.array(q, float), np.array(multiplier, float))
        for k in range(parts):
            if place is not None:
                place = newton(start, *place, t, spin.times(np.sqrt((k + 1) / parts)))
        if place is not None:
            return place
    raise NotSettledError(
        "no place was found that turns steadily at this rate; the rate may be beyond what the model can bear, or parts "
        "of it can move freely"
    )


def newton(start: Start, q, multiplier, t: float, spin: Spin | None) -> tuple[np.ndarray, np.ndarray] | None:
    """From a place to one in balance, at rest or turning; None if it is not found."""
    tables, work = start.system.tables, start.work
    link_implicit(tables, work)
    kkt, nv = new_kkt(tables), len(start.v)
    weight = bal.new_balance(tables, work, q, multiplier, start.length, TOLERANCE).weight
    rest, r, weights = np.zeros(nv), np.zeros(nv), np.array([0.0, 0.0, 1.0])
    q, multiplier, before = q.copy(), multiplier.copy(), np.inf
    free = free_shift(start, q, t, spin)
    weights[0] = free if spin is None else 0.0  # at rest something is known to be free, which rounding may hide
    try:
        for _ in range(MOST_ITERATIONS):
            work.mixed[0] = 1 if len(tables.beams) + len(tables.cells) and 1e-3 < before < np.inf else 0
            for shift in (weights[0], free):
                weights[0] = shift
                linearise(tables, work, t, q, rest.copy(), rest, multiplier, r, weights, kkt, True)
                if spin is not None:
                    spin.load(tables, work, r)
                    spin.add_to(tables, work, kkt, None, kkt.values)
                if factor_filled(tables, work, kkt) == 0:
                    break
            else:
                return None
            d = -np.concatenate((free_part(tables, r), work.g))[None, :]
            solve_filled(tables, work, kkt, d)
            size = float(np.abs(d[0, :nv] * weight).max(initial=0.0))
            if not size < 1e6:
                return None
            part = min(1.0, LONGEST / max(size, 1e-300))
            if len(tables.beams) + len(tables.cells):
                foresee(tables, work, d[0], part)
            displace(tables, q, part * d[0, :nv])
            multiplier += part * d[0, nv:]
            if size <= TOLERANCE or (size < 1e-7 and size > 0.5 * before):
                return q, multiplier
            before = size
    finally:
        work.mixed[0] = 0
    return None


def free_shift(start: Start, q, t: float, spin: Spin | None) -> float:
    """What is added times the mass where a body is free [1/s²]."""
    if spin is not None:
        return FREE * float(spin.rate @ spin.rate)
    motion = SmallMotion(start.system, start.work, q, None, t)
    stiff = np.abs(motion.matrix(motion.K).diagonal())[motion.active] / motion.mass[motion.active]
    return AT_REST * float(stiff.max(initial=0.0)) or 1.0


def free_part(tables: tb.Tables, r: np.ndarray) -> np.ndarray:
    """The residual of nodes that can move."""
    out = np.zeros_like(r)
    for kind, size in ((tb.POINT, 3), (tb.FRAME, 6)):
        n = np.flatnonzero(tables.nodes["kind"] == kind)
        at = tables.nodes["v"][n][:, None] + np.arange(size)
        out[at] = r[at]
    return out
