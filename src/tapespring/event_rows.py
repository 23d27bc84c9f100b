"""Rows at the instants of events among those of outputs: before and after an impact, and where a level is crossed.

Outputs that are a number or an interval say how finely to look, not just when: without these rows a curve would show an
impact a whole interval wide. Outputs that are a list of times stay as they are.
"""

from __future__ import annotations

import numpy as np

from .solve.last_row import ROWS
from .solve.steps import NEXT_OUTPUT
from .stages import StageRun
from .step_rows import StepRows

MOST = 1000  # events that get rows: more of them are no longer told apart in a curve
SAME = 1e-12  # of the time reached: a state at the instant itself


def add_event_rows(part: StageRun) -> None:
    """To a run of a stage, from the states it left between its outputs."""
    between = part.between
    instants = np.unique([time for time, _, _ in part.run.events])
    if between is None or isinstance(part.stage.outputs, tuple) or not 0 < len(instants) <= MOST:
        return
    near = SAME * max(abs(part.run.time), part.run.duration)
    states, inside = places_of(between, instants, near)
    found = [between.rows(states)] if len(states) else []
    found += [between.rows(np.array([step]), np.array([share])) for step, share in inside]
    record, n = part.run.record, part.rows
    time = np.concatenate([record.time[:n], *(rows.time for rows in found)])
    new = np.abs(time[n:, None] - record.time[:n]).min(axis=1, initial=np.inf) > near
    order = np.argsort(time[kept := np.append(np.arange(n), n + np.flatnonzero(new))], kind="stable")
    merged = {
        name: np.concatenate([getattr(record, name)[:n], *(getattr(rows, name) for rows in found)])[kept[order]]
        for name in ("time", *ROWS)
    }
    part.run.record = record._replace(**merged)
    part.run.loop.count[NEXT_OUTPUT] = len(kept)


def places_of(between: StepRows, instants: np.ndarray, near: float) -> tuple[np.ndarray, list[tuple[int, float]]]:
    """(states at these instants, (step, share of it) of those that lie within steps)"""
    time = between.time
    low, high = np.searchsorted(time, instants - near), np.searchsorted(time, instants + near, side="right")
    states = np.concatenate([np.arange(a, b) for a, b in zip(low, high, strict=True)]).astype(np.int64)
    inside = []
    for t, a, b in zip(instants, low, high, strict=True):
        if a == b and 0 < a < len(time) and between.length[a - 1] > 0.0:
            inside.append((int(a - 1), float((t - time[a - 1]) / between.length[a - 1])))
    return states, inside
