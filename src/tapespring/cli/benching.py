"""`tapespring bench`: published problems with their numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from ..bench import UnknownCaseError, find_case, registry, run_case
from ..bench.jpl_tables import error_text
from ..bench.jpl_tables import lines as published_tables
from .screen import BAD_INPUT, NOT_COMPLETE, complain, print_json, progress_bar


def list_cases(as_json: bool) -> None:
    """Names of the cases and what they are."""
    if as_json:
        print_json(list(registry()))
        return
    width = max(map(len, registry())) + 2
    for case in registry().values():
        typer.echo(f"{case.name:<{width}}{case.about}")


def run_cases(names: list[str], as_json: bool, refine: bool = False, page: Path | None = None) -> None:
    """Run cases, print the comparison, with errors if wished, write pages; leaves with 1 if anything is out of
    tolerance."""
    if not names:
        complain("name a case, or several, or a family such as 'jpl', or 'all'; `tapespring bench --list` shows them")
        raise typer.Exit(BAD_INPUT)
    names = [name for asked in names for name in named_by(asked)]
    for name in names:
        try:
            find_case(name)
        except UnknownCaseError as error:
            complain(str(error))
            raise typer.Exit(BAD_INPUT) from None
    outcomes, pages = [], []
    for name in names:
        kept: dict[str, Any] = {}
        with progress_bar(name) as bar:
            outcomes.append(run_case(name, progress=bar, refine=refine, kept=kept))
        if not as_json:
            print_comparison(outcomes[-1])
        if page is not None:
            pages.append(write_page(page if len(names) == 1 else page / f"{name}.html", outcomes[-1], kept))
    for line in [] if as_json else published_tables(outcomes):
        typer.echo(line)
    for said in pages:
        complain(said)
    if as_json:
        print_json(outcomes)
    if not all(outcome["ok"] for outcome in outcomes):
        raise typer.Exit(NOT_COMPLETE)


def write_page(path: Path, outcome: dict[str, Any], kept: dict[str, Any]) -> str:
    """All runs of a case, if it has any, and its table of references. Returns what to say of it."""
    from ..results import Results
    from ..results.report import write_report

    name = outcome["case"]
    runs = [(run or name, results) for run, results in kept.items() if isinstance(results, Results)]
    path.parent.mkdir(parents=True, exist_ok=True)
    return f"report of {name}: {write_report(runs, path, title=name, references=outcome['quantities'])}"


def named_by(asked: str) -> list[str]:
    """A case; all of them, or a family by the first word of its names: `jpl`."""
    if asked == "all":
        return list(registry())
    family = [name for name in registry() if name.startswith(f"{asked}_")]
    return family if family and asked not in registry() else [asked]


def print_comparison(outcome: dict[str, Any]) -> None:
    """A table of one case: value beside reference."""
    quantities = outcome["quantities"]
    inside = sum(quantity["ok"] for quantity in quantities)
    verdict = "ok" if outcome["ok"] else "OUT OF TOLERANCE"
    count = f"{inside} of {len(quantities)} within tolerance"
    typer.echo(f"{outcome['case']}: {verdict}, {count}, {outcome['cpu_s']:.3g} s CPU in the solver")
    width = max(len(quantity["name"]) for quantity in quantities)
    head = f"  {'':<{width}} {'value':>17} {'reference':>17} {'difference':>11} {'tolerance':>10}"
    refined = "error" in quantities[0]
    typer.echo(head + (f" {'error':>10}" if refined else "") + "  unit")
    for quantity in quantities:
        typer.echo(comparison_line(quantity, width))
    for source, mark in dict.fromkeys((q["source"], q["mark"]) for q in quantities):
        typer.echo(f"  reference [{mark}]: {source}")
    for words in dict.fromkeys(q["error_by"] for q in quantities if refined):
        typer.echo(f"  error, estimated: {words}")


def comparison_line(quantity: dict[str, Any], width: int) -> str:
    """`x at 1 s   -0.9862917511   -0.9862917511   4.9e-11   1e-06  m`"""
    value, reference = quantity["value"], quantity["reference"]
    shown = "not reached" if value is None else f"{value:.10g}"
    difference = "" if value is None else f"{value - reference:.1e}"
    flag = "" if quantity["ok"] else "  <-- out"
    error = f" {error_text(quantity):>10}" if "error" in quantity else ""
    return (
        f"  {quantity['name']:<{width}} {shown:>17} {reference:>17.10g} {difference:>11} "
        f"{quantity['tolerance']:>10.1g}{error}  {quantity['unit']}{flag}"
    )
