"""Balanced places at the ends of all increments, as rows like those of outputs: what happens between outputs counts for
extremes. Where that takes too much memory, every other one is kept."""

from __future__ import annotations

import numpy as np

from ..mechanics.tables import Tables
from .static_run import record_place
from .steps import Record, new_record

FIRST, FEWEST = 64, 16  # places there is room for at first, and that are worth keeping
BYTES = 1 << 25  # that all of them may take
ROWS = ("time", "q", "multiplier", "energy", "contact", "grip", "value", "violation")


class Places:
    """Rows of a run, one by one."""

    def __init__(self, tables: Tables, model_rows: int):
        self.model_rows, self.count, self.every, self.seen = model_rows, 0, 1, 0
        one = new_record(tables, np.zeros(1), model_rows)
        self.most = BYTES // sum(getattr(one, name).nbytes for name in (*ROWS, "v", "a", "rate"))
        self.record: Record = new_record(tables, np.zeros(min(FIRST, self.most)), model_rows)

    def keep(self, tables: Tables, work, at, time: float) -> None:
        """The present place."""
        self.seen += 1
        if self.most < FEWEST or (self.seen - 1) % self.every:
            return
        if self.count == len(self.record.time):
            self._make_room(tables)
        self.record.time[self.count], self.record.contact[self.count] = time, 0.0  # to which pairs add
        record_place(tables, work, at, self.record, self.count)
        self.count += 1

    def _make_room(self, tables: Tables) -> None:
        rows, kept = min(2 * self.count, self.most), slice(0, self.count)
        if rows == self.count:
            self.every, kept = 2 * self.every, slice(0, self.count, 2)
        larger = new_record(tables, np.zeros(rows), self.model_rows)
        self.count = len(self.record.time[kept])
        for name in ROWS:
            getattr(larger, name)[: self.count] = getattr(self.record, name)[kept]
        self.record = larger
