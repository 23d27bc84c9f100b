"""What a quasi-static analysis leaves behind: balanced places, one by one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ..jit import kernel
from ..mechanics.dynamics import energies
from ..mechanics.measures import counted, measure
from ..mechanics.projection import copy, largest
from ..mechanics.touching import sum_contact
from . import balance as bal
from . import status
from .balance import weigh
from .legs import Jump, Leg, Limit
from .steps import Record, record_grip

if TYPE_CHECKING:
    from .places import Places


@kernel
def record_place(tables, work, s, record, k):
    """Write row k: the place, its reactions, energies and tracked measures."""
    t = s.clock[bal.TIME]
    weigh(tables, t, s, work, s.following)
    copy(s.q, record.q[k])
    for r in range(len(s.multiplier)):
        record.multiplier[k, tables.row_draft[r]] = s.multiplier[r]
    energies(tables, t, s.q, s.rest, work, record.energy[k])
    for i in range(len(tables.tracked)):
        c = measure(tables, tables.tracked[i], work)[0]
        record.value[k, i] = counted(tables, work, tables.tracked[i], t, c)
    record.violation[k, 0] = largest(work.g)
    for i in range(len(tables.pairs)):
        sum_contact(tables, i, work, record.contact[k])
    for g in range(len(tables.grips)):
        record_grip(tables, g, work, record.grip[k, g])


@dataclass
class StaticRun:
    """What a quasi-static analysis left behind."""

    record: Record
    rows: int = 0
    places: Places | None = None  # between outputs, when along time
    code: int = status.PAUSED
    time: float = 0.0
    interrupted: bool = False
    solver: str = "quasi-static"
    cpu_s: float = 0.0
    trouble: str = ""  # what stopped it
    events: list[tuple[float, int, float]] = field(default_factory=list)
    jumps: list[Jump] = field(default_factory=list)  # to other branches, within increments that could not be cut
    limits: list[Limit] = field(default_factory=list)  # along a path
    unstable_from: float | None = None  # [s] since when balanced places are unstable, where no stable ones were found
    notes: list[str] = field(default_factory=list)
    legs: list[Leg] = field(default_factory=list)
    earlier: list[Any] = field(default_factory=list)  # runs before it in the same stage, up to a snap and in it
    increments: int = 0
    rejected: int = 0
    count: np.ndarray = field(default_factory=lambda: np.zeros(8, np.int64))
    way: list[float] = field(default_factory=list)  # along the path, of every row; empty when along time
    at: tuple[np.ndarray, np.ndarray] | None = None  # (q, v) of the last balanced place
    worst_violation: float = 0.0
    worst_imbalance: float = 0.0  # of the forces

    def state(self) -> tuple[float, np.ndarray, np.ndarray] | None:
        """(time, q, v) of the last balanced place."""
        return None if self.at is None else (self.time, *self.at)

    @property
    def scheme(self) -> dict[str, np.ndarray]:
        """Nothing is known of earlier increments: a balance is found anew."""
        return {}

    def abscissa(self, begin: float, duration: float) -> np.ndarray:
        """Times of the rows; along a path its length, scaled to fill the stage."""
        if not self.way:
            return self.record.time[: self.rows]
        way = np.array(self.way)
        return begin + duration * way / (way[-1] or 1.0)

    def counters(self) -> dict[str, int]:
        return {
            "steps": self.increments,
            "rejected": self.rejected,
            "evaluations": int(self.count[bal.EVALUATIONS]),
            "newton_iterations": int(self.count[bal.ITERATIONS]),
            "factorizations": int(self.count[bal.FACTORIZATIONS]),
        }

    def violation(self) -> dict[str, float]:
        return {"position": self.worst_violation, "imbalance": self.worst_imbalance}
