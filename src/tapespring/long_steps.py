"""Given steps that are too long for what moves: how far places may be off, by the steps alone.

Schemes of second order with steps of a given length do not look at their error, and where they keep the energy its
balance closes however long they are. What they do wrong is known, though. Of a motion x they take, in a step h, the
third derivative wrong:

    error of a step = c h³ x''',    c = 1/12 (trapezoidal), 1/24 (central differences).

Two things follow from it. A vibration of the angular frequency ω runs late, or early, by c (ω h)³ in every step, until
after many of them it is anywhere: its whole amplitude is then the error. That is found from the spectrum of the places
at the steps. And where a force sets in or ends somewhere within a step, which the scheme cannot know, places go astray
by up to h²/4 times the change of acceleration in it. The larger of both counts, by the largest way that anything goes,
so that small vibrations beside it may be unresolved.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .mechanics import tables as tb
from .results.trust import UNCERTAIN, Finding

LATE = {"implicit": 1 / 12, "conserving": 1 / 12, "explicit": 1 / 24}  # c, of schemes whose steps may be given
FEWEST = 8  # steps, below which nothing can be said of a motion
SOME_LEFT_OUT = 1.2  # steps for each that left its state: of more it is not known what they were
NUMBERS = 2_000_000  # places that are looked at, at most: of some nodes where there are many
AT_REST = 1e-9  # of the model's size: a way as short as that is none

Array = NDArray[np.float64]


def step_warnings(part: Any) -> list[Finding]:
    """A finding if the given steps of a stage are too long for its motion."""
    solver = part.run.solver
    given = solver == "conserving" or part.stage.step is not None
    if solver not in LATE or not given or part.between is None:
        return []
    time, places, labels = motion_of(part)
    steps = int(part.run.counters()["steps"])
    if len(time) <= FEWEST or steps > SOME_LEFT_OUT * len(time) or not len(labels) or not np.isfinite(places).all():
        return []
    way = 0.5 * np.ptp(places, axis=0).max()
    if way <= AT_REST * part.start.length:
        return []
    off = np.maximum(late(time, places, LATE[solver], steps), astray(time, places))
    worst = int(np.argmax(off))
    share = float(off[worst] / way)
    if share < UNCERTAIN[0]:
        return []
    words = (
        f"For steps of {np.median(np.diff(time)):.3g} s the motion is fast: by them alone places may be off by "
        f"{100.0 * share:.2g} % of the way that anything goes ('{labels[worst // 3]}' most), however well the energy "
        "balances. Shorten the step, leave it out where the solver can choose it, or see with --refine what it does."
    )
    return [Finding("fair" if share < UNCERTAIN[1] else "bad", "Steps", words)]


def motion_of(part: Any) -> tuple[Array, Array, list[str]]:
    """(times, places at the ends of steps (n, 3 nodes), names of the nodes), of instants with two states the later."""
    between, system = part.between, part.start.system
    time = between.time
    kept = np.append(np.diff(time) > 0.0, True)
    nodes = np.flatnonzero(np.isin(system.tables.nodes["kind"], (tb.POINT, tb.FRAME)))
    nodes = nodes[: len(nodes) if not len(system.tables.modal) else 0]  # amplitudes are no places
    most = max(4, NUMBERS // (3 * max(1, len(time))))
    nodes = nodes[np.unique(np.linspace(0, len(nodes) - 1, min(len(nodes), most)).astype(int))] if len(nodes) else nodes
    columns = (system.tables.nodes["q"][nodes][:, None] + np.arange(3)).ravel()
    states = between.record.step_state[between.first : between.last]
    return time[kept], states[kept][:, columns], [system.drafts.nodes[i].label for i in nodes]


def late(time: Array, places: Array, c: float, steps: int) -> Array:
    """How far each place is off at the end, root of mean squares, because vibrations run late."""
    even = np.linspace(time[0], time[-1], len(time))
    if np.abs(np.diff(time) - (even[1] - even[0])).max() > 1e-6 * (even[1] - even[0]):
        places = np.stack([np.interp(even, time, column) for column in places.T], axis=1)
    straight = places[0] + (places[-1] - places[0]) * np.linspace(0.0, 1.0, len(even))[:, None]
    swing = places - straight
    power = np.abs(np.fft.rfft(np.hanning(len(even))[:, None] * (swing - swing.mean(axis=0)), axis=0)) ** 2
    angle = 2.0 * np.pi * np.arange(len(power)) / steps  # of each frequency, in a step
    wrong = np.minimum(1.0, c * steps * angle**3)[:, None] ** 2
    total = power.sum(axis=0)
    return swing.std(axis=0) * np.sqrt((wrong * power).sum(axis=0) / np.where(total > 0.0, total, 1.0))


def astray(time: Array, places: Array) -> Array:
    """How far each place went astray in the worst step."""
    h = np.diff(time)
    accelerations = np.diff(np.diff(places, axis=0) / h[:, None], axis=0) / (0.5 * (h[1:] + h[:-1]))[:, None]
    return 0.25 * (h[1:-1, None] ** 2 * np.abs(np.diff(accelerations, axis=0))).max(axis=0)
