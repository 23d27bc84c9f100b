"""Friction of joints: drafts and their tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..mechanics import tables as tb


@dataclass
class GripDraft:
    """Friction along coordinates of a joint between nodes a and b; point and axis in the world, as drawn."""

    joint: str
    a: int
    b: int
    point: np.ndarray
    axis: np.ndarray
    measures: list[tuple[int, float]]  # and the scale of each
    rows: list[int]  # whose reactions press
    law: dict[str, Any]  # fields of mechanics.tables.Grip
    place: int = -1  # of a ball: any measure between the two nodes that a reaction acts along
    axis_on_b: bool = False


def grip_tables(drafts: list[GripDraft], kept: list[int], local) -> dict[str, np.ndarray]:
    """Fields of mechanics.tables.Tables; kept: drafts of the rows in table order."""
    place = {draft: row for row, draft in enumerate(kept)}
    table = np.zeros(len(drafts), tb.Grip)
    rows: list[int] = []
    for row, grip in zip(table, drafts, strict=True):
        row["a"], row["b"], row["measure"], row["place"] = grip.a, grip.b, -1, grip.place
        row["ball"] = grip.place >= 0
        row["axis_on"] = grip.b if grip.axis_on_b else grip.a
        row["arm"], row["axis"] = local.point(grip.b, grip.point), local.direction(row["axis_on"], grip.axis)
        for k, (measure, scale) in enumerate(grip.measures):
            row["measure"][k], row["scale"][k] = measure, scale
        for name, value in grip.law.items():
            row[name] = value
        row["first"] = len(rows)
        rows += [place[r] for r in grip.rows if r in place]
        row["last"] = len(rows)
    return {"grips": table, "grip_rows": np.array(rows, np.int64)}
