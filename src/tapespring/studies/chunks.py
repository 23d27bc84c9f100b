"""Samples handed out in chunks that take about as long as is worth sending them."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

import numpy as np

from .plan import Plan
from .store import Piece
from .trial import Recipe, Trial

SECONDS = 0.5  # a chunk should take
LARGEST = 512
PATIENCE = 5  # times a sample may take its process along before it counts as failed


@dataclass
class Chunk:
    """Samples that are run together."""

    index: np.ndarray
    rows: np.ndarray
    variants: np.ndarray
    tries: int = 0


@dataclass
class Chunks:
    """What is still to be run."""

    plan: Plan
    waiting: np.ndarray  # indices
    rows: np.ndarray | None = None  # of them, if the plan does not know
    workers: int = 1
    given: int = 0
    back: deque[Chunk] = field(default_factory=deque)
    pace: float | None = None  # seconds a sample takes

    @property
    def left(self) -> int:
        """Samples that nobody has."""
        return len(self.waiting) - self.given + sum(len(c.index) for c in self.back)

    def next(self) -> Chunk | None:
        """A chunk to run now, or None: there are none, or the first one has to come back before."""
        if self.back:
            return self.back.popleft()
        left = len(self.waiting) - self.given
        if not left or (self.pace is None and self.given):
            return None
        size = 1
        if self.pace is not None:
            fair = left if self.workers == 1 else -(-left // (4 * self.workers))  # so that all end together
            size = int(max(1, min(SECONDS / max(self.pace, 1e-6), fair, LARGEST)))
        here = slice(self.given, self.given + size)
        self.given += size
        index = self.waiting[here]
        rows = self.plan.rows(index) if self.rows is None else self.rows[here]
        return Chunk(index, rows, self.plan.variant_of(index))

    def came_back(self, piece: Piece) -> None:
        """Learn how long samples take: the first ones load and compile."""
        took = float(np.mean(piece.seconds))
        self.pace = took if self.pace is None else 0.5 * (self.pace + took)

    def died(self, chunk: Chunk, why: str) -> Piece | None:
        """A process ended with a chunk in it: its samples are run again one by one, and a sample that has taken its
        process along too often is a failure."""
        if len(chunk.index) > 1:
            alone = [slice(k, k + 1) for k in range(len(chunk.index))]
            self.back.extend(Chunk(chunk.index[k], chunk.rows[k], chunk.variants[k]) for k in alone)
            return None
        if chunk.tries + 1 < PATIENCE:
            self.back.append(Chunk(chunk.index, chunk.rows, chunk.variants, chunk.tries + 1))
            return None
        self.pace = self.pace or SECONDS
        nothing = np.full((1, len(self.plan.responses)), np.nan)
        reason = f"its process ended {PATIENCE} times: {why}"
        return Piece(chunk.index, chunk.rows, nothing, [reason], np.zeros(1))


def run_chunk(trial: Trial, chunk: Chunk) -> Piece:
    """All samples of a chunk."""
    samples = trial.run_all(chunk.rows, chunk.variants)
    return Piece(
        chunk.index, chunk.rows, np.array([s.values for s in samples], float), [s.reason for s in samples],
        np.array([s.seconds for s in samples]),
    )  # fmt: skip


TRIALS: dict[str, Trial] = {}  # of this process, by what they were made from


def trial_of(recipe: Recipe, name: str) -> Trial:
    """The trial of a study in this process; it is read once."""
    if name not in TRIALS:
        TRIALS.clear()
        TRIALS[name] = Trial(recipe.plan(), recipe.given)
    return TRIALS[name]
