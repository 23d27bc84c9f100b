"""The whole page: words, numbers and the program that draws them, in one file that asks no network for anything."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..safe_file import replacing
from . import text
from .curves import curves
from .document import FOOTER, asset, document
from .motion import animation
from .pack import Blobs

if TYPE_CHECKING:
    from ..dataset import Results

END = ("</main>", FOOTER)
LEVEL_WORDS = {"good": "nothing speaks against it", "fair": "usable with care", "bad": "do not trust"}


def write_report(
    runs: Sequence[tuple[str, Results]],
    path: str | os.PathLike[str],
    *,
    title: str | None = None,
    references: Sequence[dict[str, Any]] = (),
) -> Path:
    """Write one page about one or more runs, (label, results) each, whole or not at all. Raises ResultsFileError."""
    page = report_page(runs, title=title, references=references).encode("utf-8")
    with replacing(path) as file:
        file.write(page)
    return Path(path)


def report_page(
    runs: Sequence[tuple[str, Results]], *, title: str | None = None, references: Sequence[dict[str, Any]] = ()
) -> str:
    """The page as text; of numbers beside references alone if there are no runs."""
    if not runs and not references:
        raise ValueError("a report needs at least one run")
    if not runs:
        body = [*table_header(title or "", references), text.references(references), *END]
        return document(title or "", body, style=asset("page.css"))
    title = title or " · ".join(dict.fromkeys(label for label, _ in runs))
    blobs = Blobs()
    data = {"title": title, "runs": [run_data(label, results, blobs) for label, results in runs]}
    level = text.worst_level(runs)
    trust, stage = text.trust(runs), stage_section()
    body = [
        header(title, runs, level),
        "<main>",
        *([trust, stage] if level == "bad" else [stage, trust]),  # bad news come first
        text.references(references),
        "<section id='energy' class='card'><h2>Energy audit</h2><div id='energy-charts'></div></section>",
        text.events(runs),
        text.contacts(runs),
        text.about(runs),
        *END,
    ]
    numbers = [
        f"<script type='application/json' id='data'>{script_json(data)}</script>",
        *(f"<script type='text/plain' id='blob-{k}'>{blob}</script>" for k, blob in enumerate(blobs.texts)),
    ]
    return document(title, [*body, *numbers], style=asset("page.css"), program=asset("page.js"))


def table_header(title: str, references: Sequence[dict[str, Any]]) -> list[str]:
    """Of a page without motion: frequencies, critical loads."""
    inside = all(q["ok"] for q in references)
    level, words = ("good", "within tolerance") if inside else ("bad", "out of tolerance")
    return [
        f"<header><div><h1>{escape(title)}</h1><p>It computes no motion, so there is nothing to play.</p></div>"
        f"<a class='verdict {level}' href='#references'>{text.mark(level)} {words}</a></header>",
        "<main>",
    ]


def header(title: str, runs: Sequence[tuple[str, Results]], level: str) -> str:
    spans = dict.fromkeys(f"{results.time[0]:g} … {results.time[-1]:g} s" for _, results in runs)
    solvers = dict.fromkeys(str(results.provenance.get("solver", "")) for _, results in runs)
    said = [word for word in (", ".join(spans), ", ".join(filter(None, solvers))) if word]
    return (
        f"<header><div><h1>{escape(title)}</h1><p>{escape(' · '.join(said))}</p></div>"
        f"<a class='verdict {level}' href='#trust'>{text.mark(level)} {LEVEL_WORDS[level]}</a>"
        "<div id='page-tools'></div></header>"
    )


def stage_section() -> str:
    return (
        "<section id='stage'><div id='viewer' class='card'></div><div id='plots' class='card'></div></section>"
        "<noscript><p class='card'>Animation and curves need JavaScript; words and tables do not.</p></noscript>"
    )


def run_data(label: str, results: Results, blobs: Blobs) -> dict[str, Any]:
    return {
        "label": label,
        "animation": animation(results, blobs),
        "curves": curves(results, blobs),
        "events": [{"name": e.name, "time": e.time} for e in results.events[: text.MOST_EVENTS]],
    }


def script_json(data: Any) -> str:
    """JSON that cannot end the script it stands in; numbers JSON does not know are null."""
    return json.dumps(known(data), ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def known(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: known(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [known(value) for value in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data
