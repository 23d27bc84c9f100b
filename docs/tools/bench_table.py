"""docs/bench.md: every published problem, ours beside the reference. `make docs-table` runs all cases, for a while.

Outcomes are kept in out/bench, one file for each case as `tapespring bench CASE --json` gives it; those that are there
are not run again, so that an interrupted run goes on. Remove the folder to begin afresh.
"""

from __future__ import annotations

import json
import platform
from datetime import date
from pathlib import Path
from typing import Any

from markdown_text import cell, sentence

from tapespring import __version__
from tapespring.bench import registry, run_case

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "out" / "bench"
MARKS = {
    "P": "published with the problem",
    "R": "recomputed independently, without fitting",
    "A": "closed form, or two independent sources",
    "B": "one published source",
    "D": "one independent solver",
}


def outcomes() -> list[dict[str, Any]]:
    """Of all cases; runs those that were not kept."""
    KEPT.mkdir(parents=True, exist_ok=True)
    found = []
    for name in registry():
        path = KEPT / f"{name}.json"
        if not path.exists():
            path.write_text(json.dumps(run_case(name)), encoding="utf-8")
        found.append(json.loads(path.read_text(encoding="utf-8")))
        print(f"{name}: {'ok' if found[-1]['ok'] else 'OUT OF TOLERANCE'}, {found[-1]['cpu_s']:.3g} s", flush=True)
    return found


def page(found: list[dict[str, Any]], when: str) -> str:
    """An overview, then every number."""
    inside = sum(q["ok"] for outcome in found for q in outcome["quantities"])
    count = sum(len(outcome["quantities"]) for outcome in found)
    marks = "; ".join(f"{mark} {words}" for mark, words in MARKS.items())
    lines = [
        "# Every published problem\n",
        "<!-- Made by `make docs-table` from `tapespring bench all --json`. -->\n",
        f"{when}, tapespring {__version__}, {platform.machine()}, Python {platform.python_version()}: {len(found)} "
        f"cases, {inside} of {count} numbers within their tolerance. `tapespring bench CASE` prints any of them anew, "
        "with `--report` as a page that plays it.\n",
        f"Where a reference comes from: {marks}. None was made by tapespring. *Off* is the largest deviation from a "
        "reference, over that reference; *of tolerance* the largest over its tolerance. Times are of the solver "
        "alone.\n",
        "| case | problem | references | numbers | off | of tolerance | CPU |",
        "|---|---|---|---|---|---|---|",
    ]
    lines += [overview(outcome) for outcome in found]
    for outcome in found:
        lines += details(outcome)
    return "\n".join(lines) + "\n"


def overview(outcome: dict[str, Any]) -> str:
    quantities, name = outcome["quantities"], outcome["case"]
    within = sum(q["ok"] for q in quantities)
    numbers = f"{len(quantities)}" if within == len(quantities) else f"**{within} of {len(quantities)}**"
    marks = ", ".join(dict.fromkeys(q["mark"] for q in quantities))
    off = max(
        (abs(q["value"] / q["reference"] - 1.0) for q in quantities if q["reference"] and q["value"] is not None),
        default=None,
    )
    part = max(
        (abs(q["value"] - q["reference"]) / q["tolerance"] for q in quantities if q["value"] is not None), default=None
    )
    return (
        f"| [`{name}`](#{name}) | {cell(registry()[name].about)} | {marks} | {numbers} | {shown(off)} | {shown(part)} "
        f"| {outcome['cpu_s']:.2g} s |"
    )


def details(outcome: dict[str, Any]) -> list[str]:
    """All numbers of a case and where references are from."""
    name, quantities = outcome["case"], outcome["quantities"]
    lines = [f"\n## {name}\n", f"{sentence(registry()[name].about)}\n"]
    lines += ["| | ours | reference | difference | tolerance | unit | |", "|---|---|---|---|---|---|---|"]
    for q in quantities:
        value = "not reached" if q["value"] is None else f"{q['value']:.8g}"
        difference = "" if q["value"] is None else f"{q['value'] - q['reference']:.1e}"
        mark = q["mark"] if q["ok"] else f"{q['mark']} **out**"
        cells = [
            cell(q["name"]),
            value,
            f"{q['reference']:.8g}",
            difference,
            f"{q['tolerance']:.1g}",
            cell(q["unit"]),
            mark,
        ]
        lines.append("| " + " | ".join(cells) + " |")
    sources = [
        f"[{mark}] {cell(source)}" for source, mark in dict.fromkeys((q["source"], q["mark"]) for q in quantities)
    ]
    return [*lines, "", "; ".join(sources) + "."]


def shown(part: float | None) -> str:
    """`3.1e-07`, `0.4 %`"""
    if part is None:
        return ""
    return f"{100.0 * part:.2g} %" if part >= 1e-4 else f"{part:.0e}"


if __name__ == "__main__":
    (ROOT / "docs" / "bench.md").write_text(page(outcomes(), date.today().isoformat()), encoding="utf-8")
