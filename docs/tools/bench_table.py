"""docs/bench.md: every published problem, ours beside the reference, from what `tapespring bench CASE --json` gives.

    make docs-table                     runs the cases that the page does not have yet
    make docs-table CASES="a01 strap"   runs these anew; CASES=all runs all of them, which takes a while

The page is written after each case, so that an interrupted run goes on.
"""

from __future__ import annotations

import re
import sys
from datetime import date
from pathlib import Path
from typing import Any

from markdown_text import cell, sentence

from tapespring import __version__
from tapespring.bench import registry, run_case

PAGE = Path(__file__).parents[1] / "bench.md"
HEAD = """# Every published problem

<!-- Made by `make docs-table` from what `tapespring bench --json` gives. -->

{cases} cases, {inside} of {numbers} numbers within their tolerance. `tapespring bench CASE` prints any of them anew,
with `--report` as a page that plays it.

Where a reference comes from: P published with the problem; R recomputed independently, without fitting; A closed form,
or two independent sources; B one published source; D one independent solver. None was made by tapespring. *Off* is the
largest deviation from a reference, over that reference; *of tolerance* the largest over its tolerance. Times are of the
solver alone, one core of a machine that did other things as well.

| case | problem | references | numbers | off | of tolerance | CPU | run |
|---|---|---|---|---|---|---|---|
"""
ROW = re.compile(r"^\| \[`(\w+)`\].*$", re.MULTILINE)
SECTION = re.compile(r"^## (\w+)\n.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)


class Table:
    """Rows and sections by case, as the page has them; those of other cases are kept as they stand."""

    def __init__(self, text: str):
        self.rows = {found[1]: found[0] for found in ROW.finditer(text)}
        self.sections = {found[1]: found[0].strip() for found in SECTION.finditer(text)}

    def put(self, outcome: dict[str, Any], when: str) -> None:
        self.rows[outcome["case"]] = overview(outcome, when)
        self.sections[outcome["case"]] = details(outcome)

    def text(self) -> str:
        """The page, in the order of the registry, without cases that are no more."""
        names = [name for name in registry() if name in self.rows]
        counts = [re.search(r"\| (?:\*\*)?(\d+)(?: of (\d+)\*\*)? \|", self.rows[name]) for name in names]
        inside = sum(int(count[1]) for count in counts if count)
        numbers = sum(int(count[2] or count[1]) for count in counts if count)
        head = HEAD.format(cases=len(names), inside=inside, numbers=numbers)
        rows = [
            self.rows.get(name) or f"| `{name}` | {cell(case.about)} | | | | | | not yet |"
            for name, case in registry().items()
        ]
        return head + "\n".join(rows) + "\n\n" + "\n\n".join(self.sections[name] for name in names) + "\n"


def overview(outcome: dict[str, Any], when: str) -> str:
    """One row: how many numbers, how far off, when and with what it was run."""
    name, quantities = outcome["case"], outcome["quantities"]
    reached = [q for q in quantities if q["value"] is not None]
    within = sum(q["ok"] for q in quantities)
    off = [abs(q["value"] / q["reference"] - 1.0) for q in reached if q["reference"]]
    part = [abs(q["value"] - q["reference"]) / q["tolerance"] for q in reached]
    cells = [
        f"[`{name}`](#{name})",
        cell(registry()[name].about),
        ", ".join(dict.fromkeys(q["mark"] for q in quantities)),
        f"{within}" if within == len(quantities) else f"**{within} of {len(quantities)}**",
        share(off),
        share(part),
        f"{outcome['cpu_s']:.2g} s",
        when,
    ]
    return f"| {' | '.join(cells)} |"


def details(outcome: dict[str, Any]) -> str:
    """All numbers of a case and where their references are from."""
    name, quantities = outcome["case"], outcome["quantities"]
    lines = [f"## {name}\n", f"{sentence(registry()[name].about)}\n"]
    lines += ["| | ours | reference | difference | tolerance | unit | |", "|---|---|---|---|---|---|---|"]
    for q in quantities:
        value = "not reached" if q["value"] is None else f"{q['value']:.8g}"
        difference = "" if q["value"] is None else f"{q['value'] - q['reference']:.1e}"
        cells = [cell(q["name"]), value, f"{q['reference']:.8g}", difference, f"{q['tolerance']:.1g}", cell(q["unit"])]
        lines.append(f"| {' | '.join(cells)} | {q['mark']}{'' if q['ok'] else ' **out**'} |")
    sources = dict.fromkeys((q["mark"], cell(q["source"])) for q in quantities)
    return "\n".join([*lines, "", "; ".join(f"[{mark}] {source}" for mark, source in sources) + "."])


def share(parts: list[float]) -> str:
    """The largest: `3e-07`, `0.4 %`"""
    if not parts:
        return ""
    return f"{100.0 * max(parts):.2g} %" if max(parts) >= 1e-4 else f"{max(parts):.0e}"


def stamp() -> str:
    """When, and with which version."""
    return f"{date.today().isoformat()} ({__version__})"


def main(asked: list[str]) -> None:
    table = Table(PAGE.read_text(encoding="utf-8") if PAGE.exists() else "")
    missing = [name for name in registry() if name not in table.rows]
    for name in list(registry()) if asked == ["all"] else asked or missing:
        outcome = run_case(name)
        table.put(outcome, stamp())
        PAGE.write_text(table.text(), encoding="utf-8")
        print(f"{name}: {'ok' if outcome['ok'] else 'OUT OF TOLERANCE'}, {outcome['cpu_s']:.3g} s", flush=True)
    PAGE.write_text(table.text(), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
