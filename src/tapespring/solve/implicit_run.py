"""A loop of `implicit`: its system, which changes with the pairs near each other."""

from __future__ import annotations

import numpy as np

from . import alpha as al
from . import implicit
from .kkt import Kkt, new_kkt
from .near_pairs import NearPairs
from .steps import ANEW, STEPS
from .timeline.breaks import breaks_of


class ImplicitStepper:
    """Advances a loop; see transient.stepper."""

    def __init__(self, start, settings):
        self.tables, self.work = start.system.tables, start.work
        self.near = NearPairs(start) if len(self.tables.members) else None
        self.kkt: Kkt
        self.renew_system()
        cost = al.factor_cost(self.kkt)
        step = settings.step or 0.0
        self.history = start.scheme.get("implicit") if start.continues and not self.begins_anew(start) else None
        self.scheme = al.new_alpha(self.tables, self.work, settings.dissipation, step, factor_cost=cost)

    def begins_anew(self, start) -> bool:
        """Whether a law jumps or bends where the run begins."""
        near = 1e-6 * (abs(start.t) + 1e-3)
        breaks, _ = breaks_of(self.tables, start.t - near, start.t + near)
        return bool((breaks[:-1, ANEW] > 0.0).any())

    def memory(self, loop) -> dict[str, np.ndarray]:
        """What it knows of earlier steps."""
        return {"implicit": al.history_of(self.scheme, loop)}

    def renew_system(self) -> None:
        if self.near is not None:
            self.tables, self.work = self.near.tables, self.near.work
        self.kkt = new_kkt(self.tables, 0)  # Newton's method refines by itself

    def __call__(self, loop, record, max_steps: int) -> int:
        if self.history is not None:
            al.put_history(self.scheme, loop, self.history)
            self.history = None
        code = implicit.run(self.tables, self.work, loop, self.scheme, self.kkt, record, max_steps)
        while code == implicit.PAIRS_DUE and self.near is not None:
            self.near.find_after(int(loop.count[STEPS]))
            self.renew_system()
            self.scheme.options[al.FACTORED_FOR] = 0.0
            code = implicit.run(self.tables, self.work, loop, self.scheme, self.kkt, record, max_steps)
        return code
