"""The tables of the deployable-structure benchmarks as their source has them, with a column of ours."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

CODES = ("ADAMS", "LS-Dyna", "Sierra", "closed form")
OPEN = "[P] published; [R] recomputed independently; [F] chosen by us where the source is silent"


@dataclass(frozen=True)
class Row:
    """A published quantity; `ours` is its name in a case."""

    about: str
    unit: str
    published: tuple[float | str | None, float | str | None, float | str | None, float | str | None]
    case: str
    ours: str
    model: str  # what ours is made of


TABLES = {
    "1. Pendulum strikes a bar": (
        Row("largest rotation", "deg", (24.7, 24.9, 25.3, 25.3), "jpl_pendulum", "largest rotation, friction 0.2",
            "16 beams, implicit"),
        Row("first peak", "N", (54.1, 55.1, 60.9, 62.4), "jpl_pendulum", "first peak of the mean force, friction 0.2",
            "16 beams, implicit, mean of 4 ms"),
        Row("rotation, no friction", "deg", (None, 40.9, None, 40.5), "jpl_pendulum", "largest rotation, friction 0",
            "16 beams, implicit"),
    ),
    "2. Flexure over a bump of 0.70 mm [F]": (
        Row("largest force", "N", (10.4, "12.6 (10.2 filtered)", 11.9, None), "jpl_bump", "largest force, friction 0.2",
            "8 beams, quasi-static"),
        Row("at 40 mm/s", "N", (None, None, None, None), "jpl_bump", "largest force at 40 mm/s, friction 0.2",
            "8 beams, implicit"),
    ),
    "3. Straps between carts": (
        Row("largest force", "N", (0.026, 0.025, 0.025, None), "jpl_straps", "gravity and contact: force at 0.0127 m",
            "156 beams, quasi-static"),
    ),
    "4. Straps and fabric; ours: straps alone, to 75 mm [F]": (
        Row("force in X", "N", (None, None, 0.356, None), "jpl_five_straps", "force on A in x at 75 mm",
            "200 beams, quasi-static"),
        Row("force in Y", "N", (None, None, 0.299, None), "jpl_five_straps", "force on C in y at 75 mm",
            "200 beams, quasi-static"),
    ),
}  # fmt: skip


def words(value: float | str | None) -> str:
    return "" if value is None else value if isinstance(value, str) else f"{value:g}"


def lines(outcomes: Iterable[dict[str, Any]]) -> list[str]:
    """Of all tables whose cases were run; deviation is from the independent reference [R] of the case."""
    found = {outcome["case"]: outcome for outcome in outcomes}
    out: list[str] = []
    for title, rows in TABLES.items():
        if rows[0].case not in found:
            continue
        heads = [f"{code} [P]" for code in CODES]
        out += [
            "",
            title,
            f"  {'':<23}" + "".join(f"{head:>21}" for head in heads) + f"{'ours':>11}{'off [R]':>9}  unit",
        ]
        for row in rows:
            outcome = found[row.case]
            ours = next(q for q in outcome["quantities"] if q["name"] == row.ours)
            value = "not reached" if ours["value"] is None else f"{ours['value']:.5g}"
            off = "" if ours["value"] is None else f"{100.0 * (ours['value'] / ours['reference'] - 1.0):.2f} %"
            published = "".join(f"{words(value):>21}" for value in row.published)
            out.append(f"  {row.about:<23}{published}{value:>11}{off:>9}  {row.unit}  ({row.model})")
        out.append(f"  all runs of the case: {found[rows[0].case]['cpu_s']:.2f} s CPU in the solver")
    return [*out, "", OPEN] if out else []
