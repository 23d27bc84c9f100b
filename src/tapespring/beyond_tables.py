"""Notes on springs and dampers that were moved beyond the ends of their tables, where these are only guessed."""

from __future__ import annotations

import numpy as np

from .mechanics import tables as tb


def notes_beyond_tables(part) -> list[str]:
    """Of one stage: what was reached, what the table knows, and how it went on."""
    tables, record, said = part.start.system.tables, part.run.record, []
    place = {int(m): k for k, m in enumerate(tables.tracked)}
    for entry in part.catalogue.couplings.values():
        for coupling in tables.couplings[list(entry.couplings)]:
            k = place[int(coupling["measure"])]
            for law, reached, of, unit in (
                (coupling["elastic"], record.value[: part.rows, k] - coupling["free"], entry.label, entry.unit),
                (coupling["damping"], record.rate[: part.rows, k], f"rate of {entry.label}", f"{entry.unit}/s"),
            ):
                said += [
                    f"{entry.kind} '{entry.name}': the {of} went to {at:.4g} {unit}, beyond its table, which ends at "
                    f"{end:.4g} {unit}; the force went straight on from there: extend the table"
                    for at, end in beyond(tables, int(law), reached)
                ]
    return said


def beyond(tables: tb.Tables, law: int, reached: np.ndarray) -> list[tuple[float, float]]:
    """(farthest, end of the table) at each end that was passed."""
    if law < 0 or tables.laws[law]["kind"] != tb.PIECEWISE or not len(reached):
        return []
    first, count = int(tables.laws[law]["first"]), int(tables.laws[law]["count"])
    low, high = float(tables.numbers[first]), float(tables.numbers[first + count])
    least, most, small = float(reached.min()), float(reached.max()), 1e-9 * (high - low)
    return [pair for pair, past in (((least, low), least < low - small), ((most, high), most > high + small)) if past]
