"""The tables of the deployable-structure benchmarks as their source has them, with columns of ours."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

CODES = ("ADAMS", "LS-Dyna", "Sierra", "closed form")
MARKS = (
    "[P] published in the source; [R] recomputed independently, 'off' is from there; [A] by conservation or symmetry; "
    "[F] ours depends on what was chosen where the source is silent; told: steps, tolerances and damping given by hand"
)
NONE = (None, None, None, None)


@dataclass(frozen=True)
class Row:
    """A quantity of a case, by its name there, beside what was published."""

    about: str
    published: tuple[float | None, float | None, float | None, float | None]
    ours: str
    mark: str = "F"
    case: str = ""  # if not that of the table


@dataclass(frozen=True)
class Table:
    """One of the source's tables; `chosen` is what ours is free in, `needed` what of the settings told has to be."""

    title: str
    case: str
    rows: tuple[Row, ...]
    chosen: str
    needed: str = ""


TABLES = (
    Table("1. Pendulum strikes a bar", "jpl_pendulum", (
        Row("largest rotation", (24.7, 24.9, 25.3, 25.3), "largest rotation, friction 0.2"),
        Row("first peak, mean of 4 ms", (54.1, 55.1, 60.9, 62.4), "first peak of the mean force, friction 0.2"),
        Row("first peak, raw", NONE, "first peak of the raw force"),
        Row("impulse of the first lobe", NONE, "impulse of the first lobe"),
        Row("rotation, no friction", (None, 40.9, None, 40.5), "largest rotation, friction 0"),
        Row("second peak, mean of 4 ms", NONE, "second peak of the mean force"),
    ), "axial stiffness 2.2e6 N, contact 1e6 N/m with 20 N s/m, rigid bar",
       "none of it: step and dissipation are those of the reference, error control finds the same"),
    Table("2. Flexure over a bump", "jpl_bump", (
        Row("largest force", (10.4, 12.6, 11.9, None), "largest force, friction 0.2"),
        Row("at 40 mm/s, raw", NONE, "largest force at 40 mm/s, friction 0.2"),
        Row("at 40 mm/s, filtered", (None, 10.2, None, None), "largest filtered force at 40 mm/s, friction 0.2"),
        Row("impulse, 25.40 to 25.05 mm", NONE, "impulse while the crest goes from 25.40 to 25.05 mm"),
        Row("friction 0.3", (None, None, 11.9, None), "largest force, friction 0.3"),
    ), "height 0.70 mm; raw: before the crest passes the corner; filtered: CFC 1000; for Sierra the source's text has "
       "friction 0.3, its table 0.2",
       "the step at 40 mm/s: error control ends where the crest passes the corner and the force jumps"),
    Table("3. Straps between carts", "jpl_straps", (
        Row("largest force", (0.026, 0.025, 0.025, None), "gravity and contact: force at 0.0127 m", "R"),
        Row("without contact", NONE, "gravity: force at 0.0127 m", "R"),
        Row("without gravity", NONE, "contact: force at 0.0127 m", "R"),
        Row("stow less deploy, of load", NONE, "gravity and contact: stowing less deploying", "A"),
    ), "carts 25.4 mm wide; any width from 2 to 40 mm gives 0.0244 to 0.0249 N"),
    Table("4. Straps and fabric, to 75 mm", "jpl_five_straps", (
        Row("straps alone: force in X", NONE, "force on A in x at 75 mm"),
        Row("force in Y", NONE, "force on C in y at 75 mm"),
        Row("fabric at once: in X", (None, None, 0.356, None), "at once: force in X at 75 mm", "F", "jpl_fabric"),
        Row("in Y", (None, None, 0.299, None), "at once: force in Y at 75 mm", "F", "jpl_fabric"),
        Row("fabric in steps: in X", (None, None, 0.356, None), "in steps: force in X at 75 mm", "F", "jpl_fabric"),
        Row("in Y", (None, None, 0.299, None), "in steps: force in Y at 75 mm", "F", "jpl_fabric"),
        Row("stow less deploy, of load", NONE, "in steps: stowing less deploying at 150 mm", "A", "jpl_fabric"),
    ), "stowed to 75 mm: the source tells neither the end distance nor the supports. With fabric 'off' is from [P]; it "
       "has several balanced shapes, so that the way it was stowed decides",
       "damping: without it the run completes, but is not at rest when it is held; loads then repeat to 34 % only"),
)  # fmt: skip


def number(value: float | None) -> str:
    return "" if value is None else f"{value:g}"


def error_text(quantity: dict[str, Any]) -> str:
    """`±0.012`, or a word."""
    return "unknown" if quantity["error"] is None else f"±{quantity['error']:.1g}"


def deviation(quantity: dict[str, Any]) -> str:
    """From the case's reference, in percent of it; where that is zero there is none."""
    value, reference = quantity["value"], quantity["reference"]
    return "" if value is None or not reference else f"{100.0 * (value / reference - 1.0):.2f} %"


def lines(outcomes: Iterable[dict[str, Any]]) -> list[str]:
    """Of all tables whose cases were run."""
    found = {outcome["case"]: outcome for outcome in outcomes}
    out = [line for table in TABLES if table.case in found for line in table_lines(table, found)]
    return [*out, "", MARKS] if out else []


def table_lines(table: Table, found: dict[str, dict[str, Any]]) -> list[str]:
    """`found`: outcomes by case; rows of cases that were not run are left out."""
    rows = [(row, found[row.case or table.case]) for row in table.rows if (row.case or table.case) in found]
    shown = [(row, named(row.ours, outcome), outcome["runs"]) for row, outcome in rows]
    refined = any("error" in quantity for _, quantity, _ in shown)
    heads = "".join(f"{code:>12}" for code in CODES) + f"{'ours':>12}{'off':>9}"
    heads += (f"{'error':>10}" if refined else "") + f"  unit{'CPU':>9}{'elements':>10}  solver        mark"
    published = "".join(f"{'[P]':>12}" for _ in CODES)
    out = ["", table.title, f"  {'':<26}{heads}", f"  {'':<26}{published}"]
    out += [row_line(row, quantity, runs) for row, quantity, runs in shown]
    out.append(f"  [F]: {table.chosen}")
    told: dict[str, dict[str, None]] = {}
    for _, quantity, runs in shown:
        told.setdefault(runs[quantity["run"]].get("told", ""), {})[quantity["run"]] = None
    out += [f"  told{', ' if any(runs) else ''}{'; '.join(runs)}: {words}" for words, runs in told.items() if words]
    return [*out, f"  needed: {table.needed}"] if table.needed and any(told) else out


def named(name: str, outcome: dict[str, Any]) -> dict[str, Any]:
    return next(quantity for quantity in outcome["quantities"] if quantity["name"] == name)


def row_line(row: Row, quantity: dict[str, Any], runs: dict[str, dict[str, Any]]) -> str:
    run = runs[quantity["run"]]
    value = "not reached" if quantity["value"] is None else f"{quantity['value']:.5g}"
    published = "".join(f"{number(value):>12}" for value in row.published)
    error = f"{error_text(quantity):>10}" if "error" in quantity else ""
    made = f"{run['cpu_s']:>7.2f} s{run.get('elements', ''):>10}  {run.get('solver', ''):<14}"
    return (
        f"  {row.about:<26}{published}{value:>12}{deviation(quantity):>9}{error}  {quantity['unit']:<4}{made}"
        f"[{row.mark}]"
    )
